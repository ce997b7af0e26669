"""What each Python client does, given how it calls a tool."""
import os
import sys

ASSET = os.environ["ASSET"]


async def steps(tools, call):
    assert "find" in tools and "propose" in tools, tools
    found = await call("find", {"filter": "name:a.txt"})
    assert found["data"]["rows"][0]["id"] == ASSET, found
    got = await call("get", {"asset": ASSET})
    assert got["data"]["content"]["text"] == "hello\n", got
    change = {"do": "rename", "asset": ASSET, "to": "b.txt"}
    proposed = await call("propose", {"reason": "a test", "changes": [change]})
    assert proposed["data"]["proposal"]["state"] == "waiting", proposed
    print("decide", flush=True)
    assert sys.stdin.readline() == "decided\n"
    told = await call("proposal", {"number": 1})
    assert told["data"]["proposal"]["state"] == "applied", told
    undone = await call("undo", {"number": 1})
    assert len(undone["data"]["undone"]) == 1, undone


def server():
    """The command, its arguments, and the variables that it needs."""
    return os.environ["PROGRAM"], ["mcp", "--data", os.environ["DATA"]]
