//! Our sources as the walls see them: code without comments and in-file tests, its words, its texts, its paths.

use std::fs;
use std::path::{Path, PathBuf};

/// One source file.
pub struct Source {
    /// The path below the repository, with `/`.
    pub path: String,
    /// Everything in it.
    pub text: String,
    /// Its code: comments and the tests at its end left out, texts replaced by `""`.
    pub code: String,
    /// The texts in its code.
    pub texts: Vec<String>,
}

impl Source {
    /// The crate it belongs to, as its folder is called, and its path below that crate's `src`.
    fn folder_and_path(&self) -> (&str, &str) {
        match self.path.strip_prefix("crates/").and_then(|path| path.split_once("/src/")) {
            Some(folder_and_path) => folder_and_path,
            None => ("lunette", self.path.strip_prefix("src/").unwrap_or(&self.path)),
        }
    }

    /// The part of the program that it belongs to: the module at the top of its crate, such as `ui`. Of the service's
    /// crate `store` is one, and all else is `service`; every other crate but the client's is one module, such as `inspector` or `storage`.
    pub fn module(&self) -> &str {
        let (folder, path) = self.folder_and_path();
        part(folder, path.split('/').next().unwrap_or_default().trim_end_matches(".rs"))
    }

    /// How many modules lie above the items of this file: 1 for `src/ui.rs`, 2 for `src/ui/list.rs`.
    fn depth(&self) -> usize {
        self.folder_and_path().1.matches('/').count() + 1
    }

    /// The words of its code.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.code.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
    }

    /// The module that this file is, as in `ui::list`; None for the root of a crate.
    fn path_of_module(&self) -> Option<String> {
        let path = self.folder_and_path().1.strip_suffix(".rs")?;
        (path != "lib" && path != "main").then(|| path.replace('/', "::"))
    }

    /// Every path that its code names within its crate, through `crate::` or `super::`, from the root of the crate.
    pub fn paths_in_crate(&self) -> Vec<String> {
        let mut paths = paths_below(&self.code, "crate::");
        paths.extend(paths_above(&self.code, &self.path_of_module().unwrap_or_default()));
        paths
    }

    /// The names that it exports from other modules of its crate, each with its path from the root of the crate.
    pub fn exports(&self) -> Vec<(String, String)> {
        let mut exports = Vec::new();
        let module = self.path_of_module().map(|path| path + "::").unwrap_or_default();
        for statement in ["pub use ", "pub(crate) use ", "pub(super) use ", "pub(in crate::store) use "] {
            for (at, _) in self.code.match_indices(statement) {
                let of = &self.code[at + statement.len()..];
                let mut paths = Vec::new();
                let rest = match of.strip_prefix("crate::") {
                    Some(of) => expand(String::new(), of, &mut paths),
                    None => expand(module.clone(), of, &mut paths),
                };
                let alias = rest.strip_prefix(" as ").map(word_at);
                let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
                exports.extend(paths.into_iter().map(|path| (alias.clone().unwrap_or_else(|| last(&path)), path)));
            }
        }
        exports
    }

    /// The parts of the program that its code names, through the names of our crates, `crate::` or `super::`.
    pub fn names_modules(&self) -> Vec<String> {
        let above = "super::".repeat(self.depth());
        let own = self.folder_and_path().0;
        let starts = [
            ("crate::", own),
            (above.as_str(), own),
            ("lunette::", "lunette"),
            ("lunette_client::", "lunette-client"),
            ("lunette_inspector::", "lunette-inspector"),
            ("lunette_json::", "lunette-json"),
            ("lunette_plist::", "lunette-plist"),
            ("lunette_secrets::", "lunette-secrets"),
            ("lunette_service::", "lunette-service"),
            ("lunette_sources::", "lunette-sources"),
            ("lunette_storage::", "lunette-storage"),
            ("lunette_syntax::", "lunette-syntax"),
            ("lunette_versions::", "lunette-versions"),
            ("lunette_words::", "lunette-words"),
        ];
        let mut modules = Vec::new();
        for (start, folder) in starts {
            for (at, _) in self.code.match_indices(start) {
                let before = self.code[..at].chars().next_back().unwrap_or(' ');
                if !before.is_alphanumeric() && !"_:".contains(before) {
                    let names = first_names(&self.code[at + start.len()..]);
                    modules.extend(names.iter().map(|name| part(folder, name).to_owned()));
                }
            }
        }
        modules
    }
}

