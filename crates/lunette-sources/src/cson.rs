//! CSON as Boostnote writes it: an object without braces, one key and value per line, nested by indentation.
//!
//! Texts are `'…'`, `"…"` and `'''…'''`, whose lines lose their common indentation. Such files have no comments,
//! functions or expressions, so these are not supported.
//!
//! What must hold: a text is byte for byte what cson-parser 4, which Boostnote uses, reads: blanks at the end of a line,
//! lines of blanks and the end of the text are part of it; a carriage return that is not escaped is not.

use serde_json::{Map, Value};

/// The quotes of texts of several lines.
const QUOTES: [&str; 2] = ["'''", "\"\"\""];

/// The maximum depth of nesting.
const DEPTH: usize = 32;

/// The maximum number of lines, each of which may be a value.
const MOST_LINES: usize = 500_000;

/// Parses a document. Returns its value and the keys that an object has again, of which the last one counts. Fails with
/// the line and a sentence.
pub(crate) fn parse(text: &str) -> Result<(Value, Vec<String>), (usize, String)> {
    if text.bytes().filter(|byte| *byte == b'\n').count() > MOST_LINES {
        return Err((1, format!("it has more than {MOST_LINES} lines")));
    }
    let text = text.replace('\r', "");
    let mut reader = Reader { lines: text.lines().collect(), at: 0, repeated_keys: Vec::new() };
    let value = reader.object(0, 0).map_err(|message| (reader.at.min(reader.lines.len()), message.to_owned()))?;
    reader.blank();
    match reader.at < reader.lines.len() {
        true => Err((reader.at + 1, "is not a key with a value".to_owned())),
        false => Ok((value, reader.repeated_keys)),
    }
}

struct Reader<'a> {
    lines: Vec<&'a str>,
    /// The next line.
    at: usize,
    repeated_keys: Vec<String>,
}

impl<'a> Reader<'a> {
    fn blank(&mut self) {
        while self.lines.get(self.at).is_some_and(|line| line.trim().is_empty()) {
            self.at += 1;
        }
    }

    /// The next line without its indentation, and the indentation, if it is indented as much as this.
    fn line(&mut self, least: usize) -> Option<(usize, &'a str)> {
        self.blank();
        let line = self.lines.get(self.at)?;
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        (indent >= least).then_some((indent, trimmed))
    }

