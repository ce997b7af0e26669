//! The table of the kinds of changes: what holds of every change of a kind is in its row.
//!
//! What must hold: a new kind is a variant of [`Change`], a row here, and a planner in `write::plan`. Everything else
//! asks the row, or a method of the change, and does not list the variants.

use super::{Change, Recovery};
use crate::capability::Capability;
use crate::item::LinkKind;

/// A row of the table.
#[derive(Debug)]
pub struct ChangeInfo {
    /// The name of its variant in journals, ledgers and plan files.
    pub name: &'static str,
    /// Whether a plan file can contain it.
    pub in_plan_files: bool,
    /// The verb that its titles begin with.
    pub verb: &'static str,
    /// The past tense of the verb.
    pub past: &'static str,
    /// The verb while it is done: "Linking".
    pub doing: &'static str,
    /// The title after the verb. `{what}` is what [`Change::what`] returns, and `{asset}` the name of the asset or the
    /// number of assets.
    pub title: &'static str,
    /// The message after the past tense of the verb, with the same placeholders.
    pub done: &'static str,
    /// The label of the button that sends it, with the same placeholders.
    pub button: &'static str,
    /// What it does, as a sentence for a plan that lists no changed field.
    pub effect: &'static str,
    /// What the service must support. Kinds that change no link ignore the kind of item.
    pub capability: fn(LinkKind) -> Capability,
    /// Which of them show their plan before they are sent.
    pub review: Review,
    /// Whether it can be undone.
    pub undo: Undo,
    /// How Undo of a run undoes it, as a sentence; `None` if runs cannot make it, or it cannot be undone.
    pub run_undo: Option<&'static str>,
    /// What is read before it is planned.
    pub reads: Reads,
    /// Whether it is made by several requests, so that it can be applied in part.
    pub several_requests: bool,
    /// Whether repeating it makes another change. Then a power cut must not hide that it was sent.
    pub not_repeatable: bool,
    /// Whether it was typed in a form, which keeps it as a draft.
    pub typed: bool,
    /// Whether it removes its asset from the lists.
    pub removes: bool,
    /// Whether it gives a deleted asset back.
    pub restores: bool,
    /// Whether it makes an asset, with an id of its own.
    pub creates: bool,
    /// Whether it changes the Trash.
    pub changes_trash: bool,
    /// What it means for the change that its asset can be read; `None` if the values must be compared.
    pub if_found: Option<Evidence>,
    /// What it means for the change that its asset is gone.
    pub if_missing: Evidence,
}

/// Whether changes of a kind can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undo {
    /// They can.
    Always,
    /// They can if the values before the change are known.
    IfKnown,
    /// It depends on how the connection restores deleted assets.
    ByRecovery,
    /// They cannot; why, for use within a sentence.
    Never(&'static str),
}

/// Which changes of a kind show their plan before they are sent. The others are sent at once, and Undo takes them back.
/// A kind changes one asset; a run over several shows its plan always, and so does every change at a connection that
/// asks before each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Review {
    /// Those whose plan, made on a fresh read, says that Undo cannot take them back.
    Irreversible,
    /// Those at a service without a Trash.
    WithoutTrash,
    /// All of them.
    Always,
}

/// What is read before a change is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// The record.
    Record,
    /// The record, which is sent back changed. A service that may replace it by what it is sent, and so may lose the
    /// content, is asked for the content too.
    RecordToSend,
    /// The record with its content.
    Content,
    /// Whether the asset is deleted.
    Trash,
    /// The saved copy of a deleted asset.
    Copy,
    /// The saved seed of an asset of another side.
    Seed,
}

/// What reading an asset shows of a change whose outcome is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// It was applied.
    Applied,
    /// It was not applied.
    NotApplied,
    /// Neither; why.
    Unclear(&'static str),
}

/// What most kinds have in common.
const COMMON: ChangeInfo = ChangeInfo {
    name: "",
    in_plan_files: true,
    verb: "Change",
    past: "Changed",
    doing: "Changing",
    title: " {what} of {asset}",
    done: " {what}",
    button: "Apply",
    effect: "The service decides which fields of the record change.",
    capability: |_| Capability::Edit,
    review: Review::Irreversible,
    undo: Undo::Always,
    run_undo: None,
    reads: Reads::Record,
    several_requests: false,
    not_repeatable: false,
    typed: false,
    removes: false,
    restores: false,
    creates: false,
    changes_trash: false,
    if_found: None,
    if_missing: Evidence::Unclear("the asset no longer exists"),
};

static LINK: ChangeInfo = ChangeInfo {
    name: "link",
    verb: "Link",
    past: "Linked",
    doing: "Linking",
    title: " {what} to {asset}",
    capability: Capability::Link,
    run_undo: Some("Undo removes the links that this adds"),
    ..COMMON
};

