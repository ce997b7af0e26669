"""Drives the extension operations through a public Python client, against `lunette serve`: every one that this version
of the client has.

    python extensions.py PATH/TO/lunette

What must hold: the client takes each answer; what is linked from one side is linked from the other; and a newer
client finds the service by its own scan of the ports, connects, and follows the stream of assets.
"""

import datetime
import importlib
import json
import subprocess
import sys
import unittest
import uuid

from service import ODD, PROGRAM, Recording, Service, application, offered, sdk, seed

APIS = [
    "WellKnownApi", "AssetsApi", "AssetApi", "SearchApi", "FormatsApi", "FormatApi", "TagsApi", "TagApi", "WebsitesApi",
    "WebsiteApi", "WorkstreamSummariesApi", "WorkstreamSummaryApi", "ConversationsApi", "ConversationApi",
    "AnnotationsApi", "AnnotationApi", "ActivitiesApi", "ActivityApi", "PersonsApi", "PersonApi", "AnchorsApi",
    "AnchorApi", "HintsApi", "HintApi", "ApplicationApi", "ApplicationsApi", "ConnectorApi", "UserApi", "UsersApi",
    "ModelsApi", "ConversationMessagesApi", "ConversationMessageApi",
]
# Only some versions of the client have these.
NEWER_APIS = ["ModelContextProtocolApi"]


def there(name):
    try:
        return bool(getattr(sdk, name))
    except unittest.SkipTest:
        return False


class All:
    """Every operation of the client under its own name."""

    def __init__(self, client):
        names = APIS + [name for name in NEWER_APIS if there(name)]
        self._apis = [Recording(getattr(sdk, name)(client)) for name in names]

    def __getattr__(self, name):
        for api in self._apis:
            if hasattr(api._api, name):
                return getattr(api, name)
        raise unittest.SkipTest(f"this version of the client has no {name}")


def words(text):
    """A search for a text."""
    return sdk.SearchInput.from_dict({"engines": {"iterable": [{"query": text, "full_text": {"exact": False}}]}})


def reuse(material):
    return sdk.SeededScoreIncrement.from_dict({material: {"reuse": True}})


def model():
    now = datetime.datetime.now(datetime.timezone.utc)
    return sdk.Model(id=str(uuid.uuid4()), version="1", created=sdk.GroupedTimestamp(value=now), name="none", cloud=False,
                     type="SPEED", usage="CODE_CONVERSATION")


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()
        cls.addClassCleanup(cls.service.kill)
        cls.api = All(sdk.ApiClient(sdk.Configuration(host=cls.service.url)))

    def new_asset(self, name="hello.py", text="print('hello')\n"):
        return self.api.assets_create_new_asset(seed=seed(name, text))

    def ids(self, collection):
        return [item.id for item in (collection.iterable or [])] if collection else []

    def refused(self, status, call, *arguments, **named):
        with self.assertRaises(sdk.ApiException) as caught:
            call(*arguments, **named)
        self.assertEqual(caught.exception.status, status, caught.exception)


