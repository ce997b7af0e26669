//! The state of exports.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::code_picture::PictureKind;
use super::drag_file::DragFile;
use super::library::PreparedExport;
use crate::Remote;
use crate::assets::page::Content;
use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;
use lunette_secrets::Finding;

/// The exports of this connection.
#[derive(Default)]
pub struct Exports {
    /// The last export of each asset; its document is stored while the asset is open.
    pub of: BTreeMap<AssetId, Export>,
    /// The last saved file.
    pub saved: Option<PathBuf>,
    /// The asset of which a file is being saved.
    pub(super) saving: Option<AssetId>,
    /// The asset that is being dragged.
    pub(super) dragging: Option<AssetId>,
    /// Dragged files that other programs may still read; deleted when the window closes.
    pub(super) drag_files: Vec<DragFile>,
    /// A written export of many assets that waits for confirmation.
    pub(super) waiting: Option<Box<PreparedExport>>,
    /// Counts the exports of many assets that were written.
    pub completed: u64,
    /// The path that the user chose to export to, and how often one was chosen.
    pub(super) target: Option<PathBuf>,
    pub(super) targets: u64,
}

impl Exports {
    /// Returns the document of the last export of an asset, while it is stored.
    pub fn document(&self, asset: &AssetId) -> Option<&Arc<Exported>> {
        self.of.get(asset)?.document.value()
    }

    /// Drops the documents of all assets but this one; the requested kinds are kept.
    pub(crate) fn drop_documents_but(&mut self, asset: &AssetId) {
        for (_, export) in self.of.iter_mut().filter(|(of, _)| *of != asset) {
            export.document = Remote::NotRequested;
        }
    }
}

/// A requested export.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// Its kind.
    pub kind: ExportType,
    /// The picture to render instead of a document of that kind.
    pub picture: Option<PictureKind>,
    /// The document.
    pub document: Remote<Arc<Exported>>,
}

/// An exported document.
#[derive(Clone, Debug, PartialEq)]
pub struct Exported {
    /// A name for a file, safe on every platform.
    pub file_name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its text, if it is text.
    pub text: Option<Arc<str>>,
    /// The possible secrets in it.
    pub secrets: Vec<Finding>,
}

impl Exported {
    /// Creates the document of an export.
    pub(crate) fn of(content: Content, file_name: String) -> Self {
        let (bytes, text) = match content {
            Content::Text(text) => (text.as_bytes().to_vec(), Some(text)),
            Content::Bytes(bytes) => (bytes.to_vec(), None),
            Content::Part(..) | Content::Large(_) | Content::None => (Vec::new(), Some(Arc::from(""))),
        };
        let secrets = lunette_secrets::find_in_bytes(&bytes);
        Self { file_name, bytes, text, secrets }
    }
}
