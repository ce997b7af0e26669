//! The window of another program under the pointer that accepts drops.

use x11rb::errors::{ConnectionError, ReplyError};
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, Window};
use x11rb::rust_connection::RustConnection;

use super::Atoms;

/// Maximum depth of nested windows that are searched.
const MAX_DEPTH: usize = 32;

/// A window that accepts drops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The window that messages name.
    pub window: Window,
    /// The window that messages are sent to: the same, or its proxy.
    pub receiver: Window,
    /// The protocol version it supports.
    pub version: u32,
}

/// Returns the outermost such window under the pointer; `None` if there is none or it is ours.
pub fn under_pointer(
    connection: &RustConnection,
    atoms: &Atoms,
    root: Window,
) -> Result<Option<Target>, ConnectionError> {
    let mut window = root;
    for _ in 0..MAX_DEPTH {
        // A window may disappear between two queries; then there is nothing.
        let Some(pointer) = optional_reply(connection.query_pointer(window)?.reply())? else { return Ok(None) };
        window = pointer.child;
        if window == x11rb::NONE {
            return Ok(None);
        }
        // Our own window accepts files, and would import what it just offered.
        if cardinal_property(connection, window, atoms._NET_WM_PID, AtomEnum::CARDINAL)? == Some(std::process::id()) {
            return Ok(None);
        }
        let stands_for = cardinal_property(connection, window, atoms.XdndProxy, AtomEnum::WINDOW)?;
        let receiver = stands_for.unwrap_or(window);
        // Since version 3; programs with an older version are ignored.
        let version = cardinal_property(connection, receiver, atoms.XdndAware, AtomEnum::ATOM)?;
        if let Some(version) = version.filter(|version| *version >= 3) {
            return Ok(Some(Target { window, receiver, version }));
        }
    }
    Ok(None)
}

/// Returns a property that is one number.
fn cardinal_property(
    connection: &RustConnection,
    window: Window,
    property: u32,
    kind: AtomEnum,
) -> Result<Option<u32>, ConnectionError> {
    let reply = optional_reply(connection.get_property(false, window, property, kind, 0, 1)?.reply())?;
    Ok(reply.and_then(|reply| reply.value32()?.next()))
}

/// Returns a reply; `None` if the display has none because the window disappeared.
fn optional_reply<T>(reply: Result<T, ReplyError>) -> Result<Option<T>, ConnectionError> {
    match reply {
        Ok(reply) => Ok(Some(reply)),
        Err(ReplyError::X11Error(_)) => Ok(None),
        Err(ReplyError::ConnectionError(error)) => Err(error),
    }
}