class Assets(Case):
    def test_assets_are_listed_and_read(self):
        asset = self.new_asset(ODD)
        self.assertIn(asset.id, self.ids(self.api.assets_snapshot(transferables=False)))
        self.assertIn(asset.id, self.ids(self.api.assets_snapshot(suggested=False, pseudo=False)))
        self.assertIn(asset.id, self.ids(self.api.assets_identifiers_snapshot()))
        self.assertNotIn(asset.id, self.ids(self.api.assets_pseudo_snapshot().identifiers))
        self.assertEqual(self.api.assets_specific_asset_snapshot(asset.id).name, ODD)
        self.assertEqual(self.ids(self.api.assets_specific_asset_formats_snapshot(asset.id)), [asset.original.id])
        self.assertEqual(self.api.assets_delete_asset(asset.id), asset.id)
        self.refused(410, self.api.assets_specific_asset_snapshot, asset.id)

    def test_a_draft_makes_nothing(self):
        before = self.ids(self.api.assets_identifiers_snapshot())
        draft = self.api.assets_draft(seed=seed("main.rs", "fn main() {}\n"))
        self.assertEqual(draft.asset.format.classification.specific, "rs")
        self.assertEqual(self.ids(self.api.assets_identifiers_snapshot()), before)

    def test_assets_are_found(self):
        word = "needle" + uuid.uuid4().hex
        asset = self.new_asset(f"{word}.txt", "hay")
        inside = self.new_asset("hay.txt", f"hay {word} hay")
        tag = self.api.tags_create_new_tag(seeded_tag=sdk.SeededTag(text=f"t{word}", asset=asset.id))
        found = self.api.search_assets(query=word, transferables=False)
        self.assertEqual([hit.identifier for hit in found.iterable], [asset.id, inside.id])
        self.assertEqual(self.api.search_assets(query=word).iterable[0].asset.id, asset.id)
        tagged = self.api.search_assets(searchable_tags=tag.text, transferables=False)
        self.assertEqual([hit.identifier for hit in tagged.iterable], [asset.id])
        self.assertEqual([hit.identifier for hit in self.api.full_text_search(query=word).iterable][-1], inside.id)
        self.assertEqual([hit.identifier for hit in self.api.neural_code_search(query=word).iterable][-1], inside.id)
        by_tag = self.api.tag_based_search(
            seeded_asset_tags=sdk.SeededAssetTags(iterable=[sdk.SeededAssetTag(text=tag.text)]))
        self.assertEqual([hit.identifier for hit in by_tag.iterable], [asset.id])
        filtered = self.api.assets_search_with_filters(
            transferables=False, assets_search_with_filters_input=sdk.AssetsSearchWithFiltersInput(query=word))
        self.assertIn(asset.id, [hit.identifier for hit in filtered.results.iterable])

    def test_formats_are_read_reclassified_and_given_another_value(self):
        asset = self.new_asset("notes.txt", "a = 1\n")
        format = self.api.format_snapshot(asset.original.id)
        self.assertEqual((format.id, format.fragment.string.raw), (asset.original.id, "a = 1\n"))
        self.assertIsNotNone(self.api.formats_specific_format_snapshot(format.id, transferable=False))
        self.assertIn(format.id, self.ids(self.api.formats_snapshot(transferables=False)))
        format.fragment.string.raw = "b = 2\n"
        self.assertEqual(self.api.format_update_value(format=format).fragment.string.raw, "b = 2\n")
        body = sdk.FormatReclassification(ext="py", format=self.api.format_snapshot(format.id))
        self.assertEqual(self.api.format_reclassify(format_reclassification=body).classification.specific, "py")
        read = self.api.asset_snapshot(asset.id).original.reference
        self.assertEqual((read.classification.specific, read.fragment.string.raw), ("py", "b = 2\n"))


