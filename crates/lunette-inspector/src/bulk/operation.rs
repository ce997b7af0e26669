//! The titles of bulk operations, and whether they can be undone.

use std::path::PathBuf;

use crate::bulk::{BulkOperation, ExportTarget, Run, RunContext, Task};
use crate::change::{Change, Edit, Field, Item, Recovery};
use crate::session::feature::Feature;
use crate::write::plan::UndoKind;
use lunette_client::model::id::AssetId;
use lunette_client::model::language::language;
use lunette_client::model::size::grouped;

/// The verbs of titles and their past tense; the longer ones first.
const PAST: [(&str, &str); 10] = [
    ("Create and link", "Created and linked"),
    ("Link", "Linked"),
    ("Remove", "Removed"),
    ("Replace", "Replaced"),
    ("Reclassify", "Reclassified"),
    ("Add", "Added"),
    ("Increment", "Incremented"),
    ("Export", "Exported"),
    ("Delete", "Deleted"),
    ("Restore", "Restored"),
];

/// The title of a run that restores or permanently deletes this many assets of the Trash; `None` for other changes.
pub fn trash_title(change: &Change, count: usize) -> Option<String> {
    let assets = assets(count);
    match change {
        Change::Restore { .. } => Some(format!("Restore {assets}")),
        Change::Purge { .. } => Some(format!("Delete {assets} permanently")),
        Change::Link { .. }
        | Change::LinkNew { .. }
        | Change::Unlink { .. }
        | Change::Relink { .. }
        | Change::Edit { .. }
        | Change::Record { .. }
        | Change::Text { .. }
        | Change::Reclassify { .. }
        | Change::Increment { .. }
        | Change::Create { .. }
        | Change::Delete { .. }
        | Change::Recreate { .. } => None,
    }
}

fn assets(count: usize) -> String {
    match count {
        1 => "1 asset".to_owned(),
        count => format!("{} assets", grouped(count as u64)),
    }
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
            Self::Link(_)
            | Self::LinkNew { .. }
            | Self::Unlink(_)
            | Self::Relink { .. }
            | Self::Reclassify(_)
            | Self::Favourite(_)
            | Self::Increment(_)
            | Self::Delete => None,
        }
    }
}

impl Run {
    /// A message about files for which it is unknown whether the run created an asset, if there are any.
    pub fn unconfirmed_text(&self) -> Option<String> {
        let (first, count) = (self.unconfirmed.first()?, self.unconfirmed.len());
        let files = match count {
            1 => format!("“{first}” was imported"),
            count => format!("“{first}” and {} more files were imported", grouped(count as u64 - 1)),
        };
        Some(format!(
            "it is unknown whether {files}; import them again, and those that are already there are not imported twice"
        ))
    }
}

impl RunContext {
    /// The title of a started run, for the history and messages: "Linked tag “rust” to 3 assets". A title from a plan
    /// file is not changed: only our own are known to begin with a verb.
    pub fn past_title(&self, run: &Run) -> String {
        let count = run.rows.len();
        let own = match (&self.operation, self.tasks.first()) {
            (Some(operation), _) => Some(operation.title(count)),
            (None, Some(Task::Change(change))) => trash_title(change, count),
            (None, Some(Task::Export(_)) | None) => None,
        };
        let past =
            |(verb, past): &(&str, &str)| Some(format!("{past} {}", run.title.strip_prefix(verb)?.strip_prefix(' ')?));
        let past = (own.as_ref() == Some(&run.title)).then(|| PAST.iter().find_map(past)).flatten();
        past.unwrap_or_else(|| run.title.clone())
    }
}