    /// The keys that are indented as the first of them.
    fn object(&mut self, least: usize, depth: usize) -> Result<Value, &'static str> {
        if depth > DEPTH {
            return Err("it is nested too deep");
        }
        let mut object = Map::new();
        let Some((own, _)) = self.line(least) else { return Ok(Value::Object(object)) };
        while let Some((indent, line)) = self.line(own) {
            if indent > own || line.starts_with(['}', ']']) {
                break;
            }
            let Some((key, rest)) = key(line) else { break };
            self.at += 1;
            let value = self.value(rest, own, depth)?;
            if object.contains_key(&key) {
                self.repeated_keys.push(key.clone());
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }

    /// Returns the value after a key or within a list, whose first line was already consumed.
    fn value(&mut self, rest: &'a str, indent: usize, depth: usize) -> Result<Value, &'static str> {
        let rest = rest.trim_start();
        if let Some((quotes, first)) = QUOTES.iter().find_map(|quotes| Some((quotes, rest.strip_prefix(quotes)?))) {
            return self.block(quotes, first);
        }
        match rest.trim_end() {
            "" => self.object(indent + 1, depth + 1),
            "[]" => Ok(Value::Array(Vec::new())),
            "{}" => Ok(Value::Object(Map::new())),
            "[" => self.list(depth + 1),
            "{" => {
                let value = self.object(indent + 1, depth + 1)?;
                self.close('}')?;
                Ok(value)
            }
            text => scalar(text),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value, &'static str> {
        if depth > DEPTH {
            return Err("it is nested too deep");
        }
        let mut list = Vec::new();
        loop {
            let Some((indent, line)) = self.line(0) else { return Err("a list is not closed") };
            self.at += 1;
            match line.trim_end() {
                "]" => return Ok(Value::Array(list)),
                _ => list.push(self.value(line, indent, depth)?),
            }
        }
    }

    fn close(&mut self, mark: char) -> Result<(), &'static str> {
        match self.line(0) {
            Some((_, line)) if line.starts_with(mark) => {
                self.at += 1;
                Ok(())
            }
            Some(_) | None => Err("an object is not closed"),
        }
    }

    /// Returns the text up to the closing quotes, which begins with the rest of the line before.
    fn block(&mut self, quotes: &str, first: &'a str) -> Result<Value, &'static str> {
        let mut body = String::new();
        let mut line = first;
        loop {
            if let Some(end) = end_of_block(line, quotes) {
                body.push_str(&line[..end]);
                return Ok(unescaped(&without_indentation(&body)).into());
            }
            body.push_str(line);
            body.push('\n');
            line = self.lines.get(self.at).ok_or("a text is not closed")?;
            self.at += 1;
        }
    }
}

/// Returns where in a line the closing quotes begin.
fn end_of_block(line: &str, quotes: &str) -> Option<usize> {
    let mut escaped = false;
    line.char_indices().find_map(|(at, letter)| {
        let end = !escaped && line[at..].starts_with(quotes);
        escaped = letter == '\\' && !escaped;
        end.then_some(at)
    })
}

/// Whether a character is a space in a line, as JavaScript sees it.
fn is_blank(letter: char) -> bool {
    letter == '\u{feff}' || letter.is_whitespace() && !matches!(letter, '\n' | '\u{85}')
}

/// Returns a text without the first and the last of its lines if they are blank, and without the indentation that its
/// lines have in common. The line of the opening quotes and lines of blanks do not count for it.
fn without_indentation(body: &str) -> String {
    let indents = body.split('\n').skip(1).filter_map(|line| {
        let rest = line.trim_start_matches(is_blank);
        (!rest.is_empty()).then(|| &line[..line.len() - rest.len()])
    });
    // A line without indentation counts only if it is the first one.
    let shorter = |known: &str, indent: &str| !indent.is_empty() && indent.chars().count() < known.chars().count();
    let indent = indents.reduce(|known, indent| if shorter(known, indent) { indent } else { known });
    let indent = indent.unwrap_or_default();
    let mut lines: Vec<&str> = body.split('\n').collect();
    for line in lines.iter_mut().skip(1) {
        *line = line.strip_prefix(indent).unwrap_or(line);
    }
    let is_empty = |line: &&str| line.chars().all(is_blank);
    if lines.len() > 1 && lines.first().is_some_and(is_empty) {
        lines.remove(0);
    }
    if lines.len() > 1 && lines.last().is_some_and(is_empty) {
        lines.pop();
    }
    lines.join("\n")
}

/// The key of a line, and what follows its colon.
fn key(line: &str) -> Option<(String, &str)> {
    if let Some(quote) = line.chars().next().filter(|mark| matches!(mark, '"' | '\'')) {
        let end = closing(&line[1..], quote)? + 1;
        let rest = line[end + 1..].trim_start().strip_prefix(':')?;
        return Some((unescaped(&line[1..end]), rest));
    }
    let (key, rest) = line.split_once(':')?;
    let word = !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || "_-$".contains(letter));
    word.then(|| (key.to_owned(), rest))
}

/// Returns the end of a quoted text, after its opening quote.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, letter)| {
        let end = letter == quote && !escaped;
        escaped = letter == '\\' && !escaped;
        end.then_some(at)
    })
}

fn scalar(text: &str) -> Result<Value, &'static str> {
    if let Some(quote) = text.chars().next().filter(|mark| matches!(mark, '"' | '\'')) {
        let end = closing(&text[1..], quote).ok_or("a text is not closed")? + 1;
        return Ok(unescaped(&text[1..end]).into());
    }
    match text {
        "true" | "false" | "null" => Ok(serde_json::from_str(text).unwrap_or_default()),
        text => serde_json::from_str(text).map_err(|_| "a value is neither a text, a number, a list nor an object"),
    }
}

