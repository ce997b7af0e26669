//! The journal of a connection: what a restart finds, what a crash leaves, what a second window sees.

use std::fs;

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, AssetSnapshot, AssetsSnapshot};
use lunette_inspector::Action;
use lunette_inspector::action::{AssetsAction, BulkAction, HistoryAction, ImportAction, SessionAction};
use lunette_inspector::change::Change;
use lunette_inspector::change::fingerprint::Fingerprint;
use lunette_inspector::journal::{EntryKind, EntryRelation, Outcome};
use lunette_inspector::runs::{Ledger, RowStatus, RunStatus};
use lunette_inspector::session::Status;
use lunette_inspector::settings::Target;

use crate::inspector::{Environment, Inspector, REFUSE_STEPS};
use crate::support::assets::{tag, text_asset};

fn import_samples(inspector: &mut Inspector) {
    inspector.perform(ImportAction::Samples);
    inspector.until_idle();
}

/// How many assets the service has.
fn count(environment: &Environment) -> usize {
    let assets = environment
        .call(AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: None, limit: None, offset: None })
        .expect("the assets");
    assets.view().iterable().iter().count()
}

/// What the first step made, as it was made.
fn made(inspector: &Inspector) -> Vec<(AssetId, Fingerprint)> {
    let EntryKind::Batch { run, .. } = inspector.state().history.entries[0].kind else { panic!("a batch") };
    let made = inspector.state().bulk.runs[&run].rows.iter().map(|row| match row.done.as_deref() {
        Some(Change::Create { asset, made, .. }) => (asset.clone(), made.clone()),
        other => panic!("{other:?}"),
    });
    made.collect()
}

#[test]
fn an_import_is_one_step_that_survives_a_restart() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    import_samples(&mut inspector);
    let [step] = inspector.state().history.entries.as_slice() else { panic!("one step") };
    assert_eq!((step.title.as_str(), &step.outcome), ("Imported samples", &Outcome::Done));
    assert_eq!(inspector.state().notifications.outcome.as_ref().and_then(|outcome| outcome.undo), Some(step.id));
    let before = inspector.state().history.entries.clone();
    drop(inspector);
    let inspector = environment.open_up();
    assert_eq!(inspector.state().history.entries, before);
    assert_eq!(inspector.state().history.message, None);
}

#[test]
fn the_ledger_of_an_import_records_the_assets_as_the_service_stored_them() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    import_samples(&mut inspector);
    let EntryKind::Batch { run, count: all } = inspector.state().history.entries[0].kind else { panic!("a batch") };
    let (kept, message) = Ledger::read(&environment.runs(), run).expect("the ledger");
    assert_eq!((kept.run.rows.len(), &kept.run.status, message), (all, &RunStatus::Ended, None));
    assert_eq!(kept.run, inspector.state().bulk.runs[&run]);
    assert_eq!(count(&environment), all);
    for row in kept.run.rows.iter() {
        let asset = environment.call(AssetSnapshot { asset: row.asset.clone(), transferables: Some(false) });
        let now = Fingerprint::of(asset.expect("the asset").tree());
        let Some(Change::Create { made, .. }) = row.done.as_deref() else { panic!("{row:?}") };
        assert_eq!((&row.status, made), (&RowStatus::Done, &now), "{}", row.name);
    }
}

#[test]
fn undo_of_an_import_leaves_assets_that_existed_before() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    import_samples(&mut inspector);
    import_samples(&mut inspector);
    let step = &inspector.state().history.entries[1];
    assert_eq!(step.outcome, Outcome::Failed("nothing new was imported".to_owned()));
    let EntryKind::Batch { run, .. } = step.kind else { panic!("a batch") };
    assert_eq!(inspector.state().bulk.runs[&run].rows.len(), 0);
    assert_eq!(inspector.state().notifications.outcome.as_ref().and_then(|outcome| outcome.undo), None);
}

#[test]
fn creating_an_asset_from_text_is_a_step() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    inspector.perform(ImportAction::Create { name: "notes".to_owned(), text: "some text".to_owned() });
    inspector.until_idle();
    let step = &inspector.state().history.entries[0];
    assert_eq!((step.title.as_str(), &step.outcome), ("Created “notes”", &Outcome::Done));
    assert_eq!(inspector.state().notifications.outcome.as_ref().and_then(|outcome| outcome.undo), Some(step.id));
}

