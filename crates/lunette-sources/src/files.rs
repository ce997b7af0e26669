//! The files of a library: of a folder, of an archive, or one alone.
//!
//! What must hold: paths are relative, with `/`, and never lead out of the library; a file is read whole or not at all.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::mem;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use jiff::Timestamp;
use lunette_storage::system::error_text;
use serde_json::Value;

use crate::archive::{Contents, Naming, Unreadable, Zip};
use crate::limits::{Cancelled, Limits};
use crate::sqlite::Work;
use crate::warning::{Warning, Warnings};
use crate::{archive, folder, json};

pub(crate) use crate::path::{extension, file_name, folders, roots_of, stem};

/// Why the files of a library cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It does not exist, or must not be read.
    #[error("cannot be read: {}", error_text(.0))]
    Io(#[from] io::Error),
    /// It is neither a regular file nor a folder.
    #[error("neither a file nor a folder")]
    Special,
    /// It has the name and the first bytes of an archive, but is damaged.
    #[error("cannot be read as an archive: {0}")]
    Archive(String),
    /// The user cancelled.
    #[error("cancelled")]
    Cancelled,
}

/// What a file of UTF-8 may begin with.
pub(crate) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Where the bytes of a file are.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Disk(PathBuf),
    Memory(Vec<u8>),
    /// The number of an entry of the zip archive.
    Zipped(usize),
    /// Where it is in what was unpacked of the tar archive.
    Spooled(Range<u64>),
}

/// A file, and whether the reader has read it.
#[derive(Clone, Debug)]
struct Stored {
    entry: Entry,
    is_read: Cell<bool>,
}

/// The files of a library.
#[derive(Debug)]
pub struct Files {
    name: String,
    entries: BTreeMap<String, Stored>,
    /// How many files there are of each path that several have.
    repeated: HashMap<String, usize>,
    /// Warnings about the files while they are being found, and all of them afterwards.
    told: Warnings,
    warnings: Vec<Warning>,
    /// The keys that an object in a document has again, by the code and the location of the document.
    repeated_keys: RefCell<BTreeMap<(&'static str, String), Vec<String>>>,
    limits: Limits,
    archive: Option<Naming>,
    contents: Option<Contents>,
    truncated: bool,
    /// The last parsed JSON document, since several readers inspect the same file.
    parsed: RefCell<Option<(String, Rc<Value>)>>,
    database_work: Work,
}

impl Files {
    /// Opens a folder, a file or an archive. Links within a folder are not followed. Blocks.
    ///
    /// # Errors
    ///
    /// Fails if the path cannot be read at all; a file within it that cannot be read becomes a warning.
    pub fn open(path: &Path, limits: Limits, cancelled: Cancelled<'_>) -> Result<Self, OpenError> {
        let found = fs::metadata(path)?;
        let name = path.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let mut files = Self::empty(name.unwrap_or_else(|| path.display().to_string()), limits);
        if found.is_dir() {
            folder::walk(path, &mut files, cancelled)?;
        } else if !found.is_file() {
            return Err(OpenError::Special);
        } else {
            files.open_file(path, cancelled)?;
        }
        files.found();
        Ok(files)
    }

    /// Adds the files of an archive, or a file that is none.
    fn open_file(&mut self, path: &Path, cancelled: Cancelled<'_>) -> Result<(), OpenError> {
        self.archive = archive::naming(path);
        match self.archive.map(|_| archive::open(path, self, cancelled)) {
            Some(Ok(contents)) => {
                self.contents = Some(contents);
                return Ok(());
            }
            // Its first bytes may be those of an archive by chance.
            Some(Err(OpenError::Archive(_))) if self.archive == Some(Naming::Other) => {
                *self = Self::empty(self.name.clone(), self.limits);
            }
            Some(Err(error)) => return Err(error),
            None => {}
        }
        self.store(self.name.clone(), Entry::Disk(path.to_owned()));
        Ok(())
    }

