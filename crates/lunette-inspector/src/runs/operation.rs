//! The titles of bulk operations, and whether they can be undone.

use std::path::PathBuf;

use crate::capability::Capability;
use crate::change::{CHANGES, Change, Edit, Field, Item, Reads, Recovery, Undo};
use crate::journal::asked_title;
use crate::runs::{BulkOperation, ExportTarget, Run, RunContext, Task};
use crate::write::plan::UndoKind;
use lunette_client::model::display::capitalized;
use lunette_client::model::id::AssetId;
use lunette_client::model::size::plural;

/// The title of a run that restores or permanently deletes this many assets of the Trash; `None` for other changes.
pub fn trash_title(change: &Change, count: usize) -> Option<String> {
    (change.info().reads == Reads::Trash).then(|| change.title(&plural(count, "asset")))
}

impl BulkOperation {
    /// The task for one asset.
    pub fn task(&self, asset: &AssetId, name: &str) -> Task {
        let asset = asset.clone();
        Task::Change(match self.clone() {
            Self::Link(item) => Change::Link { asset, item },
            Self::LinkNew { kind, text, url, unlink } => Change::LinkNew { asset, kind, text, url, unlink },
            Self::Unlink(item) => Change::Unlink { asset, item },
            Self::Relink { link, unlink } => Change::Relink { asset, link: vec![link], unlink },
            Self::Reclassify(to) => Change::Reclassify { asset, from: None, to },
            Self::Favourite(on) => {
                let edit = Edit { field: Field::Favorited, from: None, to: on.into() };
                Change::Edit { asset, edits: vec![edit] }
            }
            Self::Increment(counter) => Change::Increment { asset, counter, from: None },
            Self::Delete => Change::Delete { asset, name: name.to_owned(), made: None },
            Self::Export { .. } => return Task::Export(asset),
        })
    }

    /// The destination of an export operation.
    pub(super) fn target(&self) -> Option<PathBuf> {
        match self {
            Self::Export { to: ExportTarget::Folder(path) | ExportTarget::Zip(path), .. } => Some(path.clone()),
            _ => None,
        }
    }
}

impl RunContext {
    /// The title of a started run, for the history and messages: "Linked tag “rust” to 3 assets". A title from a plan
    /// file is not changed: only our own are known to begin with a verb.
    pub fn past_title(&self, run: &Run) -> String {
        asked_title(self.past_title_alone(run), self.asked_by.as_ref())
    }

    /// The title without the assistant that asked for the run.
    fn past_title_alone(&self, run: &Run) -> String {
        let count = run.rows.len();
        let own = match (&self.operation, self.tasks.first()) {
            (Some(operation), _) => Some(operation.title(count)),
            (None, Some(Task::Change(change))) => trash_title(change, count),
            (None, Some(Task::Export(_)) | None) => None,
        };
        if own.as_ref() != Some(&run.title) {
            return run.title.clone();
        }
        let of_changes = CHANGES.iter().map(|info| (info.verb, info.past));
        let past =
            |(verb, past): (&str, &str)| Some(format!("{past} {}", run.title.strip_prefix(verb)?.strip_prefix(' ')?));
        let past = of_changes.chain([("Add", "Added"), ("Export", "Exported")]).find_map(past);
        past.unwrap_or_else(|| run.title.clone())
    }
}

impl BulkOperation {
    /// The title: "Link tag “rust” to 3 assets".
    pub fn title(&self, count: usize) -> String {
        let assets = plural(count, "asset");
        match (self, self.example()) {
            (Self::Relink { link, unlink }, _) => {
                format!("Replace {} with “{}” on {assets}", Item::list(unlink), link.name())
            }
            (Self::Favourite(true), _) => format!("Add {assets} to favourites"),
            (Self::Favourite(false), _) => format!("Remove {assets} from favourites"),
            (Self::Export { kind, .. }, _) => format!("Export {assets} as {kind}"),
            (_, change) => change.map(|change| change.title(&assets)).unwrap_or_default(),
        }
    }

