//! Operations in this process, without HTTP, to benchmark the store and its records.

use lunette_client::model::asset::Asset;
use lunette_client::model::linked::Tag;
use lunette_client::model::record::Record as _;
use lunette_client::model::search_result::RelatedAssets;
use lunette_client::operation::table::{
    AssetAssociateTag, AssetDisassociateTag, AssetSnapshot, AssetsCreateBatch, AssetsCreateNewAsset, AssetsSnapshot,
    AssetsSpecificAssetRelatedSnapshot, SearchAssets, TagsCreateNewTag,
};

use crate::resources::{assets, extensions, links, search};
use crate::{RequestContext, Service, ServiceError};

impl Service {
    /// Creates an asset, durably.
    pub fn create_asset(&self, op: AssetsCreateNewAsset) -> Result<Asset, ServiceError> {
        let text =
            extensions::create(self, &RequestContext::default(), op)?.into_bytes().map_err(ServiceError::internal)?;
        Ok(Asset::from_tree(serde_json::from_slice(&text).map_err(ServiceError::internal)?)?)
    }

    /// Creates many assets, durably; returns the text of their outcomes.
    pub fn create_assets(&self, op: AssetsCreateBatch) -> Result<Vec<u8>, ServiceError> {
        let outcomes = extensions::create_batch(self, &RequestContext::default(), op)?;
        outcomes.into_bytes().map_err(ServiceError::internal)
    }

    /// Creates a tag, durably.
    pub fn create_tag(&self, op: TagsCreateNewTag) -> Result<Tag, ServiceError> {
        let text = extensions::create_tag(self, &RequestContext::default(), op)?.into_bytes();
        let text = text.map_err(ServiceError::internal)?;
        Ok(Tag::from_tree(serde_json::from_slice(&text).map_err(ServiceError::internal)?)?)
    }

    /// Reads an asset as the text of its record.
    pub fn snapshot(&self, op: AssetSnapshot) -> Result<Vec<u8>, ServiceError> {
        assets::snapshot(self, &RequestContext::default(), op)?.into_bytes().map_err(ServiceError::internal)
    }

    /// Lists assets as the text of their collection.
    pub fn list(&self, op: AssetsSnapshot) -> Result<Vec<u8>, ServiceError> {
        extensions::assets(self, &RequestContext::default(), op)?.into_bytes().map_err(ServiceError::internal)
    }

    /// Finds assets, as the text of the answer.
    pub fn search(&self, op: SearchAssets) -> Result<Vec<u8>, ServiceError> {
        search::assets(self, &RequestContext::default(), op)?.into_bytes().map_err(ServiceError::internal)
    }

    /// Lists the assets that are related to one.
    pub fn related(&self, op: AssetsSpecificAssetRelatedSnapshot) -> Result<RelatedAssets, ServiceError> {
        search::related(self, &RequestContext::default(), op)
    }

    /// Links a tag, durably.
    pub fn associate_tag(&self, op: AssetAssociateTag) -> Result<(), ServiceError> {
        links::associate_tag(self, op)?.wait(self)
    }

    /// Unlinks a tag, durably.
    pub fn disassociate_tag(&self, op: AssetDisassociateTag) -> Result<(), ServiceError> {
        links::disassociate_tag(self, op)?.wait(self)
    }
}
