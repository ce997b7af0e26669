//! Alfred: a folder of snippets, each a JSON file, or its exchange file `NAME.alfredsnippets`, a zip archive of them.

use std::collections::HashMap;

use serde_json::Value;

use crate::candidate::{Candidate, Fragment, Library};
use crate::files::{Files, file_name, folders};
use crate::json::{id, string};
use crate::place::{Base, System, place};
use crate::shape::{Fields, Shape};
use crate::source::Facts;
use crate::{Reader, Source};

/// Reads snippets of Alfred.
pub(crate) struct Alfred;

impl Source {
    /// Alfred.
    pub const ALFRED: Self = Self(&Facts {
        had_library_name: true,
        places: &[place(Base::Config, "Alfred/Alfred.alfredpreferences/snippets", &["*"]).on(&[System::Mac])],
        ..Facts::new("alfred", "Alfred", &Alfred)
    });
}

impl Reader for Alfred {
    fn detects(&self, files: &Files) -> bool {
        // A file that cannot be read becomes a warning; one of another kind says that they are not of Alfred.
        let documents = || files.content_paths().filter(|path| files.looks_like_json(path)).take(100);
        let mut known = documents().filter_map(|path| files.json(path).ok()).map(|tree| snippet(&tree).is_some());
        let extra = |path: &str| matches!(file_name(path), "info.plist" | "icon.png");
        files.all(|path| files.looks_like_json(path) || extra(path))
            && known.next() == Some(true)
            && known.all(|is_snippet| is_snippet)
    }

    fn read(&self, files: &Files, library: &mut Library) {
        let around = collections(files, library);
        for path in files.content_paths().filter(|path| files.may_be(path, &["json"])) {
            match files.json(path) {
                Ok(tree) => match snippet(&tree) {
                    Some(value) => {
                        let candidate = candidate(files, path, value, around.get(&folders(path)));
                        library.add_of(value, SNIPPET, candidate, &files.location(path));
                    }
                    None => library.warn("alfred.shape", files.location(path), "is not a snippet of Alfred"),
                },
                Err(warning) => library.report([warning]),
            }
        }
    }
}

const SNIPPET: Fields =
    &[("uid", Shape::Scalar), ("name", Shape::Scalar), ("keyword", Shape::Scalar), ("snippet", Shape::Scalar)];

/// The snippet of a document. Versions of Alfred write its key in different case.
fn snippet(tree: &Value) -> Option<&Value> {
    let (_, value) = tree.as_object()?.iter().find(|(key, _)| key.eq_ignore_ascii_case("alfredsnippet"))?;
    value.get("snippet").map(|_| value)
}

/// Returns what is typed before and after each keyword of a collection, by its folder.
fn collections(files: &Files, library: &mut Library) -> HashMap<Vec<String>, (String, String)> {
    let mut found = HashMap::new();
    for path in files.content_paths().filter(|path| file_name(path) == "info.plist") {
        match files.bytes(path).map(|bytes| affixes(&bytes)) {
            Ok(Some((prefix, suffix))) => {
                let location = files.location(path);
                let mut affix = |text: &str| library.shared_name(text, &location);
                found.insert(folders(path), (affix(&prefix), affix(&suffix)));
            }
            Ok(None) => {
                let message =
                    "is not a property list of texts: what is typed before and after the keywords was left out";
                library.warn("alfred.collection", files.location(path), message);
            }
            Err(warning) => library.report([warning]),
        }
    }
    found
}

/// Returns the same of one collection; `None` if its file is not a property list.
fn affixes(bytes: &[u8]) -> Option<(String, String)> {
    let tree = lunette_plist::read(bytes)?;
    let fields = tree.as_dictionary()?;
    // One that is there and is not text makes the whole file odd.
    let text = |key: &str| fields.get(key).map_or(Some(String::new()), |value| value.as_string().map(str::to_owned));
    Some((text("snippetkeywordprefix")?, text("snippetkeywordsuffix")?))
}

fn candidate(files: &Files, path: &str, value: &Value, affixes: Option<&(String, String)>) -> Candidate {
    let keyword = string(value, "keyword");
    let (prefix, suffix) = affixes.map_or(("", ""), |(prefix, suffix)| (prefix, suffix));
    let trigger = (!keyword.is_empty()).then(|| format!("{prefix}{keyword}{suffix}"));
    // In an exchange file the archive is the collection, and a folder of snippets is one too.
    let folder = match folders(path) {
        folder if folder.is_empty() => files.collection().map(str::to_owned).into_iter().collect(),
        folder => folder,
    };
    Candidate {
        source_id: id(value, "uid").unwrap_or_else(|| path.to_owned()),
        name: string(value, "name"),
        fragments: vec![Fragment::of_text("", None, &string(value, "snippet"))],
        folder,
        triggers: trigger.into_iter().collect(),
        updated: files.modified(path),
        ..Candidate::default()
    }
}
