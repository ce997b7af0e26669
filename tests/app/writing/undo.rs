//! Undo and redo: what was done one by one is taken back one by one, and nothing else is touched.

use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{AssetSnapshot, AssetUpdate};
use lunette_inspector::action::{AssetsAction, HistoryAction, ImportAction, WriteAction};
use lunette_inspector::assets::content::original;
use lunette_inspector::change::fingerprint::VOLATILE;
use lunette_inspector::change::{Change, Counter, Edit, Field, Item, LinkKind, description, linked};
use lunette_inspector::journal::{EntryId, EntryKind, EntryRelation, Outcome};
use lunette_inspector::{Action, State};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::stage::Stage;
use crate::support::assets::{self, record};

/// How many operations a sequence has.
const OPERATIONS: usize = 200;

/// Gives the field of an asset a new value, as it is now known to have another.
fn edit(stage: &Stage, asset: &AssetId, field: Field, to: Value) -> Change {
    let tree = stage.tree(asset);
    let from = Some(field.value(View::of(&tree)));
    Change::Edit { asset: asset.clone(), edits: vec![Edit { field, from, to }] }
}

fn rename(stage: &Stage, asset: &AssetId, to: &str) -> Action {
    Action::Write(WriteAction::Change(edit(stage, asset, Field::Name, to.into())))
}

/// Changes the asset as another client would.
fn behind(stage: &Stage, asset: &AssetId, field: &str, value: Value) {
    let mut tree = stage.tree(asset);
    tree[field] = value;
    stage.call(AssetUpdate { transferables: None, asset: Some(record(tree)) }).expect("updated");
}

fn name(stage: &Stage, asset: &AssetId) -> Value {
    stage.tree(asset)["name"].clone()
}

fn tag(stage: &Stage, text: &str) -> Item {
    let id = stage.wait_for(assets::tag(&stage.client(), text)).to_string();
    Item::new(LinkKind::Tag, &id, text, None)
}

fn can(state: &State) -> (bool, bool) {
    (state.history.undoable(&state.connection, &state.bulk.runs).is_some(), state.history.redoable().is_some())
}

#[test]
fn a_step_is_undone_redone_and_undone_again_after_a_restart() {
    let mut stage = Stage::new();
    let asset = stage.asset("before", "text");
    stage.perform(rename(&stage, &asset, "after"));
    assert_eq!((name(&stage, &asset), can(stage.state())), ("after".into(), (true, false)));
    stage.perform(HistoryAction::Undo);
    assert_eq!((name(&stage, &asset), can(stage.state())), ("before".into(), (false, true)));
    stage.perform(HistoryAction::Redo);
    assert_eq!((name(&stage, &asset), can(stage.state())), ("after".into(), (true, false)));
    stage.restart();
    assert_eq!(can(stage.state()), (true, false));
    stage.confirm(Action::History(HistoryAction::Undo));
    assert_eq!(name(&stage, &asset), "before");
    stage.restart();
    assert_eq!(can(stage.state()), (false, true));
    stage.confirm(Action::History(HistoryAction::Redo));
    assert_eq!(name(&stage, &asset), "after");
}

#[test]
fn a_new_step_clears_redo() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    stage.perform(rename(&stage, &asset, "b"));
    stage.perform(HistoryAction::Undo);
    stage.perform(rename(&stage, &asset, "c"));
    assert_eq!(can(stage.state()), (true, false));
    stage.perform(HistoryAction::Redo);
    assert_eq!(name(&stage, &asset), "c");
}

#[test]
fn long_values_are_shortened_in_messages() {
    let mut stage = Stage::new();
    let asset = stage.asset("before", "text");
    stage.perform(rename(&stage, &asset, "after"));
    behind(&stage, &asset, "name", "x".repeat(30_000).into());
    stage.perform(HistoryAction::Undo);
    let message = stage.notice();
    assert!(message.starts_with("Could not undo: the name changed to “xxx"), "{message:.200}");
    assert!(message.len() < 500 && message.ends_with("x…” in the meantime"), "{} bytes: {message:.300}", message.len());
}

#[test]
fn undo_refuses_when_a_second_client_changed_the_field() {
    let mut stage = Stage::new();
    let asset = stage.asset("before", "text");
    stage.perform(rename(&stage, &asset, "after"));
    behind(&stage, &asset, "name", "theirs".into());
    let writes = stage.writes();
    stage.perform(HistoryAction::Undo);
    assert_eq!(stage.notice(), "Could not undo: the name changed to “theirs” in the meantime");
    assert_eq!((stage.writes(), name(&stage, &asset)), (writes, "theirs".into()));
    assert_eq!(can(stage.state()), (true, false));
    behind(&stage, &asset, "name", "after".into());
    stage.perform(HistoryAction::Undo);
    assert_eq!(name(&stage, &asset), "before");
}

