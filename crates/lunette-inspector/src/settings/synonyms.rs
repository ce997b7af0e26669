//! The words that mean the same in searches: ours, or a user's own list.
//!
//! Our choice: a user's list is a file of the data folder, which the service inside reads too, and so does the service of
//! `lunette serve` and of `lunette search` with this folder. Without the file the list is ours. A service elsewhere has the
//! list of its own data folder; a service of others has none, and then this one is used for the loaded rows.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;

use crate::context::Context;
use crate::event::SettingsEvent;
use crate::notifications::Topic;
use crate::settings::save::{NotSaved, Output};
use lunette_storage::atomic;
use lunette_words::Synonyms;
use lunette_words::synonyms::{FILE, MOST_BYTES};

/// The list of a data folder; ours if it has none, or the file cannot be read. Blocks.
pub fn read_synonyms(data: &Path) -> Synonyms {
    let read = || -> io::Result<String> {
        let mut text = String::new();
        File::open(data.join(FILE))?.take(MOST_BYTES as u64).read_to_string(&mut text)?;
        Ok(text)
    };
    read().map_or_else(|_| Synonyms::default(), |text| Synonyms::read(&text))
}

/// Writes the list of a data folder; ours is not a file. Blocks.
fn write_synonyms(data: &Path, synonyms: &Synonyms) -> io::Result<()> {
    let path = data.join(FILE);
    if synonyms != Synonyms::ours() {
        return atomic::write(&path, synonyms.text().as_bytes());
    }
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

impl Context<'_> {
    /// Sets the list, and writes it. The service reads it from its file, so the searches with it begin after that.
    pub(super) fn keep_synonyms(&mut self, synonyms: Arc<Synonyms>) {
        self.preferences.synonyms = Arc::clone(&synonyms);
        let Some(data) = self.setup().data.clone() else {
            self.emit(SettingsEvent::Synonyms);
            return;
        };
        let write = move || write_synonyms(&data, &synonyms).map_err(NotSaved::Synonyms);
        self.run_blocking(write, Output::Synonyms);
    }

    /// Handles the end of a write.
    pub(super) fn synonyms_saved(&mut self, end: Result<(), NotSaved>) {
        match end {
            Ok(()) => {
                self.resolve(Topic::Settings);
                self.emit(SettingsEvent::Synonyms);
            }
            Err(error) => self.notify_failed(Topic::Settings, error.to_string(), Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_kept_and_ours_is_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(read_synonyms(folder.path()), *Synonyms::ours());
        let mine = Synonyms::parse("standup daily").expect("a list");
        write_synonyms(folder.path(), &mine).expect("written");
        assert_eq!(read_synonyms(folder.path()), mine);
        write_synonyms(folder.path(), Synonyms::ours()).expect("removed");
        assert!(!folder.path().join(FILE).exists());
        write_synonyms(folder.path(), Synonyms::ours()).expect("nothing to remove");
    }
}
