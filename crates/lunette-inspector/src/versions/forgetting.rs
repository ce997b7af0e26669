//! Forgetting the versions of an asset, or one of them, which cannot be undone.

use super::{Output, SourceError, VersionSource, Versions};
use crate::action::VersionsAction;
use crate::capability::Capability;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::notifications::Topic;
use crate::write::journaled::{self, WriteContext};
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::operation::Call;
use lunette_client::operation::table::{AssetVersionForget, AssetVersionsForget};

/// What of the past of an asset is forgotten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forgotten {
    /// The asset.
    pub asset: AssetId,
    /// One of its versions; None for all that can be.
    pub version: Option<VersionNumber>,
}

impl Forgotten {
    /// The question before it is forgotten.
    fn question(&self) -> String {
        match &self.version {
            None => "Forget the past of this asset?".to_owned(),
            Some(version) => format!("Forget version {version}?"),
        }
    }

    /// What becomes of it, where this program keeps it.
    fn consequences_here(&self) -> String {
        let what = match self.version {
            None => "All versions that this program keeps of it are deleted from its database",
            Some(_) => "What this program keeps of it is deleted from its database, except for its number and time",
        };
        format!(
            "{what}, in such a way that the bytes are gone. This cannot be undone. The service is not changed, and steps of \
             the history keep what undoing them needs."
        )
    }

    /// What becomes of it at a service.
    fn consequences(&self) -> String {
        let what = match self.version {
            None => "All versions except what the asset is now are deleted",
            Some(_) => "What the asset was in this version is deleted, except for its number and time",
        };
        format!(
            "{what}, and the database is written anew without those bytes. This cannot be undone. Backups keep what they \
             have, and steps of the history keep what undoing them needs."
        )
    }

    fn call(&self) -> Call {
        let asset = self.asset.clone();
        match self.version.clone() {
            None => AssetVersionsForget { asset }.into(),
            Some(version) => AssetVersionForget { asset, version }.into(),
        }
    }

    /// That it is forgotten, as a sentence.
    fn done(&self) -> String {
        match &self.version {
            None => "Forgot the earlier versions".to_owned(),
            Some(version) => format!("Forgot version {version}"),
        }
    }

    /// The step of the history.
    fn title(&self) -> String {
        match &self.version {
            None => "Forgot the past of an asset".to_owned(),
            Some(version) => format!("Forgot version {version} of an asset"),
        }
    }
}

impl Versions {
    /// Asks before something is forgotten.
    pub(super) fn ask_to_forget(&mut self, forgotten: Forgotten, cx: &mut Context<'_>) {
        let title = forgotten.question();
        if cx.version_source().is_local() {
            let text = forgotten.consequences_here();
            let asked = Confirmation::here(title, text, "Forget", |confirmed| {
                VersionsAction::ForgetLocal(forgotten, confirmed)
            });
            return cx.ask_first(Confirmation { deletes: true, ..asked });
        }
        if cx.blocks_write(Capability::ForgetVersions, "Could not forget") {
            return;
        }
        let (call, text) = (forgotten.call(), forgotten.consequences());
        let asked = Confirmation::call(title, "Forget", call, |call, confirmed| {
            VersionsAction::ForgetConfirmed(forgotten, call, confirmed)
        });
        cx.ask_first(Confirmation { deletes: true, text, ..asked });
    }

    pub(super) fn forget(&mut self, forgotten: Forgotten, call: Call, cx: &mut Context<'_>) {
        let title = forgotten.title();
        let forget = async move |context: WriteContext| {
            let exchange = journaled::call(&context, &call, title, |_| None).await?;
            exchange.outcome?;
            Ok(())
        };
        cx.run_write(forget, move |end| Output::Forgotten(forgotten, end));
    }

    /// Deletes what this program keeps.
    pub(super) fn forget_local(&mut self, forgotten: Forgotten, cx: &mut Context<'_>) {
        let (source, of): (VersionSource, _) = (cx.version_source(), forgotten.clone());
        let forget = async move {
            let Forgotten { asset, version } = of;
            match version {
                None => source.forget(asset).await,
                Some(version) => source.forget_one(asset, version).await,
            }
        };
        cx.run(forget, move |end: Result<(), SourceError>| Output::ForgottenHere(forgotten, end));
    }

    /// Says that something is forgotten, or why it is not, and reads the versions again.
    pub(super) fn forgotten(&mut self, forgotten: &Forgotten, why_not: Option<String>, cx: &mut Context<'_>) {
        let topic = Topic::Asset(forgotten.asset.clone());
        match why_not {
            None => cx.notify_done(topic, forgotten.done(), Vec::new()),
            Some(message) => cx.notify_failed(topic, message, Vec::new()),
        }
        if self.of_asset(&forgotten.asset).is_some() {
            self.load(forgotten.asset.clone(), cx);
        }
    }
}
