//! Requests of other programs to the open window: another start of this program passes on a link, files, or the request
//! to raise the window.
//!
//! What must hold: no request writes by itself. A link only shows something (see [`crate::navigation::link`]);
//! before files are imported, the user is asked. A request is answered when the window has handled it, so that a
//! hanging window is detected by its missing answer. A request whose sender no longer waits is dropped.

use crate::action::ImportAction;
use crate::action::NavigationAction;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Instant;

use crate::Address;
use crate::capability::Capability;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::navigation::link::Link;
use crate::notifications::Severity;
use crate::session::{Connection, Status};
use crate::settings::Target;
use crate::tasks::RepaintSignal;

/// A request of another start of this program to the window.
pub struct OpenRequest {
    /// The service to show; `None` for the current one.
    pub target: Option<Target>,
    /// What to show.
    pub link: Option<Link>,
    /// The files to import after confirmation.
    pub paths: Vec<PathBuf>,
    /// Receives the result.
    pub answer: Box<dyn FnOnce(Answer) + Send>,
    /// When the sender stops waiting; `None` for the request that the window was started with.
    pub until: Option<Instant>,
}

/// The result of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The window shows the requested content.
    Shown,
    /// The window shows another service than the requested one.
    Elsewhere,
}

/// The sending half of the [`channel`].
#[derive(Clone)]
pub struct OpenRequestSender {
    requests: mpsc::Sender<OpenRequest>,
    repaint: Arc<OnceLock<RepaintSignal>>,
    ending: Arc<AtomicBool>,
}

/// The receiving half of the [`channel`], owned by the window.
pub struct OpenRequestReceiver {
    requests: mpsc::Receiver<OpenRequest>,
    repaint: Arc<OnceLock<RepaintSignal>>,
    ending: Arc<AtomicBool>,
}

/// Creates a channel from other starts of this program to the window.
pub fn channel() -> (OpenRequestSender, OpenRequestReceiver) {
    let (sender, receiver) = mpsc::channel();
    let (repaint, ending) = (Arc::<OnceLock<RepaintSignal>>::default(), Arc::<AtomicBool>::default());
    let sender = OpenRequestSender { requests: sender, repaint: Arc::clone(&repaint), ending: Arc::clone(&ending) };
    (sender, OpenRequestReceiver { requests: receiver, repaint, ending })
}

impl OpenRequestSender {
    /// Sends a request to the window. If the window is closed, no answer follows.
    pub fn send(&self, request: OpenRequest) {
        self.requests.send(request).ok(); // The sender of the request then times out.
        self.wake();
    }

    /// Asks the window to close as if the user closed it.
    pub fn end(&self) {
        self.ending.store(true, Ordering::Release);
        self.wake();
    }

    fn wake(&self) {
        // Before the first frame there is nothing to wake: that frame handles earlier requests.
        if let Some(repaint) = self.repaint.get() {
            repaint();
        }
    }
}

impl OpenRequestReceiver {
    /// Waits for the next request. Returns `None` once every sender is dropped.
    pub fn next(&self) -> Option<OpenRequest> {
        self.requests.recv().ok()
    }
}

/// Received requests, and files waiting for a connection.
#[derive(Default)]
pub(crate) struct ExternalRequests {
    receiver: Option<OpenRequestReceiver>,
    /// How often the window was raised.
    called: u64,
    paths: Vec<PathBuf>,
}

impl ExternalRequests {
    pub fn new(receiver: Option<OpenRequestReceiver>, repaint: &RepaintSignal) -> Self {
        if let Some(receiver) = &receiver {
            receiver.repaint.set(Arc::clone(repaint)).ok(); // A receiver has one window.
        }
        Self { receiver, ..Self::default() }
    }

    /// How often another start raised the window since it opened.
    pub fn called(&self) -> u64 {
        self.called
    }

    /// Whether the window was asked to close.
    pub fn is_ending(&self) -> bool {
        self.receiver.as_ref().is_some_and(|receiver| receiver.ending.load(Ordering::Acquire))
    }

    /// Handles the requests received since the last frame.
    pub(crate) fn handle_open_requests(&mut self, cx: &mut Context<'_>) {
        while let Some(request) = self.receiver.as_ref().and_then(|receiver| receiver.requests.try_recv().ok()) {
            self.handle_request(request, cx);
        }
    }

    fn handle_request(&mut self, request: OpenRequest, cx: &mut Context<'_>) {
        let OpenRequest { target, link, paths, answer, until } = request;
        if until.is_some_and(|until| Instant::now() > until) {
            return;
        }
        if target.is_some_and(|target| !cx.connection.shows(&target)) {
            return answer(Answer::Elsewhere);
        }
        self.called += u64::from(until.is_some());
        if let Some(link) = link {
            cx.request(NavigationAction::Open(link));
        }
        self.paths.extend(paths);
        self.confirm_import(cx);
        answer(Answer::Shown);
    }

    /// Asks whether to import the received files. An open question is not replaced.
    pub(crate) fn confirm_import(&mut self, cx: &mut Context<'_>) {
        if self.paths.is_empty() || cx.connection.status != Status::Up {
            return;
        }
        let paths = std::mem::take(&mut self.paths);
        if cx.blocks_write(Capability::CreateAsset, "Could not import") {
            return;
        }
        let what = match paths.as_slice() {
            [path] => path.display().to_string(),
            paths => format!("{} files and folders", paths.len()),
        };
        if cx.notifications.confirmation.is_some() {
            let problem =
                format!("“{what}” was not imported because another question is open. Answer it, then try again");
            return cx.notify(Severity::Failed, problem);
        }
        let text = "Another program sent this. Each file becomes an asset, except hidden files, ignored files and \
                    files that are already assets. Undo deletes the new assets.";
        cx.ask_first(Confirmation::import(format!("Import {what}?"), text, |confirmed| {
            ImportAction::ImportConfirmed(paths, confirmed)
        }));
    }
}

impl Connection {
    /// Whether this connection is to the service of `target`.
    fn shows(&self, target: &Target) -> bool {
        let same = |url: &str| match (url.parse::<Address>(), self.address.as_deref().map(str::parse::<Address>)) {
            (Ok(wanted), Some(Ok(shown))) => wanted == shown,
            _ => false,
        };
        *target == self.target || matches!(target, Target::Url(url) if same(url))
    }
}
