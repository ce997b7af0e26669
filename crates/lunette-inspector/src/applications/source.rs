//! The lists of applications of a service, and what reading one returned.

use serde::{Deserialize, Serialize};

use crate::CallError;
use crate::listing::RowList;
use crate::listing::rows::{ApplicationRow, ExternalRow};

/// A list of applications of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The tracked applications.
    Tracked,
    /// The applications detected on the machine.
    Detected,
    /// The applications that integrate with the service, or are planned to.
    Related,
}

impl Source {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Tracked, Self::Detected, Self::Related];

    /// Its name in the database and for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tracked => "tracked",
            Self::Detected => "detected",
            Self::Related => "related",
        }
    }
}

/// The response of a list, or the error.
#[derive(Clone, Debug, PartialEq)]
pub enum ListResult {
    /// The tracked applications.
    Tracked(Result<RowList<ApplicationRow>, CallError>),
    /// The external applications, or `None` if neither list could be read, and the lists that failed. For a failed
    /// list, the rows have its last response.
    External(Option<RowList<ExternalRow>>, Vec<(Source, CallError)>),
}
