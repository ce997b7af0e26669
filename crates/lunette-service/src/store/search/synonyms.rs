//! A user's own words of the same meaning, from a file of the data folder that the inspector writes.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use lunette_words::Synonyms;
use lunette_words::synonyms::{FILE, MOST_BYTES};

/// The list of a data folder; it is read anew when somebody searches, so that a change of it applies at once.
#[derive(Default)]
pub(in crate::store) struct UserSynonyms {
    path: Option<PathBuf>,
    /// What the file had when it was read last.
    last: Mutex<Option<(String, Arc<Synonyms>)>>,
}

impl UserSynonyms {
    /// The list of a data folder.
    pub(in crate::store) fn of(data: &Path) -> Self {
        Self { path: Some(data.join(FILE)), ..Self::default() }
    }

    /// The list; `None` if there is none, or it cannot be read.
    pub(super) fn read(&self) -> Option<Arc<Synonyms>> {
        let mut text = String::new();
        File::open(self.path.as_ref()?).ok()?.take(MOST_BYTES as u64).read_to_string(&mut text).ok()?;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, synonyms)) = last.as_ref().filter(|(known, _)| *known == text) {
            return Some(Arc::clone(synonyms));
        }
        let synonyms = Arc::new(Synonyms::read(&text));
        *last = Some((text, Arc::clone(&synonyms)));
        Some(synonyms)
    }
}