class Items(Case):
    def check(self, thing, made, associate, disassociate, specific, delete, increment, material):
        """What tags, websites and summaries have in common."""
        asset = self.new_asset()
        for _ in range(2):
            self.assertIsNone(associate(made.id, asset.id))
        collection = getattr(self.api.asset_snapshot(asset.id), thing)
        self.assertEqual(self.ids(collection), [made.id])
        self.assertEqual(self.ids(specific(made.id).assets), [asset.id])
        self.assertIsNone(disassociate(made.id, asset.id))
        self.assertEqual(self.ids(getattr(self.api.asset_snapshot(asset.id), thing)), [])
        self.assertIsNone(increment(made.id, seeded_score_increment=reuse(material)))
        self.assertEqual(specific(made.id).score.reuse, 1)
        associate(made.id, asset.id)
        self.assertIsNone(delete(made.id))
        self.refused(410, specific, made.id)
        self.assertEqual(self.ids(getattr(self.api.asset_snapshot(asset.id), thing)), [])

    def test_tags(self):
        tag = self.api.tags_create_new_tag(seeded_tag=sdk.SeededTag(text=ODD))
        self.assertIn(tag.id, self.ids(self.api.tags_snapshot()))
        self.assertEqual(self.api.tags_exists(existent_metadata=sdk.ExistentMetadata(value=ODD)).tag.id, tag.id)
        self.assertIsNone(self.api.tags_exists(existent_metadata=sdk.ExistentMetadata(value="no such")).tag)
        tag.text = f"{ODD} again"
        self.assertEqual(self.api.tag_update(tag=tag).text, tag.text)
        self.assertIn(tag.id, [hit.identifier for hit in self.api.search_tags(search_input=words("again")).iterable])
        self.check("tags", tag, lambda tag, asset: self.api.tag_associate_asset(asset=asset, tag=tag),
                   lambda tag, asset: self.api.tag_disassociate_asset(tag=tag, asset=asset),
                   self.api.tags_specific_tag_snapshot, self.api.tags_delete_specific_tag,
                   self.api.tag_scores_increment, "tag")

    def test_websites(self):
        url = f"https://example.test/{uuid.uuid4()}?ü"
        website = self.api.websites_create_new_website(seeded_website=sdk.SeededWebsite(url=url, name=ODD))
        self.assertIn(website.id, self.ids(self.api.websites_snapshot()))
        exists = self.api.websites_exists(existent_metadata=sdk.ExistentMetadata(value=url))
        self.assertEqual(exists.website.id, website.id)
        website.name = "renamed"
        self.assertEqual(self.api.website_update(website=website).name, "renamed")
        found = self.api.search_websites(search_input=words("renamed"))
        self.assertIn(website.id, [hit.identifier for hit in found.iterable])
        self.check("websites", website,
                   lambda website, asset: self.api.website_associate_asset(asset=asset, website=website),
                   lambda website, asset: self.api.website_disassociate_asset(website=website, asset=asset),
                   self.api.websites_specific_website_snapshot, self.api.websites_delete_specific_website,
                   self.api.website_scores_increment, "website")

    def test_summaries(self):
        summary = self.api.workstream_summaries_create_new_workstream_summary(
            seeded_workstream_summary=sdk.SeededWorkstreamSummary(name=ODD, model=model()))
        self.assertIn(summary.id, self.ids(self.api.workstream_summaries_snapshot()))
        summary.name = "what was done"
        self.assertEqual(self.api.workstream_summary_update(workstream_summary=summary).name, "what was done")
        found = self.api.search_workstream_summaries(search_input=words("done"))
        self.assertIn(summary.id, [hit.identifier for hit in found.iterable])
        self.check("summaries", summary, self.api.workstream_summary_associate_asset,
                   self.api.workstream_summary_disassociate_asset,
                   self.api.workstream_summaries_specific_workstream_summary_snapshot,
                   self.api.workstream_summaries_delete_specific_workstream_summary,
                   self.api.workstream_summary_scores_increment, "workstream_summary")

    def linked_from_the_asset(self, thing, made, associate, disassociate):
        asset = self.new_asset()
        self.assertIsNone(associate(asset.id, made.id))
        self.assertEqual(self.ids(getattr(self.api.asset_snapshot(asset.id), thing)), [made.id])
        self.assertIsNone(disassociate(asset.id, made.id))
        self.assertEqual(self.ids(getattr(self.api.asset_snapshot(asset.id), thing)), [])

    def test_persons(self):
        body = sdk.SeededPerson.from_dict({"type": {"basic": {"username": ODD, "email": "a@example.test"}}})
        person = self.api.persons_create_new_person(seeded_person=body)
        self.assertIn(person.id, self.ids(self.api.persons_snapshot()))
        self.assertEqual(self.api.person_snapshot(person.id).type.basic.username, ODD)
        self.linked_from_the_asset("persons", person, lambda asset, one: self.api.asset_associate_person(
            asset=asset, person=one), lambda asset, one: self.api.asset_disassociate_person(asset=asset, person=one))
        self.assertIsNone(self.api.persons_delete_person(person.id))

    def test_anchors(self):
        body = sdk.SeededAnchor.from_dict({"type": "FILE", "fullpath": "/home/someone/ü.rs", "name": ODD})
        anchor = self.api.anchors_create_new_anchor(seeded_anchor=body)
        self.assertIn(anchor.id, self.ids(self.api.anchors_snapshot()))
        points = self.api.anchor_specific_anchor_snapshot(anchor.id).points.iterable
        self.assertEqual(points[0].reference.fullpath, "/home/someone/ü.rs")
        self.linked_from_the_asset("anchors", anchor, lambda asset, one: self.api.asset_associate_anchor(
            asset=asset, anchor=one), lambda asset, one: self.api.asset_disassociate_anchor(asset=asset, anchor=one))
        self.assertIsNone(self.api.anchors_delete_specific_anchor(anchor.id))

    def test_hints(self):
        body = sdk.SeededHint.from_dict({"type": "SUGGESTED_QUERY", "text": ODD})
        hint = self.api.hints_create_new_hint(seeded_hint=body)
        self.assertIn(hint.id, self.ids(self.api.hints_snapshot()))
        self.assertEqual(self.api.hint_specific_hint_snapshot(hint.id).text, ODD)
        self.linked_from_the_asset("hints", hint, lambda asset, one: self.api.asset_associate_hint(
            asset=asset, hint=one), lambda asset, one: self.api.asset_disassociate_hint(asset=asset, hint=one))
        self.assertIsNone(self.api.hints_delete_specific_hint(hint.id))


