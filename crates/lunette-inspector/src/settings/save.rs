//! Writes the settings, while other windows write theirs to the same database.
//!
//! What must hold: one write at a time in all windows; changes of other windows are kept; their changes of permissions
//! apply in this window too.

use std::collections::BTreeSet;
use std::path::Path;

use crate::background::SaveState;
use crate::context::Context;
use crate::db::{Database, DatabaseError};
use crate::event::SettingsEvent;
use crate::notifications::Topic;
use crate::output::{TaskOutput, TaskResult};
use crate::settings::{Settings, merge};
use crate::tasks::Ended;
use lunette_client::client::WritePolicy;

/// The name of the field of the write policies.
const WRITE_POLICIES: &str = "write_policies";

/// The result of a write.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SaveResult {
    /// The settings that this window wrote.
    ours: Settings,
    /// The settings as they are in the database.
    saved: Settings,
}

impl Settings {
    /// The applications whose updates are not reported, as stored in a database. Blocks.
    pub(crate) fn quiet_updates_in(database: &Database) -> Result<BTreeSet<String>, DatabaseError> {
        Ok(Self::of_fields(&database.settings()?.fields).quiet_updates)
    }

    /// The write policy that the user chose for a connection, as stored in a database; `None` if none was chosen. Blocks.
    pub fn write_policy_in(database: &Database, connection: &str) -> Result<Option<WritePolicy>, DatabaseError> {
        Ok(Self::of_fields(&database.settings_of(WRITE_POLICIES)?).write_policies.get(connection).copied())
    }

    /// Writes the differences from `base`, the settings that were last read or written, to a data folder; returns the
    /// stored settings. Blocks.
    pub fn save(&self, base: &Self, data: &Path) -> Result<Self, DatabaseError> {
        let database = Database::open(data)?.database;
        let (base, ours) = (base.fields()?, self.fields()?);
        let saved = database.change_settings(|theirs| {
            let both = Self::of_fields(theirs).fields().and_then(|theirs| {
                serde_json::from_value::<Self>(merge::merged(&base, &ours, &theirs))?.corrected().fields()
            });
            // If the merged fields are not valid settings, ours are used.
            both.unwrap_or_else(|_| ours.clone())
        })?;
        Ok(Self::of_fields(&saved))
    }
}

/// Why the settings were not saved.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotSaved {
    /// The database cannot be written.
    #[error("Could not save the settings: {0}")]
    Database(#[from] DatabaseError),
    /// The file of the words that mean the same cannot be written.
    #[error("Could not save the words that mean the same: {0}")]
    Synonyms(std::io::Error),
    /// The work panicked or was cancelled.
    #[error("Could not save the settings: {0}")]
    Ended(#[from] Ended),
}

/// The end of a write of the settings, or of the words that mean the same.
pub(crate) enum Output {
    Settings(Result<Box<SaveResult>, NotSaved>),
    Synonyms(Result<(), NotSaved>),
}

impl TaskResult for Output {
    fn into_output(self) -> TaskOutput {
        TaskOutput::Settings(self)
    }

    fn outlives_its_connection(&self) -> bool {
        true
    }
}

impl Context<'_> {
    /// Changes the settings and saves them in the background.
    pub(crate) fn set(&mut self, change: impl FnOnce(&mut Settings)) {
        let before = self.preferences.settings.clone();
        change(&mut self.preferences.settings);
        if self.preferences.settings != before {
            self.save_settings();
        }
    }

    /// Writes the settings; one write at a time, so that the last change is the last one stored.
    pub(crate) fn save_settings(&mut self) {
        let Some(data) = self.setup().data.clone() else { return };
        match self.preferences.saving {
            SaveState::No => self.preferences.saving = SaveState::Writing,
            SaveState::Writing | SaveState::Again => {
                self.preferences.saving = SaveState::Again;
                return;
            }
        }
        let (base, ours) = (self.preferences.saved.clone(), self.preferences.settings.clone());
        let save = move || {
            let saved = ours.save(&base, &data)?;
            Ok(Box::new(SaveResult { ours, saved }))
        };
        self.run_blocking(save, Output::Settings);
    }

    /// Handles the end of a write.
    pub(crate) fn settings_written(&mut self, output: Output) {
        match output {
            Output::Settings(end) => self.settings_saved(end),
            Output::Synonyms(end) => self.synonyms_saved(end),
        }
    }

    fn settings_saved(&mut self, end: Result<Box<SaveResult>, NotSaved>) {
        match end {
            Ok(written) => {
                self.resolve(Topic::Settings);
                self.adopt_guards(*written);
            }
            Err(error) => self.notify_failed(Topic::Settings, error.to_string(), Vec::new()),
        }
        if std::mem::replace(&mut self.preferences.saving, SaveState::No) == SaveState::Again {
            self.save_settings();
        }
    }

    /// Applies the changes of another window to allowed pages and write policies, unless this one changed them since.
    /// The appearance of other windows does not matter here.
    fn adopt_guards(&mut self, written: SaveResult) {
        let SaveResult { ours, saved } = written;
        self.preferences.saved = ours;
        let settings = &mut self.preferences.settings;
        if settings.write_policies == self.preferences.saved.write_policies
            && settings.write_policies != saved.write_policies
        {
            settings.write_policies.clone_from(&saved.write_policies);
            self.preferences.saved.write_policies = saved.write_policies;
            self.emit(SettingsEvent::WritePolicies);
        }
        let settings = &mut self.preferences.settings;
        if settings.allowed_origins == self.preferences.saved.allowed_origins
            && settings.allowed_origins != saved.allowed_origins
        {
            settings.allowed_origins.clone_from(&saved.allowed_origins);
            self.preferences.saved.allowed_origins = saved.allowed_origins;
            self.emit(SettingsEvent::Origins);
        }
    }
}
