//! The proposals of a connection on disk.

use std::path::Path;
use std::sync::Arc;

use super::{Draft, MOST_WAITING, Proposal, Status};
use crate::db::{Database, DatabaseError};

/// The proposals of a connection.
#[derive(Clone, Debug)]
pub struct ProposalStore {
    database: Arc<Database>,
    connection: String,
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
        Self { database, connection: connection.to_owned() }
    }

    /// All of them, oldest first; one that cannot be read is skipped. Blocks.
    pub fn list(&self) -> Result<Vec<Proposal>, DatabaseError> {
        let texts = self.database.proposals(&self.connection)?;
        Ok(texts.iter().filter_map(|(_, text)| read(text)).collect())
    }

    /// One of them; `None` if there is none with this number. Blocks.
    pub fn get(&self, number: u64) -> Result<Option<Proposal>, DatabaseError> {
        Ok(self.database.proposal(&self.connection, number)?.as_deref().and_then(read))
    }

    /// Keeps a proposal, which waits from then on. Fails if too many wait already. Blocks.
    pub fn add(&self, draft: Draft) -> Result<Proposal, StoreError> {
        let mut added = None;
        let make = |number, known: &[String]| {
            let waiting = known.iter().filter_map(|text| read(text)).filter(Proposal::is_waiting).count();
            (waiting < MOST_WAITING).then(|| written(added.insert(draft.numbered(number))))
        };
        self.database.add_proposal(&self.connection, make)?;
        added.ok_or(StoreError::Full)
    }

    /// Marks a proposal as being sent: from then on nobody else can decide about it. Fails unless it waits and is the one
    /// that was shown. Blocks.
    pub fn claim(&self, shown: &Proposal) -> Result<Proposal, NotDecided> {
        self.decide(shown.number, |proposal| match proposal.is_as_shown(shown) {
            true => Ok(Status::Sending),
            false => Err(NotDecided::Altered(shown.number)),
        })
    }

    /// Declines a proposal that waits, with a word for the assistant. Blocks.
    pub fn decline(&self, number: u64, word: &str) -> Result<Proposal, NotDecided> {
        self.decide(number, |_| Ok(Status::Declined(word.trim().to_owned())))
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
        decided
    }
}

pub(super) fn read(text: &str) -> Option<Proposal> {
    serde_json::from_str(text).ok()
}

fn written(proposal: &Proposal) -> String {
    serde_json::to_string(proposal).unwrap_or_default()
}
