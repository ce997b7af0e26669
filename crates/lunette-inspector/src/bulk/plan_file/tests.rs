//! Plan files: they are read back as they were written, and errors are reported with their path.

use super::*;
use crate::change::Counter;
use crate::change::LinkKind;
use lunette_client::model::export::ExportType;

const A: &str = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

fn refused(text: &str) -> String {
    PlanFile::read(text.as_bytes()).expect_err(text).to_string()
}

#[test]
fn a_plan_reads_back_as_written() {
    let item = Item::new(LinkKind::Tag, "t/1 ü", "a \"b\"", None);
    let to = ExportTarget::Zip("/tmp/a b.zip".into());
    for each in [
        BulkOperation::Link(item.clone()),
        BulkOperation::LinkNew {
            kind: LinkKind::Website,
            text: "w".to_owned(),
            url: Some("http://a".to_owned()),
            unlink: Vec::new(),
        },
        BulkOperation::Unlink(item.clone()),
        BulkOperation::Relink { link: Item::new(LinkKind::Tag, "t2", item.text.clone(), None), unlink: vec![item] },
        BulkOperation::Reclassify("rs".to_owned()),
        BulkOperation::Favourite(false),
        BulkOperation::Increment(Counter::Reuse),
        BulkOperation::Export { kind: ExportType::Md, to },
        BulkOperation::Delete,
    ] {
        let assets = vec![(AssetId::random(), String::new()), (AssetId::random(), "=1 \u{202e}".to_owned())];
        let plan = PlanFile { title: Some("t".to_owned()), in_flight: 8, work: PlannedWork::Each(each, assets) };
        assert_eq!(PlanFile::read(plan.text().as_bytes()).as_ref(), Ok(&plan), "{}", plan.text());
    }
    let asset = AssetId::random();
    let edits = vec![Edit { field: Field::Name, from: None, to: "x".into() }];
    let changes = vec![
        Change::Edit { asset: asset.clone(), edits },
        Change::Increment { asset: asset.clone(), counter: Counter::Reuse, from: None },
        Change::Delete { asset, name: String::new(), made: None },
    ];
    let plan = PlanFile { title: None, in_flight: 1, work: PlannedWork::Changes(changes) };
    assert_eq!(PlanFile::read(plan.text().as_bytes()), Ok(plan));
}

/// A folder whose name is not Unicode.
#[cfg(unix)]
#[test]
fn a_plan_may_export_to_a_folder_of_any_name() {
    use std::os::unix::ffi::OsStringExt as _;

    let folder = std::ffi::OsString::from_vec(b"/tmp/caf\xe9".to_vec());
    let each = BulkOperation::Export { kind: ExportType::Md, to: ExportTarget::Folder(folder.into()) };
    let work = PlannedWork::Each(each, vec![(AssetId::random(), String::new())]);
    let plan = PlanFile { title: None, in_flight: 1, work };
    assert_eq!(PlanFile::read(plan.text().as_bytes()), Ok(plan));
}

#[test]
fn the_shortest_plan_is_one() {
    let plan = PlanFile::read(format!("\u{feff}{{\"version\":1,\"each\":\"delete\",\"assets\":[\"{A}\"]}}").as_bytes());
    let plan = plan.expect("a plan");
    assert_eq!((plan.title.as_deref(), plan.in_flight), (None, IN_FLIGHT));
}

