//! The text of an item is read byte by byte, whatever white space it has, from each form of each source.

mod forms;

use forms::FORMS;
use lunette_sources::{Files, Limits, Source, read};

/// Texts that a reader may change: each with a name.
const TEXTS: &[(&str, &str)] = &[
    ("a hard break", "one  \ntwo"),
    ("a line of blanks", "one\n   \n\ntwo"),
    ("a last blank", "one\ntwo "),
    ("a last line of blanks", "one\n  "),
    ("last line breaks", "one\n\n"),
    ("a first line of blanks", "  \n\none"),
    ("indentation", "    one\n  two\n"),
    ("tabs", "\tone\t\n\t\ttwo\n\t"),
    ("carriage returns", "one\rtwo\r\rthree\r"),
    ("CRLF", "one\r\n\r\n  two  \r\nthree\r\n"),
    ("a byte order mark", "\u{feff}one\n\u{feff}two"),
    ("line separators", "one\u{2028}two\u{2029}three\u{85}four\u{a0}\n\u{3000}"),
    ("control characters", "one\u{b}two\u{c}\n\u{7f}"),
    ("quotes and escapes", "'''\n\"\"\" \\n \\ ${1:x} $A$ {clipboard} &amp; <b> ]]> %}\n~~~"),
    ("blanks alone", " \t\n "),
];

#[test]
fn each_source_has_a_form_here() {
    for source in Source::all() {
        assert!(FORMS.iter().any(|form| form.source == source), "{source}");
    }
}

#[test]
fn texts_are_read_byte_by_byte_from_each_source() {
    let mut wrong = Vec::new();
    for form in FORMS {
        for (what, text) in TEXTS {
            let entries = (form.files)(text);
            let entries: Vec<(&str, Vec<u8>)> =
                entries.iter().map(|(path, bytes)| (path.as_str(), bytes.clone())).collect();
            let library = read(&Files::of_memory(form.library, entries, Limits::default()), form.source);
            let found: Vec<String> = library
                .candidates
                .iter()
                .flat_map(|one| &one.fragments)
                .map(|fragment| String::from_utf8_lossy(&fragment.bytes).into_owned())
                .collect();
            let changed = form.cannot.iter().find(|(of, ..)| of == what);
            let expected = changed.map_or(*text, |(_, _, read)| read);
            if found != [expected] {
                wrong.push(format!(
                    "{} {}, {what}: {found:?}, not {expected:?}: {:?}",
                    form.source, form.name, library.warnings
                ));
            }
        }
        for (what, reason, _) in form.cannot {
            assert!(TEXTS.iter().any(|(known, _)| known == what) && !reason.is_empty(), "{what}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
