//! Which service a window uses unasked: its own, or one that is known to be the user's. Who a listener belongs to is
//! claimed by the stand-in for the program, since another user cannot be had in every place where this runs.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lunette_client::client::{Address, Limits};
use lunette_inspector::session::Status;
use lunette_inspector::settings::Settings;
use lunette_inspector::settings::Target;
use lunette_inspector::sync::SyncIntervals;
use lunette_inspector::{Action, App, BoxFuture, EmbeddedError, EmbeddedService, Owner, Setup, State};
use lunette_service::{Data, Running, start};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::support;
use crate::support::headless::Headless;
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction};

const PATIENCE: Duration = Duration::from_secs(60);

/// The program: its own service, and whose it says every other one is.
struct Claims {
    own: String,
    others: Owner,
}

impl EmbeddedService for Claims {
    fn start(&self) -> BoxFuture<Result<String, EmbeddedError>> {
        let url = self.own.clone();
        Box::pin(async move { Ok(url) })
    }

    fn owner(&self, address: &Address) -> Owner {
        if address.to_string() == self.own { Owner::SameUser } else { self.others }
    }
}

/// An own service, and one of somebody at an address that was used before.
struct Environment {
    own: Running,
    _other: Running,
    wire: MutatingProxy,
    folder: TempDir,
    runtime: Runtime,
}

impl Environment {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let service = || runtime.block_on(start(support::settings(Data::Memory))).expect("the service starts");
        let (own, other) = (service(), service());
        let wire = MutatingProxy::start(other.port(), |_| ProxyAction::Pass);
        let environment = Self { own, _other: other, wire, folder: tempfile::tempdir().expect("a folder"), runtime };
        let kept = Settings { target: Target::Url(environment.wire.url()), ..Settings::default() };
        kept.save(&Settings::default(), environment.folder.path()).expect("the settings of before");
        environment
    }

    fn trusted(&self) -> Vec<String> {
        Settings::peek(self.folder.path()).trusted.into_keys().collect()
    }

    fn open(&self, target: Option<Target>, others: Owner) -> Inspector {
        let (wake, woken) = channel();
        let wake = Mutex::new(wake);
        let app = App::new(Setup {
            runtime: self.runtime.handle().clone(),
            // Nobody listens once the inspector is gone.
            repaint: Arc::new(move || wake.lock().unwrap_or_else(PoisonError::into_inner).send(()).unwrap_or(())),
            target,
            embed: Arc::new(Claims { own: self.own.url(), others }),
            dialogs: Arc::new(Headless),
            data: Some(self.folder.path().to_owned()),
            limits: Limits::default(),
            pace: SyncIntervals::default(),
            open_requests: None,
        });
        Inspector { app, woken }
    }

    /// Whether the other service was asked for more than what it is.
    fn other_was_used(&self) -> bool {
        self.wire.asked().iter().any(|asked| !asked.path.starts_with("/.well-known/"))
    }
}

struct Inspector {
    app: App,
    woken: Receiver<()>,
}

impl Inspector {
    #[track_caller]
    fn until(&mut self, what: &str, done: impl Fn(&State) -> bool) {
        let end = Instant::now() + PATIENCE;
        loop {
            self.app.step();
            if done(self.app.state()) && !self.app.busy() {
                return;
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(self.woken.recv_timeout(left).is_ok(), "waited in vain until {what}");
        }
    }

    #[track_caller]
    fn until_up(&mut self, url: &str) {
        self.until("it is connected", |state| {
            state.connection.status == Status::Up && state.connection.address.as_deref() == Some(url)
        });
    }
}

#[test]
fn an_untrusted_service_is_used_only_after_confirmation_which_is_remembered() {
    for others in [Owner::AnotherUser, Owner::Unknown] {
        let environment = Environment::new();
        let mut inspector = environment.open(None, others);
        inspector.until_up(&environment.own.url());
        let asked = inspector.app.state().notifications.confirmation.clone().expect("it is asked");
        assert!(asked.text.contains(&environment.wire.url()), "{}", asked.text);
        assert!(!environment.other_was_used(), "{:?}", environment.wire.asked());

        inspector.app.perform(Action::Confirm);
        inspector.until_up(&environment.wire.url());
        assert!(environment.other_was_used());
        drop(inspector);
        assert_eq!(environment.trusted(), [environment.wire.url()]);

        let mut again = environment.open(None, others);
        again.until_up(&environment.wire.url());
        assert_eq!(again.app.state().notifications.confirmation, None, "it is remembered");
    }
}

#[test]
fn a_declined_service_is_not_used() {
    let environment = Environment::new();
    let mut inspector = environment.open(None, Owner::AnotherUser);
    inspector.until_up(&environment.own.url());
    inspector.app.perform(Action::Decline);
    inspector.until("nothing is under way", |_| true);
    assert!(!environment.other_was_used());
    drop(inspector);
    let mut again = environment.open(None, Owner::AnotherUser);
    again.until_up(&environment.own.url());
    assert_eq!(again.app.state().notifications.confirmation, None, "it is not asked again");
}

#[test]
fn a_service_that_the_user_names_or_owns_needs_no_confirmation() {
    let environment = Environment::new();
    for (target, others) in [(None, Owner::SameUser), (Some(Target::Url(environment.wire.url())), Owner::AnotherUser)] {
        let mut inspector = environment.open(target, others);
        inspector.until_up(&environment.wire.url());
        assert_eq!(inspector.app.state().notifications.confirmation, None);
    }
}