class Talk(Case):
    def test_conversations(self):
        asset = self.new_asset()
        body = sdk.SeededConversation.from_dict({
            "type": "COPILOT", "name": ODD,
            "messages": [{"role": "USER", "fragment": {"string": {"raw": "what is this?"}}}],
        })
        made = self.api.conversations_create_specific_conversation(seeded_conversation=body)
        self.assertIn(made.id, self.ids(self.api.conversations_snapshot()))
        self.assertIn(made.id, self.ids(self.api.conversations_identifiers_snapshot()))
        messages = self.api.conversation_specific_conversation_messages(made.id).iterable
        self.assertEqual([message.fragment.string.raw for message in messages], ["what is this?"])
        made.name = "renamed talk"
        self.assertEqual(self.api.conversation_update(conversation=made).name, "renamed talk")
        found = self.api.search_conversations(search_input=words("renamed"))
        self.assertIn(made.id, [hit.identifier for hit in found.iterable])
        for associate, disassociate in [
            (self.api.conversation_associate_asset, self.api.conversation_disassociate_asset),
            (lambda one, asset: self.api.asset_associate_conversation(asset=asset, conversation=one),
             lambda one, asset: self.api.asset_disassociate_conversation(asset=asset, conversation=one)),
        ]:
            self.assertIsNone(associate(made.id, asset.id))
            self.assertEqual(self.ids(self.api.asset_specific_asset_conversations(asset.id)), [made.id])
            self.assertIsNone(disassociate(made.id, asset.id))
            self.assertEqual(self.ids(self.api.asset_specific_asset_conversations(asset.id)), [])
        self.assertIsNone(self.api.conversation_scores_increment(
            made.id, seeded_score_increment=reuse("conversation")))
        self.assertEqual(self.api.conversation_get_specific_conversation(made.id).score.reuse, 1)
        self.assertIsNone(self.api.conversations_delete_specific_conversation(made.id))
        self.refused(410, self.api.conversation_get_specific_conversation, made.id)

    def test_messages(self):
        body = sdk.SeededConversation.from_dict({"type": "COPILOT", "name": "talk"})
        talk = self.api.conversations_create_specific_conversation(seeded_conversation=body)
        body = sdk.SeededConversationMessage.from_dict({
            "role": "USER", "conversation": {"id": talk.id}, "fragment": {"string": {"raw": "What is this?\nTell me."}}})
        made = self.api.messages_create_specific_message(seeded_conversation_message=body)
        self.assertEqual(self.api.conversation_specific_conversation_rename(talk.id).name, "What is this?")
        self.assertIn(made.id, self.ids(self.api.messages_snapshot()))
        read = self.api.message_specific_message_snapshot(made.id)
        self.assertEqual((read.fragment.string.raw, read.conversation.id), ("What is this?\nTell me.", talk.id))
        read.fragment.string.raw = "What was this?"
        changed = self.api.message_update_value(conversation_message=read)
        self.assertEqual(changed.fragment.string.raw, "What was this?")
        changed.sentiment = "LIKE"
        self.assertEqual(self.api.message_specific_message_update(conversation_message=changed).sentiment, "LIKE")
        self.assertIsNone(self.api.messages_delete_specific_message(made.id))
        self.refused(404, self.api.message_specific_message_snapshot, made.id)

    def test_annotations(self):
        asset = self.new_asset()
        body = sdk.SeededAnnotation.from_dict({"type": "COMMENT", "text": "well said", "asset": asset.id})
        made = self.api.annotations_create_new_annotation(seeded_annotation=body)
        self.assertIn(made.id, self.ids(self.api.annotations_snapshot(annotation_type_filter="COMMENT")))
        self.assertNotIn(made.id, self.ids(self.api.annotations_snapshot(annotation_type_filter="SUMMARY")))
        self.assertIn(made.id, self.ids(self.api.asset_snapshot(asset.id).annotations))
        made.text = "better said"
        self.assertEqual(self.api.annotation_update(annotation=made).text, "better said")
        found = self.api.search_annotations(search_input=words("better"))
        self.assertIn(made.id, [hit.identifier for hit in found.iterable])
        self.assertEqual(self.api.annotation_specific_annotation_snapshot(made.id).text, "better said")
        self.assertIsNone(self.api.annotations_delete_specific_annotation(made.id))
        self.assertNotIn(made.id, self.ids(self.api.asset_snapshot(asset.id).annotations))

    def test_activities(self):
        asset = self.new_asset()
        body = sdk.SeededActivity.from_dict({
            "event": {"asset": {"asset": {"id": asset.id},
                                "identifier_description_pair": {"asset_viewed": "an_asset_was_viewed"}}},
            "application": application().to_dict(), "asset": {"id": asset.id}, "mechanism": "MANUAL",
        })
        made = self.api.activities_create_new_activity(seeded_activity=body)
        self.assertIn(made.id, self.ids(self.api.activities_snapshot(transferables=False)))
        self.assertIn(made.id, self.ids(self.api.activity_identifiers_snapshot()))
        self.assertIsNotNone(self.api.activity_identifiers_snapshot(activity_filter_enum="CREATED").iterable)
        read = self.api.activities_specific_activity_snapshot(made.id)
        self.assertEqual((read.id, read.asset.id), (made.id, asset.id))
        self.assertEqual(self.api.activity_update(activity=read).id, made.id)
        self.assertIsNone(self.api.activities_delete_specific_activity(made.id))
        self.refused(410, self.api.activities_specific_activity_snapshot, made.id)


