"""Uses the Python client that openapi-generator made of the document: use_generated.py FOLDER_WITH_CLIENT URL"""

import sys

sys.path.insert(0, sys.argv[1])
import openapi_client as made  # noqa: E402

api = made.ApiClient(made.Configuration(host=sys.argv[2]))
assets, tags = made.ExtensionAssetsApi(api), made.ExtensionTagsApi(api)
application = made.ApplicationsApi(api).applications_snapshot().iterable[0].to_dict()
seed = made.SeedInput.from_dict({
    "type": "SEEDED_ASSET",
    "asset": {
        "application": application,
        "format": {"fragment": {"string": {"raw": "fn main() {}\n"}}},
        "metadata": {"name": "main.rs"},
    },
})
asset = assets.assets_create_new_asset(seed)
assert made.AssetApi(api).asset_snapshot(asset.id).name == "main.rs"
tag = tags.tags_create_new_tag(made.SeededTag.from_dict({"text": "made by a client"}))
made.AssetApi(api).asset_associate_tag(asset.id, tag.id)
search = made.SearchInput.from_dict({"engines": {"iterable": [{"query": "made"}]}})
assert [one.identifier for one in tags.search_tags(search).iterable] == [tag.id]
updated = made.AssetApi(api).asset_update(made.AssetUpdate.from_dict({"id": asset.id, "name": "renamed.rs"}))
assert updated.name == "renamed.rs", updated
print("6 operations through the client made by openapi-generator")
