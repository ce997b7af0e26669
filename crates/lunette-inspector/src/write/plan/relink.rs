//! Plans the replacement of links, as when tags are merged.
//!
//! What must hold: links are added before others are removed, so that an interrupted replacement loses nothing; links
//! that the service does not report are not taken as missing.

use std::sync::Arc;

use crate::change::{Change, Item, LinkKind, LinkState, linked, reports_links};
use crate::write::plan::parts::{by, ready_all, with_link};
use crate::write::plan::{PlanError, Preflight, Reconciled, parts};
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;

/// Plans the missing calls: items that are linked or unlinked already are skipped. Nothing is linked to an asset that
/// has none of the links to remove.
pub(super) fn plan_relink(
    id: AssetId,
    link: &[Item],
    unlink: &[Item],
    asset: &Arc<Asset>,
) -> Result<Preflight, PlanError> {
    if let Some(kind) = unreported(asset, link.iter()) {
        return Err(PlanError::NotReplaced(kind));
    }
    let Some(removed) = to_unlink(unlink, asset)? else { return Ok(no_longer_linked(unlink)) };
    let known = |item: &Item| known(asset, item);
    let added: Vec<Item> = link.iter().filter(|item| known(item).is_none()).cloned().collect();
    if removed.is_empty() && added.is_empty() {
        return Ok(Preflight::NoOp(format!("{} is already linked", Item::list(link))));
    }
    let steps = added
        .iter()
        .map(|item| (item, LinkState::Linked))
        .chain(removed.iter().map(|item| (item, LinkState::Unlinked)));
    let calls = steps.clone().map(|(item, to_be)| item.id.link_call(&id, to_be)).collect::<Result<_, _>>()?;
    let after = steps.fold(asset.tree().clone(), |record, (item, to_be)| with_link(record, item, to_be));
    let change = Change::Relink { asset: id, link: added, unlink: removed };
    Ok(ready_all(change, calls, Some(asset), Some(after), by("Undo restores the previous links")))
}

/// Those of the items that the asset has; None where it has none of them. Fails where that is not told.
pub(super) fn to_unlink(unlink: &[Item], asset: &Arc<Asset>) -> Result<Option<Vec<Item>>, PlanError> {
    // Links that the record tells can be removed, even if it does not tell the others.
    if let Some(kind) = unreported(asset, unlink.iter().filter(|item| known(asset, item).is_none())) {
        return Err(PlanError::NotReplaced(kind));
    }
    // The names are taken from the record, so that Undo links the items with the same names.
    let removed: Vec<Item> = unlink.iter().filter_map(|item| known(asset, item)).collect();
    Ok((unlink.is_empty() || !removed.is_empty()).then_some(removed))
}

/// The answer where an asset has none of the links that are to be replaced.
pub(super) fn no_longer_linked(unlink: &[Item]) -> Preflight {
    Preflight::NoOp(format!("{} is no longer linked", Item::list(unlink)))
}

/// Whether all items were linked and unlinked. A partial replacement counts as not applied, since the rest can be sent.
pub(super) fn reconciled(link: &[Item], unlink: &[Item], asset: &Asset) -> Reconciled {
    if let Some(kind) = unreported(asset, link.iter().chain(unlink)) {
        return Reconciled::Unclear(parts::unreported_text(kind));
    }
    let is_linked = |item: &Item| known(asset, item).is_some();
    if link.iter().all(is_linked) && !unlink.iter().any(is_linked) {
        Reconciled::Applied
    } else {
        Reconciled::NotApplied
    }
}

/// The item in the record of the asset.
pub(super) fn known(asset: &Asset, item: &Item) -> Option<Item> {
    linked(asset.view(), item.kind).into_iter().find(|known| known.id.eq_ignore_ascii_case(&item.id))
}

/// A kind of these items whose links the record does not contain.
fn unreported<'a>(asset: &Asset, mut items: impl Iterator<Item = &'a Item>) -> Option<LinkKind> {
    items.find(|item| !reports_links(asset.view(), item.kind)).map(|item| item.kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn tag(id: &str) -> Item {
        Item::new(LinkKind::Tag, id, id, None)
    }

    fn asset(tags: Option<&[&str]>) -> Arc<Asset> {
        let moment = json!({ "value": "2024-05-01T12:00:00Z" });
        let mut tree = json!({
            "id": AssetId::random().as_str(), "creator": "c", "mechanism": "MANUAL", "created": moment, "updated": moment,
            "original": { "id": "f" }, "formats": { "iterable": [] }, "preview": { "base": { "id": "f" } },
        });
        if let Some(tags) = tags {
            let tag = |id: &&str| {
                json!({
                    "id": id, "text": id, "created": moment, "updated": moment, "category": "MANUAL", "mechanisms": {},
                })
            };
            tree["tags"] = json!({ "iterable": tags.iter().map(tag).collect::<Value>() });
        }
        Arc::new(Asset::from_tree(tree).expect("an asset"))
    }

    fn planned(tags: Option<&[&str]>, link: &[&str], unlink: &[&str]) -> Result<Preflight, PlanError> {
        let items = |ids: &[&str]| ids.iter().map(|id| tag(id)).collect::<Vec<_>>();
        plan_relink(AssetId::random(), &items(link), &items(unlink), &asset(tags))
    }

    #[test]
    fn links_are_added_before_others_are_removed_and_existing_ones_are_skipped() {
        let Ok(Preflight::Ready(plan)) = planned(Some(&["a", "b", "x"]), &["c"], &["a", "b", "gone"]) else {
            panic!("a plan")
        };
        let targets: Vec<_> = plan.calls.iter().map(|call| call.parts().target(call.info())).collect();
        assert!(targets[0].ends_with("/tags/associate/c") && targets.len() == 3, "{targets:?}");
        assert!(targets[1].ends_with("/tags/disassociate/a") && targets[2].ends_with("/tags/disassociate/b"));
        let Change::Relink { link, unlink, .. } = &plan.change else { panic!("another change") };
        assert_eq!((link.len(), unlink.len()), (1, 2));

        let Ok(Preflight::Ready(plan)) = planned(Some(&["a", "c"]), &["c"], &["a"]) else { panic!("a plan") };
        assert_eq!(plan.calls.len(), 1, "what is linked already is not linked again, nor unlinked by an undo");
        assert!(matches!(&plan.change, Change::Relink { link, .. } if link.is_empty()));
    }

    #[test]
    fn an_unlink_is_undone_by_linking_again() {
        let Ok(Preflight::Ready(plan)) = planned(Some(&["c"]), &["a"], &[]) else { panic!("a plan") };
        assert_eq!(plan.calls.len(), 1);
        assert!(matches!(planned(Some(&["a"]), &["a"], &[]), Ok(Preflight::NoOp(_))));
    }

    #[test]
    fn an_asset_without_the_replaced_item_is_not_linked() {
        assert!(matches!(planned(Some(&["x"]), &["c"], &["a"]), Ok(Preflight::NoOp(_))));
    }

    #[test]
    fn links_that_the_service_does_not_report_are_not_replaced() {
        let refused = planned(None, &["c"], &["a"]).expect_err("no plan").to_string();
        assert!(refused.contains("does not say which tags"), "{refused}");
    }

    #[test]
    fn a_partly_done_step_counts_as_not_done() {
        let end = |tags: &[&str]| reconciled(&[tag("c")], &[tag("a")], &asset(Some(tags)));
        assert_eq!(
            (end(&["c"]), end(&["a", "c"]), end(&["a"])),
            (Reconciled::Applied, Reconciled::NotApplied, Reconciled::NotApplied)
        );
    }
}
