//! Archives of Lunette: a folder or a zip file with a manifest, one file per asset in `content`, and its record in
//! `records`. `docs/export.md` describes the format.
//!
//! What must hold: records are read exactly, without trimming or inventing anything; content that differs from the
//! exported one is imported with a warning, since users may have edited it.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::candidate::{Candidate, Fragment, Library, Native, Warning};
use crate::files::{Files, extension};
use crate::json::{self, flag, list, some_text, text, texts};
use crate::{Reader, Source, date};

/// Reads archives of Lunette.
pub(crate) struct Lunette;

/// The name of the format in the manifest.
const FORMAT: &str = "lunette-archive";
/// The versions of the format that can be read.
const VERSIONS: std::ops::RangeInclusive<u64> = 1..=1;
const MANIFEST: &str = "manifest.json";
const SUMS: &str = "SHA256SUMS";

impl Reader for Lunette {
    fn source(&self) -> Source {
        Source::Lunette
    }

    fn detects(&self, files: &Files) -> bool {
        root(files).is_some()
    }

    fn read(&self, files: &Files, library: &mut Library) {
        let Some(root) = root(files) else {
            return library.warn(
                "lunette.manifest",
                files.name(),
                format!("has no {MANIFEST} of an archive of Lunette"),
            );
        };
        let manifest = files.json(&format!("{root}{MANIFEST}"));
        let version = manifest.as_ref().ok().and_then(|manifest| manifest.get("version")?.as_u64());
        if !version.is_some_and(|version| VERSIONS.contains(&version)) {
            let place = files.place(&format!("{root}{MANIFEST}"));
            let message = "is of another version of the format: update Lunette to read all of it";
            library.warn("lunette.version", place, message);
        }
        Reading { files, root: &root, sums: sums(files, &root, library), used: HashSet::new(), bytes: 0 }.read(library);
    }
}

/// The folder of the archive within the files, empty or with `/` at its end.
fn root(files: &Files) -> Option<String> {
    let folder = |path: &str| path.strip_suffix(MANIFEST).map(str::to_owned);
    let roots = files.paths().filter(|path| path.matches('/').count() <= 1).filter_map(folder);
    roots.filter(|root| root.is_empty() || root.ends_with('/')).find(|root| {
        let manifest = files.json(&format!("{root}{MANIFEST}"));
        manifest.is_ok_and(|manifest| text(&manifest, "format") == FORMAT)
    })
}

/// The SHA-256 of each file, by its path within the archive.
fn sums(files: &Files, root: &str, library: &mut Library) -> HashMap<String, String> {
    let sums = match files.text(&format!("{root}{SUMS}")) {
        Ok(sums) => sums,
        Err(warning) => {
            library.warnings.push(Warning { message: format!("{}: nothing is verified", warning.message), ..warning });
            return HashMap::new();
        }
    };
    let line = |line: &str| line.split_once("  ").map(|(sum, path)| (path.to_owned(), sum.to_lowercase()));
    sums.lines().filter_map(line).collect()
}

/// An archive that is being read.
struct Reading<'a> {
    files: &'a Files,
    root: &'a str,
    sums: HashMap<String, String>,
    /// The contents that a record names.
    used: HashSet<String>,
    bytes: u64,
}

impl Reading<'_> {
    fn read(mut self, library: &mut Library) {
        let files = self.files;
        let records = format!("{}records/", self.root);
        for path in files.paths().filter(|path| path.starts_with(&records) && extension(path) == "json") {
            match self.candidate(path) {
                Ok(candidate) => library.add(candidate, &files.place(path)),
                Err(warning) => library.warnings.push(warning),
            }
        }
        let contents = format!("{}content/", self.root);
        for path in files.paths().filter(|path| path.starts_with(&contents) && !self.used.contains(*path)) {
            library.warn("lunette.record", files.place(path), "has no record and was left out: import it as a file");
        }
    }

    fn candidate(&mut self, path: &str) -> Result<Candidate, Warning> {
        let files = self.files;
        let place = files.place(path);
        let failed = |code, message: String| Warning::new(code, place.clone(), message);
        let written = files.text(path)?;
        let record = json::parse(&written).map_err(|error| {
            let place = format!("{place}:{}:{}", error.line(), error.column());
            Warning::new("json.invalid", place, format!("is not valid JSON: {error}"))
        })?;
        let file = text(&record, "file");
        let content = format!("{}{file}", self.root);
        if file.is_empty() || !files.contains(&content) {
            return Err(failed("lunette.content", format!("its content {file:?} is not in the archive")));
        }
        let bytes = files.bytes(&content)?;
        self.used.insert(content);
        self.bytes += bytes.len() as u64;
        if self.bytes > files.limits().total_bytes {
            self.bytes -= bytes.len() as u64;
            let most = files.limits().total_bytes;
            return Err(failed("limit.total", format!("the contents are more than {most} bytes: it was left out")));
        }
        let mut warnings = Vec::new();
        for (path, bytes) in [(file, bytes.as_slice()), (&path[self.root.len()..], written.as_bytes())] {
            if self.sums.get(path).is_some_and(|sum| *sum != digest(bytes)) {
                let message = format!("{path} has changed since the archive was written");
                warnings.push(failed("lunette.checksum", message));
            }
        }
        Ok(candidate(&record, path, bytes, warnings))
    }
}

fn candidate(record: &Value, path: &str, bytes: Vec<u8>, warnings: Vec<Warning>) -> Candidate {
    let pairs = |field: &str, first: &str, second: &str| {
        let pair = |value: &Value| (text(value, first).to_owned(), text(value, second).to_owned());
        list(record, field).iter().map(pair).collect()
    };
    let language = some_text(record, "language").map(str::to_owned);
    Candidate {
        source_id: some_text(record, "id").unwrap_or(path).to_owned(),
        name: text(record, "name").to_owned(),
        fragments: vec![Fragment { label: String::new(), language, bytes }],
        tags: texts(record.get("tags")),
        favourite: flag(record, "favourite"),
        created: date::of_json(record.get("created")),
        updated: date::of_json(record.get("updated")),
        warnings,
        native: Some(Native {
            websites: pairs("websites", "url", "name"),
            annotations: pairs("annotations", "type", "text"),
            is_text: text(record, "content") == "text",
            archived: archived(record),
        }),
        ..Candidate::default()
    }
}

/// The parts of a record that are passed on as they are.
fn archived(record: &Value) -> Value {
    let part = |field: &str| Some((field.to_owned(), record.get(field).filter(|part| !part.is_null())?.clone()));
    Value::Object(["record", "conversations", "activities"].into_iter().filter_map(part).collect())
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
