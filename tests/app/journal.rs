//! The journal of a connection: what a restart finds, what a crash leaves, what a second window sees.

use std::fs;

use lunette::app::Action;
use lunette::app::action::{AssetsAction, BulkAction, HistoryAction, ImportAction, SessionAction};
use lunette::app::bulk::{Ledger, RowStatus, RunStatus};
use lunette::app::change::Change;
use lunette::app::change::fingerprint::Fingerprint;
use lunette::app::journal::{EntryKind, EntryRelation, Outcome};
use lunette::app::session::Status;
use lunette::app::settings::Target;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, AssetSnapshot, AssetsSnapshot};

use crate::desk::{Desk, Ground, REFUSE_STEPS};
use crate::support::assets::{tag, text_asset};

fn import_samples(desk: &mut Desk) {
    desk.perform(ImportAction::Samples);
    desk.until_idle();
}

/// How many assets the service has.
fn count(ground: &Ground) -> usize {
    let assets = ground
        .call(AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: None, limit: None, offset: None })
        .expect("the assets");
    assets.view().iterable().iter().count()
}

/// What the first step made, as it was made.
fn made(desk: &Desk) -> Vec<(AssetId, Fingerprint)> {
    let EntryKind::Batch { run, .. } = desk.state().history.entries[0].deed else { panic!("a batch") };
    let made = desk.state().history.runs[&run].rows.iter().map(|row| match row.done.as_deref() {
        Some(Change::Create { asset, made, .. }) => (asset.clone(), made.clone()),
        other => panic!("{other:?}"),
    });
    made.collect()
}

#[test]
fn an_import_is_one_step_that_survives_a_restart() {
    let ground = Ground::new();
    let mut desk = ground.open_up();
    import_samples(&mut desk);
    let [step] = desk.state().history.entries.as_slice() else { panic!("one step") };
    assert_eq!((step.title.as_str(), &step.outcome), ("Imported samples", &Outcome::Done));
    assert_eq!(desk.state().notifications.outcome.as_ref().and_then(|outcome| outcome.undo), Some(step.id));
    let before = desk.state().history.entries.clone();
    drop(desk);
    let desk = ground.open_up();
    assert_eq!(desk.state().history.entries, before);
    assert_eq!(desk.state().history.said, None);
}

#[test]
fn the_ledger_of_an_import_records_the_assets_as_the_service_stored_them() {
    let ground = Ground::new();
    let mut desk = ground.open_up();
    import_samples(&mut desk);
    let EntryKind::Batch { run, count: all } = desk.state().history.entries[0].deed else { panic!("a batch") };
    let (kept, said) = Ledger::read(&ground.runs(), run).expect("the ledger");
    assert_eq!((kept.run.rows.len(), &kept.run.status, said), (all, &RunStatus::Ended, None));
    assert_eq!(kept.run, desk.state().history.runs[&run]);
    assert_eq!(count(&ground), all);
    for row in kept.run.rows.iter() {
        let asset = ground.call(AssetSnapshot { asset: row.asset.clone(), transferables: Some(false) });
        let now = Fingerprint::of(asset.expect("the asset").tree());
        let Some(Change::Create { made, .. }) = row.done.as_deref() else { panic!("{row:?}") };
        assert_eq!((&row.status, made), (&RowStatus::Done, &now), "{}", row.name);
    }
}

#[test]
fn undo_of_an_import_leaves_assets_that_existed_before() {
    let ground = Ground::new();
    let mut desk = ground.open_up();
    import_samples(&mut desk);
    import_samples(&mut desk);
    let step = &desk.state().history.entries[1];
    assert_eq!(step.outcome, Outcome::Failed("nothing new was imported".to_owned()));
    let EntryKind::Batch { run, .. } = step.deed else { panic!("a batch") };
    assert_eq!(desk.state().history.runs[&run].rows.len(), 0);
    assert_eq!(desk.state().notifications.outcome.as_ref().and_then(|outcome| outcome.undo), None);
}

#[test]
fn creating_an_asset_from_text_is_a_step() {
    let ground = Ground::new();
    let mut desk = ground.open_up();
    desk.perform(ImportAction::Create { name: "notes".to_owned(), text: "some text".to_owned() });
    desk.until_idle();
    let step = &desk.state().history.entries[0];
    assert_eq!((step.title.as_str(), &step.outcome), ("Created “notes”", &Outcome::Done));
    assert_eq!(desk.state().notifications.outcome.as_ref().and_then(|outcome| outcome.undo), Some(step.id));
}

