//! A service that goes away and comes back, with real services on one port: what is shown stays, nothing is sent twice.

use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lunette_client::client::Limits;
use lunette_client::model::id::AssetId;
use lunette_inspector::action::{AssetsAction, DraftsAction, HistoryAction, SessionAction, WriteAction};
use lunette_inspector::change::{Change, Edit, Field};
use lunette_inspector::drafts::{Draft, DraftKey};
use lunette_inspector::filter::{Filter, List};
use lunette_inspector::journal::Outcome;
use lunette_inspector::listing;
use lunette_inspector::panel::Panel;
use lunette_inspector::session::{Retry, Status};
use lunette_inspector::settings::Target;
use lunette_inspector::{Action, App, Remote, Setup, State};
use lunette_service::{Data, Ports, Running, Settings, start};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::support;
use crate::support::fault::{Fault, FaultKind};
use crate::support::headless::Headless;

mod strangers;

const PATIENCE: Duration = Duration::from_secs(60);

/// An inspector on an address, and what may answer there.
struct Scene {
    app: App,
    woken: Receiver<()>,
    service: Option<Running>,
    port: u16,
    /// The data of the service that was first there.
    data: TempDir,
    _journal: TempDir,
    runtime: Runtime,
}

impl Scene {
    /// Connected to a service with data of its own, in which there are so many assets.
    fn with(assets: usize) -> Self {
        let mut scene = Self::before_any();
        scene.up();
        for number in 0..assets {
            scene.asset(&format!("a{number}.txt"));
        }
        scene.perform(SessionAction::Reconnect);
        scene.until("it is connected", |state| {
            state.connection.status == Status::Up
                && state.assets.list.count() == assets
                && !state.assets.list.rows.loading()
        });
        scene
    }

    /// At an address where nothing listens yet.
    fn before_any() -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = free.local_addr().expect("its address").port();
        drop(free);
        Self::at(port, port)
    }

    /// The service is at one port, and is reached through another.
    fn at(port: u16, through: u16) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let (data, journal) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let (wake, woken) = channel();
        let wake = Mutex::new(wake);
        let app = App::new(Setup {
            runtime: runtime.handle().clone(),
            // Nobody listens once the test is over.
            repaint: Arc::new(move || wake.lock().unwrap_or_else(PoisonError::into_inner).send(()).unwrap_or(())),
            target: Some(Target::Url(format!("http://127.0.0.1:{through}"))),
            embed: Arc::new(Headless),
            dialogs: Arc::new(Headless),
            data: Some(journal.path().to_owned()),
            limits: Limits { total: Duration::from_secs(5), ..Limits::default() },
            pace: lunette_inspector::sync::SyncIntervals::default(),
            open_requests: None,
        });
        Self { app, woken, service: None, port, data, _journal: journal, runtime }
    }

    /// The service of these data listens at the address again.
    fn up(&mut self) {
        self.up_with(self.data.path().to_owned());
    }

    fn up_with(&mut self, data: PathBuf) {
        let settings = Settings { ports: Ports::Exactly(self.port), ..support::settings(Data::Folder(data)) };
        self.service = Some(self.runtime.block_on(start(settings)).expect("it starts"));
    }

    /// The service is gone, and so is everything it could answer.
    fn down(&mut self) {
        let service = self.service.take().expect("it runs");
        self.runtime.block_on(service.stop());
    }

    fn asset(&self, name: &str) -> AssetId {
        let url = self.service.as_ref().expect("it runs").url();
        self.runtime.block_on(support::assets::text_asset(&support::client_at(&url, Limits::default()), name, name))
    }

    fn state(&self) -> &State {
        self.app.state()
    }

    fn perform(&mut self, action: impl Into<Action>) {
        self.app.perform(action);
    }

    #[track_caller]
    fn until(&mut self, what: &str, done: impl Fn(&State) -> bool) {
        let end = Instant::now() + PATIENCE;
        loop {
            self.app.step();
            if done(self.app.state()) {
                return;
            }
            assert!(Instant::now() < end, "waited in vain until {what}; {:?}", self.state().connection);
            self.woken.recv_timeout(Duration::from_millis(50)).ok();
        }
    }

    fn until_down(&mut self) {
        self.perform(Action::Refresh(Panel::Assets));
        self.until("it is down", |state| matches!(state.connection.status, Status::Down(_)));
    }

    fn until_up(&mut self) {
        self.until("it is up", |state| state.connection.status == Status::Up);
    }
}

fn favourite(asset: &AssetId) -> Action {
    let edit = Edit { field: Field::Favorited, from: Some(false.into()), to: true.into() };
    Action::Write(WriteAction::Change(Change::Edit { asset: asset.clone(), edits: vec![edit] }))
}

