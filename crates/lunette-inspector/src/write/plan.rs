//! The plan of a write: the exact requests, the changes, and whether and how it can be undone.
//!
//! What must hold: the calls of a plan are the calls that are sent, byte for byte; the asset is read before it is
//! planned, and if it differs from what the user began with there is a conflict instead of a plan, and nothing is sent.

use std::sync::Arc;

use crate::change::{Change, Item};
use crate::journal::EntryRelation;
use crate::write::conflict::Conflict;
use crate::{CallError, Transport};
use lunette_client::model::asset::Asset;
use lunette_client::model::diff::FieldChange;
use lunette_client::model::display::{Breaks, display_text};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::Call;
use lunette_client::operation::table::AssetSnapshot;

mod build;
mod error;
mod execute;
mod parts;
mod prepare;
mod rebase;
mod reconcile;
mod record;
mod relink;
mod text;
mod trash;

pub use build::plan_on;
pub use error::PlanError;
pub use execute::execute;
pub(crate) use execute::not_done;
pub use parts::conflict_message;
use parts::unreported_text;
pub use prepare::prepare;
pub use reconcile::reconcile;
pub(crate) use reconcile::reconciled;

/// How many characters of a path are shown.
const LONGEST_KEY: usize = 200;

/// A write, ready to be sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The change, including values from the fresh read.
    pub change: Change,
    /// The requests in order. For a new link only the first, since the second needs the id that the first returns.
    pub calls: Vec<Call>,
    /// The asset as it was read for this plan.
    pub before: Option<Arc<Asset>>,
    /// The fields that the write changes, as far as this program can know.
    pub fields: Vec<FieldChange>,
    /// Whether it can be undone.
    pub undo: UndoKind,
}

/// Whether a write can be undone.
#[derive(Clone, Debug, PartialEq)]
pub enum UndoKind {
    /// It can; how, in a sentence.
    By(String),
    /// It cannot; why, in a sentence.
    Never(String),
}

/// The result of planning.
#[derive(Clone, Debug, PartialEq)]
pub enum Preflight {
    /// It can be sent.
    Ready(Box<Plan>),
    /// There is nothing to send; the sentence says how the asset is already.
    NoOp(String),
    /// The asset was changed meanwhile; nothing is sent until the user decides.
    Conflict(Box<Conflict>),
}

/// A write that was applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// The applied change, including values that only the service knew.
    pub change: Change,
    /// The asset in the response, if it had one.
    pub asset: Option<Arc<Asset>>,
    /// A message if the service did not apply the change exactly as requested.
    pub message: Option<String>,
}

/// A write that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct ApplyError {
    /// Why.
    pub error: CallError,
    /// Whether it may have been applied nevertheless.
    pub unknown: bool,
    /// An item that was created and could not be linked.
    pub made: Option<Item>,
}

impl ApplyError {
    /// The message: why it failed, and what was created nevertheless.
    pub fn reason(&self) -> String {
        match &self.made {
            Some(item) => {
                format!("created the {} “{}” but could not link it: {}", item.kind.one(), item.name(), self.error)
            }
            None => self.error.to_string(),
        }
    }
}

/// The result of reconciling a write of unknown outcome.
#[derive(Clone, Debug, PartialEq)]
pub enum Reconciled {
    /// It was applied.
    Applied,
    /// It was not applied.
    NotApplied,
    /// It cannot be determined, and why.
    Unclear(String),
}

/// A single write whose plan is shown before it is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The intended change.
    pub change: Change,
    /// The plan, once the asset was read; fails with a sentence.
    pub plan: crate::Remote<Arc<Plan>, String>,
    /// Whether it is being sent.
    pub applying: bool,
    /// The step that it undoes or redoes.
    pub relation: EntryRelation,
    /// The title of the step, if it is not that of the change.
    pub title: Option<String>,
    /// Whether a form waits for it: the plan is shown only because the write policy requires it. The form keeps its
    /// input until the plan has ended.
    pub awaited: bool,
}

impl Planned {
    /// A change and the current state of its plan.
    pub fn of(change: Change, plan: crate::Remote<Arc<Plan>, String>) -> Self {
        Self { change, plan, applying: false, relation: EntryRelation::None, title: None, awaited: false }
    }
}

/// Why an asset's record cannot be sent back, if its service sent a key twice.
pub fn ambiguous(asset: &Asset) -> Option<PlanError> {
    let key: String = asset.duplicate_key()?.chars().take(LONGEST_KEY).collect();
    Some(PlanError::Ambiguous(display_text(&key, Breaks::Escaped).into_owned()))
}

pub(crate) async fn read<C: Transport>(caller: &C, asset: &AssetId, content: bool) -> Result<Asset, CallError> {
    caller.call(AssetSnapshot { asset: asset.clone(), transferables: Some(content) }).await
}
