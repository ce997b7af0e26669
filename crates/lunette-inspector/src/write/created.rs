//! Finds out whether an asset was created by a step of unknown outcome: by the id that the step named, or else by name,
//! content and time.
//!
//! What must hold: nothing is sent again; an asset that may be another one is not taken for the created one.

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::assets::content::of_original;
use crate::change::Change;
use crate::change::fingerprint::Fingerprint;
use crate::journal::{Entry, EntryKind};
use crate::write::plan::{Reconciled, read};
use crate::{CallError, Transport};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::{Record as _, View};
use lunette_client::operation::table::AssetsSnapshot;

mod digest;

pub(crate) use digest::shortened;

/// How far the clock of a service may be behind. Our choice: most run on the same machine.
const BEHIND: SignedDuration = SignedDuration::from_secs(60);

/// How long after its step an asset may have been created: longer than any request takes.
const LATER: SignedDuration = SignedDuration::from_secs(10 * 60);

/// The most assets whose content is compared.
const MOST_COMPARED: usize = 20;

/// What a step was to create.
struct Wanted {
    /// The id that the new asset was to have, which only our own service supports.
    id: Option<AssetId>,
    name: String,
    /// The digest of its content; `None` if that is not known.
    content: Option<String>,
    at: Timestamp,
}

/// The assets that these steps are known to have created.
pub(crate) fn known<'a>(entries: impl Iterator<Item = &'a Entry>) -> HashSet<AssetId> {
    let created = |entry: &Entry| match &entry.kind {
        EntryKind::Change(Change::Create { asset, .. }) => Some(asset.clone()),
        EntryKind::Change(_) | EntryKind::Batch { .. } | EntryKind::Call { .. } => None,
    };
    entries.filter_map(created).collect()
}

/// Reads whether the asset of a step is there, and returns its creation if it is. `known` are assets that other steps
/// created. Fails if the service cannot be read.
pub(super) async fn created<C: Transport>(
    caller: &C,
    entry: &Entry,
    known: &HashSet<AssetId>,
) -> Result<(Reconciled, Option<Change>), CallError> {
    let Some(wanted) = Wanted::of(entry) else {
        return Ok((Reconciled::Unclear("what it was to create is not recorded".to_owned()), None));
    };
    if let Some(id) = &wanted.id {
        match read(caller, id, false).await {
            Ok(asset) => return Ok(found(&asset)),
            // A service that gives ids of its own may have it nevertheless.
            Err(CallError::Status { status: 404 | 410, .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let Some(content) = &wanted.content else {
        let why = format!("its content cannot be compared; look for “{}” in the list", wanted.name);
        return Ok((Reconciled::Unclear(why), None));
    };
    let candidates = candidates(caller, &wanted, known).await?;
    let mut same = Vec::new();
    for id in candidates.iter().take(MOST_COMPARED) {
        let asset = read(caller, id, true).await?;
        if digest::of_content(&of_original(asset.view())).as_ref() == Some(content) {
            same.push(id);
        }
    }
    match same.as_slice() {
        [] if candidates.len() <= MOST_COMPARED => Ok((Reconciled::NotApplied, None)),
        [id] => Ok(found(&read(caller, id, false).await?)),
        _ => {
            let why = format!("several assets named “{}” were created at that time", wanted.name);
            Ok((Reconciled::Unclear(why), None))
        }
    }
}

/// The assets with the name of the wanted one that were created when it was.
async fn candidates<C: Transport>(
    caller: &C,
    wanted: &Wanted,
    known: &HashSet<AssetId>,
) -> Result<Vec<AssetId>, CallError> {
    let all = AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: None, offset: None, limit: None };
    let all = caller.list(all).await?;
    let assets = all.view().iterable();
    let candidates = assets.iter().filter(|asset| wanted.may_be(*asset));
    let ids = candidates.filter_map(|asset| asset.id().parse::<AssetId>().ok());
    Ok(ids.filter(|id| !known.contains(id)).collect())
}

fn found(asset: &Asset) -> (Reconciled, Option<Change>) {
    let (view, made) = (asset.view(), Fingerprint::of(asset.tree()));
    let name = view.name().unwrap_or_default().to_owned();
    let change = view.id().parse().ok().map(|asset| Change::Create { asset, name, made, replaces: None });
    (Reconciled::Applied, change)
}

impl Wanted {
    fn of(entry: &Entry) -> Option<Self> {
        let body = entry.requests.first().filter(|_| entry.creates_asset())?.body.as_deref()?;
        let seed: Value = serde_json::from_str(body).ok()?;
        let asset = &seed["asset"];
        let archived = &asset["archived"];
        Some(Self {
            id: archived["record"]["id"]
                .as_str()
                .filter(|_| archived["ids"].is_string())
                .and_then(|id| id.parse().ok()),
            name: asset["metadata"]["name"].as_str()?.to_owned(),
            content: digest::of_seed(&seed),
            at: entry.at,
        })
    }

    fn may_be(&self, asset: View<'_, Asset>) -> bool {
        let created = asset.tree()["created"]["value"].as_str().and_then(|text| text.parse::<Timestamp>().ok());
        let in_time = |created: Timestamp| (-BEHIND..=LATER).contains(&created.duration_since(self.at));
        asset.name() == Some(self.name.as_str()) && created.is_some_and(in_time)
    }
}
