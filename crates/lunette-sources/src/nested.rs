//! Libraries in a folder that also has other files, such as a project with a folder of snippets. The folder is imported as
//! files, and the libraries are offered.

use crate::files::Files;
use crate::source::Source;

/// The maximum number of folders of one program that are tried. Our choice: each is read to be detected.
const MAX_TRIED: usize = 20;

/// A library among other files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NestedLibrary {
    /// Its program.
    pub source: Source,
    /// Its folder, relative to the files; empty if the library shares the outermost folder with other files.
    pub folder: String,
}

/// Returns the libraries among the files of a folder that is not a library itself, sorted by folder. Returns none for an
/// archive and for a folder with more files than the limit.
pub fn nested_libraries(files: &Files) -> Vec<NestedLibrary> {
    if files.is_archive() || files.truncated() {
        return Vec::new();
    }
    let mut found: Vec<NestedLibrary> = Vec::new();
    for source in Source::all() {
        let reader = source.reader();
        let mut roots = reader.roots(files);
        roots.sort();
        roots.dedup();
        let mut outer: Option<String> = None;
        for root in roots.into_iter().take(MAX_TRIED) {
            // A library within a library of the same program belongs to it.
            let is_inside = outer.as_ref().is_some_and(|outer| root.starts_with(outer.as_str()));
            if !is_inside && reader.detects(&files.below(&root)) {
                let folder = root.trim_end_matches('/').to_owned();
                found.push(NestedLibrary { source, folder });
                outer = Some(root);
            }
        }
    }
    found.sort_by(|one, other| one.folder.cmp(&other.folder));
    found
}
