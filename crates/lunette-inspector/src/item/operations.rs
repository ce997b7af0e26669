//! The operations of each kind of link. Only this module maps kinds to the operations that list, read, create, link and
//! unlink items.

use serde_json::{Value, json};

use super::{Item, LinkKind};
use lunette_client::model::id::{AssetId, BadId, TagId, WebsiteId, WorkstreamSummaryId};
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

    /// The call that updates an item to a record, which may be of any shape: it came from the service.
    pub(crate) fn update_call(self, record: Value) -> Result<Call, SchemaError> {
        let transferables = None;
        Ok(match self {
            Self::Tag => TagUpdate { transferables, tag: Some(Tag::from_any(record)?) }.into(),
            Self::Website => WebsiteUpdate { transferables, website: Some(Website::from_any(record)?) }.into(),
            Self::Summary => {
                WorkstreamSummaryUpdate { transferables, summary: Some(WorkstreamSummary::from_any(record)?) }.into()
            }
        })
    }

    /// The call that lists the items; `assets` says whether they name their assets, and `counts` whether they have the
    /// number of assets, if the service can omit these.
    pub(crate) fn list_call(self, assets: Option<bool>, counts: Option<bool>) -> Call {
        let transferables = None;
        match self {
            Self::Tag => TagsSnapshot { transferables, assets, counts }.into(),
            Self::Website => WebsitesSnapshot { transferables, assets, counts }.into(),
            Self::Summary => WorkstreamSummariesSnapshot { transferables, assets, counts }.into(),
        }
    }

    /// The call that creates an item.
    pub(crate) fn create_call(self, text: &str, url: Option<&str>) -> Result<Call, SchemaError> {
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
    pub(crate) fn created(self, reply: Reply) -> Option<Item> {
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

/// The id of an item as calls take it: an id of another kind, or of an asset, is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemId {
    /// Of a tag.
    Tag(TagId),
    /// Of a website.
    Website(WebsiteId),
    /// Of a workstream summary.
    Summary(WorkstreamSummaryId),
}

/// A text that is no id of an item: no call can have it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {} has no usable id: {problem}", .kind.one())]
pub struct UnusableId {
    kind: LinkKind,
    /// What is wrong with it.
    pub problem: BadId,
}

impl ItemId {
    /// Parses the id of an item of this kind.
    pub fn parse(kind: LinkKind, id: &str) -> Result<Self, UnusableId> {
        let parsed = match kind {
            LinkKind::Tag => id.parse().map(Self::Tag),
            LinkKind::Website => id.parse().map(Self::Website),
            LinkKind::Summary => id.parse().map(Self::Summary),
        };
        parsed.map_err(|problem| UnusableId { kind, problem })
    }

    /// The call that reads the item; `assets` as in [`LinkKind::list_call`].
    pub(crate) fn read_call(self, assets: Option<bool>) -> Call {
        let transferables = None;
        match self {
            Self::Tag(tag) => TagsSpecificTagSnapshot { tag, transferables, assets }.into(),
            Self::Website(website) => WebsitesSpecificWebsiteSnapshot { website, transferables, assets }.into(),
            Self::Summary(workstream_summary) => {
                WorkstreamSummariesSpecificWorkstreamSummarySnapshot { workstream_summary, transferables, assets }
                    .into()
            }
        }
    }

    /// The call that deletes the item.
    pub(crate) fn delete_call(self) -> Call {
        match self {
            Self::Tag(tag) => TagsDeleteSpecificTag { tag }.into(),
            Self::Website(website) => WebsitesDeleteSpecificWebsite { website }.into(),
            Self::Summary(workstream_summary) => {
                WorkstreamSummariesDeleteSpecificWorkstreamSummary { workstream_summary }.into()
            }
        }
    }

    fn link_call(self, asset: AssetId) -> Call {
        match self {
            Self::Tag(tag) => AssetAssociateTag { asset, tag }.into(),
            Self::Website(website) => AssetAssociateWebsite { asset, website }.into(),
            Self::Summary(workstream_summary) => AssetAssociateWorkstreamSummary { asset, workstream_summary }.into(),
        }
    }

    fn unlink_call(self, asset: AssetId) -> Call {
        match self {
            Self::Tag(tag) => AssetDisassociateTag { asset, tag }.into(),
            Self::Website(website) => AssetDisassociateWebsite { asset, website }.into(),
            Self::Summary(workstream_summary) => {
                AssetDisassociateWorkstreamSummary { asset, workstream_summary }.into()
            }
        }
    }
}

impl Item {
    /// The id as calls take it; fails if the record that the item was read from has none that they can.
    pub fn typed_id(&self) -> Result<ItemId, UnusableId> {
        ItemId::parse(self.kind, &self.id)
    }

    /// The call that links the item to an asset, or removes its link.
    pub(crate) fn link_call(&self, asset: &AssetId, on: bool) -> Result<Call, String> {
        let id = self.typed_id().map_err(|problem| problem.to_string())?;
        Ok(if on { id.link_call(asset.clone()) } else { id.unlink_call(asset.clone()) })
    }
}

/// A summary needs a model (records, 2.4); one that was written by hand has a model named `none`.
fn model() -> Value {
    json!({
        "id": uuid::Uuid::new_v4().to_string(), "version": "0.0.0", "created": { "value": jiff::Timestamp::now().to_string() },
        "name": "none", "cloud": false, "type": "BALANCED", "usage": "CODE_CONVERSATION",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_has_the_id_of_an_item_of_its_kind() {
        let asset = AssetId::random();
        for kind in LinkKind::ALL {
            let item = Item { kind, id: "a/1".to_owned(), text: String::new(), url: None };
            let id = || item.typed_id().expect("an id");
            assert_eq!(id().delete_call().info().name, kind.delete().name);
            assert_eq!(item.link_call(&asset, true).expect("a call").info().name, kind.link().name);
            assert_eq!(item.link_call(&asset, false).expect("a call").info().name, kind.unlink().name);
            let unusable = Item { id: "..".to_owned(), ..item.clone() };
            let problem = unusable.typed_id().expect_err("no id").to_string();
            assert!(problem.starts_with(&format!("the {} has no usable id: \"..\"", kind.one())), "{problem}");
        }
    }
}
