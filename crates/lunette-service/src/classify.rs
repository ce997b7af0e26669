//! Detects what an asset contains: its language and its kind.
//!
//! Evidence in this order, the first that decides wins: the client's hint, the whole file name, the extension, a
//! shebang, the structure of the text (JSON, XML, YAML…), the form of its statements unless the text is prose; otherwise
//! plain text or plain bytes. Bytes are known by their magic numbers (the crate `infer`) before their names.
//!
//! What must hold: at most [`MAX_SAMPLE_BYTES`] bytes are read however long the content is, no content panics, and no
//! value is returned that clients of version 2.7.0 reject (records, 0, surprise 2).
//!
//! Our choice: the interface says that the service classifies, not how.

use lunette_client::model::language::language;

mod binary;
mod command;
mod data;
mod form;
mod markdown;
mod name;
mod prose;
mod sql;
mod statements;
mod structure;

#[cfg(test)]
mod tests;

/// How much of a content is sampled, in bytes.
pub const MAX_SAMPLE_BYTES: usize = 8 * 1024;

/// The content of an asset, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// Text, of a fragment.
    Text(&'a str),
    /// Bytes, of a file.
    Bytes(&'a [u8]),
}

/// What a content is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classified {
    /// The kind of thing, as `CODE`.
    pub generic: &'static str,
    /// The language, as `rs`.
    pub specific: &'static str,
}

/// Classifies a content by its name, by what the client says of it (`ext`), and by itself.
///
/// Always gives a value of the list of languages that every client knows; `txt` and `bin` when nothing is known.
pub fn classify(name: Option<&str>, hint: Option<&str>, content: Content<'_>) -> Classified {
    let hint = hint.and_then(name::by_hint);
    match content {
        Content::Text(text) => text_language(name, hint, text),
        Content::Bytes(bytes) => binary::classify(name, hint, bytes),
    }
}

/// The language of a text. A hint or name that speaks of something other than text is not believed.
fn text_language(name: Option<&str>, hint: Option<&'static str>, text: &str) -> Classified {
    let is_text = |specific: &&'static str| language(specific).is_some_and(|language| language.text);
    // A hint of plain text adds nothing: the name may be more specific.
    let (plain, telling): (Option<_>, Option<_>) = match hint.filter(is_text) {
        Some(hint @ ("txt" | "text" | "hljs-plaintext")) => (Some(hint), None),
        telling => (None, telling),
    };
    let head = sample(text);
    let known = telling
        .or_else(|| name.and_then(name::by_name).filter(is_text))
        .or_else(|| name::by_shebang(head))
        .or(plain)
        .or_else(|| by_content(name, head, head.len() < text.len()));
    Classified::of(known.unwrap_or("txt"))
}

/// The language by the text itself. What reads like sentences, or is called as documents are, has no language unless its
/// markup is plain to see: words of prose are words of Ruby, SQL and shells, too. Headings and lists are comments of
/// scripts as well, so Markdown without links and fences comes last.
fn by_content(name: Option<&str>, head: &str, cut: bool) -> Option<&'static str> {
    let markup = structure::by_markup(head, cut);
    if name.is_some_and(prose::is_document) {
        // Lists and emphasis are common in plain text, too.
        let markdown = markdown::is_likely(head).then_some("md");
        return markup.or(markdown).filter(|markup| *markup != "md" || markdown::is_document(head));
    }
    if markup.is_some() {
        return markup;
    }
    let code =
        if prose::is_prose(head) { None } else { data::by_data(head).or_else(|| statements::by_statements(head)) };
    code.or_else(|| markdown::is_likely(head).then_some("md"))
}

/// The beginning of a text, cut between characters; without a byte order mark.
pub(crate) fn sample(text: &str) -> &str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut end = text.len().min(MAX_SAMPLE_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

impl Classified {
    /// The language with its own kind; unknown when it may not be given out.
    fn of(specific: &str) -> Self {
        match language(specific).filter(|language| language.emitted) {
            Some(language) => Self { generic: language.generic, specific: language.specific },
            None => Self { generic: "UNKNOWN", specific: "UNKNOWN" },
        }
    }
}
