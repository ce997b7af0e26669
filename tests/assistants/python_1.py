"""The Python SDK 1.x, which speaks the revision of 2025-11-25 and older ones."""
import asyncio
import os

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

from steps import server, steps


def connect():
    if os.environ["TRANSPORT"] == "stdio":
        command, arguments = server()
        return stdio_client(StdioServerParameters(command=command, args=arguments))
    return streamablehttp_client(os.environ["URL"], headers={"Authorization": f"Bearer {os.environ['TOKEN']}"})


async def main():
    async with connect() as streams, ClientSession(streams[0], streams[1]) as session:
        begun = await session.initialize()
        tools = [tool.name for tool in (await session.list_tools()).tools]

        async def call(name, arguments):
            result = await session.call_tool(name, arguments)
            assert not result.isError, result
            return result.structuredContent

        await steps(tools, call)
        print(f"revision {begun.protocolVersion}, {len(tools)} tools")


asyncio.run(main())
