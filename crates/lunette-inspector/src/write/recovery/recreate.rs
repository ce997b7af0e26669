//! Recreates a deleted asset from its copy: content, name, language, description and links.
//!
//! What must hold: parts that cannot be restored are reported; nothing is created if the copy has no content.

use serde_json::{Value, json};

use crate::Vendor;
use crate::assets::content::{of_original, original};
use crate::assets::page::Content;
use crate::assets::seed::application;
use crate::assets::seed::file_of_seed;
use crate::change::fingerprint::Fingerprint;
use crate::change::{Change, Item, LinkKind, LinkState, linked, reports_links};
use crate::write::plan::{Applied, Plan, UndoKind, read};
use crate::write::recovery::copies::CopyError;
use crate::{CallError, Transport, unexpected};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::{AssetId, BadId};
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::seed::Seed;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::AssetsCreateNewAsset;

/// Fails if a record was read without the content of its asset.
pub(super) fn has_content(record: &Asset) -> Result<(), CopyError> {
    match of_original(record.view()) {
        Content::Text(_) | Content::Bytes(_) => Ok(()),
        Content::None | Content::Large(_) | Content::Part(..) => Err(CopyError::NoContent),
    }
}

/// Plans the recreation of an asset.
pub(super) fn plan_recreate(asset: AssetId, name: String, copy: Value, vendor: Vendor) -> Result<Plan, CopyError> {
    let record = Asset::from_any(copy).map_err(|wrong| CopyError::Damaged(wrong.to_string()))?;
    let seed = seed(record.view(), &name, vendor)?;
    let call = AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(seed) };
    let links = LinkKind::ALL.into_iter().flat_map(|kind| linked(record.view(), kind)).collect();
    let unreported = unreported(&record);
    Ok(Plan {
        change: Change::Recreate { asset, name, links, unreported },
        calls: vec![call.into()],
        before: None,
        fields: Vec::new(),
        undo: UndoKind::By("Undo deletes it again".to_owned()),
    })
}

/// The kinds of links that a record leaves out, which cannot be made again from it.
pub(super) fn unreported(record: &Asset) -> Vec<LinkKind> {
    LinkKind::ALL.into_iter().filter(|kind| !reports_links(record.view(), *kind)).collect()
}

/// What is not restored since the service did not tell it, in a sentence; None where it told everything.
pub fn unreported_message(unreported: &[LinkKind]) -> Option<String> {
    let (last, rest) = unreported.split_last()?;
    let many = |kind: &LinkKind| kind.many().to_lowercase();
    let kinds = match rest {
        [] => many(last),
        rest => format!("{} or {}", rest.iter().map(many).collect::<Vec<_>>().join(", "), many(last)),
    };
    Some(format!("the service did not say which {kinds} the asset had, so these links are not restored"))
}

fn seed(record: View<'_, Asset>, name: &str, vendor: Vendor) -> Result<Seed, CopyError> {
    let is_file = original(record).is_some_and(|format| format.file().is_some());
    let mut format = match of_original(record) {
        Content::Text(text) if is_file => {
            json!({ "file": { "string": { "raw": &*text }, "metadata": { "name": name, "size": text.len() } } })
        }
        Content::Text(text) => json!({ "fragment": { "string": { "raw": &*text } } }),
        Content::Bytes(bytes) => json!({ "file": file_of_seed(name, &bytes, vendor) }),
        Content::None | Content::Large(_) | Content::Part(..) => {
            return Err(CopyError::Empty);
        }
    };
    if let Some(format_of) = original(record) {
        let specific = format_of.classification().specific();
        if !specific.is_empty() {
            format["classification"] = json!({ "specific": specific });
        }
    }
    let annotations: Vec<Value> = match record.annotations() {
        Some(annotations) => {
            let annotations = annotations.iterable();
            annotations.iter().map(|one| json!({ "type": one.kind(), "text": one.text() })).collect()
        }
        None => Vec::new(),
    };
    let tree = json!({
        "type": "SEEDED_ASSET",
        "asset": {
            "application": application(),
            "format": format,
            "metadata": { "name": name, "mechanism": "MANUAL", "annotations": annotations },
        },
    });
    Seed::from_tree(tree).map_err(CopyError::NoSeed)
}

/// Restores the links of the asset, and reports what was restored and what was not.
pub(crate) async fn recreated<C: Transport>(
    caller: &C,
    replaced: AssetId,
    made: Asset,
    links: &[Item],
    unreported: &[LinkKind],
) -> Result<Applied, CallError> {
    let id = made.view().id().parse();
    let asset: AssetId =
        id.map_err(|problem: BadId| unexpected(AssetsCreateNewAsset::INFO, "$.id", problem.to_string()))?;
    let mut lost = Vec::new();
    for item in links {
        let linked = match item.id.link_call(&asset, LinkState::Linked) {
            Ok(call) => caller.reply(&call).await.map(drop).map_err(|error| error.reason()),
            Err(problem) => Err(problem.to_string()),
        };
        if let Err(why) = linked {
            lost.push(format!("could not link the {} “{}”: {why}", item.kind.one(), item.name()));
        }
    }
    // Undo compares links too.
    let now = if links.is_empty() { made } else { read(caller, &asset, false).await.unwrap_or(made) };
    let name = now.view().name().unwrap_or_default().to_owned();
    let mut message = format!("its new id is {asset}; score, activity and conversations are not restored");
    for lost in lost.into_iter().chain(unreported_message(unreported)) {
        message.push_str("; ");
        message.push_str(&lost);
    }
    let made = Fingerprint::of(now.tree());
    let change = Change::Create { asset, name, made, replaces: Some(replaced) };
    Ok(Applied { change, asset: Some(std::sync::Arc::new(now)), message: Some(message) })
}