impl BulkOperation {
    /// The title: "Link tag “rust” to 3 assets".
    pub fn title(&self, count: usize) -> String {
        let assets = assets(count);
        match self {
            Self::Link(item) => format!("Link {} “{}” to {assets}", item.kind.one(), item.name()),
            Self::LinkNew { kind, text, unlink, .. } if unlink.is_empty() => {
                format!("Create and link {} “{text}” to {assets}", kind.one())
            }
            Self::LinkNew { kind, text, unlink, .. } => {
                format!("Replace {} with the new {} “{text}” on {assets}", Item::list(unlink), kind.one())
            }
            Self::Unlink(item) => format!("Remove {} “{}” from {assets}", item.kind.one(), item.name()),
            Self::Relink { link, unlink } => {
                format!("Replace {} with “{}” on {assets}", Item::list(unlink), link.name())
            }
            Self::Reclassify(to) => {
                let name = language(to).map_or(to.as_str(), |language| language.name);
                format!("Reclassify {assets} to {name}")
            }
            Self::Favourite(true) => format!("Add {assets} to favourites"),
            Self::Favourite(false) => format!("Remove {assets} from favourites"),
            Self::Increment(counter) => format!("Increment {} of {assets}", counter.as_str()),
            Self::Export { kind, .. } => format!("Export {assets} as {kind}"),
            Self::Delete => format!("Delete {assets}"),
        }
    }

    /// Whether the run can be undone at a connection that restores deleted assets in this way.
    pub fn undo(&self, recovery: Recovery) -> UndoKind {
        let by = |how: &str| UndoKind::By(how.to_owned());
        let never = |why: &str| UndoKind::Never(why.to_owned());
        match self {
            Self::Link(_) => by("Undo removes the links that this adds"),
            Self::LinkNew { unlink, .. } if unlink.is_empty() => {
                by("Undo removes the links; the new item itself stays")
            }
            Self::LinkNew { .. } => by("Undo restores the previous links of each asset; the new item itself stays"),
            Self::Unlink(_) => by("Undo adds the links again"),
            Self::Relink { .. } => by("Undo restores the previous links of each asset"),
            Self::Reclassify(_) => by("Undo restores the previous language of each asset"),
            Self::Favourite(_) => by("Undo restores the previous state of each asset"),
            Self::Increment(_) => never("A score cannot be decremented"),
            Self::Export { .. } => never("An export changes nothing in the service; the saved files stay"),
            Self::Delete => match recovery {
                Recovery::Trash => by("The assets move to the Trash; Undo restores them"),
                Recovery::Copy => by(
                    "This service has no Trash. Lunette keeps a copy of each asset, and Undo creates new assets from \
                     the copies, with new ids and without score, activity and conversations",
                ),
                Recovery::None => never("This service can neither restore a deleted asset nor create a new one"),
            },
        }
    }
}

impl BulkOperation {
    /// The feature that it needs.
    pub fn feature(&self) -> Feature {
        match self {
            Self::Link(item) => Feature::Link(item.kind),
            Self::LinkNew { kind, unlink, .. } if unlink.is_empty() => Feature::LinkNew(*kind),
            Self::LinkNew { kind, .. } => Feature::RelinkNew(*kind),
            Self::Unlink(item) => Feature::Unlink(item.kind),
            Self::Relink { link, .. } => Feature::Relink(link.kind),
            Self::Reclassify(_) => Feature::Reclassify,
            Self::Favourite(_) => Feature::Edit,
            Self::Increment(_) => Feature::Score,
            Self::Export { .. } => Feature::Export,
            Self::Delete => Feature::Delete,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bulk::RunRecord;
    use crate::change::LinkKind;
    use lunette_client::model::id::AssetId;

    #[test]
    fn the_title_of_an_operation_counts_its_assets() {
        assert_eq!(BulkOperation::Delete.title(1), "Delete 1 asset");
        assert_eq!(BulkOperation::Reclassify("rs".to_owned()).title(100_000), "Reclassify 100,000 assets to Rust");
    }

    #[test]
    fn an_item_without_a_text_is_named_by_its_id() {
        let item = |text: &str| Item { kind: LinkKind::Tag, id: "t1".to_owned(), text: text.to_owned(), url: None };
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
