//! Comparisons of made-up sides with known differences.

use std::collections::BTreeMap;
use std::sync::Arc;

use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::compare::Position;
use crate::listing::{Query, apply_query};

/// An asset as its record tells it.
#[derive(Clone, Debug, PartialEq)]
struct Made {
    id: String,
    name: String,
    content: String,
    /// `None` where the side leaves its tags out.
    tags: Option<Vec<String>>,
}

impl Made {
    fn of(number: usize) -> Self {
        let id = format!("00000000-0000-4000-8000-{number:012x}");
        let tags = Some(vec![format!("tag {}", number % 7)]);
        Self { id, name: format!("{number}.txt"), content: format!("content {number}"), tags }
    }

    fn record(&self) -> Asset {
        let at = json!({ "value": "2026-01-01T00:00:00Z" });
        let mut tree = json!({
            "id": self.id, "name": self.name, "creator": self.id, "created": at, "updated": at, "mechanism": "MANUAL",
            "favorited": false, "annotations": { "iterable": [] },
            "websites": { "iterable": [] }, "summaries": { "iterable": [] }, "formats": { "iterable": [] },
            "original": { "id": "f", "reference": {
                "classification": { "generic": "TEXT", "specific": "txt" },
                "fragment": { "string": { "raw": self.content } },
            } },
            "preview": { "base": { "id": "f" } },
        });
        if let Some(tags) = &self.tags {
            let tags: Vec<Value> =
                tags.iter().map(|text| json!({ "id": format!("id of {text}"), "text": text })).collect();
            tree["tags"] = json!({ "iterable": tags });
        }
        Asset::from_any(tree).expect("an object")
    }

    fn facts(&self) -> Arc<Facts> {
        Arc::new(Facts::of_record(self.record().view()))
    }
}

fn compared(left: &[Made], right: &[Made]) -> Comparison {
    let side = |name: &str, made: &[Made]| Side::known(name, made.iter().map(Made::facts).collect());
    let sides = Sides { left: side("left", left), right: side("right", right) };
    Comparison::of(Arc::new(sides), Matches::default(), Arc::default())
}

/// What is done to an asset on the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Difference {
    Same,
    Content,
    Name,
    Tag,
    Removed,
    Added,
    /// It has another id there.
    Moved,
    /// The right side leaves its tags out.
    Untold,
}

impl Difference {
    const ALL: [Self; 8] =
        [Self::Same, Self::Content, Self::Name, Self::Tag, Self::Removed, Self::Added, Self::Moved, Self::Untold];

    /// The two sides of an asset, and the state and the differing parts of its row.
    fn apply(self, made: Made) -> ([Option<Made>; 2], RowState, Vec<Part>) {
        let with = |change: &dyn Fn(&mut Made)| {
            let mut other = made.clone();
            change(&mut other);
            [Some(made.clone()), Some(other)]
        };
        match self {
            Self::Same => (with(&|_| {}), RowState::Same, Vec::new()),
            Self::Content => {
                (with(&|other| other.content.push_str(", changed")), RowState::Different, vec![Part::Content])
            }
            Self::Name => (with(&|other| other.name.push_str(".bak")), RowState::Different, vec![Part::Name]),
            Self::Tag => {
                (with(&|other| other.tags = Some(vec!["another".to_owned()])), RowState::Different, vec![Part::Tags])
            }
            Self::Removed => ([Some(made), None], RowState::OnlyLeft, Vec::new()),
            Self::Added => ([None, Some(made)], RowState::OnlyRight, Vec::new()),
            Self::Moved => (with(&|other| other.id = other.id.replace("4000", "4abc")), RowState::Same, Vec::new()),
            Self::Untold => (with(&|other| other.tags = None), RowState::NotTold, Vec::new()),
        }
    }
}

