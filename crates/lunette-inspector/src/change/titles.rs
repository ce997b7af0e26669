//! The titles of changes, made from the rows of their kinds.

use super::{Change, ChangeInfo, Edit, Field, Item};
use lunette_client::model::display::beginning;
use lunette_client::model::language::language_name;
use serde_json::Value;

/// The most characters of a new name in a title.
const LONGEST_NAME: usize = 60;

impl ChangeInfo {
    fn filled(&self, template: &str, what: &str, asset: &str) -> String {
        let (before, after) = template.split_once("{asset}").unwrap_or((template, ""));
        let whole = |part: &str| part.replace("{what}", what);
        // The asset is inserted last, since its name may contain a placeholder.
        let asset = if template.contains("{asset}") { asset } else { "" };
        format!("{}{asset}{}", whole(before), whole(after))
    }
}

impl Change {
    /// What it sets, adds or removes, for use in its titles: tag “rust”.
    pub fn what(&self) -> String {
        match self {
            Self::Link { item, .. } | Self::Unlink { item, .. } => format!("{} “{}”", item.kind.one(), item.name()),
            Self::Relink { link, unlink, .. } => format!("{} with {}", Item::list(unlink), Item::list(link)),
            Self::LinkNew { kind, text, unlink, .. } if unlink.is_empty() => format!("{} “{text}”", kind.one()),
            Self::LinkNew { kind, text, unlink, .. } => {
                format!("{} with the new {} “{text}”", Item::list(unlink), kind.one())
            }
            Self::Edit { edits, .. } => {
                let fields: Vec<_> = edits.iter().map(|edit| edit.field.as_str()).collect();
                fields.join(" and ")
            }
            Self::Reclassify { to, .. } => language_name(to).to_owned(),
            Self::Increment { counter, .. } => counter.as_str().to_owned(),
            Self::Record { .. } => "the record".to_owned(),
            Self::Text { .. } => "the text".to_owned(),
            _ => String::new(),
        }
    }

    /// The title: Link tag “rust” to “a.rs”. `asset` is the quoted name of the asset, or a number of assets.
    pub fn title(&self, asset: &str) -> String {
        if let Self::Edit { edits, .. } = self
            && let [Edit { field, to, .. }] = edits.as_slice()
        {
            let (text, is_set) = (beginning(to.as_str().unwrap_or_default(), LONGEST_NAME), to == &Value::Bool(true));
            return match field {
                Field::Favorited if is_set => format!("Add {asset} to favourites"),
                Field::Favorited => format!("Remove {asset} from favourites"),
                Field::Name => format!("Rename {asset} to “{text}”"),
                Field::Description => format!("Change the description of {asset}"),
            };
        }
        let info = self.info();
        format!("{}{}", info.verb, info.filled(info.title, &self.what(), asset))
    }

    /// The label of the button that sends it.
    pub fn button(&self) -> String {
        self.info().filled(self.info().button, &self.what(), "")
    }

    /// The applied change in a sentence, for the status bar.
    pub fn done(&self) -> String {
        if let Self::Edit { edits, .. } = self
            && let [Edit { field, to, .. }] = edits.as_slice()
        {
            match field {
                Field::Favorited if to == &Value::Bool(true) => return "Added to favourites".to_owned(),
                Field::Favorited => return "Removed from favourites".to_owned(),
                Field::Name => return format!("Renamed to “{}”", to.as_str().unwrap_or_default()),
                Field::Description => {}
            }
        }
        let info = self.info();
        let asset = format!("“{}”", self.name().unwrap_or_default());
        format!("{}{}", info.past, info.filled(info.done, &self.what(), &asset))
    }
}