/// Every path that code names below a start such as `crate::`, groups expanded: `a::B` and `c` for `{a::B, c}`.
fn paths_below(code: &str, start: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for (at, _) in code.match_indices(start) {
        if !code[..at].ends_with(|before: char| before.is_alphanumeric() || "_:".contains(before)) {
            expand(String::new(), &code[at + start.len()..], &mut paths);
        }
    }
    paths
}

/// Every path that the code of a module names through `super::`, from the root of its crate. A module within the file
/// counts as the file: its `super::` leads one module higher than it does for the compiler.
fn paths_above(code: &str, module: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for (at, _) in code.match_indices("super::") {
        if code[..at].ends_with(|before: char| before.is_alphanumeric() || "_:".contains(before)) {
            continue;
        }
        let (mut rest, mut above) = (&code[at..], Some(module));
        while let Some(next) = rest.strip_prefix("super::") {
            above =
                above.filter(|path| !path.is_empty()).map(|path| path.rsplit_once("::").map_or("", |(above, _)| above));
            rest = next;
        }
        match above {
            Some("") => drop(expand(String::new(), rest, &mut paths)),
            Some(above) => drop(expand(format!("{above}::"), rest, &mut paths)),
            None => {}
        }
    }
    paths
}

/// Adds the paths at the start of a text, and returns what follows them.
fn expand<'a>(before: String, rest: &'a str, paths: &mut Vec<String>) -> &'a str {
    let rest = rest.trim_start();
    let Some(mut group) = rest.strip_prefix('{') else {
        let word = word_at(rest);
        let rest = &rest[word.len()..];
        let path = before + &word;
        return match rest.strip_prefix("::") {
            Some(below) if !word.is_empty() => expand(path + "::", below, paths),
            Some(_) | None => {
                paths.push(path);
                rest
            }
        };
    };
    loop {
        group = expand(before.clone(), group, paths).trim_start();
        // A name may be given another one: `a as b`.
        group = group.trim_start_matches(|letter| !",}".contains(letter));
        match group.strip_prefix(',').map(str::trim_start) {
            Some(next) if !next.starts_with('}') => group = next,
            Some(next) => return &next[1..],
            None => return group.get(1..).unwrap_or_default(),
        }
    }
}

/// The part of the program that a module at the top of a crate belongs to.
fn part<'a>(folder: &str, module: &'a str) -> &'a str {
    match folder {
        "lunette-service" if module != "store" => "service",
        "lunette-inspector" => "inspector",
        "lunette-json" => "json",
        "lunette-mcp" => "mcp",
        "lunette-plist" => "plist",
        "lunette-secrets" => "secrets",
        "lunette-sources" => "sources",
        "lunette-storage" => "storage",
        "lunette-syntax" => "syntax",
        "lunette-versions" => "versions",
        "lunette-words" => "words",
        _ => module,
    }
}

/// The first names of a path or of a group of them: `a` for `a::b`, `a` and `c` for `{a::{b}, c}`.
fn first_names(rest: &str) -> Vec<String> {
    let Some(group) = rest.strip_prefix('{') else { return vec![word_at(rest)] };
    let mut names = Vec::new();
    let (mut level, mut starts) = (0, true);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => level += 1,
            '}' if level == 0 => break,
            '}' => level -= 1,
            ',' if level == 0 => starts = true,
            letter if starts && !letter.is_whitespace() => {
                names.push(word_at(&group[at..]));
                starts = false;
            }
            _ => {}
        }
    }
    names
}

fn word_at(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

/// Every Rust file below a folder of the repository, in order of path.
pub fn below(folder: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&root.join(folder), &mut paths);
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a source is UTF-8");
        let (code, texts) = strip(text.split("#[cfg(test)]\nmod ").next().unwrap_or_default());
        let path = path.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
        Source { path, text, code, texts }
    };
    paths.into_iter().map(read).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
}

