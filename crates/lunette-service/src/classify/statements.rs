//! Languages that are known by their statements: each line is compared with the forms of `statements.txt`.
//!
//! A form speaks for a language with its weight, at most [`MAX_HITS`] times, so that no habit of a text outvotes the rest.
//!
//! What must hold: a language wins only from [`MIN_SCORE`] on, and only if enough of the lines look like code: a line of
//! code in a letter does not make it code.

use std::sync::LazyLock;

use super::form::{Characters, Form, forms};
use super::prose::{is_code, is_comment};
use super::{command, sql};

/// The score from which on a language is believed.
const MIN_SCORE: u32 = 5;

/// The score from which on the rest of a text is not read.
const ENOUGH: u32 = 60;

/// What a statement of SQL counts.
const SQL_SCORE: u32 = 9;

/// How often a form counts.
const MAX_HITS: u8 = 3;

/// How many lines are compared, and how much of each, in bytes.
const MAX_LINES: usize = 60;
const MAX_LINE_BYTES: usize = 400;

/// The languages that are known by more than forms.
const FIRST: [&str; 3] = ["sh", "sql", "ps1"];
const SHELL: usize = 0;
const SQL: usize = 1;
const POWERSHELL: usize = 2;

/// Languages that have all statements of another, the score from which on their own decide, and the other.
const SUPERSETS: &[(&str, u32, &str)] = &[("ts", 4, "js"), ("cpp", 4, "c")];

/// A form and what it says.
struct Statement {
    /// The index of its language in [`Table::languages`].
    language: usize,
    weight: u32,
    characters: Characters,
    form: Form,
}

/// The forms of `statements.txt`.
struct Table {
    languages: Vec<&'static str>,
    /// The forms by the first byte of their lines.
    by_first_byte: Vec<Vec<Statement>>,
    /// Forms of lines that begin with anything.
    others: Vec<Statement>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table {
        languages: FIRST.to_vec(),
        by_first_byte: (0..=u8::MAX).map(|_| Vec::new()).collect(),
        others: Vec::new(),
    };
    for line in include_str!("statements.txt").lines() {
        table.add(line);
    }
    table
});

impl Table {
    /// Adds a line of the file; one that is not a rule is a comment.
    fn add(&mut self, line: &'static str) {
        let mut columns = line.splitn(3, ' ');
        let (Some(specific), Some(weight), Some(text)) = (columns.next(), columns.next(), columns.next()) else {
            return;
        };
        let Ok(weight) = weight.parse() else { return };
        let known = self.languages.iter().position(|language| *language == specific);
        let language = known.unwrap_or_else(|| {
            self.languages.push(specific);
            self.languages.len() - 1
        });
        for form in forms(text) {
            let list = match form.first_byte() {
                Some(byte) => &mut self.by_first_byte[usize::from(byte)],
                None => &mut self.others,
            };
            list.push(Statement { language, weight, characters: form.characters(), form });
        }
    }
}

/// What the lines of a text speak for.
struct Scores {
    /// By the index of the language in [`Table::languages`].
    totals: Vec<u32>,
    /// Lines that are not comments.
    lines: usize,
    /// Those of them that look like code.
    code: usize,
}

/// The language that most of the statements speak for, if enough do.
pub(super) fn by_statements(text: &str) -> Option<&'static str> {
    let table = &*TABLE;
    let Scores { mut totals, lines, code } = scores(table, text);
    let index_of = |specific: &str| table.languages.iter().position(|language| *language == specific);
    for (specific, least, part) in SUPERSETS {
        if let (Some(whole), Some(part)) = (index_of(specific), index_of(part))
            && totals[whole] >= *least
        {
            totals[whole] += totals[part];
        }
    }
    let mut best = (0, 0);
    for (language, total) in totals.into_iter().enumerate() {
        if total > best.1 {
            best = (language, total);
        }
    }
    (best.1 >= MIN_SCORE && code * 3 >= lines).then(|| table.languages[best.0])
}

fn scores(table: &Table, text: &str) -> Scores {
    let mut counter = Counter::new(table);
    let mut scores = Scores { totals: vec![0; table.languages.len()], lines: 0, code: 0 };
    for line in text.lines().map(statement).filter(|line| !line.is_empty()).take(MAX_LINES) {
        let weights = counter.weights(line);
        let seen = weights.iter().any(|weight| *weight >= 2);
        if seen || !is_comment(line) {
            scores.lines += 1;
            scores.code += usize::from(seen || is_code(line));
        }
        for (total, weight) in scores.totals.iter_mut().zip(weights) {
            *total += weight;
        }
        if scores.totals.iter().any(|total| *total >= ENOUGH) {
            break;
        }
    }
    if sql::is_sql(text) {
        scores.totals[SQL] += SQL_SCORE;
        scores.code = scores.lines;
    }
    scores
}

/// Compares lines with forms, and counts how often a form was seen.
struct Counter<'a> {
    table: &'a Table,
    /// As [`Table::by_first_byte`].
    hits: Vec<Vec<u8>>,
    other_hits: Vec<u8>,
    /// What the line speaks for, by language.
    weights: Vec<u32>,
}

impl<'a> Counter<'a> {
    fn new(table: &'a Table) -> Self {
        Self {
            table,
            hits: table.by_first_byte.iter().map(|list| vec![0; list.len()]).collect(),
            other_hits: vec![0; table.others.len()],
            weights: vec![0; table.languages.len()],
        }
    }

    /// How surely a line is one of each language.
    fn weights(&mut self, line: &str) -> &[u32] {
        let Self { table, hits, other_hits, weights } = self;
        weights.fill(0);
        weights[SHELL] = command::weight(line);
        weights[POWERSHELL] = command::powershell_weight(line);
        // What a command is given may be code of any language.
        let command = weights[SHELL] >= MIN_SCORE;
        let characters = Characters::of(line);
        let first = usize::from(line.as_bytes()[0]);
        let beginning = table.by_first_byte[first].iter().zip(&mut hits[first]);
        for (statement, hits) in beginning.chain(table.others.iter().zip(other_hits)) {
            let Statement { language, weight, characters: needed, form } = statement;
            let wanted = *weight > weights[*language] && *hits < MAX_HITS && (!command || *language == SHELL);
            if wanted && needed.are_in(characters) && form.matches(line) {
                *hits += 1;
                weights[*language] = *weight;
            }
        }
        weights
    }
}

/// A line without the space around it, the comment at its end, and what is too long.
fn statement(line: &str) -> &str {
    let mut end = line.len().min(MAX_LINE_BYTES);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let line = line[..end].trim();
    let comment = [" // ", "  # ", "\t# "].iter().filter_map(|mark| line.find(mark)).min();
    comment.map_or(line, |comment| line[..comment].trim_end())
}
