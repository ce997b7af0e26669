//! What a wish for many assets is called, and whether it can be undone.

use crate::app::bulk::BulkWish;
use crate::app::plan::UndoKind;
use crate::app::recovery::Recovery;
use crate::model::language::language;
use crate::model::size::grouped;

impl BulkWish {
    /// What is done, in a sentence: "Link tag “rust” to 3 assets".
    pub fn title(&self, count: usize) -> String {
        let assets = match count {
            1 => "1 asset".to_owned(),
            count => format!("{} assets", grouped(count as u64)),
        };
        match self {
            Self::Link(item) => format!("Link {} “{}” to {assets}", item.kind.one(), item.text),
            Self::LinkNew { kind, text, .. } => format!("Make {} “{text}” and link it to {assets}", kind.one()),
            Self::Unlink(item) => format!("Remove {} “{}” from {assets}", item.kind.one(), item.text),
            Self::Reclassify(to) => {
                let name = language(to).map_or(to.as_str(), |language| language.name);
                format!("Reclassify {assets} to {name}")
            }
            Self::Favourite(true) => format!("Make favourites of {assets}"),
            Self::Favourite(false) => format!("Take {assets} off the favourites"),
            Self::Increment(counter) => format!("Increment {} of {assets}", counter.as_str()),
            Self::Export { kind, .. } => format!("Export {assets} as {kind}"),
            Self::Delete => format!("Delete {assets}"),
        }
    }

    /// Whether the whole can be undone at a connection that brings deleted assets back in this way.
    pub fn undo(&self, recovery: Recovery) -> UndoKind {
        let by = |how: &str| UndoKind::By(how.to_owned());
        let never = |why: &str| UndoKind::Never(why.to_owned());
        match self {
            Self::Link(_) => by("Undo removes the links that were not there before"),
            Self::LinkNew { .. } => by("Undo removes the links; what was made for them stays"),
            Self::Unlink(_) => by("Undo links again what was removed"),
            Self::Reclassify(_) => by("Undo gives each asset its language back"),
            Self::Favourite(_) => by("Undo sets back those that were changed"),
            Self::Increment(_) => never("The interface has no decrement"),
            Self::Export { .. } => never("An export changes nothing at the service; what was saved stays"),
            Self::Delete => match recovery {
                Recovery::Trash => by("The assets move to the Trash; Undo restores them"),
                Recovery::Copy => by(
                    "This service has no Trash. A copy of each asset is kept, and Undo makes new assets from them, with new ids",
                ),
                Recovery::None => never("This service can neither restore a deleted asset nor make a new one"),
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
}
