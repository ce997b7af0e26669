//! The state of previews and receipts.

use std::path::PathBuf;
use std::sync::Arc;

use super::content::{Content, PreviewRow};
use super::read::ReadAs;
use crate::Remote;
use crate::import::ImportSummary;
use crate::import::engine::TakenIds;
use crate::import::known_libraries::KnownLibrary;
use crate::import::mapping::Mapping;
use crate::import::receipt::Receipt;
use crate::journal::EntryId;
use crate::listing::Listing;
use crate::tasks::TaskId;

/// The page that lists what can be imported, and the preview of one import.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Previews {
    /// The libraries found on this machine, while the page is open.
    pub page: Option<Remote<Arc<Vec<KnownLibrary>>, String>>,
    /// The open preview, in front of the page.
    pub open: Option<Box<Preview>>,
    /// The rows of the open preview.
    pub list: Listing<PreviewRow>,
    /// Counts the previews.
    pub(super) number: u64,
}

impl Previews {
    /// Returns the open preview if it has this number.
    pub(super) fn numbered(&mut self, number: u64) -> Option<&mut Preview> {
        self.open.as_deref_mut().filter(|preview| preview.number == number)
    }

    /// Returns a number for another preview.
    pub(super) fn next(&mut self) -> u64 {
        self.number += 1;
        self.number
    }
}

/// The preview of an import, and its result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preview {
    /// Its number; results for earlier numbers are ignored.
    pub number: u64,
    /// What is imported.
    pub paths: Vec<PathBuf>,
    /// How folders, fragments and triggers are mapped.
    pub mapping: Mapping,
    /// What the paths are read as.
    pub read_as: ReadAs,
    /// What happens to items whose ids are taken; `None` if the user has not said so yet.
    pub taken_ids: Option<TakenIds>,
    /// Its content; the error is a sentence.
    pub content: Remote<Arc<Content>, String>,
    /// Which rows are marked for import.
    pub marks: Arc<Vec<bool>>,
    /// The number of marked rows.
    pub marked: usize,
    /// The task that reads.
    pub reading: Option<TaskId>,
    /// The task that imports.
    pub sending: Option<TaskId>,
    /// The result of the import.
    pub sent: Option<Sent>,
}

/// The result of an import.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// The summary.
    pub summary: Arc<ImportSummary>,
    /// The step to undo, if anything was created.
    pub undo: Option<EntryId>,
    /// The receipt.
    pub receipt: Remote<Arc<Receipt>, String>,
    /// The task that reads the receipt.
    pub reading: Option<TaskId>,
}

impl Preview {
    /// Whether the user must say first what happens to items whose ids are taken.
    pub fn asks_about_ids(&self) -> bool {
        self.taken_ids.is_none() && self.content.value().is_some_and(|content| content.taken > 0)
    }

    /// Marks or unmarks rows; rows that cannot be imported are never marked.
    pub(super) fn mark(&mut self, rows: &[u32], marked: bool) {
        let Some(content) = self.content.value() else { return };
        let marks = Arc::make_mut(&mut self.marks);
        for row in rows.iter().map(|row| *row as usize) {
            if let (Some(mark), Some(shown)) = (marks.get_mut(row), content.rows.get(row)) {
                *mark = marked && shown.obstacle.is_none();
            }
        }
        self.marked = marks.iter().filter(|mark| **mark).count();
    }

    /// Sets the content. The marks are kept if the rows are the same.
    pub(super) fn show(&mut self, content: Content) {
        let rows =
            |content: &Content| content.rows.iter().map(|row| (row.path.clone(), row.status)).collect::<Vec<_>>();
        let same = self.content.value().is_some_and(|before| rows(before) == rows(&content));
        if !same {
            self.marks = Arc::new(content.default_marks());
        }
        self.marked = self.marks.iter().filter(|mark| **mark).count();
        self.content.resolve(Ok(Arc::new(content)));
    }
}

#[cfg(test)]
mod tests {
    use lunette_sources::Source;

    use super::*;
    use crate::import::sources::open;
    use crate::tasks::CancelFlag;

    fn preview(json: &str) -> Preview {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("snippets.json");
        std::fs::write(&path, json).expect("written");
        let plan = open(&path, Some(Source::RAYCAST), Mapping::default(), &CancelFlag::default()).expect("opened");
        let mut preview = Preview::default();
        preview.show(Content::of(vec![plan.library().expect("a library")], Vec::new(), &[], 0));
        preview
    }

    #[test]
    fn new_items_are_marked_and_rows_that_cannot_be_imported_never_are() {
        let mut preview =
            preview(r#"[{"name": "a", "text": "x"}, {"name": "b", "text": "y"}, {"name": "a", "text": "x"}]"#);
        assert_eq!(*preview.marks, [true, true, false]);
        preview.mark(&[0, 2, 99], false);
        assert_eq!((preview.marks.as_slice(), preview.marked), ([false, true, false].as_slice(), 1));
        preview.mark(&[0, 2], true);
        assert_eq!((preview.marks.as_slice(), preview.marked), ([true, true, false].as_slice(), 2));
    }

    #[test]
    fn marks_are_kept_when_the_same_items_are_read_again() {
        let mut preview = preview(r#"[{"name": "a", "text": "x"}, {"name": "b", "text": "y"}]"#);
        preview.mark(&[0], false);
        let again = Content::clone(preview.content.value().expect("content"));
        preview.show(again);
        assert_eq!(*preview.marks, [false, true]);
    }
}