    /// Whether the run can be undone at a connection that restores deleted assets in this way.
    pub fn undo(&self, recovery: Recovery) -> UndoKind {
        let Some(change) = self.example() else {
            return UndoKind::Never("An export changes nothing in the service; the saved files stay".to_owned());
        };
        let info = change.info();
        match (info.undo, recovery, info.run_undo) {
            (Undo::ByRecovery, Recovery::Trash, _) => {
                UndoKind::By("The assets move to the Trash; Undo restores them".to_owned())
            }
            (Undo::ByRecovery, Recovery::Copy, _) => UndoKind::By(
                "This service has no Trash. Lunette keeps a copy of each asset, and Undo creates new assets from the \
                 copies, with new ids and without score, activity and conversations"
                    .to_owned(),
            ),
            (_, _, Some(how)) => UndoKind::By(how.to_owned()),
            (_, _, None) => UndoKind::Never(change.irreversible_reason(recovery).map(capitalized).unwrap_or_default()),
        }
    }

    /// What the service must support.
    pub fn capability(&self) -> Capability {
        self.example().map_or(Capability::Export, |change| change.capability())
    }

    /// Its change of some asset; `None` for an export.
    fn example(&self) -> Option<Change> {
        match self.task(&AssetId::random(), "") {
            Task::Change(change) => Some(change),
            Task::Export(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::LinkKind;
    use crate::runs::RunRecord;
    use lunette_client::model::id::AssetId;

    #[test]
    fn the_title_of_an_operation_counts_its_assets() {
        assert_eq!(BulkOperation::Delete.title(1), "Delete 1 asset");
        assert_eq!(BulkOperation::Reclassify("rs".to_owned()).title(100_000), "Reclassify 100,000 assets to Rust");
    }

    #[test]
    fn an_item_without_a_text_is_named_by_its_id() {
        let item = |text: &str| Item::new(LinkKind::Tag, "t1", text, None);
        assert_eq!(BulkOperation::Link(item("rust")).title(1), "Link tag “rust” to 1 asset");
        assert_eq!(BulkOperation::Link(item("")).title(1), "Link tag “t1” to 1 asset");
        assert_eq!(BulkOperation::Unlink(item(" ")).title(2), "Remove tag “t1” from 2 assets");
    }

    #[test]
    fn the_title_of_a_started_run_is_in_the_past_tense() {
        let new = BulkOperation::LinkNew { kind: LinkKind::Tag, text: "x".to_owned(), url: None, unlink: Vec::new() };
        let wishes = [
            (new, "Created and linked tag “x” to 3 assets"),
            (BulkOperation::Delete, "Deleted 3 assets"),
            (BulkOperation::Favourite(true), "Added 3 assets to favourites"),
            (BulkOperation::Favourite(false), "Removed 3 assets from favourites"),
        ];
        for (operation, past) in wishes {
            assert_eq!(past_title(&operation.title(3), Some(operation), |_| unreachable!()), past);
        }
        let restore = |asset| Change::Restore { asset, name: String::new() };
        assert_eq!(past_title("Restore 3 assets", None, restore), "Restored 3 assets");
        let purge = |asset| Change::Purge { asset, name: String::new() };
        assert_eq!(past_title("Delete 3 assets permanently", None, purge), "Deleted 3 assets permanently");
    }

    #[test]
    fn a_title_from_a_plan_file_is_kept() {
        for title in ["Export for Bob", "Delete 4 assets", "Links of May"] {
            assert_eq!(past_title(title, Some(BulkOperation::Delete), |_| unreachable!()), title);
        }
        let delete = |asset| Change::Delete { asset, name: String::new(), made: None };
        assert_eq!(past_title("Delete what Bob left", None, delete), "Delete what Bob left");
    }

    /// The title of a started run of three assets.
    fn past_title(title: &str, operation: Option<BulkOperation>, change: impl Fn(AssetId) -> Change) -> String {
        let assets: Vec<_> = (0..3).map(|_| (AssetId::random(), String::new())).collect();
        let title = title.to_owned();
        let task = |(asset, name): (AssetId, String)| (Task::Change(change(asset)), name);
        let record = match operation {
            Some(operation) => RunRecord::of_operation(title, operation, &assets, 1),
            None => RunRecord::of_tasks(title, assets.into_iter().map(task).collect(), 1),
        };
        record.rest.past_title(&record.run)
    }
}
