//! A write before it is sent: what exactly goes out, what it changes, whether and how it can be taken back.
//!
//! What must hold: the calls of a plan are the calls that are sent, byte for byte; a plan is made on a fresh read, and
//! where the asset is no longer what the user began with there is a conflict instead of a plan, and nothing is sent.

use std::sync::Arc;

use crate::app::CallError;
use crate::app::change::Change;
use crate::app::conflict::Conflict;
use crate::model::asset::Asset;
use crate::model::diff::FieldChange;
use crate::operation::Call;

/// A write, ready to be sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What is to change, with what the fresh read found filled in.
    pub change: Change,
    /// What is sent, in order. Of a new link only the first: the second names what the first gives back.
    pub calls: Vec<Call>,
    /// The asset as it was read for this plan.
    pub before: Option<Arc<Asset>>,
    /// What the write changes, place by place, as far as this program can know.
    pub fields: Vec<FieldChange>,
    /// Whether it can be taken back.
    pub undo: UndoKind,
}

/// Whether a write can be taken back.
#[derive(Clone, Debug, PartialEq)]
pub enum UndoKind {
    /// It can; how, in a sentence.
    By(String),
    /// It cannot; why, in a sentence.
    Never(String),
}

/// What came of planning.
#[derive(Clone, Debug, PartialEq)]
pub enum Prepared {
    /// It can be sent.
    Ready(Box<Plan>),
    /// There is nothing to send: the asset is so already; the sentence says how.
    Unchanged(String),
    /// The asset moved on; nothing is sent until the user decides.
    Moved(Box<Conflict>),
}

/// A write that went well.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// What was done, with what only the service could say filled in.
    pub change: Change,
    /// The asset as the service gave it back, when it did.
    pub asset: Option<Arc<Asset>>,
    /// What the service did otherwise than asked, for people.
    pub said: Option<String>,
}

/// A write that did not go well.
#[derive(Clone, Debug, PartialEq)]
pub struct NotDone {
    /// Why.
    pub error: CallError,
    /// Whether it may have been done all the same.
    pub unknown: bool,
}

/// What reading again tells of a write of unknown outcome.
#[derive(Clone, Debug, PartialEq)]
pub enum Settled {
    /// It was done.
    Done,
    /// It was not done.
    NotDone,
    /// It cannot be told; why.
    Unclear(String),
}

/// A single write whose plan is shown before it is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// What is meant.
    pub change: Change,
    /// The plan, once the asset was read afresh; fails with a sentence.
    pub plan: crate::app::Remote<Arc<Plan>, String>,
    /// Whether it is being sent.
    pub applying: bool,
}
