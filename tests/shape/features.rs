//! The inspector without a window: features in folders that do not depend on each other in a circle, and engines that do
//! not depend on the loop.
//!
//! A feature depends on another one if its code
//!
//! * names a path of it, through `crate::`, `super::`, or a name that the crate's root or `crate::action` exports again:
//!   types, functions, and the actions that it requests with `Context::request()`;
//! * calls a method of it on its context: features add methods to `Context`, such as `cx.client()` and `cx.save()`;
//! * reads the opened assets or the history through a `WideContext`.
//!
//! What a feature reports as an `Event` names no other feature; the loop hands it over. Not measured: methods that a
//! feature adds to a type of another one, and fields of a value that it is given.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Source, below};

/// The files of the loop: they name every feature, and every feature may name them.
const LOOP: &[&str] = &[
    "action",
    "background",
    "closing",
    "confirm",
    "context",
    "dispatch",
    "event",
    "lib",
    "lists",
    "notifications",
    "output",
    "remote_changes",
    "request_versions",
    "results",
    "runtime",
    "setup",
    "state",
    "switching",
];

/// What a `WideContext` shows of features, and the feature of each.
const READ: &[(&str, &str)] = &[("pages", "assets"), ("history", "history")];

/// Plain values and functions, the same for the window, the command line and the tests.
const ENGINES: &[&str] = &[
    "bulk",
    "change",
    "check",
    "drafts/store",
    "drafts/typed",
    "files",
    "filter",
    "import/engine",
    "journal",
    "listing",
    "panel",
    "remote",
    "run",
    "runs",
    "tasks",
    "transport",
    "undo",
    "write/conflict",
    "write/engine",
    "write/own_writes",
    "write/plan",
    "write/recovery",
    "write/request",
    "write/journaled",
];

/// Their parts that belong to the loop.
const NO_ENGINES: &[&str] = &["bulk/actions", "bulk/output", "bulk/window", "check/window"];

/// The types of the loop that the crate exports by their own name. An engine must name neither these nor the files in
/// `LOOP`.
const TYPES_OF_THE_LOOP: &[&str] = &["App", "State", "Action", "Context", "ProgressEvent"];

pub type Arrows = BTreeMap<String, BTreeSet<String>>;

fn sources() -> Vec<(String, Source)> {
    let name = |path: &str| path.strip_prefix("crates/lunette-inspector/src/")?.strip_suffix(".rs").map(str::to_owned);
    let of_tests = |path: &str| path.ends_with("tests");
    let sources =
        below("crates/lunette-inspector/src").into_iter().filter_map(|source| Some((name(&source.path)?, source)));
    let sources: Vec<_> = sources.filter(|(path, _)| !of_tests(path)).collect();
    assert!(sources.len() > 100, "the sources of the inspector are found");
    sources
}

/// A circle of arrows, as `a -> b -> a`.
pub fn circle(arrows: &Arrows) -> Option<String> {
    let mut done = BTreeSet::new();
    arrows.keys().find_map(|start| walk(start, arrows, &mut Vec::new(), &mut done))
}

fn walk<'a>(at: &'a str, arrows: &'a Arrows, way: &mut Vec<&'a str>, done: &mut BTreeSet<&'a str>) -> Option<String> {
    if let Some(begun) = way.iter().position(|known| *known == at) {
        return Some([&way[begun..], &[at]].concat().join(" -> "));
    }
    if !done.insert(at) {
        return None;
    }
    way.push(at);
    let found = arrows.get(at).into_iter().flatten().find_map(|next| walk(next, arrows, way, done));
    way.pop();
    found
}

/// The first part of a path.
fn top(path: &str) -> &str {
    path.split(['/', ':']).next().unwrap_or_default()
}

/// The blocks of a file that add methods to a context.
fn context_blocks(code: &str) -> Vec<&str> {
    let starts = ["\nimpl Context<'_> {", "\nimpl WideContext<'_> {"];
    let blocks = starts.iter().flat_map(|start| code.match_indices(start));
    blocks.map(|(at, _)| code[at + 1..].split("\n}").next().unwrap_or_default()).collect()
}

/// The members that code uses of a variable, such as `notify` of `cx.notify(…)`.
fn members_of<'a>(code: &'a str, variable: &str) -> Vec<&'a str> {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let uses = code.match_indices(variable).filter_map(|(at, _)| {
        let member = code[at + variable.len()..].trim_start().strip_prefix('.')?;
        let end = member.find(|letter| !in_word(letter)).unwrap_or(member.len());
        (!code[..at].ends_with(|before| in_word(before) || before == '.')).then_some(&member[..end])
    });
    uses.collect()
}

/// What the code of a file uses of its context.
fn used_of_context(code: &str) -> Vec<&str> {
    let within = context_blocks(code).into_iter().flat_map(|block| members_of(block, "self"));
    ["cx", "context"].iter().flat_map(|variable| members_of(code, variable)).chain(within).collect()
}