/// Code without comments, and its texts. Knows line and block comments, plain, byte and raw texts, and characters.
fn strip(text: &str) -> (String, Vec<String>) {
    let (mut code, mut texts, mut rest) = (String::new(), Vec::new(), text);
    while let Some(letter) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if let Some(hashes) = raw_start(rest, &code) {
            let close = format!("\"{}", "#".repeat(hashes));
            let inside = &rest[hashes + 2..];
            let end = inside.find(&close).unwrap_or(inside.len());
            texts.push(inside[..end].to_owned());
            code.push_str("\"\"");
            rest = inside.get(end + close.len()..).unwrap_or_default();
        } else if letter == '"' {
            let end = end_of_text(&rest[1..]);
            texts.push(rest[1..1 + end].to_owned());
            code.push_str("\"\"");
            rest = rest.get(end + 2..).unwrap_or_default();
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest = &rest[rest[1..].find('\'').map_or(1, |end| end + 2)..];
        } else {
            code.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    (code, texts)
}

/// The number of `#` where a raw text starts.
fn raw_start(rest: &str, before: &str) -> Option<usize> {
    let after = rest.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let in_word = before.ends_with(|letter: char| letter.is_alphanumeric() && letter != 'b' || letter == '_');
    (after[hashes..].starts_with('"') && !in_word).then_some(hashes)
}

fn end_of_text(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return at,
            _ => escaped = false,
        }
    }
    text.len()
}

#[test]
fn comments_and_strings_are_not_code() {
    let (code, texts) = strip("a // crate::b\n \"crate::c \\\" d\" r#\"e \" f\"# /* g */ '\"' h");
    assert_eq!(code.split_whitespace().collect::<Vec<_>>(), ["a", "\"\"", "\"\"", "h"]);
    assert_eq!(texts, ["crate::c \\\" d", "e \" f"]);
}

#[test]
fn modules_are_found_in_every_form_of_declaration() {
    let source = |path: &str, code: &str| {
        Source { path: path.into(), text: String::new(), code: code.into(), texts: Vec::new() }.names_modules()
    };
    assert_eq!(source("src/ui/x.rs", "use crate::{ui::{A, B}, cli};"), ["ui", "cli"]);
    assert_eq!(source("src/ui/x.rs", "super::super::cli::run(); super::list()"), ["cli"]);
    assert_eq!(source("src/ui.rs", "super::cli::run()"), ["cli"]);
    assert_eq!(source("src/ui/x.rs", "lunette_client::{client::{A, B}, model}"), ["client", "model"]);
    assert_eq!(source("src/ui.rs", "use lunette_inspector::{State, filter::parse};"), ["inspector", "inspector"]);
    assert_eq!(source("src/cli.rs", "lunette_service::start(); lunette_syntax::Budget"), ["service", "syntax"]);
    assert_eq!(source("crates/lunette-service/src/http.rs", "crate::store::Store; crate::links"), ["store", "service"]);
    assert_eq!(source("crates/lunette-client/src/client/send.rs", "super::super::model::A"), ["model"]);
}

#[test]
fn grouped_imports_are_recognised() {
    let code = "use crate::{a::{B, c::D as E,}, f}; crate::g::h(); other::crate::i";
    assert_eq!(paths_below(code, "crate::"), ["a::B", "a::c::D", "f", "g::h"]);
}

#[test]
fn relative_imports_are_resolved() {
    let source = |path: &str, code: &str| {
        let path = format!("crates/lunette-inspector/src/{path}");
        Source { path, text: String::new(), code: code.into(), texts: Vec::new() }.paths_in_crate()
    };
    assert_eq!(source("a/b.rs", "use super::{c::D, E}; crate::f::g()"), ["f::g", "a::c::D", "a::E"]);
    assert_eq!(source("a/b.rs", "use super::super::context::Context; pub(super) fn h()"), ["context::Context"]);
    assert_eq!(source("a.rs", "use super::Context;"), ["Context"]);
}
