"""The Python SDK 2.x, which speaks the revision of 2026-07-28."""
import asyncio
import contextlib
import os

import httpx2
from mcp import types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from steps import AGREED, server, steps


async def main():
    if os.environ["TRANSPORT"] == "stdio":
        command, arguments = server()
        transport = stdio_client(StdioServerParameters(command=command, args=arguments))
    else:
        headers = {"Authorization": f"Bearer {os.environ['TOKEN']}"}
        transport = streamable_http_client(os.environ["URL"], http_client=httpx2.AsyncClient(headers=headers, timeout=60))
    async def asked(_, params):
        assert "c.txt" in params.message, params
        return types.ElicitResult(**AGREED)

    async with Client(transport, elicitation_callback=asked) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]

        async def call(name, arguments):
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result
            return result.structured_content

        @contextlib.asynccontextmanager
        async def watch(links):
            async with client.listen(resource_subscriptions=sorted(links)) as subscription:
                async def updated():
                    missing = set(links)
                    while missing:
                        event = await anext(subscription)
                        missing.discard(str(getattr(event, "uri", "")))

                yield updated

        await steps(tools, call, watch)
        prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
        assert "tidy_tags" in prompts, prompts
        print(f"revision {client.protocol_version}, {len(tools)} tools")


asyncio.run(main())
