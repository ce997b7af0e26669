//! Code with its words told apart, made off the window's thread and then drawn line by line.

use super::json_text::json_runs;
use crate::model::language::language;
use crate::ui::theme::TokenClass;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

/// Text beyond this many bytes is drawn in one colour.
pub const MOST_BYTES: usize = 1024 * 1024;
/// Lines beyond this many are drawn in one colour.
pub const MOST_LINES: usize = 20_000;
/// A longer line, in bytes, is drawn in one colour: patterns take too long on minified code.
const LONGEST_LINE: usize = 4_000;

/// A text, its lines, and what their parts are. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Highlighted(Arc<Parts>);

#[derive(Debug, Default)]
struct Parts {
    text: String,
    lines: Vec<Line>,
    runs: Vec<Run>,
    longest: usize,
}

#[derive(Debug)]
struct Line {
    bytes: Range<usize>,
    runs: Range<usize>,
}

#[derive(Debug)]
struct Run {
    bytes: Range<usize>,
    class: TokenClass,
}

impl Highlighted {
    /// The text in one colour; quick, for showing something while [`highlight`] works.
    pub fn plain(text: impl Into<String>) -> Self {
        let text = text.into();
        let mut parts = Parts::default();
        for bytes in lines(&text) {
            parts.push_line(&text, bytes, Vec::new());
        }
        parts.text = text;
        Highlighted(Arc::new(parts))
    }

    /// JSON text in colours, quickly; lines of more than `columns` characters go on below. What is copied is the text
    /// itself, without the breaks that only show.
    pub fn json(text: impl Into<String>, columns: usize) -> Self {
        let text = text.into();
        let runs = json_runs(&text);
        let mut parts = Parts::default();
        let mut first = 0;
        for line in lines(&text) {
            for bytes in pieces(&text, line, columns) {
                first += runs[first..].iter().take_while(|(run, _)| run.end <= bytes.start).count();
                let within = runs[first..].iter().take_while(|(run, _)| run.start < bytes.end);
                let cut = |run: &Range<usize>| run.start.max(bytes.start)..run.end.min(bytes.end);
                let runs = within.map(|(run, class)| Run { bytes: cut(run), class: *class }).collect();
                parts.push_line(&text, bytes.clone(), runs);
            }
        }
        parts.text = text;
        Highlighted(Arc::new(parts))
    }

    /// The whole text, as it was given.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// How many lines there are; an empty text has one.
    pub fn line_count(&self) -> usize {
        self.0.lines.len()
    }

    /// How many characters the longest line has.
    pub fn longest_line(&self) -> usize {
        self.0.longest
    }

    /// One line without its break; empty beyond the last.
    pub fn line(&self, line: usize) -> &str {
        self.0.lines.get(line).map_or("", |line| &self.0.text[line.bytes.clone()])
    }

    /// The parts of one line in order, covering all of it.
    pub fn runs(&self, line: usize) -> impl Iterator<Item = (&str, TokenClass)> {
        let parts = &*self.0;
        let runs = parts.lines.get(line).map_or(0..0, |line| line.runs.clone());
        parts.runs[runs].iter().map(|run| (&parts.text[run.bytes.clone()], run.class))
    }

    /// The text of some lines, with their breaks between them.
    pub fn slice(&self, lines: Range<usize>) -> &str {
        let of = |line: usize| self.0.lines.get(line).map(|line| line.bytes.clone());
        match (of(lines.start), lines.end.checked_sub(1).and_then(of)) {
            (Some(first), Some(last)) if first.start <= last.end => &self.0.text[first.start..last.end],
            _ => "",
        }
    }
}

impl Parts {
    fn push_line(&mut self, text: &str, bytes: Range<usize>, runs: Vec<Run>) {
        let first = self.runs.len();
        if runs.is_empty() {
            self.runs.push(Run { bytes: bytes.clone(), class: TokenClass::Plain });
        } else {
            self.runs.extend(runs);
        }
        self.longest = self.longest.max(text[bytes.clone()].chars().count());
        self.lines.push(Line { bytes, runs: first..self.runs.len() });
    }
}

