// Written by `countersign hook @NAME@ --install`; `--uninstall` takes it away again.
// Every edit is put before a person in countersign before @TITLE@ makes it, and what they approve is what is written.
import { spawn } from "node:child_process";

const COMMAND = "@COMMAND@";

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

/**
 * Has a call reviewed. Replaces its arguments by those that were approved, and returns a message for the model, if there is one;
 * throws the reason where the call must not be made.
 */
async function review(question) {
  const { decision, reason, args, note } = await ask(question);
  if (decision !== "allow" && decision !== "pass") throw new Error(reason ?? "countersign did not allow it");
  if (args) {
    for (const name of Object.keys(question.args)) delete question.args[name];
    Object.assign(question.args, args);
  }
  return note;
}

