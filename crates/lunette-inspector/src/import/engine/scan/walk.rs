//! Lists the content of a folder with several threads.
//!
//! What must hold: the result is in the order of the paths; every entry of an entered folder is either found or
//! excluded by a rule, and excluded entries are reported.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::super::Rejected;
use super::{FileEntry, ScanResult, name, not_a_file};

/// The maximum number of threads. Our choice: more would wait for the same disk.
const THREADS: usize = 8;

/// An entry of a folder.
struct WalkEntry {
    path: PathBuf,
    what: EntryKind,
}

enum EntryKind {
    /// A folder that was entered, with its number of entries.
    Folder(usize),
    File {
        display_path: String,
        size: u64,
    },
    Skipped(String),
    Unreadable(String),
}

/// Adds the files below a folder, and what is excluded.
pub(super) fn folder(root: &Path, plan: &mut ScanResult, cancel: &AtomicBool) {
    let mut found = walk(root, cancel);
    found.sort_by(|a, b| compare_paths(&a.path, &b.path));
    if !cancel.load(Ordering::Relaxed) {
        record_excluded(&found, plan);
    }
    for WalkEntry { path, what } in found {
        match what {
            EntryKind::Folder(_) => {}
            EntryKind::File { display_path, size } => {
                plan.files.push(FileEntry { path, display_path, size, new_asset: None })
            }
            EntryKind::Skipped(reason) => plan.skipped.push(Rejected { path, reason }),
            EntryKind::Unreadable(reason) => plan.rejected.push(Rejected { path, reason }),
        }
    }
}

fn walk(root: &Path, cancel: &AtomicBool) -> Vec<WalkEntry> {
    let root_name = name(root);
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get().min(THREADS));
    let mut walk = WalkBuilder::new(root);
    // `.git` is hidden, unless the user names a folder inside it.
    walk.require_git(false).follow_links(false).threads(threads);
    let all = Mutex::new(Vec::new());
    walk.build_parallel().run(|| {
        let mut thread = Collected { found: Vec::new(), all: &all };
        let root_name = &root_name;
        Box::new(move |entry| {
            if cancel.load(Ordering::Relaxed) {
                return WalkState::Quit;
            }
            thread
                .found
                .push(entry.map_or_else(|error| unreadable(root, &error), |entry| classify(root, root_name, entry)));
            WalkState::Continue
        })
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The entries found by one thread; merged when the thread ends.
struct Collected<'a> {
    found: Vec<WalkEntry>,
    all: &'a Mutex<Vec<WalkEntry>>,
}

impl Drop for Collected<'_> {
    fn drop(&mut self) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).append(&mut self.found);
    }
}

fn classify(root: &Path, root_name: &str, entry: DirEntry) -> WalkEntry {
    let kind = entry.file_type();
    let what = match kind {
        // The path of the user is a folder, or a link to one.
        _ if entry.depth() == 0 => EntryKind::Folder(entries(entry.path())),
        Some(kind) if kind.is_dir() => EntryKind::Folder(entries(entry.path())),
        Some(kind) if kind.is_symlink() => {
            EntryKind::Skipped("a symbolic link; links in folders are not followed".to_owned())
        }
        Some(kind) if not_a_file(kind).is_some() => {
            EntryKind::Skipped(format!("{}, not a file", not_a_file(kind).unwrap_or_default()))
        }
        Some(_) | None => match entry.metadata() {
            Ok(found) => match not_a_file(found.file_type()) {
                None => EntryKind::File { display_path: shown(root, root_name, entry.path()), size: found.len() },
                Some(what) => EntryKind::Unreadable(format!("{what}, not a file")),
            },
            Err(error) => return unreadable(entry.path(), &error),
        },
    };
    WalkEntry { path: entry.into_path(), what }
}

/// Returns the number of entries of a folder; 0 if it cannot be read, which the walk reports.
fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

/// Records the entries of entered folders that the walk skipped: they are hidden or ignored.
fn record_excluded(found: &[WalkEntry], plan: &mut ScanResult) {
    let mut counts: HashMap<&OsStr, usize> = HashMap::new();
    for folder in found.iter().filter_map(|found| found.path.parent()) {
        *counts.entry(folder.as_os_str()).or_default() += 1;
    }
    let count = |folder: &Path| counts.get(folder.as_os_str()).copied().unwrap_or_default();
    let incomplete: Vec<&Path> = found
        .iter()
        .filter(|found| matches!(found.what, EntryKind::Folder(entries) if entries != count(&found.path)))
        .map(|found| found.path.as_path())
        .collect();
    if incomplete.is_empty() {
        return;
    }
    let seen: HashSet<&OsStr> = found.iter().map(|found| found.path.as_os_str()).collect();
    let entries = incomplete.into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut hidden: Vec<_> = entries.map(|entry| (entry.path(), entry.file_name())).collect();
    hidden.retain(|(path, _)| !seen.contains(path.as_os_str()));
    hidden.sort();
    let reason = |name: &OsString| if name.to_string_lossy().starts_with('.') { "hidden" } else { "ignored" };
    plan.hidden.extend(hidden.iter().map(|(path, name)| Rejected::new(path, reason(name))));
}

/// Returns an error of the walk, with its path if it has one.
fn unreadable(root: &Path, error: &ignore::Error) -> WalkEntry {
    let mut at = root;
    let mut inner = error;
    loop {
        match inner {
            ignore::Error::WithPath { path, err } => (at, inner) = (path.as_path(), err.as_ref()),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => inner = err.as_ref(),
            _ => break,
        }
    }
    WalkEntry { path: at.to_owned(), what: EntryKind::Unreadable(format!("cannot be read: {inner}")) }
}

/// Compares two paths by component. Comparing the components themselves takes ten times as long.
fn compare_paths(a: &Path, b: &Path) -> std::cmp::Ordering {
    // A separator sorts before every letter, so that a shorter component comes first.
    let letter = |letter: &u8| if *letter == MAIN_SEPARATOR as u8 { 0 } else { *letter };
    let (a, b) = (a.as_os_str().as_encoded_bytes(), b.as_os_str().as_encoded_bytes());
    a.iter().map(letter).cmp(b.iter().map(letter))
}

fn shown(root: &Path, root_name: &str, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    std::iter::once(root_name.to_owned()).chain(parts).collect::<Vec<_>>().join("/")
}
