//! Why a change cannot be planned.

use crate::CallError;
use crate::change::{EditError, LinkKind, UnusableId};
use crate::tasks::Ended;
use crate::write::plan::unreported_text;
use crate::write::recovery::CopyError;
use lunette_client::model::record::SchemaError;

/// Why a change cannot be planned; nothing was sent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The asset could not be read.
    #[error(transparent)]
    Call(#[from] CallError),
    /// Planning it panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
    /// A change that sends the record back needs the asset.
    #[error("the asset must be read before it is changed")]
    NotRead,
    /// A text is planned on the content of the asset.
    #[error("a text is changed on its own, after it was read")]
    NeedsContent,
    /// This change is only recorded.
    #[error("assets are created by import or from text")]
    OnlyRecorded,
    /// This change needs the saved copy of a deleted asset.
    #[error("only Undo can create a deleted asset again")]
    OnlyUndo,
    /// This change needs the saved seed of an asset.
    #[error("an asset is only copied from another side")]
    OnlyCopied,
    /// The service has the asset by now.
    #[error("the service has an asset with this id by now; compare again")]
    Taken,
    /// The service sent a key twice, and a tree has only one of them. The key is escaped and shortened.
    #[error(
        "the record of the service contains {0} twice. Only the last one is shown, and saving would lose the other, so \
         this asset cannot be changed here"
    )]
    Ambiguous(String),
    /// No call can have the id of the item.
    #[error(transparent)]
    UnusableId(#[from] UnusableId),
    /// The service does not report the links, so that a link is not removed.
    #[error("{}, so the {} “{name}” was not removed", unreported_text(*.kind), .kind.one())]
    NotRemoved {
        /// The kind of the item.
        kind: LinkKind,
        /// Its name.
        name: String,
    },
    /// The service does not report the links, so that none is replaced.
    #[error("{}, so none can be replaced", unreported_text(*.0))]
    NotReplaced(LinkKind),
    /// The request would not match its schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The typed record is not one of an asset.
    #[error("not a valid asset record: {0}")]
    InvalidRecord(SchemaError),
    /// The typed record has another id.
    #[error("the id of an asset cannot change; restore it")]
    IdChanged,
    /// The edit cannot be applied to the record.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// There is no text to change.
    #[error("the asset has no text, or the service did not send it")]
    NoText,
    /// The format that the text belongs to is missing.
    #[error("the record does not contain its original format")]
    NoFormat,
    /// The asset is not deleted.
    #[error("the asset is not in the Trash")]
    NotInTrash,
    /// The copy of the deleted asset cannot be used.
    #[error(transparent)]
    Copy(#[from] CopyError),
}
