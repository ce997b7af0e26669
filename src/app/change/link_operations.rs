//! The operations of each kind of link. Only this module maps kinds to the operations that list, read, create, link and
//! unlink items.

use serde_json::{Value, json};

use super::{Item, LinkKind};
use lunette_client::model::id::{AssetId, BadId};
use lunette_client::model::linked::{
    SeededTag, SeededWebsite, SeededWorkstreamSummary, Tag, Website, WorkstreamSummary,
};
use lunette_client::model::record::{Record as _, SchemaError};
use lunette_client::operation::table::{
    AssetAssociateTag, AssetAssociateWebsite, AssetAssociateWorkstreamSummary, AssetDisassociateTag,
    AssetDisassociateWebsite, AssetDisassociateWorkstreamSummary, TagUpdate, TagsCreateNewTag, TagsDeleteSpecificTag,
    TagsSnapshot, TagsSpecificTagSnapshot, WebsiteUpdate, WebsitesCreateNewWebsite, WebsitesDeleteSpecificWebsite,
    WebsitesSnapshot, WebsitesSpecificWebsiteSnapshot, WorkstreamSummariesCreateNewWorkstreamSummary,
    WorkstreamSummariesDeleteSpecificWorkstreamSummary, WorkstreamSummariesSnapshot,
    WorkstreamSummariesSpecificWorkstreamSummarySnapshot, WorkstreamSummaryUpdate,
};
use lunette_client::operation::{Call, Operation as _, OperationInfo, Reply};

impl LinkKind {
    /// The operation that lists the items.
    pub fn list(self) -> &'static OperationInfo {
        match self {
            Self::Tag => TagsSnapshot::INFO,
            Self::Website => WebsitesSnapshot::INFO,
            Self::Summary => WorkstreamSummariesSnapshot::INFO,
        }
    }

    /// The operation that creates an item.
    pub fn create(self) -> &'static OperationInfo {
        match self {
            Self::Tag => TagsCreateNewTag::INFO,
            Self::Website => WebsitesCreateNewWebsite::INFO,
            Self::Summary => WorkstreamSummariesCreateNewWorkstreamSummary::INFO,
        }
    }

    /// The operation that links an asset and an item.
    pub fn link(self) -> &'static OperationInfo {
        match self {
            Self::Tag => AssetAssociateTag::INFO,
            Self::Website => AssetAssociateWebsite::INFO,
            Self::Summary => AssetAssociateWorkstreamSummary::INFO,
        }
    }

    /// The operation that removes the link.
    pub fn unlink(self) -> &'static OperationInfo {
        match self {
            Self::Tag => AssetDisassociateTag::INFO,
            Self::Website => AssetDisassociateWebsite::INFO,
            Self::Summary => AssetDisassociateWorkstreamSummary::INFO,
        }
    }

    /// The operation that updates an item.
    pub fn update(self) -> &'static OperationInfo {
        match self {
            Self::Tag => TagUpdate::INFO,
            Self::Website => WebsiteUpdate::INFO,
            Self::Summary => WorkstreamSummaryUpdate::INFO,
        }
    }

    /// The operation that deletes an item.
    pub fn delete(self) -> &'static OperationInfo {
        match self {
            Self::Tag => TagsDeleteSpecificTag::INFO,
            Self::Website => WebsitesDeleteSpecificWebsite::INFO,
            Self::Summary => WorkstreamSummariesDeleteSpecificWorkstreamSummary::INFO,
        }
    }

    /// The call that updates an item to a record.
    pub(in crate::app) fn update_call(self, record: Value) -> Result<Call, SchemaError> {
        let transferables = None;
        Ok(match self {
            Self::Tag => TagUpdate { transferables, tag: Some(Tag::from_tree(record)?) }.into(),
            Self::Website => WebsiteUpdate { transferables, website: Some(Website::from_tree(record)?) }.into(),
            Self::Summary => {
                WorkstreamSummaryUpdate { transferables, summary: Some(WorkstreamSummary::from_tree(record)?) }.into()
            }
        })
    }

    /// The call that deletes an item.
    pub(in crate::app) fn delete_call(self, id: &str) -> Result<Call, BadId> {
        Ok(match self {
            Self::Tag => TagsDeleteSpecificTag { tag: id.parse()? }.into(),
            Self::Website => WebsitesDeleteSpecificWebsite { website: id.parse()? }.into(),
            Self::Summary => {
                WorkstreamSummariesDeleteSpecificWorkstreamSummary { workstream_summary: id.parse()? }.into()
            }
        })
    }

    /// The call that lists the items; `assets` says whether they name their assets, and `counts` whether they have the
    /// number of assets, if the service can omit these.
    pub(in crate::app) fn list_call(self, assets: Option<bool>, counts: Option<bool>) -> Call {
        let transferables = None;
        match self {
            Self::Tag => TagsSnapshot { transferables, assets, counts }.into(),
            Self::Website => WebsitesSnapshot { transferables, assets, counts }.into(),
            Self::Summary => WorkstreamSummariesSnapshot { transferables, assets, counts }.into(),
        }
    }

    /// The call that reads one item, in the same way.
    pub(in crate::app) fn one_call(self, id: &str, assets: Option<bool>) -> Result<Call, BadId> {
        let transferables = None;
        Ok(match self {
            Self::Tag => TagsSpecificTagSnapshot { tag: id.parse()?, transferables, assets }.into(),
            Self::Website => WebsitesSpecificWebsiteSnapshot { website: id.parse()?, transferables, assets }.into(),
            Self::Summary => {
                let workstream_summary = id.parse()?;
                WorkstreamSummariesSpecificWorkstreamSummarySnapshot { workstream_summary, transferables, assets }
                    .into()
            }
        })
    }

    /// The call that creates an item.
    pub(in crate::app) fn create_call(self, text: &str, url: Option<&str>) -> Result<Call, SchemaError> {
        Ok(match self {
            Self::Tag => {
                TagsCreateNewTag { transferables: None, tag: Some(SeededTag::from_tree(json!({ "text": text }))?) }
                    .into()
            }
            Self::Website => {
                let seed = SeededWebsite::from_tree(json!({ "url": url.unwrap_or(text), "name": text }))?;
                WebsitesCreateNewWebsite { transferables: None, website: Some(seed) }.into()
            }
            Self::Summary => {
                let seed = SeededWorkstreamSummary::from_tree(json!({ "name": text, "model": model() }))?;
                WorkstreamSummariesCreateNewWorkstreamSummary { transferables: None, summary: Some(seed) }.into()
            }
        })
    }

    /// The created item of a reply.
    pub(in crate::app) fn created(self, reply: Reply) -> Option<Item> {
        let (id, text, url) = match self {
            Self::Tag => {
                let tag = TagsCreateNewTag::output(reply)?;
                (tag.view().id().to_owned(), tag.view().text().to_owned(), None)
            }
            Self::Website => {
                let site = WebsitesCreateNewWebsite::output(reply)?;
                let url = Some(site.view().url().to_owned());
                (site.view().id().to_owned(), site.view().name().to_owned(), url)
            }
            Self::Summary => {
                let summary = WorkstreamSummariesCreateNewWorkstreamSummary::output(reply)?;
                (summary.view().id().to_owned(), summary.view().name().to_owned(), None)
            }
        };
        Some(Item { kind: self, id, text, url })
    }
}

