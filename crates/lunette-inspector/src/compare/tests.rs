//! Claims about any texts and bytes, and about records.

use std::collections::BTreeSet;
use std::time::Instant;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::change::{Change, LinkKind};
use lunette_client::model::View;
use lunette_client::model::id::AssetId;

fn side(text: &str) -> Arc<Side> {
    Arc::new(Side { title: "a".to_owned(), body: Body::text(text), ..Side::default() })
}

fn bytes(bytes: Vec<u8>) -> Arc<Side> {
    Arc::new(Side { body: Body::Bytes(bytes.into()), ..Side::default() })
}

fn record(fields: serde_json::Value) -> Side {
    Side { record: Some(fields), links: Some(Vec::new()), ..Side::default() }
}

fn compare(left: Side, right: Side) -> Comparison {
    Comparison::of(Arc::new(left), Arc::new(right), Whitespace::Exact)
}

/// Lines from a small alphabet, so that many are equal, with and without an end.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![Just("a"), Just("b"), Just(""), Just("  c d"), Just("é\r"), Just("\u{202e}x"), Just("a b")];
    (prop::collection::vec(line, 0..40), any::<bool>()).prop_map(|(lines, ended)| {
        let mut text = lines.join("\n");
        if ended {
            text.push('\n');
        }
        text
    })
}

/// Applies a unified diff, as `patch` does.
fn patched(text: &str, patch: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut out, mut next) = (String::new(), 0);
    let mut patch = patch.split_inclusive('\n').peekable();
    while let Some(line) = patch.next() {
        if let Some(head) = line.strip_prefix("@@ -") {
            let (start, rest) = head.split_once([',', ' ']).expect("a position");
            let start: usize = start.parse().expect("a number");
            let start = if rest.starts_with("0 ") { start } else { start - 1 };
            out.extend(lines[next..start].iter().copied());
            next = start;
            continue;
        }
        let unended = patch.peek().is_some_and(|next| next.starts_with('\\'));
        let (sign, content) = line.split_at(1);
        let content = if unended { content.trim_end_matches('\n') } else { content };
        match sign {
            " " | "-" => {
                assert_eq!(lines[next], content);
                next += 1;
            }
            _ => {}
        }
        if sign == " " || sign == "+" {
            out.push_str(content);
        }
    }
    out.extend(lines[next..].iter().copied());
    out
}

proptest! {
    #[test]
    fn taking_all_changed_parts_gives_the_other_text(left in text(), right in text()) {
        let diff = texts(&left, &right);
        prop_assert_eq!(diff.with_hunks(Position::Left, |_| true), right.as_str());
        prop_assert_eq!(diff.with_hunks(Position::Right, |_| true), left.as_str());
        prop_assert_eq!(diff.with_hunks(Position::Left, |_| false), left.as_str());
        prop_assert_eq!(diff.hunks.is_empty(), left == right);
    }

    #[test]
    fn the_unified_format_turns_one_text_into_the_other(left in text(), right in text()) {
        prop_assert_eq!(patched(&left, &unified(&texts(&left, &right))), right);
    }

    #[test]
    fn every_line_has_its_row_in_either_layout(left in text(), right in text(), open in prop::collection::btree_set(0_usize..6, 0..6)) {
        let diff = texts(&left, &right);
        for layout in [Layout::SideBySide, Layout::Inline] {
            let rows = Rows::of(&diff, layout, &open);
            let mut next = [0, 0];
            for row in (0..rows.len()).map(|row| rows.get(row).expect("a row")) {
                let lines = match row {
                    Row::Equal([left, right]) => [left..left + 1, right..right + 1],
                    Row::Changed(_, lines) => [0, 1].map(|side| lines[side].map_or(next[side]..next[side], |line| line..line + 1)),
                    Row::Fold(_, lines) => lines,
                };
                for side in 0..2 {
                    prop_assert_eq!(lines[side].start, next[side]);
                    next[side] = lines[side].end;
                }
            }
            prop_assert_eq!(next, [0, 1].map(|side| diff.lines[side].len() as u32));
            prop_assert_eq!(rows.get(rows.len()), None);
            for at in Position::ALL {
                for line in 0..diff.side(at).len() as u32 {
                    let row = rows.row_of_line(at, line).and_then(|row| rows.get(row)).expect("a row");
                    let side = at.index();
                    let has_it = match row {
                        Row::Equal(lines) => lines[side] == line,
                        Row::Changed(_, lines) => lines[side] == Some(line),
                        Row::Fold(_, lines) => lines[side].contains(&line),
                    };
                    prop_assert!(has_it);
                }
            }
        }
    }

    #[test]
    fn ignored_whitespace_is_no_difference(left in text()) {
        let spaced: String = left.chars().flat_map(|letter| if letter == '\n' { vec!['\t', letter] } else { vec![letter, ' '] }).collect();
        let diff = TextDiff::of(left.as_str().into(), spaced.as_str().into(), Whitespace::Ignored);
        prop_assert_eq!(diff.hunks, vec![]);
    }

    #[test]
    fn words_that_did_not_change_are_equal(left in "[a-c é.\u{1f600}]{0,30}", right in "[a-c é.\u{1f600}]{0,30}") {
        let rest = |line: &str, changed: &[std::ops::Range<usize>]| {
            let mut rest = line.to_owned();
            changed.iter().rev().for_each(|range| rest.replace_range(range.clone(), ""));
            rest
        };
        let [one, other] = changed_words(&left, &right);
        prop_assert_eq!(rest(&left, &one), rest(&right, &other));
        prop_assert_eq!(one.is_empty() && other.is_empty(), left == right);
    }

    #[test]
    fn any_bytes_are_compared(left in prop::collection::vec(any::<u8>(), 0..200), right in prop::collection::vec(any::<u8>(), 0..200)) {
        let equal = left == right;
        let comparison = Comparison::of(bytes(left), bytes(right), Whitespace::Exact);
        prop_assert_eq!(comparison.is_equal(), equal);
    }
}

