// The TypeScript client 2.x.
import { pathToFileURL } from "node:url";
import { dirname, join } from "node:path";
import { headers, server, steps } from "./steps.mjs";

const modules = join(dirname(process.execPath), "../..");
const load = async (path) => import(pathToFileURL(join(modules, "@modelcontextprotocol/client/dist", path)));
const { Client, StreamableHTTPClientTransport } = await load("index.mjs");
const { StdioClientTransport } = await load("stdio.mjs");

const transport = process.env.TRANSPORT === "stdio"
  ? new StdioClientTransport(server())
  : new StreamableHTTPClientTransport(new URL(process.env.URL), { requestInit: { headers } });
const client = new Client({ name: "typescript-client", version: "2.4.0" });
await client.connect(transport);
await steps(client);
