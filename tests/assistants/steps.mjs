// What each TypeScript client does.
import assert from "node:assert";
import { createInterface } from "node:readline";

const asset = process.env.ASSET;

export function server() {
  return { command: process.env.PROGRAM, args: ["mcp", "--data", process.env.DATA] };
}

export const headers = { Authorization: `Bearer ${process.env.TOKEN}` };

export async function steps(client) {
  const { tools } = await client.listTools();
  const call = async (name, args) => {
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, JSON.stringify(result));
    return result.structuredContent.data;
  };
  assert.equal((await call("find", { filter: "name:a.txt" })).rows[0].id, asset);
  assert.equal((await call("get", { asset })).content.text, "hello\n");
  const changes = [{ do: "rename", asset, to: "b.txt" }];
  assert.equal((await call("propose", { reason: "a test", changes })).proposal.state, "waiting");
  console.log("decide");
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, "decided");
  assert.equal((await call("proposal", { number: 1 })).proposal.state, "applied");
  assert.equal((await call("undo", { number: 1 })).undone.length, 1);
  console.log(`${tools.length} tools`);
  await client.close();
  process.exit(0);
}
