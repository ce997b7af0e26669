//! Archives of the public export tool for Pieces, formats 4 to 6: <https://github.com/pieces-app/export-tool>.
//!
//! A folder with `manifest.json`, a file for each record below `data` or `raw`, named by the sum of its kind and id, and from
//! format 5 on `rebuild-state.jsonl`, which has the sum of each file. From format 6 on, records that join two others are
//! lines of shared files.
//!
//! What must hold: an archive that was not finished is refused; a record that differs from its sum is read with a warning.
//! Our choice: links are read from the records, and not from `relationships.jsonl`, which is made of them.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

use super::asset::Assets;
use super::links::Links;
use super::material::Material;
use super::state::{Key, STATE, State, key};
use super::{MOST_READ, Records, TOO_MANY_REFERENCES};
use crate::candidate::{Candidate, Library};
use crate::files::{Files, extension, roots_of, stem};
use crate::json::{self, list, text};
use crate::readers::lunette::MANIFEST;
use crate::{Reader, Source, Warning, sha256};

/// Reads archives of the export tool for Pieces.
pub(crate) struct Archive;

const FORMATS: std::ops::RangeInclusive<u64> = 4..=6;
/// The end of the name of a folder that is being written, or was left behind.
const PARTIAL: &str = ".partial";
/// How many linked records are kept in memory, and the largest of them: those that many assets share.
const MOST_KEPT: usize = 4_096;
const LARGEST_KEPT: u64 = 16 << 10;

impl Reader for Archive {
    fn source(&self) -> Source {
        Source::Pieces
    }

    fn detects(&self, files: &Files) -> bool {
        root(files).is_some() || is_left_behind(files)
    }

    fn foreign<'a>(&self, files: &'a Files) -> Vec<&'a str> {
        let root = root(files).unwrap_or_default();
        let own = |path: &str| match path.strip_prefix(&root).map(|inside| inside.split_once('/')) {
            Some(Some((folder, _))) => matches!(folder, "data" | "raw"),
            Some(None) => is_document(path),
            None => false,
        };
        files.visible_paths().filter(|path| !own(path)).collect()
    }

    fn roots(&self, files: &Files) -> Vec<String> {
        roots_of(files.paths(), MANIFEST)
    }

    fn read(&self, files: &Files, library: &mut Library) {
        let root = root(files);
        let folder = root.as_deref().map(|root| root.trim_end_matches('/')).filter(|root| !root.is_empty());
        if is_left_behind(files) || folder.unwrap_or(files.name()).ends_with(PARTIAL) {
            files.refuse();
            let message = "was not finished by the export and is not read: export again, to a new folder";
            return library.warn("pieces.unfinished", files.name(), message);
        }
        let Some(root) = root else {
            return library.warn("pieces.manifest", files.name(), format!("has no {MANIFEST} of an export of Pieces"));
        };
        let path = format!("{root}{MANIFEST}");
        match files.json(&path) {
            Ok(manifest) => Reading::new(files, &root, &manifest, library).read(&manifest, library),
            Err(warning) => library.report([warning]),
        }
    }
}

/// Whether a file beside the folders of records may be a document that the tool makes of them, more of them in each version.
fn is_document(path: &str) -> bool {
    matches!(extension(path).as_str(), "md" | "json" | "jsonl")
}

/// The folder of the archive within the files, empty or with `/` at its end.
fn root(files: &Files) -> Option<String> {
    let shallow = files.paths().filter(|path| path.matches('/').count() <= 1);
    roots_of(shallow, MANIFEST).into_iter().find(|root| {
        files.json(&format!("{root}{MANIFEST}")).is_ok_and(|manifest| {
            ["format_version", "tool_version", "mode", "coverage"].iter().all(|field| manifest.get(*field).is_some())
        })
    })
}

/// Whether the files are those of a folder that was never finished, and so has no manifest.
fn is_left_behind(files: &Files) -> bool {
    let is_record = |path: &str| {
        (path.starts_with("data/") || path.starts_with("raw/"))
            && extension(path) == "json"
            && key(stem(path)).is_some()
    };
    files.name().ends_with(PARTIAL) && files.paths().any(is_record)
}

/// An archive that is being read.
struct Reading<'a> {
    files: &'a Files,
    /// The folder of the archive, and the folder of the records in it; each empty or with `/` at its end.
    root: &'a str,
    data: String,
    state: Option<State>,
    /// How many more bytes of records may be read, and whether one was not read because of it.
    room: Cell<u64>,
    is_full: Cell<bool>,
    kept: RefCell<HashMap<String, Kept>>,
}

/// A linked record, with the warnings about it.
type Kept = (Rc<Value>, Vec<Warning>);

/// Why a record cannot be read; `None` if too many were read, which is said once.
type Unread = Option<Warning>;

