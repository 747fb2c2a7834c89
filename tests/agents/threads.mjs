// The MCP server's tools, called by the official SDK's client: `threads.mjs PROGRAM PROJECT MODULES`. Reads `{name, args}` a line from
// standard input and prints what comes back as a line of JSON.
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";

const [program, project, modules] = process.argv.slice(2);
const sdk = (name) => import(pathToFileURL(`${modules}/@modelcontextprotocol/sdk/dist/esm/client/${name}.js`).href);
const { Client } = await sdk("index");
const { StdioClientTransport } = await sdk("stdio");

const transport = new StdioClientTransport({ command: program, args: ["mcp", "--root", project, "--patience", "15"], env: process.env });
const client = new Client({ name: "tester", version: "1" });
await client.connect(transport);
// The client compares what the tools return with their schemas from now on.
await client.listTools();
for await (const line of createInterface({ input: process.stdin })) {
  const { name, args } = JSON.parse(line);
  const found = await client.callTool({ name, arguments: args }).catch((error) => ({ error: error.message }));
  console.log(JSON.stringify(found));
}
await client.close();