static UNLINK: ChangeInfo = ChangeInfo {
    name: "unlink",
    verb: "Remove",
    past: "Removed",
    doing: "Removing",
    title: " {what} from {asset}",
    capability: Capability::Unlink,
    run_undo: Some("Undo adds the links again"),
    ..COMMON
};

static RELINK: ChangeInfo = ChangeInfo {
    name: "relink",
    verb: "Replace",
    past: "Replaced",
    doing: "Replacing",
    title: " {what} on {asset}",
    capability: Capability::Relink,
    run_undo: Some("Undo restores the previous links of each asset"),
    several_requests: true,
    ..COMMON
};

/// A new item, which is linked.
const NEW: ChangeInfo = ChangeInfo {
    name: "link_new",
    verb: "Create and link",
    past: "Created and linked",
    doing: "Creating and linking",
    title: " {what} to {asset}",
    capability: Capability::LinkNew,
    undo: Undo::Never("the previous state is not known"),
    run_undo: Some("Undo removes the links; the new item is kept"),
    several_requests: true,
    not_repeatable: true,
    ..COMMON
};

static LINK_NEW: ChangeInfo = NEW;

/// A new item in place of others.
static RELINK_NEW: ChangeInfo = ChangeInfo {
    verb: "Replace",
    past: "Replaced",
    doing: "Replacing",
    title: " {what} on {asset}",
    capability: Capability::RelinkNew,
    run_undo: Some("Undo restores the previous links of each asset; the new item is kept"),
    ..NEW
};

static EDIT: ChangeInfo = ChangeInfo {
    name: "edit",
    undo: Undo::IfKnown,
    run_undo: Some("Undo restores the previous state of each asset"),
    reads: Reads::RecordToSend,
    typed: true,
    ..COMMON
};

static RECORD: ChangeInfo =
    ChangeInfo { name: "record", review: Review::Always, reads: Reads::RecordToSend, typed: true, ..COMMON };

static TEXT: ChangeInfo = ChangeInfo { name: "text", reads: Reads::Content, typed: true, ..COMMON };

static RECLASSIFY: ChangeInfo = ChangeInfo {
    name: "reclassify",
    verb: "Reclassify",
    past: "Reclassified",
    doing: "Reclassifying",
    title: " {asset} to {what}",
    done: " to {what}",
    capability: |_| Capability::Reclassify,
    undo: Undo::IfKnown,
    run_undo: Some("Undo restores the previous language of each asset"),
    reads: Reads::RecordToSend,
    ..COMMON
};

static INCREMENT: ChangeInfo = ChangeInfo {
    name: "increment",
    verb: "Increment",
    past: "Incremented",
    doing: "Incrementing",
    button: "Increment {what}",
    capability: |_| Capability::Score,
    review: Review::Always,
    undo: Undo::Never("a score cannot be decremented"),
    not_repeatable: true,
    ..COMMON
};

static CREATE: ChangeInfo = ChangeInfo {
    name: "create",
    in_plan_files: false,
    verb: "Create",
    past: "Created",
    doing: "Creating",
    title: " {asset}",
    done: " {asset}",
    capability: |_| Capability::CreateAsset,
    review: Review::Always,
    not_repeatable: true,
    creates: true,
    if_found: Some(Evidence::Applied),
    if_missing: Evidence::NotApplied,
    ..COMMON
};

static COPY: ChangeInfo = ChangeInfo {
    name: "copy",
    in_plan_files: false,
    verb: "Copy",
    past: "Copied",
    doing: "Copying",
    title: " {asset}",
    done: " {asset}",
    effect: "A new asset is created as the other side has it: with its content, name, language, description and links.",
    capability: |_| Capability::CreateAsset,
    review: Review::Always,
    undo: Undo::IfKnown,
    run_undo: Some("Undo deletes the assets that this creates"),
    reads: Reads::Seed,
    not_repeatable: true,
    creates: true,
    if_found: Some(Evidence::Applied),
    if_missing: Evidence::NotApplied,
    ..COMMON
};

static DELETE: ChangeInfo = ChangeInfo {
    name: "delete",
    verb: "Delete",
    past: "Deleted",
    doing: "Deleting",
    title: " {asset}",
    done: " {asset}",
    button: "Delete",
    effect: "The asset is deleted.",
    capability: |_| Capability::Delete,
    review: Review::WithoutTrash,
    undo: Undo::ByRecovery,
    not_repeatable: true,
    removes: true,
    changes_trash: true,
    if_found: Some(Evidence::NotApplied),
    if_missing: Evidence::Applied,
    ..COMMON
};

