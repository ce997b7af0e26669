//! The versions of the shown assets, and what is done with them.

use std::sync::Arc;

use super::content::{Copied, PastSearch};
use super::restoring::{Restoring, read_restore};
use super::then::Then;
use super::{Output, Restore, SourceError, VersionSource};
use crate::Remote;
use crate::action::VersionsAction;
use crate::bulk::Batch;
use crate::capability::Capability;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::event::AssetEvent;
use crate::import::engine::NewAsset;
use crate::import::undoable_change;
use crate::journal::EntryRelation;
use crate::notifications::Topic;
use crate::request_versions::ResourceKey;
use crate::write::journaled::{self, Failed, WriteContext};
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::Record as _;
use lunette_client::model::version::{AssetVersions, Checkpoints};
use lunette_client::operation::table::{AssetVersionsForget, AssetsCreateNewAsset};
use lunette_client::operation::{Call, Operation as _};

/// How many lists are kept: those of two pages, and of an asset that is to be compared.
const LISTS: usize = 3;

/// The versions that are shown.
#[derive(Debug, Default)]
pub struct Versions {
    /// The versions of some assets, each list from the newest on; the one that was asked for last at the end.
    lists: Vec<(AssetId, Remote<Arc<AssetVersions>, SourceError>)>,
    /// Whether this program keeps them, since the service is one of others.
    pub is_local: bool,
    /// In which of them a text is, if one was searched for.
    pub search: Option<PastSearch>,
    /// The text of a version that was asked for to be copied.
    pub copied: Option<Copied>,
    /// The list of assets as it was, if it is shown.
    pub then: Then,
    /// The checkpoints, newest first.
    pub checkpoints: Remote<Arc<Checkpoints>, SourceError>,
}

impl Versions {
    /// The versions of an asset, as far as they are loaded.
    pub fn of_asset(&self, asset: &AssetId) -> Option<&Remote<Arc<AssetVersions>, SourceError>> {
        self.lists.iter().find(|(of, _)| of == asset).map(|(_, list)| list)
    }

    pub(super) fn load(&mut self, asset: AssetId, cx: &mut Context<'_>) {
        let known = self.lists.iter().position(|(of, _)| *of == asset).map(|index| self.lists.remove(index).1);
        let mut list = known.unwrap_or_default();
        list.start_loading();
        self.lists.push((asset.clone(), list));
        let surplus = self.lists.len().saturating_sub(LISTS);
        self.lists.drain(..surplus);
        let source: VersionSource = cx.version_source();
        self.is_local = source.is_local();
        let (of, key) = (asset.clone(), ResourceKey::Versions(asset.clone()));
        let list = async move { source.list(asset).await.map(Arc::new) };
        cx.read(key, list, move |versions| Output::Listed(of, versions));
    }

    pub(super) fn listed(&mut self, asset: &AssetId, versions: Result<Arc<AssetVersions>, SourceError>) {
        if let Some((_, list)) = self.lists.iter_mut().find(|(of, _)| of == asset) {
            list.resolve(versions);
        }
    }

    /// Reads a version and what the asset is now, and plans what makes it that again.
    pub(super) fn read_to_restore(&mut self, asset: AssetId, version: VersionNumber, cx: &mut Context<'_>) {
        let (client, vendor, source) = (cx.client(), cx.connection.vendor, cx.version_source());
        let (of, number) = (asset.clone(), version.clone());
        let read = async move { read_restore((&client?, vendor), &source, asset, version).await };
        cx.read(ResourceKey::VersionToRestore, read, move |read| Output::RestoreRead(of, number, read));
    }

