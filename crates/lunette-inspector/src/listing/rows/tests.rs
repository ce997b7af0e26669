//! Rows are sorted by their columns as they were by code of their own.

use std::cmp::Ordering;

use lunette_client::model::View;
use lunette_client::model::application::{Application, DetectedExternalApplication};
use lunette_client::model::time::moment;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::*;
use crate::change::{Item, LinkKind};
use crate::filter::compare_versions;
use crate::listing::Columns;

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-cA-C_1.]{0,4}", "[äÄßéZ]{0,2}"]
}

fn time() -> impl Strategy<Value = String> {
    proptest::sample::select(vec!["", "2024-05-01T11:00:00+02:00", "2024-05-01T10:00:00.12Z", "later"])
        .prop_map(str::to_owned)
}

fn by<R: Columns>(key: &str, one: &R, other: &R) -> Ordering {
    R::column(key).expect("a column").compare(one, other)
}

fn any_link() -> impl Strategy<Value = LinkRow> {
    let counts = prop_oneof![(0..3_u64).prop_map(|n| (Some(n), None)), (0..3_u64).prop_map(|n| (None, Some(n)))];
    (text(), proptest::option::of(text()), counts, time(), time(), time()).prop_map(
        |(text, url, counts, created, updated, used)| {
            let item = Item::new(LinkKind::Website, &format!("id of {text}"), text, url);
            let mut row = LinkRow::new(item, counts.0, created, updated);
            (row.known_from, row.last_used) = (counts.1, used);
            row
        },
    )
}

fn any_external() -> impl Strategy<Value = Vec<ExternalRow>> {
    let record =
        (text(), text(), proptest::sample::select(vec![None, Some("installed"), Some("anticipated"), Some("other")]));
    let record =
        record.prop_map(|(name, version, state)| json!({ "name": name, "version": version, "state": state })).boxed();
    let records = || proptest::collection::vec(record.clone(), 1..5);
    (records(), records()).prop_map(|(detected, related): (Vec<Json>, Vec<Json>)| {
        let views = |records: &'static [Json]| records.iter().map(View::<DetectedExternalApplication>::of).collect();
        ExternalRow::merged(Some(views(detected.leak())), Some(views(related.leak())))
    })
}

fn any_application() -> impl Strategy<Value = ApplicationRow> {
    (text(), text(), text(), proptest::option::of(0..3_i64), proptest::option::of(0..3_i64), time()).prop_map(
        |(name, version, platform, sessions, clicks, active)| {
            let engagement = json!({ "sessions": sessions, "interactions": clicks, "last_active": active });
            let tree =
                json!({ "id": "x", "name": name, "version": version, "platform": platform, "engagement": engagement });
            ApplicationRow::of(View::<Application>::of(&tree))
        },
    )
}

