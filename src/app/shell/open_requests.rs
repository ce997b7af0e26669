//! What passes between an open window and other programs: a link, files, the wish to see it come in, by another start of
//! this program; files that were lent go out.
//!
//! What must hold: nothing that comes this way writes. A link only shows something (see [`crate::app::navigation::link`]); of files
//! the user is asked first. The one who calls is answered once the window has taken the wish in, so that a window that
//! hangs is known by its silence; and a wish whose caller has gone is not carried out later.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crate::app::confirm::{Confirmation, ConfirmedAction};
use crate::app::export::drag_file::DragFile;
use crate::app::navigation::link::Link;
use crate::app::notifications::Grade;
use crate::app::session::feature::Feature;
use crate::app::session::{Connection, Status, Target};
use crate::app::tasks::Waker;
use crate::app::{Address, App};

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
    link: Option<Link>,
    paths: Vec<PathBuf>,
    /// Files that other programs took; they go with the window.
    lent: Vec<DragFile>,
}

impl ExternalRequests {
    pub fn behind(door: Option<OpenRequestReceiver>, waker: &Waker) -> Self {
        if let Some(door) = &door {
            door.waker.set(Arc::clone(waker)).ok(); // A door has one window.
        }
        Self { door, ..Self::default() }
    }

    /// Keeps a file that another program may still read.
    pub fn keep(&mut self, lent: DragFile) {
        self.lent.push(lent);
    }

    /// Keeps a link until a service answers; one at a time.
    pub fn wait_with(&mut self, link: Link) {
        self.link = Some(link);
    }
}

impl App {
    /// How often the window was called to the front since it opened.
    pub fn called(&self) -> u64 {
        self.state.shell.called
    }

    /// Whether the window was asked to close.
    pub fn is_ending(&self) -> bool {
        self.state.shell.door.as_ref().is_some_and(|door| door.ending.load(Ordering::Acquire))
    }

    pub(in crate::app) fn is_connected(&self) -> bool {
        self.state.connection.status == Status::Up
    }

    /// Takes in who rang since the last frame.
    pub(in crate::app) fn handle_open_requests(&mut self) {
        while let Some(summons) = self.state.shell.door.as_ref().and_then(|door| door.summons.try_recv().ok()) {
            self.summoned(summons);
        }
    }

    fn summoned(&mut self, summons: OpenRequest) {
        let OpenRequest { target, link, paths, answer, until } = summons;
        if until.is_some_and(|until| Instant::now() > until) {
            return;
        }
        if target.is_some_and(|target| !self.state.connection.shows(&target)) {
            return answer(Answer::Elsewhere);
        }
        self.state.shell.called += u64::from(until.is_some());
        if let Some(link) = link {
            self.open_link(link);
        }
        self.state.shell.paths.extend(paths);
        self.ask_of_paths();
        answer(Answer::Shown);
    }

    /// Goes on with what waited for a service.
    pub(in crate::app) fn resume_pending_requests(&mut self) {
        if let Some(link) = self.state.shell.link.take() {
            self.open_link(link);
        }
        self.ask_of_paths();
    }

    /// Asks whether what was handed over is to be imported. What the user is asked already is not replaced.
    fn ask_of_paths(&mut self) {
        if self.state.shell.paths.is_empty() || !self.is_connected() {
            return;
        }
        let paths = std::mem::take(&mut self.state.shell.paths);
        if self.blocks_write(Feature::Make, "Could not import") {
            return;
        }
        let what = match paths.as_slice() {
            [path] => path.display().to_string(),
            paths => format!("{} files and folders", paths.len()),
        };
        if self.state.notifications.asked.is_some() {
            let problem =
                format!("“{what}” was not imported because another question is open. Answer it, then try again");
            return self.notify(Grade::Failed, problem);
        }
        let text = "Another program sent this. Each file becomes an asset, except hidden files, ignored files and \
                    files that are already assets. Undo deletes the new assets.";
        self.ask_first(Confirmation::import(format!("Import {what}?"), text, ConfirmedAction::Import(paths)));
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