    /// Asks before a version is restored, with all that changes and what does not come back.
    pub(super) fn ask_to_restore(
        &mut self,
        asset: &AssetId,
        version: &VersionNumber,
        read: Result<Restoring, SourceError>,
        cx: &mut Context<'_>,
    ) {
        let topic = || Topic::Asset(asset.clone());
        let (Restore { changes, left }, name) = match read {
            Ok(Restoring::Changes(restore, name)) => (restore, name),
            Ok(Restoring::New(new)) => return ask_to_recreate(asset, version, *new, cx),
            Err(error) => {
                let message = format!("Version {version} was not restored: {error}");
                return cx.notify_failed(topic(), message, Vec::new());
            }
        };
        if changes.is_empty() {
            let left: String = left.iter().map(|left| format!("; not restored: {left}")).collect();
            return cx.notify_done(topic(), format!("The asset is like version {version} already{left}"), Vec::new());
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
        let title = "Forget the past of this asset?".to_owned();
        if cx.version_source().is_local() {
            let text = "All that this program keeps of its past is deleted from its database, in such a way that the bytes \
                        are gone. This cannot be undone. The service is not changed.";
            let asked = Confirmation::here(title, text.to_owned(), "Forget", |confirmed| {
                VersionsAction::ForgetLocal(asset, confirmed)
            });
            return cx.ask_first(Confirmation { deletes: true, ..asked });
        }
        if cx.blocks_write(Capability::ForgetVersions, "Could not forget") {
            return;
        }
        let call: Call = AssetVersionsForget { asset: asset.clone() }.into();
        let mut asked = Confirmation::call(title, "Forget", call, |call, confirmed| {
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

    /// Deletes what this program keeps of the past of an asset.
    pub(super) fn forget_local(&mut self, asset: AssetId, cx: &mut Context<'_>) {
        let (source, of): (VersionSource, _) = (cx.version_source(), asset.clone());
        let forget = async move { source.forget(asset).await };
        cx.run(forget, move |end| Output::ForgottenHere(of, end));
    }

    /// Says that the versions of an asset are forgotten, or why they are not, and reads them again.
    pub(super) fn forgotten(&mut self, asset: AssetId, why_not: Option<String>, cx: &mut Context<'_>) {
        let topic = Topic::Asset(asset.clone());
        match why_not {
            None => cx.notify_done(topic, "Forgot the earlier versions".to_owned(), Vec::new()),
            Some(message) => cx.notify_failed(topic, message, Vec::new()),
        }
        if self.of_asset(&asset).is_some() {
            self.load(asset, cx);
        }
    }
}

impl Versions {
    /// Creates an asset like a version of one that is gone.
    pub(super) fn recreate(&mut self, name: String, call: Call, cx: &mut Context<'_>) {
        let title = format!("Restored “{name}” from its history");
        let create = async move |context: WriteContext| {
            let exchange = journaled::call(&context, &call, title, undoable_change).await?;
            let created = AssetsCreateNewAsset::output(exchange.outcome?);
            Ok(created.and_then(|asset| asset.view().id().parse().ok()))
        };
        cx.run_write(create, move |end| Output::Recreated(name, end));
    }

    pub(super) fn recreated(&mut self, name: &str, end: Result<Option<AssetId>, Failed>, cx: &mut Context<'_>) {
        match end {
            Ok(asset) => {
                cx.show_success(format!("Restored “{name}” as a new asset"));
                self.load_then(cx);
                if let Some(asset) = asset {
                    cx.emit(AssetEvent::Created(asset));
                }
            }
            Err(failed) => {
                let words = ("The asset was not restored", "It is unknown whether the asset was restored");
                cx.notify_failed(Topic::Create, failed.message(words.0, words.1), Vec::new());
            }
        }
    }
}

/// Asks before a version of an asset that is gone is restored as a new asset.
fn ask_to_recreate(asset: &AssetId, version: &VersionNumber, new: NewAsset, cx: &mut Context<'_>) {
    if cx.blocks_write(Capability::CreateAsset, "Could not restore") {
        return;
    }
    let name = new.name.clone().unwrap_or_else(|| asset.to_string());
    let seed = match new.seed(cx.connection.vendor) {
        Ok(seed) => seed,
        Err(error) => {
            let message = format!("Version {version} was not restored: {error}");
            return cx.notify_failed(Topic::Asset(asset.clone()), message, Vec::new());
        }
    };
    let call = AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(seed) };
    let title = format!("Restore version {version} of “{name}” as a new asset?");
    let mut asked = Confirmation::call(title, "Restore", call.into(), |call, confirmed| {
        VersionsAction::RecreateConfirmed(name.clone(), call, confirmed)
    });
    asked.text =
        "The asset was deleted, so it comes back as a new one with another id, with its content, name, language, \
                  description and tags. Undo deletes it again."
            .to_owned();
    cx.ask_first(asked);
}
