"""Agents that call nothing before they write: in a layer of `countersign run`, and by what else their makers allow."""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

import outcomes
from clients import UNGATED, Continue
from model import Model
from reviewer import Reviewer

HERE = pathlib.Path(__file__).resolve().parent
TEXT = "one\ntwo\nthree\n"
LOUD = TEXT.replace("two", "TWO")


class Scene:
    """A repository that the agent works in, and a home."""

    def __init__(self, program, modules, client):
        self.program, self.modules, self.client = program, str(modules), client
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="countersign-agents-"))
        self.project, self.home = self.top / "project", self.top / "home"
        self.project.mkdir(), self.home.mkdir()
        self.plays, self.printed = 0, ""
        # What Aider keeps in the folder of its project is no part of the review where git ignores it.
        (self.project / ".gitignore").write_text(".aider*\n")
        (self.project / "a.txt").write_text(TEXT)
        self.git("init", "--quiet"), self.git("add", "--all"), self.git("commit", "--quiet", "--message=begin")

    def begin(self):
        """Makes everything as it was."""
        self.plays += 1
        self.runtime = self.top / f"run{self.plays}"
        self.runtime.mkdir(mode=0o700)
        self.env = {"XDG_RUNTIME_DIR": str(self.runtime), "XDG_STATE_HOME": str(self.top / "state")}
        (self.project / "a.txt").write_text(TEXT)
        (self.project / "b.txt").unlink(missing_ok=True)

    def git(self, *words):
        done = subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@y", *words], cwd=self.project, check=True, capture_output=True, text=True)
        return done.stdout

    def countersign(self, *words, **more):
        env = {**os.environ, **self.env, "HOME": str(self.home), "COUNTERSIGN_CONFIG": ""}
        return subprocess.run([self.program, *words], cwd=self.project, env=env, capture_output=True, text=True, timeout=60, **more)

    def run(self, edits, prefix=(), mode=None, pipe=()):
        """Runs one prompt to its end. Gives back what the model knows then."""
        script = json.loads(json.dumps(edits).replace("%R", str(self.project)))
        with Model(script) as model:
            client = self.client(self.modules, self.home, self.project, model.port, self.env)
            client.prefix = list(prefix)
            if pipe:
                command = f"{shlex.join(client.command(mode))} | {shlex.join(pipe)}"
                client.command = lambda _: ["sh", "-c", command]
            self.printed = client.run(mode or client.unasked)
            if not model.heard:
                raise AssertionError("the model was not asked")
            return model.last()

    def layered(self, edits, *flags):
        """Runs one prompt in a layer. Gives back the id of the layer."""
        self.run(edits, [self.program, "run", "--no-review", *flags, "--"])
        return json.loads(self.countersign("runs", "--report", "json").stdout)[0]["id"]

    def with_person(self, person, run):
        """Does `run` while `person(reviewer)` reviews."""
        reviewer = Reviewer(self.program, self.project, self.runtime, f"{sys.executable} {HERE}/amend.py") if person else None
        try:
            if reviewer:
                reviewer.is_ready()
                threading.Thread(target=person, args=(reviewer,), daemon=True).start()
            return run()
        finally:
            if reviewer:
                reviewer.stop()

    def text(self):
        return (self.project / "a.txt").read_text()


def check(what, *facts):
    for fact, holds in facts:
        if not holds:
            raise AssertionError(f"{what}: {fact}")


def layered(scene):
    """What it writes, without asking anybody, stays in the layer until the review; then what was accepted is written."""
    layer = scene.layered(scene.client.both(scene.client.edit(), scene.client.create("%R/b.txt", "sneaked\n")))
    check("before the review", (f"nothing is written: {scene.text()!r}", scene.text() == TEXT), ("nothing is made", not (scene.project / "b.txt").exists()))
    review = scene.countersign("review", "--run", layer, "--linear", "--report", "agent", input="y\nc\nask me first\nn\nw\n")
    check("after it", (f"what was accepted is written: {scene.text()!r} {review.stdout}", scene.text() == LOUD),
          ("what was rejected is not", not (scene.project / "b.txt").exists()), (f"the report has the reason: {review.stdout}", "ask me first" in review.stdout))


def resumed(scene):
    """It goes on in its layer, where what was rejected is reset."""
    layer = scene.layered(scene.client.create("%R/b.txt", "sneaked\n"))
    scene.countersign("review", "--run", layer, "--linear", input="n\nw\n")
    check("the same layer", ("it is the layer of before", scene.layered(scene.client.edit(), "--resume", layer) == layer))
    found = scene.countersign("apply", "--run", layer, "--report", "json")
    check("after it", (f"what is new is written: {scene.text()!r} {found.stdout}", scene.text() == LOUD), ("what was rejected is not offered again", not (scene.project / "b.txt").exists()))


