//! What a wish for many assets is called, and whether it can be undone.

use crate::app::bulk::BulkWish;
use crate::app::plan::UndoKind;
use crate::app::recovery::Recovery;
use crate::model::language::language;
use crate::model::size::grouped;

/// How the titles of runs begin, and how they read in the past tense; the longer ones first.
const PAST: [(&str, &str); 9] = [
    ("Create and link", "Created and linked"),
    ("Link", "Linked"),
    ("Remove", "Removed"),
    ("Reclassify", "Reclassified"),
    ("Add", "Added"),
    ("Increment", "Incremented"),
    ("Export", "Exported"),
    ("Delete", "Deleted"),
    ("Restore", "Restored"),
];

impl BulkWish {
    /// What is done, in a sentence: "Link tag “rust” to 3 assets".
    pub fn title(&self, count: usize) -> String {
        let assets = match count {
            1 => "1 asset".to_owned(),
            count => format!("{} assets", grouped(count as u64)),
        };
        match self {
            Self::Link(item) => format!("Link {} “{}” to {assets}", item.kind.one(), item.text),
            Self::LinkNew { kind, text, .. } => format!("Create and link {} “{text}” to {assets}", kind.one()),
            Self::Unlink(item) => format!("Remove {} “{}” from {assets}", item.kind.one(), item.text),
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

    /// The title of a run as the history and the messages say it once it was started: "Linked tag “rust” to 3 assets".
    /// A title that begins otherwise stays as it is.
    pub fn past_title(title: &str) -> String {
        let past =
            |(verb, past): &(&str, &str)| Some(format!("{past} {}", title.strip_prefix(verb)?.strip_prefix(' ')?));
        PAST.iter().find_map(past).unwrap_or_else(|| title.to_owned())
    }

    /// Whether the whole can be undone at a connection that brings deleted assets back in this way.
    pub fn undo(&self, recovery: Recovery) -> UndoKind {
        let by = |how: &str| UndoKind::By(how.to_owned());
        let never = |why: &str| UndoKind::Never(why.to_owned());
        match self {
            Self::Link(_) => by("Undo removes the links that this adds"),
            Self::LinkNew { .. } => by("Undo removes the links; the new item itself stays"),
            Self::Unlink(_) => by("Undo adds the links again"),
            Self::Reclassify(_) => by("Undo restores the previous language of each asset"),
            Self::Favourite(_) => by("Undo restores the previous state of each asset"),
            Self::Increment(_) => never("A score cannot be decremented"),
            Self::Export { .. } => never("An export changes nothing in the service; the saved files stay"),
            Self::Delete => match recovery {
                Recovery::Trash => by("The assets move to the Trash; Undo restores them"),
                Recovery::Copy => by(
                    "This service has no Trash. Lunette keeps a copy of each asset, and Undo creates new assets from \
                     the copies, with new ids",
                ),
                Recovery::None => never("This service can neither restore a deleted asset nor create a new one"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_says_to_how_many() {
        assert_eq!(BulkWish::Delete.title(1), "Delete 1 asset");
        assert_eq!(BulkWish::Reclassify("rs".to_owned()).title(100_000), "Reclassify 100,000 assets to Rust");
    }

    #[test]
    fn a_run_that_was_started_is_told_in_the_past_tense() {
        let new = BulkWish::LinkNew { kind: crate::app::change::LinkKind::Tag, text: "x".to_owned(), url: None };
        let wishes = [(new, "Created and linked tag “x” to 3 assets"), (BulkWish::Delete, "Deleted 3 assets")];
        for (wish, past) in wishes {
            assert_eq!(BulkWish::past_title(&wish.title(3)), past);
        }
        for (on, past) in [(true, "Added 3 assets to favourites"), (false, "Removed 3 assets from favourites")] {
            assert_eq!(BulkWish::past_title(&BulkWish::Favourite(on).title(3)), past);
        }
        assert_eq!(BulkWish::past_title("Links of May"), "Links of May");
    }
}
