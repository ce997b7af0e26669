//! Watched folders: kept in step with a service while the window is open. New and changed files are imported, or listed
//! until the user imports them.
//!
//! What must hold: nothing is watched that was not asked for; a file or folder that goes away deletes nothing; what is
//! imported is a step of the history like any other import; where the connection asks before writes, or forbids them,
//! files are listed and not imported; what was edited at the service is never replaced by a file.
//!
//! Our choice: a changed file updates the asset that it became. Where the content of that asset was edited since, the file
//! is doubtful: it is listed with the reason, and becomes a new asset only by a click.

mod actions;
pub mod follow;
pub mod gather;
mod output;
mod state;

pub use actions::Action;
pub(crate) use output::Output;
pub use state::{FolderState, FolderStatus, Watch};

use lunette_client::client::Purpose;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::action::ImportAction;
use crate::capability::Capability;
use crate::context::Context;
use crate::db::DatabaseError;
use crate::import::changed_files::compare;
use crate::import::detect::{
    Changes, FoundFile, ImportedFiles, MissingFolder, find_changes, load_imported, record_up_to_date,
};
use crate::notifications::Severity;
use crate::output::ProgressEvent;
use crate::settings::{OnChange, WatchedFolder};
use crate::setup::picked;
use crate::tasks::{Ended, blocking};

use follow::{FolderEvent, follow};
use gather::Pauses;

