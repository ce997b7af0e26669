//! The documents: the README is short, links lead to files and headings that exist, and what is said of the program and
//! its source is so. `UPDATE_DOCS=1 cargo test --test shape` writes the table of operations.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use lunette_inspector::filter::List;

use crate::source::{Source, below};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const BEGIN: &str = "<!-- Output of `lunette operations`. To renew it: UPDATE_DOCS=1 cargo test --test shape -->\n";
const END: &str = "<!-- End of the output. -->";
/// The most bytes of README.md: it can be read in one go, and leads to the rest.
const README_BYTES: usize = 12_000;
/// What a path of the repository that a document names begins with.
const FOLDERS: [&str; 8] = ["src/", "tests/", "assets/", "benches/", "fuzz/", "docs/", "crates/", ".ci/"];

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The paths of all documents, and their texts.
fn documents() -> Vec<(String, String)> {
    let names = fs::read_dir(Path::new(ROOT).join("docs")).expect("docs");
    let names = names.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    let mut paths: Vec<_> = names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect();
    paths.sort();
    paths.extend(["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(str::to_owned));
    paths.into_iter().map(|path| (path.clone(), read(&path))).collect()
}

/// The lines of a document outside of its blocks of code.
fn prose(text: &str) -> Vec<&str> {
    let mut code = false;
    let outside = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !fence && !code
    });
    outside.collect()
}

/// What is between single backticks, and what is outside of them.
fn spans(line: &str) -> (Vec<&str>, String) {
    let parts: Vec<_> = line.split('`').collect();
    let outside: Vec<_> = parts.iter().step_by(2).copied().collect();
    (parts.into_iter().skip(1).step_by(2).collect(), outside.join("`"))
}

/// The code spans of a document, outside of its blocks of code.
fn quoted(text: &str) -> Vec<&str> {
    prose(text).into_iter().flat_map(|line| spans(line).0).collect()
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for heading in prose(text).into_iter().filter(|line| line.starts_with('#')) {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
        let anchor: String = kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect();
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(numbered).find(|anchor| !anchors.contains(anchor));
        anchors.extend(free);
    }
    anchors
}

/// The targets of a document's links and pictures.
fn links(text: &str) -> Vec<String> {
    let outside = prose(text).into_iter().map(|line| spans(line).1).collect::<Vec<_>>().join("\n");
    let targets = outside.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.map(str::to_owned).collect()
}

/// Why a link of a document leads nowhere.
fn broken(path: &str, text: &str, link: &str) -> Option<String> {
    if ["https://", "http://", "mailto:"].iter().any(|scheme| link.starts_with(scheme)) {
        return None;
    }
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
    let target = if file.is_empty() {
        PathBuf::from(ROOT).join(path)
    } else {
        Path::new(ROOT).join(path).parent().expect("a folder").join(file)
    };
    if !target.exists() {
        return Some(format!("{path}: {link}: there is no such file"));
    }
    let anchor = anchor?;
    let target_text = if file.is_empty() { text.to_owned() } else { fs::read_to_string(&target).unwrap_or_default() };
    (!anchors(&target_text).contains(anchor)).then(|| format!("{path}: {link}: there is no such heading"))
}

#[test]
fn the_documented_operation_table_matches_the_program() {
    let program = Command::new(env!("CARGO_BIN_EXE_lunette")).arg("operations").output().expect("the program runs");
    assert!(program.status.success(), "{program:?}");
    let printed = String::from_utf8(program.stdout).expect("UTF-8");

    let text = read("docs/operations.md");
    let from = text.find(BEGIN).expect("the first marker") + BEGIN.len();
    let to = text.find(END).expect("the second marker");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let path = Path::new(ROOT).join("docs/operations.md");
        fs::write(path, [&text[..from], &printed, &text[to..]].concat()).expect("docs/operations.md is written");
        return;
    }
    assert!(text[from..to] == printed, "docs/operations.md is out of date: UPDATE_DOCS=1 cargo test --test shape");
}

#[test]
fn the_readme_is_short() {
    let bytes = read("README.md").len();
    assert!(bytes <= README_BYTES, "README.md has {bytes} bytes, the limit is {README_BYTES}; move details to docs/");
}