/// Replaces the escapes of JavaScript.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let mut letters = rest[at + 1..].chars();
        match letters.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('r') => plain.push('\r'),
            Some('b') => plain.push('\u{8}'),
            Some('f') => plain.push('\u{c}'),
            Some('v') => plain.push('\u{b}'),
            Some('0') => plain.push('\0'),
            Some(mark @ ('u' | 'x')) => match code_point(letters.as_str(), mark) {
                Some((letter, rest)) => {
                    plain.push(letter);
                    letters = rest.chars();
                }
                None => plain.push(mark),
            },
            Some(letter) => plain.push(letter),
            None => plain.push('\\'),
        }
        rest = letters.as_str();
    }
    plain + rest
}

/// Returns the character of an escape and what follows it. Half of a pair alone is not a character.
fn code_point(text: &str, mark: char) -> Option<(char, &str)> {
    let number = |digits: &str| u32::from_str_radix(digits, 16).ok();
    if let Some((digits, rest)) = text.strip_prefix('{').and_then(|text| text.split_once('}')) {
        return Some((char::from_u32(number(digits)?)?, rest));
    }
    let (digits, rest) = text.split_at_checked(if mark == 'x' { 2 } else { 4 })?;
    let high = number(digits)?;
    let pair = || {
        let (digits, rest) = rest.strip_prefix("\\u")?.split_at_checked(4)?;
        let units = [u16::try_from(high).ok()?, u16::try_from(number(digits)?).ok()?];
        Some((char::decode_utf16(units).next()?.ok()?, rest))
    };
    let single = char::from_u32(high).map(|letter| (letter, rest));
    single.or_else(pair).or(Some((char::REPLACEMENT_CHARACTER, rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_read() {
        let text = "createdAt: \"2020-01-02T03:04:05.000Z\"\ntitle: 'It\\'s'\ntags: [\n  \"a\"\n  \"b\"\n]\nsnippets: [\n  {\n    \
                    name: \"x.rs\"\n    linesHighlighted: []\n    content: '''\n      fn a() {\n        1\n      }\n    '''\n  }\n]\nisStarred: true\n";
        let (value, _) = parse(text).expect("it is read");
        assert_eq!(value["title"], "It's");
        assert_eq!(value["tags"], serde_json::json!(["a", "b"]));
        assert_eq!(value["snippets"][0]["content"], "fn a() {\n  1\n}");
        assert_eq!(value["isStarred"], true);
    }

    #[test]
    fn invalid_cson_is_reported_with_its_line() {
        assert_eq!(parse("a: 1\n? ?\n").map_err(|(line, _)| line), Err(2));
        assert!(parse("a: [\n").is_err());
    }

    #[test]
    fn a_text_of_several_lines_is_what_cson_parser_reads() {
        // Each text as a document has it, and what version 4.0.9 reads from that.
        for (written, expected) in [
            ("'''\n  one  \n  two\t\n  \n     \n  three \n'''", "one  \ntwo\t\n\n   \nthree "),
            ("'''\n  a\n  \n'''", "a\n"),
            ("'''\n  a\n  \n  \n    \n'''", "a\n\n\n  "),
            ("'''\n  \n  a\n'''", "\na"),
            ("'''\n  \n  \n  \n'''", "  \n  \n  "),
            ("'''\n    a\n   b\n'''", " a\nb"),
            ("'''\n  \ta\n  b\n'''", "\ta\nb"),
            ("'''\n  a\u{2028}b\n  \u{feff}c\n  \u{a0}d\n'''", "a\u{2028}b\n\u{feff}c\n\u{a0}d"),
            ("'''\r\n  a\r\n  b\rc\r\n'''", "a\nbc"),
            ("'''\n  \\'''x\\''\\''\n  \\\\n\n'''", "'''x''''\n\\n"),
            ("'''a \n  b '''", "a \nb "),
            ("'''\na\n  b\n'''", "a\n  b"),
            ("'''\n  a\nb\n'''", "a\nb"),
            ("'''\n  a # b\n  c: 1\n'''", "a # b\nc: 1"),
            (r#""a\r\n\u2028\ud83d\ude00\b\x41 ""#, "a\r\n\u{2028}😀\u{8}A "),
            (r"' a\\'", " a\\"),
        ] {
            let (value, _) = parse(&format!("a: {written}\nb: [\n  {written}\n]\n")).expect("it is read");
            assert_eq!((value["a"].as_str(), value["b"][0].as_str()), (Some(expected), Some(expected)), "{written:?}");
        }
    }
}
