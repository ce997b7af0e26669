//! A service that only reads: named so after the first write that it refuses, and sent no more until the user asks.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use lunette_client::model::id::AssetId;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{ApplicationsSessionOpen, AssetReclassify};
use lunette_inspector::Action;
use lunette_inspector::action::{BulkAction, ImportAction, SessionAction, WriteAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::{Change, Edit, Field};
use lunette_inspector::journal::Outcome;
use lunette_inspector::runs::{BulkOperation, RunStatus};

use crate::stage::Stage;
use crate::support::unsupported_proxy::UnsupportedProxy;

/// How services say that they only read.
const REFUSALS: [(u16, &str); 5] = [
    (403, "forbidden"),
    (405, "method not allowed"),
    (501, "not implemented"),
    (400, "This service is in read-only mode."),
    (409, "the server is read only"),
];

/// A stage on a service of another program, and the proxy before it.
fn foreign() -> (Stage, UnsupportedProxy) {
    let mut wire = None;
    let stage = Stage::behind(Duration::from_secs(30), |port| wire.insert(UnsupportedProxy::foreign(port)).url());
    (stage, wire.expect("a proxy"))
}

fn rename(asset: &AssetId, to: &str) -> Action {
    let edit = Edit { field: Field::Name, from: None, to: to.into() };
    WriteAction::Change(Change::Edit { asset: asset.clone(), edits: vec![edit] }).into()
}

#[test]
fn the_first_refused_write_names_the_service_read_only_and_no_other_is_sent() {
    for (status, text) in REFUSALS {
        let (mut stage, wire) = foreign();
        let asset = stage.asset("a.txt", "text");
        wire.refuse_writes(status, text);
        stage.perform(rename(&asset, "b.txt"));
        let refusal = stage.state().connection.refusal.clone().expect("it is named");
        assert_eq!((refusal.status, refusal.sentence.as_str()), (status, text));
        for capability in [Capability::Edit, Capability::Delete, Capability::CreateAsset, Capability::Track] {
            let reason = stage.state().connection.can_do(capability).expect_err("it is disabled");
            assert!(reason.sentence().starts_with("Read-only: the service refused assetUpdate"), "{status}: {reason}");
        }
        assert!(stage.state().connection.can_do(Capability::Asset).is_ok(), "what only reads goes on");
        let steps = stage.state().history.entries.len();
        stage.perform(rename(&asset, "c.txt"));
        stage.perform(WriteAction::Send(Box::new(ApplicationsSessionOpen {}.into())));
        stage.perform(ImportAction::Samples);
        assert_eq!((wire.refused().len(), stage.state().history.entries.len()), (1, steps), "{status}");
    }
}

#[test]
fn trying_again_sends_writes_again() {
    for (status, text) in REFUSALS {
        let (mut stage, wire) = foreign();
        let asset = stage.asset("a.txt", "text");
        wire.refuse_writes(status, text);
        stage.perform(rename(&asset, "b.txt"));
        stage.perform(SessionAction::TryWritesAgain);
        assert!(stage.state().connection.can_do(Capability::Edit).is_ok());
        stage.perform(rename(&asset, "b.txt"));
        assert_eq!(wire.refused().len(), 2, "it was sent, and refused again");
        assert!(stage.state().connection.refusal.is_some());
        wire.accept_all();
        stage.perform(SessionAction::TryWritesAgain);
        stage.perform(rename(&asset, "b.txt"));
        assert_eq!((stage.tree(&asset)["name"].clone(), &stage.state().connection.refusal), ("b.txt".into(), &None));
    }
}

#[test]
fn a_missing_operation_of_a_service_that_accepts_writes_is_not_read_only() {
    for status in [405, 501] {
        let (mut stage, wire) = foreign();
        let asset = stage.asset("a.txt", "text");
        stage.perform(rename(&asset, "b.txt"));
        wire.reject(AssetReclassify::INFO, status);
        stage.perform(WriteAction::Change(Change::Reclassify {
            asset: asset.clone(),
            from: None,
            to: "rs".to_owned(),
        }));
        let connection = &stage.state().connection;
        assert!(connection.can_do(Capability::Reclassify).is_err() && connection.can_do(Capability::Edit).is_ok());
        assert_eq!(connection.refusal, None);
    }
}

#[test]
fn a_run_pauses_with_one_question_and_goes_on_when_it_is_tried_again() {
    let (mut stage, wire) = foreign();
    let assets: Vec<_> = (0..40).map(|number| (stage.asset(&format!("{number}"), "text"), String::new())).collect();
    wire.refuse_writes(403, "no changes here");
    stage.confirm(BulkAction::Plan(BulkOperation::Favourite(true), Arc::new(assets.clone())).into());
    let run = stage.state().bulk.runs.values().next().expect("a run").clone();
    let RunStatus::Paused(Some(why)) = &run.status else { panic!("{:?}", run.status) };
    assert!(why.contains("no changes here"), "{why}");
    let counts = run.counts();
    assert_eq!((counts.failed, counts.done, counts.unknown), (0, 0, 0), "no row has failed");
    assert!(wire.refused().len() <= 8, "at most the rows in flight were sent: {}", wire.refused().len());
    let asked = stage.state().notifications.confirmation.clone().expect("one question");
    assert!(asked.text.contains("no changes here") && asked.button == "Try again", "{asked:?}");
    wire.accept_all();
    stage.perform(Action::Confirm);
    let run = &stage.state().bulk.runs[&run.id];
    assert_eq!((&run.status, run.counts().done), (&RunStatus::Ended, 40));
    assert!(assets.iter().all(|(asset, _)| stage.tree(asset)["favorited"] == true));
}

#[test]
fn an_import_stops_at_the_first_refusal_and_rejects_no_file() {
    let (mut stage, wire) = foreign();
    wire.refuse_writes(403, "no changes here");
    let folder = tempfile::tempdir().expect("a folder");
    for number in 0..40 {
        fs::write(folder.path().join(format!("{number}.txt")), format!("text {number}")).expect("a file");
    }
    stage.perform(ImportAction::Import(vec![folder.path().to_owned()]));
    let summary = stage.state().import.summary.clone().expect("a summary");
    assert!(summary.stopped.as_ref().is_some_and(|why| why.contains("no changes here")), "{summary:?}");
    assert_eq!((summary.imported, summary.rejected.len(), summary.unknown), (0, 0, 0), "{summary:?}");
    assert!(wire.refused().len() <= 8, "{}", wire.refused().len());
    assert!(matches!(stage.last().outcome, Outcome::Failed(_)), "{:?}", stage.last());
    assert!(stage.state().connection.refusal.is_some());
    let asked = stage.state().notifications.confirmation.clone().expect("one question");
    assert!(asked.text.contains("no changes here") && asked.button == "Try again", "{asked:?}");
    wire.accept_all();
    stage.perform(Action::Confirm);
    assert_eq!(stage.state().assets.list.count(), 40);
}
