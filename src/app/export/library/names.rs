//! Names of files that no other file of an export has on any file system.

use std::collections::HashMap;

use lunette_client::model::file_name::name_key;

/// The names that are taken, with how often each was asked for.
#[derive(Debug)]
pub(super) struct FileNames {
    taken: HashMap<String, usize>,
    /// Equal for names that are the same one.
    key: fn(&str) -> String,
}

impl Default for FileNames {
    fn default() -> Self {
        Self { taken: HashMap::new(), key: name_key }
    }
}

impl FileNames {
    /// Names of something that is no file, which differ by case.
    pub fn exact() -> Self {
        Self { key: str::to_owned, ..Self::default() }
    }

    /// This name, or the name with a number if it is taken, whatever the case of its letters.
    pub fn free(&mut self, wanted: &str) -> String {
        let Self { taken, key: key_of } = self;
        let key = key_of(wanted);
        let mut count = taken.get(&key).copied().unwrap_or_default();
        loop {
            count += 1;
            let name = numbered(wanted, count);
            if count == 1 || !taken.contains_key(&key_of(&name)) {
                if count > 1 {
                    taken.insert(key_of(&name), 1);
                }
                taken.insert(key, count);
                return name;
            }
        }
    }
}

/// `name.md`, `name (2).md`, and so on.
fn numbered(name: &str, count: usize) -> String {
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
    fn names_that_differ_by_case_or_accent_alone_are_numbered() {
        let mut names = FileNames::default();
        let wanted = ["a.rs", "A.rs", "a (2).rs", "a.rs", "É", "e\u{301}", "b"];
        let expected = ["a.rs", "A (2).rs", "a (2) (2).rs", "a (3).rs", "É", "e\u{301} (2)", "b"];
        assert_eq!(wanted.map(|name| names.free(name)), expected);
    }
}
