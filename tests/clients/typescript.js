// Reads and writes through the public TypeScript client. It ends with 1 where the client does not take an answer.
"use strict";
const client = require("@pieces.app/pieces-os-client");
const { asset, tag, website, session } = JSON.parse(process.env.LUNETTE_IDS);
const configuration = new client.Configuration({ basePath: process.env.LUNETTE_URL });

const calls = [
  ["WellKnownApi", "getWellKnownHealth", {}],
  ["AssetsApi", "assetsSnapshot", {}],
  ["TagsApi", "tagsSnapshot", {}],
  ["ApplicationsApi", "applicationsSnapshot", {}],
  ["AssetApi", "assetSnapshot", { asset }],
  ["AssetApi", "assetSnapshotPost", { asset }],
  ["AssetApi", "assetScoresIncrement", { asset }],
  ["AssetApi", "assetScoresIncrement", { asset, seededScoreIncrement: { reuse: 1 } }],
  ["AssetApi", "assetAssociateTag", { asset, tag }],
  ["AssetApi", "assetDisassociateTag", { asset, tag }],
  ["AssetApi", "assetAssociateWebsite", { asset, website }],
  ["AssetApi", "assetFormats", { asset }],
  ["AssetApi", "assetSpecificAssetExport", { asset, exportType: "MD" }],
  ["ApplicationsApi", "applicationsSessionOpen", {}],
  ["ApplicationsApi", "applicationsSessionClose", { body: session }],
  ["TagsApi", "tagsCreateNewTag", { seededTag: { text: "made by a client" } }],
];

(async () => {
  for (const [api, method, inputs] of calls) await new client[api](configuration)[method](inputs);
})();
