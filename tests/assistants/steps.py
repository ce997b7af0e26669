"""What each Python client does, given how it calls a tool and how it watches resources."""
import asyncio
import os
import sys

ASSET = os.environ["ASSET"]
WATCHED = {f"lunette://asset/{ASSET}", "lunette://proposal/1"}


async def steps(tools, call, watch):
    """`watch` gives, in an `async with`, what waits until all of these resources were updated."""
    assert "find" in tools and "propose" in tools, tools
    found = await call("find", {"filter": "name:a.txt"})
    assert found["data"]["rows"][0]["id"] == ASSET, found
    got = await call("get", {"asset": ASSET})
    assert got["data"]["content"]["text"] == "hello\n", got
    change = {"do": "rename", "asset": ASSET, "to": "b.txt"}
    proposed = await call("propose", {"reason": "a test", "changes": [change]})
    assert proposed["data"]["proposal"]["state"] == "waiting", proposed
    async with watch(WATCHED) as updated:
        print("decide", flush=True)
        assert await asyncio.to_thread(sys.stdin.readline) == "decided\n"
        await asyncio.wait_for(updated(), 30)
    told = await call("proposal", {"number": 1})
    assert told["data"]["proposal"]["state"] == "applied", told
    undone = await call("undo", {"number": 1})
    assert len(undone["data"]["undone"]) == 1, undone
    # The user of this client agrees in the client.
    change = {"do": "rename", "asset": ASSET, "to": "c.txt"}
    await call("propose", {"reason": "a test", "changes": [change]})
    approved = await call("approve", {"number": 2})
    assert approved["data"]["proposal"]["state"] == "applied", approved
    await call("undo", {"number": 2})


AGREED = {"action": "accept", "content": {"decision": "apply"}}


def server():
    """The command, its arguments, and the variables that it needs."""
    return os.environ["PROGRAM"], ["mcp", "--data", os.environ["DATA"]]