#[test]
fn a_truncated_journal_is_reported_and_loses_only_the_cut_entries() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    import_samples(&mut inspector);
    inspector.perform(ImportAction::Create { name: "notes".to_owned(), text: "some text".to_owned() });
    inspector.until_idle();
    drop(inspector);
    let last = "id = (SELECT max(id) FROM step_line)";
    environment.execute(&format!("UPDATE step_line SET line = substr(line, 1, length(line) - 9) WHERE {last}"));
    let mut inspector = environment.open_up();
    let message = inspector.state().history.message.clone().expect("said");
    assert!(message.starts_with("Skipped 1 unreadable line of the history"), "{message}");
    assert!(inspector.state().notifications.notices.iter().any(|notice| notice.text == message));
    let outcomes: Vec<_> = inspector.state().history.entries.iter().map(|step| step.outcome.clone()).collect();
    assert_eq!(outcomes[0], Outcome::Done);
    assert!(matches!(outcomes[1], Outcome::Unknown(_)), "{outcomes:?}");
    // What is noted from now on stands behind the piece, and is read.
    inspector.perform(ImportAction::Create { name: "more".to_owned(), text: "more text".to_owned() });
    inspector.until_idle();
    drop(inspector);
    let titles: Vec<_> = environment.open_up().state().history.entries.iter().map(|step| step.title.clone()).collect();
    assert_eq!(titles, ["Imported samples", "Created “notes”", "Created “more”"]);
}

#[test]
fn without_a_journal_reads_work_and_writes_are_refused() {
    let environment = Environment::new();
    fs::write(environment.journals(), "a file is in the way").expect("written");
    let mut inspector = environment.open_up();
    let message = inspector.state().history.message.clone().expect("said");
    assert!(message.starts_with("Changes are not possible: cannot create the history folder"), "{message}");
    assert!(inspector.state().assets.list.rows.value().is_some());
    import_samples(&mut inspector);
    let summary = inspector.state().import.summary.clone().expect("a report");
    assert_eq!((summary.imported, summary.rejected.len(), summary.cancelled), (0, 0, false));
    assert!(summary.stopped.as_ref().is_some_and(|why| why.contains("cannot create the history folder")), "{summary}");
    inspector.perform(ImportAction::Create { name: "notes".to_owned(), text: "some text".to_owned() });
    inspector.until_idle();
    assert_eq!(count(&environment), 0);
    assert_eq!(inspector.state().history.entries, []);
}

#[test]
fn an_unwritable_journal_stops_an_import_before_it_sends() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    environment.execute(REFUSE_STEPS);
    import_samples(&mut inspector);
    let stopped = inspector.state().import.summary.as_ref().and_then(|summary| summary.stopped.clone()).expect("why");
    assert!(stopped.contains("must be recorded before it is sent: cannot write the history"), "{stopped}");
    assert_eq!(count(&environment), 0);
}

#[test]
fn two_windows_share_one_journal() {
    let environment = Environment::new();
    let (mut one, mut two) = (environment.open_up(), environment.open_up());
    for number in 0..5 {
        for inspector in [&mut one, &mut two] {
            inspector.perform(ImportAction::Create { name: number.to_string(), text: number.to_string() });
        }
        one.until_idle();
        two.until_idle();
    }
    let inspector = environment.open_up();
    let entries = &inspector.state().history.entries;
    assert_eq!((entries.len(), &inspector.state().history.message), (10, &None));
    assert!(entries.iter().all(|step| step.outcome == Outcome::Done));
}

#[test]
fn a_pending_step_completes_in_the_history_during_a_reconnect() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    for number in 1..=10 {
        inspector.perform(ImportAction::Create { name: number.to_string(), text: number.to_string() });
        inspector.perform(SessionAction::Reconnect);
        inspector.until("it is up", |state| state.connection.status == Status::Up);
        inspector.until_idle();
        let outcomes: Vec<_> = inspector.state().history.entries.iter().map(|step| step.outcome.clone()).collect();
        assert_eq!(outcomes, vec![Outcome::Done; number]);
    }
}

#[test]
fn viewing_an_imported_asset_does_not_count_as_changing_it() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    import_samples(&mut inspector);
    let made = made(&inspector);
    assert!(!made.is_empty());
    for (asset, made) in made {
        inspector.perform(AssetsAction::Open(asset.clone()));
        inspector.perform(AssetsAction::LoadActivities(asset.clone()));
        inspector.until_idle();
        let asset = environment.call(AssetSnapshot { asset, transferables: Some(false) });
        assert_eq!(Fingerprint::of(asset.expect("the asset").tree()), made);
    }
}

