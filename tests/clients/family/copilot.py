"""The public Copilot SDK for Python: copilot.py URL"""

import contextlib
import io
import sys

from pieces_copilot_sdk import PiecesClient
from pieces_os_client import SeededConversationMessage

from rows import row

client = PiecesClient(config={"baseUrl": sys.argv[1]})
made = []


def create():
    made.append(client.create_conversation({"name": "a talk"})["conversation"])
    return made[0].id


def messages():
    body = {"role": "USER", "conversation": {"id": made[0].id}, "fragment": {"string": {"raw": "hello"}}}
    client.conversation_messages_api.messages_create_specific_message(
        seeded_conversation_message=SeededConversationMessage.from_dict(body))
    read = client.get_conversation(made[0].id, include_raw_messages=True)
    return read["raw_messages"] == [{"message": "hello", "is_user_message": True}]


def ask():
    with contextlib.redirect_stdout(io.StringIO()):
        return "Error" not in client.ask_question("why?")


row("create a conversation", create)
row("list conversations", lambda: made[0].id in [one.id for one in client.get_conversations()])
row("add a message and read the messages", messages)
row("name a conversation after its first message",
    lambda: client.conversation_api.conversation_specific_conversation_rename(made[0].id).name == "hello")
row("ask a question", ask, "there are no language models")
