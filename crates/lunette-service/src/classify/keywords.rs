//! Languages that are known by their words: a small scorer for snippets without a name.
//!
//! A language has marks; each counts once or twice when it occurs, however often that is, so that a long comment does
//! not outvote the code. Prose shares words with every language, so marks are chosen that prose does not have, and a
//! language wins only from [`MIN_SCORE`] on.

use std::collections::HashMap;

use super::markers::{MARKERS, Markers};

/// The score from which on a language is believed.
const MIN_SCORE: u32 = 5;

const BEGINS: u32 = 2;
const WORDS: u32 = 1;
const PHRASES: u32 = 3;

/// The language that most of the marks speak for, if enough do.
pub(super) fn by_words(text: &str) -> Option<&'static str> {
    let text = &format!("{text}\n");
    let seen = Seen::of(text);
    // SQL is written in either case; its marks are in the lower one. In that case they are words of prose, too.
    let shouted = ["FROM", "TABLE", "INTO", "JOIN"].iter().any(|word| seen.words.contains_key(word));
    let lower = if shouted || sql_begins(text) { text.to_ascii_lowercase() } else { String::new() };
    let seen_lower = Seen::of(&lower);
    let mut best: Option<(&'static str, u32)> = None;
    for markers in MARKERS {
        let score = match markers.specific {
            "sql" => seen_lower.score(markers, &lower),
            // Words of Ruby, Lua and the like are words of prose, too: they need a line that is code.
            _ => seen.score(markers, text),
        };
        if best.is_none_or(|(_, most)| score > most) {
            best = Some((markers.specific, score));
        }
    }
    let (specific, score) = best?;
    let code = specific == "sql" || text.lines().any(is_code) || score >= 3 * MIN_SCORE;
    (score >= MIN_SCORE && code).then_some(resolve_tie(specific, &seen, text))
}

/// The lines and words that occur.
struct Seen<'a> {
    begins: HashMap<&'a str, u32>,
    words: HashMap<&'a str, u32>,
}

impl<'a> Seen<'a> {
    fn of(text: &'a str) -> Self {
        let (mut begins, mut words) = (HashMap::new(), HashMap::new());
        for line in text.lines() {
            for (place, word) in line.split_whitespace().enumerate() {
                if place == 0 {
                    let bare = word.split(['(', ';', '<']).next().unwrap_or(word);
                    *begins.entry(bare).or_insert(0) += 1;
                }
                *words.entry(word).or_insert(0) += 1;
                let bare = word.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$' | '!' | '@')));
                if bare != word {
                    *words.entry(bare).or_insert(0) += 1;
                }
            }
        }
        Self { begins, words }
    }

    fn score(&self, markers: &Markers, text: &str) -> u32 {
        let Markers { specific: _, begins, words, phrases } = markers;
        let count = |list: &str, among: &HashMap<&str, u32>| -> u32 {
            list.split_whitespace().map(|word| among.get(word).map_or(0, |times| (*times).min(2))).sum()
        };
        let spoken: u32 = phrases.iter().map(|phrase| u32::from(text.contains(phrase))).sum();
        BEGINS * count(begins, &self.begins) + WORDS * count(words, &self.words) + PHRASES * spoken
    }
}

/// Whether a line ends or begins as code does and prose does not.
pub(super) fn is_code(line: &str) -> bool {
    let line = line.trim();
    line.ends_with([';', '{', '}', ')', ':', '>'])
        || line.starts_with(['#', '$', '@', '\\'])
        || line.contains(" = ")
        || line.contains("()")
        || matches!(line, "end" | "fi" | "done")
}

fn sql_begins(text: &str) -> bool {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("--"));
    let begin = line.and_then(|line| line.split_whitespace().next()).unwrap_or_default().to_ascii_lowercase();
    matches!(
        begin.as_str(),
        "select" | "insert" | "update" | "delete" | "create" | "alter" | "drop" | "with" | "begin" | "begin;"
    ) && text.contains(['*', ';', '(', ',', '='])
}

/// Between languages that share their words.
fn resolve_tie(specific: &'static str, seen: &Seen<'_>, text: &str) -> &'static str {
    let types =
        || MARKERS.iter().find(|markers| markers.specific == "ts").map_or(0, |markers| seen.score(markers, text));
    match specific {
        "c" | "cpp" => {
            let plus =
                ["std::", "class ", "template", "namespace ", "cout", "nullptr", "public:", "constexpr ", "auto "];
            if plus.iter().any(|phrase| text.contains(phrase)) { "cpp" } else { "c" }
        }
        "js" if types() >= 2 * PHRASES && (text.contains(": ") || text.contains("interface ")) => "ts",
        other => other,
    }
}
