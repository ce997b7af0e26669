// Reads and writes with node's own fetch, as extensions of editors do. It ends with 1 where an answer is not taken.
"use strict";
const ids = JSON.parse(process.env.LUNETTE_IDS);
const json = { "content-type": "application/json" };

const calls = [
  ["/.well-known/health"],
  ["/assets"],
  [`/asset/${ids.asset}`],
  ["/applications/session/open", { method: "POST" }],
  [`/asset/${ids.asset}/tags/associate/${ids.tag}`, { method: "POST" }],
  [`/asset/${ids.asset}`, { method: "POST", headers: json }],
  ["/tags/create", { method: "POST", headers: json, body: JSON.stringify({ text: "made by fetch" }) }],
  [`/asset/${ids.asset}/scores/increment`, { method: "POST", headers: json, body: JSON.stringify({ reuse: 1 }) }],
];

(async () => {
  for (const [path, options] of calls) {
    const answer = await fetch(process.env.LUNETTE_URL + path, options);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  }
})();