impl Item {
    /// The call that links the item to an asset, or removes its link.
    pub(in crate::app) fn link_call(&self, asset: &AssetId, on: bool) -> Result<Call, String> {
        let asset = asset.clone();
        let bad = |error: BadId| format!("the {} has no usable id: {error}", self.kind.one());
        Ok(match (self.kind, on) {
            (LinkKind::Tag, true) => AssetAssociateTag { asset, tag: self.id.parse().map_err(bad)? }.into(),
            (LinkKind::Tag, false) => AssetDisassociateTag { asset, tag: self.id.parse().map_err(bad)? }.into(),
            (LinkKind::Website, true) => AssetAssociateWebsite { asset, website: self.id.parse().map_err(bad)? }.into(),
            (LinkKind::Website, false) => {
                AssetDisassociateWebsite { asset, website: self.id.parse().map_err(bad)? }.into()
            }
            (LinkKind::Summary, true) => {
                AssetAssociateWorkstreamSummary { asset, workstream_summary: self.id.parse().map_err(bad)? }.into()
            }
            (LinkKind::Summary, false) => {
                AssetDisassociateWorkstreamSummary { asset, workstream_summary: self.id.parse().map_err(bad)? }.into()
            }
        })
    }
}

/// A summary needs a model (records, 2.4); one that was written by hand has a model named `none`.
fn model() -> Value {
    json!({
        "id": uuid::Uuid::new_v4().to_string(), "version": "0.0.0", "created": { "value": jiff::Timestamp::now().to_string() },
        "name": "none", "cloud": false, "type": "BALANCED", "usage": "CODE_CONVERSATION",
    })
}