/// Tells the words of `text` apart as those of the language `specific` (a word of the interface, or a file extension).
///
/// Takes about 40 ms for 1,000 lines, so it belongs on a thread of its own. Beyond [`MOST_BYTES`] or [`MOST_LINES`], and in
/// very long lines, and for a language not known, text is plain.
pub fn highlight(text: impl Into<String>, specific: &str) -> Highlighted {
    let text = text.into();
    let set = syntaxes();
    let Some(syntax) = syntax(set, specific) else { return Highlighted::plain(text) };
    let mut parts = Parts::default();
    let mut parse = Some((ParseState::new(syntax), ScopeStack::new()));
    for (number, bytes) in lines(&text).enumerate() {
        let known = number < MOST_LINES && bytes.end <= MOST_BYTES && bytes.len() <= LONGEST_LINE;
        let runs = match &mut parse {
            Some((state, stack)) if known => parse_line(set, state, stack, &text, bytes.clone()),
            _ => Some(Vec::new()),
        };
        // A grammar that fails once would fail again: the rest is plain.
        if runs.is_none() {
            parse = None;
        }
        parts.push_line(&text, bytes, runs.unwrap_or_default());
    }
    parts.text = text;
    Highlighted(Arc::new(parts))
}

/// The parts of one line; None when the grammar fails on it.
fn parse_line(
    set: &SyntaxSet,
    state: &mut ParseState,
    stack: &mut ScopeStack,
    text: &str,
    bytes: Range<usize>,
) -> Option<Vec<Run>> {
    // These grammars want the break at the end of a line.
    let line = format!("{}\n", &text[bytes.clone()]);
    let changes = state.parse_line(&line, set).ok()?;
    let mut runs: Vec<Run> = Vec::new();
    let mut at = 0;
    let mut push = |from: usize, to: usize, class: TokenClass| {
        let (from, to) = (bytes.start + from, (bytes.start + to).min(bytes.end));
        match runs.last_mut() {
            _ if from >= to => {}
            Some(last) if last.class == class => last.bytes.end = to,
            _ => runs.push(Run { bytes: from..to, class }),
        }
    };
    for (place, change) in changes {
        push(at, place, class_of(stack));
        at = place;
        stack.apply(&change).ok()?;
    }
    push(at, line.len(), class_of(stack));
    Some(runs)
}

/// What the innermost scope that says anything says.
fn class_of(stack: &ScopeStack) -> TokenClass {
    let known = known_scopes();
    stack
        .as_slice()
        .iter()
        .rev()
        .find_map(|scope| known.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|(_, class)| *class))
        .unwrap_or_default()
}

/// Names of scopes by the [conventions](https://www.sublimetext.com/docs/scope_naming.html) all grammars follow.
fn known_scopes() -> &'static [(Scope, TokenClass)] {
    static KNOWN: OnceLock<Vec<(Scope, TokenClass)>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let classes = [
            ("comment", TokenClass::Comment),
            ("punctuation.definition.comment", TokenClass::Comment),
            ("string", TokenClass::Literal),
            ("constant", TokenClass::Literal),
            ("markup.raw", TokenClass::Literal),
            ("markup.inserted", TokenClass::Literal),
            ("markup.deleted", TokenClass::Keyword),
            ("markup.heading", TokenClass::Keyword),
            ("markup.underline.link", TokenClass::Function),
            ("keyword.operator", TokenClass::Plain),
            ("keyword", TokenClass::Keyword),
            ("storage", TokenClass::Keyword),
            ("variable.language", TokenClass::Keyword),
            ("entity.name", TokenClass::Function),
            ("entity.other.attribute-name", TokenClass::Function),
            ("entity.other.inherited-class", TokenClass::Function),
            ("support.type.property-name", TokenClass::Function),
            ("support", TokenClass::Function),
            ("variable.function", TokenClass::Function),
            ("meta.interpolation", TokenClass::Plain),
        ];
        classes.iter().filter_map(|(name, class)| Some((Scope::new(name).ok()?, *class))).collect()
    })
}

/// All the grammars; loading them takes some 20 ms, once.
fn syntaxes() -> &'static SyntaxSet {
    static SYNTAXES: OnceLock<SyntaxSet> = OnceLock::new();
    SYNTAXES.get_or_init(two_face::syntax::extra_newlines)
}

/// The grammar of a language: what the list of languages says, else the one of a file extension.
fn syntax<'a>(set: &'a SyntaxSet, specific: &str) -> Option<&'a SyntaxReference> {
    let token = match language(specific) {
        Some(language) => language.syntax?,
        None => specific.strip_prefix("hljs-").unwrap_or(specific),
    };
    set.find_syntax_by_token(token).filter(|syntax| syntax.name != "Plain Text")
}

/// A line in pieces of so many characters; always one at least.
fn pieces(text: &str, line: Range<usize>, columns: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = Some(line.start);
    std::iter::from_fn(move || {
        let first = start.take()?;
        let end = text[first..line.end].char_indices().nth(columns.max(1)).map_or(line.end, |(end, _)| first + end);
        start = (end < line.end).then_some(end);
        Some(first..end)
    })
}

