//! Deletes the records that the check created.
//!
//! What must hold: each record is deleted by one call, which is never repeated; remaining ones are reported. After a
//! deletion timed out nothing more is sent, and all others are reported.

use lunette_client::client::Client;
use std::collections::BTreeSet;

use crate::CallError;
use lunette_client::model::id::{ActivityId, ApplicationId, AssetId};
use lunette_client::model::record::Record as _;
use lunette_client::operation::Call;
use lunette_client::operation::table::{
    ActivitiesDeleteSpecificActivity, ActivitiesSpecificActivitySnapshot, ActivityIdentifiersSnapshot,
    ApplicationsDeleteSpecificApplication, AssetSpecificAssetActivities, AssetsDeleteAsset, AssetsTrashDelete,
    TagsDeleteSpecificTag, WebsitesDeleteSpecificWebsite, WorkstreamSummariesDeleteSpecificWorkstreamSummary,
};

use super::Checker;
use super::scratch::Scratch;

/// How many of the newest activities are searched for the one of a deletion.
const NEWEST: usize = 16;

/// The records that could not be deleted, and whether the service still responds.
#[derive(Default)]
struct MaybeSent {
    named: Vec<String>,
    silent: bool,
}

impl MaybeSent {
    /// Deletes a record, unless the service is unresponsive; reports it if it remains.
    async fn delete(&mut self, caller: &Client, call: Call, what: String) {
        let answer = match self.silent {
            true => None,
            false => Some(caller.exchange(&call).await.outcome),
        };
        match answer {
            Some(Ok(_)) => {}
            Some(Err(error)) => {
                self.silent = matches!(error, CallError::TimedOut { .. } | CallError::Refused { .. });
                self.named.push(what);
            }
            None => self.named.push(what),
        }
    }
}

impl Checker<'_> {
    /// Deletes the created records; reports those that remain.
    pub(super) async fn clear_away(&mut self, scratch: Scratch) -> Vec<String> {
        let Scratch { made, tag, website, summary, application, read: _ } = scratch;
        let mut left = MaybeSent { silent: self.stopped(), ..MaybeSent::default() };
        if let Some(asset) = made {
            self.clear_asset(asset, &mut left).await;
        }
        if let Some(tag) = tag {
            let what = format!("the tag {tag}");
            left.delete(self.caller, TagsDeleteSpecificTag { tag }.into(), what).await;
        }
        if let Some(website) = website {
            let what = format!("the website {website}");
            left.delete(self.caller, WebsitesDeleteSpecificWebsite { website }.into(), what).await;
        }
        if let Some(workstream_summary) = summary {
            let what = format!("the workstream summary {workstream_summary}");
            let call = WorkstreamSummariesDeleteSpecificWorkstreamSummary { workstream_summary };
            left.delete(self.caller, call.into(), what).await;
        }
        if let Some(application) = application {
            self.clear_application(application, &mut left).await;
        }
        left.named
    }

    /// Deletes the asset permanently, and its activities.
    async fn clear_asset(&self, asset: AssetId, left: &mut MaybeSent) {
        let remembered = if left.silent { BTreeSet::new() } else { self.activities_of(&asset).await };
        left.delete(self.caller, AssetsDeleteAsset { asset: asset.clone() }.into(), format!("the asset {asset}")).await;
        self.empty_trash_of(&asset, left).await;
        if left.silent {
            return;
        }
        let mut staying = 0;
        for activity in self.newest_of(&asset, remembered).await {
            let deleted = self.caller.call(ActivitiesDeleteSpecificActivity { activity: activity.clone() }).await;
            // An activity that was deleted with its asset cannot be deleted again.
            let look = ActivitiesSpecificActivitySnapshot { activity, transferables: Some(false) };
            staying += usize::from(deleted.is_err() && self.caller.call(look).await.is_ok());
        }
        left.named.extend((staying > 0).then(|| format!("{staying} activities of the asset {asset}")));
    }

    /// Deletes the asset from the Trash, if the service has one and moved it there.
    async fn empty_trash_of(&self, asset: &AssetId, left: &mut MaybeSent) {
        if left.silent {
            return;
        }
        match self.caller.call(AssetsTrashDelete { asset: asset.clone() }).await {
            Ok(()) => {}
            // There is no Trash, or the asset is not in it.
            Err(error) if error.missing() || matches!(error, CallError::Status { status: 410, .. }) => {}
            Err(_) => left.named.push(format!("the asset {asset}, in the Trash")),
        }
    }

    async fn activities_of(&self, asset: &AssetId) -> BTreeSet<ActivityId> {
        let call = AssetSpecificAssetActivities { asset: asset.clone(), transferables: Some(false) };
        let Ok(activities) = self.caller.call(call).await else { return BTreeSet::new() };
        activities.view().iterable().iter().filter_map(|activity| activity.id().parse().ok()).collect()
    }

    /// Adds the activity of the deletion itself, which is among the newest.
    async fn newest_of(&self, asset: &AssetId, mut known: BTreeSet<ActivityId>) -> BTreeSet<ActivityId> {
        let newest = ActivityIdentifiersSnapshot { pseudo: Some(true), activity_filter_enum: None };
        let Ok(newest) = self.caller.call(newest).await else { return known };
        let view = newest.view();
        let ids = view.iterable().iter().take(NEWEST).filter_map(|activity| activity.id().parse().ok());
        for activity in ids.collect::<Vec<ActivityId>>() {
            if known.contains(&activity) {
                continue;
            }
            let call = ActivitiesSpecificActivitySnapshot { activity: activity.clone(), transferables: Some(false) };
            let Ok(record) = self.caller.call(call).await else { continue };
            // The activity of a deleted asset names it only in its event.
            let named = ["/asset/id", "/event/asset/asset/id"].map(|pointer| record.tree().pointer(pointer));
            if named.into_iter().flatten().any(|id| id.as_str() == Some(asset.as_str())) {
                known.insert(activity);
            }
        }
        known
    }

    /// Deletes the application with its session and events, if the service can; otherwise they remain.
    async fn clear_application(&self, application: ApplicationId, left: &mut MaybeSent) {
        let what = format!("the application “Lunette check” ({application}), with its sessions and events");
        // A service that does not know the parameter keeps the counted usage.
        let call = ApplicationsDeleteSpecificApplication { application, usage: Some(true) };
        left.delete(self.caller, call.into(), what).await;
    }
}
