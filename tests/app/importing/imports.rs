//! Imports in batches: one step of the history, each file one asset, whatever becomes of a request.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetSnapshot, AssetsCreateBatch, AssetsCreateNewAsset, AssetsSnapshot};
use lunette_client::operation::{Operation as _, OperationInfo};
use lunette_inspector::Action;
use lunette_inspector::Vendor;
use lunette_inspector::action::{BulkAction, HistoryAction, ImportAction};
use lunette_inspector::change::Change;
use lunette_inspector::change::fingerprint::Fingerprint;
use lunette_inspector::import::ImportSummary;
use lunette_inspector::journal::{EntryKind, Outcome};
use lunette_inspector::runs::{Ledger, RowStatus, RunId, RunStatus};
use lunette_inspector::session::support::Support;
use tempfile::TempDir;

use crate::inspector::Environment;
use crate::inspector::execute;
use crate::stage::Stage;
use crate::support::fault::{Fault, FaultKind};
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction};
use crate::support::unsupported_proxy::UnsupportedProxy;

/// A folder of small texts.
fn files(count: usize) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..count {
        fs::write(folder.path().join(format!("{number:04}.txt")), format!("text {number}")).expect("written");
    }
    folder
}

fn import(stage: &mut Stage, folder: &Path) {
    stage.perform(ImportAction::Import(vec![folder.to_owned()]));
}

/// The names of all assets, and how many have each.
fn names(stage: &Stage) -> BTreeMap<String, usize> {
    let call = AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: None, offset: None, limit: None };
    let mut names = BTreeMap::new();
    for asset in stage.call(call).expect("the assets").view().iterable().iter() {
        *names.entry(asset.name().unwrap_or_default().to_owned()).or_default() += 1;
    }
    names
}

fn assert_each_once(stage: &Stage, count: usize) {
    let names = names(stage);
    assert!(names.values().all(|times| *times == 1), "{names:?}");
    assert_eq!(names.len(), count);
}

/// How many calls of an operation were made.
fn calls(stage: &Stage, info: &OperationInfo) -> usize {
    stage.state().session.log.iter().filter(|line| line.calls.is_none() && line.info == info).count()
}

fn run_of(stage: &Stage) -> RunId {
    let EntryKind::Batch { run, .. } = stage.last().kind else { panic!("{:?}", stage.last()) };
    run
}

fn summary(stage: &Stage) -> ImportSummary {
    stage.state().import.summary.as_deref().cloned().expect("a report")
}

/// A stage whose writes have these faults, and the proxy.
fn faulty(kind: fn(usize) -> FaultKind) -> (Stage, Fault) {
    let mut wire = None;
    let stage = Stage::behind(Duration::from_secs(3), |port| wire.insert(Fault::start(port, kind)).url());
    (stage, wire.expect("a wire"))
}

#[test]
fn a_folder_is_imported_in_few_requests_as_one_step_that_undo_removes() {
    let mut stage = Stage::new();
    let own = stage.asset("0007.txt", "another text");
    let folder = files(150);
    import(&mut stage, folder.path());
    assert_eq!((calls(&stage, AssetsCreateBatch::INFO), calls(&stage, AssetsCreateNewAsset::INFO)), (2, 0));
    assert!(matches!(stage.last().kind, EntryKind::Batch { count: 150, .. }));
    assert_eq!(stage.last().outcome, Outcome::Done);
    let run = stage.state().bulk.runs[&run_of(&stage)].clone();
    assert_eq!((run.rows.len(), run.unconfirmed.len(), &run.status), (150, 0, &RunStatus::Ended));
    for row in run.rows.iter().step_by(29) {
        let asset = stage.call(AssetSnapshot { asset: row.asset.clone(), transferables: Some(false) });
        let asset = asset.expect("the asset");
        let Some(Change::Create { made, .. }) = row.done.as_deref() else { panic!("{row:?}") };
        assert_eq!((asset.view().name(), made), (Some(&*row.name), &Fingerprint::of(asset.tree())));
        assert_eq!(row.status, RowStatus::Done);
    }
    stage.confirm(Action::History(HistoryAction::Undo));
    assert_eq!(names(&stage), BTreeMap::from([("0007.txt".to_owned(), 1)]));
    stage.tree(&own);
}

#[test]
fn a_thousand_files_are_imported_in_at_most_16_requests() {
    let mut stage = Stage::new();
    let folder = files(1000);
    import(&mut stage, folder.path());
    let writes = stage.writes();
    assert!(writes <= 16, "{writes}");
    assert_each_once(&stage, 1000);
}

