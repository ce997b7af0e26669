//! The language of an asset as an argument: by its name or its extension.

use anyhow::anyhow;

use lunette_client::model::language::{LANGUAGES, Language};

use crate::cli::Failure;

/// Returns the language that a text names, such as `rust`, `Rust` or `rs`. Fails with similar ones.
pub(in crate::cli) fn named(text: &str) -> Result<&'static Language, Failure> {
    let wanted = text.trim().trim_start_matches('.').to_lowercase();
    let known = |language: &&&Language| language.specific == wanted || language.name.to_lowercase() == wanted;
    let all: Vec<&'static Language> = LANGUAGES.iter().collect();
    if let Some(language) = all.iter().find(known) {
        return Ok(language);
    }
    let near = all.iter().filter(|language| {
        let name = language.name.to_lowercase();
        wanted.len() >= 2 && name.contains(&wanted) || strsim::damerau_levenshtein(&name, &wanted) <= 2
    });
    let near: Vec<_> = near.take(3).map(|language| format!("{} ({})", language.name, language.specific)).collect();
    Err(Failure::usage(match near.as_slice() {
        [] => anyhow!("there is no language {text:?}; use a name such as Rust, or an extension such as rs"),
        near => anyhow!("there is no language {text:?}; did you mean {}?", near.join(" or ")),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_named_by_its_name_or_extension() {
        for text in ["rs", "Rust", "rust", " .rs"] {
            assert_eq!(named(text).map(|language| language.specific).ok(), Some("rs"), "{text}");
        }
        let near = named("pyton").expect_err("unknown").to_string();
        assert!(near.contains("did you mean Python (py)"), "{near}");
        assert!(named("qqqqqqqq").expect_err("unknown").to_string().contains("an extension such as rs"));
    }
}
