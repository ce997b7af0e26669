//! The versions of the shown assets, and what is done with them.

use std::sync::Arc;

use super::{Output, Restore, restore};
use crate::action::VersionsAction;
use crate::assets::content;
use crate::assets::page::Content;
use crate::bulk::Batch;
use crate::capability::Capability;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::journal::EntryRelation;
use crate::notifications::Topic;
use crate::request_versions::ResourceKey;
use crate::write::journaled::{self, Failed, WriteContext};
use crate::{CallError, Remote, Transport, Vendor};
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::Record as _;
use lunette_client::model::version::AssetVersions;
use lunette_client::operation::Call;
use lunette_client::operation::table::{AssetSnapshot, AssetVersionsForget, AssetVersionsSnapshot};

/// How many lists are kept: those of two pages, and of an asset that is to be compared.
const LISTS: usize = 3;

/// The versions that are shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Versions {
    /// The versions of some assets, each list from the newest on; the one that was asked for last at the end.
    lists: Vec<(AssetId, Remote<Arc<AssetVersions>>)>,
}

impl Versions {
    /// The versions of an asset, as far as they are loaded.
    pub fn of_asset(&self, asset: &AssetId) -> Option<&Remote<Arc<AssetVersions>>> {
        self.lists.iter().find(|(of, _)| of == asset).map(|(_, list)| list)
    }

    pub(super) fn load(&mut self, asset: AssetId, cx: &mut Context<'_>) {
        let known = self.lists.iter().position(|(of, _)| *of == asset).map(|index| self.lists.remove(index).1);
        let mut list = known.unwrap_or_default();
        list.start_loading();
        self.lists.push((asset.clone(), list));
        let surplus = self.lists.len().saturating_sub(LISTS);
        self.lists.drain(..surplus);
        let call = AssetVersionsSnapshot { asset: asset.clone() };
        let key = ResourceKey::Versions(asset.clone());
        cx.ask(key, call, Arc::new, move |versions| Output::Listed(asset, versions));
    }

    pub(super) fn listed(&mut self, asset: &AssetId, versions: Result<Arc<AssetVersions>, CallError>) {
        if let Some((_, list)) = self.lists.iter_mut().find(|(of, _)| of == asset) {
            list.resolve(versions);
        }
    }

    /// Reads a version and what the asset is now, and plans what makes it that again.
    pub(super) fn read_to_restore(&mut self, asset: AssetId, version: VersionNumber, cx: &mut Context<'_>) {
        let (client, vendor) = (cx.client(), cx.connection.vendor);
        let (of, number) = (asset.clone(), version.clone());
        let read = async move { read_restore(&client?, asset, version, vendor).await };
        cx.read(ResourceKey::VersionToRestore, read, move |read| Output::RestoreRead(of, number, read));
    }

    /// Asks before a version is restored, with all that changes and what does not come back.
    pub(super) fn ask_to_restore(
        &mut self,
        asset: &AssetId,
        version: &VersionNumber,
        read: Result<(Restore, String), CallError>,
        cx: &mut Context<'_>,
    ) {
        let topic = || Topic::Asset(asset.clone());
        let (Restore { changes, left }, name) = match read {
            Ok(read) => read,
            Err(error) => {
                let message = format!("Version {version} was not restored: {error}");
                return cx.notify_failed(topic(), message, Vec::new());
            }
        };
        if changes.is_empty() {
            return cx.notify_done(topic(), format!("The asset is like version {version} already"), Vec::new());
        }
        for change in &changes {
            if cx.blocks_write(change.capability(), "Could not restore") {
                return;
            }
        }
        let lines: String = changes.iter().map(|change| format!("• {}\n", change.title(&name))).collect();
        let left: String = left.iter().map(|left| format!("Not restored: {left}.\n")).collect();
        let text = format!("{lines}{left}What changes meanwhile is left as it is. Undo takes the whole step back.");
        let title = format!("Restored version {version} of “{name}”");
        let named = changes.into_iter().map(|change| (change, name.clone())).collect();
        let batch = Batch { title, changes: Arc::new(named), in_flight: 1, answers: EntryRelation::None };
        cx.ask_first(Confirmation::batch(format!("Restore version {version}?"), text, "Restore", batch));
    }

    /// Asks before the versions of an asset are forgotten, which cannot be undone.
    pub(super) fn ask_to_forget(&mut self, asset: AssetId, cx: &mut Context<'_>) {
        if cx.blocks_write(Capability::ForgetVersions, "Could not forget") {
            return;
        }
        let call: Call = AssetVersionsForget { asset: asset.clone() }.into();
        let mut asked =
            Confirmation::call("Forget the past of this asset?".to_owned(), "Forget", call, |call, confirmed| {
                VersionsAction::ForgetConfirmed(asset, call, confirmed)
            });
        asked.deletes = true;
        asked.text =
            "All versions but what the asset is now are deleted, and the database is written anew without their \
                      bytes. This cannot be undone. Backups keep what they have."
                .to_owned();
        cx.ask_first(asked);
    }

    pub(super) fn forget(&mut self, asset: AssetId, call: Call, cx: &mut Context<'_>) {
        let forget = async move |context: WriteContext| {
            let exchange = journaled::call(&context, &call, "Forgot the past of an asset".to_owned(), |_| None).await?;
            exchange.outcome?;
            Ok(())
        };
        cx.run_write(forget, move |end| Output::Forgotten(asset, end));
    }

    pub(super) fn forgotten(&mut self, asset: AssetId, end: Result<(), Failed>, cx: &mut Context<'_>) {
        let topic = Topic::Asset(asset.clone());
        match end {
            Ok(()) => cx.notify_done(topic, "Forgot the earlier versions".to_owned(), Vec::new()),
            Err(failed) => {
                let message = failed
                    .message("The versions were not forgotten", "It is unknown whether the versions were forgotten");
                cx.notify_failed(topic, message, Vec::new());
            }
        }
        if self.of_asset(&asset).is_some() {
            self.load(asset, cx);
        }
    }
}

/// Reads a version and what the asset is now; returns what restores it, and the name of the asset.
async fn read_restore(
    caller: &impl Transport,
    asset: AssetId,
    version: VersionNumber,
    vendor: Vendor,
) -> Result<(Restore, String), CallError> {
    let then = super::version(caller, asset.clone(), version.clone()).await?;
    let then_text = match then.view().specific() {
        Some(_) => super::content(caller, asset.clone(), version).await?.view().text().map(str::to_owned),
        None => None,
    };
    let now = caller.call(AssetSnapshot { asset: asset.clone(), transferables: Some(false) }).await?;
    let content = content::whole(caller, asset, vendor).await?;
    let now_text = match &content {
        Content::Text(text) => Some(text.as_ref()),
        Content::Bytes(_) | Content::Large(_) | Content::Part(..) | Content::None => None,
    };
    let name = now.view().name().unwrap_or_default().to_owned();
    Ok((restore(now.view(), now_text, then.view(), then_text.as_deref()), name))
}
