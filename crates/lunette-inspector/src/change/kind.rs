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
    /// Whether it is small and can be undone, so that it is sent without showing its plan.
    pub at_once: bool,
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
    title: " {what} of {asset}",
    done: " {what}",
    button: "Apply",
    effect: "The service decides which fields of the record change.",
    capability: |_| Capability::Edit,
    at_once: true,
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
    title: " {what} to {asset}",
    capability: Capability::Link,
    run_undo: Some("Undo removes the links that this adds"),
    ..COMMON
};

static UNLINK: ChangeInfo = ChangeInfo {
    name: "unlink",
    verb: "Remove",
    past: "Removed",
    title: " {what} from {asset}",
    capability: Capability::Unlink,
    run_undo: Some("Undo adds the links again"),
    ..COMMON
};

static RELINK: ChangeInfo = ChangeInfo {
    name: "relink",
    verb: "Replace",
    past: "Replaced",
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
    title: " {what} to {asset}",
    capability: Capability::LinkNew,
    undo: Undo::Never("the previous state is not known"),
    run_undo: Some("Undo removes the links; the new item is kept"),
    several_requests: true,
    not_repeatable: true,
    ..COMMON
};

static LINK_NEW: ChangeInfo = NEW;

/// A new item in the place of others.
static RELINK_NEW: ChangeInfo = ChangeInfo {
    verb: "Replace",
    past: "Replaced",
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
    ChangeInfo { name: "record", at_once: false, reads: Reads::RecordToSend, typed: true, ..COMMON };

static TEXT: ChangeInfo = ChangeInfo { name: "text", reads: Reads::Content, typed: true, ..COMMON };

static RECLASSIFY: ChangeInfo = ChangeInfo {
    name: "reclassify",
    verb: "Reclassify",
    past: "Reclassified",
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
    button: "Increment {what}",
    capability: |_| Capability::Score,
    at_once: false,
    undo: Undo::Never("a score cannot be decremented"),
    not_repeatable: true,
    ..COMMON
};

static CREATE: ChangeInfo = ChangeInfo {
    name: "create",
    in_plan_files: false,
    verb: "Create",
    past: "Created",
    title: " {asset}",
    done: " {asset}",
    capability: |_| Capability::CreateAsset,
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
    title: " {asset}",
    done: " {asset}",
    button: "Delete",
    effect: "The asset is deleted.",
    capability: |_| Capability::Delete,
    at_once: false,
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
    title: " {asset} permanently",
    done: " {asset} permanently",
    button: "Delete permanently",
    effect: "The asset and its content are removed from the Trash.",
    capability: |_| Capability::Purge,
    at_once: false,
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
    title: " {asset} again",
    done: " {asset} again",
    effect: "A new asset is created from the saved copy, with its content, name, language, description and links. It \
             gets a new id. Score, activity and conversations do not come back.",
    capability: |_| Capability::CreateAsset,
    at_once: false,
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
pub static CHANGES: [&ChangeInfo; 15] = [
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
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use serde_json::{Value, json};

    /// A change of every row, in its stored form without the id of the asset.
    fn stored() -> Vec<(&'static str, Value)> {
        let tag = json!({ "kind": "tag", "id": "t", "text": "t" });
        let fingerprint = serde_json::to_value(crate::change::fingerprint::Fingerprint::of(&json!({}))).expect("JSON");
        vec![
            ("link", json!({ "item": tag })),
            ("unlink", json!({ "item": tag })),
            ("relink", json!({ "link": [tag], "unlink": [tag] })),
            ("link_new", json!({ "kind": "tag", "text": "t" })),
            ("link_new", json!({ "kind": "tag", "text": "t", "unlink": [tag] })),
            ("edit", json!({ "edits": [{ "field": "name", "from": "a", "to": "b" }] })),
            ("record", json!({ "from": {}, "to": { "name": "b" } })),
            ("text", json!({ "from": "a", "to": "b" })),
            ("reclassify", json!({ "from": "txt", "to": "rs" })),
            ("increment", json!({ "counter": "reuse", "from": 1 })),
            ("create", json!({ "name": "a", "made": fingerprint })),
            ("delete", json!({ "name": "a", "made": fingerprint })),
            ("restore", json!({ "name": "a" })),
            ("purge", json!({ "name": "a" })),
            ("recreate", json!({ "name": "a" })),
        ]
    }

    fn changes() -> Vec<Change> {
        let change = |(name, mut fields): (&str, Value)| {
            fields["asset"] = json!("5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159");
            let change: Change = serde_json::from_value(json!({ name: fields })).expect(name);
            assert_eq!(change.info().name, name, "a row has the name of the stored form");
            change
        };
        stored().into_iter().map(change).collect()
    }

    #[test]
    fn every_row_belongs_to_a_change_and_every_change_to_one_row() {
        let changes = changes();
        let rows: Vec<_> = changes.iter().map(|change| std::ptr::from_ref(change.info())).collect();
        assert_eq!(rows, CHANGES.map(std::ptr::from_ref), "the changes of this test are in the order of the table");
        assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), CHANGES.len());
    }

    #[test]
    fn a_change_can_be_undone_if_it_has_an_inverse() {
        // A new item and a new asset become other changes once they were applied.
        for change in changes() {
            for recovery in [Recovery::Trash, Recovery::Copy, Recovery::None] {
                assert_eq!(change.reversible(recovery), change.inverse(recovery).is_some(), "{change:?}, {recovery:?}");
            }
            assert!(!change.info().at_once || change.info().undo != Undo::ByRecovery, "{change:?}");
        }
    }

    #[test]
    fn titles_have_no_placeholder_and_name_what_changes() {
        for change in changes() {
            let (title, done) = (change.title("“a {what}”"), change.done());
            assert!(title.contains("“a {what}”"), "the name of an asset is no template: {title}");
            let titles = [title.replace("“a {what}”", "it"), done, change.button(), change.info().effect.to_owned()];
            for text in titles {
                assert!(!text.is_empty() && !text.contains(['{', '}']) && !text.contains("  "), "{text}");
            }
        }
    }
}
