//! Undo that cannot hurt: what deletes for good, touches many or is from before shows its plan; nothing is passed over silently,
//! nothing sticks, and nothing is done twice.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetDisassociateTag, AssetSnapshot, AssetsSnapshot, TagsCreateNewTag,
};
use lunette_inspector::action::{BulkAction, HistoryAction, ImportAction, WriteAction};
use lunette_inspector::bulk::BulkJob;
use lunette_inspector::change::{Change, Counter, Edit, Field, Item, LinkKind};
use lunette_inspector::embedded::{Backup, Ownership, ServiceStatus};
use lunette_inspector::journal::{Outcome, Partly};
use lunette_inspector::notifications::Notice;
use lunette_inspector::runs::{BackupFirst, BulkOperation};
use lunette_inspector::session::Status;
use lunette_inspector::{Action, BoxFuture, EmbeddedError, EmbeddedService, State};

use crate::inspector::{Environment, Inspector};
use crate::stage::Stage;
use crate::support::assets;
use crate::writing::undo_deleted::without_trash;

/// How many files an import has.
const FILES: usize = 50;

fn count(environment: &Environment) -> usize {
    let list = AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: None, limit: None, offset: None };
    environment.call(list).expect("the assets").view().iterable().iter().count()
}

/// Imports so many files, and closes the window.
fn imported(environment: &Environment) {
    let folder = environment.folder.path().join("files");
    fs::create_dir(&folder).expect("a folder");
    for number in 0..FILES {
        fs::write(folder.join(format!("{number}.txt")), format!("text {number}")).expect("a file");
    }
    let mut inspector = environment.open_up();
    inspector.perform(ImportAction::Import(vec![folder]));
    inspector.until_idle();
    assert_eq!(count(environment), FILES);
}

fn writes(inspector: &Inspector) -> usize {
    inspector.state().session.log.iter().filter(|line| line.calls.is_none() && line.info.writes()).count()
}

fn last_notice(state: &State) -> &Notice {
    state.notifications.notices.last().expect("a notice")
}

/// Presses a button of the last notice.
fn press(stage: &mut Stage, label: &str) {
    let offer = last_notice(stage.state()).offers.iter().find(|offer| offer.label == label).cloned();
    for action in
        offer.unwrap_or_else(|| panic!("{label:?} is offered: {:?}", stage.state().notifications.notices)).actions
    {
        stage.confirm(action);
    }
}

fn rename(asset: &AssetId, from: &str, to: &str) -> Action {
    let edits = vec![Edit { field: Field::Name, from: Some(from.into()), to: to.into() }];
    Action::Write(WriteAction::Change(Change::Edit { asset: asset.clone(), edits }))
}

#[test]
fn ctrl_z_after_a_restart_shows_the_plan_of_undoing_an_import_and_deletes_nothing() {
    let environment = Environment::new();
    imported(&environment);
    let mut inspector = environment.open_up();
    for key in [
        Action::History(HistoryAction::Undo),
        Action::History(HistoryAction::Undo),
        Action::History(HistoryAction::Redo),
    ] {
        inspector.perform(key);
        inspector.until_idle();
        assert_eq!((count(&environment), writes(&inspector), inspector.state().history.entries.len()), (FILES, 0, 1));
    }
    let draft = inspector.state().bulk.draft.as_ref().expect("the plan is open");
    assert_eq!((draft.title.as_str(), draft.assets.len()), ("Undo: imported files", FILES));
    let BulkJob::Answer(answer) = &draft.job else { panic!("{:?}", draft.job) };
    assert!(matches!(answer.backup, BackupFirst::Impossible(_)), "this window runs no service: {:?}", answer.backup);
    inspector.perform(BulkAction::Dismiss);
    inspector.until_idle();
    assert_eq!((count(&environment), writes(&inspector), inspector.state().history.entries.len()), (FILES, 0, 1));
    // Confirmed it is undone, and redone with the same assets.
    inspector.confirm(Action::History(HistoryAction::Undo));
    assert_eq!(count(&environment), 0);
    inspector.confirm(Action::History(HistoryAction::Redo));
    assert_eq!(count(&environment), FILES);
    inspector.confirm(Action::History(HistoryAction::Undo));
    assert_eq!(count(&environment), 0, "what came back unchanged can be undone again");
}

