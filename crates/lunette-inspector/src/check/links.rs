//! The six link operations: each result is checked at the asset.

use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetAssociateWebsite, AssetAssociateWorkstreamSummary, AssetDisassociateTag,
    AssetDisassociateWebsite, AssetDisassociateWorkstreamSummary, AssetSnapshot,
};
use lunette_client::operation::{Call, Operation as _, OperationInfo};

use super::Checker;
use super::applications::WRITES;
use super::scratch::Scratch;

/// One kind of link, both ways.
struct Pair {
    /// The asset's field with the linked items.
    field: &'static str,
    associate: &'static OperationInfo,
    disassociate: &'static OperationInfo,
    /// The id, and the calls that link and unlink it; `None` if there is nothing to link.
    calls: Option<(String, Call, Call)>,
}

impl Checker<'_> {
    pub(super) async fn links(&mut self, scratch: &Scratch) {
        for pair in pairs(scratch) {
            let Some((id, associate, disassociate)) = pair.calls else {
                let reason = match scratch.made {
                    Some(_) => "the service cannot create such an item, and the check does not touch existing ones",
                    None => NO_SCRATCH,
                };
                self.not_asked(pair.associate, reason);
                self.not_asked(pair.disassociate, reason);
                continue;
            };
            let Some(asset) = scratch.made.clone() else { continue };
            self.ask(associate, WRITES).await;
            self.look(pair.associate, asset.clone(), pair.field, &id, Link::Made).await;
            self.ask(disassociate, WRITES).await;
            self.look(pair.disassociate, asset, pair.field, &id, Link::Removed).await;
        }
    }

    /// Reads the asset and records links that differ from the requests.
    async fn look(&mut self, info: &'static OperationInfo, asset: AssetId, field: &str, id: &str, wanted: Link) {
        if self.gathered.get(info.name).is_none_or(|gathered| gathered.gave_up()) {
            return;
        }
        let Some(record) = self.ask(AssetSnapshot { asset, transferables: Some(false) }, 1).await else { return };
        let linked = record[field]["iterable"].as_array().into_iter().flatten();
        let linked_now = linked.into_iter().any(|item| item["id"].as_str() == Some(id));
        let problem = match (wanted, linked_now) {
            (Link::Made, false) => format!("{id} was linked, but is missing when the asset is read again"),
            (Link::Removed, true) => format!("{id} was unlinked, but is still there when the asset is read again"),
            _ => return,
        };
        self.expect(info, &format!("$.{field}.iterable[*].id"), Some(problem));
    }
}

/// What was requested of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    Made,
    Removed,
}

/// Why nothing is written.
pub(super) const NO_SCRATCH: &str = "it makes changes, and no test asset could be created";

fn pairs(scratch: &Scratch) -> [Pair; 3] {
    let asset = || scratch.made.clone();
    let tag = asset().zip(scratch.tag.clone()).map(|(asset, tag)| {
        let on = AssetAssociateTag { asset: asset.clone(), tag: tag.clone() };
        (tag.to_string(), on.into(), AssetDisassociateTag { asset, tag }.into())
    });
    let website = asset().zip(scratch.website.clone()).map(|(asset, website)| {
        let on = AssetAssociateWebsite { asset: asset.clone(), website: website.clone() };
        (website.to_string(), on.into(), AssetDisassociateWebsite { asset, website }.into())
    });
    let summary = asset().zip(scratch.summary.clone()).map(|(asset, id)| {
        let on = AssetAssociateWorkstreamSummary { asset: asset.clone(), workstream_summary: id.clone() };
        let off = AssetDisassociateWorkstreamSummary { asset, workstream_summary: id.clone() };
        (id.to_string(), on.into(), off.into())
    });
    let pair = |field, associate, disassociate, calls| Pair { field, associate, disassociate, calls };
    [
        pair("tags", AssetAssociateTag::INFO, AssetDisassociateTag::INFO, tag),
        pair("websites", AssetAssociateWebsite::INFO, AssetDisassociateWebsite::INFO, website),
        pair("summaries", AssetAssociateWorkstreamSummary::INFO, AssetDisassociateWorkstreamSummary::INFO, summary),
    ]
}
