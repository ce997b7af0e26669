//! Formats a filter as text that parses to the same filter.

use std::fmt::{Formatter, Result, Write as _};

use super::{Comparison, Condition, Filter, Op, Term, Value};

pub(super) fn filter(filter: &Filter, f: &mut Formatter<'_>) -> Result {
    for (index, Term { negated, test }) in filter.terms.iter().enumerate() {
        if index > 0 {
            f.write_char(' ')?;
        }
        if *negated {
            f.write_char('-')?;
        }
        match test {
            Condition::Text(text) if is_plain(text) => f.write_str(text)?,
            Condition::Text(text) => f.write_str(&quoted(text))?,
            Condition::Field(field, any) => {
                write!(f, "{}:", field.name())?;
                asks(any, f)?;
            }
        }
    }
    Ok(())
}

fn asks(any: &[Comparison], f: &mut Formatter<'_>) -> Result {
    for (index, Comparison { op, value }) in any.iter().enumerate() {
        if index > 0 {
            f.write_char(',')?;
        }
        f.write_str(match op {
            Op::Has => "",
            Op::Is => "=",
            Op::Less => "<",
            Op::AtMost => "<=",
            Op::More => ">",
            Op::AtLeast => ">=",
        })?;
        match value {
            Value::Text(text) | Value::Version(text) => f.write_str(&value_text(text))?,
            Value::Number(number) => write!(f, "{number}")?,
            Value::Bytes(bytes) => write!(f, "{bytes}")?,
            Value::Millis(millis) => write!(f, "{millis}ms")?,
            Value::When(when) => write!(f, "{when}")?,
            Value::Flag(flag) => f.write_str(flag.word())?,
        }
    }
    Ok(())
}

/// A text after a field's colon, quoted if needed.
pub(super) fn value_text(text: &str) -> String {
    if is_plain(text) && !text.contains(',') { text.to_owned() } else { quoted(text) }
}

/// Whether a text needs no quotes in any position.
fn is_plain(text: &str) -> bool {
    let first = text.chars().next().is_some_and(char::is_alphanumeric);
    first && !text.contains(|c: char| c.is_whitespace() || c == '"' || c == ':')
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
