"""The wrapper of the public Python SDK, as plugins for editors use it: wrapper.py URL"""

import sys
import time
import warnings

from pieces_os_client.wrapper import PiecesClient
from pieces_os_client.wrapper.basic_identifier.asset import BasicAsset

from rows import row

warnings.simplefilter("ignore")
client = PiecesClient()
assert f"127.0.0.1:{client.port}" in sys.argv[1], f"it found another service of this family, on port {client.port}"


def waited(ready):
    end = time.monotonic() + 20
    while not (found := ready()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


made = []


def create():
    made.append(client.create_asset("def needle():\n    return 1\n"))
    return waited(lambda: made[0] in [asset.id for asset in client.assets()])


def change():
    asset = client.asset(made[0])
    asset.name, asset.raw_content = "renamed.py", "def thread(): pass\n"
    # It keeps what its stream reports.
    return waited(lambda: (client.asset(made[0]).name, client.asset(made[0]).raw_content)
                  == ("renamed.py", "def thread(): pass\n"))


def found(kind, word):
    return lambda: made[0] in [asset.id for asset in BasicAsset.search(word, kind) or []]


def chat():
    created = client.copilot.create_chat("a chat")
    created.name = "another name"
    named = waited(lambda: "another name" in [chat.name for chat in client.copilot.chats()])
    return created.delete() is None and named


row("`PiecesClient()` finds the service and connects", lambda: client.is_pieces_running() and client.tracked_application)
row("the streams of health, user, assets and conversations", lambda: waited(lambda: client.is_pos_stream_running))
row("create an asset, which its stream reports", create)
row("rename it and change its content", change)
row("search by words, in names and in contents", lambda: found("fuzzy", "renamed")() and found("fts", "thread")())
row("search by meaning", found("ncs", "thread"), "answered by words")
row("export as Markdown", lambda: "thread" in client.asset(made[0]).markdown)
row("chats: create, rename, list, delete", chat)
row("delete an asset", lambda: client.asset(made[0]).delete() is None)
row("streams of anchors, ranges and long-term memory", lambda: client.anchor_ws.running, "there are no such streams")
row("ask a question", lambda: client.copilot.question("why?").answers, "there are no language models")
client.close()