#[test]
fn undo_refuses_to_remove_a_link_that_no_longer_exists() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    let item = tag(&stage, "rust");
    stage.perform(WriteAction::Change(Change::Link { asset: asset.clone(), item: item.clone() }));
    let unlink = lunette_client::operation::table::AssetDisassociateTag {
        asset: asset.clone(),
        tag: item.id.parse().expect("an id"),
    };
    stage.call(unlink).expect("unlinked");
    let writes = stage.writes();
    stage.perform(HistoryAction::Undo);
    assert_eq!(stage.notice(), "Could not undo: the tag “rust” is no longer linked");
    assert_eq!((stage.writes(), can(stage.state())), (writes, (true, false)));
}

#[test]
fn redo_refuses_when_a_second_client_changed_the_field() {
    let mut stage = Stage::new();
    let asset = stage.asset("before", "text");
    stage.perform(rename(&stage, &asset, "after"));
    stage.perform(HistoryAction::Undo);
    behind(&stage, &asset, "name", "theirs".into());
    let writes = stage.writes();
    stage.perform(HistoryAction::Redo);
    assert_eq!(stage.notice(), "Could not redo: the name changed to “theirs” in the meantime");
    assert_eq!((stage.writes(), can(stage.state())), (writes, (false, true)));
}

#[test]
fn undo_preserves_changes_of_other_fields() {
    let mut stage = Stage::new();
    let asset = stage.asset("before", "text");
    stage.perform(rename(&stage, &asset, "after"));
    behind(&stage, &asset, "x_theirs", json!({ "kept": 1 }));
    stage.perform(HistoryAction::Undo);
    let tree = stage.tree(&asset);
    assert_eq!((&tree["name"], &tree["x_theirs"]), (&"before".into(), &json!({ "kept": 1 })));
}

#[test]
fn undo_deletes_an_asset_created_from_text_unless_it_was_changed() {
    let mut stage = Stage::new();
    let make = |name: &str| Action::Import(ImportAction::Create { name: name.to_owned(), text: "text".to_owned() });
    stage.perform(make("a.txt"));
    let EntryKind::Change(made @ Change::Create { .. }) = &stage.last().kind else { panic!("{:?}", stage.last()) };
    let asset = made.asset().clone();
    assert_eq!(stage.state().notifications.outcome.as_ref().and_then(|outcome| outcome.undo), Some(stage.last().id));
    stage.restart();
    stage.confirm(Action::History(HistoryAction::Undo));
    assert!(stage.call(AssetSnapshot { asset, transferables: None }).is_err());
    assert_eq!(can(stage.state()), (false, true));
    stage.perform(make("b.txt"));
    let asset = match &stage.last().kind {
        EntryKind::Change(made) => made.asset().clone(),
        other => panic!("{other:?}"),
    };
    behind(&stage, &asset, "favorited", true.into());
    stage.perform(HistoryAction::Undo);
    assert!(stage.notice().starts_with("Could not undo: the asset changed"), "{}", stage.notice());
    assert_eq!(name(&stage, &asset), "b.txt");
}

#[test]
fn undo_and_redo_of_a_new_link_do_not_create_its_item_twice() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    let (id, kind, text) = (asset.clone(), LinkKind::Tag, "new".to_owned());
    stage.perform(WriteAction::Change(Change::LinkNew { asset: id, kind, text, url: None, unlink: vec![] }));
    assert!(matches!(&stage.last().kind, EntryKind::Change(Change::Link { .. })), "{:?}", stage.last());
    let linked = |stage: &Stage| linked(View::<Asset>::of(&stage.tree(&asset)), LinkKind::Tag);
    let made = linked(&stage);
    stage.perform(HistoryAction::Undo);
    assert_eq!(linked(&stage), []);
    stage.perform(HistoryAction::Redo);
    assert_eq!(linked(&stage), made);
}

