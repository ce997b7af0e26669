//! The source of a drag on X11, by the protocol that all its programs speak
//! ([XDND](https://freedesktop.org/wiki/Specifications/XDND/), version 5). The toolkit knows only how to take, so this
//! stands on a connection of its own.
//!
//! What must hold: a file is offered to copy and nothing else; what is under the pointer is found out by asking,
//! nothing is grabbed, so that a program that hangs takes no keyboard and no mouse with it; and it ends when the button
//! is let go, when Escape is pressed, and after a while.

use std::path::Path;
use std::time::{Duration, Instant};

use x11rb::connection::Connection as _;
use x11rb::errors::{ConnectError, ReplyOrIdError};
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, CLIENT_MESSAGE_EVENT, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, KeyButMask,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

mod offer;
mod target;

use offer::Offer;
use target::Target;

x11rb::atom_manager! {
    /// The names of the protocol.
    Atoms: AtomsCookie {
        XdndAware,
        XdndProxy,
        XdndSelection,
        XdndEnter,
        XdndPosition,
        XdndStatus,
        XdndLeave,
        XdndDrop,
        XdndFinished,
        XdndActionCopy,
        TARGETS,
        UriList: b"text/uri-list",
        Utf8: b"text/plain;charset=utf-8",
        Plain: b"text/plain",
        _NET_WM_PID,
    }
}

/// How often the pointer is looked at.
const LOOK: Duration = Duration::from_millis(12);
/// How long a drag may take.
const LONGEST: Duration = Duration::from_secs(120);
/// How long the other program may take to answer, once the button was let go.
const PATIENCE: Duration = Duration::from_secs(5);
/// The version of the protocol.
const VERSION: u32 = 5;
/// The key code of Escape, on every keyboard that X servers of today know.
const ESCAPE: usize = 9;

