"""Drives the interface's operations through its public Python client, against `lunette serve`: all 27 with a version
of the client that has them, and with a newer one those it has.

    python drive.py PATH/TO/lunette

It starts the service on a free port with a temporary data folder. What must hold: the client, which checks every
answer strictly, takes each of them; and on the wire the statuses, content types and bodies are those it relies on.
"""

import datetime
import json
import subprocess
import sys
import unittest
import urllib.parse
import uuid

from service import ODD, PROGRAM, Recording, Service, application, offered, sdk, seed

class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()
        cls.addClassCleanup(cls.service.kill)
        cls.client = sdk.ApiClient(sdk.Configuration(host=cls.service.url))
        for name, api in [
            ("applications", sdk.ApplicationsApi), ("asset_", sdk.AssetApi), ("assets", sdk.AssetsApi),
            ("tags", sdk.TagsApi), ("websites", sdk.WebsitesApi), ("summaries", sdk.WorkstreamSummariesApi),
        ]:
            setattr(cls, name, Recording(api(cls.client)))

    @classmethod
    def tearDownClass(cls):
        cls.service.stop()

    def new_asset(self, name="hello.py", text="print('hello')\n"):
        return self.assets.assets_create_new_asset(seed=seed(name, text))

    def refused(self, status, call, *arguments, **named):
        """The call is refused with this status and a plain sentence."""
        with self.assertRaises(sdk.ApiException) as caught:
            call(*arguments, **named)
        self.assertEqual(caught.exception.status, status, caught.exception)
        self.assertTrue(caught.exception.headers["Content-Type"].startswith("text/plain"), caught.exception)
        self.assertTrue(caught.exception.body, "a refusal says why")


class ApplicationsGroup(Case):
    def test_related_and_detected_applications_are_lists(self):
        self.assertTrue(self.applications.applications_external_related().iterable)
        self.assertIsInstance(self.applications.applications_external_snapshot().iterable, list)

    def test_a_registered_application_is_tracked(self):
        registered = self.applications.applications_register(application=application(version="9.8.7"))
        tracked = self.applications.applications_snapshot().iterable
        self.assertIn(registered.id, [item.id for item in tracked])

    def test_one_application_is_read(self):
        registered = self.applications.applications_register(application=application(version="9.8.7"))
        read = self.applications.applications_specific_application_snapshot(registered.id)
        self.assertEqual((read.version, read.platform, read.privacy), ("9.8.7", "LINUX", "OPEN"))
        self.refused(404, self.applications.applications_specific_application_snapshot, str(uuid.uuid4()))

    def test_a_session_opens_and_closes(self):
        opened = self.applications.applications_session_open()
        self.assertEqual((len(opened.id), opened.closed), (36, None))
        closed = self.applications.applications_session_close(body=opened.id)
        self.assertEqual(closed.id, opened.id)
        self.assertGreaterEqual(closed.closed.value, opened.opened.value)

    def test_a_session_is_read(self):
        opened = self.applications.applications_session_open()
        self.assertEqual(self.applications.applications_session_snapshot(opened.id).id, opened.id)
        self.refused(404, self.applications.applications_session_snapshot, str(uuid.uuid4()))

    def test_usage_events_are_answered_with_what_was_recorded(self):
        click = sdk.SeededTrackedInteractionEvent(description=ODD, element="button")
        answer = self.applications.applications_usage_engagement_interaction(click)
        self.assertEqual((answer.description, answer.element), (ODD, "button"))
        keys = sdk.SeededTrackedKeyboardEvent(description="save", shortcut=[17, 83])
        answer = self.applications.applications_usage_engagement_keyboard(keys)
        self.assertEqual((answer.description, answer.shortcut), ("save", [17, 83]))

    def test_an_installation_and_an_update_are_recorded(self):
        installed = sdk.TrackedApplicationInstall(application=application())
        self.assertIsNone(self.applications.applications_usage_installation(installed))
        update = sdk.TrackedApplicationUpdate(previous=application(version="1.0.0"), current=application(version="1.1.0"))
        self.assertIsNone(self.applications.post_applications_usage_updated(update))

    def test_voids_answer_200_without_a_body(self):
        body = {"application": json.loads(application().json(by_alias=True, exclude_none=True))}
        status, _, content = self.service.raw("POST", "/applications/usage/installation", body)
        self.assertEqual((status, content), (200, b""))
        body = {"current": body["application"]}
        status, _, content = self.service.raw("POST", "/applications/usage/updated", body)
        self.assertEqual((status, content), (200, b""))

    def test_a_session_may_be_closed_by_a_bare_id(self):
        opened = self.applications.applications_session_open()
        status, kind, _ = self.service.raw("POST", "/applications/session/close", opened.id)
        self.assertEqual((status, kind), (200, "application/json"))

    def test_a_malformed_body_is_400(self):
        for path, body in [
            ("/applications/register", {"name": 1}), ("/applications/session/close", "short"),
            ("/applications/usage/engagement/keyboard", {"description": "x", "shortcut": ["1"]}),
        ]:
            status, kind, content = self.service.raw("POST", path, body)
            self.assertEqual((status, kind.split(";")[0], bool(content)), (400, "text/plain", True), path)


