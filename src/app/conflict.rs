//! Three versions of an asset: where the user began, what they made of it, and what the service holds now.
//!
//! What must hold: nothing is decided for the user where both sides changed the same place, and nothing is sent before
//! every such place is decided.

use std::sync::Arc;

use serde_json::Value;

use crate::app::change::Change;
use crate::model::diff::Contested;
use crate::model::id::AssetId;

/// A write that met an asset which had moved on.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// Which asset.
    pub asset: AssetId,
    /// Its name, for people.
    pub name: String,
    /// What the user meant.
    pub change: Change,
    /// Every place that either side changed.
    pub places: Vec<ContestedPlace>,
    /// The record as the service holds it.
    pub theirs: Arc<Value>,
}

/// One place, and whose version of it shall stand.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestedPlace {
    /// The three versions.
    pub place: Contested,
    /// Whose shall stand. Where only one side changed it, that side's from the start.
    pub choice: Choice,
}

/// Whose version shall stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Not said yet.
    Open,
    /// The user's.
    Yours,
    /// The service's.
    Theirs,
}

impl Conflict {
    /// Whether every place is decided.
    pub fn decided(&self) -> bool {
        self.places.iter().all(|place| place.choice != Choice::Open)
    }

    /// Whether no place was changed by both sides: one click merges.
    pub fn mergeable(&self) -> bool {
        self.places.iter().all(|place| !place.place.overlaps())
    }
}
