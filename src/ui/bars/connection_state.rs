//! The state of the connection as a colour and a few words, the same in the chip and in the dialog.
//!
//! What must hold: the state is "connected" only while calls are answered and the last answer was a good one.

use egui::Color32;
use jiff::Timestamp;

use lunette_inspector::session::{CallFault, Connection, FaultKind, PendingCall, Status};
use lunette_inspector::{Refusal, State};

use super::top::address;
use crate::ui::theme::Tokens;
use crate::ui::widgets::shown_short;

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::ui) enum ConnectionState<'a> {
    /// No attempt has been made yet.
    Idle,
    /// Waiting for the first response.
    Connecting,
    /// Calls are answered as they should be.
    Connected,
    /// A call has been waiting for an answer for this many seconds.
    Waiting(&'a PendingCall, i64),
    /// Calls are answered as they should be, and the service has refused a write because it accepts none.
    ReadOnly(&'a Refusal),
    /// The last answer was an error.
    Faulty(&'a CallFault),
    /// The service does not respond; the reason.
    Down(&'a str),
}

impl<'a> ConnectionState<'a> {
    /// Returns the current state of a connection.
    pub fn of(connection: &'a Connection, now: Timestamp) -> Self {
        match &connection.status {
            Status::Idle => Self::Idle,
            Status::Connecting => Self::Connecting,
            Status::Down(why) => Self::Down(why),
            Status::Up => match (connection.calls.waiting(), connection.calls.fault()) {
                (Some(call), _) => Self::Waiting(call, now.duration_since(call.since).as_secs().max(0)),
                (None, Some(fault)) => Self::Faulty(fault),
                (None, None) => connection.refusal.as_ref().map_or(Self::Connected, Self::ReadOnly),
            },
        }
    }

    /// Returns whether the service answers as it should.
    pub fn is_healthy(self) -> bool {
        matches!(self, Self::Connected | Self::ReadOnly(_))
    }

    /// Returns whether the label changes every second.
    pub fn changes_every_second(self) -> bool {
        matches!(self, Self::Waiting(..))
    }

    /// Returns the colour of the state; the label says the same.
    pub fn color(self, tokens: &Tokens) -> Color32 {
        match self {
            Self::Idle => tokens.muted,
            Self::Connecting | Self::Waiting(..) | Self::Faulty(_) => tokens.warning,
            Self::Connected | Self::ReadOnly(_) => tokens.ok,
            Self::Down(_) => tokens.error,
        }
    }

    /// Returns the state in a few words, shorter if there is little room.
    pub fn label(self, roomy: bool) -> String {
        match (self, roomy) {
            (Self::Idle, _) => "idle".to_owned(),
            (Self::Connecting, _) => "connecting".to_owned(),
            (Self::Connected, _) => "connected".to_owned(),
            (Self::ReadOnly(_), true) => "read-only: the service refused a change".to_owned(),
            (Self::ReadOnly(_), false) => "read-only".to_owned(),
            (Self::Waiting(_, seconds), true) => format!("waiting for a response · {seconds} s"),
            (Self::Waiting(_, seconds), false) => format!("waiting · {seconds} s"),
            (Self::Faulty(fault), roomy) => fault_label(fault.kind, roomy).to_owned(),
            (Self::Down(_), _) => "not connected".to_owned(),
        }
    }

    /// Returns the text of the chip: the label, and if all is well and there is room, the address and how changes
    /// arrive.
    pub fn chip_label(self, state: &State, roomy: bool) -> String {
        let connection = &state.connection;
        let label = self.label(roomy);
        match self {
            Self::Connected if roomy => {
                let address = address(connection).map(|text| format!("{} · ", shown_short(&text, 40)));
                format!("{}{label} · {}", address.unwrap_or_default(), state.sync.status.word())
            }
            Self::Idle | Self::Connecting | Self::Down(_) if roomy => {
                let address = address(connection).map(|text| format!("{} · ", shown_short(&text, 40)));
                format!("{}{label}", address.unwrap_or_default())
            }
            _ => label,
        }
    }

    /// Returns the reason in a sentence or two.
    pub fn details(self, state: &State) -> String {
        let connection = &state.connection;
        let at = address(connection).map(|text| format!(" at {}", shown_short(&text, 60))).unwrap_or_default();
        match self {
            Self::Idle => "No service was tried yet.".to_owned(),
            Self::Connecting => format!("Waiting for the first response{at}."),
            Self::Connected => state.sync.status.reason(),
            Self::ReadOnly(refusal) => format!("Read-only{at}: {}.", shown_short(&refusal.to_string(), 300)),
            Self::Waiting(call, seconds) => {
                format!("{} was sent{at} {seconds} s ago, and has had no response.", call.operation)
            }
            Self::Faulty(fault) => format!("{}{at}: {}.", fault.operation, shown_short(&fault.reason, 300)),
            Self::Down(why) => shown_short(why, 300).into_owned(),
        }
    }
}

/// Returns what went wrong in a few words, shorter if there is little room.
fn fault_label(kind: FaultKind, roomy: bool) -> &'static str {
    match (kind, roomy) {
        (FaultKind::TimedOut, true) => "service does not respond in time",
        (FaultKind::TimedOut, false) => "no response",
        (FaultKind::Unexpected, true) => "unexpected response",
        (FaultKind::Unexpected, false) => "unexpected",
        (FaultKind::Reported, true) => "service returns errors",
        (FaultKind::Reported, false) => "errors",
    }
}
