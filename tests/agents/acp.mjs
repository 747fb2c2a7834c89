// An editor that speaks the Agent Client Protocol, by the official SDK: `acp.mjs MODULES PROJECT OPTIONS COMMAND…`. `OPTIONS` is JSON:
// `auth` and `mode` are ids of the agent, and the turn is stopped when
// there is a file `stops`. Prints what came back.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Readable, Writable } from "node:stream";

const [modules, project, options, ...command] = process.argv.slice(2);
const { client, methods, ndJsonStream } = await import(pathToFileURL(`${modules}/@agentclientprotocol/sdk/dist/v1/stable/acp.js`).href);
const { auth, mode, stops } = JSON.parse(options);

const found = { asked: [], written: [], said: "", tools: [] };
const agent = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
const stream = ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
const editor = client({ name: "editor" })
  .onRequest(methods.client.session.requestPermission, ({ params }) => {
    found.asked.push(params.toolCall);
    const option = params.options.find((option) => option.kind === "allow_once");
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  })
  .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
    found.written.push(params.path);
    return {};
  })
  .onNotification(methods.client.session.update, ({ params: { update } }) => {
    if (update.sessionUpdate === "agent_message_chunk") found.said += update.content.text;
    if (update.sessionUpdate === "tool_call") found.tools.push(update);
  });
await editor.connectWith(stream, async (ctx) => {
  const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: false };
  await ctx.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities });
  if (auth) await ctx.request(methods.agent.authenticate, { methodId: auth });
  const { sessionId } = await ctx.request(methods.agent.session.new, { cwd: project, mcpServers: [] });
  if (mode) await ctx.request(methods.agent.session.setMode, { sessionId, modeId: mode });
  const stop = setInterval(() => {
    if (!stops || !existsSync(stops)) return;
    clearInterval(stop);
    ctx.notify(methods.agent.session.cancel, { sessionId });
  }, 100);
  const prompt = (text) => ctx.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  found.reason = (await prompt("make the edit")).stopReason;
  clearInterval(stop);
});
const ended = new Promise((resolve) => agent.once("exit", resolve));
agent.stdin.end();
found.code = await ended;
console.log(JSON.stringify(found));
process.exit(0);