proptest! {
    #[test]
    fn a_comparison_finds_all_known_differences_and_only_these(
        differences in proptest::collection::vec(proptest::sample::select(Difference::ALL.to_vec()), 0..60),
        shuffle in any::<u64>(),
    ) {
        let (mut left, mut right, mut expected) = (Vec::new(), Vec::new(), BTreeMap::new());
        for (number, difference) in differences.into_iter().enumerate() {
            let ([one, other], state, parts) = difference.apply(Made::of(number));
            let id = |made: &Option<Made>| made.as_ref().map(|made| made.id.clone());
            expected.insert((id(&one), id(&other)), (state, parts));
            left.extend(one);
            right.extend(other);
        }
        let turn = if right.is_empty() { 0 } else { (shuffle % right.len() as u64) as usize };
        right.rotate_left(turn);
        let comparison = compared(&left, &right);
        let found: BTreeMap<_, _> = comparison
            .rows
            .iter()
            .map(|row| {
                let id = |at| row.side(at).map(|facts: &Facts| facts.id.to_string());
                ((id(Position::Left), id(Position::Right)), (row.state, row.differs.iter().collect::<Vec<_>>()))
            })
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn the_sides_can_be_exchanged(count in 0_usize..20, gone in 0_usize..20) {
        let left: Vec<Made> = (0..count).map(Made::of).collect();
        let right: Vec<Made> = (gone..count.max(gone)).map(Made::of).collect();
        let (one, other) = (compared(&left, &right), compared(&right, &left));
        prop_assert_eq!(one.counts.of(RowState::OnlyLeft), other.counts.of(RowState::OnlyRight));
        prop_assert_eq!(one.counts.of(RowState::Same), other.counts.of(RowState::Same));
    }
}

#[test]
fn what_is_not_told_is_a_state_of_its_own_and_what_was_not_read_to_its_end_lacks_nothing() {
    let whole = [Made::of(1)];
    let untold = [Made { tags: None, ..Made::of(1) }];
    let comparison = compared(&whole, &untold);
    assert_eq!(comparison.counts.of(RowState::NotTold), 1);
    assert_eq!(comparison.counts.differences(), 0);
    assert_eq!(comparison.rows.get(0).map(|row| row.untold.names()), Some("tags".to_owned()));

    let mut right = Side::known("right", Vec::new());
    right.complete = false;
    let sides = Sides { left: Side::known("left", vec![Made::of(1).facts()]), right };
    let comparison = Comparison::of(Arc::new(sides), Matches::default(), Arc::default());
    assert_eq!(comparison.counts.of(RowState::NotTold), 1, "it may be there");
}

#[test]
fn assets_are_matched_by_id_then_by_content_then_by_a_name_that_they_alone_have() {
    let other = |number: usize, id: usize| Made { id: Made::of(id).id, ..Made::of(number) };
    let left = [Made::of(1), Made::of(2), Made::of(3), Made::of(4)];
    let renamed = Made { content: "new".to_owned(), ..other(3, 103) };
    let twice = |id: usize| Made { content: format!("new {id}"), ..other(4, id) };
    let right = [Made { content: "new 1".to_owned(), ..Made::of(1) }, other(2, 102), renamed, twice(104), twice(105)];
    let comparison = compared(&left, &right);
    let by: Vec<_> = comparison.rows.iter().map(|row| (row.matched, row.state)).collect();
    assert_eq!(
        by,
        [
            (Some(Match::Id), RowState::Different),
            (Some(Match::Name), RowState::Different),
            (None, RowState::OnlyLeft),
            (None, RowState::OnlyRight),
            (None, RowState::OnlyRight),
            (Some(Match::Content), RowState::Same),
        ],
        "what differs comes first"
    );
    assert_eq!(comparison.counts.of(RowState::OnlyRight), 2, "a name that two have says nothing");

    let left = comparison.rows.get(2).and_then(|row| row.sides[0].clone()).expect("an asset");
    let right: Arc<str> = Made::of(105).id.into();
    let made = comparison.with_match(Arc::clone(&left.id), Arc::clone(&right));
    assert_eq!(made.rows.get(2).map(|row| (row.matched, row.state)), Some((Some(Match::Hand), RowState::Different)));
    let undone = made.without_match(Arc::clone(&left.id), right);
    assert_eq!(undone.counts, comparison.counts);
    let first: Arc<str> = Made::of(1).id.into();
    let apart = comparison.without_match(Arc::clone(&first), first);
    assert_eq!(apart.counts.of(RowState::OnlyLeft), 2, "an id does not match what people separated");
}

#[test]
fn a_conflict_is_what_both_sides_changed_since_they_were_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let before = compared(&[Made::of(1), Made::of(2), Made::of(3)], &[Made::of(1), Made::of(2), Made::of(3)]);
    Base::default().after(before.rows.iter().map(|row| &**row)).save(folder.path(), ["a", "b"]).expect("saved");
    let changed = |number: usize, text: &str| Made { content: text.to_owned(), ..Made::of(number) };
    let (left, right) = ([changed(1, "x"), changed(2, "x"), Made::of(3)], [changed(1, "y"), Made::of(2), Made::of(3)]);
    let side = |made: &[Made]| Side::known("side", made.iter().map(Made::facts).collect());
    let sides = Arc::new(Sides { left: side(&left), right: side(&right) });
    let of = |base| Comparison::of(Arc::clone(&sides), Matches::default(), Arc::new(base));
    let comparison = of(Base::load(folder.path(), ["a", "b"]));
    let states: Vec<_> = comparison.rows.iter().map(|row| (row.state, row.changed.and_then(Changed::as_str))).collect();
    assert_eq!(
        states,
        [(RowState::Conflict, Some("both")), (RowState::Different, Some("left")), (RowState::Same, None),]
    );
    let again = Base::load(folder.path(), ["a", "b"]).after(comparison.rows.iter().map(|row| &**row));
    assert_eq!(of(again).counts, comparison.counts, "a conflict is one until it is decided");
    assert_eq!(of(Base::load(folder.path(), ["a", "c"])).counts.of(RowState::Conflict), 0, "nothing is known of these");
    let then: Vec<Arc<Facts>> = (1..=3).map(|number| Made::of(number).facts()).collect();
    let checkpoint = of(Base::of_checkpoint(then.iter().map(|facts| &**facts)));
    assert_eq!(checkpoint.counts, comparison.counts);
}

#[test]
fn rows_are_filtered_by_their_state_and_by_what_differs() {
    let left = [Made::of(1), Made::of(2), Made { content: "x".to_owned(), ..Made::of(3) }];
    let comparison = compared(&left, &[Made::of(1), Made::of(3)]);
    let shown = |text: &str| {
        let filter = crate::filter::parse(text, crate::filter::List::Sides).expect("a filter");
        apply_query(&comparison.rows, &Query { filter, ..Query::default() })
    };
    assert_eq!(shown("state:only-left"), [0]);
    assert_eq!(shown("state:\"only left\""), [0]);
    assert_eq!(shown("differs:content"), [1]);
    assert_eq!(shown("tag:\"tag 1\" 1.txt"), [2]);
    assert_eq!(shown("-state:same"), [0, 1]);
}
