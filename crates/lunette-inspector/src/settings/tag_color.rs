//! The colours that a user gives to tags.
//!
//! What must hold: a colour that is not known, as one of a later version, takes only itself away when it is read.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// A colour for a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is the colour of its name")]
pub enum TagColor {
    Red,
    Orange,
    Yellow,
    Green,
    Teal,
    Blue,
    Purple,
    Pink,
}

impl TagColor {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Red, Self::Orange, Self::Yellow, Self::Green, Self::Teal, Self::Blue, Self::Purple, Self::Pink];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Red => "Red",
            Self::Orange => "Orange",
            Self::Yellow => "Yellow",
            Self::Green => "Green",
            Self::Teal => "Teal",
            Self::Blue => "Blue",
            Self::Purple => "Purple",
            Self::Pink => "Pink",
        }
    }
}

/// The colours of tags.
///
/// Our choice: a colour belongs to the text of a tag and not to its id, since the rows of a list have no ids of tags. A
/// tag has the same colour at every connection, and keeps it when it is renamed here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct TagColors(BTreeMap<String, TagColor>);

impl TagColors {
    /// The colour of the tag with this text, if it has one.
    pub fn of(&self, text: &str) -> Option<TagColor> {
        self.0.get(text).copied()
    }

    /// Gives a tag a colour, or none.
    pub fn set(&mut self, text: &str, color: Option<TagColor>) {
        match color {
            Some(color) => self.0.insert(text.to_owned(), color),
            None => self.0.remove(text),
        };
    }

    /// Moves the colour of a tag to its new name. A name that has a colour keeps it.
    pub fn rename(&mut self, from: &str, to: &str) {
        if let Some(color) = self.0.remove(from) {
            self.0.entry(to.to_owned()).or_insert(color);
        }
    }
}

impl<'de> Deserialize<'de> for TagColors {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tree = Value::deserialize(deserializer)?;
        let entries = tree.as_object().into_iter().flatten();
        let known = |(text, color): (&String, &Value)| Some((text.clone(), TagColor::deserialize(color).ok()?));
        Ok(Self(entries.filter_map(known).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Look;

    #[test]
    fn an_unknown_colour_is_dropped_without_affecting_the_others() {
        let look = r#"{"accent": "Blue", "tag_colors": {"a": "red", "b": "octarine", "c": 7, "d": "pink"}}"#;
        let look: Look = serde_json::from_str(look).expect("a look");
        let colors = ["a", "b", "c", "d"].map(|text| look.tag_colors.of(text));
        assert_eq!(colors, [Some(TagColor::Red), None, None, Some(TagColor::Pink)]);
        let again: Look = serde_json::from_value(serde_json::to_value(&look).expect("JSON")).expect("a look");
        assert_eq!(again, look);
    }

    #[test]
    fn a_renamed_tag_keeps_its_colour_and_takes_none_from_another() {
        let mut colors = TagColors::default();
        colors.set("a", Some(TagColor::Red));
        colors.rename("a", "b");
        assert_eq!((colors.of("a"), colors.of("b")), (None, Some(TagColor::Red)));
        colors.set("c", Some(TagColor::Blue));
        colors.rename("b", "c");
        assert_eq!((colors.of("b"), colors.of("c")), (None, Some(TagColor::Blue)));
        colors.set("c", None);
        assert_eq!(colors, TagColors::default());
    }
}