#[test]
fn a_run_resumes_automatically_when_the_service_returns() {
    let mut scene = Scene::with(3);
    let opened = scene.asset("opened.txt");
    scene.perform(AssetsAction::Open(opened.clone()));
    scene.perform(Action::List(List::Assets, listing::Change::Filter("txt".to_owned())));
    let typed = serde_json::Value::from("typed").into();
    let draft = Draft { base: Arc::default(), typed, at: "2026-01-01T00:00:00Z".to_owned() };
    scene.perform(DraftsAction::Save(DraftKey::NewText, Some(draft.clone())));
    scene.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    scene.perform(favourite(&opened));
    scene.until("it is done", |state| {
        let done = state.history.entries.first().is_some_and(|step| step.outcome == Outcome::Done);
        done && state.page().is_some_and(|(id, _)| !state.write.of(id).writing)
    });
    scene.until("the row is there", |state| state.assets.list.count() == 4);

    scene.down();
    scene.until_down();
    let connection = &scene.state().connection;
    assert!(connection.stale_since.is_some(), "what is shown is marked as old");
    assert!(matches!(connection.retry, Some(Retry::Due(_) | Retry::Trying)), "{connection:?}");
    assert_eq!((scene.state().assets.list.count(), scene.state().assets.pages.open.as_ref()), (4, Some(&opened)));

    // While it is away somebody else makes an asset.
    let port = std::mem::replace(&mut scene.port, 0);
    scene.up();
    scene.asset("made meanwhile.txt");
    scene.down();
    scene.port = port;
    scene.up();
    scene.until_up();
    assert_eq!((scene.state().connection.stale_since, scene.state().connection.retry), (None, None));
    // Nothing was emptied on the way.
    assert!(scene.state().assets.list.count() >= 4);
    assert_eq!(scene.state().assets.pages.open.as_ref(), Some(&opened));
    assert!(scene.state().page().is_some_and(|(_, page)| page.record.value().is_some()));
    assert_eq!(scene.state().assets.list.query.filter, Filter::words("txt"));
    assert_eq!(scene.state().drafts.typed[&DraftKey::NewText], draft);
    assert_eq!(scene.state().history.entries.len(), 1);
    scene.until("the list is read again", |state| state.assets.list.count() == 5 && !state.assets.list.rows.loading());
    assert_eq!(scene.state().assets.list.order.len(), 5, "filtered as before");
    scene.perform(HistoryAction::Undo);
    scene.until("it is taken back", |state| state.history.entries[0].undone);
}

#[test]
fn disconnected_sends_no_calls_and_refuses_writes() {
    let mut scene = Scene::with(1);
    let asset = scene.asset("b.txt");
    scene.perform(AssetsAction::Open(asset.clone()));
    scene.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    scene.down();
    scene.until_down();
    let calls = scene.state().session.log.count();
    scene.perform(favourite(&asset));
    scene.until("it is refused", |state| state.page().is_some_and(|(id, _)| state.write.of(id).refused.is_some()));
    let refused =
        scene.state().page().and_then(|(id, _)| scene.state().write.of(id).refused.clone()).unwrap_or_default();
    assert!(refused.contains("not connected"), "{refused}");
    assert_eq!(scene.state().session.log.iter().skip(calls).filter(|line| line.info.writes()).count(), 0);
    scene.up();
    scene.until_up();
    scene.until("it is read again", |state| state.page().is_some_and(|(_, page)| !page.record.loading()));
    assert_eq!(scene.state().history.entries, [], "what was refused is not sent later");
}

