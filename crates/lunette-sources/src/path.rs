//! Paths of files in a library: their names, extensions and folders. They are relative, with `/`.

/// The last name of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The last name of a path without its extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

/// The extension of a path in lower case; empty if there is none.
pub(crate) fn extension(path: &str) -> String {
    let name = file_name(path);
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or_else(String::new, |(_, end)| end.to_lowercase())
}

/// Returns the folder of each path that ends with these names, such as `.obsidian/app.json`: empty or with `/` at its end.
pub(crate) fn roots_of<'a>(paths: impl Iterator<Item = &'a str>, end: &str) -> Vec<String> {
    let root = |path: &str| path.strip_suffix(end).map(str::to_owned);
    paths.filter_map(root).filter(|root| root.is_empty() || root.ends_with('/')).collect()
}

/// The folders of a path.
pub(crate) fn folders(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
    parts.pop();
    parts
}