#[test]
fn files_that_already_exist_are_skipped_and_not_undone() {
    let mut stage = Stage::new();
    let folder = files(20);
    import(&mut stage, folder.path());
    fs::write(folder.path().join("new.txt"), "new").expect("written");
    import(&mut stage, folder.path());
    assert_eq!(stage.state().bulk.runs[&run_of(&stage)].rows.len(), 1);
    assert_each_once(&stage, 21);
    stage.confirm(Action::History(HistoryAction::Undo));
    assert_each_once(&stage, 20);
}

#[test]
fn the_ledger_on_disk_matches_the_window() {
    let environment = Environment::new();
    let mut inspector = environment.open_up();
    let folder = files(130);
    inspector.perform(ImportAction::Import(vec![folder.path().to_owned()]));
    inspector.until_idle();
    let EntryKind::Batch { run, .. } = inspector.state().history.entries[0].kind else { panic!("a batch") };
    let (kept, problem) = Ledger::read(&environment.runs(), run).expect("the ledger");
    assert_eq!((&kept.run, problem), (&inspector.state().bulk.runs[&run], None));
    assert!(kept.rest.adding.is_empty() && kept.run.rows.len() == 130);
}

#[test]
fn a_batch_whose_response_is_lost_is_unknown_and_is_not_sent_again() {
    for kind in [
        |write| if write == 0 { FaultKind::Dropped } else { FaultKind::Passed },
        |write| {
            if write == 0 { FaultKind::Late } else { FaultKind::Passed }
        },
    ] as [fn(usize) -> FaultKind; 2]
    {
        let (mut stage, wire) = faulty(kind);
        let folder = files(30);
        import(&mut stage, folder.path());
        assert_eq!((wire.reached().len(), summary(&stage).unknown), (1, 30));
        assert!(matches!(&stage.last().outcome, Outcome::Unknown(why) if why.contains("30")), "{:?}", stage.last());
        let run = run_of(&stage);
        assert_eq!(stage.state().bulk.runs[&run].unconfirmed.len(), 30);
        stage.restart();
        assert!(matches!(&stage.last().outcome, Outcome::Unknown(_)), "{:?}", stage.last());
        let kept = &stage.state().bulk.runs[&run];
        assert_eq!((kept.rows.len(), kept.unconfirmed.len()), (0, 30), "as read from disk");
        // It created them all the same.
        import(&mut stage, folder.path());
        assert_each_once(&stage, 30);
    }
}

#[test]
fn the_files_of_a_batch_that_did_not_arrive_can_be_imported_again() {
    let (mut stage, wire) = faulty(|write| if write == 0 { FaultKind::Disconnected } else { FaultKind::Passed });
    let folder = files(30);
    import(&mut stage, folder.path());
    assert_eq!((wire.reached().len(), summary(&stage).unknown), (0, 30));
    assert!(matches!(stage.last().outcome, Outcome::Unknown(_)), "{:?}", stage.last());
    import(&mut stage, folder.path());
    assert_eq!(stage.last().outcome, Outcome::Done);
    assert_each_once(&stage, 30);
    stage.confirm(Action::History(HistoryAction::Undo));
    assert_each_once(&stage, 0);
}

#[test]
fn files_of_batches_without_any_response_are_unknown_and_can_be_imported_again() {
    let (mut stage, wire) = faulty(|write| if write == 0 { FaultKind::Passed } else { FaultKind::Dropped });
    let folder = files(300);
    import(&mut stage, folder.path());
    let ended = summary(&stage);
    assert_eq!((ended.imported + ended.unknown, ended.rejected.len()), (300, ended.unknown), "{ended}");
    assert!(ended.unknown >= 44 && ended.imported >= 44, "{ended}");
    let unclear = |why: &str| why.starts_with("it is unknown whether it was imported");
    assert!(ended.rejected.iter().all(|(_, why)| unclear(why)), "{ended:?}");
    assert!(matches!(stage.last().outcome, Outcome::Unknown(_)), "{:?}", stage.last());
    let run = &stage.state().bulk.runs[&run_of(&stage)];
    assert_eq!((run.rows.len(), run.unconfirmed.len()), (ended.imported, ended.unknown));
    assert_each_once(&stage, 300);
    wire.set(|_| FaultKind::Passed);
    import(&mut stage, folder.path());
    assert_each_once(&stage, 300);
}

#[test]
fn an_import_ends_when_the_service_is_gone_and_reports_no_file_that_was_not_sent() {
    let (mut stage, wire) = faulty(|_| FaultKind::Passed);
    let folder = files(30);
    wire.cut(true);
    import(&mut stage, folder.path());
    wire.cut(false);
    let ended = summary(&stage);
    assert_eq!((ended.imported, ended.existing), (0, 0), "{ended}");
    assert!(ended.unknown == 30 || ended.stopped.is_some(), "{ended:?}");
    assert_each_once(&stage, 0);
}