static RESTORE: ChangeInfo = ChangeInfo {
    name: "restore",
    in_plan_files: false,
    verb: "Restore",
    past: "Restored",
    doing: "Restoring",
    title: " {asset}",
    done: " {asset}",
    button: "Restore",
    effect: "The asset comes back from the Trash as it was: the same id, content, links, activity and score.",
    capability: |_| Capability::Restore,
    reads: Reads::Trash,
    restores: true,
    changes_trash: true,
    if_found: Some(Evidence::Applied),
    if_missing: Evidence::NotApplied,
    ..COMMON
};

static PURGE: ChangeInfo = ChangeInfo {
    name: "purge",
    in_plan_files: false,
    verb: "Delete",
    past: "Deleted",
    doing: "Deleting",
    title: " {asset} permanently",
    done: " {asset} permanently",
    button: "Delete permanently",
    effect: "The asset and its content are removed from the Trash.",
    capability: |_| Capability::Purge,
    review: Review::Always,
    undo: Undo::Never("the asset was deleted permanently"),
    reads: Reads::Trash,
    not_repeatable: true,
    removes: true,
    changes_trash: true,
    if_found: Some(Evidence::NotApplied),
    if_missing: Evidence::Unclear("check whether it is still in the Trash"),
    ..COMMON
};

static RECREATE: ChangeInfo = ChangeInfo {
    name: "recreate",
    in_plan_files: false,
    verb: "Create",
    past: "Created",
    doing: "Creating",
    title: " {asset} again",
    done: " {asset} again",
    effect: "A new asset is created from the saved copy, with its content, name, language, description and links. It \
             gets a new id. Score, activity and conversations do not come back.",
    capability: |_| Capability::CreateAsset,
    review: Review::Always,
    undo: Undo::Never("the previous state is not known"),
    reads: Reads::Copy,
    several_requests: true,
    not_repeatable: true,
    restores: true,
    creates: true,
    if_found: Some(Evidence::NotApplied),
    ..COMMON
};

/// All rows; the names of plan files are listed in this order.
pub static CHANGES: [&ChangeInfo; 16] = [
    &LINK,
    &UNLINK,
    &RELINK,
    &LINK_NEW,
    &RELINK_NEW,
    &EDIT,
    &RECORD,
    &TEXT,
    &RECLASSIFY,
    &INCREMENT,
    &CREATE,
    &COPY,
    &DELETE,
    &RESTORE,
    &PURGE,
    &RECREATE,
];

impl Change {
    /// The row of its kind.
    pub fn info(&self) -> &'static ChangeInfo {
        match self {
            Self::Link { .. } => &LINK,
            Self::Unlink { .. } => &UNLINK,
            Self::Relink { .. } => &RELINK,
            Self::LinkNew { unlink, .. } if unlink.is_empty() => &LINK_NEW,
            Self::LinkNew { .. } => &RELINK_NEW,
            Self::Edit { .. } => &EDIT,
            Self::Record { .. } => &RECORD,
            Self::Text { .. } => &TEXT,
            Self::Reclassify { .. } => &RECLASSIFY,
            Self::Increment { .. } => &INCREMENT,
            Self::Create { .. } => &CREATE,
            Self::Copy { .. } => &COPY,
            Self::Delete { .. } => &DELETE,
            Self::Restore { .. } => &RESTORE,
            Self::Purge { .. } => &PURGE,
            Self::Recreate { .. } => &RECREATE,
        }
    }

    /// What the service must support.
    pub fn capability(&self) -> Capability {
        (self.info().capability)(self.item_kind().unwrap_or(LinkKind::Tag))
    }

    /// Whether its plan is shown before it is sent to a service that restores deleted assets in this way. A plan that
    /// says that Undo cannot take the change back is shown in any case.
    pub fn needs_review(&self, recovery: Recovery) -> bool {
        match self.info().review {
            Review::Irreversible => false,
            Review::WithoutTrash => recovery != Recovery::Trash,
            Review::Always => true,
        }
    }

    /// Whether its plan is shown before it undoes or redoes a step, which is asked for by itself: only if it deletes
    /// what cannot be restored as it was.
    pub fn needs_review_as_answer(&self, recovery: Recovery) -> bool {
        self.info().removes && self.needs_review(recovery)
    }

    /// Whether it can be undone at a connection that restores deleted assets in this way, once the plan has filled in
    /// the values that it found.
    pub fn reversible(&self, recovery: Recovery) -> bool {
        self.irreversible_reason(recovery).is_none()
    }

    /// Why it cannot be undone, for use within a sentence; `None` if it can.
    pub fn irreversible_reason(&self, recovery: Recovery) -> Option<&'static str> {
        match self.info().undo {
            Undo::Always => None,
            Undo::IfKnown => self.inverse(recovery).is_none().then_some("the previous state is not known"),
            Undo::ByRecovery => (recovery == Recovery::None)
                .then_some("this service can neither restore a deleted asset nor create a new one"),
            Undo::Never(why) => Some(why),
        }
    }
}

#[cfg(test)]
mod tests;
