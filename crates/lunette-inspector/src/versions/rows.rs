//! Versions of an asset, and assets as they were, as rows that are printed.

use std::collections::HashMap;

use lunette_client::model::id::VersionNumber;
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::version::{AssetVersion, AssetVersions, PastAssetRow};
use serde_json::{Value as Json, json};

use super::TextChange;
use crate::journal::Entry;
use crate::listing::{Column, Columns, Value};

/// A version of an asset in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionRow {
    /// Its number.
    pub number: i64,
    /// When it was written, as RFC 3339 has it; empty where that is not recorded.
    pub at: String,
    /// Who wrote it; empty where that is not recorded.
    pub who: String,
    /// The title of the step of the history that wrote it; empty where that is not known.
    pub step: String,
    /// What is different from the version before, separated by commas.
    pub changed: String,
    /// How many lines were added and removed, such as `+3 −1`; empty where that is not known.
    pub lines: String,
    /// The first line that differs.
    pub first_line: String,
    /// Whether it is what the asset is now.
    pub is_current: bool,
    /// Whether it cannot be read.
    pub is_missing: bool,
    /// What is not known of how it was written, in a sentence; empty where everything is.
    pub unknown: &'static str,
    /// What is to be known of it: that it is what the asset is now, that it was deleted, why it cannot be read, or
    /// which secret it may hold.
    pub note: String,
    record: Json,
}

impl VersionRow {
    /// The rows of a list, the newest first.
    pub fn all(versions: &AssetVersions) -> Vec<Self> {
        let view = versions.view();
        let mut rows: Vec<Self> = view.iterable().iter().map(Self::of).collect();
        for index in 0..rows.len() {
            let unknown = match rows.get(index + 1) {
                Some(earlier) => rows[index].unknown_after(earlier),
                None => rows[index].unknown_of_first(view.ended().is_some()),
            };
            rows[index].set_unknown(unknown);
        }
        rows
    }

    /// Names the steps of the history that wrote these versions.
    pub fn mark_steps(rows: &mut [Self], steps: &HashMap<i64, &Entry>) {
        for row in rows {
            if let Some(step) = steps.get(&row.number) {
                row.step.clone_from(&step.title);
                row.record["step"] = json!({ "id": step.id, "title": step.title });
            }
        }
    }

    /// Whether a client of this program wrote it.
    pub(super) fn is_by_lunette(&self) -> bool {
        self.record["client"].as_str().is_some_and(|client| client.starts_with("lunette"))
    }

    /// What is not known of how it was written, from the version before it.
    fn unknown_after(&self, earlier: &Self) -> &'static str {
        match (self.is_missing, self.at.is_empty(), self.changed.is_empty(), earlier.is_missing) {
            (true, ..) | (false, false, false, _) => "",
            (false, true, false, _) => "written while no versions were kept: when and by whom is not known",
            (false, true, true, _) => {
                "written while no versions were kept: what changed, when and by whom is not known"
            }
            (false, false, true, true) => "the version before it cannot be read: what changed is not known",
            (false, false, true, false) => "what changed is not known",
        }
    }

    /// What is not known of how the first version was written; `ended` is whether there were earlier ones, which are no
    /// longer kept.
    fn unknown_of_first(&self, ended: bool) -> &'static str {
        match (self.is_missing || !self.changed.is_empty(), ended, self.at.is_empty()) {
            (true, ..) => "",
            (false, true, true) => {
                "the version before it is no longer kept: what changed, when and by whom is not known"
            }
            (false, true, false) => "the version before it is no longer kept: what changed is not known",
            (false, false, true) => {
                "what the asset was before is not recorded: what changed, when and by whom is not known"
            }
            (false, false, false) => "what the asset was before is not recorded: what changed is not known",
        }
    }

    fn set_unknown(&mut self, unknown: &'static str) {
        self.unknown = unknown;
        let notes: Vec<_> = [self.note.as_str(), unknown].into_iter().filter(|note| !note.is_empty()).collect();
        self.note = notes.join("; ");
    }

    /// Says what it is to a text that was searched for.
    pub fn mark_text(&mut self, change: TextChange) {
        let (note, word) = match change {
            TextChange::Came => ("the text was added", "came"),
            TextChange::Gone => ("the text was removed", "went"),
        };
        let notes: Vec<_> = [note, &self.note].into_iter().filter(|note| !note.is_empty()).collect();
        self.note = notes.join("; ");
        self.record["text"] = word.into();
    }

    /// What is different from the version before, word by word.
    pub(super) fn changed_words(&self) -> impl Iterator<Item = &str> {
        self.record["changed"].as_array().into_iter().flatten().filter_map(Json::as_str)
    }

    /// How long its content is, if that is known.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.record["bytes"].as_u64()
    }

    fn of(version: View<'_, AssetVersion>) -> Self {
        let count = |count: Option<i64>| count.filter(|count| *count > 0);
        let lines = [("+", count(version.added())), ("−", count(version.removed()))];
        let lines: Vec<_> = lines.into_iter().filter_map(|(sign, count)| Some(format!("{sign}{}", count?))).collect();
        let deleted = version.deleted().map(|how| match how {
            "purged" => "deleted for good",
            _ => "in the Trash",
        });
        let missing = version.missing().map(|why| format!("missing: {why}"));
        let current = version.current().then(|| "now".to_owned());
        let secret = version.secret().map(|what| format!("may hold a secret: {what}"));
        let notes: Vec<_> = [current, deleted.map(str::to_owned), missing, secret].into_iter().flatten().collect();
        Self {
            number: version.version(),
            at: version.at().map(|at| at.value().to_owned()).unwrap_or_default(),
            who: version.application().or(version.client()).unwrap_or_default().to_owned(),
            step: String::new(),
            changed: version.changed().iter().map(changed_name).collect::<Vec<_>>().join(", "),
            lines: lines.join(" "),
            first_line: version.first_line().unwrap_or_default().to_owned(),
            is_current: version.current(),
            is_missing: version.missing().is_some(),
            unknown: "",
            note: notes.join("; "),
            record: version.tree().clone(),
        }
    }
}

