//! Files of a watched folder that have changed since they became assets: updates of those assets.
//!
//! What must hold: an asset whose content was changed at the service since the import is never replaced; its file is
//! doubtful, and says why. Names, tags and descriptions stay as they are.

use std::path::Path;

use futures_util::stream::{self, StreamExt as _};
use tokio::task::spawn_blocking;

use super::engine::content_of;
use super::look::{FoundFile, digest};
use super::sources::Updates;
use crate::app::assets::content;
use crate::app::assets::page::Content;
use crate::app::change::Change;
use crate::app::{CallError, Transport};
use lunette_client::model::id::AssetId;

/// How many assets are read at once.
const IN_FLIGHT: usize = 4;

/// What files that have changed are, compared with their assets.
#[derive(Default)]
pub(in crate::app) struct Compared {
    /// Files to import, to update assets, and doubtful ones.
    pub found: Vec<FoundFile>,
    /// Files whose assets have their content already.
    pub settled: Vec<FoundFile>,
}

/// Compares files that have changed with their assets. A file whose asset was deleted is new; where an asset cannot be
/// read, it is read again before it is updated.
pub(in crate::app) async fn compare<C: Transport>(client: &C, own: bool, found: Vec<FoundFile>) -> Compared {
    let read = |found: FoundFile| {
        let client = client.clone();
        async move {
            let Some(asset) = found.updates().cloned() else { return (found, None) };
            let content = content::whole(&client, asset, own).await;
            (found, Some(content))
        }
    };
    let mut answers = stream::iter(found.into_iter().map(read)).buffered(IN_FLIGHT);
    let mut compared = Compared::default();
    while let Some((mut found, content)) = answers.next().await {
        match content.map(|content| content.map(|content| judge(&found, &content))) {
            Some(Ok(Verdict::Same)) => {
                compared.settled.push(found);
                continue;
            }
            Some(Ok(Verdict::Doubtful(why))) => found.doubt = Some(why.to_owned()),
            Some(Err(CallError::Status { status: 404 | 410, .. })) => found.before = None,
            Some(Ok(Verdict::Update) | Err(_)) | None => {}
        }
        compared.found.push(found);
    }
    compared
}

/// What a file that has changed is to its asset.
enum Verdict {
    /// The asset has its content already.
    Same,
    /// The asset still has the content of before, which is replaced.
    Update,
    /// The asset stays as it is; why.
    Doubtful(&'static str),
}

fn judge(found: &FoundFile, content: &Content) -> Verdict {
    let Some(current) = bytes_of(content) else { return Verdict::Doubtful("the content of its asset is too large") };
    let current = digest(current);
    let kept = found.before.as_ref().map(|(_, kept)| kept.asset.as_str());
    if current == found.hash.asset {
        Verdict::Same
    } else if Some(current.as_str()) != kept {
        Verdict::Doubtful("its asset was changed here too since it was imported")
    } else if matches!(content, Content::Text(_)) {
        Verdict::Update
    } else {
        Verdict::Doubtful("the content of its asset is not text, which cannot be replaced")
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

/// The updates of assets by files that have changed; each asset and each file is read for it. Fails if the service is
/// lost.
pub(in crate::app) async fn updates<C: Transport>(
    client: &C,
    own: bool,
    found: &[FoundFile],
) -> Result<Updates, CallError> {
    let mut updates = Updates::default();
    for found in found {
        let Some(asset) = found.updates() else { continue };
        let name = name(&found.file.path);
        let content = match content::whole(client, asset.clone(), own).await {
            Ok(content) => content,
            Err(error @ (CallError::Refused { .. } | CallError::Disconnected { .. })) => return Err(error),
            Err(error) => {
                updates.kept.push((asset.clone(), name, format!("it could not be read: {}", error.reason())));
                continue;
            }
        };
        match (judge(found, &content), &content) {
            (Verdict::Same, _) => updates.settled.push(asset.clone()),
            (Verdict::Update, Content::Text(from)) => match new_text(asset, from, &found.file.path).await {
                Ok(change) => updates.changes.push((change, name)),
                Err(why) => updates.kept.push((asset.clone(), name, why)),
            },
            (Verdict::Doubtful(why), _) => updates.kept.push((asset.clone(), name, why.to_owned())),
            (Verdict::Update, _) => {}
        }
    }
    Ok(updates)
}

async fn new_text(asset: &AssetId, from: &str, path: &Path) -> Result<Change, String> {
    let path = path.to_owned();
    let read = spawn_blocking(move || content_of(&path)).await.unwrap_or_else(|error| Err(error.to_string()))?;
    let to = read.map_err(|_| "the file is not text any more".to_owned())?;
    Ok(Change::Text { asset: asset.clone(), from: from.to_owned(), to })
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
