//! How languages are typed: their comments, and the brackets and quotes that come in pairs.

use super::Syntax;

/// How a language is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Editing {
    /// What begins a comment that ends with the line.
    pub line_comment: Option<&'static str>,
    /// What begins and ends a comment.
    pub block_comment: Option<(&'static str, &'static str)>,
    /// The quotes that are closed when they are typed.
    pub quotes: &'static [char],
}

/// The brackets that are closed and matched, in every language.
pub const BRACKETS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];

const C_BLOCK: Option<(&str, &str)> = Some(("/*", "*/"));
const XML_BLOCK: Option<(&str, &str)> = Some(("<!--", "-->"));
const BOTH: &[char] = &['"', '\''];
const DOUBLE: &[char] = &['"'];
const WITH_BACKTICK: &[char] = &['"', '\'', '`'];
const BACKTICK: &[char] = &['`'];

/// Returns the editing of a language with these comments and quotes.
const fn of(
    line_comment: Option<&'static str>,
    block_comment: Option<(&'static str, &'static str)>,
    quotes: &'static [char],
) -> Editing {
    Editing { line_comment, block_comment, quotes }
}

/// The languages by the names of their grammars. An apostrophe is not closed where it has other uses: in Rust it begins
/// a lifetime, in Haskell and OCaml it is part of names.
const TABLE: &[(&[&str], Editing)] = &[
    (&["JavaScript", "TypeScript", "TypeScriptReact", "Dart", "Svelte"], of(Some("//"), C_BLOCK, WITH_BACKTICK)),
    (&["Go"], of(Some("//"), C_BLOCK, WITH_BACKTICK)),
    (&["Rust", "Scala", "Verilog", "SystemVerilog"], of(Some("//"), C_BLOCK, DOUBLE)),
    (
        &[
            "ActionScript",
            "C",
            "C#",
            "C++",
            "D",
            "GLSL",
            "Groovy",
            "Java",
            "JSON",
            "jsonnet",
            "Kotlin",
            "Less",
            "Objective-C",
            "Objective-C++",
            "Odin",
            "PHP",
            "PHP Source",
            "Protocol Buffer",
            "QML",
            "SCSS",
            "Solidity",
            "Stylus",
            "Swift",
            "WGSL",
            "Zig",
        ],
        of(Some("//"), C_BLOCK, BOTH),
    ),
    (&["CSS"], of(None, C_BLOCK, BOTH)),
    (&["Pascal"], of(Some("//"), Some(("{", "}")), &['\''])),
    (&["F#"], of(Some("//"), Some(("(*", "*)")), DOUBLE)),
    (&["OCaml", "SML"], of(None, Some(("(*", "*)")), DOUBLE)),
    (&["HTML", "XML", "Vue Component", "HTML (Twig)", "HTML (ASP)", "HTML (Rails)"], of(None, XML_BLOCK, BOTH)),
    (&["Markdown", "MultiMarkdown"], of(None, XML_BLOCK, BACKTICK)),
    (&["Bourne Again Shell (bash)", "Perl", "Ruby", "Crystal", "Fish"], of(Some("#"), None, WITH_BACKTICK)),
    (
        &[
            "AWK",
            "Apache Conf",
            "CMake",
            "Dockerfile",
            "DotENV",
            "Elixir",
            "GDScript (Godot Engine)",
            "GraphQL",
            "Java Properties",
            "JQ",
            "Makefile",
            "NSIS",
            "Nim",
            "Ninja",
            "Nix",
            "Puppet",
            "Python",
            "R",
            "Robot Framework",
            "TOML",
            "Tcl",
            "Terraform",
            "Vyper",
            "YAML",
            "nginx",
        ],
        of(Some("#"), None, BOTH),
    ),
    (&["CoffeeScript", "LiveScript"], of(Some("#"), Some(("###", "###")), BOTH)),
    (&["Julia"], of(Some("#"), Some(("#=", "=#")), DOUBLE)),
    (&["SQL"], of(Some("--"), C_BLOCK, BOTH)),
    (&["Ada", "VHDL", "AppleScript"], of(Some("--"), None, DOUBLE)),
    (&["Lua"], of(Some("--"), Some(("--[[", "]]")), BOTH)),
    (&["Haskell", "Elm", "Idris", "PureScript", "Lean 4"], of(Some("--"), Some(("{-", "-}")), DOUBLE)),
    (&["Clojure", "Lisp", "LLVM", "Racket", "x86_64 Assembly"], of(Some(";"), None, DOUBLE)),
    (&["INI"], of(Some(";"), None, BOTH)),
    (&["Erlang", "LaTeX", "MATLAB", "TeX"], of(Some("%"), None, DOUBLE)),
    (&["Fortran (Modern)"], of(Some("!"), None, BOTH)),
    (&["Batch File"], of(Some("rem "), None, DOUBLE)),
    (&["VimL"], of(Some("\""), None, &['\''])),
    (&["AsciiDoc (Asciidoctor)", "Typst"], of(Some("//"), None, BACKTICK)),
];

/// How text of no language is typed: quotes stand alone in prose.
const PLAIN: Editing = of(None, None, &[]);

impl Editing {
    /// Returns how a language is typed; plain text if it is not known.
    pub fn of(syntax: Option<Syntax>) -> Editing {
        let name = syntax.map_or("", Syntax::name);
        TABLE.iter().find(|(names, _)| names.contains(&name)).map_or(PLAIN, |(_, editing)| *editing)
    }

    /// Returns what closes a bracket or a quote of the language; `None` for other characters.
    pub fn closing(&self, open: char) -> Option<char> {
        let bracket = BRACKETS.iter().find(|(first, _)| *first == open).map(|(_, last)| *last);
        bracket.or_else(|| self.quotes.contains(&open).then_some(open))
    }
}

#[cfg(test)]
mod tests {
    use super::super::grammar::LIBRARY;
    use super::*;

    #[test]
    fn every_language_of_the_table_has_a_grammar_and_one_row() {
        let mut named: Vec<&str> = Vec::new();
        for name in TABLE.iter().flat_map(|(names, _)| names.iter()) {
            assert!((0..).map_while(|number| LIBRARY.entry(number)).any(|(known, _)| known == *name), "{name}");
            assert!(!named.contains(name), "{name} has two rows");
            named.push(name);
        }
    }

    #[test]
    fn quotes_are_closed_as_the_language_has_them() {
        let of = |token: &str| Editing::of(Syntax::find(token));
        assert_eq!(
            (of("js").closing('`'), of("rs").closing('\''), of("rs").closing('"')),
            (Some('`'), None, Some('"'))
        );
        assert_eq!((of("txt").closing('"'), of("txt").closing('[')), (None, Some(']')));
        assert_eq!((of("py").line_comment, of("css").block_comment), (Some("#"), Some(("/*", "*/"))));
    }
}
