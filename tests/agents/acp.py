"""Agents that speak the Agent Client Protocol, started by `countersign acp` for an editor that is the official SDK's client."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

import outcomes
from clients import ClaudeAcp, ClineAcp, CodexAcp, Copilot, Gemini, Kilo, Opencode, Qwen
from model import Model
from reviewer import Reviewer

HERE = pathlib.Path(__file__).resolve().parent
TEXT = "one\ntwo\nthree\n"
#: How each agent is started for an editor, how it logs in, the modes in which its edits are reviewed, and one in which it writes by itself.
AGENTS = {
    "claude": (ClaudeAcp, [], None, ["default"], None),
    "cline": (ClineAcp, ["--acp"], None, [], None),
    "codex": (CodexAcp, [], None, ["read-only"], "auto"),
    "copilot": (Copilot, ["--acp"], None, [None], None),
    "gemini": (Gemini, ["-m", "gemini-2.5-flash", "--acp"], "gemini-api-key", [None, "yolo"], None),
    "qwen": (Qwen, ["--acp", "--auth-type", "openai"], "openai", [None, "yolo"], None),
    "kilo": (Kilo, ["acp"], None, [], None),
    "opencode": (Opencode, ["acp"], None, [], None),
}


class Scene:
    def __init__(self, program, modules, name):
        self.program, self.modules, self.name = program, str(modules), name
        self.client, self.flags, self.auth, self.modes, self.own = AGENTS[name]
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="countersign-agents-"))
        self.project, self.home = self.top / "project", self.top / "home"
        self.project.mkdir()
        self.plays = 0
        self.errors = ""

    def run(self, person, mode=None, edits=None, layer=False, stops=False):
        """Runs one prompt in the editor while `person(reviewer, runtime)` reviews. Gives back the text, what the model knows in the end, and
        what the editor saw."""
        self.plays += 1
        runtime = self.top / f"run{self.plays}"
        runtime.mkdir(mode=0o700)
        (self.project / "a.txt").write_text(TEXT)
        (self.project / "new.txt").unlink(missing_ok=True)
        script = json.loads(json.dumps(edits or self.client.edit()).replace("%R", str(self.project)))
        reviewer = Reviewer(self.program, self.project, runtime, f"{sys.executable} {HERE}/amend.py") if person else None
        try:
            if reviewer:
                reviewer.is_ready()
            with Model(script) as model:
                extra = {"XDG_RUNTIME_DIR": str(runtime), "XDG_STATE_HOME": str(self.top / "state"), "GEMINI_CLI_TRUST_WORKSPACE": "true"}
                client = self.client(self.modules, self.home, self.project, model.port, extra)
                client.command("default")
                options = json.dumps({"auth": self.auth, "mode": mode, "stops": str(runtime / "stop") if stops else None})
                agent = [*client.program(), *self.flags]
                command = ["node", str(HERE / "acp.mjs"), self.modules, str(self.project), options, self.program, "acp", *["--layer"][: layer], "--", *agent]
                editor = subprocess.Popen(command, cwd=self.project, env=client.env(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                if reviewer:
                    threading.Thread(target=person, args=(reviewer, runtime), daemon=True).start()
                try:
                    out, self.errors = editor.communicate(timeout=90)
                finally:
                    editor.kill()
                return (self.project / "a.txt").read_text(), model.last(), json.loads(out)
        finally:
            if reviewer:
                self.shown = reviewer.text()
                reviewer.stop()


def check(what, *facts):
    for fact, holds in facts:
        if not holds:
            raise AssertionError(f"{what}: {fact}")


def accepts(reviewer, _):
    reviewer.sees("TWO") and reviewer.does("a")


def amends(reviewer, _):
    reviewer.sees("TWO") and reviewer.does("e")
    reviewer.sees("two and a half") and reviewer.does("a")


def rejects(reviewer, _):
    reviewer.sees("TWO") and reviewer.does(["c", "keep it quiet", "\r", "r"])


def stops(reviewer, runtime):
    reviewer.sees("TWO")
    (runtime / "stop").touch()
    reviewer.sees("withdrawn", 20)


def accepted(scene):
    for mode in scene.modes:
        text, _, seen = scene.run(accepts, mode)
        check(f"accepted ({mode})", (f"the agent's text is written: {text!r}", text == TEXT.replace("two", "TWO")),
              (f"the editor is not asked: {seen}", not seen["asked"] and not seen["written"]), ("it is not warned", "countersign acp --layer" not in seen["said"]), (f"the turn ends: {seen}", seen["reason"] == "end_turn"))


def created(scene):
    _, _, seen = scene.run(accepts, scene.modes[-1], edits=scene.client.create("%R/new.txt", "TWO\n"))
    new = scene.project / "new.txt"
    check("a new file", ("it is written", new.exists() and new.read_text() == "TWO\n"), (f"by countersign: {seen}", not seen["written"]))
    _, known, _ = scene.run(rejects, scene.modes[-1], edits=scene.client.create("%R/new.txt", "TWO\n"))
    check("a new file is rejected", ("it is not written", not new.exists()), ("the model knows why", "keep it quiet" in known))


def amended(scene):
    for mode in scene.modes:
        text, known, _ = scene.run(amends, mode)
        check(f"amended ({mode})", (f"the person's text is written: {text!r}", text == TEXT.replace("two", "two and a half")),
              ("the model knows the person's text", "two and a half" in known), ("the model is told not to revert it", "ot revert it" in known))


def rejected(scene):
    for mode in scene.modes:
        text, known, _ = scene.run(rejects, mode)
        check(f"rejected ({mode})", (f"nothing is written: {text!r}", text == TEXT), ("the model knows why", "keep it quiet" in known))


def alone(scene):
    for mode in scene.modes:
        text, known, _ = scene.run(None, mode)
        check(f"nobody reviews ({mode})", (f"nothing is written: {text!r}", text == TEXT), ("the model knows", "countersign serve" in known))


def stopped(scene):
    """The person stops the turn in the editor: the proposal is withdrawn, and nothing is written."""
    text, _, seen = scene.run(stops, scene.modes[-1], stops=True)
    check("stopped", (f"nothing is written: {text!r}", text == TEXT), ("it is withdrawn", "withdrawn" in scene.shown), (f"the turn ends: {seen}", seen["reason"] == "cancelled"))


def unasked(scene):
    """What an agent writes by itself cannot be stopped here: the editor is told of it."""
    text, _, seen = scene.run(None, scene.own)
    check("by itself", (f"it is written: {text!r}", text == TEXT.replace("two", "TWO")), (f"the editor is warned: {seen['said']}", "countersign acp --layer" in seen["said"]))


def hooked(scene):
    """The hook that the agent calls in a terminal is called in an editor as well."""
    env = {**os.environ, "HOME": str(scene.home), "XDG_CONFIG_HOME": str(scene.home / ".config")}
    hook = lambda *what: subprocess.run([scene.program, "hook", scene.client.name, *what, scene.client.scope, "--yes"], cwd=scene.project, env=env, check=True, stdout=subprocess.DEVNULL)
    scene.home.mkdir(exist_ok=True)
    hook("--install")
    text, known, _ = scene.run(rejects, scene.own)
    check("its hook", (f"nothing is written: {text!r}", text == TEXT), ("the model knows why", "keep it quiet" in known))
    hook("--uninstall")


def layered(scene):
    """An agent that writes by itself works in a layer: the tree stays as it is until the review."""
    subprocess.run(["git", "init", "--quiet"], cwd=scene.project, check=True)
    text, _, seen = scene.run(None, scene.own, edits=scene.client.edit(), layer=True)
    check("in a layer", (f"nothing reaches the tree: {text!r}", text == TEXT), (f"the turn ends: {seen}", seen["reason"] == "end_turn"))
    env = {**os.environ, "XDG_RUNTIME_DIR": str(scene.top / f"run{scene.plays}"), "XDG_STATE_HOME": str(scene.top / "state"), "HOME": str(scene.home), "COUNTERSIGN_CONFIG": ""}
    run = lambda *words, **more: subprocess.run([scene.program, *words], cwd=scene.project, env=env, capture_output=True, text=True, timeout=60, **more)
    rows = json.loads(run("runs", "--report", "json").stdout)
    review = run("review", "--run", rows[0]["id"], "--linear", input="y\n" * 20 + "w\n")
    text = (scene.project / "a.txt").read_text()
    check("the review of a layer", (f"what was accepted is written: {text!r} {review.stderr}", text == TEXT.replace("two", "TWO")))


SCENES = {
    "claude": [accepted, created, amended, rejected, alone, stopped, unasked, hooked, layered],
    "cline": [hooked, layered],
    "codex": [accepted, created, amended, rejected, alone, stopped, unasked, layered],
    "copilot": [accepted, created, amended, rejected, alone, stopped, layered],
    "gemini": [accepted, created, amended, rejected, alone, stopped],
    "qwen": [accepted, created, amended, rejected, alone, stopped],
    "kilo": [unasked, hooked, layered],
    "opencode": [unasked, hooked, layered],
}
#: The situations, in the words of the table in the docs.
WORDS = {accepted: "accepted", created: "new file", amended: "amended", rejected: "rejected with a reason", alone: "nobody reviews", stopped: "turn stopped in the editor", unasked: "written by itself: the editor is warned", hooked: "its hook is called here too", layered: "in a layer"}


def main(program, modules, results, names=()):
    """Gives back how many scenes failed."""
    wrong = 0
    wanted = os.environ.get("SCENES", "").split()
    for name, scenes in SCENES.items():
        if names and name not in names:
            continue
        scene = Scene(program, modules, name)
        failed = 0
        for play in scenes:
            if wanted and play.__name__ not in wanted:
                continue
            details = lambda: f"\n    in {scene.top}\n    {scene.errors[-1500:]}"
            is_well = outcomes.played(f"acp {name} {play.__name__}", lambda play=play: play(scene), details)
            results[name, play] = "✓" if is_well else "✗"
            failed += not is_well
        if not failed:
            shutil.rmtree(scene.top, ignore_errors=True)
        wrong += failed
    return wrong


def table(results):
    """The results as a table for the docs."""
    titles = [f"{client.title} {client.version}" for client, *_ in (AGENTS[name] for name in SCENES)]
    lines = ["| through ACP | " + " | ".join(titles) + " |", "|---|" + "---|" * len(titles)]
    for play, words in WORDS.items():
        lines.append(f"| {words} | " + " | ".join(results.get((name, play), "–") for name in SCENES) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2], {}, sys.argv[3:]))
