//! Archives of Lunette: a folder or a zip file with a manifest, one file per asset in `content`, and its record in
//! `records`. `docs/export.md` describes the format.
//!
//! What must hold: records are read exactly, without trimming or inventing anything; content that differs from the
//! exported one is imported with a warning, since users may have edited it.

use std::collections::HashMap;

use serde_json::Value;

use crate::candidate::{Candidate, Fragment, Library, Native};
use crate::files::{Files, extension, roots_of};
use crate::json::{self, flag, list, some_text, text, texts};
use crate::shape::{self, Fields, Shape};
use crate::source::Facts;
use crate::{Reader, Source, Warning, date, sha256};

/// Reads archives of Lunette.
pub(crate) struct Lunette;

/// The name of the format in the manifest.
const FORMAT: &str = "lunette-archive";
/// The versions of the format that can be read.
const VERSIONS: std::ops::RangeInclusive<u64> = 1..=1;
pub(super) const MANIFEST: &str = "manifest.json";
const SUMS: &str = "SHA256SUMS";

/// The most bytes of what is restored of an asset beside its content. The service accepts several times as much in one
/// request.
pub(super) const LARGEST_HISTORY: usize = 2 << 20;

impl Source {
    /// Lunette, its archives.
    pub const LUNETTE: Self =
        Self(&Facts { has_unique_ids: true, ..Facts::new("lunette", "archive of Lunette", &Lunette) });
}

impl Reader for Lunette {
    fn detects(&self, files: &Files) -> bool {
        root(files).is_some()
    }

    fn foreign<'a>(&self, files: &'a Files) -> Vec<&'a str> {
        let root = root(files).unwrap_or_default();
        let own = |path: &str| {
            let inside = path.strip_prefix(&root).unwrap_or_default();
            matches!(inside, MANIFEST | SUMS) || inside.starts_with("records/") || inside.starts_with("content/")
        };
        files.visible_paths().filter(|path| !own(path)).collect()
    }

    fn roots(&self, files: &Files) -> Vec<String> {
        roots_of(files.paths(), MANIFEST)
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
            let location = files.location(&format!("{root}{MANIFEST}"));
            let message = "is of another version of the format: update Lunette to read all of it";
            library.warn("lunette.version", location, message);
        }
        Reading { files, root: &root, sums: sums(files, &root, library), bytes: 0 }.read(library);
        let exported = manifest.as_ref().ok().and_then(|manifest| manifest.get("counts")?.get("exported")?.as_u64());
        let read = library.candidates.len() as u64;
        if let Some(exported) = exported.filter(|exported| *exported > read) {
            let advice = if files.unpacked_at_once() {
                "; unpack it and import its folder, for which the limits are higher"
            } else {
                ""
            };
            let message =
                format!("only {read} of its {exported} assets can be imported, see the other warnings{advice}");
            library.warnings.insert(0, Warning::new("lunette.incomplete", files.name(), message));
        }
    }
}

/// The folder of the archive within the files, empty or with `/` at its end.
fn root(files: &Files) -> Option<String> {
    let shallow = files.paths().filter(|path| path.matches('/').count() <= 1);
    roots_of(shallow, MANIFEST).into_iter().find(|root| {
        let manifest = files.json(&format!("{root}{MANIFEST}"));
        manifest.is_ok_and(|manifest| text(&manifest, "format") == FORMAT)
    })
}

/// The SHA-256 of each file, by its path within the archive.
fn sums(files: &Files, root: &str, library: &mut Library) -> HashMap<String, String> {
    let sums = match files.text(&format!("{root}{SUMS}")) {
        Ok(sums) => sums,
        Err(warning) => {
            let message = format!("{}: nothing is verified", warning.message);
            library.report([Warning { message, ..warning }]);
            return HashMap::new();
        }
    };
    let line = |line: &str| line.split_once("  ").map(|(sum, path)| (path.to_owned(), sum.to_lowercase()));
    let is_odd = |text: &&str| !text.trim().is_empty() && line(text).is_none();
    if let odd @ 1.. = sums.lines().filter(is_odd).count() {
        let message = format!("{odd} lines are not sums of files and were left out");
        library.warn("lunette.checksum", files.location(&format!("{root}{SUMS}")), message);
    }
    sums.lines().filter_map(line).collect()
}