/// Why it is not known what is new in a folder.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum WatchError {
    /// It was deleted or moved.
    #[error(transparent)]
    Missing(#[from] MissingFolder),
    /// What was imported from it cannot be read or recorded.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The work panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

impl Watch {
    /// Follows the folders of the connection that is used now.
    pub(crate) fn start(&mut self, cx: &mut Context<'_>) {
        let connection = cx.connection.key();
        let folders = cx.preferences.settings.watched.iter();
        let folders = folders.filter(|folder| folder.connection == connection && !folder.paused);
        let paths: Vec<_> = folders.map(|folder| folder.path.clone()).collect();
        paths.into_iter().for_each(|path| self.follow(path, cx));
    }

    /// Follows nothing any more; what is under way for a folder ends by itself.
    pub(crate) fn leave(&mut self) {
        *self = Self::default();
    }

    fn follow(&mut self, path: PathBuf, cx: &mut Context<'_>) {
        let (events, of) = (cx.reporter(), path.clone());
        let tell = move |event| events.report(ProgressEvent::Watched { folder: of.clone(), event });
        let follower = follow(&cx.setup().runtime, path.clone(), Pauses::default(), tell);
        self.folders.insert(path, FolderState { follower: Some(follower), ..FolderState::default() });
    }

    /// The system told of a folder.
    pub(crate) fn handle_event(&mut self, path: &Path, event: FolderEvent, cx: &mut Context<'_>) {
        let Some(folder) = self.folders.get_mut(path) else { return };
        match event {
            FolderEvent::Changed(changes) => {
                folder.waiting = Some(match folder.waiting.take() {
                    Some(before) => before.and(changes),
                    None => changes,
                });
                self.find_changes(path, cx);
            }
            FolderEvent::Ended(problem) => self.ended(path, problem, cx),
        }
    }

    fn ended(&mut self, path: &Path, problem: String, cx: &mut Context<'_>) {
        let Some(folder) = self.folders.get_mut(path) else { return };
        folder.follower = None;
        cx.notify(Severity::Failed, format!("Stopped watching a folder: {problem}"));
        folder.status = FolderStatus::Ended(problem);
    }

    /// Looks what is new, unless that is done already: then it is done again afterwards.
    fn find_changes(&mut self, path: &Path, cx: &mut Context<'_>) {
        let Some(folder) = self.folders.get_mut(path).filter(|folder| !folder.status.is_busy()) else { return };
        let Some(changes) = folder.waiting.take() else { return };
        folder.status = FolderStatus::Looking;
        let (data, connection) = (cx.data(), cx.connection.key());
        let (client, vendor) = (cx.client().ok(), cx.connection.vendor);
        let (of, folder) = (path.to_owned(), path.to_owned());
        let work = async move {
            let scan = FolderScan { data, connection, folder };
            let (changes, found) = scan.find_changes(changes).await;
            let found = match (found, client) {
                (Ok(found), Some(client)) => {
                    let compared = compare(&client.for_run().for_purpose(Purpose::Part), vendor, found).await;
                    scan.keep(compared.up_to_date).await.map(|()| compared.found)
                }
                (found, _) => found,
            };
            Ok((changes, found))
        };
        cx.run(work, |end| {
            let (changes, found) = end.unwrap_or_else(|error: WatchError| (Changes::All, Err(error)));
            Output::Found(of, changes, found)
        });
    }

    fn found(
        &mut self,
        path: &Path,
        changes: &Changes,
        found: Result<Vec<FoundFile>, WatchError>,
        cx: &mut Context<'_>,
    ) {
        let Some(folder) = self.folders.get_mut(path) else { return };
        folder.status = FolderStatus::InStep;
        match found {
            Ok(found) => folder.add(changes, found),
            Err(error) => return self.ended(path, error.to_string(), cx),
        }
        if how(path, cx) == OnChange::Import && !asks(cx) {
            self.import(path, FoundFile::is_certain, cx);
        }
        self.find_changes(path, cx);
    }

    /// Imports what was found, as far as it is chosen.
    fn import(&mut self, path: &Path, chosen: impl Fn(&FoundFile) -> bool, cx: &mut Context<'_>) {
        let Some(folder) = self.folders.get_mut(path).filter(|folder| !folder.status.is_busy()) else { return };
        let (found, left): (Vec<_>, Vec<_>) = folder.found.iter().cloned().partition(chosen);
        if found.is_empty() {
            return;
        }
        folder.status = FolderStatus::Importing;
        folder.found = Arc::new(left);
        cx.request(ImportAction::Found(path.to_owned(), Arc::new(found)));
    }

    /// An import of what was found ended, or was not begun. What it did not take is listed again; where files are
    /// imported without a question it is not tried again until it changes.
    pub(crate) fn imported(&mut self, path: &Path, cx: &mut Context<'_>) {
        let lists = how(path, cx) == OnChange::List || asks(cx);
        let Some(folder) = self.folders.get_mut(path) else { return };
        folder.status = FolderStatus::InStep;
        if lists {
            folder.waiting = Some(Changes::All);
        }
        self.find_changes(path, cx);
    }

    fn add(&mut self, path: PathBuf, cx: &mut Context<'_>) {
        let connection = cx.connection.key();
        let is = |folder: &WatchedFolder| folder.path == path && folder.connection == connection;
        if cx.preferences.settings.watched.iter().any(is) {
            return cx.notify(Severity::Failed, format!("{} is watched already", path.display()));
        }
        let folder = WatchedFolder { path: path.clone(), connection, how: OnChange::List, paused: false };
        cx.set(|settings| settings.watched.push(folder));
        self.follow(path, cx);
    }

    fn remove(&mut self, path: &Path, cx: &mut Context<'_>) {
        self.folders.remove(path);
        let connection = cx.connection.key();
        cx.set(|settings| settings.watched.retain(|folder| folder.path != path || folder.connection != connection));
    }

    fn pause(&mut self, path: &Path, paused: bool, cx: &mut Context<'_>) {
        self.folders.remove(path);
        change(path, cx, |folder| folder.paused = paused);
        if !paused {
            self.follow(path.to_owned(), cx);
        }
    }

    fn set_how(&mut self, path: &Path, how: OnChange, cx: &mut Context<'_>) {
        change(path, cx, |folder| folder.how = how);
        if how == OnChange::Import {
            self.import(path, FoundFile::is_certain, cx);
        }
    }

    fn pick(&mut self, cx: &mut Context<'_>) {
        let dialogs = Arc::clone(&cx.setup().dialogs);
        let picking = dialogs.folder();
        cx.run(picked(picking, dialogs), Output::Picked);
    }
}

/// A folder at a connection, and where it is kept what was imported from it.
struct FolderScan {
    data: Option<PathBuf>,
    connection: String,
    folder: PathBuf,
}

impl FolderScan {
    /// What is new of these changes.
    async fn find_changes(&self, changes: Changes) -> (Changes, Result<Vec<FoundFile>, WatchError>) {
        let (data, connection, folder) = (self.data.clone(), self.connection.clone(), self.folder.clone());
        let of = changes.clone();
        let looked = blocking(move || {
            let known = match &data {
                Some(data) => load_imported(data, &connection, &folder)?,
                None => ImportedFiles::new(),
            };
            Ok(find_changes(&folder, &of, &known)?)
        });
        match looked.await {
            Ok(found) => (changes, found),
            Err(ended) => (Changes::All, Err(ended.into())),
        }
    }

    /// Keeps that the assets of these files have their content.
    async fn keep(&self, up_to_date: Vec<FoundFile>) -> Result<(), WatchError> {
        let Some(data) = self.data.clone().filter(|_| !up_to_date.is_empty()) else { return Ok(()) };
        let (connection, folder) = (self.connection.clone(), self.folder.clone());
        Ok(blocking(move || record_up_to_date(&data, &connection, &folder, &up_to_date)).await??)
    }
}

/// Whether nothing is sent without a question, or at all.
fn asks(cx: &Context<'_>) -> bool {
    cx.confirms() || cx.write_obstacle(Capability::CreateAsset).is_some()
}

/// What happens to new files of a folder.
fn how(path: &Path, cx: &Context<'_>) -> OnChange {
    let connection = cx.connection.key();
    let mut folders = cx.preferences.settings.watched.iter();
    let folder = folders.find(|folder| folder.path == path && folder.connection == connection);
    folder.map(|folder| folder.how).unwrap_or_default()
}

fn change(path: &Path, cx: &mut Context<'_>, change: impl Fn(&mut WatchedFolder)) {
    let connection = cx.connection.key();
    cx.set(|settings| {
        let folders = settings.watched.iter_mut();
        folders.filter(|folder| folder.path == path && folder.connection == connection).for_each(change);
    });
}
