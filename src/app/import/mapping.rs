//! What becomes of the folders, the fragments and the triggers of another program, as the user chooses.
//!
//! What must hold: a choice changes what new assets are like, never which items are known from an earlier import.

use std::str::FromStr;

use lunette_sources::{Candidate, Fragment};

/// What becomes of what an asset has no field for. The default is that of [`Folders`], [`Fragments`] and [`Triggers`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mapping {
    /// The folder that an item is in.
    pub folders: Folders,
    /// Several contents of one item.
    pub fragments: Fragments,
    /// What is typed to insert an item.
    pub triggers: Triggers,
}

/// What becomes of the folder that an item is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Folders {
    /// A tag with the whole path, such as `Work/SQL`.
    #[default]
    Tag,
    /// Nothing.
    Nothing,
}

/// What becomes of several contents of one item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fragments {
    /// An asset each, with a tag that they share.
    #[default]
    Assets,
    /// One asset with all texts in their order, an empty line between two.
    OneText,
}

/// What becomes of triggers, keywords, abbreviations and aliases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Triggers {
    /// A line of the description.
    #[default]
    Description,
    /// Nothing.
    Nothing,
}

/// Makes a choice.
type Choose = fn(&mut Mapping);

/// The choices of a mapping, as the command line takes them.
const CHOICES: [(&str, Choose); 6] = [
    ("folders=tag", |mapping| mapping.folders = Folders::Tag),
    ("folders=none", |mapping| mapping.folders = Folders::Nothing),
    ("fragments=assets", |mapping| mapping.fragments = Fragments::Assets),
    ("fragments=one", |mapping| mapping.fragments = Fragments::OneText),
    ("triggers=description", |mapping| mapping.triggers = Triggers::Description),
    ("triggers=none", |mapping| mapping.triggers = Triggers::Nothing),
];

/// One choice of a mapping, such as `folders=none`.
#[derive(Clone, Copy, Debug)]
pub struct MappingChoice(Choose);

impl FromStr for MappingChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = CHOICES.iter().find(|(name, _)| *name == text);
        found.map(|(_, choose)| Self(*choose)).ok_or_else(|| {
            let names: Vec<_> = CHOICES.iter().map(|(name, _)| *name).collect();
            format!("the choices are {}", names.join(", "))
        })
    }
}

impl Mapping {
    /// The default with these choices; of two for the same thing the last one counts.
    pub fn of(choices: &[MappingChoice]) -> Self {
        let mut mapping = Self::default();
        choices.iter().for_each(|MappingChoice(choose)| choose(&mut mapping));
        mapping
    }

    /// Puts the fragments of an item together, if that is chosen.
    pub(in crate::app) fn join(self, candidate: Candidate) -> Candidate {
        match self.fragments {
            Fragments::Assets => candidate,
            Fragments::OneText => joined(candidate),
        }
    }

    /// Leaves out of an item what is to become nothing.
    pub(in crate::app) fn leave_out(self, mut candidate: Candidate) -> Candidate {
        if self.folders == Folders::Nothing {
            candidate.folder.clear();
        }
        if self.triggers == Triggers::Nothing {
            candidate.triggers.clear();
        }
        candidate
    }
}

/// The same item with one fragment. Our choice: contents that are no text stay apart, since nothing could tell them
/// from each other afterwards; the language is kept if all have the same one; the names of the parts are in the
/// description.
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
    fn choices_are_read_by_name_and_the_last_one_of_a_kind_counts() {
        let choices = ["folders=none", "fragments=one", "triggers=none", "folders=tag"];
        let choices = choices.map(|choice| choice.parse::<MappingChoice>().expect("a choice"));
        let expected = Mapping { folders: Folders::Tag, fragments: Fragments::OneText, triggers: Triggers::Nothing };
        assert_eq!(Mapping::of(&choices), expected);
        assert!("folders=maybe".parse::<MappingChoice>().is_err_and(|message| message.contains("folders=none")));
    }

    #[test]
    fn fragments_become_one_text_in_their_order_and_other_bytes_stay_apart() {
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
