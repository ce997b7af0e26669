//! SQL, whose keywords are words of prose in either case.
//!
//! What must hold: a sentence (`Select the rows you want to delete from the table`) is not a statement.

/// How much of a text is read, in words.
const MAX_WORDS: usize = 60;

/// What statements begin with.
const VERBS: [&str; 12] =
    ["select", "insert", "update", "delete", "create", "alter", "drop", "with", "begin", "explain", "truncate", "show"];

/// Whether a text begins with a statement of SQL.
pub(super) fn is_sql(text: &str) -> bool {
    let Some(line) = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("--")) else {
        return false;
    };
    let verb = line.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    if !VERBS.iter().any(|known| verb.eq_ignore_ascii_case(known)) {
        return false;
    }
    // Programs write SELECT or select; sentences begin with Select.
    let sentence =
        verb.starts_with(|c: char| c.is_ascii_uppercase()) && verb.ends_with(|c: char| c.is_ascii_lowercase());
    if sentence && !text.contains(['*', ';', '=', '(', ',']) {
        return false;
    }
    let words = words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["select", "distinct" | "all" | "top", rest @ ..]
        | ["explain", "select", rest @ ..]
        | ["select", rest @ ..] => is_query(rest),
        ["with", "recursive", ..] | ["with", _, "as", "(", ..] | ["begin", ";" | "transaction", ..] => true,
        ["show", "tables" | "databases"] | ["show", "tables" | "databases", ";", ..] => true,
        ["create" | "alter" | "drop" | "truncate", ..] => is_definition(&words, verb == "CREATE" || verb == "DROP"),
        words => is_change(words),
    }
}

/// Statements that change rows.
fn is_change(words: &[&str]) -> bool {
    match words {
        ["insert", "or", _, "into", rest @ ..] | ["insert", "into", rest @ ..] => {
            matches!(rest, [_, "(" | "values" | "select" | "default", ..] | [_, ".", _, "(" | "values" | "select", ..])
        }
        ["update", _, "set", _, "=", ..] | ["update", _, _, "set", _, "=", ..] | ["update", _, ".", _, "set", ..] => {
            true
        }
        ["delete", "from", _] | ["delete", "from", _, ";" | "where" | ".", ..] => true,
        _ => false,
    }
}

/// Statements that change tables. `shouted` says that the verb is in capitals, so that a few words are enough.
fn is_definition(words: &[&str], shouted: bool) -> bool {
    match words {
        ["create", "table", "if", "not", "exists", ..] | ["create", "temp" | "temporary", "table", ..] => true,
        ["create", "table", _, "(" | "as" | ".", ..] | ["create", "view", _, "as", ..] => true,
        ["create", "or", "replace", "view" | "function" | "procedure" | "trigger" | "table", ..] => true,
        ["create", "unique", "index", ..] | ["create", "index", _, "on", ..] => true,
        ["create", "trigger" | "function" | "procedure", _, "(" | "before" | "after" | "as", ..] => true,
        ["create", "database" | "schema" | "user" | "role" | "extension" | "sequence" | "type", _, rest @ ..] => {
            matches!(rest, [";" | "with" | "as", ..]) || rest.is_empty() && shouted
        }
        ["alter", "table", "if", "exists", ..] => true,
        ["alter", "table", _, "add" | "drop" | "alter" | "rename" | "modify" | "change" | "set" | ".", ..] => true,
        ["drop", "table" | "view" | "index" | "database" | "schema", "if", "exists", ..] => true,
        ["drop", "table" | "view" | "index" | "database" | "schema", _, rest @ ..] => {
            matches!(rest, [";", ..]) || rest.is_empty() && shouted
        }
        ["truncate", "table", _] | ["truncate", "table", _, ";", ..] | ["truncate", _, ";", ..] => true,
        _ => false,
    }
}

/// What follows `select`: a list, and what it is from.
fn is_query(words: &[&str]) -> bool {
    let ends = |word: &&str| matches!(*word, "from" | ";" | "where" | "union" | "into");
    let (list, rest) = words.split_at(words.iter().position(ends).unwrap_or(words.len()));
    if list.is_empty() || !is_list(list) {
        return false;
    }
    let value = |word: &&str| {
        matches!(*word, "(" | "*") || word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '\'' | '@'))
    };
    match rest {
        ["from", _] | ["from", "(", ..] | ["from", _, "." | ",", ..] => true,
        ["from", _, next, ..] if is_clause(next) => true,
        ["from", _, alias, next, ..] if is_clause(next) && !is_clause(alias) => true,
        ["from", _, _] => list.iter().any(|word| matches!(*word, "*" | "," | "(")),
        [";" | "where" | "union", ..] => true,
        // `select 1`, `select now()`: a word alone may be prose.
        [] => list.iter().any(value),
        _ => false,
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
    !words.windows(2).any(|pair| pair.iter().all(|word| name(word) && !keyword(word)))
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
    fn statements_are_distinguished_from_sentences() {
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
            assert!(is_sql(text), "{text}");
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
            "Select files from folder",
            "create user accounts",
            "Delete from list",
            "with love",
            "insert into the slot",
            "Select",
        ] {
            assert!(!is_sql(text), "{text}");
        }
    }
}
