//! Previews an import before anything is sent: always for libraries of other programs and archives, on request for
//! plain files.
//!
//! What must hold: reading sends nothing and can be cancelled; closing a preview cancels its reading, but not a running
//! import.

mod actions;
pub mod content;
pub mod read;
pub mod row;
mod send;
mod state;

use std::path::PathBuf;
use std::sync::Arc;

use crate::background::Work;
use crate::context::Context;
use crate::db::Database;
use crate::filter::{Filter, List};
use crate::import::known_libraries::{self, Machine};
use crate::import::sources::LibraryAmongFiles;
use crate::import::{Imports, Output, headless};
use crate::listing::{APPLIED_AT_ONCE, Query, RowList, apply_query};
use crate::notifications::{NotificationAction, Severity};
use crate::tasks::{CancelFlag, Ended, TaskId, blocking};
use crate::{Action as AppAction, Remote};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetsIdentifiersSnapshot;

pub use actions::Action;
pub(crate) use send::SentOutput;
pub use state::{Preview, Previews, Sent};

use content::{Content, PreviewRow};
use read::{PreviousImports, ReadAs, ReadError, ReadRequest, read};

/// The content of a preview; `None` if the paths contain no library and only libraries were requested.
pub(crate) type ReadEnd = Result<Option<Box<Content>>, ReadError>;

impl Imports {
    /// Opens the page, and searches the known places of a machine for libraries.
    fn show_page(&mut self, machine: Option<Machine>, cx: &mut Context<'_>) {
        let mut page = Remote::NotRequested;
        page.start_loading();
        self.previews.page = Some(page);
        let find = move || Ok(machine.as_ref().map(known_libraries::find).unwrap_or_default());
        cx.run_blocking(find, Output::LibrariesFound);
    }

    pub(super) fn libraries_found(&mut self, end: Result<Vec<known_libraries::KnownLibrary>, Ended>) {
        if let Some(page) = &mut self.previews.page {
            page.resolve(end.map(Arc::new).map_err(|ended| ended.to_string()));
        }
    }

    /// Imports dropped or chosen paths: plain files at once, anything else after a preview.
    pub(super) fn import_recognised(&mut self, paths: Vec<PathBuf>, cx: &mut Context<'_>) {
        let number = self.previews.next();
        let reading = ReadRequest { paths: paths.clone(), libraries_only: true, ..ReadRequest::default() };
        let title = format!("Checking {}", headless::what(&paths));
        let output = move |end| Output::Recognised { number, paths, end };
        start(reading, title, output, cx);
    }

    pub(super) fn recognised(&mut self, number: u64, paths: Vec<PathBuf>, end: ReadEnd, cx: &mut Context<'_>) {
        match end {
            Ok(None) => self.import_files(paths, cx),
            Err(ReadError::Cancelled) => cx.show_success("Cancelled; nothing was imported".to_owned()),
            // An open preview is not replaced by files that were dropped before it.
            Ok(Some(content)) if content.plans.is_empty() && self.previews.open.is_some() => {
                self.import_files(paths, cx);
            }
            Ok(Some(_)) | Err(ReadError::Failed(_)) if self.previews.open.is_some() => {
                cx.show_success(format!(
                    "{} was not previewed, because another preview is open",
                    headless::what(&paths)
                ));
            }
            Ok(Some(content)) if content.plans.is_empty() => {
                let (text, preview) = offer(&paths, &content.offered);
                let offers = vec![NotificationAction { label: "Preview", actions: vec![preview.into()] }];
                self.import_files(paths, cx);
                cx.notify_offering(Severity::Done, text, offers);
            }
            Ok(Some(content)) => {
                let mut preview = Preview { number, paths, ..Preview::default() };
                preview.show(*content);
                self.open_preview(preview, cx);
            }
            Err(ReadError::Failed(problem)) => {
                let content = Remote::Failed { error: problem, previous: None };
                self.open_preview(Preview { number, paths, content, ..Preview::default() }, cx);
            }
        }
    }

