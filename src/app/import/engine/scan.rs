//! Which files there are below the paths a user named.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, FileType, Metadata};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use ignore::WalkBuilder;

use super::Refused;

/// A file to take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Where it is.
    pub path: PathBuf,
    /// The path as people should see it: from the folder the user named, `/` between its parts.
    pub shown_as: String,
    /// Its size when it was seen, in bytes.
    pub size: u64,
}

/// What an import would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The files to take: paths in the order given, and what is in a folder in order of name. None twice.
    pub files: Vec<Candidate>,
    /// What cannot be taken.
    pub refused: Vec<Refused>,
    /// What is left out by rule: symbolic links found in a folder, and what is neither file nor folder.
    pub skipped: Vec<Refused>,
    /// Hidden and ignored files and folders that are left out, in order of their paths.
    pub hidden: Vec<Refused>,
}

/// Finds the files below these paths. A path named by the user itself is always taken, a link by what it points to.
/// In a folder hidden and ignored files are left out as `ignore` does, `.gitignore` also outside of a repository, and
/// links, pipes, sockets and devices are skipped. Ends early, with what it has, when `cancel` is set.
pub fn survey(paths: &[PathBuf], cancel: &AtomicBool) -> Plan {
    let mut plan = Plan::default();
    for path in paths {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => folder(path, &mut plan, cancel),
            Ok(found) => plan.take(path, name(path), &found),
            Err(error) => plan.refused.push(Refused::new(path, format!("cannot be read: {error}"))),
        }
    }
    let mut seen = std::collections::HashSet::new();
    plan.files.retain(|file| seen.insert(file.path.clone()));
    plan
}

impl Plan {
    fn take(&mut self, path: &Path, shown_as: String, found: &Metadata) {
        match not_a_file(found.file_type()) {
            None => self.files.push(Candidate { path: path.to_owned(), shown_as, size: found.len() }),
            Some(what) => self.refused.push(Refused::new(path, format!("{what}, not a file"))),
        }
    }
}

fn folder(root: &Path, plan: &mut Plan, cancel: &AtomicBool) {
    let root_name = name(root);
    let mut walk = WalkBuilder::new(root);
    // The program's own folder of a repository is hidden, unless the user names a folder inside it.
    walk.require_git(false).follow_links(false).sort_by_file_name(|a, b| a.cmp(b));
    let mut entered = BTreeSet::new();
    let mut met = BTreeSet::new();
    for entry in walk.build() {
        if cancel.load(Ordering::Relaxed) {
            return;
        }
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                plan.refused.push(unreadable(root, &error));
                continue;
            }
        };
        let path = entry.path();
        met.insert(path.to_owned());
        match (entry.file_type(), entry.metadata()) {
            // What the user named is a folder, or a link to one.
            _ if entry.depth() == 0 => drop(entered.insert(path.to_owned())),
            (Some(kind), _) if kind.is_dir() => drop(entered.insert(path.to_owned())),
            (Some(kind), _) if kind.is_symlink() => {
                plan.skipped.push(Refused::new(path, "a symbolic link; links in folders are not followed"));
            }
            (Some(kind), _) if not_a_file(kind).is_some() => {
                plan.skipped.push(Refused::new(path, format!("{}, not a file", not_a_file(kind).unwrap_or_default())));
            }
            (_, Ok(found)) => plan.take(path, shown(root, &root_name, path), &found),
            (_, Err(error)) => plan.refused.push(unreadable(path, &error)),
        }
    }
    left_out(&entered, &met, plan);
}

/// Notes what is in the folders that were entered and was not met there: it is hidden or ignored.
fn left_out(entered: &BTreeSet<PathBuf>, met: &BTreeSet<PathBuf>, plan: &mut Plan) {
    // A folder that cannot be read is among the refused.
    let read = entered.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut hidden: Vec<_> = read.map(|entry| (entry.path(), entry.file_name())).collect();
    hidden.retain(|(path, _)| !met.contains(path) && plan.refused.iter().all(|refused| refused.path != *path));
    hidden.sort();
    let reason = |name: &OsString| if name.to_string_lossy().starts_with('.') { "hidden" } else { "ignored" };
    plan.hidden.extend(hidden.iter().map(|(path, name)| Refused::new(path, reason(name))));
}

/// A failure of the walk, at its own path where it names one.
fn unreadable(root: &Path, error: &ignore::Error) -> Refused {
    let mut at = root;
    let mut inner = error;
    loop {
        match inner {
            ignore::Error::WithPath { path, err } => (at, inner) = (path.as_path(), err.as_ref()),
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => inner = err.as_ref(),
            _ => break,
        }
    }
    Refused::new(at, format!("cannot be read: {inner}"))
}

fn shown(root: &Path, root_name: &str, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    std::iter::once(root_name.to_owned()).chain(parts).collect::<Vec<_>>().join("/")
}

/// The last name of a path; for one that ends in dots, that of the folder it means.
fn name(path: &Path) -> String {
    let last = path.file_name().map(ToOwned::to_owned);
    let last = last.or_else(|| path.canonicalize().ok()?.file_name().map(ToOwned::to_owned));
    last.map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// What it is instead of a file.
pub(super) fn not_a_file(kind: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
        if kind.is_block_device() || kind.is_char_device() {
            return Some("a device");
        }
    }
    if kind.is_dir() {
        return Some("a folder");
    }
    (!kind.is_file()).then_some("a special file")
}
