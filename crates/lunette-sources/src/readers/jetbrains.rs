//! Live templates of the JetBrains editors: `templates/GROUP.xml`. Variables such as `$VAR$` are kept.
//!
//! What must hold: line breaks in a template are preserved. They are written as `&#10;` in an attribute, which
//! attribute normalisation would turn into spaces.

use quick_xml::Reader as XmlReader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use crate::candidate::{Candidate, Fragment, Library};
use crate::files::{BYTE_ORDER_MARK, Files, extension, stem};
use crate::{Reader, Source, Warning};

/// How many comments and instructions may be before the root element of a document.
const MOST_BEFORE_ROOT: usize = 8;

/// Reads live templates.
pub(crate) struct JetBrains;

/// The folders of exported settings.
const SETTINGS: [&str; 16] = [
    "codestyles",
    "colors",
    "fileTemplates",
    "filetypes",
    "grazie",
    "inspection",
    "intentions",
    "jdbc-drivers",
    "keymaps",
    "options",
    "postfixTemplates",
    "projectTemplates",
    "quicklists",
    "shelf",
    "templates",
    "tools",
];

impl Reader for JetBrains {
    fn source(&self) -> Source {
        Source::JetBrains
    }

    fn detects(&self, files: &Files) -> bool {
        let is_set = |path: &str| {
            let start = files.start(path, 2048);
            let start = String::from_utf8_lossy(&start);
            let root = root(&start);
            root.starts_with("<templateSet")
                || is_template(root)
                || extension(path) == "xml" && start.contains("<templateSet")
        };
        let templates = |path: &str| path.split('/').any(|part| part == "templates") && extension(path) == "xml";
        // Exported settings have other files beside the folder of templates.
        let exported = files.is_archive() && files.content_paths().any(|path| templates(path) && is_set(path));
        exported || files.all(|path| files.may_be(path, &["xml"])) && files.content_paths().take(100).all(is_set)
    }

    fn foreign<'a>(&self, files: &'a Files) -> Vec<&'a str> {
        if files.all(|path| files.may_be(path, &["xml"])) {
            return Vec::new();
        }
        // Exported settings, which are the only other files that are detected.
        let own = |path: &str| match path.split_once('/') {
            Some((folder, _)) => SETTINGS.contains(&folder),
            None => extension(path).is_empty() || matches!(extension(path).as_str(), "xml" | "txt"),
        };
        files.visible_paths().filter(|path| !own(path)).collect()
    }

    fn read(&self, files: &Files, library: &mut Library) {
        for path in files.content_paths().filter(|path| files.may_be(path, &["xml"])) {
            match files.text(path) {
                Ok(text) if text.contains("<templateSet") || is_template(root(&text)) => {
                    if let Err(warning) = set(files, path, &text, library) {
                        library.report([warning]);
                    }
                }
                Ok(_) => files.set_read(path, false),
                Err(warning) => library.report([warning]),
            }
        }
    }
}

/// Returns a document from its root element on.
fn root(text: &str) -> &str {
    let mut rest = text.trim_start_matches(BYTE_ORDER_MARK).trim_start();
    for (begin, end) in [("<?", "?>"), ("<!--", "-->")].repeat(MOST_BEFORE_ROOT) {
        let behind = rest.strip_prefix(begin).and_then(|rest| rest.split_once(end));
        rest = behind.map_or(rest, |(_, rest)| rest.trim_start());
    }
    rest
}

/// Whether an element is a template without a set. Other programs have elements of its name.
fn is_template(root: &str) -> bool {
    let tag = root.split_once('>').map_or(root, |(tag, _)| tag);
    tag.starts_with("<template")
        && tag[9..].starts_with(char::is_whitespace)
        && [" name=", " value="].iter().all(|attribute| tag.replace(['\n', '\r', '\t'], " ").contains(attribute))
}

/// A template that is being read: its attributes, and the contexts it applies to.
#[derive(Default)]
struct Template {
    abbreviation: String,
    value: String,
    description: String,
    contexts: Vec<String>,
    /// The variables that have an expression or a default value, each as a line.
    variables: Vec<String>,
}

impl Template {
    /// Adds an element within the template.
    fn add(&mut self, tag: &BytesStart<'_>) {
        match tag.name().as_ref() {
            "option" if attribute(tag, "value").as_deref() == Some("true") => {
                self.contexts.extend(attribute(tag, "name"));
            }
            "variable" => self.variables.extend(variable(tag)),
            _ => {}
        }
    }
}

