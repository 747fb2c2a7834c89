"""Gemini CLI in a terminal, and its companion: what Gemini asks the person is answered in countersign."""

import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import outcomes
from clients import Gemini
from model import Model
from reviewer import Reviewer
from terminal import Terminal

HERE = pathlib.Path(__file__).resolve().parent
TEXT = "one\ntwo\nthree\n"


def replace(new):
    return ("replace", {"file_path": "%R/a.txt", "old_string": "two", "new_string": new, "instruction": "make it loud"})


class Play:
    """A project, a person at the reviewer, and a Gemini that asks before it writes."""

    def __init__(self, program, modules, call, text, gate):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="countersign-agents-"))
        project, home, runtime = self.top / "project", self.top / "home", self.top / "run"
        project.mkdir(), home.mkdir(), runtime.mkdir(mode=0o700)
        self.path = project / "a.txt"
        self.path.write_bytes(text.encode())
        self.model = Model(json.loads(json.dumps([[call]]).replace("%R", str(project))))
        extra = {"XDG_RUNTIME_DIR": str(runtime), "TMPDIR": str(runtime), "XDG_STATE_HOME": str(self.top / "state"),
                 # In a container Gemini looks for its companion elsewhere, unless it is reached over ssh.
                 "SSH_CONNECTION": "1"}
        if gate:
            env = {**os.environ, **extra, "HOME": str(home)}
            subprocess.run([program, "hook", "gemini", "--install", "--yes", "--user"], cwd=project, env=env, check=True, capture_output=True)
        gemini = Gemini(modules, home, project, self.model.port, extra)
        command = gemini.command("default")
        settings = json.loads((home / ".gemini/settings.json").read_text())
        settings.update(ide={"enabled": True, "hasSeenNudge": True}, general={"disableAutoUpdate": True})
        gemini.write(".gemini/settings.json", settings)
        gemini.write(".gemini/trustedFolders.json", {str(project): "TRUST_FOLDER"})
        self.reviewer = Reviewer(program, project, runtime, f"{sys.executable} {HERE}/amend.py", "--gemini")
        self.ports = runtime / "gemini/ide"
        self.waits(lambda: list(self.ports.glob("*.json")))
        command = command[:command.index("-p")] + ["--approval-mode", "default", "--skip-trust"]
        self.gemini = Terminal(command, project, gemini.env())

    def begin(self):
        """Asks Gemini for the edit once it is connected. It connects in the background, and shows an edit to a companion only if it is
        connected when it asks about the edit (`isDiffingEnabled` of Gemini 0.61)."""
        assert self.gemini.sees("Type your message"), "Gemini takes no message"
        for _ in range(30):
            self.gemini.does("/ide status"), time.sleep(0.5), self.gemini.does("\r")
            if self.gemini.sees("Connected to", 2):
                break
        else:
            raise AssertionError("Gemini does not connect")
        self.gemini.does("make the edit"), time.sleep(0.5), self.gemini.does("\r")

    def waits(self, holds, seconds=30):
        end = time.monotonic() + seconds
        while not holds() and time.monotonic() < end:
            time.sleep(0.05)
        return holds()

    def file(self):
        return self.path.read_bytes().decode()

    def becomes(self, text):
        assert self.waits(lambda: self.file() == text), f"the file is {self.file()!r}, not {text!r}"

    def knows(self, what):
        assert self.waits(lambda: what in self.model.last()), f"the model does not know {what!r}"

    def asks(self):
        assert self.reviewer.sees("hunk 1/1", 30), "countersign does not show it"

    def says(self, what):
        assert self.gemini.sees(what, 30), f"Gemini does not say {what!r}"

    def end(self):
        self.gemini.stop()
        self.reviewer.stop()
        self.model.__exit__()


def accepted(play):
    play.asks(), play.reviewer.does("a")
    play.becomes(TEXT.replace("two", "TWO"))


def amended(play):
    play.asks(), play.reviewer.does("e")
    play.reviewer.sees("two and a half") and play.reviewer.does("a")
    play.becomes(TEXT.replace("two", "two and a half"))
    play.knows("two and a half")


