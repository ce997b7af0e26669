//! Changes of items, and their form in the history: a call with the previous record.

use crate::capability::Capability;
use crate::change::{Item, LinkKind};
use crate::journal::{Entry, EntryKind, EntryRelation, lower};

/// A change of a tag, a website or a workstream summary itself.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemWrite {
    /// Changes the name of an item, or the address of a website.
    Rename {
        /// The item as the user saw it.
        item: Item,
        /// The item with its new name and address.
        to: Item,
    },
    /// Deletes an item that no asset is linked to.
    Delete(Item),
    /// Recreates a deleted item; it gets another id.
    Make(Item),
}

/// A step of the history that changed an item.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemStep {
    /// What it did.
    pub done: ItemWrite,
}

impl ItemWrite {
    /// The item that is changed.
    pub fn item(&self) -> &Item {
        match self {
            Self::Rename { item, .. } | Self::Delete(item) | Self::Make(item) => item,
        }
    }

    /// The feature that it needs.
    pub fn capability(&self) -> Capability {
        let kind = self.item().kind;
        match self {
            Self::Rename { .. } => Capability::EditItem(kind),
            Self::Delete(_) => Capability::DeleteItem(kind),
            Self::Make(_) => Capability::LinkNew(kind),
        }
    }

    /// What was done, for the status bar and the history.
    pub fn done(&self) -> String {
        let (one, name) = (self.item().kind.one(), self.item().name());
        match self {
            Self::Rename { item, to } if item.text == to.text => {
                format!("Changed the address of {one} “{name}” to {}", to.url.as_deref().unwrap_or_default())
            }
            Self::Rename { to, .. } => format!("Renamed {one} “{name}” to “{}”", to.name()),
            Self::Delete(_) => format!("Deleted {one} “{name}”"),
            Self::Make(_) => format!("Created {one} “{name}” again"),
        }
    }

    /// The title of its step.
    pub(crate) fn title(&self, answers: EntryRelation) -> String {
        match answers {
            EntryRelation::None => self.done(),
            EntryRelation::Undoes(_) => format!("Undo: {}", lower(&self.undone().done())),
            EntryRelation::Redoes(_) => format!("Redo: {}", lower(&self.done())),
        }
    }

    /// What is reported once it was made, as for every kind of change.
    pub(crate) fn reported(&self, answers: EntryRelation) -> String {
        match answers {
            EntryRelation::None => self.done(),
            EntryRelation::Undoes(_) => format!("Undone: {}", lower(&self.undone().done())),
            EntryRelation::Redoes(_) => format!("Redone: {}", lower(&self.done())),
        }
    }

    /// What it takes back, if it undoes a step.
    fn undone(&self) -> Self {
        match self {
            Self::Make(item) => Self::Delete(item.clone()),
            other => other.inverse().unwrap_or_else(|| other.clone()),
        }
    }

    /// The beginning of the sentence that says why it was not done.
    pub(crate) fn not_done(&self) -> String {
        let one = self.item().kind.one();
        match self {
            Self::Rename { .. } => format!("Could not rename the {one}"),
            Self::Delete(_) => format!("Could not delete the {one}"),
            Self::Make(_) => format!("Could not create the {one}"),
        }
    }

    /// What undoes it.
    pub(crate) fn inverse(&self) -> Option<Self> {
        match self.clone() {
            Self::Rename { item, to } => Some(Self::Rename { item: to, to: item }),
            Self::Delete(item) => Some(Self::Make(item)),
            Self::Make(_) => None,
        }
    }
}

impl ItemStep {
    /// Whether the step can be redone after it was undone: a recreated item has another id.
    pub fn redoable(&self) -> bool {
        matches!(self.done, ItemWrite::Rename { .. })
    }
}

impl Entry {
    /// What a step did to an item; `None` if it did something else, such as a call of the console.
    pub fn item_step(&self) -> Option<ItemStep> {
        let EntryKind::Call { operation } = &self.kind else { return None };
        let before = self.before.as_ref()?;
        let kind = |info: fn(LinkKind) -> &'static str| LinkKind::ALL.into_iter().find(|kind| info(*kind) == operation);
        if let Some(kind) = kind(|kind| kind.delete().name) {
            return Some(ItemStep { done: ItemWrite::Delete(Item::of_record(kind, before)?) });
        }
        let kind = kind(|kind| kind.update().name)?;
        let body = serde_json::from_str(self.requests.first()?.body.as_deref()?).ok()?;
        let item = |record| Item::of_record(kind, record);
        Some(ItemStep { done: ItemWrite::Rename { item: item(before)?, to: item(&body)? } })
    }
}
