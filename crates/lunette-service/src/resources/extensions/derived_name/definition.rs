//! What code defines: the name of its first function, type or table.

/// How many lines are read.
const MAX_LINES: usize = 400;

/// Words before a definition.
const MODIFIERS: &[&str] = &[
    "pub",
    "pub(crate)",
    "pub(super)",
    "export",
    "default",
    "async",
    "static",
    "public",
    "private",
    "protected",
    "internal",
    "abstract",
    "final",
    "sealed",
    "override",
    "open",
    "data",
    "case",
    "inline",
    "unsafe",
    "const",
    "local",
    "suspend",
    "partial",
    "fileprivate",
    "mutating",
    "implicit",
    "declare",
    "readonly",
    "inner",
    "annotation",
    "extern",
    "\"C\"",
    "virtual",
    "typedef",
];

/// Words that a definition begins with.
const KEYWORDS: &[&str] = &[
    "fn",
    "def",
    "defp",
    "class",
    "struct",
    "enum",
    "trait",
    "interface",
    "function",
    "function*",
    "func",
    "fun",
    "sub",
    "Sub",
    "Function",
    "record",
    "object",
    "module",
    "defmodule",
    "type",
    "message",
    "service",
    "protocol",
    "extension",
    "contract",
    "union",
    "proc",
    "(defn",
    "(defun",
    "(defmacro",
    "(define",
    "@interface",
    "@implementation",
];

/// Words between `create` and a name.
const CREATED: &[&str] =
    &["table", "view", "function", "procedure", "trigger", "index", "unique", "temporary", "temp", "or", "replace"];

/// Words before a bracket that call or control, and define nothing.
const CONTROL: &[&str] = &[
    "if", "for", "while", "switch", "return", "else", "catch", "match", "when", "do", "try", "new", "throw", "await",
    "elif", "foreach", "using", "lock", "function", "and", "or", "not", "in", "case", "assert", "print", "echo",
    "yield", "with", "super", "this",
];

/// The name of the first definition.
pub(super) fn first(text: &str) -> Option<String> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(MAX_LINES).peekable();
    while let Some(line) = lines.next() {
        let comment = ["//", "#", "/*", "* ", "--", ";", "%", "\"\"\"", "'"].iter().any(|sign| line.starts_with(sign));
        let opens = line.ends_with(['{', '}']) || lines.peek().is_some_and(|next| *next == "{");
        let name = if comment { None } else { of_line(line, opens) };
        if name.is_some() {
            return name.map(str::to_owned);
        }
    }
    None
}

fn of_line(line: &str, opens: bool) -> Option<&str> {
    table(line)
        .or_else(|| by_keyword(line))
        .or_else(|| assigned(line))
        .or_else(|| if opens { by_type(line) } else { None })
}

/// `create table x (`.
fn table(line: &str) -> Option<&str> {
    let is = |word: &str, known: &[&str]| known.iter().any(|known| word.eq_ignore_ascii_case(known));
    let mut words = line.split([' ', '(']).filter(|word| !word.is_empty());
    if !is(words.next()?, &["create"]) || !is(words.next()?, CREATED) {
        return None;
    }
    let name = words.find(|word| !is(word, CREATED) && !is(word, &["if", "not", "exists"]))?;
    let name = name.trim_matches(['"', '`', '[', ']', ';', ')', ',']);
    name.starts_with(is_first).then_some(name)
}

/// `pub fn main()`, `class User:`, `func (s *Server) Close() error {`.
fn by_keyword(line: &str) -> Option<&str> {
    let mut rest = line;
    loop {
        let (word, after) = rest.split_once(char::is_whitespace)?;
        let after = after.trim_start();
        if KEYWORDS.contains(&word) {
            // A method of Go has its receiver first.
            let after = match after.strip_prefix('(') {
                Some(receiver) if word == "func" => receiver.split_once(')')?.1.trim_start(),
                _ => after.trim_start_matches(['(', '*', '&']),
            };
            return named(after.strip_prefix("self.").unwrap_or(after));
        }
        if !MODIFIERS.contains(&word) {
            return None;
        }
        rest = after;
    }
}

/// The name at the beginning, if what follows follows a definition: `fn of the time` defines nothing.
fn named(text: &str) -> Option<&str> {
    let length = text.find(|c| !is_inner(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(length);
    let name = name.trim_end_matches([':', '.', '-']);
    let rest = rest.trim_start();
    let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let follows = rest.is_empty()
        || rest.starts_with(['(', '{', ':', '<', '[', '=', ';', '|', ',', '/', '#'])
        || matches!(
            word,
            "extends" | "implements" | "where" | "do" | "with" | "struct" | "interface" | "is" | "map" | "func" | "for"
        );
    (name.starts_with(is_first) && follows).then_some(name)
}

/// `const add = (a, b) => …`, `square <- function(x) {`, `exports.add = function …`.
fn assigned(line: &str) -> Option<&str> {
    let (front, value) = line.split_once(" = ").or_else(|| line.split_once(" <- "))?;
    let value = value.trim_start().trim_start_matches("async ");
    let function =
        value.starts_with("function") || value.starts_with("lambda ") || value.starts_with("fn(") || arrow(value);
    let name = front.split_whitespace().next_back()?;
    let name = name.split(':').next().unwrap_or(name);
    (function && name.starts_with(is_first) && name.chars().all(is_inner)).then_some(name)
}

/// `(a, b) => …`, `a => …`.
fn arrow(value: &str) -> bool {
    let Some((parameters, _)) = value.split_once("=>") else { return false };
    let parameters = parameters.trim();
    parameters.starts_with('(') || parameters.chars().all(is_inner)
}

/// `static int compare(const void *a) {`, `greet() {`: a name before a bracket, in a line that opens a body.
fn by_type(line: &str) -> Option<&str> {
    let front = line.split('(').next().filter(|front| front.len() < line.len())?;
    let front = front.trim_end();
    let (before, name) = front.split_at(front.trim_end_matches(is_inner).len());
    let before = before.trim();
    let types = before.chars().all(|c| is_inner(c) || matches!(c, ' ' | '*' | '&' | '<' | '>' | ',' | '[' | ']' | '?'));
    let control = |word: &str| CONTROL.contains(&word);
    let controls = control(name)
        || before.split_whitespace().next().is_some_and(control)
        || name.contains('.')
        || name.contains('$');
    (name.starts_with(is_first) && types && !controls).then_some(name)
}

fn is_first(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$')
}

fn is_inner(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':' | '?' | '!' | '-')
}