/// Cuts the ledger of the only run off before its last lines, as a crash does, and the journal too.
fn cut_ledger(folder: &Path, kept: &str) {
    execute(
        folder,
        &format!(
            "DELETE FROM run_line WHERE id > (SELECT max(id) FROM run_line WHERE line LIKE '{kept}');
             DELETE FROM step_line WHERE id = (SELECT max(id) FROM step_line)"
        ),
    );
}

#[test]
fn after_a_crash_during_a_batch_its_files_are_named_and_importing_again_creates_none_twice() {
    let environment = Environment::new();
    let folder = files(3);
    let mut inspector = environment.open_up();
    inspector.perform(ImportAction::Import(vec![folder.path().to_owned()]));
    inspector.until_idle();
    let EntryKind::Batch { run, .. } = inspector.state().history.entries[0].kind else { panic!("a batch") };
    drop(inspector);
    cut_ledger(environment.folder.path(), "{\"adding\":%");

    let mut inspector = environment.open_up();
    let found = &inspector.state().bulk.runs[&run];
    assert_eq!((&found.status, found.rows.len()), (&RunStatus::Interrupted, 0));
    assert_eq!(*found.unconfirmed, ["0000.txt", "0001.txt", "0002.txt"]);
    let notices = &inspector.state().notifications.notices;
    let named = notices
        .iter()
        .any(|notice| notice.text.contains("“0000.txt” and 2 more files") && notice.text.contains("import them again"));
    assert!(named, "{notices:?}");
    inspector.perform(BulkAction::Resume(run));
    inspector.until_idle();
    let outcome = &inspector.state().history.entries[0].outcome;
    assert!(matches!(outcome, Outcome::Unknown(why) if why.contains("0000.txt")), "{outcome:?}");
    inspector.perform(ImportAction::Import(vec![folder.path().to_owned()]));
    inspector.until_idle();
    let call = AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: None, offset: None, limit: None };
    assert_eq!(environment.call(call).expect("the assets").view().iterable().iter().count(), 3);
}

#[test]
fn an_import_whose_ledger_cannot_be_written_sends_no_batch() {
    let mut stage = Stage::new();
    execute(
        stage.folder.path(),
        "CREATE TRIGGER refuse BEFORE INSERT ON run_line WHEN NEW.line LIKE '{\"adding\":%'
         BEGIN SELECT RAISE(ABORT, 'writes are refused'); END",
    );
    let folder = files(10);
    import(&mut stage, folder.path());
    assert_eq!((calls(&stage, AssetsCreateBatch::INFO), calls(&stage, AssetsCreateNewAsset::INFO)), (0, 0));
    assert!(summary(&stage).stopped.is_some(), "{:?}", summary(&stage));
    assert_each_once(&stage, 0);
}

#[test]
fn a_service_of_ours_without_batches_gets_its_files_one_by_one() {
    let mut wire = None;
    let mut stage = Stage::behind(Duration::from_secs(30), |port| wire.insert(UnsupportedProxy::start(port)).url());
    wire.expect("a proxy").reject(AssetsCreateBatch::INFO, 404);
    let folder = files(30);
    import(&mut stage, folder.path());
    assert_eq!((calls(&stage, AssetsCreateBatch::INFO), calls(&stage, AssetsCreateNewAsset::INFO)), (1, 30));
    assert_eq!((&stage.last().outcome, stage.state().import.summary.is_none()), (&Outcome::Done, true));
    let capability = stage.state().connection.capabilities.of(AssetsCreateBatch::INFO.name);
    assert!(matches!(capability, Support::Unsupported(_)), "{capability:?}");
    assert_each_once(&stage, 30);
    fs::write(folder.path().join("new.txt"), "new").expect("written");
    import(&mut stage, folder.path());
    assert_eq!(calls(&stage, AssetsCreateBatch::INFO), 1, "it is not asked for again");
    assert_each_once(&stage, 31);
}

#[test]
fn a_foreign_service_is_never_sent_a_batch() {
    let mut wire = None;
    let mut stage = Stage::behind(Duration::from_secs(30), |port| {
        wire.insert(MutatingProxy::named("another/1.0", port, |_| ProxyAction::Pass)).url()
    });
    assert_eq!(stage.state().connection.vendor, Vendor::Other);
    let folder = files(20);
    import(&mut stage, folder.path());
    assert_eq!((calls(&stage, AssetsCreateBatch::INFO), calls(&stage, AssetsCreateNewAsset::INFO)), (0, 20));
    assert_eq!(stage.last().outcome, Outcome::Done);
}
