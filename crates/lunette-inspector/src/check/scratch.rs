//! The records that the check creates to write to.

use serde_json::{Value, json};

use crate::listing::rows::CHECK;
use lunette_client::model::asset::FlattenedAssets;
use lunette_client::model::id::{ApplicationId, AssetId, TagId, WebsiteId, WorkstreamSummaryId};
use lunette_client::model::linked::{SeededTag, SeededWebsite, SeededWorkstreamSummary};
use lunette_client::model::record::Record;
use lunette_client::model::seed::Seed;
use lunette_client::operation::table::{
    AssetsCreateNewAsset, AssetsIdentifiersSnapshot, AssetsSnapshot, GetWellKnownVersion, TagsCreateNewTag,
    WebsitesCreateNewWebsite, WorkstreamSummariesCreateNewWorkstreamSummary,
};

use super::Checker;

/// The id of the application that the check registers. Our choice: always the same, so that a service which cannot
/// delete applications tracks one of them, however often it is checked; and another than that of Lunette itself.
pub(super) const SCRATCH: &str = CHECK.0;

/// A text in the scratch asset, and in every export of it.
pub(super) const MARK: &str = "a test asset of lunette check";

/// The inputs of the asset operations.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The created asset; writes go only to it.
    pub made: Option<AssetId>,
    /// The asset that is read: the created one, or an existing one.
    pub read: Option<AssetId>,
    pub tag: Option<TagId>,
    pub website: Option<WebsiteId>,
    pub summary: Option<WorkstreamSummaryId>,
    /// The registered application; usage is recorded only for it.
    pub application: Option<ApplicationId>,
}

impl Checker<'_> {
    /// Creates the records to write to if the service can; otherwise finds an asset to read.
    pub(super) async fn make_scratch(&mut self, scratch: &mut Scratch) {
        if !self.options.read_only && !self.cancel.cancelled() {
            let seed = Seed::from_tree(seed()).ok();
            let made = self.send(AssetsCreateNewAsset { transferables: Some(false), once: None, seed }).await;
            scratch.made = made.and_then(|asset| asset.view().id().parse().ok());
        }
        scratch.read = match (&scratch.made, &self.options.asset) {
            (Some(made), _) => Some(made.clone()),
            (None, Some(asset)) => Some(asset.clone()),
            (None, None) => self.any_asset().await,
        };
        if scratch.made.is_some() {
            self.make_items(scratch).await;
        }
    }

    async fn make_items(&mut self, scratch: &mut Scratch) {
        let unique = uuid::Uuid::new_v4();
        let tag = SeededTag::from_tree(json!({ "text": format!("lunette check {unique}") })).ok();
        let tag = self.send(TagsCreateNewTag { transferables: None, tag }).await;
        scratch.tag = tag.and_then(|tag| tag.view().id().parse().ok());
        let url = format!("https://check.invalid/{unique}");
        let website = SeededWebsite::from_tree(json!({ "url": url, "name": "Lunette check" })).ok();
        let website = self.send(WebsitesCreateNewWebsite { transferables: None, website }).await;
        scratch.website = website.and_then(|website| website.view().id().parse().ok());
        let summary = SeededWorkstreamSummary::from_tree(summary()).ok();
        let call = WorkstreamSummariesCreateNewWorkstreamSummary { transferables: None, summary };
        let summary = self.send(call).await;
        scratch.summary = summary.and_then(|summary| summary.view().id().parse().ok());
    }

    /// The first asset that the service lists.
    async fn any_asset(&mut self) -> Option<AssetId> {
        let listed: Option<FlattenedAssets> = self.send(AssetsIdentifiersSnapshot { pseudo: None }).await;
        if let Some(listed) = listed {
            return listed.view().iterable()?.first()?.id().parse().ok();
        }
        let page = AssetsSnapshot {
            transferables: Some(false),
            suggested: None,
            pseudo: None,
            offset: Some(0),
            limit: Some(1),
        };
        self.send(page).await?.view().iterable().first()?.id().parse().ok()
    }

    /// The service's version, if it reports one.
    pub(super) async fn version(&self) -> Option<String> {
        if self.stopped() {
            return None;
        }
        let version = self.caller.call(GetWellKnownVersion {}).await.ok()?;
        Some(version.trim().chars().take(60).collect())
    }
}

fn seed() -> Value {
    json!({
        "type": "SEEDED_ASSET",
        "asset": {
            "application": {
                "id": SCRATCH, "name": "OPEN_SOURCE",
                "version": env!("CARGO_PKG_VERSION"), "platform": "UNKNOWN", "onboarded": true, "privacy": "CLOSED",
            },
            "format": { "fragment": { "string": { "raw": format!("# {MARK}\n") }, "metadata": { "ext": "txt" } } },
            "metadata": { "name": "Lunette check" },
        },
    })
}

fn summary() -> Value {
    json!({
        "name": "Lunette check",
        "model": {
            "id": "6c756e65-7474-4e00-8000-000000000003", "version": "1", "name": "none", "cloud": false,
            "created": { "value": "2026-01-01T00:00:00Z" }, "type": "BALANCED", "usage": "CODE_TITLE",
        },
    })
}
