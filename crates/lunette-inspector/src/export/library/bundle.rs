//! Formats of other programs that are one JSON document: snippets of VS Code, and the export of SnippetsLab.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use lunette_client::model::language::language;
use serde_json::{Value, json};
use uuid::Uuid;

use super::format::Format;
use super::item::ExportItem;
use super::target::{Spool, Target};
use super::writer::{Added, Ending, LibraryWriter, NO_TEXT};
use crate::files::file_names::FileNames;

/// Writes `.code-snippets`: an object of snippets by name.
pub(super) struct VsCode {
    names: FileNames,
    spool: Spool,
    begun: bool,
}

impl VsCode {
    pub fn new(target: &Target) -> io::Result<Self> {
        Ok(Self { names: FileNames::exact(), spool: target.spool()?, begun: false })
    }
}

/// Names of languages in VS Code that differ from the interface.
const SCOPES: &[(&str, &str)] = &[
    ("rs", "rust"),
    ("py", "python"),
    ("js", "javascript"),
    ("ts", "typescript"),
    ("jsx", "javascriptreact"),
    ("tsx", "typescriptreact"),
    ("sh", "shellscript"),
    ("md", "markdown"),
    ("cs", "csharp"),
    ("rb", "ruby"),
    ("kt", "kotlin"),
    ("m", "objective-c"),
    ("pl", "perl"),
    ("ps1", "powershell"),
    ("tex", "latex"),
    ("hs", "haskell"),
    ("yml", "yaml"),
];

/// Returns the name of a language in VS Code, mostly that of the interface.
pub(super) fn scope(specific: &str) -> Option<String> {
    if matches!(specific, "" | "txt" | "text" | "hljs-plaintext") {
        return None;
    }
    let other = SCOPES.iter().find(|(name, _)| *name == specific).map(|(_, scope)| (*scope).to_owned());
    other.or_else(|| Some(specific.to_owned()))
}

impl LibraryWriter for VsCode {
    fn add(&mut self, item: &ExportItem, _: &mut Target) -> io::Result<Added> {
        let Some(text) = item.text() else { return Ok(NO_TEXT) };
        let name = self.names.free(&item.title());
        // A dollar sign would begin a placeholder.
        let body = text.replace('\\', "\\\\").replace('$', "\\$");
        let lines: Vec<&str> = body.split('\n').collect();
        let mut snippet = json!({ "prefix": item.title(), "body": lines });
        if let Some(scope) = scope(&item.specific()) {
            snippet["scope"] = scope.into();
        }
        if let Some(text) = item.description() {
            snippet["description"] = text.into();
        }
        self.spool.write_all(if self.begun { b",\n" } else { b"{\n" })?;
        self.begun = true;
        write!(self.spool, "  {}: {snippet}", Value::from(name))?;
        Ok(Added::Written(None))
    }

    fn end(mut self: Box<Self>, _: &Ending<'_>, target: &mut Target) -> io::Result<()> {
        self.spool.write_all(if self.begun { b"\n}\n" } else { b"{}\n" })?;
        target.add(Format::VsCode.file().unwrap_or_default(), self.spool.rewound()?)
    }
}

/// The Pygments lexers whose names differ from their languages.
const LEXERS: &[(&str, &str)] = &[
    ("js", "JavascriptLexer"),
    ("ts", "TypeScriptLexer"),
    ("cpp", "CppLexer"),
    ("cs", "CSharpLexer"),
    ("sh", "BashLexer"),
    ("m", "ObjectiveCLexer"),
    ("html", "HtmlLexer"),
    ("css", "CssLexer"),
    ("sql", "SqlLexer"),
    ("json", "JsonLexer"),
    ("yaml", "YamlLexer"),
    ("xml", "XmlLexer"),
];

/// Returns the lexer that SnippetsLab uses for a language.
fn lexer(specific: &str) -> String {
    let special = LEXERS.iter().find(|(name, _)| *name == specific).map(|(_, lexer)| (*lexer).to_owned());
    special.unwrap_or_else(|| {
        let name = language(specific).map(|language| language.name).filter(|name| !name.contains(' '));
        format!("{}Lexer", name.unwrap_or("Text"))
    })
}

/// The start of an export of SnippetsLab 2.6. Both versions are strings.
const SNIPPETS_LAB: &str =
    "{\"schema\": \"2.6\", \"app\": \"2.6.4\", \"contents\": {\"folders\": [], \"smartGroups\": [], \"snippets\": [\n";

/// Writes the JSON of SnippetsLab, in the form since version 2.1.
pub(super) struct SnippetsLab {
    spool: Spool,
    begun: bool,
    /// The ids of tags by their texts.
    tags: BTreeMap<String, String>,
}

impl SnippetsLab {
    pub fn new(target: &Target) -> io::Result<Self> {
        Ok(Self { spool: target.spool()?, begun: false, tags: BTreeMap::new() })
    }
}

impl LibraryWriter for SnippetsLab {
    fn add(&mut self, item: &ExportItem, _: &mut Target) -> io::Result<Added> {
        let Some(text) = item.text() else { return Ok(NO_TEXT) };
        let new = || Uuid::new_v4().to_string().to_uppercase();
        let tags: Vec<String> =
            item.tags().iter().map(|tag| self.tags.entry((*tag).to_owned()).or_insert_with(new).clone()).collect();
        let lexer = lexer(&item.specific());
        let snippet = json!({
            "uuid": item.id().to_uppercase(),
            "title": item.title(),
            "tags": tags,
            "dateCreated": item.created(),
            "dateModified": item.updated(),
            "fragments": [{
                "uuid": new(), "title": "", "content": text, "language": lexer,
                "note": item.description().unwrap_or_default(),
                "dateCreated": item.created(),
                "dateModified": item.updated(),
            }],
        });
        self.spool.write_all(if self.begun { b",\n" } else { SNIPPETS_LAB.as_bytes() })?;
        self.begun = true;
        write!(self.spool, "{snippet}")?;
        Ok(Added::Written(None))
    }

    fn end(mut self: Box<Self>, _: &Ending<'_>, target: &mut Target) -> io::Result<()> {
        if !self.begun {
            self.spool.write_all(SNIPPETS_LAB.as_bytes())?;
        }
        let tags: Value = self.tags.iter().map(|(title, id)| json!({ "uuid": id, "title": title })).collect();
        writeln!(self.spool, "\n], \"tags\": {tags}}}}}")?;
        target.add(Format::SnippetsLab.file().unwrap_or_default(), self.spool.rewound()?)
    }
}