#[test]
fn a_text_without_a_last_line_feed_differs_from_one_with_it() {
    let diff = texts("a\nb", "a\nb\n");
    assert_eq!(unified(&diff), "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
    assert_eq!(unified(&texts("", "a\n")), "@@ -0,0 +1 @@\n+a\n");
    assert_eq!(unified(&texts("a\r\n", "a\n")), "@@ -1 +1 @@\n-a\r\n+a\n");
}

#[test]
fn distant_changes_are_folded_apart_and_near_ones_share_their_context() {
    let text = |changed: &[u32]| -> String {
        (0..40).map(|line| if changed.contains(&line) { "new\n".to_owned() } else { format!("{line}\n") }).collect()
    };
    let diff = texts(&text(&[]), &text(&[5, 30]));
    assert_eq!(unified(&diff).matches("@@ -").count(), 2);
    assert_eq!(unified(&texts(&text(&[]), &text(&[5, 12]))).matches("@@ -").count(), 1);
    let rows = Rows::of(&diff, Layout::SideBySide, &BTreeSet::new());
    let folds = (0..rows.len()).filter(|row| matches!(rows.get(*row), Some(Row::Fold(..)))).count();
    assert_eq!(folds, 3);
    let open = Rows::of(&diff, Layout::SideBySide, &BTreeSet::from([0, 1, 2]));
    assert_eq!((open.len(), open.row_of_hunk(1)), (40, Some(30)));
}

#[test]
fn lines_of_a_megabyte_are_compared_within_their_common_ends() {
    let long = "é".repeat(500_000);
    let (left, right) = (format!("{long}a{long}\nsame\n"), format!("{long}bc{long}\nsame\n"));
    let begun = Instant::now();
    let diff = texts(&left, &right);
    assert_eq!(diff.hunks.len(), 1);
    let [one, other] = changed_words(diff.lines[0].line(0), diff.lines[1].line(0));
    assert_eq!((&left[one[0].clone()], &right[other[0].clone()]), ("a", "bc"));
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn few_lines_that_repeat_in_no_order_are_one_change_and_it_is_said() {
    // A linear congruential generator: the same texts every time.
    let text = |seed: u64| -> String {
        let mut state = seed;
        let mut line = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            format!("{}\n", state >> 61)
        };
        (0..200_000).map(|_| line()).collect()
    };
    let comparison = Comparison::of(side(&text(1)), side(&text(2)), Whitespace::Exact);
    let diff = comparison.text().expect("texts");
    assert!(diff.coarse && diff.hunks.len() == 1);
    assert!(comparison.left_out()[0].starts_with("The texts are too long and too unlike"));
    assert_eq!(diff.with_hunks(Position::Left, |_| true), text(2));
}

#[test]
fn both_texts_are_searched_in_either_case() {
    let diff = texts("One\ntwo\nthree\n", "one\nTWO TWO\nthree\n");
    let found = find(&diff, "two");
    let places: Vec<_> = found.iter().map(|found| (found.at, found.line, found.range.clone())).collect();
    assert_eq!(places, [(Position::Left, 1, 0..3), (Position::Right, 1, 0..3), (Position::Right, 1, 4..7)]);
    assert_eq!(find(&diff, ""), []);
}

#[test]
fn bytes_are_told_by_size_hash_and_first_difference() {
    let comparison = Comparison::of(bytes(vec![0, 1, 2]), bytes(vec![0, 1]), Whitespace::Exact);
    let ContentDiff::Bytes(diff) = &comparison.content else { panic!("bytes: {:?}", comparison.content) };
    assert_eq!((diff.sizes, diff.first), ([3, 2], Some(2)));
    assert_ne!(diff.sha256[0], diff.sha256[1]);
}

#[test]
fn what_is_too_large_is_named() {
    let comparison = Comparison::of(bytes(vec![0; MAX_BYTES + 1]), side("a"), Whitespace::Exact);
    assert!(!comparison.is_equal());
    let left_out = comparison.left_out();
    assert!(left_out[0].starts_with("The contents are not compared: the left is 10"), "{left_out:?}");
}

#[test]
fn the_fields_and_links_that_differ_are_listed() {
    let tag = |id: &str| Item::new(LinkKind::Tag, id, id, None);
    let mut left = record(json!({ "name": "a", "size": 1 }));
    let mut right = record(json!({ "name": "b", "size": 1, "description": "new" }));
    left.links = Some(vec![tag("1"), tag("2")]);
    right.links = Some(vec![tag("2"), tag("3")]);
    let comparison = compare(left, right);
    let paths: Vec<_> = comparison.fields.iter().map(|field| field.path.to_string()).collect();
    assert_eq!(paths, ["$.name", "$.description"]);
    let links: Vec<_> = comparison.links.iter().map(|link| (link.item.name(), link.on)).collect();
    assert_eq!(links, [("1", Position::Left), ("3", Position::Right)]);
}

#[test]
fn two_copies_of_an_asset_are_the_same() {
    let asset = |id: &str, time: &str| {
        json!({
            "id": id, "name": "a", "created": { "value": time }, "updated": { "value": time }, "mine": 1,
            "formats": { "iterable": [{ "id": id }] }, "score": { "reuse": 1 },
            "annotations": { "iterable": [{ "id": id, "type": "DESCRIPTION", "text": "about" }] },
        })
    };
    let [one, other] = [asset("1", "2024"), asset("2", "2025")].map(|tree| asset_record(View::of(&tree)));
    assert_eq!(one, other);
    assert_eq!(one, json!({ "name": "a", "mine": 1, "description": "about" }));
}

#[test]
fn a_part_is_taken_over_by_a_change_that_holds_what_it_replaces() {
    let asset = AssetId::random();
    let target = |side: Side| Side { target: Some(asset.clone()), ..side };
    let with_text = |side: Side, text: &str| Side { body: Body::text(text), ..side };
    let left = target(with_text(record(json!({ "name": "a", "size": 1 })), "a\nb\nc\nd\n"));
    let right = with_text(record(json!({ "name": "b", "size": 2 })), "a\nB\nc\nD\n");
    let comparison = compare(left, right);
    assert_eq!(
        comparison.copy_part(Position::Left, &CopyPart::Hunks(vec![1])),
        Ok(Change::Text { asset: asset.clone(), from: "a\nb\nc\nd\n".to_owned(), to: "a\nb\nc\nD\n".to_owned() })
    );
    let Ok(Change::Edit { edits, .. }) = comparison.copy_part(Position::Left, &CopyPart::Field(0)) else {
        panic!("an edit")
    };
    assert_eq!((edits[0].from.clone(), edits[0].to.clone()), (Some(json!("a")), json!("b")));
    assert_eq!(comparison.copy_part(Position::Left, &CopyPart::Field(1)), Err(CopyPartError::ReadOnly));
    assert_eq!(comparison.copy_part(Position::Right, &CopyPart::Text), Err(CopyPartError::Fixed));
    assert_eq!(comparison.copy_part(Position::Left, &CopyPart::Hunks(vec![2])), Err(CopyPartError::Gone));
}

#[test]
fn a_link_of_one_side_is_linked_or_unlinked() {
    let asset = AssetId::random();
    let tag = Item::new(LinkKind::Tag, "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159", "t", None);
    let linked = Side { links: Some(vec![tag.clone()]), target: Some(asset.clone()), ..Side::default() };
    let bare = Side { links: Some(Vec::new()), target: Some(asset.clone()), ..Side::default() };
    let comparison = compare(linked, bare);
    let unlink = Change::Unlink { asset: asset.clone(), item: tag.clone() };
    assert_eq!(comparison.copy_part(Position::Left, &CopyPart::Link(0)), Ok(unlink));
    assert_eq!(comparison.copy_part(Position::Right, &CopyPart::Link(0)), Ok(Change::Link { asset, item: tag }));
}
