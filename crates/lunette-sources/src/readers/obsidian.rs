//! Obsidian and other folders of Markdown with front matter: whole notes, or each fenced code block of them.

use std::rc::Rc;

use serde_json::Value;

use crate::candidate::{Candidate, Fragment, Library};
use crate::files::{BYTE_ORDER_MARK, Files, extension, folders, stem};
use crate::front_matter::{FrontMatter, PROPERTIES};
use crate::markdown::{self, Note, TOO_COMPLEX};
use crate::yaml::Document;
use crate::{Reader, Source, Warning, shape};

/// The extensions of the files that Obsidian opens (<https://help.obsidian.md/file-formats>).
const OPENED: [&str; 26] = [
    "md",
    "base",
    "canvas",
    "avif",
    "bmp",
    "gif",
    "jpeg",
    "jpg",
    "png",
    "svg",
    "webp",
    "flac",
    "m4a",
    "mp3",
    "ogg",
    "wav",
    "webm",
    "3gp",
    "mkv",
    "mov",
    "mp4",
    "ogv",
    "pdf",
    "markdown",
    "excalidraw",
    "opus",
];

/// Reads each note as one item.
pub(crate) struct Obsidian;

/// Reads each code block as one item.
pub(crate) struct ObsidianCode;

impl Reader for Obsidian {
    fn source(&self) -> Source {
        Source::Obsidian
    }

    fn detects(&self, files: &Files) -> bool {
        files.paths().any(|path| path.starts_with(".obsidian/")) && files.paths().any(is_note)
    }

    /// Everything that Obsidian opens belongs to a vault; source code, for example, does not.
    fn foreign<'a>(&self, files: &'a Files) -> Vec<&'a str> {
        files.visible_paths().filter(|path| !OPENED.contains(&extension(path).as_str())).collect()
    }

    fn roots(&self, files: &Files) -> Vec<String> {
        let mut roots: Vec<String> =
            files.paths().filter_map(|path| path.find(".obsidian/").map(|at| path[..at].to_owned())).collect();
        roots.retain(|root| root.is_empty() || root.ends_with('/'));
        roots.dedup();
        roots
    }

    fn read(&self, files: &Files, library: &mut Library) {
        each_note(files, library, |path, text, library| {
            let location = files.location(path);
            let (mut candidate, _) = of_note(files, path, text);
            candidate.fragments = vec![Fragment::of_text("", Some("markdown"), text)];
            library.add(candidate, &location);
        });
    }
}

impl Reader for ObsidianCode {
    fn source(&self) -> Source {
        Source::ObsidianCode
    }

    /// Never recognised automatically: a folder of notes is imported as whole notes.
    fn detects(&self, _files: &Files) -> bool {
        false
    }

    fn read(&self, files: &Files, library: &mut Library) {
        each_note(files, library, |path, text, library| {
            let (note, body) = of_note(files, path, text);
            let shared = note.size();
            // The heading of the last blocks, and what is left of it.
            let mut last: Option<(Rc<str>, String)> = None;
            let Ok(blocks) = markdown::blocks(body) else {
                let message = format!("{TOO_COMPLEX}: its code blocks were left out");
                return library.warn("markdown.complex", files.location(path), message);
            };
            for (number, block) in blocks.into_iter().enumerate() {
                // The note may be large and have many blocks, so it is not copied in vain.
                if !library.has_room(shared + block.code.len() as u64) {
                    library.leave_out();
                    continue;
                }
                let location = format!("{}:block {}", files.location(path), number + 1);
                let mut candidate = note.clone();
                candidate.source_id = format!("{path}#{}", number + 1);
                if !block.heading.is_empty() {
                    let known = last.take().filter(|(heading, _)| Rc::ptr_eq(heading, &block.heading));
                    let (_, name) = last.insert(known.unwrap_or_else(|| {
                        let name = library.shared_name(&block.heading, &location);
                        (Rc::clone(&block.heading), name)
                    }));
                    candidate.name = format!("{} / {name}", note.name);
                }
                if !block.closed {
                    let message = "the code block is not closed and goes to the end of the note, or of the list or quote that it is in";
                    candidate.warnings.push(Warning::new("markdown.fence", location.clone(), message));
                }
                candidate.fragments = vec![Fragment::of_text("", block.language.as_deref(), &block.code)];
                library.add(candidate, &location);
            }
        });
    }
}

/// Whether a file is a note: Markdown that is neither the program's own, nor deleted, nor a drawing.
fn is_note(path: &str) -> bool {
    let own = path.split('/').any(|part| matches!(part, ".obsidian" | ".trash"));
    !own && matches!(extension(path).as_str(), "md" | "markdown") && !path.ends_with(".excalidraw.md")
}

fn each_note(files: &Files, library: &mut Library, mut add: impl FnMut(&str, &str, &mut Library)) {
    for path in files.content_paths() {
        if is_note(path) || files.is_alone() {
            match files.stored_text(path) {
                Ok(text) => add(path, &text, library),
                Err(warning) => library.report([warning]),
            }
        }
    }
}

/// Returns the metadata of a note, and its text after the front matter.
fn of_note<'a>(files: &Files, path: &str, text: &'a str) -> (Candidate, &'a str) {
    let Note { properties, body } = markdown::note(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text));
    let mut warnings = Vec::new();
    let properties = match properties {
        Some(Ok(Document { value, repeated_keys, .. })) => {
            let location = files.location(path);
            warnings.extend(repeated_keys.iter().map(|key| Warning::of_repeated_key("yaml.twice", &location, key)));
            warnings.extend(shape::unread(&value, PROPERTIES, &location));
            value
        }
        Some(Err(error)) => {
            let location = format!("{}:{}", files.location(path), error.line);
            warnings.push(Warning::new(
                "yaml.invalid",
                location,
                format!("the front matter was not read: {}", error.message),
            ));
            Value::Null
        }
        None => Value::Null,
    };
    let in_text = markdown::hash_tags(body).unwrap_or_else(|_| {
        let message = format!("{TOO_COMPLEX}: the tags in its text were left out");
        warnings.push(Warning::new("markdown.complex", files.location(path), message));
        Vec::new()
    });
    let FrontMatter { title, tags, aliases, description, urls, created, updated } = FrontMatter::of(&properties);
    let candidate = Candidate {
        source_id: path.to_owned(),
        name: title.unwrap_or_else(|| stem(path).to_owned()),
        tags: [tags, in_text].concat(),
        folder: folders(path),
        description,
        urls,
        created,
        updated: updated.or_else(|| files.modified(path)),
        triggers: aliases,
        warnings,
        ..Candidate::default()
    };
    (candidate, body)
}
