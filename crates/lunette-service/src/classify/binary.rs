//! Bytes, by their magic numbers and names.

use lunette_client::model::language::language;

use super::{Classified, MAX_SAMPLE_BYTES, name, text_language};

/// Classifies bytes. Those that are text after all are classified as text.
pub(super) fn classify(name: Option<&str>, hint: Option<&'static str>, bytes: &[u8]) -> Classified {
    let head = &bytes[..bytes.len().min(MAX_SAMPLE_BYTES)];
    let named = hint.or_else(|| name.and_then(name::by_name));
    let named_binary = named.filter(|specific| language(specific).is_some_and(|language| !language.text));
    match infer::get(head).filter(|kind| !matches!(kind.matcher_type(), infer::MatcherType::Text)) {
        // A container of many formats, of which the name tells which.
        Some(kind) if matches!(kind.extension(), "zip" | "gz" | "ogg" | "doc" | "docx" | "exe" | "mp4") => {
            named_binary.map_or_else(|| by_magic(kind), Classified::of)
        }
        Some(kind) => by_magic(kind),
        None => match as_text(head) {
            Some(text) => text_language(name, hint, text),
            None => Classified::of(named_binary.unwrap_or("bin")),
        },
    }
}

fn by_magic(kind: infer::Type) -> Classified {
    use infer::MatcherType;
    let extension = match kind.extension() {
        "mov" => "qt",
        "m4v" => "mp4",
        "m4a" => "mp4a",
        "opus" => "oga",
        "otf" | "ttf" => "bin",
        other => other,
    };
    match language(extension).filter(|language| language.emitted) {
        Some(language) => Classified { generic: language.generic, specific: language.specific },
        // The list of languages has no word for these, the list of kinds has.
        None => match kind.matcher_type() {
            MatcherType::Image => Classified { generic: "IMAGE", specific: "UNKNOWN" },
            MatcherType::Video => Classified { generic: "VIDEO", specific: "UNKNOWN" },
            _ => Classified::of("bin"),
        },
    }
}

/// The bytes as text, when they are UTF-8 (but for a character cut at the end) without controls that text never has.
fn as_text(head: &[u8]) -> Option<&str> {
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&head[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    let control = |byte: u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b);
    (!valid.is_empty() && !valid.bytes().any(control)).then_some(valid)
}
