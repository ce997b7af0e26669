//! The operations of each kind of link. Only this module maps kinds to the operations that list, read, create, link and
//! unlink items.

use std::fmt;
use std::ops::Deref;

use serde::{Serialize, Serializer};
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
        Some(Item::new(self, &id, text, url))
    }
}

/// The id of an item, parsed where it comes in: an id of another kind, or of an asset, is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemId {
    /// Of a tag.
    Tag(TagId),
    /// Of a website.
    Website(WebsiteId),
    /// Of a workstream summary.
    Summary(WorkstreamSummaryId),
    /// A text that can be shown and not sent.
    Unusable(Box<UnusableId>),
}

/// A text that is not an id of an item: no call can have it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {} has no usable id: {problem}", .kind.one())]
pub struct UnusableId {
    kind: LinkKind,
    text: String,
    /// What is wrong with it.
    pub problem: BadId,
}

/// Whether an item is linked to an asset, or is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// It is.
    Linked,
    /// It is not.
    Unlinked,
}

impl ItemId {
    /// Parses the id of an item of this kind.
    pub fn parse(kind: LinkKind, id: &str) -> Self {
        let parsed = match kind {
            LinkKind::Tag => id.parse().map(Self::Tag),
            LinkKind::Website => id.parse().map(Self::Website),
            LinkKind::Summary => id.parse().map(Self::Summary),
        };
        parsed.unwrap_or_else(|problem| Self::Unusable(Box::new(UnusableId { kind, text: id.to_owned(), problem })))
    }

    /// The id as it came.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Tag(id) => id.as_str(),
            Self::Website(id) => id.as_str(),
            Self::Summary(id) => id.as_str(),
            Self::Unusable(unusable) => &unusable.text,
        }
    }

    /// Fails if no call can have the id.
    pub fn usable(&self) -> Result<(), UnusableId> {
        match self {
            Self::Unusable(unusable) => Err(UnusableId::clone(unusable)),
            Self::Tag(_) | Self::Website(_) | Self::Summary(_) => Ok(()),
        }
    }

    /// The call that reads the item; `assets` as in [`LinkKind::list_call`]. Fails if no call can have the id.
    pub(crate) fn read_call(&self, assets: Option<bool>) -> Result<Call, UnusableId> {
        let transferables = None;
        Ok(match self.clone() {
            Self::Tag(tag) => TagsSpecificTagSnapshot { tag, transferables, assets }.into(),
            Self::Website(website) => WebsitesSpecificWebsiteSnapshot { website, transferables, assets }.into(),
            Self::Summary(workstream_summary) => {
                WorkstreamSummariesSpecificWorkstreamSummarySnapshot { workstream_summary, transferables, assets }
                    .into()
            }
            Self::Unusable(unusable) => return Err(*unusable),
        })
    }

    /// The call that deletes the item. Fails if no call can have the id.
    pub(crate) fn delete_call(&self) -> Result<Call, UnusableId> {
        Ok(match self.clone() {
            Self::Tag(tag) => TagsDeleteSpecificTag { tag }.into(),
            Self::Website(website) => WebsitesDeleteSpecificWebsite { website }.into(),
            Self::Summary(workstream_summary) => {
                WorkstreamSummariesDeleteSpecificWorkstreamSummary { workstream_summary }.into()
            }
            Self::Unusable(unusable) => return Err(*unusable),
        })
    }

    /// The call that links the item to an asset, or removes its link. Fails if no call can have the id.
    pub(crate) fn link_call(&self, asset: &AssetId, to_be: LinkState) -> Result<Call, UnusableId> {
        use LinkState::{Linked, Unlinked};
        let asset = asset.clone();
        Ok(match (self.clone(), to_be) {
            (Self::Tag(tag), Linked) => AssetAssociateTag { asset, tag }.into(),
            (Self::Tag(tag), Unlinked) => AssetDisassociateTag { asset, tag }.into(),
            (Self::Website(website), Linked) => AssetAssociateWebsite { asset, website }.into(),
            (Self::Website(website), Unlinked) => AssetDisassociateWebsite { asset, website }.into(),
            (Self::Summary(workstream_summary), Linked) => {
                AssetAssociateWorkstreamSummary { asset, workstream_summary }.into()
            }
            (Self::Summary(workstream_summary), Unlinked) => {
                AssetDisassociateWorkstreamSummary { asset, workstream_summary }.into()
            }
            (Self::Unusable(unusable), _) => return Err(*unusable),
        })
    }
}

impl Deref for ItemId {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq<str> for ItemId {
    fn eq(&self, text: &str) -> bool {
        self.as_str() == text
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl Serialize for ItemId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
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
            let id = ItemId::parse(kind, "a/1");
            assert_eq!(id.delete_call().expect("a call").info().name, kind.delete().name);
            assert_eq!(id.link_call(&asset, LinkState::Linked).expect("a call").info().name, kind.link().name);
            assert_eq!(id.link_call(&asset, LinkState::Unlinked).expect("a call").info().name, kind.unlink().name);
            let unusable = ItemId::parse(kind, "..");
            assert_eq!(unusable.as_str(), "..", "it can be shown");
            let problem = unusable.read_call(None).expect_err("no call").to_string();
            assert!(problem.starts_with(&format!("the {} has no usable id: \"..\"", kind.one())), "{problem}");
        }
    }
}
