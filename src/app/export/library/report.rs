//! What an export writes, and what it has written.

use std::path::PathBuf;

use super::format::Format;
use crate::app::listing::rows::AssetColumn;
use lunette_client::model::id::AssetId;
use lunette_secrets::Finding;

/// What is written, and where.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// The format.
    pub format: Format,
    /// The folder or file to write, which must not be there.
    pub target: PathBuf,
    /// Which assets they are, for people: all, marked ones, or a filter.
    pub what: String,
    /// The columns of a list.
    pub columns: Vec<AssetColumn>,
    /// Whether the service is one of ours.
    pub own: bool,
}

/// An asset that is not in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its id.
    pub asset: AssetId,
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
    /// Whether it could not be read, rather than the format having no place for it.
    pub failed: bool,
}

/// An asset that has what looks like secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// Its id.
    pub asset: AssetId,
    /// Its name.
    pub name: String,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportReport {
    /// Where it is.
    pub path: PathBuf,
    /// How many assets are in it.
    pub exported: usize,
    /// The bytes of their contents.
    pub bytes: u64,
    /// What is not in it.
    pub left_out: Vec<LeftOut>,
    /// What is in it and looks like a secret.
    pub suspects: Vec<Suspect>,
}
