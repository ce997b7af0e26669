//! Writing the settings, while other windows write theirs to the same file.
//!
//! What must hold: one write at a time, by whichever window; what another one chose meanwhile stays; what it chose of
//! who may do what holds in this one too. The file and those beside it are the user's alone.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use crate::app::files::{folder_of, make_folder, private, sync_folder};
use crate::app::output::TaskOutput;
use crate::app::settings::{Settings, merge, whole};
use crate::app::state::Grade;
use crate::app::{App, SaveState};

/// What a write came to.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct Written {
    /// The settings as this window had them.
    ours: Settings,
    /// The settings as they stand in the file.
    kept: Settings,
}

impl Settings {
    /// Writes what differs from `base`, the settings that were last read or written; gives what stands in the file now.
    /// It is written whole or not at all, and the file before is kept beside it. Fails where the folder cannot be
    /// written, or the file that is there not be read; then that file stays as it is. Blocks.
    pub fn keep(&self, base: &Self, path: &Path) -> io::Result<Self> {
        make_folder(folder_of(path))?;
        let _lock = lock(path)?;
        let settings = match whole(path).map(Self::corrected) {
            // What makes no settings of both is ours.
            Some(theirs) => self.over(base, &theirs).unwrap_or_else(|_| self.clone()),
            None => self.clone(),
        };
        let temporary = path.with_extension("new.json");
        match fs::remove_file(&temporary) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        let mut file = private(OpenOptions::new().write(true).create_new(true)).open(&temporary)?;
        file.write_all(serde_json::to_string_pretty(&settings)?.as_bytes())?;
        file.sync_all()?;
        if path.exists() {
            // A copy: there is no moment at which somebody who reads finds no settings.
            let before = path.with_extension("bak.json");
            fs::copy(path, &before)?;
            users_alone(&before);
        }
        fs::rename(&temporary, path)?;
        sync_folder(folder_of(path)).ok(); // They are kept; that the name outlives a power cut cannot be had there.
        Ok(settings)
    }

    /// These settings, where they differ from `base`, over those of the file.
    fn over(&self, base: &Self, theirs: &Self) -> serde_json::Result<Self> {
        let [base, ours, theirs] = [base, self, theirs].map(serde_json::to_value);
        serde_json::from_value::<Self>(merge::merged(&base?, &ours?, &theirs?)).map(Self::corrected)
    }
}

/// Waits until no other window writes. A file system without locks is used without.
fn lock(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let options = private(options.write(true).create(true).truncate(false));
    let file = options.open(path.with_extension("lock"))?;
    match file.lock() {
        Err(error) if error.kind() != ErrorKind::Unsupported => Err(error),
        Ok(()) | Err(_) => Ok(file),
    }
}

/// Makes a file the user's alone that an earlier version made otherwise, where the file system knows such a thing.
fn users_alone(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o600)).ok();
    }
    #[cfg(not(unix))]
    let _ = path;
}

impl App {
    /// Changes the settings and keeps them, in the background.
    pub(in crate::app) fn set(&mut self, change: impl FnOnce(&mut Settings)) {
        let before = self.state.settings.clone();
        change(&mut self.state.settings);
        if self.state.settings != before {
            self.keep_settings();
        }
    }

    /// Writes the settings; one write at a time, so that the last one made is the last one kept.
    pub(in crate::app) fn keep_settings(&mut self) {
        let Some(path) = self.setup.settings.clone() else { return };
        match self.keeping {
            SaveState::No => self.keeping = SaveState::Writing,
            SaveState::Writing | SaveState::Again => {
                self.keeping = SaveState::Again;
                return;
            }
        }
        let (base, ours) = (self.kept.clone(), self.state.settings.clone());
        let keep = move || {
            let kept = ours.keep(&base, &path).map(|kept| Box::new(Written { ours, kept }));
            TaskOutput::SettingsKept(
                kept.map_err(|error| format!("Could not save the settings: {error}: {}", path.display())),
            )
        };
        self.start_blocking(keep, |error| TaskOutput::SettingsKept(Err(error.to_string())));
    }

    pub(in crate::app) fn settings_kept(&mut self, end: Result<Box<Written>, String>) {
        match end {
            Ok(written) => self.take_guards(*written),
            Err(problem) => self.notify(Grade::Failed, problem),
        }
        if std::mem::replace(&mut self.keeping, SaveState::No) == SaveState::Again {
            self.keep_settings();
        }
    }

    /// Takes over what another window chose of pages and of writes, unless this one chose since. How another window
    /// looks is its own affair.
    fn take_guards(&mut self, written: Written) {
        let Written { ours, kept } = written;
        self.kept = ours;
        let settings = &mut self.state.settings;
        if settings.write_policies == self.kept.write_policies && settings.write_policies != kept.write_policies {
            settings.write_policies.clone_from(&kept.write_policies);
            self.kept.write_policies = kept.write_policies;
            self.apply_write_policy();
        }
        let settings = &mut self.state.settings;
        if settings.allowed_origins == self.kept.allowed_origins && settings.allowed_origins != kept.allowed_origins {
            settings.allowed_origins.clone_from(&kept.allowed_origins);
            self.kept.allowed_origins = kept.allowed_origins;
            self.hold_origins();
        }
    }
}