/// What the window calls what is different, given in the words of the interface.
fn changed_name(word: &str) -> &str {
    match word {
        "favorited" => "favourite",
        "classification" => "language",
        "fields" => "other fields",
        word => word,
    }
}

impl Columns for VersionRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::figures("version", "Version", |row: &Self| Value::Number(row.number)).printed(),
        Column::text("at", "When", |row: &Self| Value::moment(&row.at)).printed(),
        Column::text("who", "Who", |row: &Self| Value::text(&row.who)).printed(),
        Column::text("step", "Step", |row: &Self| Value::text(&row.step)).printed(),
        Column::text("lines", "Lines", |row: &Self| Value::text(&row.lines)).printed(),
        Column::text("changed", "Changed", |row: &Self| Value::text(&row.changed)).printed(),
        Column::text("first_line", "First changed line", |row: &Self| Value::text(&row.first_line)).printed(),
        Column::text("note", "Note", |row: &Self| Value::text(&row.note)).printed(),
    ];

    fn record(&self) -> Json {
        self.record.clone()
    }
}

/// An asset as it was, in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThenRow {
    /// Its id.
    pub id: String,
    /// The number of the version that it was.
    pub version: i64,
    /// Its name then.
    pub name: String,
    /// Its language then, as the interface writes it.
    pub language: String,
    /// When it had last changed; empty where that is not recorded.
    pub updated: String,
    /// Whether it is known that it was so.
    pub recorded: bool,
    record: Json,
}

impl ThenRow {
    /// The number of the version that it was.
    pub fn number(&self) -> Option<VersionNumber> {
        u32::try_from(self.version).ok().and_then(VersionNumber::of)
    }

    /// The row of an asset.
    pub fn of(row: View<'_, PastAssetRow>) -> Self {
        Self {
            id: row.id().to_owned(),
            version: row.version(),
            name: row.name().unwrap_or_default().to_owned(),
            language: row.specific().unwrap_or_default().to_owned(),
            updated: row.updated().map(|at| at.value().to_owned()).unwrap_or_default(),
            recorded: row.recorded(),
            record: row.tree().clone(),
        }
    }
}

impl Columns for ThenRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("name", "Name", |row: &Self| Value::text(&row.name)).printed(),
        Column::text("language", "Language", |row: &Self| Value::word(&row.language)).printed(),
        Column::text("updated", "Updated", |row: &Self| Value::moment(&row.updated)).printed(),
        Column::figures("version", "Version", |row: &Self| Value::Number(row.version)).printed(),
        Column::text("recorded", "Recorded", |row: &Self| Value::text(if row.recorded { "" } else { "not recorded" }))
            .printed(),
        Column::id(|row: &Self| Value::text(&row.id)).printed(),
    ];

    fn record(&self) -> Json {
        self.record.clone()
    }
}

#[cfg(test)]
mod tests;
