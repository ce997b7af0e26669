//! A copy to try things on of 100,000 assets, measured by its stages.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lunette::cli::embedded::EmbeddedServer;
use lunette_client::client::{Limits, Vendor};
use lunette_inspector::action::{ScratchAction, ScratchOf};
use lunette_inspector::session::Status;
use lunette_inspector::sides::{Base, Comparison, Matches, ServiceReader, Side, Sides};
use lunette_inspector::tasks::CancelFlag;
use lunette_inspector::{Action, EmbeddedService as _};

use crate::sides::fill;
use crate::stage::Stage;
use crate::support::client_at;

const ASSETS: usize = 100_000;
/// How long it may take, from the answer to the question until the copy is connected.
const BAR: Duration = Duration::from_secs(10);

/// Makes a copy by hand; prints how long each stage of it takes, and throws it away.
async fn stages(embed: &EmbeddedServer) {
    let stage = |name: &str, begun: Instant| eprintln!("{name}: {:?}", begun.elapsed());
    let begun = Instant::now();
    let copy = embed.scratches().expect("copies").of_own().await.expect("a copy");
    stage("copying the database and starting a service on it", begun);
    let (begun, client) = (Instant::now(), client_at(&copy.url(), Limits::default()));
    let mut reader = ServiceReader::new(client.clone(), Vendor::Lunette);
    reader.read(&|_| {}, &CancelFlag::default()).await.expect("read");
    let side = Side::of_service("copy".to_owned(), client, Vendor::Lunette, reader);
    assert_eq!(side.facts.len(), ASSETS);
    stage("reading the fingerprints", begun);
    let begun = Instant::now();
    let sides = Arc::new(Sides { left: side.clone(), right: side });
    let comparison = Comparison::of(sides, Matches::default(), Arc::new(Base::default()));
    let base = Base::default().after(comparison.rows.iter().map(Arc::as_ref));
    base.save(&copy.folder(), ["copy", "own"]).expect("saved");
    stage("remembering what they are", begun);
    let begun = Instant::now();
    copy.discard().await.expect("thrown away");
    stage("throwing it away", begun);
}

#[test]
#[ignore = "takes minutes: 100,000 assets are made first"]
fn a_copy_of_100_000_assets_is_made_in_time_and_leaves_no_trace() {
    let data = tempfile::tempdir().expect("a folder");
    let embed = EmbeddedServer::new(Some(data.path().to_owned()), Vec::new());
    let mut stage = Stage::embedded(Arc::new(embed.clone()));
    let url = stage.state().connection.address.clone().expect("an address");
    let client = client_at(&url, Limits::default());
    stage.wait_for(fill(&client, ASSETS));
    stage.wait_for(stages(&embed));
    stage.until("the assets are listed", |state| state.assets.list.count() == ASSETS);
    stage.perform(ScratchAction::Ask(ScratchOf::All));
    let begun = Instant::now();
    stage.app.perform(Action::Confirm);
    stage.until("it is made", |state| state.scratch.making.is_none() && state.scratch.of.is_some());
    eprintln!("made: {:?}", begun.elapsed());
    stage.until("it is connected", |state| {
        state.connection.target.copy().is_some() && state.connection.status == Status::Up
    });
    let took = begun.elapsed();
    eprintln!("connected: {took:?}");
    stage.until("its assets are listed", |state| state.assets.list.count() == ASSETS);
    eprintln!("listed: {:?}", begun.elapsed());
    assert!(cfg!(debug_assertions) || took <= BAR, "{took:?}, and not {BAR:?}");
    stage.perform(ScratchAction::AskDiscard(None));
    stage.app.perform(Action::Confirm);
    stage.until("it is thrown away", |state| state.scratch.obstacle().is_none());
    assert!(!data.path().join("scratch").exists(), "no trace");
}
