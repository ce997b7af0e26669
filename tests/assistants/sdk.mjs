// The TypeScript SDK 1.x.
import { pathToFileURL } from "node:url";
import { dirname, join } from "node:path";
import { agree, headers, server, steps } from "./steps.mjs";

const modules = join(dirname(process.execPath), "../..");
const load = async (path) => import(pathToFileURL(join(modules, "@modelcontextprotocol/sdk/dist/esm/client", path)));
const { Client } = await load("index.js");
const { StreamableHTTPClientTransport } = await load("streamableHttp.js");
const { StdioClientTransport } = await load("stdio.js");
const { ElicitRequestSchema, ResourceUpdatedNotificationSchema } = await load("../types.js");

const transport = process.env.TRANSPORT === "stdio"
  ? new StdioClientTransport(server())
  : new StreamableHTTPClientTransport(new URL(process.env.URL), { requestInit: { headers } });
const client = new Client({ name: "typescript-sdk", version: "1.32.2" }, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, agree);
await client.connect(transport);
await steps(client, async (links, updated) => {
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated(params.uri));
  for (const uri of links) await client.subscribeResource({ uri });
});
