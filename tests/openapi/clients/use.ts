// Uses the types that openapi-typescript made of the document, through openapi-fetch: node use.ts URL
import createClient from "openapi-fetch";

import type { components, paths } from "./api.d.ts";

declare const process: { argv: string[] };

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });

function must<T>(answer: { data?: T; response: Response }): T {
  if (answer.data === undefined) throw new Error(`${answer.response.url}: ${answer.response.status}`);
  return answer.data;
}

function equal(found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
  }
}

const [application] = must(await client.GET("/applications")).iterable;
if (application === undefined) throw new Error("no application");
const seed: components["schemas"]["Seed-Input"] = {
  type: "SEEDED_ASSET",
  asset: {
    application,
    format: { fragment: { string: { raw: "export const answer = 42;\n" } } },
    metadata: { name: "answer.ts" },
  },
};
const made = must(await client.POST("/assets/create", { body: seed }));
const asset = { path: { asset: made.id } };
const read = must(await client.GET("/asset/{asset}", { params: asset }));
equal(read.name, "answer.ts");

// What was read is sent back as it is, with one field changed.
const updated = must(await client.POST("/asset/update", { body: { ...read, name: "renamed.ts" } }));
equal(updated.name, "renamed.ts");

const tag = must(await client.POST("/tags/create", { body: { text: "made by TypeScript" } }));
const linked = await client.POST("/asset/{asset}/tags/associate/{tag}", {
  params: { path: { asset: made.id, tag: tag.id } },
});
equal(linked.response.status, 204);
const found = must(await client.GET("/search/full_text", { params: { query: { query: "answer" } } }));
equal(found.iterable.map((one) => one.identifier), [made.id]);
const activities = must(
  await client.GET("/activity/identifiers", { params: { query: { activity_filter_enum: "CREATED" } } }),
);
equal(activities.iterable.length > 0, true);
const deleted = must(await client.POST("/assets/{asset}/delete", { params: asset, parseAs: "text" }));
equal(deleted, made.id);
equal(must(await client.GET("/assets", {})).iterable, []);
console.log("9 operations through openapi-fetch and the types made by openapi-typescript");
