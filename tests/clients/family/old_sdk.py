"""The oldest public Python SDK that is still installed: old_sdk.py URL. It writes booleans as `True` and `False`."""

import sys

import pieces_os_client as sdk

from rows import row

api = sdk.ApiClient(sdk.Configuration(host=sys.argv[1]))
assets = sdk.AssetsApi(api)

row("version and health", lambda: "ok" in sdk.WellKnownApi(api).get_well_known_health())
row("list assets, with a boolean", lambda: assets.assets_snapshot(transferables=False).iterable is not None)
row("search contents, with a boolean",
    lambda: sdk.SearchApi(api).full_text_search(query="needle", pseudo=False).iterable is not None)
row("list applications", lambda: sdk.ApplicationsApi(api).applications_snapshot().iterable)