#[test]
fn undo_after_a_restart_deletes_exactly_the_imported_assets() {
    let environment = Environment::new();
    let own = environment.runtime.block_on(text_asset(&environment.client(), "own", "my own text"));
    let mut inspector = environment.open_up();
    import_samples(&mut inspector);
    let import = inspector.state().history.entries[0].id;
    drop(inspector);
    let mut inspector = environment.open_up();
    inspector.confirm(Action::History(HistoryAction::Undo));
    inspector.until_idle();
    let [first, back] = inspector.state().history.entries.as_slice() else { panic!("two steps") };
    assert_eq!((&back.answers, &back.outcome, first.undone), (&EntryRelation::Undoes(import), &Outcome::Done, true));
    assert_eq!(count(&environment), 1);
    environment.call(AssetSnapshot { asset: own, transferables: None }).expect("the user's own asset");
    drop(inspector);
    assert!(environment.open_up().state().history.entries[0].undone);
}

#[test]
fn an_interrupted_import_is_marked_ended_and_can_be_undone_after_a_restart() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    import_samples(&mut inspector);
    let EntryKind::Batch { run, .. } = inspector.state().history.entries[0].kind else { panic!("a batch") };
    drop(inspector);
    // As a crash leaves it: neither the ledger nor the journal has its end.
    for table in ["run_line", "step_line"] {
        environment.execute(&format!("DELETE FROM {table} WHERE id = (SELECT max(id) FROM {table})"));
    }
    let mut inspector = environment.open_up();
    assert!(matches!(inspector.state().history.entries[0].outcome, Outcome::Unknown(_)));
    assert_eq!(inspector.state().bulk.runs[&run].status, RunStatus::Interrupted);
    inspector.perform(BulkAction::Resume(run));
    inspector.until_idle();
    assert_eq!(inspector.state().history.entries[0].outcome, Outcome::Done);
    inspector.confirm(Action::History(HistoryAction::Undo));
    inspector.until_idle();
    assert_eq!(count(&environment), 0);
}

#[test]
fn undo_of_an_import_does_not_delete_assets_changed_since() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    import_samples(&mut inspector);
    let (changed, _) = made(&inspector)[0].clone();
    let client = environment.client();
    let tag = environment.runtime.block_on(tag(&client, "mine"));
    environment.call(AssetAssociateTag { asset: changed.clone(), tag }).expect("linked");
    inspector.confirm(Action::History(HistoryAction::Undo));
    inspector.until_idle();
    assert_eq!(count(&environment), 1);
    environment.call(AssetSnapshot { asset: changed, transferables: None }).expect("the asset");
}

#[test]
fn importing_a_folder_is_one_step_even_if_cancelled() {
    let environment = Environment::new();
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..40 {
        fs::write(folder.path().join(format!("{number}.txt")), format!("text {number}")).expect("written");
    }
    let mut inspector = environment.open_up();
    inspector.perform(ImportAction::Import(vec![folder.path().to_owned()]));
    inspector.until("some were taken, or all", |state| match state.work.first() {
        Some(work) => work.progress.is_some_and(|(done, _)| done > 2),
        None => true,
    });
    let tasks: Vec<_> = inspector.state().work.iter().map(|work| work.task).collect();
    tasks.into_iter().for_each(|task| inspector.perform(Action::Cancel(task)));
    inspector.until_idle();
    let [step] = inspector.state().history.entries.as_slice() else { panic!("one step") };
    assert_eq!(step.outcome, Outcome::Done);
    assert!(matches!(step.kind, EntryKind::Batch { count: 40, .. }));
    assert_eq!(made(&inspector).len(), count(&environment));
}

#[test]
fn each_connection_has_its_own_history() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    import_samples(&mut inspector);
    inspector.perform(SessionAction::Connect(Target::Url(environment.client().address().to_string())));
    assert_eq!(inspector.state().history.entries, []);
    inspector.until("it is up", |state| state.connection.status == Status::Up);
    inspector.until_idle();
    assert_eq!(inspector.state().history.entries, []);
    inspector.perform(SessionAction::Connect(Target::Embedded));
    inspector.until("it is up", |state| state.connection.status == Status::Up);
    assert_eq!(inspector.state().history.entries.len(), 1);
}

#[test]
fn differently_spelled_addresses_share_one_history() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    let url = environment.client().address().to_string();
    for (steps, typed) in [url.clone(), format!("{url}/"), url.replace("http://", "HTTP://")].into_iter().enumerate() {
        inspector.perform(SessionAction::Connect(Target::Url(typed)));
        inspector.until("it is up", |state| state.connection.status == Status::Up);
        inspector.until_idle();
        assert_eq!(inspector.state().history.entries.len(), steps);
        inspector.perform(ImportAction::Create { name: steps.to_string(), text: steps.to_string() });
        inspector.until_idle();
    }
}
