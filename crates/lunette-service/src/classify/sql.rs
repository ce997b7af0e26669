//! SQL, whose keywords are words of prose in either case.
//!
//! What must hold: a sentence (`Select the rows you want to delete from the table`) is no statement.

/// How much of a text is read, in words.
const MAX_WORDS: usize = 60;

/// How surely a text is SQL: 0, 6 or 9.
pub(super) fn weight(text: &str) -> u32 {
    let begins = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("--"));
    let Some(begin) = begins.and_then(|line| line.split(|c: char| !c.is_ascii_alphabetic()).next()) else { return 0 };
    if ![
        "select", "insert", "update", "delete", "create", "alter", "drop", "with", "begin", "explain", "grant",
        "truncate", "use", "set", "declare", "merge", "call", "show", "describe",
    ]
    .iter()
    .any(|word| begin.eq_ignore_ascii_case(word))
    {
        return 0;
    }
    let words = words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["select", "distinct" | "all" | "top", rest @ ..] | ["select", rest @ ..] => select(rest),
        ["explain", "select", rest @ ..] => select(rest),
        ["insert", "or", _, "into", _, "(" | "values" | "select", ..]
        | ["insert", "into", _, "(" | "values" | "select" | "default", ..] => 9,
        ["insert", "into", _, ".", _, "(" | "values" | "select", ..] => 9,
        ["update", _, "set", _, "=", ..] | ["update", _, _, "set", _, "=", ..] | ["update", _, ".", _, "set", ..] => 9,
        ["delete", "from", _] | ["delete", "from", _, ";" | "where" | ".", ..] => 9,
        ["create", "table", "if", "not", "exists", ..] => 9,
        ["create", "table", _, "(" | "as" | ".", ..] | ["create", "temp" | "temporary", "table", ..] => 9,
        ["create", "or", "replace", "view" | "function" | "procedure" | "trigger" | "table", ..] => 9,
        ["create", "unique", "index", ..] | ["create", "index", _, "on", ..] | ["create", "view", _, "as", ..] => 9,
        ["create", "trigger" | "function" | "procedure", _, "(" | "before" | "after" | "as", ..] => 9,
        ["create", "database" | "schema" | "user" | "role" | "extension" | "index" | "sequence" | "type", _] => 6,
        [
            "create",
            "database" | "schema" | "user" | "role" | "extension" | "sequence" | "type",
            _,
            ";" | "with" | "as",
            ..,
        ] => 9,
        ["alter", "table", _, "add" | "drop" | "alter" | "rename" | "modify" | "change" | "set" | ".", ..] => 9,
        ["alter", "table", "if", "exists", ..] => 9,
        ["drop", "table" | "view" | "index" | "database" | "schema", "if", "exists", ..] => 9,
        ["drop", "table" | "view" | "index" | "database" | "schema", _] => 6,
        ["drop", "table" | "view" | "index" | "database" | "schema", _, ";", ..] => 9,
        ["with", "recursive", ..] => 9,
        ["with", _, "as", "(", ..] => 9,
        ["begin", ";" | "transaction", ..] => 9,
        ["truncate", "table", _] | ["truncate", "table", _, ";", ..] | ["truncate", _, ";", ..] => 9,
        ["grant", _, .., "on", _, "to", _] | ["grant", _, .., "on", _, "to", _, ";"] => 6,
        ["show", "tables" | "databases"] | ["show", "tables" | "databases", ";", ..] => 9,
        ["use", _, ";"] => 0,
        _ => 0,
    }
}

/// What follows `select`: a list, and what it is from.
fn select(words: &[&str]) -> u32 {
    let end =
        words.iter().position(|word| matches!(*word, "from" | ";" | "where" | "union" | "into")).unwrap_or(words.len());
    let (list, rest) = words.split_at(end);
    if list.is_empty() || !is_list(list) {
        return 0;
    }
    match rest {
        ["from", "(", ..] => 9,
        ["from", _] | ["from", _, "." | ",", ..] => 9,
        ["from", _, next, ..] if is_clause(next) => 9,
        ["from", _, alias, next, ..] if is_clause(next) && !is_clause(alias) => 9,
        ["from", _, _] if list.iter().any(|word| matches!(*word, "*" | "," | "(")) => 6,
        [";" | "where" | "union", ..] => 9,
        // `select 1`, `select now()`: a word alone may be prose.
        [] if list.iter().any(|word| {
            matches!(*word, "(" | "*") || word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '\'' | '@'))
        }) =>
        {
            6
        }
        _ => 0,
    }
}

fn is_clause(word: &str) -> bool {
    matches!(
        word,
        "where"
            | "join"
            | "left"
            | "right"
            | "inner"
            | "outer"
            | "full"
            | "cross"
            | "natural"
            | "order"
            | "group"
            | "limit"
            | "having"
            | "as"
            | "union"
            | ";"
            | ","
            | ")"
            | "."
            | "on"
            | "offset"
            | "for"
            | "fetch"
            | "window"
    )
}

/// Whether the words are a list of columns: no two words follow each other but with `as`, a comma or an operator between.
fn is_list(words: &[&str]) -> bool {
    let name = |word: &str| word.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '`' | '\''));
    let keyword = |word: &str| {
        matches!(
            word,
            "as" | "case"
                | "when"
                | "then"
                | "else"
                | "end"
                | "and"
                | "or"
                | "not"
                | "is"
                | "null"
                | "in"
                | "over"
                | "distinct"
                | "like"
                | "partition"
                | "by"
                | "order"
                | "desc"
                | "asc"
                | "interval"
                | "between"
                | "top"
                | "all"
        )
    };
    let mut aliases = 0;
    for pair in words.windows(2) {
        let loose = name(pair[0]) && name(pair[1]) && !keyword(pair[0]) && !keyword(pair[1]);
        aliases += usize::from(loose);
    }
    aliases == 0
}

/// The words and signs of the first lines, in lower case, without comments.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.split("--").next().unwrap_or_default();
        let mut open = false;
        for c in line.chars() {
            if words.len() > MAX_WORDS {
                return words;
            }
            let inside = c.is_alphanumeric() || matches!(c, '_' | '"' | '`' | '\'' | '@' | '#' | '$' | ':' | '[' | ']');
            match words.last_mut() {
                Some(word) if inside && open => word.extend(c.to_lowercase()),
                _ if c.is_whitespace() => {}
                _ => words.push(c.to_lowercase().collect()),
            }
            open = inside;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_told_from_sentences() {
        for text in [
            "select 1",
            "select now()",
            "SELECT * FROM a",
            "select a, b as c from d e where f = 1",
            "select count(*) from a join b on a.x = b.x",
            "-- all\ninsert into a (b) values (1);",
            "update a set b = 1",
            "delete from a where b = 'c'",
            "create table a (b int)",
            "with a as (select 1) select * from a",
            "drop table if exists a",
        ] {
            assert!(weight(text) >= 5, "{text}");
        }
        for text in [
            "",
            "Select the rows you want to delete from the table",
            "select a place from the list",
            "select one from each box",
            "Update your settings, then set the name",
            "create a table (or two)",
            "Delete from time to time",
            "drop me a line",
            "with love",
            "insert into the slot",
            "Select",
        ] {
            assert_eq!(weight(text), 0, "{text}");
        }
    }
}
