//! The inspector without a window: features in folders that do not name each other in a circle, and engines that do not
//! depend on the loop.
//!
//! Two things are measured between features, both by the paths that their code names, through `crate::`, `super::`, and
//! the names that the crate's root and `crate::action` export again:
//!
//! * **Dependencies**: types, functions and state of another feature. They form no circle.
//! * **Requests**: a feature makes an action of another one and passes it to `Context::request()`; the loop hands it over
//!   afterwards. The actions are named through `crate::action`. Features that depend on each other once requests are
//!   counted too are listed in `MUTUAL`, which only becomes shorter.
//!
//! What is not measured: what a feature reads and changes of the state in `Context`.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{Source, below};

/// The files of the loop: they name every feature, and every feature may name them.
const LOOP: &[&str] = &[
    "action",
    "confirm",
    "dispatch",
    "events",
    "output",
    "request_versions",
    "setup",
    "background",
    "runtime",
    "context",
    "state",
    "notifications",
];

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
    "remote",
    "runs",
    "tasks",
    "write/conflict",
    "write/engine",
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

/// Pairs of features that name each other once requests are counted. A pair that is gone is removed here; none is added.
const MUTUAL: &[(&str, &str)] = &[
    ("applications", "inventory"),
    ("assets", "export"),
    ("assets", "navigation"),
    ("assets", "settings"),
    ("bulk", "embedded"),
    ("bulk", "history"),
    ("bulk", "trash"),
    ("bulk", "write"),
    ("embedded", "session"),
    ("embedded", "settings"),
    ("graph", "navigation"),
    ("graph", "write"),
    ("history", "write"),
    ("import", "watch"),
    ("links", "write"),
    ("trash", "write"),
];

/// Which arrows between features are counted.
#[derive(Clone, Copy, PartialEq)]
enum Counted {
    Dependencies,
    DependenciesAndRequests,
}

/// The arrows between features.
fn arrows_of_features(sources: &[(String, Source)], counted: Counted) -> Arrows {
    let top = |path: &str| path.split(['/', ':']).next().unwrap_or_default().to_owned();
    let known: BTreeSet<String> = sources.iter().map(|(path, _)| top(path)).collect();
    let is_feature = |name: &String| known.contains(name) && !LOOP.contains(&name.as_str()) && name != "lib";
    let exports = |file: &str| -> BTreeMap<String, String> {
        let source = sources.iter().find(|(path, _)| path == file);
        source.map(|(_, source)| source.exports().into_iter().collect()).unwrap_or_default()
    };
    let (of_crate, of_actions) = (exports("lib"), exports("action"));
    let feature = |path: &str| {
        let action = path.strip_prefix("action::").filter(|_| counted == Counted::DependenciesAndRequests);
        let path = action.and_then(|action| of_actions.get(action)).map_or(path, String::as_str);
        top(of_crate.get(&top(path)).map_or(path, String::as_str))
    };
    let mut arrows = Arrows::new();
    for (path, source) in sources.iter().filter(|(path, _)| is_feature(&top(path))) {
        let named = source.paths_in_crate().into_iter().map(|path| feature(&path));
        let others = named.filter(|name| is_feature(name) && *name != top(path));
        arrows.entry(top(path)).or_default().extend(others);
    }
    arrows
}

#[test]
fn features_have_no_dependency_cycles() {
    let arrows = arrows_of_features(&sources(), Counted::Dependencies);
    assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 100, "the arrows are found");
    assert_eq!(circle(&arrows), None);
}

#[test]
fn an_import_and_a_bulk_operation_share_runs_and_do_not_name_each_other() {
    let arrows = arrows_of_features(&sources(), Counted::DependenciesAndRequests);
    let names = |from: &str, to: &str| arrows.get(from).is_some_and(|others| others.contains(to));
    assert!(names("import", "runs") && names("bulk", "runs"));
    assert!(!names("import", "bulk") && !names("bulk", "import") && !names("runs", "bulk"));
}

#[test]
fn features_that_also_request_from_each_other_are_the_listed_ones() {
    let arrows = arrows_of_features(&sources(), Counted::DependenciesAndRequests);
    let names = |from: &str, to: &str| arrows.get(from).is_some_and(|others| others.contains(to));
    let pairs = arrows.iter().flat_map(|(from, others)| others.iter().map(move |to| (from.as_str(), to.as_str())));
    let mutual: Vec<_> = pairs.filter(|(from, to)| from < to && names(to, from)).collect();
    assert_eq!(mutual, MUTUAL, "remove a pair that is gone; write no feature that adds one");
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
