//! What differs between systems stands behind one thin module a concern: `cfg` of a system is nowhere else.

use crate::source::{Source, below};

/// The modules that may ask for the system, and what each hides.
const MODULES: &[(&str, &str)] = &[
    ("crates/lunette-client/src/client/discover/owner.rs", "who owns a listener"),
    ("crates/lunette-service/src/detect.rs", "which detector this machine has"),
    ("crates/lunette-service/src/detect/", "installed applications"),
    ("crates/lunette-service/src/http/spool.rs", "files without a name"),
    ("crates/lunette-storage/src/atomic.rs", "modes of replaced files"),
    ("crates/lunette-storage/src/owner_only.rs", "modes, links, folders on disk"),
    ("crates/lunette-storage/src/system.rs", "paths, kinds of files, shells"),
    ("src/cli/service/data_dir.rs", "where data is kept"),
    ("src/cli/terminal/signals.rs", "signals and the console"),
    ("src/ui/platform.rs", "the names of keys"),
    ("src/ui/platform/", "the desktop"),
];
const SYSTEMS: [&str; 4] = ["unix", "windows", "target_os", "target_family"];

/// How often code asks for the system, in `#[cfg(…)]`, `#[cfg_attr(…)]` and `cfg!(…)`.
fn questions(code: &str) -> usize {
    let starts = ["cfg(", "cfg_attr(", "cfg!("];
    let inside = starts.iter().flat_map(|start| code.split(start).skip(1)).map(|rest| {
        let mut depth = 1;
        let end = rest.find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            depth == 0
        });
        &rest[..end.unwrap_or(rest.len())]
    });
    let words = |condition: &str| {
        condition.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| SYSTEMS.contains(&word))
    };
    // What is compiled for tests only may ask.
    inside.filter(|condition| words(condition) && !condition.contains("test")).count()
}

fn sources() -> Vec<Source> {
    let all = below("src").into_iter().chain(below("crates"));
    let is_test = |path: &str| path.contains("/tests/") || path.ends_with("/tests.rs");
    all.filter(|source| source.path.contains("src/") && !is_test(&source.path)).collect()
}

#[test]
fn only_named_modules_ask_which_system_it_is() {
    let mut outside = Vec::new();
    for source in sources() {
        let count = questions(&source.code);
        if count > 0 && !MODULES.iter().any(|(module, _)| source.path.starts_with(module)) {
            outside.push(format!("{}: {count}", source.path));
        }
    }
    assert!(outside.is_empty(), "cfg of a system outside of the modules for it: {outside:#?}");
}

#[test]
fn every_named_module_asks() {
    let sources = sources();
    for (module, what) in MODULES {
        let count: usize =
            sources.iter().filter(|source| source.path.starts_with(module)).map(|source| questions(&source.code)).sum();
        assert!(count > 0, "{module} ({what}) need not be named");
    }
}

#[test]
fn questions_are_counted() {
    assert_eq!(
        questions("#[cfg(all(unix, not(target_os = \"\")))] x; cfg!(windows); #[cfg(test)] #[cfg(feature = \"\")]"),
        2
    );
    assert_eq!(questions("#[cfg_attr(not(unix), expect(unused_mut))] let windows = unix();"), 1);
}
