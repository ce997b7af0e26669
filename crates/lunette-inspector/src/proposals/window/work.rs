//! The work of the proposals: applying and undoing with the functions of the command line, away from the window.

use std::sync::{Arc, mpsc};

use tokio::runtime::Handle;

use super::Place as Kept;
use crate::Vendor;
use crate::context::Context;
use crate::db::DatabaseError;
use crate::proposals::{self, NotDecided, NotSent, NotTakenBack, Proposal, Selection, TakenBack, Target, take_back};
use crate::settings;
use crate::setup::EmbeddedService;
use crate::tasks::{Ended, blocking_and_waiting, log_panic, spawn_supervised};
use crate::write::headless::recovery;
use lunette_client::client::Client;

/// Why a proposal was not applied, declined, undone or read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum ProposalError {
    #[error("{0}; nothing was sent")]
    NotDecided(#[from] NotDecided),
    #[error(transparent)]
    NotTakenBack(#[from] NotTakenBack),
    #[error(transparent)]
    NotSent(#[from] NotSent),
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error(transparent)]
    Ended(#[from] Ended),
}

/// What the work needs of the window.
pub(super) struct Place {
    kept: Kept,
    client: Client,
    vendor: Vendor,
    /// The service inside, which is backed up before many assets are deleted; another one cannot be.
    embed: Option<Arc<dyn EmbeddedService>>,
    runtime: Handle,
}

impl Place {
    /// `None` without a connection.
    pub fn of(kept: Kept, cx: &Context<'_>) -> Option<Self> {
        let inside = cx.connection.target == settings::Target::Embedded;
        Some(Self {
            kept,
            client: cx.client().ok()?,
            vendor: cx.connection.vendor,
            embed: inside.then(|| Arc::clone(&cx.setup().embed)),
            runtime: cx.setup().runtime.clone(),
        })
    }

    /// Backs up the service inside, and waits for it.
    fn back_up(&self) -> Result<(), NotSent> {
        let Some(embed) = &self.embed else { return Ok(()) };
        let (sent, received) = mpsc::channel();
        let backed_up = embed.back_up();
        let back_up = async move {
            let ended = backed_up.await.map(drop).map_err(|error| NotSent::of(format!("no backup was made: {error}")));
            // Fails if nobody waits any more.
            sent.send(ended).ok();
        };
        spawn_supervised(&self.runtime, back_up, log_panic("backing up before an undo"));
        received.recv().unwrap_or_else(|_| Err(NotSent::of("no backup was made")))
    }

    async fn target<'a>(&'a self, back_up: &'a (dyn Fn() -> Result<(), NotSent> + Send + Sync)) -> Target<'a> {
        Target {
            client: self.client.clone(),
            vendor: self.vendor,
            recovery: recovery(&self.client, self.vendor).await,
            connection: &self.kept.connection,
            folder: &self.kept.folder,
            back_up,
        }
    }
}

/// Applies a proposal as it was shown.
pub(super) async fn apply(place: Place, shown: Arc<Proposal>, selection: Selection) -> Result<Proposal, ProposalError> {
    let applied = blocking_and_waiting(move || async move {
        let back_up = || place.back_up();
        let target = place.target(&back_up).await;
        proposals::apply(&target, &place.kept.store, &shown, &selection).await
    });
    Ok(applied.await??)
}

/// Reads again what became of the proposals that another program was sending when it ended. Nothing is sent while there
/// is none.
pub(super) async fn settle(place: Place) -> Result<Vec<Proposal>, ProposalError> {
    let settled = blocking_and_waiting(move || async move {
        let Kept { store, connection, folder } = &place.kept;
        if proposals::cut_off(folder, connection, store)?.is_empty() {
            return Ok(Vec::new());
        }
        let back_up = || place.back_up();
        let target = place.target(&back_up).await;
        proposals::settle(&target, store).await
    });
    Ok(settled.await??)
}

/// Undoes what an assistant changed by a proposal, or by all of them.
pub(super) async fn undo(place: Place, client: String, proposal: Option<u64>) -> Result<TakenBack, ProposalError> {
    let taken = blocking_and_waiting(move || async move {
        let back_up = || place.back_up();
        let target = place.target(&back_up).await;
        take_back(&target, (&client, proposal)).await
    });
    Ok(taken.await??)
}