#[test]
fn every_relative_link_resolves_to_a_file_and_heading() {
    let broken: Vec<_> = documents()
        .iter()
        .flat_map(|(path, text)| links(text).into_iter().filter_map(move |link| broken(path, text, &link)))
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_document_is_reachable_from_the_readme() {
    let readme = links(&read("README.md"));
    for (path, _) in documents().iter().filter(|(path, _)| path != "README.md") {
        assert!(readme.iter().any(|link| link.split('#').next() == Some(path)), "README.md has no link to {path}");
    }
}

#[test]
fn paths_named_in_documents_exist() {
    for (path, text) in documents() {
        for named in quoted(&text) {
            // A command is its first word; `*` and `NAME` stand for many.
            let named = named.split(' ').next().unwrap_or_default();
            let one = !named.contains(['*', '{']) && !named.contains("NAME");
            let is_path = FOLDERS.iter().any(|folder| named.starts_with(folder));
            assert!(!(is_path && one) || Path::new(ROOT).join(named).exists(), "{path}: there is no {named}");
        }
    }
}

/// Whether a source is the module of these names, or within it: `store/link` for `src/store/link.rs`, and
/// `inspector/links` for `crates/lunette-inspector/src/links.rs`. A folder that its parent reexports is left out of the
/// names: `widgets/table` is in `src/ui/widgets/lists/`.
fn is_within(source: &Source, module: &str) -> bool {
    const INSPECTOR: &str = "crates/lunette-inspector/src/";
    let (path, module) = match module.strip_prefix("inspector") {
        Some(module) => (source.path.strip_prefix(INSPECTOR), module.trim_start_matches('/')),
        None => (Some(source.path.as_str()), module),
    };
    let Some(path) = path.and_then(|path| path.strip_suffix(".rs")) else { return false };
    let mut folders = path.split('/');
    module.split('/').filter(|name| !name.is_empty()).all(|name| folders.any(|folder| folder == name))
}

/// The module of a path such as `inspector::App::step()`, as the path of its file, and its function if it names one.
fn module_and_function(named: &str) -> (String, Option<&str>) {
    let (path, function) = match named.strip_suffix("()").and_then(|path| path.rsplit_once("::")) {
        Some((path, function)) => (path, Some(function)),
        None => (named, None),
    };
    let modules = path.split("::").take_while(|part| part.starts_with(|letter: char| letter.is_ascii_lowercase()));
    (modules.collect::<Vec<_>>().join("/"), function)
}

#[test]
fn the_functions_and_modules_of_the_architecture_exist() {
    let text = read("docs/architecture.md");
    let sources: Vec<_> = below("src").into_iter().chain(below("crates")).collect();
    let paths = quoted(&text).into_iter().filter(|named| named.contains("::") && !named.contains(' '));
    for named in paths.filter(|named| named.starts_with(|letter: char| letter.is_ascii_lowercase())) {
        let (module, function) = module_and_function(named);
        let mut within = sources.iter().filter(|source| is_within(source, &module)).peekable();
        assert!(within.peek().is_some(), "docs/architecture.md: there is no module of {named}");
        let Some(function) = function else { continue };
        let found =
            within.any(|source| ["(", "<"].iter().any(|next| source.code.contains(&format!("fn {function}{next}"))));
        assert!(found, "docs/architecture.md: there is no function {named}");
    }
}

#[test]
fn each_step_of_the_tests_is_described() {
    let text = read("CONTRIBUTING.md");
    for entry in fs::read_dir(Path::new(ROOT).join("tests")).expect("tests") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        let run = format!("tests/{name}/run");
        let is_step =
            Path::new(ROOT).join(&run).exists() || Path::new(ROOT).join(format!("tests/{name}/main.rs")).exists();
        assert!(
            !is_step || text.contains(&format!("`tests/{name}`")),
            "CONTRIBUTING.md: what does tests/{name} prove?"
        );
    }
}

#[test]
fn each_check_is_described() {
    let (script, text) = (read(".ci/run"), read("CONTRIBUTING.md"));
    let lines: Vec<_> = script.lines().collect();
    // A step that runs a script is described by the path of the script.
    let checks =
        lines.windows(2).filter(|lines| lines[1].starts_with("cargo ") || lines[1].starts_with("RUSTDOCFLAGS"));
    let names: Vec<_> = checks.filter_map(|lines| lines[0].strip_prefix("step '")?.strip_suffix('\'')).collect();
    assert!(names.contains(&"clippy"), "the steps are read: {names:?}");
    for name in names {
        assert!(text.contains(name), "CONTRIBUTING.md: what does the step ‘{name}’ prove?");
    }
}

#[test]
fn each_field_and_flag_of_a_filter_is_described() {
    let text = read("docs/window.md");
    for list in List::ALL {
        let is_row =
            |line: &&str| line.to_lowercase().starts_with(&format!("| {} | `", list.key())) && !line.contains("Ctrl");
        let row = prose(&text).into_iter().find(is_row).unwrap_or_else(|| panic!("no row for {}", list.key()));
        let named: BTreeSet<_> = spans(row).0.into_iter().collect();
        let fields = list.fields().iter().map(|field| field.name()).filter(|name| *name != "is");
        let expected: BTreeSet<_> = fields.chain(list.flags().iter().map(|flag| flag.word())).collect();
        assert_eq!(named, expected, "docs/window.md, {}", list.key());
    }
}

#[test]
fn anchors_are_computed_as_on_github() {
    let text = "# `lunette call`\n```\n# none\n```\n## A, b and \"c\"\n## A, b and \"c\"\n";
    let expected = ["a-b-and-c", "a-b-and-c-1", "lunette-call"].map(str::to_owned);
    assert_eq!(anchors(text), BTreeSet::from(expected));
}
