//! The proposals of a connection on disk.
//!
//! What must hold: a proposal is returned as it stands by its steps in the journal, not only as it was recorded.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::standing::standing;
use super::{Draft, MOST_WAITING, Proposal, Status};
use crate::db::{Database, DatabaseError};
use crate::journal::AskedBy;
use crate::journal::asked::AskedSteps;

/// The proposals of a connection. Clones share what was read of the journal.
#[derive(Clone, Debug)]
pub struct ProposalStore {
    database: Arc<Database>,
    connection: String,
    steps: Arc<Mutex<AskedSteps>>,
}

/// Why a proposal is not kept or read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be read or written.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Too many wait.
    #[error("{MOST_WAITING} proposals are waiting for a decision already; nothing more is kept until a person decides")]
    Full,
}

/// Why a decision about a proposal is not taken; nothing was sent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotDecided {
    /// The database cannot be read or written.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// There is no such proposal.
    #[error("there is no proposal {0}")]
    Unknown(u64),
    /// It was decided already.
    #[error("proposal {number} is {status}, and no longer waiting")]
    Decided {
        /// Its number.
        number: u64,
        /// How it stands, in a word.
        status: &'static str,
    },
    /// It is not the one that was shown.
    #[error("proposal {0} is not what was shown; look at it again")]
    Altered(u64),
    /// It is of another client.
    #[error("proposal {0} is of another client")]
    NotOwn(u64),
}

impl ProposalStore {
    /// Opens the proposals of a connection in a data folder. The connection's name is that of its journal. Blocks.
    pub fn open(folder: &Path, connection: &str) -> Result<Self, DatabaseError> {
        Ok(Self::of(Database::open(folder)?.database, connection))
    }

    /// The proposals of a connection in an open database.
    pub fn of(database: Arc<Database>, connection: &str) -> Self {
        let steps = Arc::new(Mutex::new(AskedSteps::of(Arc::clone(&database), connection)));
        Self { database, connection: connection.to_owned(), steps }
    }

    /// All of them, oldest first; one that cannot be read is skipped. Blocks.
    pub fn list(&self) -> Result<Vec<Proposal>, DatabaseError> {
        let texts = self.database.proposals(&self.connection)?;
        let recorded: Vec<Proposal> = texts.iter().filter_map(|(_, text)| read(text)).collect();
        self.catch_up(recorded.iter().map(|proposal| &proposal.status))?;
        Ok(recorded.into_iter().map(|proposal| self.standing(proposal)).collect())
    }

    /// One of them; `None` if there is none with this number. Blocks.
    pub fn get(&self, number: u64) -> Result<Option<Proposal>, DatabaseError> {
        let recorded = self.database.proposal(&self.connection, number)?.as_deref().and_then(read);
        self.catch_up(recorded.iter().map(|proposal| &proposal.status))?;
        Ok(recorded.map(|proposal| self.standing(proposal)))
    }

    /// Reads what was added to the journal, unless none of these recorded statuses depends on it. Blocks.
    pub(super) fn catch_up<'a>(&self, mut recorded: impl Iterator<Item = &'a Status>) -> Result<(), DatabaseError> {
        let depends = |status: &Status| matches!(status, Status::Applied(_) | Status::Undone);
        if recorded.any(depends) { self.steps().catch_up() } else { Ok(()) }
    }

    /// The database in which they are.
    pub(super) fn database(&self) -> &Database {
        &self.database
    }

    /// The name of the connection in the database.
    pub(super) fn connection(&self) -> &str {
        &self.connection
    }

    /// A proposal as it stands by the steps that were read.
    fn standing(&self, recorded: Proposal) -> Proposal {
        let status = self.standing_of(&recorded.client, recorded.number, recorded.status);
        Proposal { status, ..recorded }
    }

    /// The status of a proposal by the steps that were read.
    pub(super) fn standing_of(&self, client: &str, number: u64, recorded: Status) -> Status {
        let by = AskedBy { client: client.to_owned(), proposal: number };
        standing(recorded, &self.steps().of_proposal(&by))
    }

    fn steps(&self) -> MutexGuard<'_, AskedSteps> {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a proposal, which waits from then on. Fails if too many wait already. Blocks.
    pub fn add(&self, draft: Draft) -> Result<Proposal, StoreError> {
        let mut added = None;
        let make = |number, waiting| (waiting < MOST_WAITING).then(|| written(added.insert(draft.numbered(number))));
        self.database.add_proposal(&self.connection, make)?;
        added.ok_or(StoreError::Full)
    }

    /// Marks a proposal as being sent: from then on nobody else can decide about it. Fails unless it waits and is the
    /// one that was shown. Blocks.
    pub fn claim(&self, shown: &Proposal) -> Result<Proposal, NotDecided> {
        self.decide(shown.number, |proposal| match proposal.is_as_shown(shown) {
            true => Ok(Status::Sending),
            false => Err(NotDecided::Altered(shown.number)),
        })
    }

    /// Declines a proposal that waits, with a reply to the assistant. Blocks.
    pub fn decline(&self, number: u64, reply: &str) -> Result<Proposal, NotDecided> {
        self.decide(number, |_| Ok(Status::Declined(reply.trim().to_owned())))
    }

    /// Takes a waiting proposal back for the client that made it. Blocks.
    pub fn withdraw(&self, number: u64, client: &str) -> Result<Proposal, NotDecided> {
        self.decide(number, |proposal| match proposal.client == client {
            true => Ok(Status::Withdrawn),
            false => Err(NotDecided::NotOwn(number)),
        })
    }

    /// Records how a proposal stands. Blocks.
    pub fn record(&self, number: u64, status: Status) -> Result<(), DatabaseError> {
        let change = |text: &str| Some(written(&Proposal { status, ..read(text)? }));
        self.database.change_proposal(&self.connection, number, change).map(drop)
    }

    fn decide(
        &self,
        number: u64,
        decision: impl FnOnce(&Proposal) -> Result<Status, NotDecided>,
    ) -> Result<Proposal, NotDecided> {
        let mut decided = Err(NotDecided::Unknown(number));
        let change = |text: &str| {
            let proposal = read(text)?;
            decided = match &proposal.status {
                Status::Waiting => decision(&proposal).map(|status| Proposal { status, ..proposal }),
                status => Err(NotDecided::Decided { number, status: status.as_str() }),
            };
            decided.as_ref().ok().map(written)
        };
        self.database.change_proposal(&self.connection, number, change)?;
        match decided {
            Err(NotDecided::Decided { number, status }) => {
                let status = self.get(number)?.map_or(status, |now| now.status.as_str());
                Err(NotDecided::Decided { number, status })
            }
            decided => decided,
        }
    }
}

pub(super) fn read(text: &str) -> Option<Proposal> {
    serde_json::from_str(text).ok()
}

fn written(proposal: &Proposal) -> String {
    serde_json::to_string(proposal).unwrap_or_default()
}
