//! Every kind of background task is made to panic: each is said on screen, none ends the program, and a write whose call
//! may have left is said to be unknown.
//!
//! Nothing in the program is built for it. What wakes the window is handed in, and it is called by each task after a call
//! of its own; here it panics there, on any thread but that of the window, as do the dialogs and the embedded service.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use lunette_client::client::Limits;
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{ApplicationsSessionOpen, ApplicationsSnapshot};
use lunette_inspector::action::{
    ApplicationsAction, AssetsAction, ExportAction, ImportAction, PreviewAction, SessionAction, WriteAction,
};
use lunette_inspector::change::{Change, Counter, Edit, Field, LinkKind};
use lunette_inspector::embedded::ServiceStatus;
use lunette_inspector::journal::Outcome;
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_inspector::settings::Target;
use lunette_inspector::sync::SyncIntervals;
use lunette_inspector::{Action, App, BoxFuture, DesktopError, Dialogs, EmbeddedError, EmbeddedService, Setup, State};
use lunette_service::{Data, Running, start};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::support;

const PATIENCE: Duration = Duration::from_secs(60);

/// What every panic here says.
const SIGN: &str = "made to panic";

#[derive(Default)]
struct Panics {
    /// Whether a look at the embedded service panics.
    look: AtomicBool,
}

impl EmbeddedService for Panics {
    fn look(&self) -> ServiceStatus {
        assert!(!self.look.load(Ordering::SeqCst), "{SIGN}");
        ServiceStatus::default()
    }

    fn start(&self) -> BoxFuture<Result<String, EmbeddedError>> {
        Box::pin(async { panic!("{SIGN}") })
    }
}

impl Dialogs for Panics {
    fn files(&self) -> BoxFuture<Vec<PathBuf>> {
        Box::pin(async { panic!("{SIGN}") })
    }

    fn folder(&self) -> BoxFuture<Option<PathBuf>> {
        Box::pin(async { panic!("{SIGN}") })
    }

    fn save(&self, _file_name: &str) -> BoxFuture<Option<PathBuf>> {
        Box::pin(async { panic!("{SIGN}") })
    }

    fn drag(&self, _path: PathBuf) -> BoxFuture<Result<bool, DesktopError>> {
        Box::pin(async { panic!("{SIGN}") })
    }
}

/// An inspector whose tasks panic while it is armed.
struct Scene {
    app: App,
    /// Which wake from now on is the first that panics; 0 where none is to.
    fuse: Arc<AtomicUsize>,
    embedded: Arc<Panics>,
    service: Running,
    runtime: Runtime,
    _folder: TempDir,
}

impl Scene {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let service = runtime.block_on(start(support::settings(Data::Memory))).expect("it starts");
        let fuse = Arc::new(AtomicUsize::new(0));
        let folder = tempfile::tempdir().expect("a folder");
        let (burns, window) = (Arc::clone(&fuse), std::thread::current().id());
        let repaint = move || {
            if std::thread::current().id() != window {
                // It stays at one, so that whatever wakes after the first panics as well.
                let left = burns.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| (left > 1).then(|| left - 1));
                assert_ne!(left, Err(1), "{SIGN}");
            }
        };
        let embedded = Arc::new(Panics::default());
        let app = App::new(Setup {
            runtime: runtime.handle().clone(),
            repaint: Arc::new(repaint),
            target: Some(Target::Url(service.url())),
            embed: Arc::clone(&embedded) as _,
            dialogs: Arc::clone(&embedded) as _,
            data: Some(folder.path().to_owned()),
            limits: Limits::default(),
            pace: SyncIntervals::default(),
            open_requests: None,
        });
        let mut scene = Self { app, fuse, embedded, service, runtime, _folder: folder };
        scene.until("it is connected", |state| state.connection.status == Status::Up);
        scene.idle();
        scene
    }

    /// With an asset that is looked at.
    fn with_asset() -> (Self, AssetId) {
        let mut scene = Self::new();
        let client = support::client_at(&scene.service.url(), Limits::default());
        let asset = scene.runtime.block_on(support::assets::text_asset(&client, "a.txt", "text"));
        scene.app.perform(AssetsAction::Open(asset.clone()));
        scene.until("it is read", |state| {
            state.assets.pages.of.get(&asset).is_some_and(|page| page.record.value().is_some())
        });
        scene.idle();
        (scene, asset)
    }

    /// Puts all notices away, so that the next one is a new one.
    fn dismiss(&mut self) {
        let notices: Vec<_> = self.app.state().notifications.notices.iter().map(|notice| notice.number).collect();
        notices.into_iter().for_each(|number| self.app.perform(Action::Dismiss(number)));
    }

    #[track_caller]
    fn until(&mut self, what: &str, done: impl Fn(&State) -> bool) {
        self.wait(what, |app| done(app.state()));
    }

    #[track_caller]
    fn idle(&mut self) {
        self.wait("nothing is under way", |app| !app.busy());
    }

    #[track_caller]
    fn wait(&mut self, what: &str, done: impl Fn(&App) -> bool) {
        let end = Instant::now() + PATIENCE;
        loop {
            self.app.step();
            if done(&self.app) {
                return;
            }
            let State { notifications, history, .. } = self.app.state();
            assert!(Instant::now() < end, "waited in vain until {what}; {notifications:?}, {history:?}");
            std::thread::yield_now();
        }
    }

    /// Makes what this action starts panic at its first wake, and waits until that is said; then everything works as
    /// before.
    #[track_caller]
    fn panics(&mut self, action: Action, message: impl Fn(&State) -> Option<String>) {
        self.panics_at(1, action, message);
    }

    /// The same at a later wake.
    #[track_caller]
    fn panics_at(&mut self, wake: usize, action: Action, message: impl Fn(&State) -> Option<String>) {
        let what = format!("{action:?}");
        self.fuse.store(wake, Ordering::SeqCst);
        self.app.perform(action);
        self.until(&what, |state| message(state).is_some_and(|message| message.contains(SIGN)));
        self.fuse.store(0, Ordering::SeqCst);
        self.idle();
        self.app.perform(Action::Refresh(Panel::Applications));
        let read = |state: &State| matches!(state.applications.list.rows, lunette_inspector::Remote::Known(_));
        self.until("the window goes on", |state| read(state) && state.applications.list.rows.error().is_none());
        self.idle();
    }
}

