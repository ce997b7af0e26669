//! Choosing parts of a version of an asset that are restored.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::parts::Parts;
use super::{Compare, Output};
use crate::Remote;
use crate::context::Context;
use crate::request_versions::ResourceKey;
use crate::tasks::blocking;
use crate::versions::{self, Restore, Restoring, SourceError};
use lunette_client::model::id::{AssetId, VersionNumber};

/// The parts of a version of which some are chosen.
#[derive(Debug)]
pub struct Choice {
    /// The asset.
    pub asset: AssetId,
    /// The version.
    pub version: VersionNumber,
    /// The parts in which the asset differs from it.
    pub parts: Remote<Arc<Parts>, SourceError>,
}

impl Compare {
    /// Reads the parts of a version, and shows them.
    pub(super) fn choose_parts(&mut self, asset: AssetId, version: VersionNumber, cx: &mut Context<'_>) {
        let known = self.choice.take().filter(|choice| choice.asset == asset && choice.version == version);
        let mut parts = known.map(|choice| choice.parts).unwrap_or_default();
        parts.start_loading();
        self.choice = Some(Choice { asset: asset.clone(), version: version.clone(), parts });
        let (client, vendor, source) = (cx.client(), cx.connection.vendor, cx.version_source());
        let read = async move {
            match versions::read_restore((&client?, vendor), &source, asset, version).await? {
                Restoring::Changes(restore, name) => Ok(blocking(move || Arc::new(Parts::of(restore, name))).await?),
                Restoring::New(_) => Err(SourceError::Gone),
            }
        };
        cx.read(ResourceKey::RestoreParts, read, Output::PartsRead);
    }

    pub(super) fn parts_read(&mut self, read: Result<Arc<Parts>, SourceError>) {
        if let Some(choice) = &mut self.choice {
            // What is the same as before is shown as before, with the same parts chosen.
            let known = choice.parts.value().cloned();
            choice.parts.resolve(read.map(|new| known.filter(|known| **known == *new).unwrap_or(new)));
        }
    }

    /// Asks before parts of the shown version are restored, by their indices.
    pub(super) fn restore_parts(&mut self, chosen: &BTreeSet<usize>, cx: &mut Context<'_>) {
        let Some(Choice { version, parts, .. }) = &self.choice else { return };
        let Some(parts) = parts.value() else { return };
        let changes = parts.changes(chosen);
        if changes.is_empty() {
            return;
        }
        let what = match chosen.len() {
            1 => format!("1 part of version {version}"),
            count => format!("{count} parts of version {version}"),
        };
        versions::ask_to_restore(&what, &parts.name, Restore { changes, left: Vec::new() }, cx);
    }
}
