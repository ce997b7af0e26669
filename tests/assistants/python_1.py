"""The Python SDK 1.x, which speaks the revision of 2025-11-25 and older ones."""
import asyncio
import contextlib
import os

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

from steps import AGREED, server, steps


def connect():
    if os.environ["TRANSPORT"] == "stdio":
        command, arguments = server()
        return stdio_client(StdioServerParameters(command=command, args=arguments))
    return streamablehttp_client(os.environ["URL"], headers={"Authorization": f"Bearer {os.environ['TOKEN']}"})


async def main():
    updates = asyncio.Queue()

    async def message(received):
        if isinstance(getattr(received, "root", None), types.ResourceUpdatedNotification):
            updates.put_nowait(str(received.root.params.uri))

    async def asked(_, params):
        assert "c.txt" in params.message, params
        return types.ElicitResult(**AGREED)

    session = {"message_handler": message, "elicitation_callback": asked}
    async with connect() as streams, ClientSession(streams[0], streams[1], **session) as session:
        begun = await session.initialize()
        tools = [tool.name for tool in (await session.list_tools()).tools]

        async def call(name, arguments):
            result = await session.call_tool(name, arguments)
            assert not result.isError, result
            return result.structuredContent

        @contextlib.asynccontextmanager
        async def watch(links):
            for link in links:
                await session.subscribe_resource(link)

            async def updated():
                missing = set(links)
                while missing:
                    missing.discard(await updates.get())

            yield updated
            for link in links:
                await session.unsubscribe_resource(link)

        await steps(tools, call, watch)
        print(f"revision {begun.protocolVersion}, {len(tools)} tools")


asyncio.run(main())
