"""Uses the Python client that openapi-python-client made of the document: use.py FOLDER_WITH_CLIENT URL"""

import importlib
import sys

sys.path.insert(0, sys.argv[1])
NAME = "client"
client = importlib.import_module(NAME).Client(base_url=sys.argv[2], raise_on_unexpected_status=True)
models = importlib.import_module(f"{NAME}.models")


def call(operation, *arguments, **named):
    """Calls an operation by the heading it is under and its name; what it returns, which must not be an error."""
    function = importlib.import_module(f"{NAME}.api.{operation}").sync_detailed
    response = function(*arguments, client=client, **named)
    assert response.status_code < 300, (operation, response.status_code, response.content)
    return response.parsed


def seed(text, name):
    """An asset of this text and name, as the client is told of it by its own models."""
    application = call("applications.applications_snapshot").iterable[0].to_dict()
    return models.SeedInput.from_dict(
        {
            "type": "SEEDED_ASSET",
            "asset": {
                "application": application,
                "format": {"fragment": {"string": {"raw": text}}},
                "metadata": {"name": name},
            },
        }
    )


made = call("extension_assets.assets_create_new_asset", body=seed("fn main() {}\n", "main.rs"))
asset = call("asset.asset_snapshot", made.id)
assert asset.name == "main.rs", asset

# What was read is sent back as it is, with one field changed.
update = models.AssetUpdate.from_dict(asset.to_dict())
update.name = "renamed.rs"
assert call("asset.asset_update", body=update).name == "renamed.rs"

tag = call("extension_tags.tags_create_new_tag", body=models.SeededTag.from_dict({"text": "made by a client"}))
call("asset.asset_associate_tag", made.id, tag.id)
assert [one.text for one in call("asset.asset_snapshot", made.id).tags.iterable] == ["made by a client"]

found = call("extension_search.full_text_search", query="main")
assert [one.identifier for one in found.iterable] == [str(made.id)], found
assert [one.id for one in call("extension_assets.assets_snapshot").iterable] == [made.id]
exported = call("asset.asset_specific_asset_export", made.id, export_type=models.AssetSpecificAssetExportExportType.MD)
assert "fn main()" in str(exported.to_dict()), exported
created = call("extension_activities.activity_identifiers_snapshot", activity_filter_enum=models.ActivityIdentifiersSnapshotActivityFilterEnum.CREATED)
assert created.iterable, created
call("extension_assets.assets_delete_asset", made.id)
assert call("extension_assets.assets_snapshot").iterable == []
print("9 operations through the client made by openapi-python-client")