/// The fields of a record that are restored.
const RECORD: Fields = &[
    ("id", Shape::Text),
    ("name", Shape::Text),
    ("language", Shape::Text),
    ("tags", Shape::Scalars),
    ("favourite", Shape::Flag),
    ("created", Shape::Date),
    ("updated", Shape::Date),
    ("websites", Shape::Records(&[("url", Shape::Text), ("name", Shape::Text)])),
    ("annotations", Shape::Records(&[("type", Shape::Text), ("text", Shape::Text)])),
];

/// An archive that is being read.
struct Reading<'a> {
    files: &'a Files,
    root: &'a str,
    sums: HashMap<String, String>,
    bytes: u64,
}

impl Reading<'_> {
    fn read(mut self, library: &mut Library) {
        let files = self.files;
        let records = format!("{}records/", self.root);
        for path in files.paths().filter(|path| path.starts_with(&records) && extension(path) == "json") {
            match self.candidate(path) {
                Ok(candidate) => library.add(candidate, &files.location(path)),
                Err(warning) => library.report([warning]),
            }
        }
    }

    fn candidate(&mut self, path: &str) -> Result<Candidate, Warning> {
        let files = self.files;
        let location = files.location(path);
        let failed = |code, message: String| Warning::new(code, location.clone(), message);
        let written = files.text(path)?;
        let record = json::parse(&written).map_err(|error| error.at(&location))?;
        files.keys_of_json(&written, &location);
        let file = text(&record, "file");
        let content = format!("{}{file}", self.root);
        if file.is_empty() || !files.contains(&content) {
            return Err(failed("lunette.content", format!("its content {file:?} is not in the archive")));
        }
        let bytes = files.bytes(&content)?;
        let (archived, warning) = archived(&record, &location);
        let size = (bytes.len() + archived.len()) as u64;
        self.bytes += size;
        if self.bytes > files.limits().total_bytes {
            self.bytes -= size;
            let most = files.limits().total_bytes;
            let message = format!("the contents and their history are more than {most} bytes: it was left out");
            return Err(failed("limit.total", message));
        }
        let mut warnings: Vec<Warning> = warning.into_iter().chain(shape::unread(&record, RECORD, &location)).collect();
        for (path, bytes) in [(file, bytes.as_slice()), (&path[self.root.len()..], written.as_bytes())] {
            if self.sums.get(path).is_some_and(|sum| *sum != sha256::hex(bytes)) {
                let message = format!("{path} has changed since the archive was written");
                warnings.push(failed("lunette.checksum", message));
            }
        }
        Ok(candidate(&record, path, (bytes, archived), warnings))
    }
}

fn candidate(record: &Value, path: &str, (bytes, archived): (Vec<u8>, String), warnings: Vec<Warning>) -> Candidate {
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
            archived,
        }),
        ..Candidate::default()
    }
}

/// The data that only Lunette's own service can restore, as JSON; without what is too large, and a warning about that.
fn archived(record: &Value, location: &str) -> (String, Option<Warning>) {
    let parts = |of: &Value, fields: &[&str]| -> Value {
        let part = |field: &&str| Some(((*field).to_owned(), of.get(*field).filter(|part| !part.is_null())?.clone()));
        Value::Object(fields.iter().filter_map(part).collect())
    };
    let mut archived = parts(record, &["conversations", "activities"]);
    let restored = ["id", "mechanism", "score", "tags", "websites", "summaries", "persons", "hints", "anchors"];
    archived["record"] = parts(record.get("record").unwrap_or(&Value::Null), &restored);
    let whole = archived.to_string();
    if whole.len() <= LARGEST_HISTORY {
        return (whole, None);
    }
    archived["activities"] = Value::Null;
    let rest = archived.to_string();
    let (text, what) = match rest.len() <= LARGEST_HISTORY {
        true => (rest, "activities"),
        false => ("{}".to_owned(), "activities, conversations, score and other links"),
    };
    let message = format!("its {what} are too large to be imported with it");
    (text, Some(Warning::new("lunette.history", location, message)))
}