#[test]
fn a_different_service_at_the_address_is_reported_and_not_used() {
    let mut scene = Scene::with(2);
    scene.down();
    scene.until_down();
    let (calls, since) = (scene.state().session.log.count(), jiff::Timestamp::now());
    let other = tempfile::tempdir().expect("a folder");
    scene.up_with(other.path().to_owned());
    scene.until("it is told", |state| state.connection.other.is_some());
    // What was under way when the service went down may be logged late.
    let asked: Vec<_> = scene.state().session.log.iter().skip(calls).filter(|line| line.at > since).collect();
    assert!(!asked.is_empty(), "asked again and again");
    // A call that found nobody at the address has told nobody anything.
    let by_the_user: Vec<_> = asked.iter().filter(|line| !line.background && line.status.is_some()).collect();
    assert!(by_the_user.is_empty(), "{by_the_user:?}");
    let connection = &scene.state().connection;
    assert!(
        matches!(&connection.status, Status::Down(message) if message.contains("a different service")),
        "{connection:?}"
    );
    assert!(connection.stale_since.is_some());
    assert_eq!(scene.state().assets.list.count(), 2, "what was read stays");
    let reads = scene.state().session.log.count();
    scene.perform(AssetsAction::Reload(AssetId::random()));
    scene.app.step();
    assert!(scene.state().session.log.iter().skip(reads).all(|line| line.info.path.starts_with("/.well-known/")));

    // The one that was comes back: it is taken.
    scene.down();
    scene.up();
    scene.until_up();
    assert_eq!((scene.state().assets.list.count(), &scene.state().connection.other), (2, &None));
    let list = |state: &State| {
        let calls: Vec<_> = state.session.log.iter().collect();
        calls.iter().rposition(|line| line.info.path == "/assets/rows")
    };
    scene.until("its list is read", |state| list(state).is_some_and(|index| index >= calls));
    assert!(
        list(scene.state()).is_some_and(|index| !scene
            .state()
            .session
            .log
            .iter()
            .nth(index)
            .expect("a call")
            .background),
        "by the user's own wire"
    );

    // Or the user takes the other one.
    scene.down();
    scene.until_down();
    scene.up_with(other.path().to_owned());
    scene.until("it is told again", |state| state.connection.other.is_some());
    scene.perform(SessionAction::Adopt);
    scene.until_up();
    scene.until("its list is read", |state| matches!(state.assets.list.rows, Remote::Known(_)));
    assert_eq!(scene.state().assets.list.count(), 0);
}

#[test]
fn replacing_the_service_between_two_calls_is_detected() {
    let mut scene = Scene::with(1);
    let other = tempfile::tempdir().expect("a folder");
    scene.down();
    scene.up_with(other.path().to_owned());
    // Nothing failed yet; the user asks for it.
    scene.perform(SessionAction::Reconnect);
    scene.until("it is told", |state| state.connection.other.is_some());
    assert_eq!(scene.state().assets.list.count(), 1);
}

#[test]
fn an_unreachable_last_service_is_reported_and_retried_at_startup() {
    let mut scene = Scene::before_any();
    scene.until("it is down", |state| matches!(state.connection.status, Status::Down(_)));
    assert_eq!(scene.state().connection.stale_since, None, "nothing was ever read");
    assert!(scene.state().connection.retry.is_some());
    scene.until("the machine was searched", |state| matches!(state.connection.probes, Remote::Known(_)));
    assert_eq!(scene.state().connection.target, Target::Url(format!("http://127.0.0.1:{}", scene.port)), "no jump");
    scene.up();
    scene.until_up();
    scene.until("it is read", |state| matches!(state.assets.list.rows, Remote::Known(_)));
}

#[test]
fn an_invalid_address_is_not_retried() {
    let mut scene = Scene::before_any();
    scene.perform(SessionAction::Connect(Target::Url("nonsense".to_owned())));
    scene.until("it is down", |state| matches!(state.connection.status, Status::Down(_)));
    assert_eq!(scene.state().connection.retry, None);
}

#[test]
fn a_write_lost_in_a_disconnect_is_not_sent_again() {
    let data = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let service = runtime.block_on(start(support::settings(Data::Folder(data.path().to_owned())))).expect("it starts");
    // The first write reaches the service, and its answer is lost.
    let fault = Fault::start(service.port(), |write| if write == 0 { FaultKind::Dropped } else { FaultKind::Passed });
    let url = service.url();
    let through = fault.url().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let mut scene = Scene::at(service.port(), through);
    scene.service = Some(service);
    scene.until_up();
    let client = support::client_at(&url, Limits::default());
    let asset = runtime.block_on(support::assets::text_asset(&client, "c.txt", "c"));
    scene.perform(AssetsAction::Open(asset.clone()));
    scene.until("it is read", |state| state.page().is_some_and(|(_, page)| page.record.value().is_some()));
    scene.perform(favourite(&asset));
    scene.until("it ended", |state| state.page().is_some_and(|(id, _)| !state.write.of(id).writing));
    assert_eq!(fault.reached().len(), 1);
    fault.cut(true);
    scene.until_down();
    fault.cut(false);
    scene.until_up();
    scene.until("it is read again", |state| !state.assets.list.rows.loading());
    assert_eq!(fault.reached().len(), 1);
}

#[test]
fn every_restart_of_a_flapping_service_is_detected_without_user_action() {
    let rounds = std::env::var("LUNETTE_RESTARTS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(8);
    let mut scene = Scene::with(1);
    let mut longest = Duration::ZERO;
    for _ in 0..rounds {
        scene.down();
        scene.until("its end is noticed", |state| matches!(state.connection.status, Status::Down(_)));
        scene.up();
        let begun = Instant::now();
        scene.until_up();
        longest = longest.max(begun.elapsed());
    }
    println!("{rounds} times, shown up again within {longest:?}");
    scene.until("it is read again", |state| state.assets.list.count() == 1 && !state.assets.list.rows.loading());
}