/// Where the lines are, without their breaks; always one at least.
fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let rest = &text[start..];
        let first = start;
        let end = match rest.find('\n') {
            Some(place) => {
                start += place + 1;
                // A break at the end of a text does not begin a line.
                done = start == text.len();
                first + place
            }
            None => {
                done = true;
                text.len()
            }
        };
        let end = if text[first..end].ends_with('\r') { end - 1 } else { end };
        Some(first..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::language::{LANGUAGES, Language};

    #[test]
    fn words_of_rust_are_told_apart() {
        let code = highlight("// why\nfn main() { let x = \"é\"; }\r\n", "rs");
        let classes: Vec<_> = (0..code.line_count()).flat_map(|line| code.runs(line).collect::<Vec<_>>()).collect();
        assert_eq!(classes[0], ("// why", TokenClass::Comment));
        assert!(classes.contains(&("fn", TokenClass::Keyword)), "{classes:?}");
        assert!(classes.contains(&("main", TokenClass::Function)), "{classes:?}");
        assert!(classes.contains(&("\"é\"", TokenClass::Literal)), "{classes:?}");
        assert_eq!(code.line_count(), 2);
        assert_eq!(code.line(1), "fn main() { let x = \"é\"; }");
    }

    #[test]
    fn runs_cover_every_line_exactly() {
        for (text, language) in
            [("a = 'x'\n\n# é\r\nb", "py"), ("{\"a\": [1, null]}", "json"), ("<a b='c'>", "html"), ("", "rs")]
        {
            let code = highlight(text, language);
            for line in 0..code.line_count() {
                let joined: String = code.runs(line).map(|(text, _)| text).collect();
                assert_eq!(joined, code.line(line), "{language}");
            }
        }
    }

    #[test]
    fn json_goes_on_below_and_is_copied_in_one_line() {
        let text = "{\"name\":\"ü and more\"}\n\n[1]";
        let code = Highlighted::json(text, 7);
        let drawn: Vec<_> = (0..code.line_count()).map(|line| code.line(line)).collect();
        assert_eq!(drawn, ["{\"name\"", ":\"ü and", " more\"}", "", "[1]"]);
        let joined = |line| code.runs(line).map(|(text, _)| text).collect::<String>();
        assert!((0..code.line_count()).all(|line| joined(line) == code.line(line)));
        assert_eq!((code.slice(0..3), code.text()), ("{\"name\":\"ü and more\"}", text));
    }

    #[test]
    fn a_language_not_known_is_plain() {
        let code = highlight("fn main() {}", "hljs-nosuchthing");
        assert_eq!(code.runs(0).collect::<Vec<_>>(), [("fn main() {}", TokenClass::Plain)]);
    }

    #[test]
    fn beyond_the_limits_text_is_whole_and_plain() {
        let text = "let x = 1;\n".repeat(MOST_LINES + 10);
        let code = highlight(text.clone(), "rs");
        assert_eq!(code.line_count(), MOST_LINES + 10);
        assert_eq!(code.runs(MOST_LINES + 5).collect::<Vec<_>>(), [("let x = 1;", TokenClass::Plain)]);
        assert_eq!(code.text(), text);
    }

    #[test]
    fn lines_are_sliced_with_the_breaks_between_them() {
        let code = Highlighted::plain("a\nb\r\nc");
        assert_eq!(code.slice(0..2), "a\nb");
        assert_eq!(code.slice(1..3), "b\r\nc");
        assert_eq!(code.slice(2..9), "");
    }

    #[test]
    fn every_language_of_text_is_in_colours_but_those_whose_grammar_nobody_has() {
        let set = syntaxes();
        let texts = LANGUAGES.iter().filter(|language| language.text);
        let plain: Vec<&str> = texts
            .clone()
            .filter(|language| syntax(set, language.specific).is_none())
            .map(|language| language.specific)
            .collect();
        // Prose and addresses are plain on purpose.
        let none = |language: &&Language| matches!(language.syntax, None | Some("txt"));
        let said: Vec<&str> = texts.clone().filter(none).map(|language| language.specific).collect();
        assert_eq!(plain, said, "the list of languages says which fall back to plain text");
        assert!(plain.len() * 5 < texts.count(), "{} fall back to plain text: {plain:?}", plain.len());
        for known in
            ["rs", "py", "js", "ts", "tsx", "go", "java", "c", "cpp", "cs", "rb", "php", "swift", "kt", "sql", "html"]
        {
            assert!(!plain.contains(&known), "{known} is plain");
        }
    }
}