#[test]
fn a_truncated_journal_is_reported_and_loses_only_the_cut_entries() {
    let ground = Ground::new();
    let mut desk = ground.open_up();
    import_samples(&mut desk);
    desk.perform(ImportAction::Create { name: "notes".to_owned(), text: "some text".to_owned() });
    desk.until_idle();
    drop(desk);
    let last = "id = (SELECT max(id) FROM step_line)";
    ground.execute(&format!("UPDATE step_line SET line = substr(line, 1, length(line) - 9) WHERE {last}"));
    let mut desk = ground.open_up();
    let said = desk.state().history.said.clone().expect("said");
    assert!(said.starts_with("Skipped 1 unreadable line of the history"), "{said}");
    assert!(desk.state().notifications.notices.iter().any(|notice| notice.text == said));
    let outcomes: Vec<_> = desk.state().history.entries.iter().map(|step| step.outcome.clone()).collect();
    assert_eq!(outcomes[0], Outcome::Done);
    assert!(matches!(outcomes[1], Outcome::Unknown(_)), "{outcomes:?}");
    // What is noted from now on stands behind the piece, and is read.
    desk.perform(ImportAction::Create { name: "more".to_owned(), text: "more text".to_owned() });
    desk.until_idle();
    drop(desk);
    let titles: Vec<_> = ground.open_up().state().history.entries.iter().map(|step| step.title.clone()).collect();
    assert_eq!(titles, ["Imported samples", "Created “notes”", "Created “more”"]);
}

#[test]
fn without_a_journal_reads_work_and_writes_are_refused() {
    let ground = Ground::new();
    fs::write(ground.journals(), "a file is in the way").expect("written");
    let mut desk = ground.open_up();
    let said = desk.state().history.said.clone().expect("said");
    assert!(said.starts_with("Changes are not possible: cannot create the history folder"), "{said}");
    assert!(desk.state().assets.list.rows.value().is_some());
    import_samples(&mut desk);
    let summary = desk.state().import.summary.clone().expect("a report");
    assert_eq!((summary.taken, summary.refused.len(), summary.cancelled), (0, 0, false));
    assert!(summary.stopped.as_ref().is_some_and(|why| why.contains("cannot create the history folder")), "{summary}");
    desk.perform(ImportAction::Create { name: "notes".to_owned(), text: "some text".to_owned() });
    desk.until_idle();
    assert_eq!(count(&ground), 0);
    assert_eq!(desk.state().history.entries, []);
}

#[test]
fn an_unwritable_journal_stops_an_import_before_it_sends() {
    let ground = Ground::new();
    let mut desk = ground.open_up();
    ground.execute(REFUSE_STEPS);
    import_samples(&mut desk);
    let stopped = desk.state().import.summary.as_ref().and_then(|summary| summary.stopped.clone()).expect("why");
    assert!(stopped.contains("must be recorded before it is sent: cannot write the history"), "{stopped}");
    assert_eq!(count(&ground), 0);
}

#[test]
fn two_windows_share_one_journal() {
    let ground = Ground::new();
    let (mut one, mut two) = (ground.open_up(), ground.open_up());
    for number in 0..5 {
        for desk in [&mut one, &mut two] {
            desk.perform(ImportAction::Create { name: number.to_string(), text: number.to_string() });
        }
        one.until_idle();
        two.until_idle();
    }
    let desk = ground.open_up();
    let entries = &desk.state().history.entries;
    assert_eq!((entries.len(), &desk.state().history.said), (10, &None));
    assert!(entries.iter().all(|step| step.outcome == Outcome::Done));
}

#[test]
fn a_pending_step_completes_in_the_history_during_a_reconnect() {
    let ground = Ground::new();
    let mut desk = ground.open_up();
    for number in 1..=10 {
        desk.perform(ImportAction::Create { name: number.to_string(), text: number.to_string() });
        desk.perform(SessionAction::Reconnect);
        desk.until("it is up", |state| state.connection.status == Status::Up);
        desk.until_idle();
        let outcomes: Vec<_> = desk.state().history.entries.iter().map(|step| step.outcome.clone()).collect();
        assert_eq!(outcomes, vec![Outcome::Done; number]);
    }
}

#[test]
fn viewing_an_imported_asset_does_not_count_as_changing_it() {
    let ground = Ground::new();
    let mut desk = ground.open_up();
    import_samples(&mut desk);
    let made = made(&desk);
    assert!(!made.is_empty());
    for (asset, made) in made {
        desk.perform(AssetsAction::Open(asset.clone()));
        desk.perform(AssetsAction::LoadActivities(asset.clone()));
        desk.until_idle();
        let asset = ground.call(AssetSnapshot { asset, transferables: Some(false) });
        assert_eq!(Fingerprint::of(asset.expect("the asset").tree()), made);
    }
}