class AssetGroup(Case):
    def told(self, asset, sentences):
        """What the activities of an asset say in sentences; later clients do not read the events."""
        activities = self.asset_.asset_specific_asset_activities(asset.id).iterable
        self.assertEqual(len(activities), 1 + len(sentences))
        told = [getattr(activity.event, "interaction", None) for activity in activities]
        if any(told):
            self.assertEqual([one.description for one in told if one], sentences)

    def test_an_asset_is_read_with_and_without_its_content(self):
        asset = self.new_asset(ODD, "print('hello')\n")
        read = self.asset_.asset_snapshot(asset.id)
        self.assertEqual((read.name, read.original.id), (ODD, asset.original.id))
        self.assertEqual(read.original.reference.fragment.string.raw, "print('hello')\n")
        self.assertEqual(read.preview.base.reference.fragment.string.raw, "print('hello')\n")
        bare = self.asset_.asset_snapshot(asset.id, transferables=False)
        fragment = bare.original.reference.fragment
        self.assertTrue(fragment is None or fragment.string is None or fragment.string.raw is None)
        self.refused(410, self.asset_.asset_snapshot, str(uuid.uuid4()))

    def test_an_asset_is_read_with_its_reader(self):
        asset = self.new_asset()
        accessor = sdk.SeededAccessor(os=str(uuid.uuid4()), share=str(uuid.uuid4()))
        self.assertEqual(self.asset_.asset_snapshot_post(asset.id, seeded_accessor=accessor).id, asset.id)
        self.assertEqual(self.asset_.asset_snapshot_post(asset.id, transferables=False).id, asset.id)

    def test_formats_activities_and_conversations_are_listed(self):
        asset = self.new_asset("main.rs", "fn main() {}\n")
        formats = self.asset_.asset_formats(asset.id).iterable
        self.assertEqual([item.id for item in formats], [asset.original.id])
        self.assertEqual((formats[0].classification.specific, formats[0].fragment.string.raw), ("rs", "fn main() {}\n"))
        self.assertEqual(self.asset_.asset_formats(asset.id, transferables=False).iterable[0].bytes.value, 13)
        self.assertTrue(self.asset_.asset_specific_asset_activities(asset.id, transferables=False).iterable)
        self.assertEqual(self.asset_.asset_specific_asset_conversations(asset.id).iterable, [])
        for call in [
            self.asset_.asset_formats, self.asset_.asset_specific_asset_activities,
            self.asset_.asset_specific_asset_conversations,
        ]:
            self.refused(404, call, str(uuid.uuid4()))

    def test_a_tag_is_linked_and_unlinked(self):
        asset = self.new_asset()
        tag = self.tags.tags_create_new_tag(seeded_tag=sdk.SeededTag(text=ODD))
        for _ in range(2):  # Linking twice keeps one link.
            self.assertIsNone(self.asset_.asset_associate_tag(asset.id, tag.id))
        linked = self.asset_.asset_snapshot(asset.id).tags.iterable
        self.assertEqual([(item.id, item.text) for item in linked], [(tag.id, ODD)])
        self.assertEqual(linked[0].mechanisms, {asset.id: "MANUAL"})
        self.assertIsNone(self.asset_.asset_disassociate_tag(tag.id, asset.id))
        tags = self.asset_.asset_snapshot(asset.id).tags
        self.assertEqual([] if tags is None else tags.iterable, [])
        self.refused(404, self.asset_.asset_associate_tag, asset.id, "unknown")

    def test_a_website_is_linked_and_unlinked(self):
        asset = self.new_asset()
        website = self.websites.websites_create_new_website(
            seeded_website=sdk.SeededWebsite(url="https://example.test/ü?a=b", name=ODD))
        self.assertIsNone(self.asset_.asset_associate_website(asset.id, website.id))
        linked = self.asset_.asset_snapshot(asset.id).websites.iterable
        self.assertEqual([(item.id, item.url, item.name) for item in linked], [(website.id, website.url, ODD)])
        self.assertIsNone(self.asset_.asset_disassociate_website(website.id, asset.id))
        websites = self.asset_.asset_snapshot(asset.id).websites
        self.assertEqual([] if websites is None else websites.iterable, [])

    def test_a_summary_is_linked_and_unlinked(self):
        asset = self.new_asset()
        now = datetime.datetime.now(datetime.timezone.utc)
        model = sdk.Model(id=str(uuid.uuid4()), version="1", created=sdk.GroupedTimestamp(value=now), name="none",
                          cloud=False, type="SPEED", usage="CODE_CONVERSATION")
        summary = self.summaries.workstream_summaries_create_new_workstream_summary(
            seeded_workstream_summary=sdk.SeededWorkstreamSummary(name=ODD, model=model))
        self.assertIsNone(self.asset_.asset_associate_workstream_summary(asset.id, summary.id))
        linked = self.asset_.asset_snapshot(asset.id).summaries.iterable
        self.assertEqual([(item.id, item.name) for item in linked], [(summary.id, ODD)])
        self.assertIsNone(self.asset_.asset_disassociate_workstream_summary(asset.id, summary.id))
        summaries = self.asset_.asset_snapshot(asset.id).summaries
        self.assertEqual([] if summaries is None else summaries.iterable, [])
        self.told(asset, [f"Summary “{ODD}” linked", f"Summary “{ODD}” unlinked"])

    def test_an_asset_is_reclassified_and_nothing_else_of_it_changes(self):
        asset = self.new_asset("notes.txt", "a = 1\n")
        body = sdk.AssetReclassification(ext="py", asset=self.asset_.asset_snapshot(asset.id, transferables=False))
        self.assertEqual(self.asset_.asset_reclassify(asset_reclassification=body).name, "notes.txt")
        read = self.asset_.asset_snapshot(asset.id).original.reference
        self.assertEqual((read.classification.specific, read.fragment.string.raw), ("py", "a = 1\n"))

    def test_a_score_is_incremented(self):
        asset = self.new_asset()
        for _ in range(2):
            body = sdk.SeededScoreIncrement(asset=sdk.SeededScore(reuse=True))
            self.assertIsNone(self.asset_.asset_scores_increment(asset.id, body))
        self.assertEqual(self.asset_.asset_snapshot(asset.id).score.reuse, 2)
        self.told(asset, ["Score: reuse incremented"] * 2)

    def test_an_asset_is_exported(self):
        asset = self.new_asset("hello <b>.py", "print('<script>')\n")
        for kind, sign in [("HTML", "<!doctype html"), ("MD", "```")]:
            exported = self.asset_.asset_specific_asset_export(asset.id, kind)
            self.assertEqual((exported.name, isinstance(exported.description, str)), ("hello <b>.py", True))
            self.assertIn(sign, exported.raw.string.raw.lower())
        self.assertNotIn("<script>", self.asset_.asset_specific_asset_export(asset.id, "HTML").raw.string.raw)
        self.refused(400, self.asset_.asset_specific_asset_export, asset.id, "weird")

    def test_an_update_merges_and_loses_nothing(self):
        asset = self.new_asset("before.py", "a = 1\n")
        read = self.asset_.asset_snapshot(asset.id, transferables=False)
        read.name, read.favorited = "after.py", True
        updated = self.asset_.asset_update(asset=read)
        self.assertEqual((updated.name, updated.favorited), ("after.py", True))
        self.assertEqual(self.asset_.asset_snapshot(asset.id).original.reference.fragment.string.raw, "a = 1\n")

    def test_a_deleted_asset_is_gone(self):
        asset = self.new_asset()
        self.assertEqual(self.assets.assets_delete_asset(asset.id), asset.id)
        self.refused(410, self.asset_.asset_snapshot, asset.id)

    def test_links_and_increments_answer_204_without_a_body(self):
        asset = self.new_asset()
        tag = self.tags.tags_create_new_tag(seeded_tag=sdk.SeededTag(text="wire"))
        for verb in ["associate", "disassociate"]:
            status, _, content = self.service.raw("POST", f"/asset/{asset.id}/tags/{verb}/{tag.id}")
            self.assertEqual((status, content), (204, b""))
        status, _, content = self.service.raw("POST", f"/asset/{asset.id}/scores/increment", {})
        self.assertEqual((status, content), (204, b""))

    def test_records_are_json_with_mechanisms_and_iterables(self):
        asset = self.new_asset()
        tag = self.tags.tags_create_new_tag(seeded_tag=sdk.SeededTag(text="map", asset=asset.id))
        status, kind, content = self.service.raw("GET", f"/asset/{asset.id}")
        record = json.loads(content)
        self.assertEqual((status, kind), (200, "application/json"))
        self.assertEqual([item["id"] for item in record["tags"]["iterable"]], [tag.id])
        self.assertIsInstance(record["tags"]["iterable"][0]["mechanisms"], dict)
        for path in ["/applications", f"/asset/{asset.id}/formats", f"/asset/{asset.id}/activities", "/tags"]:
            status, kind, content = self.service.raw("GET", path)
            self.assertEqual((status, kind), (200, "application/json"), path)
            self.assertIsInstance(json.loads(content)["iterable"], list, path)

    def test_odd_ids_reach_no_other_operation(self):
        for odd in [ODD, "..", ".", "update", "a/b", "%2F"]:
            status, kind, _ = self.service.raw("GET", "/asset/" + urllib.parse.quote(odd, safe=""))
            self.assertIn(status, [400, 404, 405, 410], odd)
            self.assertTrue(kind.startswith("text/plain"), odd)

    def test_an_omitted_body_is_understood(self):
        asset = self.new_asset()
        headers = {"Content-Type": "application/json", "Content-Length": "0"}
        for path, wanted in [
            (f"/asset/{asset.id}", 200), (f"/asset/{asset.id}/scores/increment", 204), ("/asset/update", 400),
            ("/asset/reclassify", 400), ("/applications/register", 400),
        ]:
            self.assertEqual(self.service.raw("POST", path, None, headers)[0], wanted, path)


class Whole(unittest.TestCase):
    def test_the_service_without_extensions_has_the_interface_all_the_same(self):
        service = Service("--interface-only")
        try:
            api = sdk.ApplicationsApi(sdk.ApiClient(sdk.Configuration(host=service.url)))
            self.assertIsInstance(api.applications_snapshot().iterable, list)
            self.assertEqual(service.raw("GET", "/assets")[0], 404)
        finally:
            service.stop()

    def test_zz_every_operation_was_called(self):
        listed = json.loads(subprocess.run([PROGRAM[0], "operations", "--json"], check=True, capture_output=True).stdout)
        interface = {row["name"] for row in listed if row["group"] != "Extension"}
        self.assertEqual(len(interface), 27)
        has = offered() & interface
        self.assertGreaterEqual(len(has), 21)
        self.assertEqual(has - Recording.called, set(), "operations that were not called")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    PROGRAM[0] = sys.argv.pop()
    unittest.main(verbosity=2)
