//! Prose: running text, which shares its words with many languages and is none of them.
//!
//! What must hold: a text is called prose only when it reads like sentences; comments around code do not make it prose.

/// Names, without extension, of files that people write for people. Programs have none of them.
const DOCUMENTS: &[&str] = &[
    "acknowledgements",
    "authors",
    "changelog",
    "contributing",
    "contributors",
    "copying",
    "copyright",
    "credits",
    "faq",
    "hacking",
    "licence",
    "license",
    "maintainers",
    "notice",
    "readme",
    "thanks",
    "todo",
];

/// Frequent English words that are not keywords of programming languages.
const FUNCTION_WORDS: &[&str] = &[
    "a", "an", "are", "be", "been", "but", "by", "can", "has", "have", "it", "its", "may", "must", "of", "on",
    "should", "such", "that", "the", "their", "there", "these", "they", "this", "to", "under", "was", "we", "were",
    "which", "will", "you", "your",
];

/// Fewer words than this say nothing about a text.
const MIN_SCORE: usize = 12;

/// Whether a file of this name is written for people: `README`, `README.Debian`, `docs/COPYING`.
pub(super) fn is_document(name: &str) -> bool {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name).to_lowercase();
    let stem = file.split(['.', '-', '_']).next().unwrap_or(&file);
    DOCUMENTS.contains(&stem)
}

/// Whether a text reads like sentences: at least one word in eight is a function word of English, outside of lines that
/// are comments of code, and few lines end as statements do.
pub(super) fn is_prose(text: &str) -> bool {
    let (mut words, mut function_words, mut lines, mut statements) = (0, 0, 0, 0);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_comment(line)) {
        lines += 1;
        statements += usize::from(is_code(line));
        for word in line.split_whitespace() {
            words += 1;
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            function_words += usize::from(is_function_word(bare));
        }
    }
    // What Python says when it fails shows lines of the program.
    text.starts_with("Traceback (most recent call last)")
        || words >= MIN_SCORE && function_words * 8 >= words && statements * 5 <= lines
}

/// Whether a line ends or begins as code does and prose does not.
pub(super) fn is_code(line: &str) -> bool {
    let line = line.trim();
    line.ends_with([';', '{', '}', ')', ':', '>'])
        || line.starts_with(['#', '$', '@', '\\'])
        || line.contains(" = ")
        || line.contains("()")
        || matches!(line, "end" | "fi" | "done")
}

/// Whether a word is frequent in English and no keyword.
pub(super) fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether a line begins as comments of common languages do.
pub(super) fn is_comment(line: &str) -> bool {
    ["//", "#", "/*", "*/", "* ", "--", ";;", "%", "\"\"\"", "<!--", "'", "REM "]
        .iter()
        .any(|mark| line.starts_with(mark))
        || line == "*"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_names_are_recognised_in_any_case_and_with_any_extension() {
        for name in ["README", "readme.Debian", "docs/COPYING", "LICENSE-MIT", "copyright", "c:\\x\\AUTHORS.old"] {
            assert!(is_document(name), "{name}");
        }
        for name in ["main", "readable", "install", "history", "release.sh"] {
            assert!(!is_document(name), "{name}");
        }
    }

    #[test]
    fn sentences_are_prose_and_commented_code_is_not() {
        let prose = "This package was put together by the maintainers of the archive.\nIf you want to use it, select one \
                     from the list and then do what the next section says; it must be done with care.";
        assert!(is_prose(prose));
        let code = "# This file is part of the program that you can use under the terms of the license.\n\
                    def period(axis):\n    # The square of the period is the cube of the axis.\n    return axis ** 1.5\n";
        assert!(!is_prose(code));
        assert!(!is_prose("the of to"), "too little to tell");
    }
}
