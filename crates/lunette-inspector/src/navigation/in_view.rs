//! What the list of the shown panel shows, for commands: they act on what is seen, and on nothing that another panel
//! or page hides.
//!
//! What must hold: the window reports it after each frame in which it changed, so that a command acts on what was seen
//! when it was asked for.

use std::sync::Arc;

use crate::change::Item;
use crate::filter::List;
use crate::listing::rows::{AssetRow, ExternalRow, InventoryRow};
use crate::panel::Panel;

/// What the list of a panel shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InView {
    /// The panel that was drawn.
    pub panel: Panel,
    /// The row with the focus ring, if it is visible.
    pub focused: Option<Subject>,
    /// The selected rows, if the list is drawn.
    pub selected: SelectedRows,
    /// The selected rows, if they are two that commands act on.
    pub pair: Option<Box<[Subject; 2]>>,
}

/// What a command acts on: the thing of a row or of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// An asset.
    Asset(Arc<AssetRow>),
    /// A tag, a website or a workstream summary.
    Item(Item),
    /// A tracked application.
    Application {
        /// Its id.
        id: String,
        /// Its name as shown.
        name: String,
    },
    /// An application that was found on this machine or integrates with the service.
    External(Arc<ExternalRow>),
    /// An application of all lists that is not tracked.
    Joined(Arc<InventoryRow>),
}

/// The selected rows of a list that is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SelectedRows {
    /// None, or one that commands do not act on.
    #[default]
    None,
    /// One.
    One(Subject),
    /// More than one.
    Several(Several),
}

/// How many rows are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Several {
    /// In which list.
    pub list: List,
    /// How many.
    pub count: usize,
    /// How many of them the filter hides.
    pub hidden: usize,
}

impl InView {
    /// A panel whose list is not drawn, or shows nothing that commands act on.
    pub fn nothing(panel: Panel) -> Self {
        Self { panel, ..Self::default() }
    }
}
