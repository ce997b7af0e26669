//! massCode 5: a folder of Markdown files, each a snippet: front matter, and a section `## Fragment: LABEL` with a fenced
//! block for each fragment. Tags are ids that `.masscode/state.json` names.

use std::collections::HashMap;

use serde_json::Value;

use super::{LIBRARY, add};
use crate::Warning;
use crate::candidate::{Candidate, Fragment, Library};
use crate::date;
use crate::files::{Files, extension, folders, stem};
use crate::json::{flag, id, list, some_string, string, texts};
use crate::markdown::{self, Block, Note, TOO_COMPLEX};
use crate::shared_names::{names_of, tags_of, unnamed};
use crate::yaml::{Document, YamlError};

const INBOX: &str = ".masscode/inbox/";
const TRASH: &str = ".masscode/trash/";

pub(super) fn read(files: &Files, root: &str, library: &mut Library) {
    let state_path = format!("{root}.masscode/state.json");
    let state = files.json(&state_path);
    let tags: HashMap<String, String> = match &state {
        Ok(state) => {
            let location = files.location(&state_path);
            library.check(state, LIBRARY, &location);
            tags_of(list(state, "tags"), |tag| id(tag, "id"), &location, library)
        }
        Err(warning) => {
            library.report([warning.clone()]);
            HashMap::new()
        }
    };
    let own = |path: &&str| {
        let inside = path.strip_prefix(root).unwrap_or(path);
        let snippet = !inside.starts_with(".masscode/") || inside.starts_with(INBOX) || inside.starts_with(TRASH);
        path.starts_with(root) && snippet && extension(path) == "md"
    };
    for path in files.paths().filter(own) {
        match files.text(path) {
            Ok(text) => snippet(files, root, path, &text, &tags, library),
            Err(warning) => library.report([warning]),
        }
    }
}

fn snippet(
    files: &Files,
    root: &str,
    path: &str,
    content: &str,
    tags: &HashMap<String, String>,
    library: &mut Library,
) {
    let location = files.location(path);
    let Note { properties, body } = markdown::note(content);
    let properties = match front_matter(properties, &location) {
        Ok(Document { value, repeated_keys, .. }) => {
            files.note_keys("yaml.twice", &location, repeated_keys);
            value
        }
        Err(warning) => return library.report([warning]),
    };
    let mut warnings = Vec::new();
    let fragments = match fragments(&properties, body) {
        Ok(fragments) => fragments,
        Err(error) => {
            // Nothing is lost if the fragments cannot be separated: the text is kept unchanged.
            warnings.push(Warning::new("masscode.fragments", location.clone(), error.to_string()));
            vec![Fragment::of_text("", Some("markdown"), body)]
        }
    };
    let inside = path.strip_prefix(root).unwrap_or(path);
    let folder = match inside.strip_prefix(INBOX).or_else(|| inside.strip_prefix(TRASH)) {
        Some(_) => Vec::new(),
        None => folders(inside),
    };
    let of_snippet = texts(properties.get("tags"));
    let mut candidate = Candidate {
        source_id: id(&properties, "id").unwrap_or_else(|| inside.to_owned()),
        name: some_string(&properties, "name").unwrap_or_else(|| stem(path).to_owned()),
        fragments,
        tags: names_of(&of_snippet, tags),
        folder,
        description: some_string(&properties, "description"),
        favourite: flag(&properties, "isFavorites"),
        trashed: flag(&properties, "isDeleted") || inside.starts_with(TRASH),
        created: date::of_json(properties.get("createdAt")),
        updated: date::of_json(properties.get("updatedAt")),
        warnings,
        ..Candidate::default()
    };
    candidate.warnings.extend(unnamed(&of_snippet, tags, &location));
    add(Some(&properties), candidate, &location, library);
}

/// Returns the front matter of a snippet. Fails with a warning if there is none that can be read.
fn front_matter(properties: Option<Result<Document, YamlError>>, location: &str) -> Result<Document, Warning> {
    match properties {
        Some(Ok(document)) => Ok(document),
        Some(Err(error)) => {
            let message = format!("the front matter was not read, and the file was left out: {}", error.message);
            Err(Warning::new("yaml.invalid", format!("{location}:{}", error.line), message))
        }
        None => Err(Warning::new("masscode.front-matter", location, "has no front matter and was left out")),
    }
}

/// Why a note is kept as one text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum NotSplit {
    /// It takes too much work to be read as Markdown.
    #[error("{TOO_COMPLEX}, so it was kept as one text")]
    TooComplex,
    /// Its blocks are not those that the front matter names.
    #[error("has {found} blocks of code where {expected} fragments are named, so it was kept as one text")]
    Blocks {
        /// How many it has.
        found: usize,
        /// How many are named.
        expected: usize,
    },
}

/// The fragments. Fails if there are not as many blocks as the front matter names: a value with a fence of
/// its own, in a file of an early version, closes its block too soon.
fn fragments(properties: &Value, body: &str) -> Result<Vec<Fragment>, NotSplit> {
    let named = list(properties, "contents");
    let blocks = markdown::blocks(body).map_err(|_| NotSplit::TooComplex)?;
    let told_apart = blocks.iter().all(|block| block.closed && block.heading.starts_with("Fragment:"));
    if blocks.len() != named.len() || !told_apart {
        return Err(NotSplit::Blocks { found: blocks.len(), expected: named.len() });
    }
    let fragment = |(block, named): (&Block, &Value)| {
        let language = some_string(named, "language").or_else(|| block.language.clone());
        Fragment::of_text(&string(named, "label"), language.as_deref(), &block.code)
    };
    Ok(blocks.iter().zip(named).map(fragment).collect())
}
