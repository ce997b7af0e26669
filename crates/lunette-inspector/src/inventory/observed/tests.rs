//! Tests of what counts as a change of the inventory.

use super::*;

fn observed(version: &str, status: &str) -> Observed {
    Observed { name: "Editor".to_owned(), version: version.to_owned(), status: status.to_owned(), usage: None }
}

fn one(key: &str, version: &str, status: &str) -> AppList {
    answer([(key.to_owned(), observed(version, status))])
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + second).expect("a time")
}

/// Returns the state after responses at these seconds, with all changes.
fn after(answers: &[(i64, &AppList)]) -> (BTreeMap<String, StoredApp>, Vec<Change>) {
    let (mut known, mut changes): (Option<BTreeMap<_, _>>, _) = (None, Vec::new());
    for (second, answer) in answers {
        let found = compare(Source::Tracked, known.as_ref(), answer, at(*second), SETTLED);
        changes.extend(found.changes);
        let kept = known.get_or_insert_default();
        for (key, now) in found.known {
            match now {
                Some(now) => drop(kept.insert(key, now)),
                None => drop(kept.remove(&key)),
            }
        }
    }
    (known.unwrap_or_default(), changes)
}

fn tokens(changes: &[Change]) -> Vec<(&str, &str)> {
    changes.iter().map(|change| (change.key.as_str(), change.what.token())).collect()
}

#[test]
fn the_first_response_is_not_a_change() {
    let (known, changes) = after(&[(0, &one("editor", "1.0", "Onboarded"))]);
    assert_eq!((known.len(), changes.len()), (1, 0));
}

#[test]
fn one_added_one_removed_and_one_changed_give_exactly_three_changes() {
    let before =
        answer([("a", "1.0"), ("b", "1.0"), ("c", "1.9")].map(|(key, version)| (key.into(), observed(version, ""))));
    let now =
        answer([("a", "1.0"), ("c", "1.10"), ("d", "2.0")].map(|(key, version)| (key.into(), observed(version, ""))));
    let (known, changes) = after(&[(0, &before), (10, &now), (10 + SETTLED.as_secs() as i64, &now)]);
    assert_eq!(tokens(&changes), [("c", "upgraded"), ("d", "added"), ("b", "removed")]);
    assert_eq!(changes[2].at, at(10), "it is gone since it was missing first");
    assert_eq!(known.keys().collect::<Vec<_>>(), ["a", "c", "d"]);
}

#[test]
fn an_application_missing_in_one_response_is_not_a_change() {
    let (all, none) = (one("editor", "1.0", ""), AppList::new());
    let (known, changes) = after(&[(0, &all), (10, &none), (20, &none), (35, &all), (500, &all)]);
    assert_eq!(changes, []);
    assert_eq!(known["editor"].missing, None);
}

#[test]
fn a_response_with_the_same_applications_changes_nothing() {
    let all = one("editor", "1.0", "Onboarded");
    let (known, _) = after(&[(0, &all)]);
    assert_eq!(compare(Source::Tracked, Some(&known), &all, at(9), SETTLED), Comparison::default());
}

#[test]
fn a_lower_version_is_a_downgrade_and_a_new_status_a_change() {
    let (_, changes) = after(&[(0, &one("e", "2.0", "Onboarded")), (1, &one("e", "1.9", "Not onboarded"))]);
    assert_eq!(tokens(&changes), [("e", "downgraded"), ("e", "status")]);
    assert_eq!(changes[0].description(), "Downgraded: 2.0 → 1.9");
    assert_eq!(changes[1].description(), "Onboarded → Not onboarded");
}

#[test]
fn two_applications_with_one_key_are_both_listed() {
    let answer = answer([("e".to_owned(), observed("2.0", "")), ("e".to_owned(), observed("1.0", ""))]);
    let versions: Vec<_> = answer.iter().map(|(key, seen)| (key.as_str(), seen.version.as_str())).collect();
    assert_eq!(versions, [("e", "1.0"), ("e#2", "2.0")]);
}

#[test]
fn a_hostile_response_is_bounded() {
    let names = (0..20_000).map(|number| (format!("{number}{}", "x".repeat(10_000)), observed(&"9".repeat(5_000), "")));
    let many = answer(names);
    assert_eq!(many.len(), MAX_APPLICATIONS);
    assert!(many.iter().all(|(key, seen)| key.len() <= 130 && seen.version.len() <= MAX_CHARACTERS));
    let (_, changes) = after(&[(0, &AppList::new()), (1, &many)]);
    assert_eq!(changes.len(), MAX_CHANGES);
}

#[test]
fn use_of_an_application_and_values_that_are_not_told_are_no_changes() {
    let (known, changes) = after(&[
        (0, &one("e", "2.0", "Idle")),
        (1, &one("e", "2.0", "Onboarded")),
        (2, &one("e", "2.0", "Idle")),
        (3, &one("e", "", "")),
        (4, &one("e", "2.0", "Onboarded")),
    ]);
    assert_eq!(changes, []);
    assert_eq!(known["e"].last, observed("2.0", "Onboarded"));
}
