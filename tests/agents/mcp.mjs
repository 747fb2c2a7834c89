// The MCP server, called by the official SDK's client: `mcp.mjs PROGRAM PROJECT MODULES [alone]`. Prints what came back as JSON.
import { pathToFileURL } from "node:url";

const [program, project, modules, alone] = process.argv.slice(2);
const sdk = (name) => import(pathToFileURL(`${modules}/@modelcontextprotocol/sdk/dist/esm/client/${name}.js`).href);
const { Client } = await sdk("index");
const { StdioClientTransport } = await sdk("stdio");

const found = { noise: [] };
const transport = new StdioClientTransport({ command: program, args: ["mcp", "--root", project, "--patience", "12"], env: process.env });
const client = new Client({ name: "tester", version: "1" });
// What is not of the protocol on its standard output ends up here.
client.onerror = (error) => found.noise.push(error.message);
await client.connect(transport);
const call = (name, args, options) =>
  client.callTool({ name, arguments: args }, undefined, options).catch((error) => ({ error: error.message }));
const edit = (word) => ({ path: "a.txt", old_string: word, new_string: word.toUpperCase() });

if (alone) {
  // Nobody reviews yet: one call, for which a reviewer opens.
  console.log(JSON.stringify(await call("edit_file", edit("two"))));
  await client.close();
  process.exit(0);
}
found.server = client.getServerVersion();
found.tools = (await client.listTools()).tools;
found.wrong = await call("edit_file", { path: "a.txt" });
found.mistyped = await call("edit_file", { path: 3 });
found.stranger = await call("wait_for_verdict", { ticket: "none" });
found.unknown = await call("no_such_tool", {});
// The person takes the first one.
const progress = [];
const steps = (step) => {
  progress.push(step.progress);
  if (progress.length == 2) console.error("progress");
};
found.taken = await call("edit_file", edit("two"), { onprogress: steps });
found.progress = progress;
// The next one waits until the ticket comes, and is decided afterwards.
found.ticket = await call("apply_diff", { path: "a.txt", diff: "<<<<<<< SEARCH\none\n=======\nONE\n>>>>>>> REPLACE\n", start_line: 1 });
console.error("ticket");
found.verdict = await call("wait_for_verdict", { ticket: found.ticket.structuredContent?.ticket ?? "" });
found.again = await call("wait_for_verdict", { ticket: found.ticket.structuredContent?.ticket ?? "" });
// The last one is cancelled, as soon as it waits.
const stop = new AbortController();
found.cancelled = await call("write_file", { path: "a.txt", content: "never\n" }, { signal: stop.signal, onprogress: () => stop.abort() });
await new Promise((resolve) => setTimeout(resolve, 1500));
await client.close();
console.log(JSON.stringify(found));
