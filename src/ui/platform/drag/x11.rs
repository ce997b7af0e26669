//! The source of a drag on X11, using the protocol that all programs share
//! ([XDND](https://freedesktop.org/wiki/Specifications/XDND/), version 5). The toolkit implements only the target side,
//! so this uses a connection of its own.
//!
//! What must hold: a file is only offered for copying; the window under the pointer is found by queries and nothing is
//! grabbed, so that a program that hangs does not block keyboard and mouse; the drag ends when the button is released,
//! when Escape is pressed, and after a time limit.

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

use offer::NotificationAction;
use target::Target;

x11rb::atom_manager! {
    /// The atoms of the protocol.
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

/// How often the pointer is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(12);
/// Maximum duration of a drag.
const MAX_DURATION: Duration = Duration::from_secs(120);
/// How long the other program may take to answer after the button was released.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// The version of the protocol.
const VERSION: u32 = 5;
/// The key code of Escape, on every keyboard of current X servers.
const ESCAPE: usize = 9;

/// Why the drag failed.
#[derive(Debug, thiserror::Error)]
pub enum DragError {
    /// There is no display.
    #[error("the display could not be reached: {0}")]
    Unreached(#[from] ConnectError),
    /// The display returned an error, or the connection was lost.
    #[error("the display gave up: {0}")]
    Display(#[from] ReplyOrIdError),
    /// The path cannot be written as a URL.
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

/// Offers a file to whatever is under the pointer while the first button is held, and waits for the end. Returns
/// whether a program accepted it. `display` names the display; `None` is the one of the environment.
pub fn drag_file(display: Option<&str>, path: &Path) -> Result<bool, DragError> {
    let offer = NotificationAction::of(path).ok_or(DragError::Path)?;
    let (connection, screen) = x11rb::connect(display)?;
    Source::new(connection, screen, offer)?.run()
}

struct Source {
    connection: RustConnection,
    atoms: Atoms,
    root: Window,
    /// Our window: it owns the selection and sends all messages.
    window: Window,
    offer: NotificationAction,
    over: Option<Target>,
    /// Whether the target was sent a position and has not answered yet.
    awaits_status: bool,
    /// Whether the target accepts the offer at the current position.
    target_accepts: bool,
    last_position: Option<(i16, i16)>,
}

impl Source {
    fn new(connection: RustConnection, screen: usize, offer: NotificationAction) -> Result<Self, DragError> {
        let root = connection.setup().roots[screen].root;
        let atoms = Atoms::new(&connection)?.reply()?;
        let window = connection.generate_id()?;
        let (class, nothing) = (WindowClass::INPUT_ONLY, CreateWindowAux::new());
        connection.create_window(0, window, root, -1, -1, 1, 1, 0, class, x11rb::COPY_FROM_PARENT, &nothing)?;
        connection.set_selection_owner(window, atoms.XdndSelection, x11rb::CURRENT_TIME)?.check()?;
        let (over, last_position) = (None, None);
        Ok(Self {
            connection,
            atoms,
            root,
            window,
            offer,
            over,
            awaits_status: false,
            target_accepts: false,
            last_position,
        })
    }

    fn run(mut self) -> Result<bool, DragError> {
        let end = Instant::now() + MAX_DURATION;
        loop {
            self.handle_events()?;
            let pointer = self.connection.query_pointer(self.root)?.reply()?;
            let keys = self.connection.query_keymap()?.reply()?.keys;
            if keys[ESCAPE / 8] & (1 << (ESCAPE % 8)) != 0 || Instant::now() > end {
                self.leave_target()?;
                return Ok(false);
            }
            self.follow(pointer.root_x, pointer.root_y)?;
            if !pointer.mask.contains(KeyButMask::BUTTON1) {
                return self.finish_drop();
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Notifies the window under the pointer, and the one that was left.
    fn follow(&mut self, x: i16, y: i16) -> Result<(), DragError> {
        let found = target::under_pointer(&self.connection, &self.atoms, self.root)?;
        if found != self.over {
            self.leave_target()?;
            self.over = found;
            if let Some(target) = found {
                let version = target.version.min(VERSION) << 24;
                let kinds = [self.atoms.UriList, self.atoms.Utf8, self.atoms.Plain];
                self.send(target, self.atoms.XdndEnter, [version, kinds[0], kinds[1], kinds[2]])?;
            }
        }
        let Some(target) = self.over else { return Ok(()) };
        // The protocol allows one position message at a time.
        if self.awaits_status || self.last_position == Some((x, y)) {
            return Ok(());
        }
        (self.awaits_status, self.last_position) = (true, Some((x, y)));
        let position = (u32::from(x as u16) << 16) | u32::from(y as u16);
        self.send(target, self.atoms.XdndPosition, [0, position, x11rb::CURRENT_TIME, self.atoms.XdndActionCopy])
    }

    fn leave_target(&mut self) -> Result<(), DragError> {
        (self.awaits_status, self.target_accepts, self.last_position) = (false, false, None);
        match self.over.take() {
            Some(target) => self.send(target, self.atoms.XdndLeave, [0; 4]),
            None => Ok(()),
        }
    }

    /// Finishes the drag after the button was released: transfers the file if it is accepted, and waits for the end.
    fn finish_drop(mut self) -> Result<bool, DragError> {
        let end = Instant::now() + ANSWER_TIMEOUT;
        while self.awaits_status && Instant::now() < end {
            self.handle_events()?;
            std::thread::sleep(POLL_INTERVAL);
        }
        let Some(target) = self.over.filter(|_| self.target_accepts) else {
            self.leave_target()?;
            return Ok(false);
        };
        self.send(target, self.atoms.XdndDrop, [0, x11rb::CURRENT_TIME, 0, 0])?;
        while Instant::now() < end {
            if let Some(taken) = self.handle_events()? {
                return Ok(taken);
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        // Some programs never send the end; they have what they asked for.
        Ok(self.offer.was_read())
    }

    /// Handles incoming events; returns the result once the target reports it.
    fn handle_events(&mut self) -> Result<Option<bool>, DragError> {
        let mut ended = None;
        while let Some(event) = self.connection.poll_for_event()? {
            match event {
                Event::SelectionRequest(request) => self.send_selection(request)?,
                Event::ClientMessage(message) => ended = self.handle_message(message).or(ended),
                // Errors too: windows of other programs may disappear at any time.
                _ => {}
            }
        }
        Ok(ended)
    }

    fn handle_message(&mut self, message: ClientMessageEvent) -> Option<bool> {
        let data = message.data.as_data32();
        let target = self.over.filter(|target| target.window == data[0])?;
        if message.type_ == self.atoms.XdndStatus {
            (self.awaits_status, self.target_accepts) = (false, data[1] & 1 != 0);
        }
        // Before version 5 the end does not include the result.
        (message.type_ == self.atoms.XdndFinished).then(|| target.version < 5 || data[1] & 1 != 0)
    }

    /// Sends the offer in the requested format, or that there is none.
    fn send_selection(&mut self, request: SelectionRequestEvent) -> Result<(), DragError> {
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
        let last_position =
            SelectionNotifyEvent { response_type, sequence: 0, time, requestor, selection, target, property: given };
        connection.send_event(false, requestor, EventMask::NO_EVENT, last_position)?;
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