#[test]
fn undoing_a_creation_without_a_trash_or_an_earlier_step_shows_a_plan_and_cancel_sends_nothing() {
    let mut stage = without_trash();
    let asset = stage.asset("a", "text");
    stage.perform(rename(&asset, "a", "b"));
    stage.perform(ImportAction::Create { name: "made.txt".to_owned(), text: "text".to_owned() });
    let sent = stage.writes();
    stage.perform(HistoryAction::Undo);
    let planned = stage.state().write.planned.clone().expect("its plan");
    assert!(matches!(planned.change, Change::Delete { .. }), "{:?}", planned.change);
    assert_eq!((planned.title.as_deref(), stage.writes()), (Some("Undo: created “made.txt”"), sent));
    stage.perform(WriteAction::DismissPlan);
    assert_eq!((stage.writes(), stage.state().notifications.notices.len()), (sent, 0));
    stage.confirm(Action::History(HistoryAction::Undo));
    stage.restart();
    stage.perform(HistoryAction::Undo);
    assert!(stage.state().write.planned.is_some(), "it is from before this window");
    assert_eq!(stage.tree(&asset)["name"], "b");
    stage.perform(WriteAction::ApplyPlan);
    assert_eq!(stage.tree(&asset)["name"], "a");
    // What was undone here is redone at once, and undone at once again.
    stage.perform(HistoryAction::Redo);
    assert_eq!(stage.tree(&asset)["name"], "b");
}

#[test]
fn undo_stops_at_an_irreversible_step_unless_the_user_skips_it() {
    let mut stage = Stage::new();
    let asset = stage.asset("a", "text");
    stage.perform(rename(&asset, "a", "b"));
    stage.perform(rename(&asset, "b", "c"));
    stage.confirm(Action::Write(WriteAction::Change(Change::Increment {
        asset: asset.clone(),
        counter: Counter::Reuse,
        from: None,
    })));
    let sent = stage.writes();
    for _ in 0..3 {
        stage.perform(HistoryAction::Undo);
        assert_eq!((stage.writes(), &stage.tree(&asset)["name"]), (sent, &"c".into()));
        let message = &last_notice(stage.state()).text;
        assert_eq!(message, "“Incremented reuse” cannot be undone: a score cannot be decremented");
    }
    press(&mut stage, "Undo the step before");
    assert_eq!(stage.tree(&asset)["name"], "b");
    // It was passed over on the user's word, and stays so until there is a new step.
    stage.perform(HistoryAction::Undo);
    assert_eq!(stage.tree(&asset)["name"], "a");
    let tag = Some(assets::record(serde_json::json!({ "text": "x" })));
    stage.perform(WriteAction::Send(Box::new(TagsCreateNewTag { transferables: None, tag }.into())));
    stage.perform(HistoryAction::Undo);
    let message = &last_notice(stage.state()).text;
    assert!(message.starts_with("“Sent tagsCreateNewTag” cannot be undone"), "{message}");
}

#[test]
fn a_refused_undo_is_reported_and_offers_the_previous_step() {
    let mut stage = Stage::new();
    let (first, second) = (stage.asset("a", "text"), stage.asset("x", "text"));
    stage.perform(rename(&first, "a", "b"));
    stage.perform(rename(&second, "x", "y"));
    stage.call(lunette_client::operation::table::AssetsDeleteAsset { asset: second }).expect("deleted elsewhere");
    stage.perform(HistoryAction::Undo);
    assert!(last_notice(stage.state()).text.starts_with("Could not undo"), "{}", stage.notice());
    assert_eq!(stage.tree(&first)["name"], "b");
    press(&mut stage, "Undo the step before");
    assert_eq!(stage.tree(&first)["name"], "a");
}