impl<'a> Reading<'a> {
    fn new(files: &'a Files, root: &'a str, manifest: &Value, library: &mut Library) -> Self {
        let format = manifest.get("format_version").and_then(Value::as_u64).unwrap_or_default();
        let location = files.location(&format!("{root}{MANIFEST}"));
        if !FORMATS.contains(&format) {
            let message = format!(
                "is of format {format}, which this version of Lunette does not know: it is read as far as possible"
            );
            library.warn("pieces.version", location, message);
        }
        let state = match manifest.get("archive_state").map(|state| text(state, "state_sha256")) {
            Some(sum) => State::read(files, &format!("{root}{STATE}"), Some(sum), library),
            None if format > *FORMATS.start() => State::read(files, &format!("{root}{STATE}"), None, library),
            None => {
                library.warn("pieces.checksum", files.name(), "is of format 4, which has no sums: nothing is verified");
                None
            }
        };
        let folder = if text(manifest, "mode") == "preserve" { "raw" } else { "data" };
        let room = Cell::new(files.limits().total_bytes.saturating_mul(MOST_READ));
        Self {
            files,
            root,
            data: format!("{root}{folder}/"),
            state,
            room,
            is_full: Cell::default(),
            kept: RefCell::default(),
        }
    }

    fn read(self, manifest: &Value, library: &mut Library) {
        let location = self.files.location(&format!("{}{MANIFEST}", self.root));
        match text(manifest, "status") {
            "complete_for_implemented_scope" => {}
            "partial" => {
                let message = "says that the export could not read everything: see coverage.md in the archive";
                library.warn("pieces.partial", location, message);
            }
            status => {
                self.files.refuse();
                let message = format!("has the status {status:?}: the export was not finished, so it is not read");
                return library.warn("pieces.unfinished", location, message);
            }
        }
        let inside = |path: &&str| path.strip_prefix(self.root).is_some_and(|inside| !inside.contains('/'));
        for path in self.files.paths().filter(inside).filter(|path| is_document(path)) {
            self.files.set_read(path, true);
        }
        if let Some(state) = &self.state {
            state.warn_of_left_out(&self.files.location(&format!("{}{STATE}", self.root)), library);
            Material::all().for_each(|material| self.warn_of_missing(state, material, library));
        }
        let links = self.links(library);
        let mut candidates = self.candidates(&links, library);
        candidates.sort_by(|one, other| (one.created, &one.source_id).cmp(&(other.created, &other.source_id)));
        library.candidates.append(&mut candidates);
        if self.is_full.get() {
            library.warn("limit.work", self.files.name(), TOO_MANY_REFERENCES);
        }
        self.warn_of_incomplete(manifest, library);
    }

    /// The files of the records of a folder.
    fn paths(&self, folder: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let folder = format!("{}{folder}/", self.data);
        self.files.paths().filter(move |path| path.starts_with(&folder))
    }

    fn path(&self, material: Material, key: &str) -> String {
        format!("{}{}/{key}.json", self.data, material.folder())
    }

    /// Returns what the links between assets and others say at their other ends.
    fn links(&self, library: &mut Library) -> Links {
        let mut links = Links::default();
        for material in Material::LINKED {
            for path in self.paths(material.folder()) {
                // What has changed is said of the assets that it is linked to.
                match self.record(path, material.name(), &mut Vec::new()) {
                    Ok(record) => links.add_record(material, &record),
                    Err(unread) => library.report(unread),
                }
            }
            let name = material.associations();
            for path in self.paths(&format!("associations/{name}")) {
                self.associations(path, (material, &name.to_uppercase()), &mut links, library);
            }
        }
        links
    }

    /// Adds the links of a file of records that join two others: one record, or one a line.
    fn associations(&self, path: &str, (material, name): (Material, &str), links: &mut Links, library: &mut Library) {
        let written = match self.bytes(path) {
            Ok(written) => written,
            Err(unread) => return library.report(unread),
        };
        let whole = if extension(path) == "jsonl" { None } else { Some(written.as_slice()) };
        let lines = whole.is_none().then(|| written.split_inclusive(|byte| *byte == b'\n')).into_iter().flatten();
        for (number, row) in whole.into_iter().chain(lines).enumerate() {
            let location = format!("{}:{}", self.files.location(path), number + 1);
            match parse(row, &location) {
                Ok(record) => {
                    let mut warnings = Vec::new();
                    self.verify((name, text(&record, "id")), row, &location, &mut warnings);
                    library.report(warnings);
                    links.add_association(material, &record);
                }
                Err(warning) => library.report([warning]),
            }
        }
    }

