// What each TypeScript client does.
import assert from "node:assert";
import { createInterface } from "node:readline";

const asset = process.env.ASSET;

export function server() {
  return { command: process.env.PROGRAM, args: ["mcp", "--data", process.env.DATA] };
}

export const headers = { Authorization: `Bearer ${process.env.TOKEN}` };

// What the user of a client that asks says.
export const agree = ({ params }) => {
  assert.ok(params.message.includes("c.txt"), params.message);
  return { action: "accept", content: { decision: "apply" } };
};

// `watch` has a function called with the link of each resource of these that was updated.
export async function steps(client, watch) {
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
  const missing = new Set([`lunette://asset/${asset}`, "lunette://proposal/1"]);
  let all;
  const updated = new Promise((done) => { all = done; });
  await watch([...missing], (link) => {
    missing.delete(link);
    if (missing.size === 0) all();
  });
  console.log("decide");
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, "decided");
  await Promise.race([updated, new Promise((_, fail) => setTimeout(() => fail(new Error(`no news of ${[...missing]}`)), 30_000))]);
  assert.equal((await call("proposal", { number: 1 })).proposal.state, "applied");
  assert.equal((await call("undo", { number: 1 })).undone.length, 1);
  // The user of this client agrees in the client.
  await call("propose", { reason: "a test", changes: [{ do: "rename", asset, to: "c.txt" }] });
  assert.equal((await call("approve", { number: 2 })).proposal.state, "applied");
  await call("undo", { number: 2 });
  console.log(`${tools.length} tools`);
  await client.close();
  process.exit(0);
}
