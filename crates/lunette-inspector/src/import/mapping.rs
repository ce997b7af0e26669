//! The options for mapping folders, fragments and triggers of another program.
//!
//! What must hold: an option changes only new assets, never which items are recognised from an earlier import.

use std::str::FromStr;

use lunette_sources::{Candidate, Fragment};

/// How parts of an item without a field in an asset are mapped. The defaults are those of [`Folders`], [`Fragments`]
/// and [`Triggers`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mapping {
    /// The folder of an item.
    pub folders: Folders,
    /// Several fragments of one item.
    pub fragments: Fragments,
    /// The text that is typed to insert an item.
    pub triggers: Triggers,
}

/// How the folder of an item is mapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Folders {
    /// A tag with the full path, such as `Work/SQL`.
    #[default]
    Tag,
    /// Nothing.
    Nothing,
}

/// How several fragments of one item are mapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fragments {
    /// One asset each, with a shared tag.
    #[default]
    Assets,
    /// One asset with all texts in order, separated by empty lines.
    OneText,
}

/// How triggers, keywords, abbreviations and aliases are mapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Triggers {
    /// A line of the description.
    #[default]
    Description,
    /// Nothing.
    Nothing,
}

/// Sets an option.
type Choose = fn(&mut Mapping);

/// The options of a mapping on the command line.
const CHOICES: [(&str, Choose); 6] = [
    ("folders=tag", |mapping| mapping.folders = Folders::Tag),
    ("folders=none", |mapping| mapping.folders = Folders::Nothing),
    ("fragments=assets", |mapping| mapping.fragments = Fragments::Assets),
    ("fragments=one", |mapping| mapping.fragments = Fragments::OneText),
    ("triggers=description", |mapping| mapping.triggers = Triggers::Description),
    ("triggers=none", |mapping| mapping.triggers = Triggers::Nothing),
];

/// An option of a mapping, such as `folders=none`.
#[derive(Clone, Copy, Debug)]
pub struct MappingChoice(Choose);

/// There is no such option of a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the choices are {}", CHOICES.map(|(name, _)| name).join(", "))]
pub struct UnknownChoice;

impl FromStr for MappingChoice {
    type Err = UnknownChoice;

    fn from_str(text: &str) -> Result<Self, UnknownChoice> {
        let found = CHOICES.iter().find(|(name, _)| *name == text);
        found.map(|(_, choose)| Self(*choose)).ok_or(UnknownChoice)
    }
}

impl Mapping {
    /// Returns the default with these options; later ones override earlier ones.
    pub fn of(choices: &[MappingChoice]) -> Self {
        let mut mapping = Self::default();
        choices.iter().for_each(|MappingChoice(choose)| choose(&mut mapping));
        mapping
    }

    /// Joins the fragments of an item, if that option is set.
    pub(crate) fn join(self, candidate: Candidate) -> Candidate {
        match self.fragments {
            Fragments::Assets => candidate,
            Fragments::OneText => joined(candidate),
        }
    }

    /// Removes the parts of an item that are mapped to nothing.
    pub(crate) fn leave_out(self, mut candidate: Candidate) -> Candidate {
        if self.folders == Folders::Nothing {
            candidate.folder.clear();
        }
        if self.triggers == Triggers::Nothing {
            candidate.triggers.clear();
        }
        candidate
    }
}

/// Returns the item with one fragment. Our choice: binary fragments are not joined, since they could not be separated
/// afterwards; the language is kept if all have the same one; the labels of the parts are in the description.
fn joined(mut candidate: Candidate) -> Candidate {
    let text = |fragment: &Fragment| std::str::from_utf8(&fragment.bytes).is_ok();
    if candidate.fragments.len() < 2 || !candidate.fragments.iter().all(text) {
        return candidate;
    }
    let fragments = std::mem::take(&mut candidate.fragments);
    let labels: Vec<&str> =
        fragments.iter().map(|part| part.label.as_str()).filter(|label| !label.is_empty()).collect();
    if !labels.is_empty() {
        let parts = format!("Parts: {}", labels.join(", "));
        candidate.description = Some(match candidate.description.take() {
            Some(description) => format!("{}\n\n{parts}", description.trim_end()),
            None => parts,
        });
    }
    let language = fragments.first().and_then(|first| first.language.clone());
    let language = language.filter(|language| fragments.iter().all(|part| part.language.as_ref() == Some(language)));
    let mut bytes = Vec::new();
    for part in &fragments {
        if !bytes.is_empty() {
            bytes.extend(if bytes.ends_with(b"\n") { b"\n".as_slice() } else { b"\n\n" });
        }
        bytes.extend(&part.bytes);
    }
    candidate.fragments = vec![Fragment { label: String::new(), language, bytes }];
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(label: &str, language: &str, text: &str) -> Fragment {
        Fragment { label: label.to_owned(), language: Some(language.to_owned()), bytes: text.as_bytes().to_vec() }
    }

    #[test]
    fn options_are_parsed_by_name_and_later_ones_override() {
        let choices = ["folders=none", "fragments=one", "triggers=none", "folders=tag"];
        let choices = choices.map(|choice| choice.parse::<MappingChoice>().expect("a choice"));
        let expected = Mapping { folders: Folders::Tag, fragments: Fragments::OneText, triggers: Triggers::Nothing };
        assert_eq!(Mapping::of(&choices), expected);
        assert!(
            "folders=maybe".parse::<MappingChoice>().is_err_and(|error| error.to_string().contains("folders=none"))
        );
    }

    #[test]
    fn text_fragments_are_joined_in_order_and_binary_ones_are_not() {
        let mapping = Mapping { fragments: Fragments::OneText, ..Mapping::default() };
        let two = vec![part("first", "js", "a\n"), part("", "js", "b")];
        let one = mapping.join(Candidate { fragments: two, ..Candidate::default() });
        assert_eq!(one.fragments, [part("", "js", "a\n\nb")]);
        assert_eq!(one.description.as_deref(), Some("Parts: first"));
        let mixed = vec![part("", "js", "a"), part("", "css", "b")];
        let one = mapping.join(Candidate { fragments: mixed, ..Candidate::default() });
        assert_eq!(one.fragments[0].language, None, "two languages are none");
        let bytes = vec![part("", "js", "a"), Fragment { bytes: vec![0xff], ..Fragment::default() }];
        let kept = mapping.join(Candidate { fragments: bytes.clone(), ..Candidate::default() });
        assert_eq!(kept.fragments, bytes);
    }
}