def committed(scene):
    """It commits what it writes: the commits come as a branch of their own, and the person's branch stays where it is."""
    before = scene.git("rev-parse", "HEAD")
    layer = scene.layered(scene.client.edit(), "--commits")
    check("before the review", (f"nothing is written: {scene.text()!r}", scene.text() == TEXT), ("its branch stays", scene.git("rev-parse", "HEAD") == before))
    check("its commits", ("they follow on it", scene.git("rev-parse", f"countersign/{layer}^") == before), ("they have its text", scene.git("show", f"countersign/{layer}:a.txt") == LOUD))
    scene.countersign("review", "--run", layer, "--linear", input="y\nw\n")
    check("after it", (f"what was accepted is written: {scene.text()!r}", scene.text() == LOUD), ("it is not committed here", scene.git("rev-parse", "HEAD") == before))


def accepts(reviewer):
    reviewer.sees("TWO") and reviewer.does("a")


def amends(reviewer):
    reviewer.sees("TWO") and reviewer.does("e")
    reviewer.sees("two and a half") and reviewer.does("a")


def rejects(reviewer):
    reviewer.sees("TWO") and reviewer.does(["c", "keep it quiet", "\r", "r"])


def decisions(scene, run):
    """An edit is accepted, amended, rejected, and nobody reviews it. `run` gives back what the agent or the person gets to know."""
    for person, text, told in [(accepts, LOUD, "pplied"), (amends, TEXT.replace("two", "two and a half"), "two and a half"), (rejects, TEXT, "keep it quiet"), (None, TEXT, "countersign serve")]:
        name = person.__name__ if person else "nobody reviews"
        (scene.project / "a.txt").write_text(TEXT)
        known = scene.with_person(person, run)
        check(name, (f"the right text is written: {scene.text()!r} {known[-600:]}", scene.text() == text), (f"it is known: {known[-600:]}", told in known))


def piped(scene):
    """Its reply, of which it writes nothing itself, is a proposal."""
    submit = [scene.program, "submit", "--agent", "aider", "--report", "agent"]

    def run():
        scene.run(scene.client.edit(), mode="reply", pipe=submit)
        return scene.printed

    decisions(scene, run)


def tools(scene):
    """The tools of `countersign mcp` are the only ones that write."""
    own = Continue.edit()
    edit = [[("edit_file", {"path": "%R/a.txt", "old_string": "two", "new_string": "TWO"})]]
    decisions(scene, lambda: scene.run(edit, mode=scene.program))
    (scene.project / "a.txt").write_text(TEXT)
    known = scene.run(own, mode=scene.program)
    # A call of them ends its run.
    offered = [name for name in ("Edit", "MultiEdit", "Write", "Bash") if f'"name": "{name}"' in known.split('"tools": ')[-1]]
    check("its own tools", (f"they write nothing: {scene.text()!r}", scene.text() == TEXT), (f"they are not offered: {offered}", not offered))


#: The situations, in the words of the table in the docs.
WORDS = {
    layered: "held back until the review", resumed: "continued with `--resume`", committed: "its own commits", piped: "reply piped to `submit`",
    tools: "only the tools of `countersign mcp` write",
}


def main(program, modules, results, names=()):
    """Gives back how many scenes failed."""
    wrong = 0
    wanted = os.environ.get("SCENES", "").split()
    for client in UNGATED:
        if names and client.name not in names and "layers" not in names:
            continue
        scene, failed = Scene(program, modules, client), 0
        for play in WORDS:
            if play.__name__ not in client.scenes or (wanted and play.__name__ not in wanted):
                continue

            def whole(play=play):
                scene.begin()
                play(scene)

            details = lambda: f"\n    in {scene.top}\n    {scene.printed[-1500:]}"
            is_well = outcomes.played(f"{client.name} {play.__name__}", whole, details)
            results[client.name, play] = "✓" if is_well else "✗"
            failed += not is_well
        if not failed:
            shutil.rmtree(scene.top, ignore_errors=True)
        wrong += failed
    return wrong


def table(results):
    """The results as a table for the docs."""
    lines = ["| without a gate | " + " | ".join(f"{client.title} {client.version}" for client in UNGATED) + " |", "|---|" + "---|" * len(UNGATED)]
    for play, words in WORDS.items():
        lines.append(f"| {words} | " + " | ".join(results.get((client.name, play), "–") for client in UNGATED) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    found = {}
    failed = main(str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2], found, sys.argv[3:])
    print(table(found))
    sys.exit(1 if failed else 0)
