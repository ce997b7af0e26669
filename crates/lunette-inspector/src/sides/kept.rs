//! What was read so far of a service that is read asset by asset, on the disk, so that the reading goes on after the
//! program ended in any way.
//!
//! What must hold: a file that cannot be read or written counts as nothing that was read; one program at a time writes
//! it; it is removed once the reading ended, and not used after a day.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lunette_client::model::fingerprint::text_hash;
use lunette_storage::owner_only;
use serde::{Deserialize, Serialize};

use super::base::FOLDER;
use super::facts::{Facts, StoredFacts};
use crate::db::lock::NamedLock;

/// The folder below that of what is remembered of comparisons.
const READING: &str = "reading";
/// How a file begins: another version writes another line.
const HEAD: &str = "\"lunette reading 1\"\n";
/// Our choice: how long what was read is used. What a service does not say the time of may have changed meanwhile.
const AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// What was read of a service before.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// What is known of each asset.
    pub found: Vec<Facts>,
    /// How many assets of the list were read.
    pub offset: u64,
    /// Whether the list was read to its end.
    pub listed: bool,
    /// The ids of those that were read by themselves.
    pub alone: Vec<Box<str>>,
}

/// The file of a service, which is written on.
#[derive(Debug)]
pub(super) struct Kept {
    path: PathBuf,
    file: File,
    _lock: NamedLock,
}

/// A line: what was read by a call.
#[derive(Serialize, Deserialize)]
struct Line {
    /// How many assets of the list were read; `None` once the list was read to its end.
    offset: Option<u64>,
    found: Vec<StoredFacts>,
}

impl Kept {
    /// Opens the file of the service at an address in a data folder; `None` if another program reads the service.
    /// Blocks.
    pub fn open(data: &Path, address: &str) -> io::Result<Option<(Self, Before)>> {
        let name = text_hash(address);
        let folder = data.join(FOLDER).join(READING);
        for folder in [&data.join(FOLDER), &folder] {
            owner_only::create_folder(folder)?;
        }
        remove_old(&folder);
        let Some(lock) = NamedLock::try_take(data, &format!("reading-{name}"))? else { return Ok(None) };
        let path = folder.join(name);
        let mut file = owner_only::private(File::options().read(true).append(true).create(true)).open(&path)?;
        let (before, whole) = read(&file)?;
        if file.metadata()?.len() > whole {
            file.set_len(whole)?;
        }
        file.seek(SeekFrom::End(0))?;
        if whole == 0 {
            file.write_all(HEAD.as_bytes())?;
        }
        Ok(Some((Self { path, file, _lock: lock }, before)))
    }

    /// Adds what a call returned. Blocks.
    pub fn add(&mut self, offset: Option<u64>, found: &[Facts]) -> io::Result<()> {
        let line = Line { offset, found: found.iter().map(StoredFacts::of).collect() };
        let mut bytes = serde_json::to_vec(&line).map_err(io::Error::other)?;
        bytes.push(b'\n');
        self.file.write_all(&bytes)
    }

    /// Removes the file: the reading ended. Blocks.
    pub fn remove(self) {
        fs::remove_file(&self.path).ok(); // One that stays is not used after a day.
    }
}

/// What a file has, and how long the part of it is that was written whole.
fn read(file: &File) -> io::Result<(Before, u64)> {
    let (mut before, mut whole, mut line) = (Before::default(), 0, String::new());
    let mut lines = BufReader::new(file);
    if lines.read_line(&mut line).is_err() || line != HEAD {
        return Ok((before, 0));
    }
    loop {
        whole += line.len() as u64;
        line.clear();
        // A line that is not text is damaged, as one that was not written whole is.
        if lines.read_line(&mut line).is_err() || !line.ends_with('\n') {
            return Ok((before, whole));
        }
        let Ok(Line { offset, found }) = serde_json::from_str::<Line>(&line) else { return Ok((before, whole)) };
        match offset {
            Some(offset) => before.offset = offset,
            // The last page, or one that was read by itself after it.
            None if before.listed => before.alone.extend(found.iter().map(|facts| Box::from(facts.id()))),
            None => before.listed = true,
        }
        before.found.extend(found.into_iter().map(Facts::from));
    }
}

fn remove_old(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let modified = entry.metadata().and_then(|found| found.modified());
        let age = modified.ok().and_then(|at| SystemTime::now().duration_since(at).ok());
        if age.is_some_and(|age| age > AGE) {
            fs::remove_file(entry.path()).ok(); // It is tried again the next time.
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(number: u64) -> Facts {
        Facts::named(&format!("id {number}"), &format!("name {number}\u{2028}\n")).with_content(b"text")
    }

    fn open(data: &Path) -> (Kept, Before) {
        Kept::open(data, "http://localhost:1/").expect("it opens").expect("it is free")
    }

    #[test]
    fn what_was_read_is_there_again_and_a_line_that_was_not_written_whole_is_not() {
        let data = tempfile::tempdir().expect("a folder");
        let (mut kept, before) = open(data.path());
        assert!(before.found.is_empty() && !before.listed);
        assert!(
            Kept::open(data.path(), "http://localhost:1/").expect("it opens").is_none(),
            "another program reads it"
        );
        kept.add(Some(2), &[facts(0), facts(1)]).expect("written");
        kept.add(None, &[facts(2)]).expect("written");
        kept.add(None, &[facts(0)]).expect("written");
        kept.file.write_all(b"{\"offset\":null,\"found\":[{\"id").expect("written");
        drop(kept);
        for _ in 0..2 {
            let (_kept, before) = open(data.path());
            assert_eq!((before.offset, before.listed), (2, true));
            assert_eq!(before.found, [facts(0), facts(1), facts(2), facts(0)]);
            assert_eq!(before.alone, [Box::from("id 0")]);
        }
        open(data.path()).0.remove();
        assert!(open(data.path()).1.found.is_empty());
    }

    #[test]
    fn a_damaged_file_is_no_reading_and_one_that_is_old_is_removed() {
        let data = tempfile::tempdir().expect("a folder");
        let path = open(data.path()).0.path.clone();
        for bytes in [&b"\xff\xfe"[..], b"", b"{}\n", b"\"lunette reading 1\"\n\xff\n{}\n"] {
            fs::write(&path, bytes).expect("written");
            assert!(open(data.path()).1.found.is_empty(), "{bytes:?}");
        }
        let (mut kept, _) = open(data.path());
        kept.add(Some(1), &[facts(0)]).expect("written");
        kept.file.set_modified(SystemTime::now() - AGE - Duration::from_secs(60)).expect("set");
        drop(kept);
        assert!(open(data.path()).1.found.is_empty());
    }
}
