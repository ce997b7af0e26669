//! What was received, in files of the data folder: a file of records for each kind, and the state of the whole.
//!
//! What must hold: a record is kept byte for byte as it was received, and again only where it says something else;
//! after the program was killed, all but the record that was just being written is there; a file is only ever added to.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::rescue::Kind;
use lunette_storage::{atomic, owner_only};

/// The folder below the data folder.
const FOLDER: &str = "rescue";

/// The state of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KindState {
    /// How many records the service named.
    #[serde(default)]
    pub named: usize,
    /// How many records were asked for, over all passes.
    #[serde(default)]
    pub asked: usize,
    /// Why the service has no such list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent: Option<String>,
    /// The ids of records that were not received, and why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub missing: BTreeMap<String, String>,
}

/// The state of the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LedgerState {
    /// The address of the service.
    pub from: String,
    /// The state of each kind, by its name.
    #[serde(default)]
    pub kinds: BTreeMap<String, KindState>,
}

/// The files of a service.
pub(super) struct Ledger {
    folder: PathBuf,
    pub state: LedgerState,
    /// The newest form of each record, by kind and id.
    known: BTreeMap<Kind, HashMap<String, Newest>>,
    open: BTreeMap<Kind, File>,
}

/// The newest form of a record in its file.
struct Newest {
    sha256: String,
    /// The place of its line in the file, in bytes.
    at: u64,
    /// Whether earlier forms of it are before that.
    changed: bool,
}

/// A record as it was received.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub id: String,
    pub sha256: String,
    /// The record, byte for byte.
    pub raw: String,
}

impl Ledger {
    /// Opens the files of a service below a data folder, or begins them. A record that was not written whole is
    /// removed. Blocks.
    pub fn open(data: &Path, from: &str) -> io::Result<Self> {
        let folder = folder_of(data, from);
        fs::create_dir_all(data)?;
        for folder in [&data.join(FOLDER), &folder] {
            owner_only::create_folder(folder)?;
        }
        let mut state = match fs::read(folder.join("ledger.json")) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(io::Error::other)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => LedgerState::default(),
            Err(error) => return Err(error),
        };
        state.from = from.to_owned();
        let mut ledger = Self { folder, state, known: BTreeMap::new(), open: BTreeMap::new() };
        for kind in Kind::ALL {
            ledger.open_kind(kind)?;
        }
        Ok(ledger)
    }

    /// Reads the ids of a kind, and cuts off a record that was not written whole.
    fn open_kind(&mut self, kind: Kind) -> io::Result<()> {
        let mut file =
            owner_only::private(File::options().read(true).append(true).create(true)).open(self.path(kind))?;
        let (mut known, mut whole, mut line) = (HashMap::new(), 0, Vec::new());
        let mut reader = BufReader::new(&file);
        while reader.read_until(b'\n', &mut line)? > 0 {
            if !line.ends_with(b"\n") {
                break;
            }
            let damaged = |error| io::Error::other(format!("{}: damaged after {whole} bytes: {error}", kind.name()));
            let kept: Kept = serde_json::from_slice(&line).map_err(damaged)?;
            let changed = known.contains_key(&kept.id);
            known.insert(kept.id, Newest { sha256: kept.sha256, at: whole, changed });
            whole += line.len() as u64;
            line.clear();
        }
        drop(reader);
        if file.metadata()?.len() > whole {
            file.set_len(whole)?;
        }
        file.seek(SeekFrom::End(0))?;
        self.known.insert(kind, known);
        self.open.insert(kind, file);
        Ok(())
    }

    fn path(&self, kind: Kind) -> PathBuf {
        self.folder.join(format!("{}.jsonl", kind.name()))
    }

    /// The folder of the files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The state of a kind, to change it.
    pub fn kind(&mut self, kind: Kind) -> &mut KindState {
        self.state.kinds.entry(kind.name().to_owned()).or_default()
    }

    /// Whether a record was received.
    pub fn has(&self, kind: Kind, id: &str) -> bool {
        self.known.get(&kind).is_some_and(|known| known.contains_key(id))
    }

    /// How many records of a kind were received.
    pub fn count(&self, kind: Kind) -> usize {
        self.known.get(&kind).map_or(0, HashMap::len)
    }

    /// Keeps a record, unless it is kept and says the same; what is not UTF-8 is not JSON. Blocks.
    pub fn keep(&mut self, kind: Kind, id: &str, raw: &[u8]) -> io::Result<()> {
        let raw = std::str::from_utf8(raw).map_err(io::Error::other)?;
        let sha256 = hash(raw.as_bytes());
        let before = self.newest(kind, id)?;
        if before.as_ref().is_some_and(|kept| kept.sha256 == sha256 || says_same(&kept.raw, raw)) {
            return Ok(());
        }
        let line = json!({ "id": id, "sha256": sha256, "raw": raw }).to_string() + "\n";
        let Some(file) = self.open.get_mut(&kind) else { return Err(io::Error::other("the file is not open")) };
        let at = file.seek(SeekFrom::End(0))?;
        file.write_all(line.as_bytes())?;
        let newest = Newest { sha256, at, changed: before.is_some() };
        self.known.entry(kind).or_default().insert(id.to_owned(), newest);
        self.kind(kind).missing.remove(id);
        Ok(())
    }

    /// A record as it was received last. Blocks.
    pub fn newest(&mut self, kind: Kind, id: &str) -> io::Result<Option<Kept>> {
        let Some(at) = self.known.get(&kind).and_then(|known| known.get(id)).map(|newest| newest.at) else {
            return Ok(None);
        };
        let Some(file) = self.open.get_mut(&kind) else { return Err(io::Error::other("the file is not open")) };
        file.seek(SeekFrom::Start(at))?;
        let mut line = Vec::new();
        BufReader::new(file).read_until(b'\n', &mut line)?;
        serde_json::from_slice(&line).map(Some).map_err(io::Error::other)
    }

    /// The earlier forms of the records of a kind that have changed since they were received first, by id. Blocks.
    pub fn earlier(&self, kind: Kind) -> io::Result<HashMap<String, Vec<Value>>> {
        let mut earlier: HashMap<String, Vec<Value>> = HashMap::new();
        let Some(known) = self.known.get(&kind).filter(|known| known.values().any(|newest| newest.changed)) else {
            return Ok(earlier);
        };
        each_line(&self.path(kind), |at, kept| {
            if known.get(&kept.id).is_some_and(|newest| newest.changed && newest.at != at) {
                earlier.entry(kept.id).or_default().push(serde_json::from_str(&kept.raw).unwrap_or_default());
            }
            Ok(())
        })?;
        Ok(earlier)
    }

    /// Writes the state, after what it is about is on the disk. Blocks.
    pub fn save(&self) -> io::Result<()> {
        self.open.values().try_for_each(File::sync_data)?;
        let text = serde_json::to_vec_pretty(&self.state).map_err(io::Error::other)?;
        atomic::write(&self.folder.join("ledger.json"), &text)
    }

    /// Calls `each` with the newest form of the records of a kind, so many at a time, until it fails. Blocks.
    pub fn each(&self, kind: Kind, most: usize, mut each: impl FnMut(Vec<Kept>) -> io::Result<()>) -> io::Result<()> {
        let (mut batch, known) = (Vec::new(), self.known.get(&kind));
        each_line(&self.path(kind), |at, kept| {
            if known.and_then(|known| known.get(&kept.id)).is_some_and(|newest| newest.at == at) {
                batch.push(kept);
            }
            if batch.len() == most { each(std::mem::take(&mut batch)) } else { Ok(()) }
        })?;
        if batch.is_empty() { Ok(()) } else { each(batch) }
    }

    /// The hash of all records of a kind: of their ids and hashes, in the order of the ids.
    pub fn hash(&self, kind: Kind) -> String {
        let known = self.known.get(&kind).into_iter().flatten();
        let mut records: Vec<_> = known.map(|(id, newest)| (id, &newest.sha256)).collect();
        records.sort_unstable();
        let mut hash = Sha256::new();
        for (id, sha256) in records {
            hash.update(format!("{id} {sha256}\n"));
        }
        hex(&hash.finalize())
    }
}

