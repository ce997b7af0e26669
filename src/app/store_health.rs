//! A store that takes no writes: full, read-only or failed. The window says so until the next write that is kept.
//!
//! What must hold: of the service inside it is known from the store itself; of any other from its answers to writes
//! alone, in its own words. Reading goes on meanwhile.

use jiff::Timestamp;

use super::embed::{Health, Whose};
use super::log::LogLine;
use super::state::Target;
use super::{App, CallError};

/// What is wrong with a store, and since when.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// Of what kind.
    pub kind: Kind,
    /// Since when it is known.
    pub since: Timestamp,
}

/// Of what kind a trouble is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The store of the service inside stands so.
    Own(Health),
    /// Another service answered a write with this status and sentence.
    Said(u16, String),
}

impl Trouble {
    /// What it is, in a word or two.
    pub fn word(&self) -> &'static str {
        match &self.kind {
            Kind::Own(Health::Full) | Kind::Said(507, _) => "Disk full",
            Kind::Own(Health::ReadOnly) => "Store read-only",
            Kind::Own(Health::Failed) => "Disk failed",
            Kind::Own(Health::Well) | Kind::Said(..) => "No writes",
        }
    }

    /// What it comes to and what to do, in a sentence or two.
    pub fn sentence(&self) -> String {
        let own = |what: &str, advice: &str| format!("{what}; reading goes on. {advice}");
        match &self.kind {
            Kind::Own(Health::Full) => {
                own("What does not fit is not kept", "Free some space on its disk: writes go on by themselves")
            }
            Kind::Own(Health::ReadOnly) => {
                own("No write is kept", "Let this user write to the data folder: writes go on by themselves")
            }
            Kind::Own(Health::Failed) => {
                own("Writes may fail", "Look at the disk, and make a backup elsewhere while it can be read")
            }
            Kind::Own(Health::Well) => String::new(),
            Kind::Said(_, sentence) => format!("The service answered a write: {sentence}"),
        }
    }
}

impl App {
    /// Takes in how the store of the service inside stands.
    pub(super) fn note_own_health(&mut self) {
        let inside = &mut self.state.inside;
        let health = inside.seen.health;
        let own = inside.seen.whose == Whose::Own;
        let known = inside.trouble.as_ref().map(|trouble| &trouble.kind);
        if own && health != Health::Well {
            if known != Some(&Kind::Own(health)) {
                inside.trouble = Some(Trouble { kind: Kind::Own(health), since: Timestamp::now() });
            }
        } else if matches!(known, Some(Kind::Own(_))) {
            inside.trouble = None;
        }
    }

    /// Takes in what the answer to a call says of the store behind another service.
    pub(super) fn note_store(&mut self, line: &LogLine, own_kind: bool) {
        let inside = self.state.inside.seen.whose == Whose::Own && self.state.connection.target == Target::Embedded;
        if inside || !line.info.writes() {
            return;
        }
        let trouble = &mut self.state.inside.trouble;
        match &line.error {
            Some(CallError::Status { status, sentence, .. }) if *status == 507 || (*status == 503 && own_kind) => {
                let kind = Kind::Said(*status, sentence.clone());
                if trouble.as_ref().is_none_or(|known| known.kind != kind) {
                    let since = trouble.as_ref().map_or_else(Timestamp::now, |known| known.since);
                    *trouble = Some(Trouble { kind, since });
                }
            }
            None if matches!(trouble, Some(Trouble { kind: Kind::Said(..), .. })) => *trouble = None,
            _ => {}
        }
    }

    /// What is wrong with the store of the service that is talked to goes with it.
    pub(super) fn leave_store(&mut self) {
        self.state.inside.trouble.take_if(|trouble| matches!(trouble.kind, Kind::Said(..)));
    }
}