    /// Previews these paths.
    pub(super) fn preview(&mut self, paths: Vec<PathBuf>, read_as: ReadAs, cx: &mut Context<'_>) {
        if paths.is_empty() || self.is_sending() {
            return;
        }
        self.open_preview(Preview { paths, read_as, ..Preview::default() }, cx);
        self.read_preview(cx);
    }

    /// Opens a preview, with all of its rows shown: a filter is for one import.
    fn open_preview(&mut self, preview: Preview, cx: &mut Context<'_>) {
        cx.see(|view| {
            if let Some(list) = view.lists.get_mut(List::Import.key()) {
                list.filter.clear();
            }
        });
        self.previews.list.query.filter = Filter::default();
        self.previews.open = Some(Box::new(preview));
        self.show_rows(cx);
    }

    /// Returns whether an import of the open preview is running.
    fn is_sending(&self) -> bool {
        self.previews.open.as_ref().is_some_and(|preview| preview.sending.is_some())
    }

    /// Changes the request of the preview, and reads it again.
    fn change_preview(&mut self, change: impl FnOnce(&mut Preview), cx: &mut Context<'_>) {
        if let Some(preview) = self.previews.open.as_deref_mut().filter(|preview| preview.sending.is_none()) {
            change(preview);
            self.read_preview(cx);
        }
    }

    /// Reads the open preview; its previous content remains until then.
    fn read_preview(&mut self, cx: &mut Context<'_>) {
        let number = self.previews.next();
        let Some(preview) = self.previews.open.as_deref_mut().filter(|preview| preview.sending.is_none()) else {
            return;
        };
        if let Some(task) = preview.reading.take() {
            cx.request(AppAction::Cancel(task));
        }
        preview.number = number;
        preview.content.start_loading();
        let Preview { paths, mapping, read_as, taken_ids, .. } = &*preview;
        let (paths, mapping, read_as, taken_ids) = (paths.clone(), *mapping, *read_as, *taken_ids);
        let reading = ReadRequest { paths: paths.clone(), mapping, read_as, libraries_only: false, taken_ids };
        let title = format!("Reading {}", headless::what(&paths));
        let output = move |end| Output::Previewed { number, end };
        preview.reading = Some(start(reading, title, output, cx));
    }

    pub(super) fn previewed(&mut self, number: u64, end: ReadEnd, cx: &mut Context<'_>) {
        let Some(preview) = self.previews.numbered(number) else { return };
        preview.reading = None;
        match end {
            Ok(content) => preview.show(content.map(|content| *content).unwrap_or_default()),
            Err(error) => preview.content.resolve(Err(error.to_string())),
        }
        self.show_rows(cx);
    }

    /// Lists the rows of the open preview.
    fn show_rows(&mut self, cx: &mut Context<'_>) {
        let content = self.previews.open.as_ref().and_then(|preview| preview.content.value());
        let rows = content.map(|content| content.rows.clone()).unwrap_or_default();
        let list = &mut self.previews.list;
        if list.rows.value().is_none_or(|before| !before.same(&rows)) {
            list.order = Arc::default();
        }
        list.rows = Remote::Known(rows);
        self.apply_query(cx);
    }

    /// Filters and sorts the rows of the open preview; in the background if they are many.
    pub(crate) fn apply_query(&mut self, cx: &mut Context<'_>) {
        let list = &mut self.previews.list;
        let Some(rows) = list.rows.value().cloned() else { return };
        let query = list.query.clone();
        if rows.len() <= APPLIED_AT_ONCE {
            list.order = Arc::new(apply_query(&rows, &query));
            return;
        }
        if std::mem::replace(&mut list.applying_query, true) {
            return;
        }
        let (of, with) = (rows.clone(), query.clone());
        let sort = blocking(move || apply_query(&of, &with));
        cx.run_reporting("Could not sort the items to import", sort, |order| {
            let order = order.unwrap_or_else(|_| (0..).take(rows.len()).collect());
            Output::QueryApplied { rows, query, order }
        });
    }

