//! Parses a filter.
//!
//! Our choice: a word with a colon that does not begin with the name of a field is an error, so that a typo is not a
//! search without results; but one that looks like an address, a path or code (`std::io`, `http://…`, `C:\x`, `12:30`)
//! is text. In quotes everything is text; `\"` and `\\` are escapes there. A minus negates before a letter, a digit or
//! a quote; `->` and `--release` are text.

use super::error::{ParseError, nearest};
use super::field::{Field, FieldKind, List};
use super::value::{Piece, value};
use super::{Comparison, Condition, Filter, Op, Term};

/// Parses a filter for a list. Fails at the first invalid part.
pub fn parse(text: &str, list: List) -> Result<Filter, ParseError> {
    let mut reader = Reader { text, at: 0, list };
    let mut terms = Vec::new();
    while let Some(term) = reader.term()? {
        terms.push(term);
    }
    Ok(Filter { terms })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    list: List,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// The characters up to the first that ends a word.
    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn term(&mut self) -> Result<Option<Term>, ParseError> {
        self.take_until(|c| !c.is_whitespace());
        if self.peek().is_none() {
            return Ok(None);
        }
        let mut ahead = self.rest().chars();
        let negated = ahead.next() == Some('-') && ahead.next().is_some_and(|c| c.is_alphanumeric() || c == '"');
        self.at += usize::from(negated);
        let test = self.test()?;
        Ok(Some(Term { negated, test }))
    }

    fn test(&mut self) -> Result<Condition, ParseError> {
        if self.peek() == Some('"') {
            return Ok(Condition::Text(self.quoted()?));
        }
        let start = self.at;
        let name = self.take_until(|c| !c.is_ascii_alphabetic());
        if !name.is_empty() && self.take(':') {
            if let Some(field) = self.list.field(name) {
                return Ok(Condition::Field(field, self.asks(field)?));
            }
            let rest = self.rest().chars().next().filter(|c| !c.is_whitespace());
            if name.len() > 1 && rest.is_some_and(|c| !matches!(c, ':' | '/' | '\\')) {
                return Err(self.unknown(name, start));
            }
        }
        self.at = start;
        Ok(Condition::Text(self.take_until(char::is_whitespace).to_owned()))
    }

    fn unknown(&self, name: &str, start: usize) -> ParseError {
        let near = nearest(name, self.list.fields().iter().map(|field| field.name()));
        let span = start..start + name.len();
        let problem = match near {
            Some(near) => format!("unknown field “{name}”: did you mean “{near}”?"),
            None => format!("unknown field “{name}”: put it in quotes to search for it as text"),
        };
        ParseError { instead: near.map(str::to_owned), ..ParseError::new(span, problem) }
    }

    /// The values of a field: one, or several separated by commas.
    fn asks(&mut self, field: Field) -> Result<Vec<Comparison>, ParseError> {
        let mut any = Vec::new();
        loop {
            any.push(self.ask(field)?);
            if !self.take(',') {
                return Ok(any);
            }
        }
    }

    fn ask(&mut self, field: Field) -> Result<Comparison, ParseError> {
        let start = self.at;
        let op = self.op(field.kind());
        let from = self.at;
        let quoted = self.peek() == Some('"');
        let text = if quoted { self.quoted()? } else { self.take_until(|c| c.is_whitespace() || c == ',').to_owned() };
        let piece = Piece { text, span: from..self.at };
        if piece.text.is_empty() && !quoted {
            let name = field.name();
            let span = if start == from { start - 1..start } else { start..from };
            let problem = format!("“{name}:” needs a value: {}", field.example());
            return Err(ParseError { unfinished: self.at == self.text.len(), ..ParseError::new(span, problem) });
        }
        let mut ask = value(field, self.list, op, &piece)?;
        if !matches!(field.kind(), FieldKind::Text | FieldKind::Folder | FieldKind::Version) && ask.op == Op::Is {
            ask.op = Op::Has;
        }
        Ok(ask)
    }

    /// The comparison. Texts support only `=`, so that `name:<T>` searches for `<T>`.
    fn op(&mut self, kind: FieldKind) -> Op {
        if self.take('=') {
            return Op::Is;
        }
        if matches!(kind, FieldKind::Text | FieldKind::Word | FieldKind::Folder | FieldKind::Flag) {
            return Op::Has;
        }
        if self.take('<') {
            return if self.take('=') { Op::AtMost } else { Op::Less };
        }
        if self.take('>') {
            return if self.take('=') { Op::AtLeast } else { Op::More };
        }
        Op::Has
    }

    fn quoted(&mut self) -> Result<String, ParseError> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        let mut letters = self.rest().char_indices();
        while let Some((offset, c)) = letters.next() {
            match c {
                '"' => {
                    self.at += offset + 1;
                    return Ok(text);
                }
                '\\' => match letters.clone().next() {
                    Some((_, next @ ('"' | '\\'))) => {
                        letters.next();
                        text.push(next);
                    }
                    _ => text.push(c),
                },
                _ => text.push(c),
            }
        }
        let problem = "the quote is not closed: add another \"";
        Err(ParseError { unfinished: true, ..ParseError::new(start..self.text.len(), problem) })
    }
}
