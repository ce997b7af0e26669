//! The Asset group (interface, 4.2) without its links.

use serde_json::{Value, json};

use lunette_client::model::asset::{Asset, AssetReclassification, SeededAccessor};
use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::model::value::SeededScoreIncrement;
use lunette_client::operation::table::{
    AssetFormats, AssetReclassify, AssetScoresIncrement, AssetSnapshot, AssetSnapshotPost,
    AssetSpecificAssetActivities, AssetSpecificAssetConversations, AssetSpecificAssetExport, AssetUpdate,
};
use lunette_client::operation::{Group, Operation as _, OperationInfo};

use super::applications::WRITES;
use super::links::NO_SCRATCH;
use super::scratch::{MARK, Scratch};
use super::{Checker, interface, shape};

/// The writes that need a scratch asset, without the links.
const ON_SCRATCH: [&OperationInfo; 3] = [AssetReclassify::INFO, AssetScoresIncrement::INFO, AssetUpdate::INFO];

impl Checker<'_> {
    pub(super) async fn assets(&mut self, scratch: &Scratch) {
        let Some(asset) = scratch.read.clone() else {
            let reason = "no asset to read: the service lists none, and none was given";
            let unasked: Vec<_> = interface().filter(|info| info.group == Group::Asset).collect();
            unasked.into_iter().for_each(|info| self.not_asked(info, reason));
            return;
        };
        self.reads(&asset).await;
        self.exports(&asset, scratch.made.is_some()).await;
        self.links(scratch).await;
        match &scratch.made {
            None => ON_SCRATCH.into_iter().for_each(|info| self.not_asked(info, NO_SCRATCH)),
            Some(asset) => {
                self.update(asset).await;
                self.reclassify(asset).await;
                self.increment(asset).await;
            }
        }
    }

    async fn reads(&mut self, asset: &AssetId) {
        let (samples, id) = (self.options.samples, Some(asset.as_str()));
        let snapshot = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
        let record = self.ask(snapshot, samples).await;
        self.expect(AssetSnapshot::INFO, "$.id", shape::other(record.as_ref(), "/id", id));
        let accessor = json!({ "os": uuid::Uuid::new_v4().to_string(), "share": uuid::Uuid::new_v4().to_string() });
        let accessor = SeededAccessor::from_tree(accessor).ok();
        let post = AssetSnapshotPost { asset: asset.clone(), transferables: Some(false), accessor };
        let record = self.ask(post, samples).await;
        self.expect(AssetSnapshotPost::INFO, "$.id", shape::other(record.as_ref(), "/id", id));
        let formats = AssetFormats { asset: asset.clone(), transferables: Some(false) };
        let formats = self.ask(formats, samples).await;
        let none = formats.filter(|formats| formats["iterable"].as_array().is_some_and(Vec::is_empty));
        let problem = none.map(|_| "expected at least one format, got none".to_owned());
        self.expect(AssetFormats::INFO, "$.iterable", problem);
        let activities = AssetSpecificAssetActivities { asset: asset.clone(), transferables: Some(false) };
        self.ask(activities, samples).await;
        let conversations = AssetSpecificAssetConversations { asset: asset.clone(), transferables: Some(false) };
        self.ask(conversations, samples).await;
        self.unknown_asset().await;
    }

    /// A missing asset must be rejected, not invented.
    async fn unknown_asset(&mut self) {
        let call = AssetSnapshot { asset: AssetId::random(), transferables: Some(false) };
        if self.cancel.cancelled() || self.stopped() {
            return;
        }
        let exchange = self.caller.exchange(&call.into()).await;
        self.count_time_outs(exchange.outcome.as_ref().err());
        let made_up = exchange.status.filter(|status| (200..300).contains(status));
        let problem = made_up.map(|status| format!("expected 410 for an unknown id, got {status}"));
        self.expect(AssetSnapshot::INFO, "status", problem);
    }

    /// Both documented kinds of export.
    async fn exports(&mut self, asset: &AssetId, scratch: bool) {
        for kind in [ExportType::Html, ExportType::Md] {
            let export = AssetSpecificAssetExport { asset: asset.clone(), export_type: kind.clone() };
            let Some(document) = self.ask(export, (self.options.samples / 2).max(1)).await else { continue };
            let text = document.pointer("/raw/string/raw").and_then(Value::as_str);
            let wrong = match text {
                None => Some(format!("expected the {} export as text, got none", kind.as_str())),
                Some(text) if scratch && !text.contains(MARK) => {
                    Some(format!("the {} export does not contain the text of the asset", kind.as_str()))
                }
                Some(_) => None,
            };
            self.expect(AssetSpecificAssetExport::INFO, "$.raw.string.raw", wrong);
        }
    }

    /// Renames the scratch asset with a body that was read without content: omitted fields must be kept.
    async fn update(&mut self, asset: &AssetId) {
        let Some(mut body) = self.read(asset, false).await else {
            return self.not_asked(AssetUpdate::INFO, "could not read the asset");
        };
        let name = "Lunette check, renamed";
        body["name"] = name.into();
        let Ok(body) = Asset::from_tree(body) else {
            return self.not_asked(AssetUpdate::INFO, "the asset is not a valid record to send back");
        };
        let call = AssetUpdate { transferables: Some(false), asset: Some(body) };
        let record = self.ask(call, WRITES).await;
        let info = AssetUpdate::INFO;
        self.expect(info, "$.name", shape::other(record.as_ref(), "/name", Some(name)));
        if record.is_none() {
            return;
        }
        let Some(after) = self.read(asset, true).await else { return };
        let kept = shape::other(Some(&after), "/name", Some(name));
        self.expect(info, "$.name", kept.map(|problem| format!("after the update: {problem}")));
        if !after.to_string().contains(MARK) {
            let problem = "an update without content removed the content of the asset".to_owned();
            self.expect(info, "$.original.reference.fragment", Some(problem));
        }
    }

    async fn reclassify(&mut self, asset: &AssetId) {
        let Some(body) = self.read(asset, false).await else {
            return self.not_asked(AssetReclassify::INFO, "could not read the asset");
        };
        let body = AssetReclassification::from_tree(json!({ "ext": "rs", "asset": body }));
        let call = AssetReclassify { transferables: Some(false), reclassification: body.ok() };
        let record = self.ask(call, WRITES).await;
        let pointer = "/original/reference/classification/specific";
        let wrong = shape::other(record.as_ref(), pointer, Some("rs"));
        self.expect(AssetReclassify::INFO, "$.original.reference.classification.specific", wrong);
    }

    async fn increment(&mut self, asset: &AssetId) {
        let reuse = |record: &Value| record.pointer("/score/reuse").and_then(Value::as_i64).unwrap_or_default();
        let before = self.read(asset, false).await.as_ref().map(reuse);
        let increment = SeededScoreIncrement::from_tree(json!({ "asset": { "reuse": true } })).ok();
        self.ask(AssetScoresIncrement { asset: asset.clone(), increment }, 1).await;
        if self.gathered.get(AssetScoresIncrement::INFO.name).is_none_or(|gathered| gathered.gave_up()) {
            return;
        }
        let after = self.read(asset, false).await.as_ref().map(reuse);
        let (Some(before), Some(after)) = (before, after) else { return };
        let problem = format!("expected {} after one increment of {before}, got {after}", before + 1);
        self.expect(AssetScoresIncrement::INFO, "$.score.reuse", (after != before + 1).then_some(problem));
    }

    /// Reads the asset, for its record.
    pub(super) async fn read(&mut self, asset: &AssetId, transferables: bool) -> Option<Value> {
        let call = AssetSnapshot { asset: asset.clone(), transferables: Some(transferables) };
        self.ask(call, 1).await
    }
}
