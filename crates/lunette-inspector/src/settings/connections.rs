//! What is kept of services: where they are, how they are called, and which of their assets were opened.

use serde::{Deserialize, Serialize};

/// The service to connect to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// The embedded service.
    #[default]
    Embedded,
    /// A service at an address.
    Url(String),
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
