import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Tools of Pi that change no file, or that a hook cannot review. All others are reviewed, those of extensions too. */
const PASSES = ["bash", "find", "grep", "ls", "powershell", "read"];

/** Tools after which the file is what the agent knows of it. */
const SEES = ["edit", "read", "write"];

/** Resolves a name as Pi does, so that the file that is reviewed is the one that Pi opens. */
function resolved(name, folder) {
  name = name.replace(/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, " ").replace(/^@/, "");
  if (name === "~" || name.startsWith("~/")) return join(homedir(), name.slice(1));
  return name.startsWith("file://") ? fileURLToPath(name) : resolve(folder, name);
}

export default function (pi) {
  const notes = new Map();
  pi.on("tool_call", async ({ toolName: tool, toolCallId, input: args }, { cwd: directory, sessionManager }) => {
    // In a layer of `countersign run` commands of the shell are recorded, for the reviewer.
    if (PASSES.includes(tool) && !(tool === "bash" && process.env.COUNTERSIGN_LAYER)) return;
    if (typeof args?.path === "string") args.path = resolved(args.path, directory);
    const note = await review({ tool, sessionID: sessionManager?.getSessionId?.(), directory, args });
    if (note) notes.set(toolCallId, note);
  });
  pi.on("tool_result", ({ toolName: tool, toolCallId, input: args, content }, { cwd: directory, sessionManager }) => {
    // What the agent has read says later where its edits belong. Pi does not wait for it.
    if (SEES.includes(tool) && args) {
      ask({ hook_event_name: "PostToolUse", tool, sessionID: sessionManager?.getSessionId?.(), directory, args }).catch(() => {});
    }
    const note = notes.get(toolCallId);
    notes.delete(toolCallId);
    if (note) return { content: [...content, { type: "text", text: note }] };
  });
}
