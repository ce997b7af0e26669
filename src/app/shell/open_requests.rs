//! What passes between an open window and other programs: a link, files, the wish to see it come in, by another start of
//! this program; files that were lent go out.
//!
//! What must hold: nothing that comes this way writes. A link only shows something (see [`crate::app::navigation::link`]); of files
//! the user is asked first. The one who calls is answered once the window has taken the wish in, so that a window that
//! hangs is known by its silence; and a wish whose caller has gone is not carried out later.

use crate::app::action::ImportAction;
use crate::app::action::NavigationAction;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crate::app::Address;
use crate::app::confirm::Confirmation;
use crate::app::context::Context;
use crate::app::navigation::link::Link;
use crate::app::notifications::Grade;
use crate::app::session::feature::Feature;
use crate::app::session::{Connection, Status};
use crate::app::settings::Target;
use crate::app::tasks::Waker;

/// What another start of this program wants of the window.
pub struct OpenRequest {
    /// The service it is to show; None for whichever it shows.
    pub target: Option<Target>,
    /// What to show.
    pub link: Option<Link>,
    /// What to import, if the user says so.
    pub paths: Vec<PathBuf>,
    /// Told how it ended.
    pub answer: Box<dyn FnOnce(Answer) + Send>,
    /// When the caller no longer listens; None where it is the window's own first wish.
    pub until: Option<Instant>,
}

/// What came of a summons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The window shows it.
    Shown,
    /// The window shows another service than the one that is wanted.
    Elsewhere,
}

/// Rings at the window.
#[derive(Clone)]
pub struct OpenRequestSender {
    summons: Sender<OpenRequest>,
    waker: Arc<OnceLock<Waker>>,
    ending: Arc<AtomicBool>,
}

/// The window's end of it.
pub struct OpenRequestReceiver {
    summons: Receiver<OpenRequest>,
    waker: Arc<OnceLock<Waker>>,
    ending: Arc<AtomicBool>,
}

/// A bell, and the door at which it rings.
pub fn bell() -> (OpenRequestSender, OpenRequestReceiver) {
    let (sender, receiver) = channel();
    let (waker, ending) = (Arc::<OnceLock<Waker>>::default(), Arc::<AtomicBool>::default());
    let bell = OpenRequestSender { summons: sender, waker: Arc::clone(&waker), ending: Arc::clone(&ending) };
    (bell, OpenRequestReceiver { summons: receiver, waker, ending })
}

impl OpenRequestSender {
    /// Hands a summons to the window. Nobody answers it where the window is gone.
    pub fn ring(&self, summons: OpenRequest) {
        self.summons.send(summons).ok(); // The caller learns of it by the silence.
        self.wake();
    }

    /// Asks the window to close, as its user would.
    pub fn end(&self) {
        self.ending.store(true, Ordering::Release);
        self.wake();
    }

    fn wake(&self) {
        // Before the first frame there is nothing to wake: that frame takes in what was rung before it.
        if let Some(waker) = self.waker.get() {
            waker();
        }
    }
}

impl OpenRequestReceiver {
    /// The next summons, waited for; None when nobody can ring any more.
    pub fn next(&self) -> Option<OpenRequest> {
        self.summons.recv().ok()
    }
}

/// What came in, and what waits for a service.
#[derive(Default)]
pub(in crate::app) struct ExternalRequests {
    door: Option<OpenRequestReceiver>,
    /// How often the window was called to the front.
    called: u64,
    paths: Vec<PathBuf>,
}

impl ExternalRequests {
    pub fn behind(door: Option<OpenRequestReceiver>, waker: &Waker) -> Self {
        if let Some(door) = &door {
            door.waker.set(Arc::clone(waker)).ok(); // A door has one window.
        }
        Self { door, ..Self::default() }
    }

    /// How often the window was called to the front since it opened.
    pub fn called(&self) -> u64 {
        self.called
    }

    /// Whether the window was asked to close.
    pub fn is_ending(&self) -> bool {
        self.door.as_ref().is_some_and(|door| door.ending.load(Ordering::Acquire))
    }

    /// Takes in who rang since the last frame.
    pub(in crate::app) fn handle_open_requests(&mut self, cx: &mut Context<'_>) {
        while let Some(summons) = self.door.as_ref().and_then(|door| door.summons.try_recv().ok()) {
            self.summoned(summons, cx);
        }
    }

    fn summoned(&mut self, summons: OpenRequest, cx: &mut Context<'_>) {
        let OpenRequest { target, link, paths, answer, until } = summons;
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
        self.ask_of_paths(cx);
        answer(Answer::Shown);
    }

    /// Asks whether what was handed over is to be imported. What the user is asked already is not replaced.
    pub(in crate::app) fn ask_of_paths(&mut self, cx: &mut Context<'_>) {
        if self.paths.is_empty() || cx.connection.status != Status::Up {
            return;
        }
        let paths = std::mem::take(&mut self.paths);
        if cx.blocks_write(Feature::Make, "Could not import") {
            return;
        }
        let what = match paths.as_slice() {
            [path] => path.display().to_string(),
            paths => format!("{} files and folders", paths.len()),
        };
        if cx.notifications.asked.is_some() {
            let problem =
                format!("“{what}” was not imported because another question is open. Answer it, then try again");
            return cx.notify(Grade::Failed, problem);
        }
        let text = "Another program sent this. Each file becomes an asset, except hidden files, ignored files and \
                    files that are already assets. Undo deletes the new assets.";
        cx.ask_first(Confirmation::import(format!("Import {what}?"), text, |confirmed| {
            ImportAction::ImportConfirmed(paths, confirmed)
        }));
    }
}

impl Connection {
    /// Whether this is the service that is meant.
    fn shows(&self, target: &Target) -> bool {
        let same = |url: &str| match (url.parse::<Address>(), self.address.as_deref().map(str::parse::<Address>)) {
            (Ok(wanted), Some(Ok(shown))) => wanted == shown,
            _ => false,
        };
        *target == self.target || matches!(target, Target::Url(url) if same(url))
    }
}
