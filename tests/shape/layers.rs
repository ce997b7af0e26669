//! The walls: which module may name which, where a crate, a path of the interface and SQL may stand, sizes of files.

use lunette_client::operation::{OPERATIONS, STREAMS};

use crate::source::{Source, below};

/// Who may name whom. A module may always name itself.
const WALLS: &[(&str, &[&str])] = &[
    ("syntax", &[]),
    ("storage", &[]),
    ("json", &[]),
    ("plist", &[]),
    ("versions", &[]),
    ("sources", &["storage", "json", "plist"]),
    ("secrets", &[]),
    ("model", &[]),
    ("operation", &["json", "model"]),
    ("client", &["operation", "json", "model"]),
    ("words", &["model"]),
    ("store", &["storage", "secrets", "model", "versions", "words"]),
    ("service", &["store", "storage", "json", "plist", "operation", "model", "syntax", "versions"]),
    (
        "inspector",
        &[
            "storage",
            "sources",
            "secrets",
            "json",
            "plist",
            "client",
            "operation",
            "model",
            "syntax",
            "versions",
            "words",
        ],
    ),
    ("mcp", &["inspector", "secrets", "client", "operation", "model"]),
    ("ui", &["inspector", "operation", "model", "syntax"]),
    ("cli", &["ui", "inspector", "mcp", "service", "sources", "secrets", "json", "client", "operation", "model"]),
    ("main", &["cli"]),
];

/// The crates that one module alone may name, and the start of the path of its files that may.
const CRATES: &[(&str, &[&str])] = &[
    ("reqwest", &["crates/lunette-client/src/client"]),
    ("tokio_tungstenite", &["crates/lunette-client/src/client"]),
    ("axum", &["crates/lunette-service/src/http"]),
    ("hyper", &["crates/lunette-service/src/http"]),
    ("hyper_util", &["crates/lunette-service/src/http"]),
    // Libraries of other programs are read with it, never written.
    (
        "rusqlite",
        &[
            "crates/lunette-storage",
            "crates/lunette-service/src/store",
            "crates/lunette-sources/src/sqlite",
            "crates/lunette-inspector/src/db",
        ],
    ),
    ("rmcp", &["crates/lunette-mcp/src/sdk"]),
    ("plist", &["crates/lunette-plist"]),
    ("saphyr_parser", &["crates/lunette-sources"]),
    ("quick_xml", &["crates/lunette-sources"]),
    ("egui", &["src/ui"]),
    ("eframe", &["src/ui"]),
    ("egui_plot", &["src/ui"]),
    ("egui_commonmark", &["src/ui"]),
    ("egui_extras", &["src/ui"]),
    ("winit", &["src/ui"]),
    ("rfd", &["src/ui"]),
    ("x11rb", &["src/ui"]),
    ("zbus", &["src/ui"]),
    ("anyhow", &["src/cli"]),
    ("clap", &["src/cli"]),
    (
        "tiny_skia",
        &["crates/lunette-inspector/src/export", "crates/lunette-inspector/src/files/svg", "src/ui/drawing/raster"],
    ),
    ("skrifa", &["crates/lunette-inspector/src/export", "src/ui/drawing/raster"]),
    ("resvg", &["crates/lunette-inspector/src/files/svg"]),
    ("zstd_safe", &["crates/lunette-versions"]),
    ("fastcdc", &["crates/lunette-versions"]),
    ("aho_corasick", &["crates/lunette-secrets"]),
    ("fancy_regex", &["crates/lunette-syntax", "src/ui/widgets/editor/search.rs"]),
];

/// Long enough that a file need not be split where its parts are read together; most are near 400 lines at most.
const MOST_LINES: usize = 500;

/// THE table of operations, which is looked up by row and not read through.
const TABLE: &str = "crates/lunette-client/src/operation/table.rs";

fn sources() -> Vec<Source> {
    let (program, crates) = (below("src"), below("crates"));
    assert!(program.len() > 20 && crates.len() > 20, "the sources are found");
    program.into_iter().chain(crates).filter(|source| source.path.contains("src/")).collect()
}

#[test]
fn modules_name_only_lower_ones() {
    for source in sources().iter().filter(|source| source.module() != "lib") {
        let module = source.module();
        let wall = WALLS.iter().find(|(name, _)| *name == module);
        let (_, below) = wall.unwrap_or_else(|| panic!("{}: no wall is drawn around {module}", source.path));
        for named in source.names_modules() {
            let is_module = WALLS.iter().any(|(name, _)| *name == named);
            assert!(
                !is_module || named == module || below.contains(&named.as_str()),
                "{}: {module} may not name {named}, only {below:?}",
                source.path
            );
        }
    }
}

#[test]
fn crates_are_named_only_where_allowed() {
    for source in sources() {
        for (name, allowed) in CRATES {
            let belongs = allowed.iter().any(|path| source.path.starts_with(path));
            assert!(belongs || !source.words().any(|word| word == *name), "{} names {name}", source.path);
        }
    }
}

