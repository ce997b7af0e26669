//! Unique file names of an export, on any file system.

use std::collections::HashMap;

use lunette_client::model::file_name::name_key;

/// The names in use, with how often each was requested.
#[derive(Debug)]
pub(crate) struct FileNames {
    used: HashMap<String, usize>,
    /// Maps names that are equal on a file system to the same key.
    key: fn(&str) -> String,
}

impl Default for FileNames {
    fn default() -> Self {
        Self { used: HashMap::new(), key: name_key }
    }
}

impl FileNames {
    /// Creates case-sensitive names, for anything but files.
    pub fn exact() -> Self {
        Self { key: str::to_owned, ..Self::default() }
    }

    /// Marks a name as in use.
    pub fn reserve(&mut self, name: &str) {
        self.used.insert((self.key)(name), 1);
    }

    /// Returns this name, or the name with a number if it is in use in any case.
    pub fn free(&mut self, wanted: &str) -> String {
        let Self { used, key: key_of } = self;
        let key = key_of(wanted);
        let mut count = used.get(&key).copied().unwrap_or_default();
        loop {
            count += 1;
            let name = numbered(wanted, count);
            if count == 1 || !used.contains_key(&key_of(&name)) {
                if count > 1 {
                    used.insert(key_of(&name), 1);
                }
                used.insert(key, count);
                return name;
            }
        }
    }
}

/// `name.md`, `name (2).md`, and so on.
pub(crate) fn numbered(name: &str, count: usize) -> String {
    match name.rsplit_once('.') {
        _ if count == 1 => name.to_owned(),
        Some((stem, extension)) if !stem.is_empty() => format!("{stem} ({count}).{extension}"),
        Some(_) | None => format!("{name} ({count})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_only_by_case_or_accent_are_numbered() {
        let mut names = FileNames::default();
        let wanted = ["a.rs", "A.rs", "a (2).rs", "a.rs", "É", "e\u{301}", "b"];
        let expected = ["a.rs", "A (2).rs", "a (2) (2).rs", "a (3).rs", "É", "e\u{301} (2)", "b"];
        assert_eq!(wanted.map(|name| names.free(name)), expected);
    }
}
