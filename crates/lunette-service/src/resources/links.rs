//! Linking assets with tags, websites and workstream summaries, and unlinking them (interface, 4.2 rule 1); the same
//! with persons, anchors and hints.
//!
//! Our choice: both are idempotent: linking twice or unlinking what is not linked is a success. What must hold: both
//! sides use the same call of the store.

use crate::http::queued_write::QueuedWrite;
use crate::input::bounds;
use crate::store::records::item::ItemKind;
use crate::store::records::related::RelatedKind;
use crate::{RequestContext, Service, ServiceError};
use lunette_client::operation::table::{
    AssetAssociateAnchor, AssetAssociateHint, AssetAssociatePerson, AssetAssociateTag, AssetAssociateWebsite,
    AssetAssociateWorkstreamSummary, AssetDisassociateAnchor, AssetDisassociateHint, AssetDisassociatePerson,
    AssetDisassociateTag, AssetDisassociateWebsite, AssetDisassociateWorkstreamSummary, TagAssociateAsset,
    TagDisassociateAsset, WebsiteAssociateAsset, WebsiteDisassociateAsset, WorkstreamSummaryAssociateAsset,
    WorkstreamSummaryDisassociateAsset,
};

fn link(service: &Service, asset: &str, kind: ItemKind, id: &str) -> Result<QueuedWrite, ServiceError> {
    let queued = service.store.begin_link(asset, kind, id, Some(bounds::RECORD_BYTES))?;
    let (asset, id) = (asset.to_owned(), id.to_owned());
    Ok(QueuedWrite::with_fallback(queued, move |service| {
        bounds::check_room(service, &asset, 0)?;
        service.store.begin_link(&asset, kind, &id, None)?.wait()?;
        Ok(())
    }))
}

fn unlink(service: &Service, asset: &str, kind: ItemKind, id: &str) -> Result<QueuedWrite, ServiceError> {
    Ok(QueuedWrite::new(service.store.begin_unlink(asset, kind, id)?))
}

fn link_related(service: &Service, asset: &str, kind: RelatedKind, id: &str) -> Result<(), ServiceError> {
    bounds::check_room(service, asset, 0)?;
    Ok(service.store.link_related(asset, kind, id)?)
}

/// Links a tag.
pub(crate) fn associate_tag(service: &Service, op: AssetAssociateTag) -> Result<QueuedWrite, ServiceError> {
    link(service, op.asset.as_str(), ItemKind::Tag, op.tag.as_str())
}

/// Unlinks a tag.
pub(crate) fn disassociate_tag(service: &Service, op: AssetDisassociateTag) -> Result<QueuedWrite, ServiceError> {
    unlink(service, op.asset.as_str(), ItemKind::Tag, op.tag.as_str())
}

/// Links a website.
pub(crate) fn associate_website(service: &Service, op: AssetAssociateWebsite) -> Result<QueuedWrite, ServiceError> {
    link(service, op.asset.as_str(), ItemKind::Website, op.website.as_str())
}

/// Unlinks a website.
pub(crate) fn disassociate_website(
    service: &Service,
    op: AssetDisassociateWebsite,
) -> Result<QueuedWrite, ServiceError> {
    unlink(service, op.asset.as_str(), ItemKind::Website, op.website.as_str())
}

/// Links a workstream summary.
pub(crate) fn associate_workstream_summary(
    service: &Service,
    op: AssetAssociateWorkstreamSummary,
) -> Result<QueuedWrite, ServiceError> {
    link(service, op.asset.as_str(), ItemKind::Summary, op.workstream_summary.as_str())
}

/// Unlinks a workstream summary.
pub(crate) fn disassociate_workstream_summary(
    service: &Service,
    op: AssetDisassociateWorkstreamSummary,
) -> Result<QueuedWrite, ServiceError> {
    unlink(service, op.asset.as_str(), ItemKind::Summary, op.workstream_summary.as_str())
}

/// Links a tag, from the side of the item.
pub(crate) fn tag_associate_asset(service: &Service, op: TagAssociateAsset) -> Result<QueuedWrite, ServiceError> {
    link(service, op.asset.as_str(), ItemKind::Tag, op.tag.as_str())
}

/// Unlinks a tag, from the side of the item.
pub(crate) fn tag_disassociate_asset(service: &Service, op: TagDisassociateAsset) -> Result<QueuedWrite, ServiceError> {
    unlink(service, op.asset.as_str(), ItemKind::Tag, op.tag.as_str())
}

/// Links a website, from the side of the item.
pub(crate) fn website_associate_asset(
    service: &Service,
    op: WebsiteAssociateAsset,
) -> Result<QueuedWrite, ServiceError> {
    link(service, op.asset.as_str(), ItemKind::Website, op.website.as_str())
}

/// Unlinks a website, from the side of the item.
pub(crate) fn website_disassociate_asset(
    service: &Service,
    op: WebsiteDisassociateAsset,
) -> Result<QueuedWrite, ServiceError> {
    unlink(service, op.asset.as_str(), ItemKind::Website, op.website.as_str())
}

/// Links a workstream summary, from the side of the item.
pub(crate) fn workstream_summary_associate_asset(
    service: &Service,
    op: WorkstreamSummaryAssociateAsset,
) -> Result<QueuedWrite, ServiceError> {
    link(service, op.asset.as_str(), ItemKind::Summary, op.workstream_summary.as_str())
}

/// Unlinks a workstream summary, from the side of the item.
pub(crate) fn workstream_summary_disassociate_asset(
    service: &Service,
    op: WorkstreamSummaryDisassociateAsset,
) -> Result<QueuedWrite, ServiceError> {
    unlink(service, op.asset.as_str(), ItemKind::Summary, op.workstream_summary.as_str())
}

/// Links a person.
pub(crate) fn associate_person(
    service: &Service,
    _: &RequestContext,
    op: AssetAssociatePerson,
) -> Result<(), ServiceError> {
    link_related(service, op.asset.as_str(), RelatedKind::Person, op.person.as_str())
}

/// Unlinks a person.
pub(crate) fn disassociate_person(
    service: &Service,
    _: &RequestContext,
    op: AssetDisassociatePerson,
) -> Result<(), ServiceError> {
    Ok(service.store.unlink_related(op.asset.as_str(), RelatedKind::Person, op.person.as_str())?)
}

/// Links an anchor.
pub(crate) fn associate_anchor(
    service: &Service,
    _: &RequestContext,
    op: AssetAssociateAnchor,
) -> Result<(), ServiceError> {
    link_related(service, op.asset.as_str(), RelatedKind::Anchor, op.anchor.as_str())
}

/// Unlinks an anchor.
pub(crate) fn disassociate_anchor(
    service: &Service,
    _: &RequestContext,
    op: AssetDisassociateAnchor,
) -> Result<(), ServiceError> {
    Ok(service.store.unlink_related(op.asset.as_str(), RelatedKind::Anchor, op.anchor.as_str())?)
}

/// Links a hint.
pub(crate) fn associate_hint(
    service: &Service,
    _: &RequestContext,
    op: AssetAssociateHint,
) -> Result<(), ServiceError> {
    link_related(service, op.asset.as_str(), RelatedKind::Hint, op.hint.as_str())
}

/// Unlinks a hint.
pub(crate) fn disassociate_hint(
    service: &Service,
    _: &RequestContext,
    op: AssetDisassociateHint,
) -> Result<(), ServiceError> {
    Ok(service.store.unlink_related(op.asset.as_str(), RelatedKind::Hint, op.hint.as_str())?)
}