def amended_with_carriage_returns(play):
    play.asks()
    assert play.reviewer.sees("+1 −1", 10), "the line endings are shown as changes"
    play.reviewer.does("e")
    play.reviewer.sees("two and a half") and play.reviewer.does("a")
    play.becomes(TEXT.replace("two", "two and a half").replace("\n", "\r\n"))


def emptied(play):
    """Gemini takes an empty text for "as proposed", so countersign has to write it."""
    play.asks(), play.reviewer.does("e")
    play.reviewer.sees("edited", 20)
    play.reviewer.does("a")
    play.becomes("")
    time.sleep(2)
    play.becomes("")


def rejected(play):
    play.asks(), play.reviewer.does("r")
    play.says("Request cancelled")
    play.becomes(TEXT)


def answered_in_gemini(play):
    play.asks(), play.says("Apply this change?")
    time.sleep(2)
    play.gemini.does("\r")
    play.becomes(TEXT.replace("two", "TWO"))
    assert play.reviewer.sees("withdrawn", 10), "countersign still asks"


def gemini_is_killed(play):
    play.asks(), play.gemini.stop()
    assert play.reviewer.sees("withdrawn", 10), "countersign still asks"
    play.becomes(TEXT)


def asked_once_with_the_gate(play):
    """The gate asks first; what was approved there is not asked again when Gemini shows it."""
    play.asks(), play.reviewer.does("e")
    play.reviewer.sees("two and a half") and play.reviewer.does("a")
    play.becomes(TEXT.replace("two", "two and a half"))
    play.knows("two and a half")


def strangers(play):
    """Nobody is let in without the token, and the file that holds it is private and goes with the reviewer."""
    file, = play.ports.glob("*.json")
    assert file.stat().st_mode & 0o777 == 0o600, "others may read the token"
    told = json.loads(file.read_text())
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})
    kind = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    bearer = {"authorization": "Bearer " + told["authToken"]}
    for headers, status in [({}, 401), ({"authorization": "Bearer x"}, 401), ({**bearer, "host": "evil.example"}, 403), ({**bearer, "origin": "http://evil.example"}, 403)]:
        server = http.client.HTTPConnection("127.0.0.1", told["port"], timeout=10)
        server.request("POST", "/mcp", body, {**kind, **headers})
        found = server.getresponse().status
        assert found == status, f"{headers} is answered with {found}"
    os.kill(play.reviewer.pid, signal.SIGTERM)
    assert play.waits(lambda: not file.exists(), 10), "the file stays"


PLAYS = [
    (accepted, replace("TWO"), TEXT, False),
    (amended, replace("TWO"), TEXT, False),
    (amended_with_carriage_returns, replace("TWO"), TEXT.replace("\n", "\r\n"), False),
    (emptied, replace("GONE"), "two\n", False),
    (rejected, replace("TWO"), TEXT, False),
    (answered_in_gemini, replace("TWO"), TEXT, False),
    (gemini_is_killed, replace("TWO"), TEXT, False),
    (asked_once_with_the_gate, replace("TWO"), TEXT, True),
    (strangers, replace("TWO"), TEXT, False),
]


def told(play, error):
    return f"FAILED: {error!r}\n    in {play.top}\n    {play.gemini.text()[-1500:]}\n    {play.reviewer.text()[-800:]}"


def main(program, modules):
    """How many plays went wrong."""
    program, wrong = str(pathlib.Path(program).resolve()), 0
    for scene, call, text, gate in PLAYS:
        begin, verdict = time.monotonic(), None
        play = Play(program, modules, call, text, gate)
        try:
            play.begin()
            scene(play)
            verdict = "ok"
        except Exception as error:  # Whatever goes wrong in one play, the others are played.
            verdict = told(play, error)
        play.end()
        if verdict == "ok":
            shutil.rmtree(play.top, ignore_errors=True)
        else:
            wrong += 1
        outcomes.report(f"companion {scene.__name__}", verdict, begin)
    return wrong


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