#[test]
fn an_invalid_plan_is_refused_with_position_and_reason() {
    let each = |each: &str| format!(r#"{{"version":1,"each":{each},"assets":["{A}"]}}"#);
    let assets = |assets: &str| format!(r#"{{"version":1,"each":{{"increment":"reuse"}},"assets":{assets}}}"#);
    let changes = |changes: &str| format!(r#"{{"version":1,"changes":{changes}}}"#);
    let upper = A.to_uppercase();
    for (text, message) in [
        ("{\n  \"version\": 1,,\n}".to_owned(), "the plan is not valid JSON: key must be a string at line 2 column 16"),
        (String::new(), "the plan is not valid JSON: EOF while parsing a value at line 1 column 0"),
        ("[]".to_owned(), "the plan must be a JSON object"),
        (r#"{"version":1,"asets":[]}"#.to_owned(), "unknown field \"asets\"; the fields of a plan are version, title"),
        (r#"{"each":"delete"}"#.to_owned(), "the plan has no version; add \"version\": 1"),
        (r#"{"version":2}"#.to_owned(), "the plan has version 2; this program reads version 1"),
        (r#"{"version":1}"#.to_owned(), "the plan has no changes"),
        (r#"{"version":1,"each":"delete"}"#.to_owned(), "add \"assets\""),
        (r#"{"version":1,"assets":[]}"#.to_owned(), "add \"each\""),
        (r#"{"version":1,"changes":[],"assets":[]}"#.to_owned(), "remove one of them"),
        (r#"{"version":1,"title":1}"#.to_owned(), "title must be a string"),
        (r#"{"version":1,"in_flight":9}"#.to_owned(), "in_flight must be a number from 1 to 8, not 9"),
        (r#"{"version":1,"in_flight":0.5}"#.to_owned(), "in_flight must be a number from 1 to 8, not 0.5"),
        (each("{\"explode\":1}"), "each: unknown operation \"explode\"; the operations are link, link_new, unlink"),
        (each("[]"), "each must be one operation"),
        (each(r#"{"relink":{"link":{"kind":"tag","id":"1"},"unlink":[]}}"#), "each.relink.unlink is empty"),
        (
            each(r#"{"relink":{"link":{"kind":"tag","id":"1"},"unlink":[{"kind":"website","id":"2"}]}}"#),
            "each.relink has items of several kinds",
        ),
        (
            each(r#"{"relink":{"link":{"kind":"tag","id":"a"},"unlink":[{"kind":"tag","id":"A"}]}}"#),
            "each.relink links an item that it unlinks",
        ),
        (each("{\"increment\":\"fame\"}"), "each.increment: unknown variant `fame`, expected one of `reuse`"),
        (each("{\"link\":{\"kind\":\"tag\",\"id\":\"..\"}}"), "each.link.id: \"..\" is not a valid id"),
        (each("{\"link\":{\"kind\":\"tag\",\"id\":\"1\",\"color\":2}}"), "each.link: unknown field `color`"),
        (assets("[]"), "assets is empty; add at least one entry"),
        (assets("{}"), "assets must be a list"),
        (assets("[\"all\"]"), "assets[0]: \"all\" is not a UUID such as"),
        (assets("[1]"), "assets[0] must be an id, not 1"),
        (assets("[{\"name\":\"x\"}]"), "assets[0] must be an id or {\"id\": …, \"name\": …}"),
        (assets(&format!("[\"{A}\",\"{upper}\"]")), "assets[1] repeats assets[0]"),
        (changes("[{\"create\":{}}]"), "changes[0]: unknown operation \"create\""),
        (
            changes("[{\"increment\":{\"asset\":\"1\",\"counter\":\"reuse\"}}]"),
            "changes[0].increment: \"1\" is not a UUID",
        ),
        (changes(&format!("[{{\"edit\":{{\"asset\":\"{A}\",\"edits\":[]}}}}]")), "changes[0].edit.edits is empty"),
        (
            changes(&format!("[{{\"edit\":{{\"asset\":\"{A}\",\"edits\":[{{\"field\":\"name\",\"to\":1}}]}}}}]")),
            "changes[0].edit: name must be a string, not 1",
        ),
    ] {
        let refused = refused(&text);
        assert!(refused.contains(message), "{text}: {refused}");
    }
}

#[test]
fn duplicate_changes_are_refused_and_different_changes_of_one_asset_are_not() {
    let change = |counter: &str| format!(r#"{{"increment":{{"asset":"{A}","counter":"{counter}"}}}}"#);
    let plan = |a: &str, b: &str| format!(r#"{{"version":1,"changes":[{},{}]}}"#, change(a), change(b));
    assert!(refused(&plan("reuse", "reuse")).contains("changes[1] repeats changes[0]"));
    assert!(PlanFile::read(plan("reuse", "update").as_bytes()).is_ok());
}
