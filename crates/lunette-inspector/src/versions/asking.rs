//! Asking before a version or parts of one are restored, and recreating an asset that is gone.

use std::sync::Arc;

use super::restoring::{Restoring, read_restore};
use super::{Output, Restore, SourceError, Versions};
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
use lunette_client::operation::table::AssetsCreateNewAsset;
use lunette_client::operation::{Call, Operation as _};

/// Asks before these changes restore something of the asset with this name, with all that changes and what does not
/// come back; `what` says of what, such as `version 3`.
pub(crate) fn ask_to_restore(what: &str, name: &str, Restore { changes, left }: Restore, cx: &mut Context<'_>) {
    for change in &changes {
        if cx.blocks_write(change.capability(), "Could not restore") {
            return;
        }
    }
    let quoted = format!("“{name}”");
    let lines: String = changes.iter().map(|change| format!("• {}\n", change.title(&quoted))).collect();
    let left: String = left.iter().map(|left| format!("Not restored: {left}.\n")).collect();
    let text = format!("{lines}{left}\nWhat changes meanwhile is left as it is. Undo takes the whole step back.");
    let title = format!("Restored {what} of “{name}”");
    let named = changes.into_iter().map(|change| (change, name.to_owned())).collect();
    let batch = Batch { title, changes: Arc::new(named), in_flight: 1, answers: EntryRelation::None };
    cx.ask_first(Confirmation::restore(format!("Restore {what}?"), text, batch));
}

impl Versions {
    /// Reads a version and what the asset is now, and plans what makes it that again.
    pub(super) fn read_to_restore(&mut self, asset: AssetId, version: VersionNumber, cx: &mut Context<'_>) {
        let (client, vendor, source) = (cx.client(), cx.connection.vendor, cx.version_source());
        let (of, number) = (asset.clone(), version.clone());
        let read = async move { read_restore((&client?, vendor), &source, asset, version).await };
        cx.read(ResourceKey::VersionToRestore, read, move |read| Output::RestoreRead(of, number, read));
    }

    /// Asks before a version is restored, or says why there is nothing to ask.
    pub(super) fn restore_read(
        &mut self,
        asset: &AssetId,
        version: &VersionNumber,
        read: Result<Restoring, SourceError>,
        cx: &mut Context<'_>,
    ) {
        let topic = || Topic::Asset(asset.clone());
        let (restore, name) = match read {
            Ok(Restoring::Changes(restore, name)) => (restore, name),
            Ok(Restoring::New(new)) => return ask_to_recreate(asset, version, *new, cx),
            Err(error) => {
                let message = format!("Version {version} was not restored: {error}");
                return cx.notify_failed(topic(), message, Vec::new());
            }
        };
        if restore.changes.is_empty() {
            let left: String = restore.left.iter().map(|left| format!("; not restored: {left}")).collect();
            return cx.notify_done(topic(), format!("The asset is like version {version} already{left}"), Vec::new());
        }
        ask_to_restore(&format!("version {version}"), &name, restore, cx);
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
