//! Single writes without a window: planned, recorded in the journal, and sent in the same way as in the window.
//!
//! What must hold: everything that `write::journaled` promises; the window shows these writes and can undo them.

use std::path::Path;

use crate::CallError;
use crate::Vendor;
use crate::change::{Change, Recovery};
use crate::journal::{AskedBy, Entry, EntryKind, EntryRelation, Journal, JournalError, lower};
use crate::session::reporter::Reporter;
use crate::write::created::known;
use crate::write::journaled::{
    self, MaybeSent, NotRecorded, Reading, Reviewed, Step, WriteContext, WriteResult, read_again,
};
use crate::write::plan::{PlanError, Preflight, Reconciled, conflict_message, prepare};
use crate::write::recovery::{Copies, DeletedAssets};
use lunette_client::client::{Client, Exchange};
use lunette_client::operation::Call;
use lunette_client::operation::table::AssetsTrashSnapshot;

/// The service that is written to.
#[derive(Clone)]
pub struct HeadlessService {
    /// Its client.
    pub client: Client,
    /// Whether it is one of ours.
    pub vendor: Vendor,
    /// How it restores deleted assets.
    pub recovery: Recovery,
}

/// Writes to a service, and records it in the journal.
pub struct HeadlessWriter {
    pub(crate) context: WriteContext,
    /// The entries of the journal, oldest first.
    pub entries: Vec<Entry>,
    /// A message if the journal was damaged.
    pub message: Option<String>,
}

/// How a write ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// It was applied; the applied change, and a message if it differs from the request.
    Done(Box<Change>, Option<String>),
    /// Nothing was sent because there was nothing to change; how the asset is.
    Unchanged(String),
    /// It failed; why.
    Failed(String),
    /// The outcome is unknown; why.
    Unknown(String),
}

/// Determines how a service restores deleted assets. Only ours has a Trash.
pub async fn recovery(client: &Client, vendor: Vendor) -> Recovery {
    let trash = AssetsTrashSnapshot { offset: None, limit: Some(1) };
    match vendor.is_lunette() && client.call(trash).await.is_ok() {
        true => Recovery::Trash,
        false => Recovery::Copy,
    }
}

impl HeadlessWriter {
    /// Opens the journal of a data folder. The connection's name is the one that the window uses. Blocks.
    pub fn open(data: &Path, connection: &str, service: HeadlessService) -> Result<Self, JournalError> {
        let opened = Journal::open(data, connection)?;
        let HeadlessService { client, vendor, recovery } = service;
        let deleted = DeletedAssets { recovery, copies: Copies::in_folder(opened.journal.deleted()) };
        let context = WriteContext {
            client,
            reporter: Reporter::unheard(),
            journal: opened.journal,
            vendor,
            deleted,
            sent: MaybeSent::default(),
            asked_by: None,
        };
        Ok(Self { context, entries: opened.entries, message: opened.message })
    }

    /// A writer whose steps carry out a proposal of an assistant.
    #[must_use]
    pub fn asked_by(self, asked_by: AskedBy) -> Self {
        let context = WriteContext { asked_by: Some(asked_by), ..self.context };
        Self { context, ..self }
    }

    /// Reads the asset and plans a change; nothing is sent.
    pub async fn plan(&self, change: Change) -> Result<Preflight, PlanError> {
        prepare(&self.context.client, &self.context.deleted, change, self.context.vendor).await
    }

    /// Reads the asset, plans a change, records it and sends it; `title` replaces the title of the change.
    pub async fn write(&self, change: Change, relation: EntryRelation, title: Option<String>) -> Written {
        let intended = change.clone();
        // The command that was typed is the word of the user.
        let step = Step { relation, title, reviewed: Reviewed::Yes };
        match journaled::write(&self.context, change, step).await {
            WriteResult::Applied(_, applied) => Written::Done(Box::new(applied.change), applied.message),
            WriteResult::Unknown(error) => Written::Unknown(error.reason()),
            WriteResult::NotApplied(error) => Written::Failed(error.reason()),
            WriteResult::NotMade(why) | WriteResult::Unsent(why) | WriteResult::PlanChanged(_, why) => {
                Written::Failed(why)
            }
            WriteResult::NoOp(how) => Written::Unchanged(how),
            WriteResult::Conflict(conflict) => Written::Failed(conflict_message(&intended, &conflict.theirs)),
            WriteResult::Irreversible(_) => Written::Failed("it cannot be undone, and was not reviewed".to_owned()),
        }
    }

    /// Reads the asset of a change of unknown outcome again, and records what came of it. Fails if it cannot be read.
    pub async fn reconcile(&self, entry: &Entry, change: &Change) -> Result<Reconciled, CallError> {
        Ok(read_again(&self.context, entry, change, Reading::Settled).await?.0)
    }

    /// Looks for the asset that a step of unknown outcome was to create, and records what came of it. An asset that was
    /// found for one step is not found for another. Fails if the service cannot be read.
    pub async fn find_created(&mut self, entry: &Entry) -> Result<Reconciled, CallError> {
        let known = known(self.entries.iter().filter(|other| other.id != entry.id));
        let (reconciled, created) = journaled::find_created(&self.context, entry, &known).await?;
        if let (Some(created), Some(entry)) = (created, self.entries.iter_mut().find(|other| other.id == entry.id)) {
            entry.kind = EntryKind::Change(created);
        }
        Ok(reconciled)
    }

    /// Records any operation and sends it, as the console of the window does. Fails if it could not be recorded; then
    /// nothing was sent.
    pub async fn call(&self, call: &Call) -> Result<Exchange, NotRecorded> {
        let title = format!("Sent {}", call.info().name);
        journaled::call(&self.context, call, title, |_| None).await
    }
}

/// The title of a step that undoes a step with this title.
pub fn undo_title(title: &str) -> String {
    format!("Undo: {}", lower(title))
}
