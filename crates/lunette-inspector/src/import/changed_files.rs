//! Updates assets from changed files of a watched folder.
//!
//! What must hold: the content of an asset that was edited since the import is never replaced; its file is doubtful,
//! with the reason. Names, tags and descriptions are unchanged.

use std::path::Path;

use futures_util::stream::{self, StreamExt as _};

use super::detect::{FoundFile, digest};
use super::engine::{SeedError, content_of};
use super::sources::Updates;
use crate::Vendor;
use crate::assets::content;
use crate::assets::page::Content;
use crate::change::Change;
use crate::tasks::{Ended, blocking};
use crate::{CallError, Transport};
use lunette_client::model::id::AssetId;

/// The maximum number of concurrent reads.
const IN_FLIGHT: usize = 4;

/// Changed files, compared with their assets.
#[derive(Default)]
pub(crate) struct Compared {
    /// Files to import or to update assets from, and doubtful files.
    pub found: Vec<FoundFile>,
    /// Files whose assets already have their content.
    pub up_to_date: Vec<FoundFile>,
}

/// Compares changed files with their assets. A file whose asset was deleted is new; an asset that cannot be read is
/// read again before it is updated.
pub(crate) async fn compare<C: Transport>(client: &C, vendor: Vendor, found: Vec<FoundFile>) -> Compared {
    let read = |found: FoundFile| {
        let client = client.clone();
        async move {
            let Some(asset) = found.updates().cloned() else { return (found, None) };
            let content = content::whole(&client, asset, vendor).await;
            (found, Some(content))
        }
    };
    let mut answers = stream::iter(found.into_iter().map(read)).buffered(IN_FLIGHT);
    let mut compared = Compared::default();
    while let Some((mut found, content)) = answers.next().await {
        match content.map(|content| content.map(|content| compare_content(&found, &content))) {
            Some(Ok(FileComparison::Same)) => {
                compared.up_to_date.push(found);
                continue;
            }
            Some(Ok(FileComparison::Doubtful(why))) => found.doubt = Some(why.to_owned()),
            Some(Err(CallError::Status { status: 404 | 410, .. })) => found.before = None,
            Some(Ok(FileComparison::Update) | Err(_)) | None => {}
        }
        compared.found.push(found);
    }
    compared
}

/// How a changed file compares with its asset.
enum FileComparison {
    /// The asset already has its content.
    Same,
    /// The asset still has the imported content, which is replaced.
    Update,
    /// The asset is not updated, with the reason.
    Doubtful(&'static str),
}

fn compare_content(found: &FoundFile, content: &Content) -> FileComparison {
    let Some(current) = bytes_of(content) else {
        return FileComparison::Doubtful("the content of its asset is too large");
    };
    let current = digest(current);
    let kept = found.before.as_ref().map(|(_, kept)| kept.asset.as_str());
    if current == found.hash.asset {
        FileComparison::Same
    } else if Some(current.as_str()) != kept {
        FileComparison::Doubtful("its asset was also edited here since the import")
    } else if matches!(content, Content::Text(_)) {
        FileComparison::Update
    } else {
        FileComparison::Doubtful("the content of its asset is not text and cannot be replaced")
    }
}

fn bytes_of(content: &Content) -> Option<&[u8]> {
    match content {
        Content::Text(text) => Some(text.as_bytes()),
        Content::Bytes(bytes) => Some(bytes),
        Content::None => Some(&[]),
        Content::Part(..) | Content::Large(_) => None,
    }
}

/// Returns the updates of assets from changed files; reads each asset and each file. Fails if the service is lost.
pub(crate) async fn updates<C: Transport>(
    client: &C,
    vendor: Vendor,
    found: &[FoundFile],
) -> Result<Updates, CallError> {
    let mut updates = Updates::default();
    for found in found {
        let Some(asset) = found.updates() else { continue };
        let name = name(&found.file.path);
        let content = match content::whole(client, asset.clone(), vendor).await {
            Ok(content) => content,
            Err(error @ (CallError::Refused { .. } | CallError::Disconnected { .. })) => return Err(error),
            Err(error) => {
                updates.skipped.push((asset.clone(), name, format!("it could not be read: {}", error.reason())));
                continue;
            }
        };
        match (compare_content(found, &content), &content) {
            (FileComparison::Same, _) => updates.up_to_date.push(asset.clone()),
            (FileComparison::Update, Content::Text(from)) => match new_text(asset, from, &found.file.path).await {
                Ok(change) => updates.changes.push((change, name)),
                Err(why) => updates.skipped.push((asset.clone(), name, why.to_string())),
            },
            (FileComparison::Doubtful(why), _) => updates.skipped.push((asset.clone(), name, why.to_owned())),
            (FileComparison::Update, _) => {}
        }
    }
    Ok(updates)
}

/// Why a changed file does not update its asset.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum NotUpdated {
    /// The file cannot be an asset.
    #[error(transparent)]
    File(#[from] SeedError),
    /// Its content is binary by now.
    #[error("the file is no longer text")]
    NotText,
    /// Reading it panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

async fn new_text(asset: &AssetId, from: &str, path: &Path) -> Result<Change, NotUpdated> {
    let path = path.to_owned();
    let read = blocking(move || content_of(&path)).await??;
    let to = read.map_err(|_| NotUpdated::NotText)?;
    Ok(Change::Text { asset: asset.clone(), from: from.to_owned(), to })
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