    /// Shows an order that was computed in the background. If the query or the rows changed meanwhile, it is computed
    /// again.
    pub(super) fn query_applied(
        &mut self,
        rows: &RowList<PreviewRow>,
        query: &Query,
        order: Vec<u32>,
        cx: &mut Context<'_>,
    ) {
        let list = &mut self.previews.list;
        list.applying_query = false;
        let is_same = list.rows.value().is_some_and(|now| now.same(rows));
        if is_same {
            list.order = Arc::new(order);
        }
        if !is_same || list.query != *query {
            self.apply_query(cx);
        }
    }

    fn close_preview(&mut self, cx: &mut Context<'_>) {
        self.previews.page = None;
        self.previews.list.clear();
        let Some(preview) = self.previews.open.take() else { return };
        let receipt = preview.sent.as_ref().and_then(|sent| sent.reading);
        for task in [preview.reading, receipt].into_iter().flatten() {
            cx.request(AppAction::Cancel(task));
        }
        cx.discard(preview);
    }
}

/// Returns the message about libraries in folders that are imported as files, and the preview of these libraries.
fn offer(paths: &[PathBuf], libraries: &[LibraryAmongFiles]) -> (String, Action) {
    let what = headless::what(paths);
    match libraries {
        [LibraryAmongFiles { source, path }] => {
            let place = match paths.contains(path) {
                true => "between its other files".to_owned(),
                false => format!("in {}", path.display()),
            };
            let text =
                format!("{what} is imported as plain files. It also has a library of {}, {place}", source.program());
            (text, Action::ShowLibrary(path.clone(), *source))
        }
        libraries => {
            let text = format!(
                "{what} is imported as plain files. It also has {} libraries of other programs",
                libraries.len()
            );
            (text, Action::Show(libraries.iter().map(|library| library.path.clone()).collect()))
        }
    }
}

/// Reads in the background, with progress and cancellation.
fn start(
    reading: ReadRequest,
    title: String,
    output: impl FnOnce(ReadEnd) -> Output + Send + 'static,
    cx: &mut Context<'_>,
) -> TaskId {
    let (cancel, work, client) = (CancelFlag::default(), cx.next_work(), cx.client());
    let (data, connection) = (cx.data(), cx.connection.key());
    let (report, flag) = (cx.reporter().progress(work), cancel.clone());
    let keeps_ids = cx.connection.vendor.is_lunette();
    let task = async move {
        let present = match client {
            // Without a list, deletions are unknown, so all assets count as existing.
            Ok(client) => client.call(AssetsIdentifiersSnapshot { pseudo: None }).await.ok(),
            Err(_) => None,
        };
        let ids = present
            .and_then(|listed| Some(listed.view().iterable()?.iter().map(|asset| asset.id().to_owned()).collect()));
        let read = blocking(move || {
            let database = match data.filter(|data| Database::exists(data)).map(|data| Database::open(&data)) {
                Some(Ok(opened)) => Some(opened.database),
                Some(Err(error)) => return Err(ReadError::Failed(error.to_string())),
                None => None,
            };
            let kept = database.as_deref().map(|database| (database, connection.as_str()));
            read(&reading, &PreviousImports { database: kept, present: ids, keeps_ids }, report, &flag)
        });
        read.await?.map(|content| content.map(Box::new))
    };
    let task = cx.run(task, output);
    cx.show_work(work, task, title, Some(cancel));
    task
}

/// Returns the progress of a task: done and total; `None` while it is unknown.
pub fn progress_of(work: &[Work], task: TaskId) -> Option<(usize, usize)> {
    work.iter().find(|work| work.task == task)?.progress
}