#[test]
fn undo_after_a_restart_deletes_exactly_the_imported_assets() {
    let ground = Ground::new();
    let own = ground.runtime.block_on(text_asset(&ground.client(), "own", "my own text"));
    let mut desk = ground.open_up();
    import_samples(&mut desk);
    let import = desk.state().history.entries[0].id;
    drop(desk);
    let mut desk = ground.open_up();
    desk.confirm(Action::History(HistoryAction::Undo));
    desk.until_idle();
    let [first, back] = desk.state().history.entries.as_slice() else { panic!("two steps") };
    assert_eq!((&back.answers, &back.outcome, first.undone), (&EntryRelation::Undoes(import), &Outcome::Done, true));
    assert_eq!(count(&ground), 1);
    ground.call(AssetSnapshot { asset: own, transferables: None }).expect("the user's own asset");
    drop(desk);
    assert!(ground.open_up().state().history.entries[0].undone);
}

#[test]
fn an_interrupted_import_is_marked_ended_and_can_be_undone_after_a_restart() {
    let ground = Ground::new();
    let mut desk = ground.open_up();
    import_samples(&mut desk);
    let EntryKind::Batch { run, .. } = desk.state().history.entries[0].deed else { panic!("a batch") };
    drop(desk);
    // As a crash leaves it: neither the ledger nor the journal has its end.
    for table in ["run_line", "step_line"] {
        ground.execute(&format!("DELETE FROM {table} WHERE id = (SELECT max(id) FROM {table})"));
    }
    let mut desk = ground.open_up();
    assert!(matches!(desk.state().history.entries[0].outcome, Outcome::Unknown(_)));
    assert_eq!(desk.state().history.runs[&run].status, RunStatus::Interrupted);
    desk.perform(BulkAction::Resume(run));
    desk.until_idle();
    assert_eq!(desk.state().history.entries[0].outcome, Outcome::Done);
    desk.confirm(Action::History(HistoryAction::Undo));
    desk.until_idle();
    assert_eq!(count(&ground), 0);
}

#[test]
fn undo_of_an_import_does_not_delete_assets_changed_since() {
    let ground = Ground::new();
    let mut desk = ground.open_up();
    import_samples(&mut desk);
    let (changed, _) = made(&desk)[0].clone();
    let client = ground.client();
    let tag = ground.runtime.block_on(tag(&client, "mine"));
    ground.call(AssetAssociateTag { asset: changed.clone(), tag }).expect("linked");
    desk.confirm(Action::History(HistoryAction::Undo));
    desk.until_idle();
    assert_eq!(count(&ground), 1);
    ground.call(AssetSnapshot { asset: changed, transferables: None }).expect("the asset");
}

#[test]
fn importing_a_folder_is_one_step_even_if_cancelled() {
    let ground = Ground::new();
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..40 {
        fs::write(folder.path().join(format!("{number}.txt")), format!("text {number}")).expect("written");
    }
    let mut desk = ground.open_up();
    desk.perform(ImportAction::Import(vec![folder.path().to_owned()]));
    desk.until("some were taken, or all", |state| match state.work.first() {
        Some(work) => work.progress.is_some_and(|(done, _)| done > 2),
        None => true,
    });
    let tasks: Vec<_> = desk.state().work.iter().map(|work| work.task).collect();
    tasks.into_iter().for_each(|task| desk.perform(Action::Cancel(task)));
    desk.until_idle();
    let [step] = desk.state().history.entries.as_slice() else { panic!("one step") };
    assert_eq!(step.outcome, Outcome::Done);
    assert!(matches!(step.deed, EntryKind::Batch { count: 40, .. }));
    assert_eq!(made(&desk).len(), count(&ground));
}

#[test]
fn each_connection_has_its_own_history() {
    let ground = Ground::new();
    let mut desk = ground.open_up();
    import_samples(&mut desk);
    desk.perform(SessionAction::Connect(Target::Url(ground.client().address().to_string())));
    assert_eq!(desk.state().history.entries, []);
    desk.until("it is up", |state| state.connection.status == Status::Up);
    desk.until_idle();
    assert_eq!(desk.state().history.entries, []);
    desk.perform(SessionAction::Connect(Target::Embedded));
    desk.until("it is up", |state| state.connection.status == Status::Up);
    assert_eq!(desk.state().history.entries.len(), 1);
}

#[test]
fn differently_spelled_addresses_share_one_history() {
    let ground = Ground::new();
    let mut desk = ground.open_up();
    let url = ground.client().address().to_string();
    for (steps, typed) in [url.clone(), format!("{url}/"), url.replace("http://", "HTTP://")].into_iter().enumerate() {
        desk.perform(SessionAction::Connect(Target::Url(typed)));
        desk.until("it is up", |state| state.connection.status == Status::Up);
        desk.until_idle();
        assert_eq!(desk.state().history.entries.len(), steps);
        desk.perform(ImportAction::Create { name: steps.to_string(), text: steps.to_string() });
        desk.until_idle();
    }
}