fn noticed(state: &State) -> Option<String> {
    state.notifications.notices.iter().map(|notice| notice.text.clone()).rfind(|text| text.contains(SIGN))
}

/// A notice that says that nobody knows.
fn unknown(state: &State) -> Option<String> {
    noticed(state).filter(|text| text.contains("unknown") && !text.contains("not made"))
}

fn error<T>(remote: Option<&lunette_inspector::Remote<T>>) -> Option<String> {
    remote.and_then(|remote| remote.error()).map(ToString::to_string)
}

#[test]
fn a_panic_in_a_read_is_shown_as_the_error_of_its_result() {
    let (mut scene, asset) = Scene::with_asset();
    scene.panics(Action::Refresh(Panel::Applications), |state| error(Some(&state.applications.list.rows)));
    scene.panics(Action::Refresh(Panel::External), |state| error(Some(&state.applications.external.rows)));
    scene.panics(Action::Refresh(Panel::Assets), |state| error(Some(&state.assets.list.rows)));
    let application = scene.app.state().applications.list.rows.value().expect("rows")[0].id.clone();
    scene.panics(Action::Applications(ApplicationsAction::Open(application)), |state| {
        error(state.applications.open.as_ref().map(|page| &page.record))
    });
    let id = asset.clone();
    scene.panics(Action::Assets(AssetsAction::Reload(id.clone())), |state| {
        error(state.assets.pages.of.get(&id).map(|page| &page.record))
    });
    scene.panics(Action::Assets(AssetsAction::LoadContent(id.clone())), |state| {
        error(state.assets.pages.of.get(&id).map(|page| &page.content))
    });
    scene.panics(Action::Assets(AssetsAction::LoadFormats(id.clone())), |state| {
        error(state.assets.pages.of.get(&id).map(|page| &page.formats))
    });
    scene.panics(Action::Assets(AssetsAction::LoadActivities(id.clone())), |state| {
        error(state.assets.pages.of.get(&id).map(|page| &page.activities))
    });
    scene.panics(Action::Assets(AssetsAction::LoadConversations(id.clone())), |state| {
        error(state.assets.pages.of.get(&id).map(|page| &page.conversations))
    });
    for kind in LinkKind::ALL {
        scene.panics(Action::Assets(AssetsAction::LoadLinkable(kind)), |state| error(state.assets.linkable.get(&kind)));
    }
    scene.panics(Action::Assets(AssetsAction::Search("text".to_owned())), |state| {
        error(state.assets.found.as_ref().map(|found| &found.hits))
    });
    let export = "HTML".parse().expect("a kind");
    scene.panics(Action::Export(ExportAction::Export(asset.clone(), export)), |state| {
        error(state.export.of.get(&asset).map(|export| &export.document))
    });
    scene.panics(Action::Write(WriteAction::Send(Box::new(ApplicationsSnapshot {}.into()))), |state| {
        state.write.console.refused.clone()
    });
    scene.panics(Action::Check(true), |state| state.check.report.error().cloned());
}