#[test]
fn undo_reverts_a_description_added_or_removed_by_a_raw_edit() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    let raw = |stage: &mut Stage, edit: fn(&mut Value)| {
        let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
        let from = lunette_client::model::record::Record::into_tree(stage.call(call).expect("the asset"));
        let mut to = from.clone();
        edit(&mut to);
        stage.perform(WriteAction::Change(Change::Record { asset: asset.clone(), from, to }));
        stage.perform(WriteAction::ApplyPlan);
    };
    let described = |stage: &Stage| description(View::of(&stage.tree(&asset))).map(str::to_owned);
    let without = compared(stage.tree(&asset));
    raw(&mut stage, |tree| {
        let moment = json!({ "value": "2024-05-01T12:00:00Z" });
        tree["annotations"]["iterable"] = json!([
            { "id": "mine", "created": moment, "updated": moment, "type": "DESCRIPTION", "text": "what it is for" }
        ]);
    });
    let with = compared(stage.tree(&asset));
    assert_eq!(described(&stage).as_deref(), Some("what it is for"));
    raw(&mut stage, |tree| tree["annotations"]["iterable"] = json!([]));
    assert_eq!(described(&stage), None);
    stage.perform(HistoryAction::Undo);
    assert_eq!(compared(stage.tree(&asset)), with);
    stage.perform(HistoryAction::Undo);
    assert_eq!(compared(stage.tree(&asset)), without);
}

/// One thing a user does to one of the assets.
#[derive(Clone, Debug)]
enum Doing {
    Link(usize),
    Unlink(usize),
    LinkNew(LinkKind, u8),
    Rename(u8),
    Describe(u8),
    Favourite(bool),
    Reclassify(usize),
    Raw(u8, Option<u8>),
    Increment(Counter),
}

const LANGUAGES: [&str; 4] = ["rs", "py", "md", "txt"];

fn doings() -> impl Strategy<Value = Vec<(usize, Doing)>> {
    let kind = prop::sample::select(LinkKind::ALL.to_vec());
    let doing = prop_oneof![
        (0..9_usize).prop_map(Doing::Link),
        (0..9_usize).prop_map(Doing::Unlink),
        (kind, 0..20_u8).prop_map(|(kind, name)| Doing::LinkNew(kind, name)),
        (0..20_u8).prop_map(Doing::Rename),
        (0..4_u8).prop_map(Doing::Describe),
        any::<bool>().prop_map(Doing::Favourite),
        (0..LANGUAGES.len()).prop_map(Doing::Reclassify),
        (0..3_u8, prop::option::of(0..9_u8)).prop_map(|(field, value)| Doing::Raw(field, value)),
        prop::sample::select(Counter::ALL.to_vec()).prop_map(Doing::Increment),
    ];
    prop::collection::vec((0..3_usize, doing), OPERATIONS)
}

/// Three assets, and nine items to link.
fn world(stage: &Stage) -> (Vec<AssetId>, Vec<Item>) {
    let assets = (0..3).map(|number| stage.asset(&format!("asset {number}"), "text")).collect();
    let client = stage.client();
    let mut items = Vec::new();
    for number in 0..3 {
        let text = format!("item {number}");
        let url = format!("https://example.test/{number}");
        let ids = stage.wait_for(async {
            [
                (LinkKind::Tag, assets::tag(&client, &text).await.to_string(), None),
                (LinkKind::Website, assets::website(&client, &url).await.to_string(), Some(url)),
                (LinkKind::Summary, assets::summary(&client, &text).await.to_string(), None),
            ]
        });
        items.extend(ids.map(|(kind, id, url)| Item::new(kind, &id, text.clone(), url)));
    }
    (assets, items)
}

/// Does one thing, as the window would: with what it sees, and applying the plan where one is shown.
fn act(stage: &mut Stage, asset: &AssetId, items: &[Item], doing: &Doing) {
    let tree = stage.tree(asset);
    let view = View::<Asset>::of(&tree);
    let asset = asset.clone();
    let edit = |field: Field, to: Value| Change::Edit {
        asset: asset.clone(),
        edits: vec![Edit { field, from: Some(field.value(view)), to }],
    };
    let change = match doing {
        Doing::Link(item) => Change::Link { asset, item: items[*item].clone() },
        Doing::Unlink(item) => Change::Unlink { asset, item: items[*item].clone() },
        Doing::LinkNew(kind, name) => {
            let url = (*kind == LinkKind::Website).then(|| format!("https://example.test/new/{name}"));
            Change::LinkNew { asset, kind: *kind, text: format!("new {name}"), url, unlink: Vec::new() }
        }
        Doing::Rename(name) => edit(Field::Name, format!("name {name}").into()),
        Doing::Describe(0) => edit(Field::Description, "".into()),
        Doing::Describe(text) => edit(Field::Description, format!("text {text}").into()),
        Doing::Favourite(on) => edit(Field::Favorited, (*on).into()),
        Doing::Reclassify(to) => {
            let from = original(view).map(|format| format.classification().specific().to_owned());
            Change::Reclassify { asset, from, to: LANGUAGES[*to].to_owned() }
        }
        Doing::Raw(field, value) => {
            let from = stage.state().assets.pages.of.get(&asset).and_then(|page| page.record.value());
            let from = from
                .map_or_else(|| tree.clone(), |asset| lunette_client::model::record::Record::tree(&**asset).clone());
            Change::Record { asset, to: with(from.clone(), *field, *value), from }
        }
        Doing::Increment(counter) => Change::Increment { asset, counter: *counter, from: None },
    };
    let review = change.needs_review(stage.state().connection.recovery());
    stage.perform(WriteAction::Change(change));
    if review {
        stage.perform(WriteAction::ApplyPlan);
    }
}

