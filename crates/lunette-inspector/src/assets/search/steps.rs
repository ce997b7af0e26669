//! What a service did after the exact search, and what the hits that it found so lack.
//!
//! What must hold: a hit that the service found so is never shown as one that has every word as typed.

use serde_json::Value;

use lunette_client::model::record::Record as _;
use lunette_client::model::seed::SearchedAssets;

/// The most words of a service that are shown.
const MAX_WORDS: usize = 64;

/// What a search did after the exact one, as the service says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    /// The words that were looked for.
    pub words: Vec<String>,
    /// The words that were left out, since almost every sentence has them.
    pub ignored: Vec<String>,
    /// Words that were taken for others that are spelt alike.
    pub replaced: Vec<(String, Vec<String>)>,
}

/// Hits that lack the same number of words.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The rank of its first hit.
    pub first: u32,
    /// That no asset has every word, as a sentence; `None` if some have, or it was said before.
    pub lead: Option<String>,
    /// What its hits have, as a sentence.
    pub title: String,
}

impl Section {
    /// All that it says, ending with a colon.
    pub fn sentence(&self) -> String {
        let lead = self.lead.as_ref().map(|lead| format!("{lead} ")).unwrap_or_default();
        format!("{lead}{}:", self.title)
    }
}

/// How a hit was found that does not have every word as typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FoundBy {
    /// `ANY_WORD`, `FORMS`, `SPELLING`, `SYNONYMS`, `PIECES`, or what else the service says.
    pub step: String,
    /// The words that it does not have.
    pub missing: Vec<String>,
}

impl FoundBy {
    /// What a hit says; `None` if it has every word as typed, or the service says nothing.
    pub(super) fn of(hit: &Value) -> Option<Self> {
        let found_by = hit.get("found_by")?.as_object()?;
        let step = found_by.get("step").and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(Self { step, missing: words(found_by.get("missing")) })
    }
}

impl From<lunette_words::Steps> for Steps {
    fn from(lunette_words::Steps { words, ignored, replaced }: lunette_words::Steps) -> Self {
        Self { words, ignored, replaced }
    }
}

impl Steps {
    /// What a response says.
    pub(super) fn of(found: &SearchedAssets) -> Option<Self> {
        let steps = found.tree().get("steps")?.as_object()?;
        let replaced = steps.get("replaced").and_then(Value::as_array).into_iter().flatten().take(MAX_WORDS);
        let replaced = replaced
            .filter_map(|one| Some((one.get("word")?.as_str()?.to_owned(), words(one.get("by")))))
            .filter(|(_, by)| !by.is_empty());
        Some(Self {
            words: words(steps.get("words")),
            ignored: words(steps.get("ignored")),
            replaced: replaced.collect(),
        })
    }

    /// The sections of hits, of which those that have every word as typed have no `FoundBy`.
    pub(super) fn sections<'a>(&self, hits: impl Iterator<Item = (u32, Option<&'a FoundBy>)>) -> Vec<Section> {
        let (mut sections, mut exact, mut fewest) = (Vec::new(), 0, usize::MAX);
        for (rank, found_by) in hits {
            let Some(found_by) = found_by else {
                exact += 1;
                continue;
            };
            let has = self.words.len().saturating_sub(found_by.missing.len());
            if has < fewest {
                fewest = has;
                let lead = (sections.is_empty() && exact == 0).then(|| self.lead());
                sections.push(Section { first: rank, lead, title: self.title(has) });
            }
        }
        sections
    }

    fn lead(&self) -> String {
        match self.words.as_slice() {
            _ if !self.ignored.is_empty() => "No asset has every word as typed.".to_owned(),
            [word] => format!("No asset has “{word}”."),
            words => format!("No asset has all {} words as typed.", words.len()),
        }
    }

    /// What hits with so many words have.
    fn title(&self, has: usize) -> String {
        match (has, self.words.len()) {
            (has, all) if has >= all && !self.ignored.is_empty() => {
                "These have all but common words, or something like them".to_owned()
            }
            (has, 1) if has > 0 => "These have something like it".to_owned(),
            (has, all) if has >= all => "These have all of them, or something like them".to_owned(),
            (has, all) => format!("These have {has} of the {all} words"),
        }
    }
}

/// That a word was replaced by others, as a sentence.
pub fn replacement(word: &str, by: &[String]) -> String {
    format!("Searched for {} instead of {word}.", by.join(", "))
}

fn words(list: Option<&Value>) -> Vec<String> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).take(MAX_WORDS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(words: &[&str], ignored: &[&str]) -> Steps {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Steps { words: owned(words), ignored: owned(ignored), replaced: Vec::new() }
    }

    fn lacking(count: usize) -> FoundBy {
        FoundBy { step: "ANY_WORD".to_owned(), missing: vec!["x".to_owned(); count] }
    }

    #[test]
    fn a_section_says_how_many_words_its_hits_have() {
        let (one, two) = (lacking(1), lacking(2));
        let four = steps(&["a", "b", "c", "d"], &[]);
        let sections = four.sections([(0, Some(&one)), (1, Some(&one)), (2, Some(&two)), (3, Some(&one))].into_iter());
        let told: Vec<(u32, String)> = sections.iter().map(|section| (section.first, section.sentence())).collect();
        let first = "No asset has all 4 words as typed. These have 3 of the 4 words:".to_owned();
        assert_eq!(told, [(0, first), (2, "These have 2 of the 4 words:".to_owned())]);
    }

    #[test]
    fn behind_exact_hits_it_is_not_said_that_there_are_none() {
        let one = lacking(1);
        let sections = steps(&["a", "b"], &[]).sections([(0, None), (1, Some(&one))].into_iter());
        let title = "These have 1 of the 2 words".to_owned();
        assert_eq!(sections, [Section { first: 1, lead: None, title }]);
        assert_eq!(steps(&["a"], &[]).sections([(0, None)].into_iter()), []);
    }

    #[test]
    fn words_that_were_left_out_are_not_counted() {
        let all = lacking(0);
        let titles = |steps: Steps| steps.sections([(0, Some(&all))].into_iter()).remove(0).sentence();
        assert_eq!(titles(steps(&["a"], &[])), "No asset has “a”. These have something like it:");
        let two = steps(&["a", "b"], &["the"]);
        assert_eq!(
            titles(two),
            "No asset has every word as typed. These have all but common words, or something like them:"
        );
    }
}
