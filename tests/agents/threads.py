"""Threads over five rounds: a real MCP client and a person at the reviewer, each round in another dialect."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from reviewer import Reviewer
from terminal import Terminal

HERE = pathlib.Path(__file__).resolve().parent
BEFORE = "".join(f"line {n}\n" for n in range(1, 21)) + "def total(a):\n    s = sum(a)\n    return s\n" + "".join(f"line {n}\n" for n in range(24, 40))


def check(fact, holds, found):
    if not holds:
        raise AssertionError(f"{fact}: {json.dumps(found)[:3000]}")


class Agent:
    """The official client, which is sent one call after the other."""

    def __init__(self, program, project, modules, env):
        command = ["node", str(HERE / "threads.mjs"), program, str(project), str(modules)]
        self.client = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def begins(self, name, **args):
        self.client.stdin.write(json.dumps({"name": name, "args": args}) + "\n")
        self.client.stdin.flush()

    def hears(self):
        found = json.loads(self.client.stdout.readline())
        check("no error of the protocol", "error" not in found, found)
        return found

    def calls(self, name, **args):
        self.begins(name, **args)
        return self.hears()

    def threads(self, name, **args):
        """The threads of an answer, by their names."""
        found = self.calls(name, **args)
        check(name, not found.get("isError"), found)
        return {thread["id"]: thread for thread in found["structuredContent"]["threads"]}


def play(program, modules):
    top = pathlib.Path(tempfile.mkdtemp(prefix="countersign-threads-"))
    project, runtime = top / "project", top / "run"
    project.mkdir(), runtime.mkdir(mode=0o700)
    (project / "a.py").write_text(BEFORE)
    env = {**os.environ, "XDG_RUNTIME_DIR": str(runtime), "XDG_STATE_HOME": str(top / "state"), "HOME": str(top)}
    reviewer = Reviewer(program, project, runtime, "false")

    def shell(*words):
        """The person at another terminal."""
        terminal = Terminal([program, "threads", *words], project, env)
        terminal.ends()
        shown = terminal.text()
        terminal.stop()
        return shown

    def sees(what):
        check(f"the screen shows {what!r}", reviewer.sees(what, 20), reviewer.text()[-4000:])

    try:
        reviewer.is_ready()
        agent = Agent(program, project, modules, env)

        # Round 1, a tool call: a question before the decision, and a comment with it.
        agent.begins("edit_file", path="a.py", old_string="    s = sum(a)\n", new_string="    s = sum(x for x in a)\n")
        sees("sum(x for x in a)")
        reviewer.does("Q")
        sees("Ask the agent about this hunk")
        reviewer.does("why a generator?\r")
        sees("tester can answer while you go on")
        found = agent.hears()
        content = found["structuredContent"]
        check("the question comes with a ticket", content["status"] == "pending" and content["threads"][0]["id"] == "t1", found)
        check("the text names the thread", "t1 a.py line 22 (question, open; its lines are not in the file): why a generator?" in found["content"][0]["text"], found)
        answered = agent.threads("reply", thread="t1", text="to filter it later")
        check("it is answered", answered["t1"]["state"] == "answered" and len(answered["t1"]["messages"]) == 2, answered)
        sees("tester answers t1 in a.py")
        sees("tester: to filter it later")
        agent.begins("wait_for_verdict", ticket=content["ticket"])
        reviewer.does("[ca better name than s, please\r")
        sees("a better name than s")
        reviewer.does("a")
        found = agent.hears()
        verdict = found["structuredContent"]
        states = {thread["id"]: thread["state"] for thread in verdict["threads"]}
        check("the verdict has both threads", states == {"t1": "answered", "t2": "open"}, found)
        check("the message says how to answer", "Thread t2: your answer" in verdict["message"], verdict)

        # Round 2, search/replace blocks: the agent replies and edits the lines again.
        agent.threads("reply", thread="t2", text="result, then")
        diff = "<<<<<<< SEARCH\n    s = sum(x for x in a)\n    return s\n=======\n    result = sum(x for x in a)\n    return result\n>>>>>>> REPLACE\n"
        agent.begins("apply_diff", path="a.py", diff=diff)
        sees("thread t2, answered")
        sees("tester: result, then")
        reviewer.does("a")
        check("round 2 is written", agent.hears()["structuredContent"]["status"] == "applied", {})

        # Round 3, a unified diff: lines move, and the threads with them; the agent proposes to resolve one, and the person does.
        patch = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,5 @@\n line 1\n+new 1\n+new 2\n+new 3\n line 2\n"
        agent.begins("apply_patch", patch=patch)
        sees("new 3")
        reviewer.does("a")
        check("round 3 is written", agent.hears()["structuredContent"]["status"] == "applied", {})
        listed = agent.threads("list_threads")
        lines = {name: thread["lines"]["first"] for name, thread in listed.items()}
        check("the threads follow their lines", lines == {"t1": 25, "t2": 25}, listed)
        proposed = agent.threads("propose_resolution", thread="t2", text="it is called result")
        check("only the person resolves", proposed["t2"]["state"] == "answered", proposed)
        agent.begins("edit_file", path="a.py", old_string="line 24\n", new_string="line 24, changed\n")
        sees("tester: it is called result")
        reviewer.does("gggjgj")
        reviewer.does("T")
        sees("is resolved")
        reviewer.does("gay")
        found = agent.hears()
        check("round 3b is written", found["structuredContent"]["status"] == "applied", found)
        news = agent.threads("wait_for_feedback")
        resolved = [name for name, thread in news.items() if thread["state"] == "resolved"]
        check("the agent hears of it", len(resolved) == 1, news)
        resolved = resolved[0]
        refused = agent.calls("reply", thread=resolved, text="but")
        check("a resolved thread takes no reply", refused.get("isError") and "is resolved" in refused["content"][0]["text"], refused)

        # Round 4, an envelope with prose: a reply in what is submitted.
        agent.begins("wait_for_feedback")
        check("the person reopens it", "open)" in shell("reopen", resolved), resolved)
        check("the agent hears of that too", agent.hears()["structuredContent"]["threads"][0]["state"] == "open", resolved)
        envelope = f"Thread {resolved}: it sums whatever it gets\n\n*** Begin Patch\n*** Update File: a.py\n@@\n-line 39\n+line 39, changed\n*** End Patch\n"
        agent.begins("propose_changes", changes=envelope)
        sees("line 39, changed")
        sees("tester: it sums whatever it gets")
        reviewer.does("a")
        check("round 4 is written", agent.hears()["structuredContent"]["status"] == "applied", {})
        check("the reply is in the thread", agent.threads("list_threads")[resolved]["state"] == "answered", resolved)

        # Round 5, a whole file that would lose the lines of the threads: it is rejected, and they stay.
        agent.begins("write_file", path="a.py", content="nothing of it\n")
        sees("nothing of it")
        reviewer.does("R")
        found = agent.hears()["structuredContent"]
        names = {thread["id"] for thread in found["threads"]}
        check("round 5 is rejected with both threads in the verdict", found["status"] == "refused" and names == {"t1", "t2"}, found)
        lines = {name: thread["lines"]["first"] for name, thread in agent.threads("list_threads").items()}
        check("the threads are where they were", lines == {"t1": 25, "t2": 25}, lines)

        # Without a reviewer: a damaged record blocks nothing.
        reviewer.stop()
        (record,) = (top / "state").rglob("t1.json")
        record.write_text("{")
        listed = agent.threads("list_threads", state="all")
        check("the other thread is there", "t2" in listed and "t1" not in listed, listed)
        shown = shell()
        check("the damaged one is named", "t1.json" in shown and "t2 a.py" in shown, shown)
        last = subprocess.run([program, "threads", "resolve", "t2"], cwd=project, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        check("nobody but a person resolves", last.returncode == 3 and "for a person" in last.stderr, last.stderr)
        check("the person resolves it", "resolved)" in shell("resolve", "t2"), "t2")
        found = agent.calls("wait_for_feedback", threads=["t2"])
        check("and the agent hears of it", found["structuredContent"]["threads"][0]["state"] == "resolved", found)
        found = agent.calls("wait_for_feedback", threads=["t2"])
        check("nothing new is no error", found["structuredContent"]["status"] == "waiting", found)
        agent.client.stdin.close()
        agent.client.wait(timeout=20)
    finally:
        reviewer.stop()
    shutil.rmtree(top, ignore_errors=True)
