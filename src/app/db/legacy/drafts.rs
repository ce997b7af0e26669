//! `drafts.json` in the folder of a connection: an object with the list of its drafts.

use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::app::drafts::{Draft, DraftKey};

/// A draft in the file.
#[derive(Deserialize)]
struct Line {
    key: DraftKey,
    draft: Draft,
}

/// Drafts, each with its key.
type Drafts = Vec<(DraftKey, Draft)>;

/// The drafts of a file that can be read, and what is wrong with it, for people.
pub(in crate::app) fn read(path: &Path) -> io::Result<(Drafts, Option<String>)> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), None)),
        bytes => bytes?,
    };
    let file = serde_json::from_slice::<Value>(&bytes).ok();
    let lines = file.as_ref().and_then(|file| file.get("drafts")?.as_array());
    let read = |line: &Value| Line::deserialize(line).ok().map(|Line { key, draft }| (key, draft));
    let drafts: Vec<_> = lines.into_iter().flatten().filter_map(read).collect();
    if lines.is_some_and(|lines| lines.len() == drafts.len()) {
        return Ok((drafts, None));
    }
    let saved = match drafts.len() {
        0 => "no drafts could be read".to_owned(),
        count => format!("{count} drafts could be read"),
    };
    let problem = format!("The drafts file was damaged; {saved}. The file is unchanged: {}", path.display());
    Ok((drafts, Some(problem)))
}
