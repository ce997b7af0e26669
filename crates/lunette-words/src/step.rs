//! The steps of a search that goes on, and how a hit was found by them.

/// How a word was found, the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// As typed, or as the beginning of a word.
    Any,
    /// In another form, or as a part of an identifier.
    Forms,
    /// By a word that is spelt alike.
    Spelling,
    /// By a word of the same meaning.
    Synonyms,
    /// By a piece of it.
    Pieces,
}

impl Step {
    /// Its name in responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "ANY_WORD",
            Self::Forms => "FORMS",
            Self::Spelling => "SPELLING",
            Self::Synonyms => "SYNONYMS",
            Self::Pieces => "PIECES",
        }
    }

    /// What an occurrence is worth.
    pub(crate) fn weight(self) -> f64 {
        match self {
            Self::Any => 1.0,
            Self::Forms => 0.9,
            Self::Spelling => 0.7,
            Self::Synonyms => 0.5,
            Self::Pieces => 0.35,
        }
    }

    /// What it counts among the words that an asset has, in halves.
    pub(crate) fn halves(self) -> usize {
        match self {
            Self::Any | Self::Forms | Self::Spelling | Self::Synonyms => 2,
            Self::Pieces => 1,
        }
    }
}

/// How an asset that does not have every word as typed was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundBy {
    /// The furthest step that it took.
    pub step: Step,
    /// The words that it has in none of these ways.
    pub missing: Vec<String>,
}

/// What a search did after the exact one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// The words that were looked for, as typed.
    pub words: Vec<String>,
    /// The words that were left out, since almost every sentence has them.
    pub ignored: Vec<String>,
    /// Words that were taken for others, spelt alike, by those.
    pub replaced: Vec<(String, Vec<String>)>,
}
