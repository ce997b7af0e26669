//! What is kept of services: where they are, how they are called, and which of their assets were opened.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// What the connection to a copy is stored under, in the folder of the copy. Nothing of it is saved in the settings.
pub(crate) const COPY: &str = "copy";

/// The service to connect to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// The embedded service.
    #[default]
    Embedded,
    /// A service at an address.
    Url(String),
    /// A copy to try things on, which is never saved.
    #[serde(skip)]
    Copy(Arc<CopyTarget>),
}

/// A copy to try things on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyTarget {
    /// Its address.
    pub url: String,
    /// Its folder, which has its assets, its history and its drafts.
    pub folder: PathBuf,
    /// What it is a copy of.
    pub of: Origin,
}

/// What a copy was made of, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The service that was copied.
    pub target: Box<Target>,
    /// Its name for people.
    pub name: String,
    /// What the connection to it is stored under.
    pub key: String,
    /// When the copy was made (RFC 3339, UTC).
    pub made: String,
    /// How many assets were chosen; `None` for a copy of everything.
    pub chosen: Option<usize>,
}

impl Target {
    /// What the connection to it is stored under.
    pub fn key(&self) -> &str {
        match self {
            Self::Embedded => "embedded",
            Self::Url(url) => url,
            Self::Copy(_) => COPY,
        }
    }

    /// The copy that it is, if it is one.
    pub fn copy(&self) -> Option<&CopyTarget> {
        match self {
            Self::Copy(copy) => Some(copy),
            Self::Embedded | Self::Url(_) => None,
        }
    }
}

/// An asset that was opened recently.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recent {
    /// Its id.
    pub id: String,
    /// Its name at that time.
    pub name: String,
    /// Whether it stays above those that are opened later.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
}

/// A saved connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// The name given by the user, or else the address.
    pub name: String,
    /// Its address.
    pub url: String,
}

impl Named {
    /// Creates a connection named by its address.
    pub fn unnamed(url: &str) -> Self {
        Self { name: plain(url).to_owned(), url: url.to_owned() }
    }

    /// Whether the user gave it a name of its own.
    pub fn is_named(&self) -> bool {
        self.name != plain(&self.url)
    }
}

/// An address without its scheme.
fn plain(url: &str) -> &str {
    url.trim_start_matches("http://").trim_end_matches('/')
}