proptest! {
    #[test]
    fn links_are_sorted_as_before(a in any_link(), b in any_link()) {
        let lower = |row: &LinkRow| row.item.name().to_lowercase();
        prop_assert_eq!(by("name", &a, &b), lower(&a).cmp(&lower(&b)));
        let url = |row: &LinkRow| row.item.url.clone().unwrap_or_default();
        prop_assert_eq!(by("address", &a, &b), url(&a).cmp(&url(&b)));
        if a.assets.is_some() == b.assets.is_some() {
            prop_assert_eq!(by("assets", &a, &b), (a.assets, a.known_from).cmp(&(b.assets, b.known_from)));
        }
        prop_assert_eq!(by("last used", &a, &b), moment(&a.last_used).cmp(&moment(&b.last_used)));
        prop_assert_eq!(by("updated", &a, &b), moment(&a.updated).cmp(&moment(&b.updated)));
        prop_assert_eq!(by("created", &a, &b), moment(&a.created).cmp(&moment(&b.created)));
    }

    #[test]
    fn external_applications_are_sorted_as_before(rows in any_external()) {
        for (a, b) in rows.iter().flat_map(|a| rows.iter().map(move |b| (a, b))) {
            prop_assert_eq!(by("name", a, b), a.name.to_lowercase().cmp(&b.name.to_lowercase()));
            prop_assert_eq!(by("version", a, b), compare_versions(&a.version, &b.version));
            prop_assert_eq!(by("state", a, b), a.state.cmp(&b.state));
            prop_assert_eq!(by("integration", a, b), b.related.cmp(&a.related));
        }
    }

    #[test]
    fn applications_are_sorted_as_before(a in any_application(), b in any_application()) {
        prop_assert_eq!(by("name", &a, &b), a.name.cmp(&b.name));
        prop_assert_eq!(by("version", &a, &b), compare_versions(&a.version, &b.version));
        prop_assert_eq!(by("platform", &a, &b), a.platform.cmp(&b.platform));
        prop_assert_eq!(by("status", &a, &b), a.status.cmp(&b.status));
        prop_assert_eq!(by("sessions", &a, &b), a.sessions.cmp(&b.sessions));
        prop_assert_eq!(by("events", &a, &b), a.events.cmp(&b.events));
        let last = |row: &ApplicationRow| row.last_active.as_deref().and_then(moment);
        prop_assert_eq!(by("active", &a, &b), last(&a).cmp(&last(&b)));
    }

    #[test]
    fn applications_of_all_lists_are_sorted_as_before(
        names in (text(), text()),
        used in proptest::collection::vec(proptest::option::of((0..3_u64, 0..3_u64, 0..3_u64)), 2),
    ) {
        let row = |name: &str, used: Option<(u64, u64, u64)>| {
            let mut row = InventoryRow::removed(name.to_owned(), name.to_owned(), name.to_owned());
            row.used = used.map(|(sessions, interactions, keyboard)| Usage { sessions, interactions, keyboard, open_seconds: 0 });
            row
        };
        let (a, b) = (row(&names.0, used[0]), row(&names.1, used[1]));
        let name = |row: &InventoryRow| row.name.to_lowercase().replace('_', " ");
        prop_assert_eq!(by("name", &a, &b), name(&a).cmp(&name(&b)));
        prop_assert_eq!(by("version", &a, &b), compare_versions(&a.version, &b.version));
        let used = |row: &InventoryRow| row.used.map(|used| (used.events(), used.sessions));
        prop_assert_eq!(by("used", &a, &b), used(&a).cmp(&used(&b)));
        prop_assert_eq!(by("state", &a, &b), a.state.cmp(&b.state));
    }
}

#[test]
fn assets_are_sorted_as_before() {
    let record = |index: usize| {
        let names = ["b.rs", "A.rs", "", "ä"];
        let time = ["2026-11-20T12:00:00Z", "2026-11-20T12:00:00.25+01:00", "", "a while ago"];
        let size = [json!(3), json!(1), Json::Null, json!(2)];
        let (name, time) = (names[index % 4], (time[index % 4], time[(index + 1) % 4]));
        let size = (size[index % 3].clone(), size[(index + 1) % 4].clone());
        let (specific, tags) = (["rs", "py"][index % 2], &["b", "a"][..index % 3]);
        let mut tree = json!({ "id": format!("00000000-0000-4000-8000-{index:012x}"), "name": name,
            "size": size.0, "score": size.1, "created": time.0, "updated": time.1,
            "specific": specific, "tags": tags });
        tree.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
        let text = tree.to_string().leak();
        AssetRow::listed(serde_json::from_str(text).expect("a record"), &mut Shared::default()).expect("a row")
    };
    let rows: Vec<AssetRow> = (0..24).map(record).collect();
    for (a, b) in rows.iter().flat_map(|a| rows.iter().map(move |b| (a, b))) {
        assert_eq!(by("name", a, b), a.name().to_lowercase().cmp(&b.name().to_lowercase()));
        assert_eq!(by("language", a, b), a.language().cmp(b.language()));
        assert_eq!(by("tags", a, b), a.tags().cmp(b.tags()));
        assert_eq!(by("score", a, b), a.score().cmp(&b.score()));
        assert_eq!(by("size", a, b), a.size().cmp(&b.size()));
        assert_eq!(by("created", a, b), moment(&a.created()).cmp(&moment(&b.created())));
        assert_eq!(by("updated", a, b), moment(&a.updated()).cmp(&moment(&b.updated())));
    }
}

#[test]
fn what_a_service_does_not_tell_of_an_asset_is_null_and_no_zero() {
    let text = r#"{ "id": "00000000-0000-4000-8000-000000000001", "name": "a.rs" }"#;
    let listed = serde_json::from_str(text).expect("a record");
    let record = AssetRow::listed(listed, &mut Shared::default()).expect("a row").record();
    for field in ["size", "score", "created", "updated", "language"] {
        assert_eq!(record[field], Json::Null, "{field}");
    }
    assert_eq!((&record["name"], &record["tags"], &record["favourite"]), (&json!("a.rs"), &json!([]), &json!(false)));
}
