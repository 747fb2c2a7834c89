// Written by `countersign hook opencode --install`; `--uninstall` takes it away again.
// Every edit is put before a person in countersign before opencode makes it, and what they approve is what is written.
import { spawn } from "node:child_process";

const COMMAND = "@COMMAND@";
/** Tools of opencode that change no file, or that a hook cannot review. All others are reviewed, those of MCP servers too. */
const PASSES = ["bash", "codesearch", "glob", "grep", "invalid", "list", "lsp", "question", "read", "skill", "task", "todoread", "todowrite", "webfetch", "websearch"];

/** Tools after which the file is what the agent knows of it. */
const SEES = ["edit", "multiedit", "read", "write"];

/** Asks countersign about a call. Anything but an answer is an error, and an error keeps the call from being made. */
function ask(question) {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", COMMAND], { stdio: ["pipe", "pipe", "pipe"] });
    let said = "", wrong = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text) => (wrong += text));
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text) => (said += text));
    child.stdin.on("error", () => {});
    child.on("error", reject);
    child.on("close", (code) => {
      try {
        if (code !== 0) throw new Error(wrong.trim() || `it ended with code ${code}`);
        resolve(JSON.parse(said));
      } catch (error) {
        reject(new Error(`countersign gave no answer (${error.message}), so nothing is written`));
      }
    });
    child.stdin.end(JSON.stringify(question));
  });
}

export const Countersign = async ({ directory }) => {
  const notes = new Map();
  return {
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      // In a layer of `countersign run` commands of the shell are recorded, for the reviewer.
      if (PASSES.includes(tool) && !(tool === "bash" && process.env.COUNTERSIGN_LAYER)) return;
      const { decision, reason, args, note } = await ask({ tool, sessionID, directory, args: output.args });
      if (decision !== "allow" && decision !== "pass") throw new Error(reason ?? "countersign did not allow it");
      if (args) {
        for (const name of Object.keys(output.args)) delete output.args[name];
        Object.assign(output.args, args);
      }
      if (note) notes.set(callID, note);
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      // What the agent has read says later where its edits belong. opencode does not wait for it.
      if (SEES.includes(tool) && args) ask({ hook_event_name: "PostToolUse", tool, sessionID, directory, args }).catch(() => {});
      if (!notes.has(callID)) return;
      output.output = `${output.output ?? ""}\n\n${notes.get(callID)}`;
      notes.delete(callID);
    },
  };
};
