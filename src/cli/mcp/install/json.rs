//! Settings in JSON, which may have comments: one entry is added or removed, and every other byte stays.
//!
//! What must hold: what is written reads as the settings before with this entry, or without it; otherwise nothing is.

use std::ops::Range;

use lunette_json::comments::blanked;
use lunette_json::token::{Token, Tokens};
use serde_json::{Map, Value};

use super::{NAME, NotChanged};

/// How far one level is indented.
const INDENT: &str = "  ";

/// Where an object and its fields are in a text.
struct Object {
    /// The offset of its `{`.
    open: usize,
    /// The offset of its `}`.
    close: usize,
    /// Each field: its name, and the bytes from the beginning of its key to the end of its value.
    fields: Vec<(String, Range<usize>)>,
}

/// Returns the settings with an entry under a field; `None` if it is there. Fails if there is another entry of that
/// name, or if the text is not JSON.
pub(super) fn with(before: &str, field: &str, entry: &Value) -> Result<Option<String>, NotChanged> {
    let before = if before.trim().is_empty() { "{}" } else { before };
    let (settings, plain) = read(before)?;
    let servers = settings.get(field);
    match servers.map(|servers| servers.get(NAME)) {
        Some(Some(known)) if known == entry => return Ok(None),
        Some(Some(_)) => return Err(NotChanged(format!("it has another entry {NAME:?}; remove that first"))),
        Some(None) if !servers.is_some_and(Value::is_object) => {
            return Err(NotChanged(format!("{field:?} is not an object")));
        }
        Some(None) | None => {}
    }
    let root = object(&plain, 0)?;
    let after = match root.fields.iter().find(|(name, _)| name == field) {
        Some((_, range)) => {
            let servers = object(&plain, value_of(&plain, range))?;
            inserted(before, &servers, NAME, entry, 2)
        }
        None => {
            let servers = Value::Object(Map::from_iter([(NAME.to_owned(), entry.clone())]));
            inserted(before, &root, field, &servers, 1)
        }
    };
    let mut expected = settings;
    let servers = expected.entry(field).or_insert_with(|| Value::Object(Map::new()));
    servers[NAME] = entry.clone();
    checked(after, &expected).map(Some)
}

/// Returns the settings without the entry; `None` if there is none.
pub(super) fn without(before: &str, field: &str) -> Result<Option<String>, NotChanged> {
    if before.trim().is_empty() {
        return Ok(None);
    }
    let (mut settings, plain) = read(before)?;
    let root = object(&plain, 0)?;
    let Some((_, range)) = root.fields.iter().find(|(name, _)| name == field) else { return Ok(None) };
    if !settings[field].is_object() {
        return Ok(None);
    }
    let servers = object(&plain, value_of(&plain, range))?;
    let Some(index) = servers.fields.iter().position(|(name, _)| name == NAME) else { return Ok(None) };
    let taken = &servers.fields[index].1;
    // With the comma that parts it from its neighbour, and the line that it leaves empty; a comment behind it stays
    // there.
    let (mut from, mut to) = (taken.start, taken.end);
    if let Some((_, next)) = servers.fields.get(index + 1) {
        let comma = plain[to..next.start].find(',').map_or(to, |at| to + at + 1);
        to = comma;
    } else if let Some((_, last)) = index.checked_sub(1).and_then(|index| servers.fields.get(index)) {
        // A comment between the two stays.
        let comma = plain[last.end..from].find(',').map(|at| last.end + at);
        if let Some(comma) = comma {
            let kept = before[comma + 1..from].trim_end();
            let after = format!("{}{kept}{}", &before[..comma], &before[to..]);
            return without_field(&mut settings, field, after);
        }
    }
    if before[to..].split('\n').next().is_some_and(|rest| rest.trim().is_empty()) {
        from = before[..from].rfind('\n').filter(|at| before[*at..from].trim().is_empty()).unwrap_or(from);
    }
    without_field(&mut settings, field, format!("{}{}", &before[..from], &before[to..]))
}

fn without_field(settings: &mut Map<String, Value>, field: &str, after: String) -> Result<Option<String>, NotChanged> {
    settings[field].as_object_mut().and_then(|servers| servers.shift_remove(NAME));
    checked(after, settings).map(Some)
}

/// The settings, and their text with spaces in place of comments and trailing commas.
fn read(text: &str) -> Result<(Map<String, Value>, String), NotChanged> {
    let plain = blanked(text).unwrap_or_else(|| text.to_owned());
    match serde_json::from_str(&plain) {
        Ok(Value::Object(settings)) => Ok((settings, plain)),
        Ok(_) => Err(NotChanged("it is not a JSON object".to_owned())),
        Err(error) => Err(NotChanged(format!("it is not JSON ({error})"))),
    }
}

/// A text, if it reads as these settings.
fn checked(after: String, expected: &Map<String, Value>) -> Result<String, NotChanged> {
    match read(&after)?.0 == *expected {
        true => Ok(after),
        false => Err(NotChanged("it has a field twice, or is written in a way that is not known".to_owned())),
    }
}