    /// Files that are in memory, for tests of readers.
    pub fn of_memory<'a>(name: &str, entries: impl IntoIterator<Item = (&'a str, Vec<u8>)>, limits: Limits) -> Self {
        let mut files = Self::empty(name.to_owned(), limits);
        for (path, bytes) in entries {
            files.insert(path.to_owned(), Entry::Memory(bytes));
        }
        files.found();
        files
    }

    fn empty(name: String, limits: Limits) -> Self {
        let (entries, repeated, told, warnings, repeated_keys) = Default::default();
        let (archive, contents, truncated, parsed, database_work) = Default::default();
        Self {
            name,
            entries,
            repeated,
            told,
            warnings,
            repeated_keys,
            limits,
            archive,
            contents,
            truncated,
            parsed,
            database_work,
        }
    }

    /// Adds a file; returns false if there are too many.
    pub(crate) fn insert(&mut self, path: String, entry: Entry) -> bool {
        if self.entries.len() >= self.limits.entries {
            if !self.truncated {
                let message = format!("more than {} files: the rest was left out", self.limits.entries);
                // Not one of the warnings that are limited: there is only one of it.
                self.warnings.push(Warning::new("limit.entries", self.name.clone(), message));
            }
            self.truncated = true;
            return false;
        }
        if self.entries.contains_key(&path) {
            let free = self.free_path(&path);
            self.warn("archive.twice", &path, format!("is there again: the other one is read as {free:?}"));
            self.store(free, entry);
        } else {
            self.store(path, entry);
        }
        true
    }

    fn store(&mut self, path: String, entry: Entry) {
        self.entries.insert(path, Stored { entry, is_read: Cell::default() });
    }

    /// Ends the search for files.
    fn found(&mut self) {
        let told = mem::take(&mut self.told).finish(&self.name);
        self.warnings.splice(0..0, told);
    }

    /// Returns a path for a further file of this path: with a number, such as `a (2).txt`.
    fn free_path(&mut self, path: &str) -> String {
        let count = self.repeated.entry(path.to_owned()).or_insert(1);
        let (stem, end) =
            path.split_at(path.len() - file_name(path).rsplit_once('.').map_or(0, |(_, end)| end.len() + 1));
        loop {
            *count += 1;
            let free = format!("{stem} ({count}){end}");
            if !self.entries.contains_key(&free) {
                return free;
            }
        }
    }

    pub(crate) fn warn(&mut self, code: &'static str, path: &str, message: impl Into<String>) {
        let warning = Warning::new(code, self.location(path), message);
        self.told.add(warning);
    }

    /// The name of the folder, the file or the archive.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether they are the files of an archive.
    pub fn is_archive(&self) -> bool {
        self.archive.is_some()
    }

    /// Whether they are the files of an archive that has the name of one, so that it is not a document that happens to be
    /// an archive inside.
    pub(crate) fn is_named_archive(&self) -> bool {
        self.archive == Some(Naming::Archive)
    }

    /// Whether there is one file only, whose content alone says what it is.
    pub(crate) fn is_alone(&self) -> bool {
        self.entries.len() == 1
    }

    /// Whether a file may be of a kind: by its extension, or since it is the only one.
    pub(crate) fn may_be(&self, path: &str, extensions: &[&str]) -> bool {
        extensions.contains(&extension(path).as_str()) || self.is_alone()
    }

    /// Whether a file looks like JSON: by its extension, or if it is the only one, by its first sign.
    pub(crate) fn looks_like_json(&self, path: &str) -> bool {
        let begins = || {
            let start = String::from_utf8_lossy(&self.start(path, 64)).into_owned();
            start.trim_start_matches(BYTE_ORDER_MARK).trim_start().starts_with(['{', '['])
        };
        extension(path) == "json" || self.is_alone() && begins()
    }

    /// Returns the name of the collection that the library is, if it is a folder or an archive of one.
    pub(crate) fn collection(&self) -> Option<&str> {
        match self.archive {
            Some(_) => Some(stem(&self.name)),
            None => (!(self.is_alone() && self.contains(&self.name))).then_some(&*self.name),
        }
    }

    /// Whether they were unpacked all at once, where the limits are lower than for files.
    pub(crate) fn unpacked_at_once(&self) -> bool {
        matches!(self.contents, Some(Contents::Tar(_)))
    }

    /// Whether there are more files than the limit allows.
    pub fn truncated(&self) -> bool {
        self.truncated
    }

    /// Warnings about skipped files.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Their limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The work that reading its databases has taken.
    pub(crate) fn database_work(&self) -> &Work {
        &self.database_work
    }

    /// The paths, in order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Returns the paths without those of files that systems and version control create.
    pub(crate) fn content_paths(&self) -> impl Iterator<Item = &str> {
        let added = |path: &&str| {
            let name = file_name(path);
            matches!(name, ".DS_Store" | "Thumbs.db" | "desktop.ini" | ".gitignore")
                || path.split('/').any(|part| matches!(part, ".git" | "__MACOSX"))
        };
        self.paths().filter(move |path| !added(path))
    }

    /// Returns the content paths without hidden files and folders, which an import of files skips.
    pub(crate) fn visible_paths(&self) -> impl Iterator<Item = &str> {
        self.content_paths().filter(|path| !path.split('/').any(|part| part.starts_with('.')))
    }

    /// Returns the files of one of the folders of a folder on disk; `folder` is empty or ends with `/`.
    pub(crate) fn below(&self, folder: &str) -> Self {
        let name = file_name(folder.trim_end_matches('/'));
        let mut below = Self::empty(if name.is_empty() { &self.name } else { name }.to_owned(), self.limits);
        let inside = self.entries.iter().filter_map(|(path, entry)| Some((path.strip_prefix(folder)?, entry)));
        below.entries = inside.map(|(path, entry)| (path.to_owned(), entry.clone())).collect();
        below
    }

    /// Returns the only file, if there is exactly one. The log of a database belongs to the database.
    pub(crate) fn single(&self) -> Option<&str> {
        let is_log = |path: &str| {
            let database = path.strip_suffix("-wal").or(path.strip_suffix("-shm"));
            database.is_some_and(|database| self.contains(database))
        };
        let mut paths = self.content_paths().filter(|path| !is_log(path));
        let first = paths.next();
        first.filter(|_| paths.next().is_none())
    }

    /// Whether there is content and all of it is of this kind, judged by path.
    pub(crate) fn all(&self, is: impl Fn(&str) -> bool) -> bool {
        let mut paths = self.content_paths().peekable();
        paths.peek().is_some() && paths.all(is)
    }

    /// Returns whether a file exists.
    pub fn contains(&self, path: &str) -> bool {
        self.entries.contains_key(path)
    }

    /// Returns the name of a file in warnings.
    pub(crate) fn location(&self, path: &str) -> String {
        if path == self.name { path.to_owned() } else { format!("{}/{path}", self.name) }
    }

    /// Returns the path of a file on disk, or `None` for one in an archive.
    pub(crate) fn on_disk(&self, path: &str) -> Option<&Path> {
        match &self.entries.get(path)?.entry {
            Entry::Disk(path) => Some(path),
            Entry::Memory(_) | Entry::Zipped(_) | Entry::Spooled(_) => None,
        }
    }

    /// When a file on disk was last changed.
    pub(crate) fn modified(&self, path: &str) -> Option<Timestamp> {
        let modified = fs::metadata(self.on_disk(path)?).ok()?.modified().ok()?;
        Timestamp::try_from(modified).ok()
    }

    /// The bytes of a file. Fails with a warning that says why.
    pub fn bytes(&self, path: &str) -> Result<Vec<u8>, Warning> {
        let failed = |code, message: String| Warning::new(code, self.location(path), message);
        let stored = self.entries.get(path).ok_or_else(|| failed("missing", "there is no such file".to_owned()))?;
        stored.is_read.set(true);
        let most = self.limits.file_bytes;
        let bytes = match &stored.entry {
            Entry::Memory(bytes) => bytes.clone(),
            Entry::Zipped(number) => {
                self.zipped(|zip| zip.read(*number, &self.limits)).map_err(|(code, message)| failed(code, message))?
            }
            Entry::Spooled(at) => {
                let read = self.spooled(at, most + 1);
                read.map_err(|error| failed("unreadable", format!("cannot be read: {}", error_text(&error))))?
            }
            Entry::Disk(path) => {
                let mut bytes = Vec::new();
                let read = File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
                read.map_err(|error| failed("unreadable", format!("cannot be read: {}", error_text(&error))))?;
                bytes
            }
        };
        if bytes.len() as u64 > most {
            return Err(failed("limit.file", format!("larger than the limit of {most} bytes")));
        }
        Ok(bytes)
    }

    /// Reads from the zip archive. Fails if they are not the files of one.
    fn zipped<T>(&self, read: impl FnOnce(&mut Zip) -> Result<T, Unreadable>) -> Result<T, Unreadable> {
        match &self.contents {
            Some(Contents::Zip(zip)) => read(&mut zip.borrow_mut()),
            Some(Contents::Tar(_)) | None => Err(("missing", "there is no such file".to_owned())),
        }
    }

    /// Reads from what was unpacked of the tar archive. Fails if they are not the files of one.
    fn spooled(&self, at: &Range<u64>, most: u64) -> io::Result<Vec<u8>> {
        match &self.contents {
            Some(Contents::Tar(spool)) => spool.read(at, most),
            Some(Contents::Zip(_)) | None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Returns the first bytes of a file; fewer if it is shorter or cannot be read.
    pub(crate) fn start(&self, path: &str, count: usize) -> Vec<u8> {
        match self.entries.get(path).map(|stored| &stored.entry) {
            Some(Entry::Memory(bytes)) => bytes.iter().take(count).copied().collect(),
            Some(Entry::Zipped(number)) => self.zipped(|zip| Ok(zip.start(*number, count))).unwrap_or_default(),
            Some(Entry::Spooled(at)) => self.spooled(at, count as u64).unwrap_or_default(),
            Some(Entry::Disk(path)) => {
                let mut bytes = Vec::new();
                let read = File::open(path).and_then(|file| file.take(count as u64).read_to_end(&mut bytes));
                if read.is_ok() { bytes } else { Vec::new() }
            }
            None => Vec::new(),
        }
    }

    /// The text of a file without a byte order mark. Fails with a warning if it is not UTF-8.
    pub(crate) fn text(&self, path: &str) -> Result<String, Warning> {
        let text = self.stored_text(path)?;
        Ok(text.strip_prefix(BYTE_ORDER_MARK).map(str::to_owned).unwrap_or(text))
    }

    /// The text of a file, including a byte order mark. Fails with a warning if it is not UTF-8.
    pub(crate) fn stored_text(&self, path: &str) -> Result<String, Warning> {
        String::from_utf8(self.bytes(path)?).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Warning::new("encoding", format!("{}:byte {at}", self.location(path)), "is not UTF-8")
        })
    }

    /// Forgets which files were read to find the program that they belong to.
    pub(crate) fn begin_reading(&self) {
        self.entries.values().for_each(|stored| stored.is_read.set(false));
    }

    /// Says whether a file is a part of the library. One is if it was read; a reader that finds nothing in it says so.
    pub(crate) fn set_read(&self, path: &str, is_read: bool) {
        if let Some(stored) = self.entries.get(path) {
            stored.is_read.set(is_read);
        }
    }

    /// Says that the whole library is refused, which is said by itself.
    pub(crate) fn refuse(&self) {
        self.entries.values().for_each(|stored| stored.is_read.set(true));
    }

    /// Returns a warning for each folder with files that are not part of the library, and one for each hidden folder.
    pub(crate) fn left_out(&self) -> Warnings {
        let mut folders: BTreeMap<(&str, bool), Vec<&str>> = BTreeMap::new();
        for path in self.content_paths().filter(|path| self.entries.get(*path).is_some_and(|file| !file.is_read.get()))
        {
            let hidden = if path.starts_with('.') { Some(0) } else { path.find("/.").map(|at| at + 1) };
            let outermost = hidden.and_then(|at| path[at..].find('/').map(|end| at + end));
            let (folder, name) = match outermost.or_else(|| path.rfind('/')) {
                Some(end) => (&path[..end], &path[end + 1..]),
                None => ("", path),
            };
            folders.entry((folder, hidden.is_some())).or_default().push(name);
        }
        let location = |folder: &str| if folder.is_empty() { self.name.clone() } else { self.location(folder) };
        let warning = |((folder, is_hidden), names): ((&str, bool), Vec<&str>)| {
            Warning::of_files(location(folder), is_hidden, &names)
        };
        folders.into_iter().map(warning).collect()
    }

    /// Notes the keys that an object in a document of JSON has again.
    pub(crate) fn keys_of_json(&self, text: &str, location: &str) {
        self.note_keys("json.twice", location, json::repeated_keys(text));
    }

    /// Notes the keys that an object in a document has again.
    pub(crate) fn note_keys(&self, code: &'static str, location: &str, keys: Vec<String>) {
        if !keys.is_empty() {
            self.repeated_keys.borrow_mut().insert((code, location.to_owned()), keys);
        }
    }

    /// Returns a warning for each key that was noted.
    pub(crate) fn repeated_keys(&self) -> Warnings {
        let mut warnings = Warnings::default();
        for ((code, location), keys) in &*self.repeated_keys.borrow() {
            keys.iter().for_each(|key| warnings.add_with(|| Warning::of_repeated_key(code, location, key)));
        }
        warnings
    }

    /// Drops the document that was parsed last, which takes many times its size.
    pub(crate) fn forget_parsed(&self) {
        *self.parsed.borrow_mut() = None;
    }

    /// The JSON document in a file; comments and trailing commas are allowed. Fails with a warning that says where.
    pub(crate) fn json(&self, path: &str) -> Result<Rc<Value>, Warning> {
        if let Some((parsed, value)) = &*self.parsed.borrow()
            && parsed == path
        {
            self.set_read(path, true);
            return Ok(Rc::clone(value));
        }
        self.forget_parsed();
        let (text, location) = (self.text(path)?, self.location(path));
        let value = Rc::new(json::parse(&text).map_err(|error| error.at(&location))?);
        self.keys_of_json(&text, &location);
        *self.parsed.borrow_mut() = Some((path.to_owned(), Rc::clone(&value)));
        Ok(value)
    }
}