/// The folder of the files of a service below a data folder.
fn folder_of(data: &Path, from: &str) -> PathBuf {
    let name: String = from
        .trim_start_matches("http://")
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' })
        .collect();
    data.join(FOLDER).join(name.trim_matches(['-', '.']))
}

/// The folders of the services that were rescued into a data folder, in order.
pub fn rescued(data: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(data.join(FOLDER)).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<_> = folders.filter(|folder| folder.join("ledger.json").is_file()).collect();
    folders.sort();
    folders
}

/// Calls `each` with the id of every record of a kind in one of these folders, and the record byte for byte as it was
/// received last, until it fails. Blocks.
pub fn kept(folder: &Path, kind: Kind, mut each: impl FnMut(&str, &str) -> io::Result<()>) -> io::Result<()> {
    let path = folder.join(format!("{}.jsonl", kind.name()));
    let mut newest = HashMap::new();
    each_line(&path, |at, kept| {
        newest.insert(kept.id, at);
        Ok(())
    })?;
    each_line(&path, |at, kept| if newest.get(&kept.id) == Some(&at) { each(&kept.id, &kept.raw) } else { Ok(()) })
}

/// Writes all records of a kind in these folders as one JSON array, each byte for byte as it was received last. Blocks.
pub fn write_kept(folders: &[PathBuf], kind: Kind, out: &mut dyn io::Write) -> io::Result<()> {
    let mut first = true;
    for folder in folders {
        kept(folder, kind, |_, raw| {
            out.write_all(if std::mem::take(&mut first) { b"[\n" } else { b",\n" })?;
            out.write_all(raw.as_bytes())
        })?;
    }
    out.write_all(if first { b"[]\n" } else { b"\n]\n" })
}

/// Calls `each` with the place and the content of every line of a file of records, until it fails. The last line may
/// not have been written whole, and is left out then. Does nothing without the file. Blocks.
fn each_line(path: &Path, mut each: impl FnMut(u64, Kept) -> io::Result<()>) -> io::Result<()> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    // What is written meanwhile is not read.
    let length = file.metadata()?.len();
    let (mut reader, mut line, mut at) = (BufReader::new(file.take(length)), Vec::new(), 0);
    while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
        each(at, serde_json::from_slice(&line).map_err(io::Error::other)?)?;
        at += line.len() as u64;
        line.clear();
    }
    Ok(())
}

/// Whether two records say the same: times as people read them, such as “3 minutes ago”, and the order of fields count
/// for nothing.
fn says_same(one: &str, other: &str) -> bool {
    let read = |raw: &str| {
        let mut record: Value = serde_json::from_str(raw).ok()?;
        forget_readable(&mut record);
        Some(record)
    };
    matches!((read(one), read(other)), (Some(one), Some(other)) if one == other)
}

fn forget_readable(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.shift_remove("readable");
            fields.values_mut().for_each(forget_readable);
        }
        Value::Array(entries) => entries.iter_mut().for_each(forget_readable),
        _ => {}
    }
}

/// The SHA-256 of bytes, in hexadecimal.
pub(super) fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
