//! What is said of versions of which something is not known.

use super::*;

/// The notes of versions, given newest first, each as what is told of it besides its number.
fn notes(of_list: Json, versions: &[Json]) -> Vec<String> {
    let numbered = |(index, told): (usize, &Json)| {
        let mut version = json!({ "version": versions.len() - index + 4, "current": index == 0, "changed": [] });
        version.as_object_mut().expect("fields").extend(told.as_object().expect("fields").clone());
        version
    };
    let mut tree = json!({
        "asset": "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159", "from_creation": false, "kept": {},
        "iterable": versions.iter().enumerate().map(numbered).collect::<Vec<_>>(),
    });
    tree.as_object_mut().expect("fields").extend(of_list.as_object().expect("fields").clone());
    let rows = VersionRow::all(&AssetVersions::from_tree(tree).expect("versions"));
    rows.into_iter().map(|row| row.note).collect()
}

fn written(changed: &[&str]) -> Json {
    json!({ "at": { "value": "2026-01-01T10:00:00Z" }, "client": "lunette/1", "changed": changed })
}

#[test]
fn a_version_of_which_only_its_number_is_known_says_why() {
    let newest = written(&["name"]);
    assert_eq!(
        notes(json!({ "ended": 4 }), &[newest.clone(), json!({})])[1],
        "the version before it is no longer kept: what changed, when and by whom is not known"
    );
    assert_eq!(
        notes(json!({}), &[newest, json!({})])[1],
        "what the asset was before is not recorded: what changed, when and by whom is not known"
    );
    assert_eq!(
        notes(json!({ "ended": 4 }), &[json!({})]),
        ["now; the version before it is no longer kept: what changed, when and by whom is not known"]
    );
}

#[test]
fn a_version_that_was_written_while_none_were_kept_says_so() {
    let known = written(&["created"]);
    assert_eq!(
        notes(json!({}), &[json!({ "changed": ["name"] }), known.clone()])[0],
        "now; written while no versions were kept: when and by whom is not known"
    );
    let lost = json!({ "missing": "it was not recorded" });
    assert_eq!(
        notes(json!({}), &[json!({}), lost, known]),
        [
            "now; written while no versions were kept: what changed, when and by whom is not known",
            "missing: it was not recorded",
            ""
        ]
    );
}

#[test]
fn a_version_after_one_that_cannot_be_read_says_that_what_changed_is_not_known() {
    for why in ["it was forgotten", "it is damaged, or depends on a version that is"] {
        let said = notes(json!({}), &[written(&[]), json!({ "missing": why }), written(&["created"])]);
        let missing = format!("missing: {why}");
        assert_eq!(
            said,
            ["now; the version before it cannot be read: what changed is not known", missing.as_str(), ""]
        );
    }
}

#[test]
fn a_version_of_which_everything_is_known_has_no_note() {
    assert_eq!(notes(json!({}), &[written(&["name"]), written(&["created"])]), ["now", ""]);
}

#[test]
fn no_row_tells_nothing_but_its_number() {
    let states = [json!({}), written(&[]), written(&["name"]), json!({ "changed": ["name"] })];
    let states = states.iter().chain([&json!({ "missing": "it was forgotten" })]).cloned().collect::<Vec<_>>();
    for of_list in [json!({}), json!({ "ended": 4 })] {
        for newer in &states {
            for older in &states {
                let said = notes(of_list.clone(), &[json!({ "at": newer["at"] }), newer.clone(), older.clone()]);
                let told = [newer, older].map(|state| state["changed"].as_array().is_some_and(|all| !all.is_empty()));
                assert!(said[1..].iter().zip(told).all(|(note, told)| told || !note.is_empty()), "{newer} {older}");
            }
        }
    }
}
