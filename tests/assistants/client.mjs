// The TypeScript client 2.x.
import { pathToFileURL } from "node:url";
import { dirname, join } from "node:path";
import { agree, headers, server, steps } from "./steps.mjs";

const modules = join(dirname(process.execPath), "../..");
const load = async (path) => import(pathToFileURL(join(modules, "@modelcontextprotocol/client/dist", path)));
const { Client, StreamableHTTPClientTransport } = await load("index.mjs");
const { StdioClientTransport } = await load("stdio.mjs");

const transport = process.env.TRANSPORT === "stdio"
  ? new StdioClientTransport(server())
  : new StreamableHTTPClientTransport(new URL(process.env.URL), { requestInit: { headers } });
const options = { capabilities: { elicitation: {} }, versionNegotiation: { mode: "auto" } };
const client = new Client({ name: "typescript-client", version: "2.4.0" }, options);
client.setRequestHandler("elicitation/create", agree);
await client.connect(transport);
await steps(client, async (links, updated) => {
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => updated(params.uri));
  if (client.getNegotiatedProtocolVersion() >= "2026-07-28") await client.listen({ resourceSubscriptions: links });
  else for (const uri of links) await client.subscribeResource({ uri });
});
