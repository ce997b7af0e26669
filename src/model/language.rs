//! The languages an asset can be classified to.

/// One language.
#[derive(Debug)]
pub struct Language {
    /// The interface's word.
    pub specific: &'static str,
    /// The name for people.
    pub name: &'static str,
}

/// The language of a word; None for one that is not in the table.
pub fn language(_specific: &str) -> Option<&'static Language> {
    None
}