#[test]
fn csv_is_written_by_one_module() {
    for source in sources() {
        let belongs = source.path.starts_with("crates/lunette-inspector/src/tables");
        assert!(belongs || !source.code.contains("csv::Writer"), "{} writes CSV", source.path);
    }
}

/// Whether a text is a path of the table, or the beginning of one up to an id. A JSON pointer such as `/tag/id` is none.
fn is_path(text: &str) -> bool {
    let parts: Vec<&str> = text.split('?').next().unwrap_or_default().split('/').skip(1).collect();
    let fits = |row: &str| {
        let row: Vec<&str> = row.split('/').skip(1).collect();
        let id = |part: &str| part.is_empty() || part.starts_with('{') || part.len() == 36;
        let same = |(part, row): (&&str, &&str)| part == row || row.starts_with('{') && id(part);
        row.len() == parts.len() && parts.iter().zip(&row).all(same)
    };
    text.starts_with('/')
        && OPERATIONS.iter().map(|info| info.path).chain(STREAMS.iter().map(|info| info.path)).any(fits)
}

#[test]
fn interface_paths_occur_only_in_the_table() {
    let tables = ["table", "stream"].map(|name| format!("crates/lunette-client/src/operation/{name}.rs"));
    for source in sources().iter().filter(|source| !tables.contains(&source.path)) {
        let path = source.texts.iter().find(|text| is_path(text));
        assert_eq!(path, None, "{}: it is a path of the interface; take it from the table", source.path);
    }
}

#[test]
fn sql_occurs_only_in_the_store() {
    const STARTS: &[&str] = &["SELECT ", "INSERT ", "UPDATE ", "DELETE FROM ", "CREATE TABLE ", "PRAGMA "];
    // To tell languages apart, their words are needed.
    let may = |source: &Source| {
        let paths = [
            "crates/lunette-inspector/src/db",
            "crates/lunette-service/src/classify/",
            "crates/lunette-sources/src/sqlite",
        ];
        matches!(source.module(), "store" | "storage") || paths.iter().any(|path| source.path.starts_with(path))
    };
    for source in sources().iter().filter(|source| !may(source)) {
        let sql = source.texts.iter().find(|text| STARTS.iter().any(|start| text.trim_start().starts_with(start)));
        assert_eq!(sql, None, "{}", source.path);
    }
}

/// What starts work whose panic is not reported, or blocks the window, and the files of the window's side that may use it.
/// All others use `lunette_inspector::tasks`.
const UNSUPERVISED: &[(&str, &[&str])] = &[
    ("tokio::spawn(", &[]),
    ("tokio::task::spawn(", &[]),
    ("runtime.spawn(", &[TASKS]),
    ("spawn_blocking(", &[TASKS]),
    ("Handle::current().spawn(", &[]),
    ("Promise::spawn", &[]),
    (
        "thread::spawn(",
        &[
            // Its end closes the channel of the lines: the next line that is waited for fails, and the run stops.
            "crates/lunette-inspector/src/runs/ledger.rs",
        ],
    ),
    (
        "thread::Builder::new()",
        &[
            // It catches a panic and returns it as the outcome; a widget has no runtime.
            "src/ui/widgets/background.rs",
            // Nothing waits for it, and a panic is reported by the panic hook: without its result some characters are
            // drawn as boxes.
            "src/ui/theme/system_fonts.rs",
        ],
    ),
    ("block_on(", &[TASKS]),
];

/// The one place that starts background work.
const TASKS: &str = "crates/lunette-inspector/src/tasks.rs";

#[test]
fn the_window_starts_no_unsupervised_work_and_never_blocks() {
    let window =
        |source: &&Source| matches!(source.module(), "inspector" | "ui") && !source.path.ends_with("/tests.rs");
    for source in sources().iter().filter(window) {
        let code = source.text.split("#[cfg(test)]").next().unwrap_or_default();
        for (start, allowed) in UNSUPERVISED {
            let belongs = allowed.contains(&source.path.as_str());
            assert!(
                belongs || !code.contains(start),
                "{}: use `lunette_inspector::tasks` instead of {start}",
                source.path
            );
        }
    }
}

#[test]
fn files_have_a_readable_length_and_are_beside_their_folder() {
    for source in sources().into_iter().chain(below("tests")).chain(below("benches")) {
        let lines = source.text.lines().count();
        assert!(lines <= MOST_LINES || source.path == TABLE, "{} has {lines} lines; split it by meaning", source.path);
        let module_file = source.path.ends_with("/mod.rs") && source.path != "tests/support/mod.rs";
        assert!(!module_file, "{}: write the module beside its folder", source.path);
    }
}

#[test]
fn every_file_opens_with_its_purpose() {
    for source in sources().into_iter().chain(below("tests")) {
        assert!(source.text.starts_with("//! "), "{} starts with no `//!`", source.path);
    }
}