#[test]
fn a_panic_after_a_write_was_sent_is_reported_as_an_unknown_outcome() {
    let (mut scene, asset) = Scene::with_asset();
    let favourite = |from: bool| {
        let edit = Edit { field: Field::Favorited, from: Some(from.into()), to: (!from).into() };
        Action::Write(WriteAction::Change(Change::Edit { asset: asset.clone(), edits: vec![edit] }))
    };
    // The first wake is that of the read before it, where nothing has left.
    scene.panics(favourite(false), |state| noticed(state).filter(|text| text.contains("Could not make the change")));
    assert_eq!(scene.app.state().history.entries, []);
    scene.dismiss();
    // The second is that of the note on disk, the third that of the write itself.
    scene.panics_at(3, favourite(false), unknown);
    scene.dismiss();
    scene.panics_at(
        2,
        Action::Import(ImportAction::Create { name: "new".to_owned(), text: "text".to_owned() }),
        unknown,
    );
    scene.dismiss();
    let track = Action::Write(WriteAction::Track { name: "tool".to_owned(), version: String::new(), identifier: None });
    scene.app.perform(track);
    scene.panics_at(2, Action::Confirm, unknown);
    scene.panics_at(2, Action::Write(WriteAction::Send(Box::new(ApplicationsSessionOpen {}.into()))), |state| {
        state.write.console.refused.clone().filter(|refused| refused.contains("unknown"))
    });
    let steps = &scene.app.state().history.entries;
    assert_eq!(steps.len(), 4, "{steps:?}");
    let open = steps.iter().find(|step| !matches!(step.outcome, Outcome::Unknown(_)));
    assert!(open.is_none(), "each step is noted as unknown: {open:?}");
}

#[test]
fn panics_in_a_plan_an_import_a_port_scan_and_live_updates_are_reported() {
    let (mut scene, asset) = Scene::with_asset();
    let id = asset.clone();
    let counted = Change::Increment { asset: id.clone(), counter: Counter::Reuse, from: None };
    scene.panics(Action::Write(WriteAction::Change(counted)), |state| {
        state.write.planned.as_ref()?.plan.error().cloned()
    });
    scene.app.perform(WriteAction::DismissPlan);
    scene.panics(Action::Session(SessionAction::Discover), noticed);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("b.txt");
    std::fs::write(&path, "b").expect("a file");
    // The first is that of the call that recognises what it is.
    scene.panics(Action::Import(ImportAction::Import(vec![path.clone()])), |state| {
        state.import.previews.open.as_ref()?.content.error().cloned()
    });
    scene.app.perform(PreviewAction::Close);
    scene.panics_at(3, Action::Import(ImportAction::Import(vec![path])), |state| {
        let import = state.import.summary.as_ref()?;
        import.stopped.clone().or_else(|| import.rejected.first().map(|(_, why)| why.clone()))
    });
    // The list that is read after an import may have panicked with it, and one that failed is not kept up with.
    scene.app.perform(Action::Refresh(Panel::Assets));
    scene.idle();
    // A change elsewhere comes by the stream.
    scene.fuse.store(1, Ordering::SeqCst);
    let client = support::client_at(&scene.service.url(), Limits::default());
    scene.runtime.block_on(support::assets::text_asset(&client, "made elsewhere", "text"));
    scene.until("what keeps up says so", |state| {
        state.notifications.notices.iter().any(|notice| notice.text.contains("Live updates stopped"))
    });
    scene.fuse.store(0, Ordering::SeqCst);
    scene.app.perform(AssetsAction::Reload(asset.clone()));
    scene.until("it is read", |state| {
        state.assets.pages.of[&asset].record.error().is_none() && !state.assets.pages.of[&asset].record.loading()
    });
}

#[test]
fn panics_in_dialogs_and_the_embedded_service_are_reported() {
    let (mut scene, asset) = Scene::with_asset();
    for action in [Action::Import(ImportAction::PickFiles), Action::Import(ImportAction::PickFolder)] {
        scene.panics(action, noticed);
        scene.dismiss();
    }
    scene.app.perform(ExportAction::Export(asset.clone(), "HTML".parse().expect("a kind")));
    let read = |state: &State| {
        let export = state.export.of.get(&asset);
        export.is_some_and(|export| export.document.value().is_some())
    };
    scene.until("it is exported", read);
    scene.panics(Action::Export(ExportAction::Save(asset.clone())), noticed);
    scene.app.perform(SessionAction::Connect(Target::Embedded));
    scene.until(
        "it says so",
        |state| matches!(&state.connection.status, Status::Down(message) if message.contains(SIGN)),
    );
}

#[test]
fn panics_in_monitoring_the_embedded_service_are_reported() {
    let (mut scene, _) = Scene::with_asset();
    scene.embedded.look.store(true, Ordering::SeqCst);
    scene.until("it is said", |state| noticed(state).is_some_and(|text| text.contains("no longer monitored")));
    scene.embedded.look.store(false, Ordering::SeqCst);
    scene.app.perform(Action::Refresh(Panel::Applications));
    scene.until("the window goes on", |state| state.applications.list.rows.error().is_none());
}
