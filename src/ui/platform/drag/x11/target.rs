//! What is under the pointer: the window of another program that takes what is dragged.

use x11rb::errors::{ConnectionError, ReplyError};
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, Window};
use x11rb::rust_connection::RustConnection;

use super::Atoms;

/// More windows inside each other are not looked at.
const DEEPEST: usize = 32;

/// A window that takes what is dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The window that messages name.
    pub window: Window,
    /// The one they are sent to: the same, or the one that stands for it.
    pub receiver: Window,
    /// The version of the protocol that it speaks.
    pub version: u32,
}

/// The outermost such window under the pointer; none of ours, and none where there is no such window.
pub fn under_pointer(
    connection: &RustConnection,
    atoms: &Atoms,
    root: Window,
) -> Result<Option<Target>, ConnectionError> {
    let mut window = root;
    for _ in 0..DEEPEST {
        // A window may go between two questions; then nothing is there.
        let Some(pointer) = told(connection.query_pointer(window)?.reply())? else { return Ok(None) };
        window = pointer.child;
        if window == x11rb::NONE {
            return Ok(None);
        }
        // Ours takes files, and would import what it just gave.
        if number(connection, window, atoms._NET_WM_PID, AtomEnum::CARDINAL)? == Some(std::process::id()) {
            return Ok(None);
        }
        let stands_for = number(connection, window, atoms.XdndProxy, AtomEnum::WINDOW)?;
        let receiver = stands_for.unwrap_or(window);
        // Since version 3; who speaks an older one is left alone.
        let version = number(connection, receiver, atoms.XdndAware, AtomEnum::ATOM)?;
        if let Some(version) = version.filter(|version| *version >= 3) {
            return Ok(Some(Target { window, receiver, version }));
        }
    }
    Ok(None)
}

/// A property that is one number.
fn number(
    connection: &RustConnection,
    window: Window,
    property: u32,
    kind: AtomEnum,
) -> Result<Option<u32>, ConnectionError> {
    let reply = told(connection.get_property(false, window, property, kind, 0, 1)?.reply())?;
    Ok(reply.and_then(|reply| reply.value32()?.next()))
}

/// An answer; None where the display has none, because the window went.
fn told<T>(reply: Result<T, ReplyError>) -> Result<Option<T>, ConnectionError> {
    match reply {
        Ok(reply) => Ok(Some(reply)),
        Err(ReplyError::X11Error(_)) => Ok(None),
        Err(ReplyError::ConnectionError(error)) => Err(error),
    }
}
