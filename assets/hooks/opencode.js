/** Tools of opencode that change no file, or that a hook cannot review. All others are reviewed, those of MCP servers too. */
const PASSES = ["bash", "codesearch", "glob", "grep", "invalid", "list", "lsp", "question", "read", "skill", "task", "todoread", "todowrite", "webfetch", "websearch"];

/** Tools after which the file is what the agent knows of it. */
const SEES = ["edit", "multiedit", "read", "write"];

export const Countersign = async ({ directory }) => {
  const notes = new Map();
  return {
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      // In a layer of `countersign run` commands of the shell are recorded, for the reviewer.
      if (PASSES.includes(tool) && !(tool === "bash" && process.env.COUNTERSIGN_LAYER)) return;
      const note = await review({ tool, sessionID, directory, args: output.args });
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
