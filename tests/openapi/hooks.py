"""Puts ids of real things into requests that are made up, so that more is asked for than what is not there.

Things are made through the interface itself, of the examples in its document. Where a request is malformed on purpose,
it stays as it was made up; so does one in four of the others.
"""

import ast
import itertools
import json
import os
import re
import threading
import urllib.error
import urllib.request
import zlib

import schemathesis
from schemathesis.core.parameters import ParameterLocation

URL = os.environ["LUNETTE_URL"]

PARSING = threading.RLock()
PARSE = ast.parse


def parse_alone(*arguments, **named_arguments):
    """Parses for one thread at a time: Python 3.11 counts the depth of a tree for all threads together, and fails with
    "AST constructor recursion depth mismatch" where two of them parse at once, as the tool does."""
    with PARSING:
        return PARSE(*arguments, **named_arguments)


ast.parse = parse_alone

# The operation that makes, or lists, what the parameter of this name names.
MAKERS = {
    "asset": "assetsCreateNewAsset",
    "tag": "tagsCreateNewTag",
    "website": "websitesCreateNewWebsite",
    "workstream_summary": "workstreamSummariesCreateNewWorkstreamSummary",
    "conversation": "conversationsCreateSpecificConversation",
    "annotation": "annotationsCreateNewAnnotation",
    "activity": "activitiesCreateNewActivity",
    "person": "personsCreateNewPerson",
    "anchor": "anchorsCreateNewAnchor",
    "hint": "hintsCreateNewHint",
    "session": "applicationsSessionOpen",
    "application": "applicationsSnapshot",
    "format": "assetsCreateNewAsset",
}
NUMBERS = itertools.count(1)
# How often an id is given out before a new thing is made.
USES = 8


def ask(path, method="GET", body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data=data, method=method)
    if body is not None:
        request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


class Pool:
    """The ids of real things."""

    def __init__(self):
        document = ask("/openapi.json")
        self.operations = {
            operation["operationId"]: (path, method, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }
        self.given = {}

    def id(self, name):
        used, found = self.given.get(name, (0, None))
        if used % USES == 0:
            found = self.make_until_there(name)
        self.given[name] = (used + 1, found)
        return found

    def spend(self, name):
        """Has the next id be that of a new thing: this one is deleted."""
        used, found = self.given.get(name, (0, None))
        self.given[name] = (-(-used // USES) * USES, found)

    def make_until_there(self, name):
        """What is created may be an item that was there, which the other worker deletes before it is returned."""
        for _ in range(5):
            try:
                return self.make(name)
            except urllib.error.HTTPError as error:
                if error.code != 410:
                    raise
        return None

    def make(self, name):
        path, method, operation = self.operations[MAKERS[name]]
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        body = content.get("example")
        if MAKERS[name] == "assetsCreateNewAsset":  # What has the same content is the same asset.
            raw = f"fn {name}_number_{self.given.get(name, (0,))[0]}() {{}}\n"
            body["asset"]["format"]["fragment"]["string"]["raw"] = raw
        made = ask(path, method.upper(), body)
        if name == "format":
            return made["original"]["id"]
        if "iterable" in made:
            return made["iterable"][0]["id"] if made["iterable"] else None
        return made["id"]


POOL = None


def well_formed(case, part):
    """Whether a part of the request is as the document has it."""
    info = case.meta.components.get(part) if case.meta else None
    return info is not None and info.mode.is_positive


@schemathesis.hook
def before_call(context, case, kwargs):
    global POOL
    POOL = POOL or Pool()
    if zlib.crc32(repr((case.path_parameters, case.body)).encode(errors="replace")) % 4 == 0:
        return
    operation = case.operation.definition.raw["operationId"]
    if case.path_parameters and well_formed(case, ParameterLocation.PATH):
        for name in case.path_parameters:
            put_id(case.path_parameters, name, name)
            if "Delete" in operation:
                POOL.spend(name)
    if well_formed(case, ParameterLocation.BODY):
        if isinstance(case.body, dict):
            put_in_body(case.body, operation)
        elif operation == "applicationsSessionClose" and isinstance(case.body, str):
            case.body = POOL.id("session")
            POOL.spend("session")


def put_in_body(body, operation):
    # A whole record that is sent, or one inside what is sent.
    put_id(body, "id", WHOLE.get(operation, operation.removesuffix("Update")))
    for name in ("asset", "format", "conversation", "person"):
        inside = body.get(name)
        put_id(*((inside, "id", name) if isinstance(inside, dict) else (body, name, name)))
    # What must not be empty, and that a schema has no word for.
    for field in ("text", "url", "name", "query"):
        if body.get(field) == "":
            body[field] = f"{field} {next(NUMBERS)}"
    if operation == "formatUpdateValue":
        body.pop("file", None)
        body["fragment"] = {"string": {"raw": f"content {next(NUMBERS)}"}}


def put_id(fields, field, name):
    if isinstance(fields.get(field), str) and name in MAKERS:
        fields[field] = POOL.id(name) or fields[field]


# Operations whose body is a whole record, and that are not named after it.
WHOLE = {"workstreamSummaryUpdate": "workstream_summary", "formatUpdateValue": "format"}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Makes bodies shallower: of a record that is sent, those optional fields are left out that could hold the whole
    of the interface. A body that is made so is as well formed as any. The formats of its strings are left out too, since
    the service accepts other strings, which the tool would take for a fault."""
    schemas = raw_schema["components"]["schemas"]
    within = {name: reached(schemas, {name}) for name in schemas}
    bodies, answers = set(), set()
    for methods in raw_schema["paths"].values():
        for operation in methods.values():
            bodies |= reached(schemas, set(named(operation.get("requestBody"))))
            answers |= reached(schemas, set(named(operation["responses"])))
    for name in bodies - answers:
        for schema in strings(schemas[name]):
            schema.pop("format", None)
        needed = schemas[name].get("required", [])
        properties = schemas[name].get("properties", {})
        for field, schema in list(properties.items()):
            # What a rule of the record names has to stay as it is.
            ruled = field in schemas[name].get("not", {}).get("anyOf", [{}])[0].get("properties", {})
            if field not in needed and not ruled and any(len(within[inner]) > DEEP for inner in named(schema)):
                del properties[field]


def strings(tree):
    """The schemas of strings within a schema."""
    if isinstance(tree, dict):
        if isinstance(tree.get("format"), str):
            yield tree
        for inner in tree.values():
            yield from strings(inner)
    elif isinstance(tree, list):
        for inner in tree:
            yield from strings(inner)


# A record that reaches more records than this is deep.
DEEP = 4


def named(tree):
    return re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(tree))


def reached(schemas, names):
    found, ahead = set(), set(names)
    while ahead:
        found |= ahead
        ahead = {inner for name in ahead for inner in named(schemas[name])} - found
    return found
