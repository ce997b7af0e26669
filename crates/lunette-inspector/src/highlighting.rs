//! The classes of code that have colours of their own, for the window and for pictures of code.

use std::sync::OnceLock;

use lunette_client::model::language::language;
use lunette_syntax::{Classes, Syntax};

/// The class of a run of code, as far as its colour is concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TokenClass {
    /// Anything else.
    #[default]
    Plain,
    /// A keyword.
    Keyword,
    /// The name of a function, type or key.
    Function,
    /// A string, number or other literal.
    Literal,
    /// A comment.
    Comment,
}

/// Returns the token class of each scope.
pub fn classes() -> &'static Classes<TokenClass> {
    static CLASSES: OnceLock<Classes<TokenClass>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        Classes::new(&[
            ("comment", TokenClass::Comment),
            ("punctuation.definition.comment", TokenClass::Comment),
            ("string", TokenClass::Literal),
            ("constant", TokenClass::Literal),
            ("markup.raw", TokenClass::Literal),
            ("markup.inserted", TokenClass::Literal),
            ("markup.deleted", TokenClass::Keyword),
            ("markup.heading", TokenClass::Keyword),
            ("markup.underline.link", TokenClass::Function),
            ("keyword.operator", TokenClass::Plain),
            ("keyword", TokenClass::Keyword),
            ("storage", TokenClass::Keyword),
            ("variable.language", TokenClass::Keyword),
            ("entity.name", TokenClass::Function),
            ("entity.other.attribute-name", TokenClass::Function),
            ("entity.other.inherited-class", TokenClass::Function),
            ("support.type.property-name", TokenClass::Function),
            ("support", TokenClass::Function),
            ("variable.function", TokenClass::Function),
            ("meta.interpolation", TokenClass::Plain),
        ])
    })
}

/// Returns the grammar of a language: from the list of languages, otherwise by file extension.
pub fn syntax(specific: &str) -> Option<Syntax> {
    let token = match language(specific) {
        Some(language) => language.syntax?,
        None => specific.strip_prefix("hljs-").unwrap_or(specific),
    };
    Syntax::find(token)
}