/// Why nothing could be dragged.
#[derive(Debug, thiserror::Error)]
pub enum DragError {
    /// There is no display to drag on.
    #[error("the display could not be reached: {0}")]
    Unreached(#[from] ConnectError),
    /// The display refused something, or went away.
    #[error("the display gave up: {0}")]
    Display(#[from] ReplyOrIdError),
    /// A path that cannot be written as an address.
    #[error("a file with a whole path is needed")]
    Path,
}

impl From<x11rb::errors::ConnectionError> for DragError {
    fn from(error: x11rb::errors::ConnectionError) -> Self {
        Self::Display(error.into())
    }
}

impl From<x11rb::errors::ReplyError> for DragError {
    fn from(error: x11rb::errors::ReplyError) -> Self {
        Self::Display(error.into())
    }
}

/// Offers a file to whatever is under the pointer, for as long as the first button is held, and waits for the end. True
/// where a program took it. `display` names the display; None is the one of the environment.
pub fn drag_file(display: Option<&str>, path: &Path) -> Result<bool, DragError> {
    let offer = Offer::of(path).ok_or(DragError::Path)?;
    let (connection, screen) = x11rb::connect(display)?;
    Source::new(connection, screen, offer)?.run()
}

struct Source {
    connection: RustConnection,
    atoms: Atoms,
    root: Window,
    /// Ours: it owns the selection and is the sender of all messages.
    window: Window,
    offer: Offer,
    over: Option<Target>,
    /// Whether the target was told of a place and has not answered yet.
    waiting: bool,
    /// Whether it would take what is offered where the pointer is.
    accepts: bool,
    told: Option<(i16, i16)>,
}

impl Source {
    fn new(connection: RustConnection, screen: usize, offer: Offer) -> Result<Self, DragError> {
        let root = connection.setup().roots[screen].root;
        let atoms = Atoms::new(&connection)?.reply()?;
        let window = connection.generate_id()?;
        let (class, nothing) = (WindowClass::INPUT_ONLY, CreateWindowAux::new());
        connection.create_window(0, window, root, -1, -1, 1, 1, 0, class, x11rb::COPY_FROM_PARENT, &nothing)?;
        connection.set_selection_owner(window, atoms.XdndSelection, x11rb::CURRENT_TIME)?.check()?;
        let (over, told) = (None, None);
        Ok(Self { connection, atoms, root, window, offer, over, waiting: false, accepts: false, told })
    }

    fn run(mut self) -> Result<bool, DragError> {
        let end = Instant::now() + LONGEST;
        loop {
            self.take_events()?;
            let pointer = self.connection.query_pointer(self.root)?.reply()?;
            let keys = self.connection.query_keymap()?.reply()?.keys;
            if keys[ESCAPE / 8] & (1 << (ESCAPE % 8)) != 0 || Instant::now() > end {
                self.leave()?;
                return Ok(false);
            }
            self.follow(pointer.root_x, pointer.root_y)?;
            if !pointer.mask.contains(KeyButMask::BUTTON1) {
                return self.drop_here();
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Tells what is under the pointer of it, and what no longer is.
    fn follow(&mut self, x: i16, y: i16) -> Result<(), DragError> {
        let found = target::under_pointer(&self.connection, &self.atoms, self.root)?;
        if found != self.over {
            self.leave()?;
            self.over = found;
            if let Some(target) = found {
                let version = target.version.min(VERSION) << 24;
                let kinds = [self.atoms.UriList, self.atoms.Utf8, self.atoms.Plain];
                self.send(target, self.atoms.XdndEnter, [version, kinds[0], kinds[1], kinds[2]])?;
            }
        }
        let Some(target) = self.over else { return Ok(()) };
        // One question at a time, as the protocol wants it.
        if self.waiting || self.told == Some((x, y)) {
            return Ok(());
        }
        (self.waiting, self.told) = (true, Some((x, y)));
        let place = (u32::from(x as u16) << 16) | u32::from(y as u16);
        self.send(target, self.atoms.XdndPosition, [0, place, x11rb::CURRENT_TIME, self.atoms.XdndActionCopy])
    }

    fn leave(&mut self) -> Result<(), DragError> {
        (self.waiting, self.accepts, self.told) = (false, false, None);
        match self.over.take() {
            Some(target) => self.send(target, self.atoms.XdndLeave, [0; 4]),
            None => Ok(()),
        }
    }

    /// The button was let go: hands it over where it is wanted, and waits until it was taken.
    fn drop_here(mut self) -> Result<bool, DragError> {
        let end = Instant::now() + PATIENCE;
        while self.waiting && Instant::now() < end {
            self.take_events()?;
            std::thread::sleep(LOOK);
        }
        let Some(target) = self.over.filter(|_| self.accepts) else {
            self.leave()?;
            return Ok(false);
        };
        self.send(target, self.atoms.XdndDrop, [0, x11rb::CURRENT_TIME, 0, 0])?;
        while Instant::now() < end {
            if let Some(taken) = self.take_events()? {
                return Ok(taken);
            }
            std::thread::sleep(LOOK);
        }
        // Some never say that they are done; what they asked for they have.
        Ok(self.offer.was_read())
    }

    /// Answers what came in; how it ended, once the target says so.
    fn take_events(&mut self) -> Result<Option<bool>, DragError> {
        let mut ended = None;
        while let Some(event) = self.connection.poll_for_event()? {
            match event {
                Event::SelectionRequest(request) => self.hand_out(request)?,
                Event::ClientMessage(message) => ended = self.heard(message).or(ended),
                // Also errors: the windows of other programs may go at any time.
                _ => {}
            }
        }
        Ok(ended)
    }

    fn heard(&mut self, message: ClientMessageEvent) -> Option<bool> {
        let data = message.data.as_data32();
        let target = self.over.filter(|target| target.window == data[0])?;
        if message.type_ == self.atoms.XdndStatus {
            (self.waiting, self.accepts) = (false, data[1] & 1 != 0);
        }
        // Before version 5 the end says nothing of how it went.
        (message.type_ == self.atoms.XdndFinished).then(|| target.version < 5 || data[1] & 1 != 0)
    }

    /// Gives the offer in the form that is asked for, or says that there is none.
    fn hand_out(&mut self, request: SelectionRequestEvent) -> Result<(), DragError> {
        let atoms = &self.atoms;
        let property = if request.property == x11rb::NONE { request.target } else { request.property };
        let kinds = [atoms.UriList, atoms.Utf8, atoms.Plain];
        let (mode, connection) = (x11rb::protocol::xproto::PropMode::REPLACE, &self.connection);
        let mut given = property;
        if request.target == atoms.TARGETS {
            connection.change_property32(mode, request.requestor, property, AtomEnum::ATOM, &kinds)?;
        } else if kinds.contains(&request.target) {
            let bytes = self.offer.read(request.target == atoms.UriList);
            connection.change_property8(mode, request.requestor, property, request.target, bytes)?;
        } else {
            given = x11rb::NONE;
        }
        let SelectionRequestEvent { time, requestor, selection, target, .. } = request;
        let response_type = SELECTION_NOTIFY_EVENT;
        let told =
            SelectionNotifyEvent { response_type, sequence: 0, time, requestor, selection, target, property: given };
        connection.send_event(false, requestor, EventMask::NO_EVENT, told)?;
        Ok(connection.flush()?)
    }

    fn send(&self, target: Target, kind: u32, rest: [u32; 4]) -> Result<(), DragError> {
        let data = [self.window, rest[0], rest[1], rest[2], rest[3]];
        let (response_type, window) = (CLIENT_MESSAGE_EVENT, target.window);
        let message =
            ClientMessageEvent { response_type, format: 32, sequence: 0, window, type_: kind, data: data.into() };
        self.connection.send_event(false, target.receiver, EventMask::NO_EVENT, message)?;
        Ok(self.connection.flush()?)
    }
}
