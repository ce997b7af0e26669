//! `drafts.json` in the folder of a connection: an object with the list of its drafts.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

use crate::db::drafts::DraftTexts;

/// The drafts of a file that `is_draft` accepts, as the JSON of their keys and input, and a message if some could not
/// be read.
pub(crate) fn read(
    path: &Path,
    is_draft: impl Fn(&DraftTexts) -> bool,
) -> io::Result<(Vec<DraftTexts>, Option<String>)> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), None)),
        bytes => bytes?,
    };
    let file = serde_json::from_slice::<Value>(&bytes).ok();
    let lines = file.as_ref().and_then(|file| file.get("drafts")?.as_array());
    let texts = |line: &Value| Some((line.get("key")?.to_string(), line.get("draft")?.to_string()));
    let drafts: Vec<_> = lines.into_iter().flatten().filter_map(texts).filter(is_draft).collect();
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