/// Three assets with a tag that was linked by one run, after a rename of another asset.
fn tagged(environment: &Environment) -> (Inspector, AssetId, Vec<AssetId>, Item) {
    let client = environment.client();
    let (other, ids, tag) = environment.runtime.block_on(async {
        let mut ids = Vec::new();
        for number in 0..3 {
            ids.push(assets::text_asset(&client, &format!("asset {number}"), "text").await);
        }
        (assets::text_asset(&client, "old", "other").await, ids, assets::tag(&client, "rust").await.to_string())
    });
    let item = Item::new(LinkKind::Tag, &tag, "rust", None);
    let mut inspector = environment.open_up();
    inspector.perform(rename(&other, "old", "new"));
    inspector.until_idle();
    let named = ids.iter().map(|id| (id.clone(), id.to_string())).collect();
    inspector.confirm(Action::Bulk(BulkAction::Plan(BulkOperation::Link(item.clone()), Arc::new(named))));
    (inspector, other, ids, item)
}

fn tags(environment: &Environment, ids: &[AssetId]) -> Vec<usize> {
    let of = |id: &AssetId| environment.runtime.block_on(assets::tree(&environment.client(), id));
    ids.iter().map(|id| of(id)["tags"]["iterable"].as_array().map_or(0, Vec::len)).collect()
}

#[test]
fn a_partly_undone_batch_is_not_the_next_step_and_only_its_rest_is_undone_later() {
    let environment = Environment::new();
    let (mut inspector, other, ids, item) = tagged(&environment);
    let tag = |id: &AssetId| (id.clone(), item.id.parse().expect("a tag's id"));
    let (asset, id) = tag(&ids[1]);
    environment.call(AssetDisassociateTag { asset, tag: id }).expect("unlinked elsewhere");
    inspector.confirm(Action::History(HistoryAction::Undo));
    let message = "Undid 2 of 3; 1 could not be undone: the tag “rust” is no longer linked";
    assert_eq!(last_notice(inspector.state()).text, message);
    let batch = inspector.state().history.entries[1].clone();
    assert_eq!((batch.undone, batch.partly), (false, Some(Partly { undone: 2, of: 3, unclear: false })));
    let why = "1 of 3 failed".to_owned();
    assert_eq!(inspector.state().history.entries[2].outcome, Outcome::Partly { done: 2, of: 3, why });
    // It is no longer the next step: that is the one before it.
    inspector.perform(HistoryAction::Undo);
    inspector.until_idle();
    assert_eq!(environment.runtime.block_on(assets::tree(&environment.client(), &other))["name"], "old");
    // A restart knows as much, and undoes the rest once it can be undone.
    drop(inspector);
    let (asset, id) = tag(&ids[1]);
    environment.call(AssetAssociateTag { asset, tag: id }).expect("linked again elsewhere");
    let mut inspector = environment.open_up();
    assert_eq!(inspector.state().history.entries[1].partly, batch.partly);
    inspector.perform(HistoryAction::UndoStep(batch.id));
    inspector.until_idle();
    assert_eq!(inspector.state().bulk.draft.as_ref().map(|draft| draft.assets.len()), Some(1), "the row that is left");
    inspector.perform(BulkAction::Start);
    inspector.until_idle();
    assert_eq!((tags(&environment, &ids), writes(&inspector)), (vec![0, 0, 0], 1));
    assert!(inspector.state().history.entry(batch.id).is_some_and(|entry| entry.undone));
    // All three are redone, each from what undid it.
    inspector.confirm(Action::History(HistoryAction::UndoStep(inspector.state().history.entries[2].id)));
    assert_eq!(tags(&environment, &ids), [1, 1, 1]);
    assert!(inspector.state().history.entry(batch.id).is_some_and(|entry| !entry.undone && entry.partly.is_none()));
}

#[test]
fn retrying_an_undo_sends_only_its_failed_rows() {
    let environment = Environment::new();
    let (mut inspector, _, ids, item) = tagged(&environment);
    let tag = item.id.parse().expect("a tag's id");
    let asset = ids[1].clone();
    environment.call(AssetDisassociateTag { asset, tag }).expect("unlinked elsewhere");
    inspector.confirm(Action::History(HistoryAction::Undo));
    let sent = writes(&inspector);
    let (asset, tag) = (ids[1].clone(), item.id.parse().expect("a tag's id"));
    environment.call(AssetAssociateTag { asset, tag }).expect("linked again elsewhere");
    let retry = last_notice(inspector.state()).offers[0].clone();
    assert_eq!(retry.label, "Retry");
    retry.actions.into_iter().for_each(|action| inspector.perform(action));
    inspector.until_idle();
    assert_eq!((writes(&inspector) - sent, tags(&environment, &ids)), (1, vec![0, 0, 0]));
    assert!(inspector.state().history.entries[1].undone);
    assert_eq!(inspector.state().history.entries[2].outcome, Outcome::Done);
}

