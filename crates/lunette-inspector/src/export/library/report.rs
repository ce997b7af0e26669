//! The options and the report of an export.

use std::path::PathBuf;

use super::format::Format;
use super::left_out::LeftOut;
use crate::Vendor;
use crate::files::IfExists;
use crate::listing::Column;
use crate::listing::rows::AssetRow;
use lunette_client::model::id::AssetId;
use lunette_secrets::Finding;

/// The options of an export.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// The format.
    pub format: Format,
    /// The folder or file to write.
    pub target: PathBuf,
    /// What happens to a file that has this name.
    pub if_exists: IfExists,
    /// A description of which assets are exported: all, marked ones, or a filter.
    pub what: String,
    /// The columns of a list.
    pub columns: Vec<&'static Column<AssetRow>>,
    /// Whose service it is.
    pub vendor: Vendor,
}

/// An asset with possible secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// Its id.
    pub asset: AssetId,
    /// Its name.
    pub name: String,
    /// The findings.
    pub findings: Vec<Finding>,
}

/// The report of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportReport {
    /// Its path.
    pub path: PathBuf,
    /// The number of exported assets.
    pub exported: usize,
    /// The total size of their contents, in bytes.
    pub bytes: u64,
    /// What is missing.
    pub left_out: LeftOut,
    /// The exported assets with possible secrets.
    pub suspects: Vec<Suspect>,
}
