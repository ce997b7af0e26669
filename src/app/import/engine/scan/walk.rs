//! What is in a folder, found by several threads.
//!
//! What must hold: the result is in the order of the paths, whichever thread found what; every entry of a folder that
//! is entered is found or left out by a rule, and what is left out is named.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder, WalkState};

use super::super::Rejected;
use super::{FileEntry, ScanResult, name, not_a_file};

/// The most threads. Our choice: more wait for the same disk.
const THREADS: usize = 8;

/// Something in a folder.
struct Found {
    path: PathBuf,
    what: What,
}

enum What {
    /// A folder that was entered, and how many entries it has.
    Folder(usize),
    File {
        shown_as: String,
        size: u64,
    },
    Skipped(String),
    Refused(String),
}

/// Adds what is below a folder: its files, and what is not taken.
pub(super) fn folder(root: &Path, plan: &mut ScanResult, cancel: &AtomicBool) {
    let mut found = walk(root, cancel);
    found.sort_by(|a, b| in_order(&a.path, &b.path));
    if !cancel.load(Ordering::Relaxed) {
        left_out(&found, plan);
    }
    for Found { path, what } in found {
        match what {
            What::Folder(_) => {}
            What::File { shown_as, size } => plan.files.push(FileEntry { path, shown_as, size, made: None }),
            What::Skipped(reason) => plan.skipped.push(Rejected { path, reason }),
            What::Refused(reason) => plan.refused.push(Rejected { path, reason }),
        }
    }
}

fn walk(root: &Path, cancel: &AtomicBool) -> Vec<Found> {
    let root_name = name(root);
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get().min(THREADS));
    let mut walk = WalkBuilder::new(root);
    // The program's own folder of a repository is hidden, unless the user names a folder inside it.
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
                .push(entry.map_or_else(|error| unreadable(root, &error), |entry| look(root, root_name, entry)));
            WalkState::Continue
        })
    });
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// What one thread found; handed over when the thread ends.
struct Collected<'a> {
    found: Vec<Found>,
    all: &'a Mutex<Vec<Found>>,
}

impl Drop for Collected<'_> {
    fn drop(&mut self) {
        self.all.lock().unwrap_or_else(PoisonError::into_inner).append(&mut self.found);
    }
}

fn look(root: &Path, root_name: &str, entry: DirEntry) -> Found {
    let kind = entry.file_type();
    let what = match kind {
        // What the user named is a folder, or a link to one.
        _ if entry.depth() == 0 => What::Folder(entries(entry.path())),
        Some(kind) if kind.is_dir() => What::Folder(entries(entry.path())),
        Some(kind) if kind.is_symlink() => {
            What::Skipped("a symbolic link; links in folders are not followed".to_owned())
        }
        Some(kind) if not_a_file(kind).is_some() => {
            What::Skipped(format!("{}, not a file", not_a_file(kind).unwrap_or_default()))
        }
        Some(_) | None => match entry.metadata() {
            Ok(found) => match not_a_file(found.file_type()) {
                None => What::File { shown_as: shown(root, root_name, entry.path()), size: found.len() },
                Some(what) => What::Refused(format!("{what}, not a file")),
            },
            Err(error) => return unreadable(entry.path(), &error),
        },
    };
    Found { path: entry.into_path(), what }
}

/// How many entries a folder has; 0 if it cannot be read, which the walk reports.
fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

/// Notes what is in the folders that were entered and was not found there: it is hidden or ignored.
fn left_out(found: &[Found], plan: &mut ScanResult) {
    let mut counts: HashMap<&OsStr, usize> = HashMap::new();
    for folder in found.iter().filter_map(|found| found.path.parent()) {
        *counts.entry(folder.as_os_str()).or_default() += 1;
    }
    let count = |folder: &Path| counts.get(folder.as_os_str()).copied().unwrap_or_default();
    let incomplete: Vec<&Path> = found
        .iter()
        .filter(|found| matches!(found.what, What::Folder(entries) if entries != count(&found.path)))
        .map(|found| found.path.as_path())
        .collect();
    if incomplete.is_empty() {
        return;
    }
    let met: HashSet<&OsStr> = found.iter().map(|found| found.path.as_os_str()).collect();
    let entries = incomplete.into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut hidden: Vec<_> = entries.map(|entry| (entry.path(), entry.file_name())).collect();
    hidden.retain(|(path, _)| !met.contains(path.as_os_str()));
    hidden.sort();
    let reason = |name: &OsString| if name.to_string_lossy().starts_with('.') { "hidden" } else { "ignored" };
    plan.hidden.extend(hidden.iter().map(|(path, name)| Rejected::new(path, reason(name))));
}

/// A failure of the walk, at its own path where it names one.
fn unreadable(root: &Path, error: &ignore::Error) -> Found {
    let mut at = root;
    let mut inner = error;
    loop {
        match inner {
            ignore::Error::WithPath { path, err } => (at, inner) = (path.as_path(), err.as_ref()),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => inner = err.as_ref(),
            _ => break,
        }
    }
    Found { path: at.to_owned(), what: What::Refused(format!("cannot be read: {inner}")) }
}

/// The order of two paths by their parts. Comparing the parts themselves takes ten times as long.
fn in_order(a: &Path, b: &Path) -> std::cmp::Ordering {
    // What ends earlier comes first, so a separator is before every letter.
    let letter = |letter: &u8| if *letter == MAIN_SEPARATOR as u8 { 0 } else { *letter };
    let (a, b) = (a.as_os_str().as_encoded_bytes(), b.as_os_str().as_encoded_bytes());
    a.iter().map(letter).cmp(b.iter().map(letter))
}

fn shown(root: &Path, root_name: &str, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    std::iter::once(root_name.to_owned()).chain(parts).collect::<Vec<_>>().join("/")
}