#[test]
fn a_batch_with_nothing_left_to_undo_does_not_block_undo() {
    let environment = Environment::new();
    let (mut inspector, other, ids, item) = tagged(&environment);
    for id in &ids {
        let tag = item.id.parse().expect("a tag's id");
        environment.call(AssetDisassociateTag { asset: id.clone(), tag }).expect("unlinked elsewhere");
    }
    inspector.confirm(Action::History(HistoryAction::Undo));
    let message = &last_notice(inspector.state()).text;
    assert!(message.contains("was not undone; 3 could not be undone: the tag “rust”"), "{message}");
    assert!(matches!(inspector.state().history.entries[2].outcome, Outcome::Failed(_)));
    inspector.perform(HistoryAction::Undo);
    inspector.until_idle();
    assert_eq!(environment.runtime.block_on(assets::tree(&environment.client(), &other))["name"], "old");
}

/// An embedded service that this window runs, and whose backups fail until they are let.
struct Own {
    url: String,
    lets: AtomicBool,
    made: AtomicUsize,
}

impl EmbeddedService for Own {
    fn start(&self) -> BoxFuture<Result<String, EmbeddedError>> {
        let url = self.url.clone();
        Box::pin(async move { Ok(url) })
    }

    fn look(&self) -> ServiceStatus {
        ServiceStatus { whose: Ownership::Own, ..ServiceStatus::default() }
    }

    fn backups(&self) -> BoxFuture<Result<Vec<Backup>, EmbeddedError>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn back_up(&self) -> BoxFuture<Result<Backup, EmbeddedError>> {
        let lets = self.lets.load(Ordering::SeqCst);
        self.made.fetch_add(usize::from(lets), Ordering::SeqCst);
        Box::pin(async move {
            let taken = jiff::Timestamp::now();
            let backup = Backup { path: "/backup".into(), taken, bytes: 1, cause: "by hand" };
            if lets { Ok(backup) } else { Err(EmbeddedError::Failed("the disk is full".to_owned())) }
        })
    }
}

#[test]
fn bulk_deletions_start_only_after_a_backup() {
    let environment = Environment::new();
    imported(&environment);
    let own = Arc::new(Own { url: environment.url(), lets: AtomicBool::new(false), made: AtomicUsize::new(0) });
    let mut inspector = environment.open_with(Arc::<Own>::clone(&own));
    inspector.until("it is up", |state| state.connection.status == Status::Up);
    inspector.until_idle();
    inspector.confirm(Action::History(HistoryAction::Undo));
    let message = &last_notice(inspector.state()).text;
    assert_eq!(message, "Could not start “Undo: imported files”: the backup failed: the disk is full");
    assert_eq!((count(&environment), writes(&inspector), inspector.state().embedded.busy), (FILES, 0, None));
    own.lets.store(true, Ordering::SeqCst);
    inspector.confirm(Action::History(HistoryAction::Undo));
    assert_eq!((count(&environment), own.made.load(Ordering::SeqCst)), (0, 1));
}

#[test]
fn undo_skips_fields_changed_since_and_reports_them() {
    let environment = Environment::new();
    imported(&environment);
    let mut inspector = environment.open_up();
    inspector.perform(HistoryAction::Undo);
    inspector.until_idle();
    let changed = inspector.state().bulk.draft.as_ref().expect("the plan").assets[7].0.clone();
    let tag = environment.runtime.block_on(assets::tag(&environment.client(), "mine"));
    environment.call(AssetAssociateTag { asset: changed.clone(), tag }).expect("linked");
    inspector.perform(BulkAction::Start);
    inspector.until_idle();
    assert_eq!(count(&environment), 1);
    environment.call(AssetSnapshot { asset: changed, transferables: None }).expect("the asset");
    let message = &last_notice(inspector.state()).text;
    assert_eq!(message, "Undid 49 of 50; 1 could not be undone: the asset changed in the meantime");
}