/// The record with an unknown field set, or taken away.
fn with(mut record: Value, field: u8, value: Option<u8>) -> Value {
    let field = format!("x_{field}");
    match (value, record.as_object_mut()) {
        (Some(value), _) => record[field] = json!({ "deep": [value, { "of": 1.10 }] }),
        (None, Some(fields)) => drop(fields.shift_remove(&field)),
        (None, None) => {}
    }
    record
}

/// What must be the same: all but activities, scores and the moments of change.
fn compared(mut tree: Value) -> Value {
    fn still(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|name, _| !VOLATILE.contains(&name.as_str()));
                fields.values_mut().for_each(still);
            }
            Value::Array(items) => items.iter_mut().for_each(still),
            _ => {}
        }
    }
    still(&mut tree);
    tree
}

/// Undoes one step, going past those that cannot be undone as a user would; gives which.
fn undo_one(stage: &mut Stage) -> Option<EntryId> {
    loop {
        let state = stage.state();
        let last = state.history.last()?.clone();
        let (asked, target) = match state.history.undo_obstacle(&last, &state.connection, &state.bulk.runs) {
            None => (Action::History(HistoryAction::Undo), last),
            Some(_) => (Action::History(HistoryAction::UndoBefore(last.id)), state.history.before(last.id)?.clone()),
        };
        let can = state.history.undo_obstacle(&target, &state.connection, &state.bulk.runs).is_none();
        stage.confirm(asked);
        if can {
            return Some(target.id);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn undoing_any_sequence_of_changes_restores_every_asset(
        doings in doings(),
        restart_at in 0..OPERATIONS / 2,
    ) {
        let mut stage = Stage::new();
        let (assets, items) = world(&stage);
        let trees = |stage: &Stage| assets.iter().map(|asset| compared(stage.tree(asset))).collect::<Vec<_>>();
        let before = trees(&stage);
        // The raw editor begins with a record that was read without content.
        for asset in &assets {
            stage.perform(AssetsAction::Open(asset.clone()));
        }
        for (asset, doing) in &doings {
            act(&mut stage, &assets[*asset], &items, doing);
        }
        let done = stage.state().history.entries.clone();
        prop_assert!(done.iter().all(|entry| entry.outcome == Outcome::Done), "{:?}", stage.state().notifications.notices);
        prop_assert_eq!(stage.state().notifications.notices.len(), 0, "{:?}", stage.state().notifications.notices);
        let after = trees(&stage);
        let mut undone = 0;
        while let Some(step) = undo_one(&mut stage) {
            if undone == restart_at {
                let history = stage.state().history.entries.clone();
                stage.restart();
                prop_assert_eq!(&stage.state().history.entries, &history);
            }
            prop_assert_eq!(stage.last().answers, EntryRelation::Undoes(step), "{:?}", stage.state().notifications.notices);
            prop_assert_eq!(&stage.last().outcome, &Outcome::Done);
            undone += 1;
        }
        prop_assert!(undone > OPERATIONS / 4, "only {} steps were undone", undone);
        prop_assert_eq!(trees(&stage), before);
        while stage.state().history.redoable().is_some() {
            stage.confirm(Action::History(HistoryAction::Redo));
            prop_assert_eq!(&stage.last().outcome, &Outcome::Done, "{:?}", stage.state().notifications.notices);
        }
        prop_assert_eq!(trees(&stage), after);
        prop_assert!(description(View::of(&stage.tree(&assets[0]))).is_none_or(|text| !text.is_empty()));
    }
}
