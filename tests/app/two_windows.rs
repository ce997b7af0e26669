//! Two windows of one user on one file of settings: what one chose is not undone by the other.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lunette_client::client::Limits;
use lunette_inspector::action::{EmbeddedAction, SessionAction, SettingsAction};
use lunette_inspector::settings::Target;
use lunette_inspector::settings::{Settings, Theme};
use lunette_inspector::sync::SyncIntervals;
use lunette_inspector::{App, BoxFuture, EmbeddedError, EmbeddedService, Setup, State, WritePolicy};
use tokio::runtime::Runtime;

use crate::support::headless::Headless;

const PATIENCE: Duration = Duration::from_secs(60);
const PAGE: &str = "http://localhost:8888";
const OTHER_PAGE: &str = "http://localhost:9999";
/// Nothing listens there.
const NOWHERE: &str = "http://127.0.0.1:1";

/// Remembers which pages are let in.
#[derive(Clone, Default)]
struct Inside(Arc<Mutex<Vec<String>>>);

impl EmbeddedService for Inside {
    fn start(&self) -> BoxFuture<Result<String, EmbeddedError>> {
        Box::pin(async { Err(EmbeddedError::NotHere) })
    }

    fn allow(&self, origins: Vec<String>) -> BoxFuture<()> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = origins;
        Box::pin(async {})
    }
}

struct Window {
    app: App,
    embedded: Inside,
    woken: Receiver<()>,
}

impl Window {
    fn on(data: &Path, runtime: &Runtime) -> Self {
        let embedded = Inside::default();
        let (wake, woken) = channel();
        let wake = Mutex::new(wake);
        let app = App::new(Setup {
            runtime: runtime.handle().clone(),
            // Nobody listens once the test is over.
            repaint: Arc::new(move || wake.lock().unwrap_or_else(PoisonError::into_inner).send(()).unwrap_or(())),
            target: Some(Target::Url(NOWHERE.to_owned())),
            embed: Arc::new(embedded.clone()),
            dialogs: Arc::new(Headless),
            data: Some(data.to_owned()),
            limits: Limits::default(),
            pace: SyncIntervals::default(),
            open_requests: None,
        });
        Self { app, embedded, woken }
    }

    #[track_caller]
    fn until(&mut self, what: &str, done: impl Fn(&State) -> bool) {
        let end = Instant::now() + PATIENCE;
        loop {
            self.app.step();
            if done(self.app.state()) {
                return;
            }
            assert!(Instant::now() < end, "waited in vain until {what}; {:?}", self.app.state().preferences.settings);
            self.woken.recv_timeout(Duration::from_millis(50)).ok();
        }
    }
}

#[test]
fn page_size_and_write_policy_of_one_window_are_not_reverted_by_another_and_apply_there() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let begun = Settings { allowed_origins: vec![PAGE.to_owned()], ..Settings::default() };
    begun.save(&Settings::default(), folder.path()).expect("written");
    let kept = || Settings::peek(folder.path());
    let (mut a, mut b) = (Window::on(folder.path(), &runtime), Window::on(folder.path(), &runtime));

    a.app.perform(EmbeddedAction::DisallowOrigin(PAGE.to_owned()));
    a.app.perform(SessionAction::SetWritePolicy(WritePolicy::ReadOnly));
    a.until("both are kept", |_| kept().allowed_origins.is_empty() && !kept().write_policies.is_empty());
    b.app.perform(SettingsAction::Theme(Theme::Dark));
    b.until("the theme is kept", |_| kept().theme == Theme::Dark);
    assert_eq!(kept().allowed_origins, [""; 0]);
    assert_eq!(kept().write_policies.values().collect::<Vec<_>>(), [&WritePolicy::ReadOnly]);

    // It holds in the other one too, which would be the next to start the service.
    b.until("it is taken over", |state| state.connection.write_policy == WritePolicy::ReadOnly);
    assert_eq!(b.app.state().preferences.settings.allowed_origins, [""; 0]);
    b.app.perform(EmbeddedAction::AllowOrigin(OTHER_PAGE.to_owned()));
    b.until("it is kept", |_| kept().allowed_origins == [OTHER_PAGE]);
    let embedded = b.embedded.clone();
    b.until("it is handed on", |_| *embedded.0.lock().unwrap_or_else(PoisonError::into_inner) == [OTHER_PAGE]);
    a.app.perform(SettingsAction::Theme(Theme::Light));
    a.until("the theme is kept", |_| kept().theme == Theme::Light);
    assert_eq!(kept().allowed_origins, [OTHER_PAGE]);
}
