//! Names for files that are safe on every platform.
//!
//! What must hold of [`suggested_name`]: the name is one path component on Linux, macOS, Windows and FAT; it never
//! starts with a dot or a dash, never ends with a dot or space, is not a device name of Windows, holds no control or bidi
//! character, and is at most 120 bytes long, whatever the asset is called.
//! Rules of Windows: <https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file>.

use icu_normalizer::DecomposingNormalizerBorrowed;

use crate::model::display::is_hidden;

/// The longest name that is suggested, in bytes; leaves room for a `(2)` or a suffix of the platform.
const MAX_BYTES: usize = 120;

/// Device names of Windows, which are taken with any extension.
const DEVICES: [&str; 8] = ["con", "prn", "aux", "nul", "clock$", "conin$", "conout$", "config$"];

/// Marks a character that is left out, and becomes an underscore. No name that is allowed contains it.
const LEFT_OUT: char = '\0';

/// A safe file name made from an asset's name, with the extension given (without dot; empty for none).
///
/// An extension that the name already has is not repeated. If nothing of the name is left, the id is used.
pub fn suggested_name(name: &str, id: &str, extension: &str) -> String {
    let extension = extension_of(extension);
    let stem = [name, id].into_iter().map(|text| stem(text, &extension)).find(|stem| !stem.is_empty());
    let stem = stem.unwrap_or_else(|| "export".to_owned());
    if extension.is_empty() { stem } else { format!("{stem}.{extension}") }
}

fn extension_of(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).take(12).collect()
}

fn stem(text: &str, extension: &str) -> String {
    let safe: String = text.chars().map(|c| if allowed(c) { c } else { LEFT_OUT }).collect();
    let mut stem = trimmed(&safe);
    if !extension.is_empty()
        && let Some((front, back)) = stem.rsplit_once('.')
        && back.eq_ignore_ascii_case(extension)
    {
        stem = trimmed(front);
    }
    let room = MAX_BYTES - extension.len() - 1;
    let mut end = stem.len().min(room);
    while !stem.is_char_boundary(end) {
        end -= 1;
    }
    // Cutting may have brought a dot or space to the end.
    let stem = trimmed(&stem[..end]).replace(LEFT_OUT, "_");
    if is_device(&stem) { format!("_{stem}") } else { stem }
}

fn allowed(c: char) -> bool {
    !matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|') && !is_hidden(c)
}

/// Without what must not stand at the ends: dots, spaces, and characters left out. Underscores of the name stay, as in
/// `__init__.py`.
fn trimmed(text: &str) -> &str {
    let outer = |c: char| c == '.' || c == LEFT_OUT || c == '~' || c.is_whitespace();
    // A dash at the beginning makes an option of a name: `rm *`.
    text.trim_start_matches(|c| c == '-' || outer(c)).trim_end_matches(outer)
}

/// A text that is equal for two names which some file system takes for one: whatever the case of their letters, and
/// whether a letter with an accent is one character or two.
pub fn name_key(name: &str) -> String {
    let normal = DecomposingNormalizerBorrowed::new_nfd();
    // Upper case first: some letters have one capital and two small ones.
    normal.normalize(&normal.normalize(name).to_uppercase().to_lowercase()).into_owned()
}

fn is_device(stem: &str) -> bool {
    let base = stem.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let numbered = ["com", "lpt"].into_iter().any(|port| {
        // Superscript digits count as digits there.
        base.strip_prefix(port).is_some_and(|rest| rest.chars().count() == 1 && !rest.starts_with(char::is_alphabetic))
    });
    numbered || DEVICES.contains(&base.as_str())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ID: &str = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

    #[test]
    fn an_ordinary_name_is_unchanged() {
        assert_eq!(suggested_name("Reading list", ID, "html"), "Reading list.html");
        assert_eq!(suggested_name("main.rs", ID, "rs"), "main.rs");
        assert_eq!(suggested_name("MAIN.RS", ID, "rs"), "MAIN.rs");
        assert_eq!(suggested_name("日本語 – ü 😀", ID, "md"), "日本語 – ü 😀.md");
        assert_eq!(suggested_name("Makefile", ID, ""), "Makefile");
        assert_eq!(suggested_name("__init__.py", ID, "py"), "__init__.py");
    }

    #[test]
    fn no_name_leaves_its_folder() {
        assert_eq!(suggested_name("../../etc/passwd", ID, "txt"), "etc_passwd.txt");
        assert_eq!(suggested_name("C:\\Windows\\x", ID, "txt"), "C__Windows_x.txt");
        assert_eq!(suggested_name(".ssh", ID, ""), "ssh");
        assert_eq!(suggested_name("a\0b", ID, "json"), "a_b.json");
    }

    #[test]
    fn no_name_begins_with_a_dash() {
        assert_eq!(suggested_name("-rf", ID, "txt"), "rf.txt");
        assert_eq!(suggested_name(".-/--x -y-", ID, "txt"), "x -y-.txt");
    }

    #[test]
    fn names_equal_on_a_case_insensitive_file_system_have_one_key() {
        for (one, other) in [("É.md", "e\u{301}.MD"), ("Straße", "STRASSE"), ("ſ", "S"), ("ΟΔΟΣ", "οδος")] {
            assert_eq!(name_key(one), name_key(other), "{one} {other}");
        }
        assert_ne!(name_key("e.md"), name_key("é.md"));
    }

    #[test]
    fn an_empty_name_becomes_the_id() {
        for name in ["", "--", ".", "..", "   ", "///", "\u{202e}", "..."] {
            assert_eq!(suggested_name(name, ID, "html"), format!("{ID}.html"), "{name:?}");
        }
        assert_eq!(suggested_name("", "..", ""), "export");
    }

    #[test]
    fn device_names_are_not_file_names() {
        assert_eq!(suggested_name("CON", ID, "txt"), "_CON.txt");
        assert_eq!(suggested_name("nul.tar", ID, "gz"), "_nul.tar.gz");
        assert_eq!(suggested_name("com1", ID, "txt"), "_com1.txt");
        assert_eq!(suggested_name("lpt³", ID, "txt"), "_lpt³.txt");
        assert_eq!(suggested_name("common", ID, "txt"), "common.txt");
    }

    #[test]
    fn a_long_name_is_cut_between_characters() {
        let name = suggested_name(&"é😀".repeat(5_000), ID, "html");
        assert!(name.len() <= MAX_BYTES && name.ends_with(".html"), "{name}");
        assert_eq!(suggested_name(&("a".repeat(114) + " . b"), ID, "html"), format!("{}.html", "a".repeat(114)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn any_name_gives_one_safe_component(name in "\\PC*|[./\\\\ \u{0}-\u{1f}a-c:*\u{202a}-\u{202e}]{0,200}", extension in "[a-z./]{0,5}") {
            let safe = suggested_name(&name, ID, &extension);
            prop_assert!(!safe.is_empty() && safe.len() <= MAX_BYTES);
            prop_assert!(!safe.starts_with(['.', ' ', '-']) && !safe.ends_with(['.', ' ']));
            prop_assert!(!safe.chars().any(|c| c.is_control() || "/\\:*?\"<>|".contains(c) || is_hidden(c)));
            prop_assert_eq!(std::path::Path::new(&safe).components().count(), 1);
        }
    }
}