/// The object that begins at or after an offset of a text without comments.
fn object(plain: &str, from: usize) -> Result<Object, NotChanged> {
    let unread = || NotChanged("it is not an object where one is expected".to_owned());
    let (mut depth, mut open, mut key, mut fields) = (0, None, None::<Range<usize>>, Vec::new());
    let mut end = from;
    let finish = |key: &mut Option<Range<usize>>, end: usize, fields: &mut Vec<(String, Range<usize>)>| {
        if let Some(key) = key.take() {
            let name = serde_json::from_str(&plain[from + key.start..from + key.end]).unwrap_or_default();
            fields.push((name, from + key.start..end));
        }
    };
    for token in Tokens::new(&plain.as_bytes()[from..]) {
        match token {
            Token::Open { object, at } => {
                depth += 1;
                if depth == 1 {
                    open = object.then_some(from + at);
                }
                end = from + at + 1;
            }
            Token::Close { at } if depth == 1 => {
                finish(&mut key, end, &mut fields);
                return Ok(Object { open: open.ok_or_else(unread)?, close: from + at, fields });
            }
            Token::Close { at } => {
                depth -= 1;
                end = from + at + 1;
            }
            Token::Comma { .. } if depth == 1 => finish(&mut key, end, &mut fields),
            Token::Key(range) if depth == 1 => {
                end = from + range.end;
                key = Some(range);
            }
            Token::Key(range) | Token::Text(range) | Token::Other(range) => end = from + range.end,
            Token::Comma { .. } | Token::Comment(_) => {}
        }
        if depth == 0 {
            return Err(unread());
        }
    }
    Err(unread())
}

/// The offset after the colon of a field.
fn value_of(plain: &str, field: &Range<usize>) -> usize {
    let key = Tokens::new(&plain.as_bytes()[field.start..field.end]);
    // A field by itself begins with a text, since no object is open before it.
    let end = key.into_iter().find_map(|token| match token {
        Token::Text(range) | Token::Key(range) => Some(range.end),
        _ => None,
    });
    let end = field.start + end.unwrap_or_default();
    plain[end..field.end].find(':').map_or(end, |colon| end + colon + 1)
}

/// A text with a first field in an object at a depth.
fn inserted(before: &str, object: &Object, name: &str, value: &Value, depth: usize) -> String {
    let indent = INDENT.repeat(depth);
    let written = format!("{value:#}").replace('\n', &format!("\n{indent}"));
    let field = format!("\n{indent}{}: {written}", Value::from(name));
    let rest = &before[object.open + 1..];
    match object.fields.is_empty() {
        false => format!("{}{field},{rest}", &before[..=object.open]),
        true => {
            let inside = before[object.open + 1..object.close].trim_end();
            let end = format!("\n{}", INDENT.repeat(depth - 1));
            format!("{}{field}{inside}{end}{}", &before[..=object.open], &before[object.close..])
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry() -> Value {
        json!({ "command": "/usr/bin/lunette", "args": ["mcp"] })
    }

    #[test]
    fn an_entry_is_added_and_every_other_byte_stays() {
        let before = "// mine\n{\n  \"theme\": \"dark\", // keep\n  \"mcpServers\": {\n    /* one */ \"other\": { \"command\": \"x, }\" },\n  },\n}\n";
        let after = with(before, "mcpServers", &entry()).expect("added").expect("new");
        let added = after.len() - before.len();
        let at = after.find("\n    \"lunette\"").expect("the entry");
        assert_eq!(format!("{}{}", &after[..at], &after[at + added..]), before);
        assert_eq!(with(&after, "mcpServers", &entry()), Ok(None), "once");
        assert_eq!(without(&after, "mcpServers"), Ok(Some(before.to_owned())), "and removed");
        let other = after.replace("/usr/bin/lunette", "/opt/other");
        assert!(with(&other, "mcpServers", &entry()).expect_err("kept").to_string().contains("another entry"));
    }

    #[test]
    fn objects_that_are_missing_or_empty_are_made() {
        for before in
            ["", "{}", "{ }\n", "{ // nothing\n}", "{\"servers\": {}}", "{\"a\": [1, {\"b\": 2}], \"servers\": {\n}}"]
        {
            let after = with(before, "servers", &entry()).expect("added").expect("new");
            assert_eq!(read(&after).expect("JSON").0["servers"]["lunette"], entry(), "{before:?}: {after}");
            assert_eq!(after.contains("// nothing"), before.contains("// nothing"), "{after}");
            let removed = without(&after, "servers").expect("removed").expect("there");
            assert!(!removed.contains("lunette"), "{removed}");
        }
    }

    #[test]
    fn an_entry_between_others_is_removed_and_comments_stay() {
        let before =
            "{ \"servers\": {\n  \"a\": {}, // of a\n  \"lunette\": { \"args\": [] }, // of it\n  \"b\": {}\n} }";
        let after = without(before, "servers").expect("removed").expect("there");
        assert!(after.contains("// of a\n") && after.contains("\"b\": {}"), "{after}");
        let last = "{ \"servers\": {\n  \"a\": {}, // of a\n  \"lunette\": {}\n} }";
        let after = without(last, "servers").expect("removed").expect("there");
        assert_eq!(read(&after).expect("JSON").0, read("{\"servers\":{\"a\":{}}}").expect("JSON").0, "{after}");
        assert!(after.contains("// of a"), "{after}");
        assert_eq!(without("{\"servers\":{}}", "servers"), Ok(None));
    }

    #[test]
    fn what_is_no_object_is_left_alone() {
        for before in ["[1]", "{", "not JSON", "{\"servers\": 1}", "{\"servers\": {}, \"servers\": {\"x\": {}}}"] {
            assert!(with(before, "servers", &entry()).is_err(), "{before}");
        }
    }
}
