//! What was received, in files of the data folder: a file of records for each kind, and the state of the whole.
//!
//! What must hold: a record is kept byte for byte as it was received, and once; after the program was killed, all but the
//! record that was just being written is there; a file is only ever added to.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::rescue::Kind;
use lunette_storage::{atomic, owner_only};

/// The folder below the data folder.
const FOLDER: &str = "rescue";

/// The state of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KindState {
    /// Whether its list was read in this pass.
    #[serde(default)]
    pub listed: bool,
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
    /// Whether the last pass ended, so that the next one begins anew.
    #[serde(default)]
    pub ended: bool,
    /// The state of each kind, by its name.
    #[serde(default)]
    pub kinds: BTreeMap<String, KindState>,
}

/// The files of a service.
pub(super) struct Ledger {
    folder: PathBuf,
    pub state: LedgerState,
    /// The hash of each record, by kind and id.
    known: BTreeMap<Kind, HashMap<String, String>>,
    open: BTreeMap<Kind, File>,
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
    /// Opens the files of a service below a data folder, or begins them. A record that was not written whole is removed.
    /// Blocks.
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
        if std::mem::take(&mut state.ended) {
            state.kinds.values_mut().for_each(|kind| kind.listed = false);
        }
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
            known.insert(kept.id, kept.sha256);
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

    /// Keeps a record, unless one with its id is kept; what is no UTF-8 is not JSON. Blocks.
    pub fn keep(&mut self, kind: Kind, id: &str, raw: &[u8]) -> io::Result<()> {
        if self.has(kind, id) {
            return Ok(());
        }
        let raw = std::str::from_utf8(raw).map_err(io::Error::other)?;
        let sha256 = hash(raw.as_bytes());
        let line = json!({ "id": id, "sha256": sha256, "raw": raw }).to_string() + "\n";
        let Some(file) = self.open.get_mut(&kind) else { return Err(io::Error::other("the file is not open")) };
        file.write_all(line.as_bytes())?;
        self.known.entry(kind).or_default().insert(id.to_owned(), sha256);
        self.kind(kind).missing.remove(id);
        Ok(())
    }

    /// Writes the state, after what it is about is on the disk. Blocks.
    pub fn save(&self) -> io::Result<()> {
        self.open.values().try_for_each(File::sync_data)?;
        let text = serde_json::to_vec_pretty(&self.state).map_err(io::Error::other)?;
        atomic::write(&self.folder.join("ledger.json"), &text)
    }

    /// Calls `each` with the records of a kind, so many at a time, until it fails. Blocks.
    pub fn each(&self, kind: Kind, most: usize, mut each: impl FnMut(Vec<Kept>) -> io::Result<()>) -> io::Result<()> {
        let mut batch = Vec::new();
        for line in BufReader::new(File::open(self.path(kind))?).lines() {
            batch.push(serde_json::from_str(&line?).map_err(io::Error::other)?);
            if batch.len() == most {
                each(std::mem::take(&mut batch))?;
            }
        }
        if batch.is_empty() { Ok(()) } else { each(batch) }
    }

    /// The hash of all records of a kind: of their ids and hashes, in the order of the ids.
    pub fn hash(&self, kind: Kind) -> String {
        let mut records: Vec<_> = self.known.get(&kind).into_iter().flatten().collect();
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

/// The folders of the services that were taken along to a data folder, in order.
pub fn rescued(data: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(data.join(FOLDER)).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<_> = folders.filter(|folder| folder.join("ledger.json").is_file()).collect();
    folders.sort();
    folders
}

/// Calls `each` with every record of a kind in one of these folders, byte for byte as it was received, until it fails.
/// Blocks.
pub fn kept(folder: &Path, kind: Kind, mut each: impl FnMut(&str, &str) -> io::Result<()>) -> io::Result<()> {
    let file = match File::open(folder.join(format!("{}.jsonl", kind.name()))) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for line in BufReader::new(file).lines() {
        // The last one may not have been written whole.
        let Ok(Kept { id, raw, .. }) = serde_json::from_str(&line?) else { break };
        each(&id, &raw)?;
    }
    Ok(())
}

/// The SHA-256 of bytes, in hexadecimal.
pub(super) fn hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
