//! CSON as Boostnote writes it: an object without braces, one key and value per line, nested by indentation.
//!
//! Texts are `'…'`, `"…"` and `'''…'''`, whose lines lose their common indentation. Such files have no comments,
//! functions or expressions, so these are not supported.

use serde_json::{Map, Value};

/// The maximum depth of nesting.
const DEPTH: usize = 32;

/// The maximum number of lines, each of which may be a value.
const MOST_LINES: usize = 500_000;

/// Parses a document. Fails with the line and a sentence.
pub(crate) fn parse(text: &str) -> Result<Value, (usize, String)> {
    if text.bytes().filter(|byte| *byte == b'\n').count() > MOST_LINES {
        return Err((1, format!("it has more than {MOST_LINES} lines")));
    }
    let mut reader = Reader { lines: text.lines().map(|line| line.trim_end()).collect(), at: 0 };
    let value = reader.object(0, 0).map_err(|message| (reader.at.min(reader.lines.len()), message.to_owned()))?;
    reader.blank();
    match reader.at < reader.lines.len() {
        true => Err((reader.at + 1, "is not a key with a value".to_owned())),
        false => Ok(value),
    }
}

struct Reader<'a> {
    lines: Vec<&'a str>,
    /// The next line.
    at: usize,
}

impl<'a> Reader<'a> {
    fn blank(&mut self) {
        while self.lines.get(self.at).is_some_and(|line| line.trim().is_empty()) {
            self.at += 1;
        }
    }

    /// The next line and its indentation, if it is indented as much as this.
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
            object.insert(key, self.value(rest, own, depth)?);
        }
        Ok(Value::Object(object))
    }

    /// Returns the value after a key or within a list, whose first line was already consumed.
    fn value(&mut self, rest: &str, indent: usize, depth: usize) -> Result<Value, &'static str> {
        match rest.trim() {
            "" => self.object(indent + 1, depth + 1),
            "[]" => Ok(Value::Array(Vec::new())),
            "{}" => Ok(Value::Object(Map::new())),
            "[" => self.list(depth + 1),
            "{" => {
                let value = self.object(indent + 1, depth + 1)?;
                self.close('}')?;
                Ok(value)
            }
            "'''" => self.block(),
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
            match line {
                "]" => return Ok(Value::Array(list)),
                line => list.push(self.value(line, indent, depth)?),
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

    /// The lines up to the closing marks, without their common indentation.
    fn block(&mut self) -> Result<Value, &'static str> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.lines.get(self.at) else { return Err("a text is not closed") };
            self.at += 1;
            if line.trim() == "'''" {
                break;
            }
            lines.push(*line);
        }
        let filled = lines.iter().filter(|line| !line.trim().is_empty());
        let indent = filled.map(|line| line.len() - line.trim_start_matches(' ').len()).min().unwrap_or(0);
        let lines: Vec<&str> = lines.iter().map(|line| line.get(indent..).unwrap_or_default()).collect();
        Ok(unescaped(&lines.join("\n")).into())
    }
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

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (letter, false) => plain.push(letter),
            (_, true) => match letters.next() {
                Some('n') => plain.push('\n'),
                Some('t') => plain.push('\t'),
                Some('r') => plain.push('\r'),
                Some('u') => {
                    let digits: String = letters.clone().take(4).collect();
                    match u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).filter(|_| digits.len() == 4) {
                        Some(letter) => {
                            plain.push(letter);
                            letters.nth(3);
                        }
                        None => plain.push('u'),
                    }
                }
                Some(letter) => plain.push(letter),
                None => plain.push('\\'),
            },
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_read() {
        let text = "createdAt: \"2020-01-02T03:04:05.000Z\"\ntitle: 'It\\'s'\ntags: [\n  \"a\"\n  \"b\"\n]\nsnippets: [\n  {\n    \
                    name: \"x.rs\"\n    linesHighlighted: []\n    content: '''\n      fn a() {\n        1\n      }\n    '''\n  }\n]\nisStarred: true\n";
        let value = parse(text).expect("it is read");
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
}