/// The dependencies of features on others.
fn dependencies(sources: &[(String, Source)]) -> Arrows {
    let known: BTreeSet<&str> = sources.iter().map(|(path, _)| top(path)).collect();
    let is_feature = |name: &str| known.contains(name) && !LOOP.contains(&name);
    let exports = |file: &str| -> BTreeMap<String, String> {
        let source = sources.iter().find(|(path, _)| path == file);
        source.map(|(_, source)| source.exports().into_iter().collect()).unwrap_or_default()
    };
    let (of_crate, of_actions) = (exports("lib"), exports("action"));
    let named = |path: &str| {
        let action = path.strip_prefix("action::").and_then(|action| of_actions.get(action));
        let path = action.map_or(path, String::as_str);
        top(of_crate.get(top(path)).map_or(path, String::as_str)).to_owned()
    };
    let mut of_contexts: BTreeMap<&str, &str> = READ.iter().copied().collect();
    for (path, source) in sources.iter().filter(|(path, _)| is_feature(top(path))) {
        for block in context_blocks(&source.code) {
            let methods = block.match_indices("fn ").map(|(at, name)| &block[at + name.len()..]);
            of_contexts.extend(methods.filter_map(|method| Some((method.split(['(', '<']).next()?, top(path)))));
        }
    }
    let mut arrows = Arrows::new();
    for (path, source) in sources.iter().filter(|(path, _)| is_feature(top(path))) {
        let of_context = used_of_context(&source.code).into_iter().filter_map(|member| of_contexts.get(member));
        let named = source.paths_in_crate().into_iter().map(|path| named(&path));
        let others = named.chain(of_context.map(|feature| (*feature).to_owned()));
        let others = others.filter(|name| is_feature(name) && *name != top(path));
        arrows.entry(top(path).to_owned()).or_default().extend(others);
    }
    arrows
}

#[test]
fn features_do_not_depend_on_each_other_in_a_circle() {
    let arrows = dependencies(&sources());
    assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 100, "the dependencies are found");
    assert_eq!(circle(&arrows), None, "report an event, or move a shared value below both");
}

#[test]
fn an_import_and_a_bulk_operation_share_runs_and_do_not_depend_on_each_other() {
    let arrows = dependencies(&sources());
    let depends = |from: &str, on: &str| arrows.get(from).is_some_and(|others| others.contains(on));
    assert!(depends("import", "runs") && depends("bulk", "runs"));
    assert!(!depends("import", "bulk") && !depends("bulk", "import") && !depends("runs", "bulk"));
}

#[test]
fn dependencies_are_found_in_paths_requests_context_methods_and_what_is_read() {
    let arrows = dependencies(&sources());
    let depends = |from: &str, on: &str| arrows.get(from).is_some_and(|others| others.contains(on));
    assert!(depends("trash", "write"), "trash requests the changes of write");
    assert!(depends("applications", "session"), "a client is a method of the context");
    assert!(depends("write", "history"), "write reads the history");
    assert!(depends("write", "transport"), "Transport is exported by the root");
    let code = "fn f(cx: &mut C) { cx\n    .client(); cx2.no(); a.cx.no(); }\nimpl Context<'_> {\n fn g(&self) { self.set() }\n}\n";
    assert_eq!(used_of_context(code), ["client", "set"]);
}

#[test]
fn features_do_not_name_the_state_of_the_window_or_the_loop() {
    for (path, source) in sources().iter().filter(|(path, _)| !LOOP.contains(&top(path))) {
        let whole = |named: &str| ["App", "State", "state"].contains(&top(named));
        let named = source.paths_in_crate().into_iter().find(|named| whole(named));
        assert_eq!(named, None, "{path} reads what it is not given");
    }
}

#[test]
fn files_of_a_feature_have_no_dependency_cycles() {
    let sources = sources();
    let known: BTreeSet<&str> = sources.iter().map(|(path, _)| path.as_str()).collect();
    let file = |named: &str| {
        let path = named.replace("::", "/");
        path.match_indices('/')
            .map(|(at, _)| &path[..at])
            .chain([path.as_str()])
            .rfind(|path| known.contains(path))
            .map(str::to_owned)
    };
    let mut arrows = Arrows::new();
    for (path, source) in &sources {
        let named = source.paths_in_crate();
        let parent_or_child = |other: &str| path.starts_with(other) || other.starts_with(path.as_str());
        let same_feature = |other: &str| path.split('/').next() == other.split('/').next();
        let others = named.iter().filter_map(|named| file(named));
        arrows.insert(path.clone(), others.filter(|other| same_feature(other) && !parent_or_child(other)).collect());
    }
    assert_eq!(circle(&arrows), None);
}

#[test]
fn engines_do_not_depend_on_the_loop() {
    let within = |path: &str, allowed: &[&str]| {
        allowed.iter().any(|entry| {
            path == *entry || path.starts_with(entry) && (entry.ends_with('/') || path[entry.len()..].starts_with('/'))
        })
    };
    for (_, source) in sources().iter().filter(|(path, _)| within(path, ENGINES) && !within(path, NO_ENGINES)) {
        let of_the_loop = source.paths_in_crate().into_iter().find(|path| is_of_the_loop(path));
        assert_eq!(of_the_loop, None, "{} is part of an engine", source.path);
    }
}

/// Whether a path of the crate belongs to the loop.
fn is_of_the_loop(path: &str) -> bool {
    let first = path.split(':').next().unwrap_or_default();
    LOOP.contains(&first) || TYPES_OF_THE_LOOP.contains(&first)
}

#[test]
fn types_of_the_loop_are_recognised_by_all_their_paths() {
    for path in ["Context", "context::Context", "App", "state::State", "action::GraphAction", "output::TaskOutput"] {
        assert!(is_of_the_loop(path), "{path}");
    }
    for path in ["Transport", "remote::Remote", "graph::state::LinkGraph"] {
        assert!(!is_of_the_loop(path), "{path}");
    }
}

#[test]
fn cycles_are_detected_and_named() {
    let arrows = |pairs: &[(&str, &str)]| {
        let mut arrows = Arrows::new();
        for (from, to) in pairs {
            arrows.entry((*from).to_owned()).or_default().insert((*to).to_owned());
        }
        arrows
    };
    assert_eq!(circle(&arrows(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    assert_eq!(circle(&arrows(&[("a", "b"), ("b", "c"), ("c", "b")])).as_deref(), Some("b -> c -> b"));
}