    fn candidates(&self, links: &Links, library: &mut Library) -> Vec<Candidate> {
        let (mut candidates, mut bytes) = (Vec::new(), 0);
        let assets = Assets { records: self, links };
        for path in self.paths(Material::Asset.folder()) {
            let mut warnings = Vec::new();
            let location = self.files.location(path);
            let asset = match self.record(path, Material::Asset.name(), &mut warnings) {
                Ok(asset) => asset,
                Err(unread) => {
                    library.report(unread);
                    continue;
                }
            };
            match assets.candidate(&asset, &location, warnings) {
                Ok(candidate) if bytes + candidate.size() > self.files.limits().total_bytes => {
                    let most = self.files.limits().total_bytes;
                    library.warn(
                        "limit.total",
                        location,
                        format!("is beyond the limit of {most} bytes and was left out"),
                    );
                }
                Ok(mut candidate) => {
                    bytes += candidate.size();
                    candidate.limit_warnings(&location);
                    candidates.push(candidate);
                }
                Err(warnings) => library.report(warnings),
            }
        }
        candidates
    }

    /// Returns the record in a file of its own.
    fn record(&self, path: &str, kind: &str, warnings: &mut Vec<Warning>) -> Result<Value, Unread> {
        let (location, written) = (self.files.location(path), self.bytes(path)?);
        let record = parse(&written, &location)?;
        self.files.keys_of_json(&String::from_utf8_lossy(&written), &location);
        let key = self.verify((kind, text(&record, "id")), &written, &location, warnings);
        if key != stem(path) {
            warnings.push(Warning::new("pieces.checksum", location, "has another id than its file name says"));
        }
        Ok(record)
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, Unread> {
        let rest = if self.is_full.get() { None } else { Some(self.files.bytes(path)?) };
        let room = rest.as_ref().and_then(|written| self.room.get().checked_sub(written.len() as u64));
        self.is_full.set(room.is_none());
        self.room.set(room.unwrap_or_default());
        rest.filter(|_| room.is_some()).ok_or(None)
    }

    /// Compares a record with its sum. Returns the key of the record.
    fn verify(&self, (kind, id): (&str, &str), written: &[u8], location: &str, warnings: &mut Vec<Warning>) -> String {
        let name = sha256::hex(format!("{kind}\0{id}").as_bytes());
        let row = self.state.as_ref().map(|state| key(&name).and_then(|key| state.row(&key)));
        let problem = match row {
            Some(Some(row)) if key(&sha256::hex(written)) != Some(row.sum) => {
                "has changed since the archive was written"
            }
            Some(None) => "is not one of the records that the archive lists",
            Some(Some(row)) if row.redactions > 0 => {
                let message = format!("values that the export replaced in it, such as secrets: {}", row.redactions);
                warnings.push(Warning::new("pieces.redacted", location, message));
                return name;
            }
            _ => return name,
        };
        warnings.push(Warning::new("pieces.checksum", location, problem));
        name
    }

    fn keep(&self, path: String, kept: Kept) {
        let mut all = self.kept.borrow_mut();
        if all.len() >= MOST_KEPT {
            all.clear();
        }
        all.insert(path, kept);
    }

    fn warn_of_missing(&self, state: &State, material: Material, library: &mut Library) {
        let path = |key: &Key| self.path(material, &key.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        let mut missing: Vec<String> = state.of(material).map(path).filter(|path| !self.files.contains(path)).collect();
        missing.sort();
        if let Some(first) = missing.first() {
            let message =
                format!("is not there; records of {} that are missing in all: {}", material.name(), missing.len());
            library.warn("pieces.missing", self.files.location(first), message);
        }
    }

    fn warn_of_incomplete(&self, manifest: &Value, library: &mut Library) {
        let assets = list(manifest, "coverage").iter().find(|entry| text(entry, "material") == Material::Asset.name());
        let included = assets.and_then(|entry| entry.get("included")?.as_u64()).unwrap_or_default();
        let read = library.candidates.len() as u64;
        if included > read {
            let message = format!("only {read} of its {included} assets can be imported, see the other warnings");
            library.warnings.insert(0, Warning::new("pieces.incomplete", self.files.name(), message));
        }
    }
}

impl Records for Reading<'_> {
    fn get(&self, material: Material, id: &str, warnings: &mut Vec<Warning>) -> Option<Rc<Value>> {
        let path = self.path(material, &sha256::hex(format!("{}\0{id}", material.name()).as_bytes()));
        if let Some((record, known)) = self.kept.borrow().get(&path) {
            warnings.extend(known.iter().cloned());
            return Some(Rc::clone(record));
        }
        if !self.files.contains(&path) {
            return None;
        }
        let (before, mut own) = (self.room.get(), Vec::new());
        match self.record(&path, material.name(), &mut own) {
            Ok(record) => {
                let record = Rc::new(record);
                warnings.extend(own.iter().cloned());
                let is_shared = material == Material::Application || Material::LINKED.contains(&material);
                if is_shared && before - self.room.get() <= LARGEST_KEPT {
                    self.keep(path, (Rc::clone(&record), own));
                }
                Some(record)
            }
            // Those of linked records were said when the links were read.
            Err(unread) => {
                warnings.extend(unread.filter(|_| !Material::LINKED.contains(&material)));
                None
            }
        }
    }
}

fn parse(written: &[u8], location: &str) -> Result<Value, Warning> {
    json::parse_strict(written).map_err(|error| error.at(location))
}
