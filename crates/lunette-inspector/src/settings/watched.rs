//! Folders that are kept in step with a service.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::files::json_path;

/// A folder that is watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedFolder {
    /// Where it is.
    #[serde(with = "json_path")]
    pub path: PathBuf,
    /// The connection whose service it is kept in step with, by its name.
    pub connection: String,
    /// What happens to new and changed files.
    #[serde(default)]
    pub how: OnChange,
    /// Whether it is not watched for now.
    #[serde(default)]
    pub paused: bool,
}

/// What happens to new and changed files of a folder. What cannot be read becomes the one that writes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnChange {
    /// They are imported.
    Import,
    /// They are listed, and imported when the user says so.
    #[default]
    #[serde(other)]
    List,
}