class Local(Case):
    def test_a_client_connects_and_finds_its_user(self):
        body = sdk.SeededConnectorConnection.from_dict({
            "application": {"name": "OPEN_SOURCE", "version": "1.0.0", "platform": "LINUX"}})
        context = self.api.connect(seeded_connector_connection=body)
        self.assertTrue(context.health.os.id)
        tracked = self.api.applications_snapshot().iterable
        self.assertIn(context.application.id, [item.id for item in tracked])
        self.assertTrue(self.api.user_snapshot().user.id)
        self.assertEqual([user.id for user in self.api.users_snapshot().iterable], [self.api.user_snapshot().user.id])
        # Placeholders, by which other clients start.
        self.assertIn("gemini-2.0-flash-lite-001", [model.unique for model in self.api.models_snapshot().iterable])
        context.application.version = "1.1.0"
        self.assertEqual(self.api.application_update(application=context.application).version, "1.1.0")
        self.assertTrue(self.api.get_well_known_health().startswith("ok"))
        self.assertRegex(self.api.get_well_known_version(), r"^\d+\.\d+\.\d+")


class Protocols(Case):
    def test_there_are_none(self):
        self.assertEqual(self.api.model_context_protocol_schema_versions().iterable, [])


class Wrapper(unittest.TestCase):
    """The newer client's own way in: it scans the ports, connects, and follows the assets."""

    def test_it_finds_the_service_by_its_own_scan(self):
        try:
            wrapper = importlib.import_module("pieces_os_client.wrapper").PiecesClient
        except ImportError:
            raise unittest.SkipTest("this version of the client scans no ports")
        # Without a port named the service takes the first free one that clients look at.
        service = Service(port=None)
        self.addCleanup(service.kill)
        self.assertIn(service.port, range(39300, 39334))
        port = wrapper._port_scanning()
        if port != str(service.port):
            self.skipTest(f"another service of this family runs on port {port}")
        # What the wrapper does next; after that it asks for language models, which no service of the interface has.
        api = All(sdk.ApiClient(sdk.Configuration(host=f"http://127.0.0.1:{port}")))
        body = sdk.SeededConnectorConnection.from_dict({
            "application": {"name": "OPEN_SOURCE", "version": "5.0.1", "platform": "LINUX"}})
        tracked = api.connect(seeded_connector_connection=body).application
        self.assertTrue(tracked.id)
        self.assertTrue(api.user_snapshot().user)
        self.follow(port, api)

    def follow(self, port, api):
        """The stream of assets, by the library and the address that the wrapper uses."""
        websocket = importlib.import_module("websocket")
        stream = websocket.create_connection(f"ws://127.0.0.1:{port}/assets/stream/identifiers", timeout=20)
        self.addCleanup(stream.close)
        self.assertEqual(json.loads(stream.recv())["iterable"], [])
        made = api.assets_create_new_asset(seed=seed("found.py", "print('found')\n"))
        told = sdk.StreamedIdentifiers.from_dict(json.loads(stream.recv()))
        self.assertEqual([one.asset.id for one in told.iterable], [made.id])


class Whole(unittest.TestCase):
    def test_zz_every_operation_that_the_client_has_was_called(self):
        listed = json.loads(
            subprocess.run([PROGRAM[0], "operations", "--json"], check=True, capture_output=True).stdout)
        extensions = {row["name"] for row in listed if row["group"] == "Extension"}
        has = offered() & extensions
        self.assertGreaterEqual(len(has), 90)
        self.assertEqual(has - Recording.called, set(), "operations that were not called")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    PROGRAM[0] = sys.argv.pop()
    unittest.main(verbosity=2)