fn set(files: &Files, path: &str, text: &str, library: &mut Library) -> Result<(), Warning> {
    let mut reader = XmlReader::from_str(text);
    let mut lines = Lines { text, at: 0, line: 1 };
    let mut location = |at: u64| format!("{}:{}", files.location(path), lines.line(at));
    // A template without a set has no group.
    let mut group = text.contains("<templateSet").then(|| stem(path).to_owned());
    let mut open: Option<Template> = None;
    loop {
        let event = reader.read_event().map_err(|error| {
            Warning::new("xml.invalid", location(reader.error_position()), format!("is not valid XML: {error}"))
        })?;
        let at = reader.buffer_position();
        match event {
            Event::Start(tag) if tag.name().as_ref() == "template" => open = Some(template(&tag)),
            Event::Empty(tag) if tag.name().as_ref() == "template" => {
                add(group.as_deref(), template(&tag), &location(at), library);
            }
            Event::End(tag) if tag.name().as_ref() == "template" => {
                open.take().into_iter().for_each(|template| add(group.as_deref(), template, &location(at), library));
            }
            Event::Start(tag) if tag.name().as_ref() == "templateSet" => {
                if let Some(named) = attribute(&tag, "group") {
                    group = Some(library.shared_name(&named, &location(at)));
                }
            }
            Event::Start(tag) | Event::Empty(tag) => open.iter_mut().for_each(|template| template.add(&tag)),
            Event::Eof if open.is_some() => {
                return Err(Warning::new("xml.invalid", location(at), "ends within a template, which was left out"));
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// Counts lines from one position to the next.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// Returns the line of a position that is not before the last one.
    fn line(&mut self, at: u64) -> usize {
        let at = usize::try_from(at).map_or(self.text.len(), |at| at.min(self.text.len()));
        let passed = self.text.as_bytes().get(self.at..at).unwrap_or_default();
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.at = self.at.max(at);
        self.line
    }
}

/// Returns the value of an attribute with its original line breaks; of several with a name, the first one.
fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    // Without the check for duplicates, which compares each attribute with all before it.
    let found = tag.attributes().with_checks(false).flatten().find(|attribute| attribute.key.as_ref() == name)?;
    let raw: &str = &found.value;
    Some(unescape(raw).map_or_else(|_| raw.to_owned(), |text| text.into_owned()))
}

fn template(tag: &BytesStart<'_>) -> Template {
    let text = |name: &str| attribute(tag, name).unwrap_or_default();
    Template {
        abbreviation: text("name"),
        value: text("value"),
        description: text("description"),
        ..Template::default()
    }
}

/// Returns a variable as a line, if it has an expression or a default value.
fn variable(tag: &BytesStart<'_>) -> Option<String> {
    let part = |name: &str| attribute(tag, name).filter(|value| !value.is_empty());
    let expression = part("expression").map(|expression| format!(" = {expression}"));
    let default = part("defaultValue").map(|value| format!(", by default {value}"));
    let parts: String = expression.into_iter().chain(default).collect();
    (!parts.is_empty()).then(|| format!("${}${parts}", attribute(tag, "name").unwrap_or_default()))
}

/// The language of a context, by how its name begins.
const LANGUAGES: &[(&str, &str)] = &[
    ("JAVA_SCRIPT", "javascript"),
    ("JavaScript", "javascript"),
    ("TypeScript", "typescript"),
    ("TS_", "typescript"),
    ("JS_", "javascript"),
    ("JSX", "javascript"),
    ("JAVA", "java"),
    ("KOTLIN", "kotlin"),
    ("Python", "python"),
    ("PYTHON", "python"),
    ("HTML", "html"),
    ("XML", "xml"),
    ("XSL", "xml"),
    ("CSS", "css"),
    ("SHELL_SCRIPT", "sh"),
    ("SQL", "sql"),
    ("GO", "go"),
    ("RUST", "rust"),
    ("RUBY", "ruby"),
    ("PHP", "php"),
    ("GROOVY", "groovy"),
    ("SCALA", "scala"),
    ("JSON", "json"),
    ("CSHARP", "c#"),
    ("OC_", "c++"),
];

fn add(group: Option<&str>, template: Template, location: &str, library: &mut Library) {
    let Template { abbreviation, value, description, contexts, variables } = template;
    let variables = (!variables.is_empty()).then(|| format!("Variables:\n{}", variables.join("\n")));
    let description = [Some(description).filter(|text| !text.is_empty()), variables].into_iter().flatten();
    let language = contexts.iter().find_map(|context| {
        LANGUAGES.iter().find(|(start, _)| context.starts_with(start)).map(|(_, language)| *language)
    });
    let warnings = (contexts.len() > 1).then(|| {
        let message = format!("applies to {}, of which only the language of the first is kept", contexts.join(", "));
        Warning::new("jetbrains.contexts", location, message)
    });
    let candidate = Candidate {
        warnings: warnings.into_iter().collect(),
        source_id: format!("{}/{abbreviation}", group.unwrap_or_default()),
        name: abbreviation.clone(),
        fragments: vec![Fragment::of_text("", language, &value)],
        folder: group.map(str::to_owned).into_iter().collect(),
        description: Some(description.collect::<Vec<_>>().join("\n\n")),
        triggers: vec![abbreviation],
        ..Candidate::default()
    };
    library.add(candidate, location);
}
