//! The model against a plain text.

use lunette_inspector::highlighting::{TokenClass, syntax};
use lunette_syntax::{Budget, Highlighter};
use proptest::prelude::*;

use super::buffer::Buffer;
use super::document::{Document, Selection};
use super::highlighting::Highlighting;
use super::rows::{RowAt, Rows};
use super::words;

fn document(text: &str, language: &str) -> Document {
    Document::new(text.to_owned(), syntax(language))
}

/// Returns a document with the caret where `|` is.
fn at(marked: &str, language: &str) -> Document {
    let caret = marked.find('|').expect("a caret");
    let mut document = document(&marked.replacen('|', "", 1), language);
    document.select(Selection::caret(caret));
    document
}

/// Returns the text with `|` at the caret.
fn marked(document: &Document) -> String {
    let mut text = document.text().to_owned();
    text.insert(document.selection().head, '|');
    text
}

#[track_caller]
fn typed(marked_text: &str, language: &str, keys: &str) -> String {
    let mut document = at(marked_text, language);
    for key in keys.chars() {
        match key {
            '\n' => document.new_line(),
            '\t' => document.tab(),
            '\u{8}' => document.backspace(),
            key => document.type_text(key.encode_utf8(&mut [0; 4])),
        }
    }
    marked(&document)
}

#[test]
fn a_new_line_keeps_the_indentation_and_adds_a_level_in_brackets() {
    assert_eq!(typed("fn a() {|}", "rs", "\n"), "fn a() {\n\t|\n}");
    assert_eq!(typed("  a {\n    b|", "rs", "\n"), "  a {\n    b\n    |");
    assert_eq!(typed("  x = [|", "py", "\n"), "  x = [\n    |");
    assert_eq!(typed("\tif a {\n\t\t|", "rs", "}"), "\tif a {\n\t}|");
    assert_eq!(typed("a|b", "txt", "\n"), "a\n|b");
}

#[test]
fn brackets_and_quotes_are_closed_and_typed_over() {
    assert_eq!(typed("|", "rs", "f("), "f(|)");
    assert_eq!(typed("|", "rs", "f(a)"), "f(a)|");
    assert_eq!(typed("|", "rs", "f(g[0])"), "f(g[0])|");
    assert_eq!(typed("|", "js", "a = 'b'"), "a = 'b'|");
    assert_eq!(typed("|", "rs", "'a"), "'a|");
    assert_eq!(typed("|", "txt", "don't \"so\""), "don't \"so\"|");
    assert_eq!(typed("|", "py", "'''"), "'''|");
    assert_eq!(typed("|word", "rs", "("), "(|word");
    assert_eq!(typed("f(|)", "rs", ")"), "f()|)", "a bracket that was there is not typed over");
    assert_eq!(typed("|", "rs", "(\u{8}"), "|");
}

#[test]
fn a_bracket_surrounds_what_is_selected() {
    let mut document = document("one two", "rs");
    document.select(Selection { anchor: 4, head: 7 });
    document.type_text("(");
    assert_eq!((document.text(), document.selected()), ("one (two)", "two"));
    document.undo();
    assert_eq!((document.text(), document.selected()), ("one two", "two"));
}

#[test]
fn tab_indents_as_the_text_does_and_shifts_several_lines() {
    assert_eq!(typed("|", "rs", "\t"), "\t|");
    assert_eq!(typed("  a\n    b\n|", "rs", "\t"), "  a\n    b\n  |");
    let mut lines = document("a\n\n  b\nc", "rs");
    lines.select(Selection { anchor: 0, head: 6 });
    lines.tab();
    assert_eq!(lines.text(), "  a\n\n    b\nc");
    lines.shift_lines(false);
    lines.shift_lines(false);
    assert_eq!(lines.text(), "a\n\nb\nc");
    lines.undo();
    assert_eq!(lines.text(), "a\n\n  b\nc");
}

#[test]
fn comments_are_toggled_as_the_language_has_them() {
    let toggled = |text: &str, language: &str| {
        let mut document = document(text, language);
        document.select_all();
        let has = document.toggle_comment();
        let once = document.text().to_owned();
        document.toggle_comment();
        assert_eq!(document.text(), text);
        has.then_some(once)
    };
    assert_eq!(toggled("  a\n\n    b", "rs").as_deref(), Some("  // a\n\n  //   b"));
    assert_eq!(toggled("a\nb", "py").as_deref(), Some("# a\n# b"));
    assert_eq!(toggled("a { }", "css").as_deref(), Some("/* a { } */"));
    assert_eq!(toggled("  <p>a</p>", "html").as_deref(), Some("  <!-- <p>a</p> -->"));
    assert_eq!(toggled("a", "txt"), None);
}

#[test]
fn lines_are_moved_and_duplicated() {
    let mut lines = at("a\nb|b\nc", "txt");
    lines.move_lines(true);
    assert_eq!(marked(&lines), "a\nc\nb|b");
    lines.move_lines(true);
    assert_eq!(marked(&lines), "a\nc\nb|b");
    lines.move_lines(false);
    lines.move_lines(false);
    assert_eq!(marked(&lines), "b|b\na\nc");
    lines.duplicate_lines(true);
    assert_eq!(marked(&lines), "bb\nb|b\na\nc");
    lines.duplicate_lines(false);
    assert_eq!(marked(&lines), "bb\nb|b\nbb\na\nc");
}

#[test]
fn brackets_match_over_lines_and_each_other_only() {
    let mut text = document("a(b[c]\n)(", "txt");
    let mut matching = |at: usize| {
        text.select(Selection::caret(at));
        text.matching_brackets()
    };
    assert_eq!((matching(1), matching(7), matching(8)), (Some((1, 7)), Some((7, 1)), Some((7, 1))));
    assert_eq!((matching(3), matching(9), matching(0)), (Some((3, 5)), None, None));
}

#[test]
fn undo_takes_back_a_word_and_a_pause_begins_another_step() {
    let mut text = document("", "txt");
    let typed = |text: &mut Document, words: &str, time: f64| {
        text.set_time(time);
        words.chars().for_each(|c| text.type_text(c.encode_utf8(&mut [0; 4])));
    };
    typed(&mut text, "one two", 1.0);
    typed(&mut text, "more", 9.0);
    let mut seen = Vec::new();
    while text.undo() {
        seen.push(text.text().to_owned());
    }
    assert_eq!(seen, ["one two", "one ", ""]);
    while text.redo() {}
    assert_eq!(text.text(), "one twomore");
    text.undo();
    typed(&mut text, "x", 10.0);
    assert!(!text.redo(), "what was undone is gone");
    assert_eq!(text.text(), "one twox");
}

#[test]
fn replacing_all_is_one_step() {
    let mut text = at("a b a| c a", "txt");
    let all = [0..1, 4..5, 8..9].map(|range| (range, "long".to_owned()));
    text.replace_all(all.into());
    assert_eq!(marked(&text), "long b long| c long");
    text.undo();
    assert_eq!(marked(&text), "a b a| c a");
}

#[test]
fn deleting_words_lines_and_around_the_caret_is_undone() {
    let mut text = at("one two|", "txt");
    text.delete(words::previous_word);
    assert_eq!(text.text(), "one ");
    text.delete_around(2, 5);
    assert_eq!(text.text(), "on");
    text.delete_selection_or_line();
    assert_eq!(text.text(), "");
    while text.undo() {}
    assert_eq!(marked(&text), "one two|");
}

/// What a key or a command does.
#[derive(Clone, Debug)]
enum Edit {
    Select(usize, usize),
    Type(String),
    Insert(String),
    NewLine,
    Tab,
    Shift(bool),
    Comment,
    Move(bool),
    Duplicate,
    Backspace,
    DeleteWord,
    DeleteLine,
    ReplaceAll(char, String),
    Undo,
    Redo,
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let text = "[ -~\u{0}\té日\u{301}\n(){}\"']{0,6}";
    let edit = prop_oneof![
        4 => (0..80_usize, 0..80_usize).prop_map(|(anchor, head)| Edit::Select(anchor, head)),
        6 => "[a-z (){}\\[\\]\"'é日\u{0}]".prop_map(Edit::Type),
        2 => text.prop_map(Edit::Insert),
        1 => Just(Edit::NewLine),
        1 => Just(Edit::Tab),
        1 => any::<bool>().prop_map(Edit::Shift),
        1 => Just(Edit::Comment),
        1 => any::<bool>().prop_map(Edit::Move),
        1 => Just(Edit::Duplicate),
        2 => Just(Edit::Backspace),
        1 => Just(Edit::DeleteWord),
        1 => Just(Edit::DeleteLine),
        1 => ("[a-z ]", "[a-z\n]{0,3}").prop_map(|(c, with)| Edit::ReplaceAll(c.chars().next().unwrap_or('a'), with)),
        3 => Just(Edit::Undo),
        1 => Just(Edit::Redo),
    ];
    prop::collection::vec(edit, 0..40)
}

fn perform(document: &mut Document, edit: &Edit) {
    match edit {
        Edit::Select(anchor, head) => {
            let most = document.text().len() + 1;
            document.select(Selection { anchor: anchor % most, head: head % most });
        }
        Edit::Type(text) => document.type_text(text),
        Edit::Insert(text) => document.insert(text),
        Edit::NewLine => document.new_line(),
        Edit::Tab => document.tab(),
        Edit::Shift(right) => document.shift_lines(*right),
        Edit::Comment => drop(document.toggle_comment()),
        Edit::Move(down) => document.move_lines(*down),
        Edit::Duplicate => document.duplicate_lines(true),
        Edit::Backspace => document.backspace(),
        Edit::DeleteWord => document.delete(words::next_word),
        Edit::DeleteLine => document.delete_selection_or_line(),
        Edit::ReplaceAll(c, with) => {
            let found: Vec<_> =
                document.text().match_indices(*c).map(|(at, c)| (at..at + c.len(), with.clone())).collect();
            document.replace_all(found);
        }
        Edit::Undo => drop(document.undo()),
        Edit::Redo => drop(document.redo()),
    }
}

/// Fails unless the lines are those of the text, and the selection is on boundaries of characters.
fn assert_whole(document: &Document) {
    let (buffer, text) = (document.buffer(), document.text());
    let lines: Vec<&str> = text.split('\n').collect();
    assert_eq!(buffer.line_count(), lines.len());
    for (number, line) in lines.iter().enumerate() {
        assert_eq!(buffer.line(number), *line);
        assert_eq!(buffer.line_at(buffer.line_bytes(number).end), number);
    }
    let Selection { anchor, head } = document.selection();
    assert!(text.is_char_boundary(anchor) && text.is_char_boundary(head), "{anchor} {head}");
}

/// Returns the colours of a text that is read from its beginning.
fn colours(text: &str, language: &str) -> Vec<Vec<(u32, TokenClass)>> {
    let mut highlighter = Highlighter::new(syntax(language).expect("a grammar"));
    let classes = lunette_inspector::highlighting::classes();
    let mut budget = Budget::of_work(u64::MAX);
    let lines = text.split('\n').map(|line| {
        let tokens = highlighter.line(line, classes, &mut budget).expect("there is work left");
        tokens.into_iter().map(|(bytes, class)| (bytes.end as u32, class)).collect()
    });
    lines.collect()
}

proptest! {
    #[test]
    fn undoing_all_edits_restores_the_text_and_redoing_them_the_result(
        begun in "[ -~\té日\n\r\u{0}]{0,60}",
        edits in edits(),
    ) {
        let mut document = document(&begun, "js");
        for edit in &edits {
            perform(&mut document, edit);
            assert_whole(&document);
        }
        let end = document.text().to_owned();
        while document.undo() {
            assert_whole(&document);
        }
        prop_assert_eq!(document.text(), begun);
        while document.redo() {
            assert_whole(&document);
        }
        // Steps that were undone before the end come back too.
        if !edits.iter().any(|edit| matches!(edit, Edit::Undo)) {
            prop_assert_eq!(document.text(), end);
        }
    }

    #[test]
    fn typing_changes_the_text_as_a_plain_one(
        begun in "[a-zé日\n]{0,40}",
        pieces in prop::collection::vec((0..40_usize, 0..5_usize, "[a-zé\n\u{0}]{0,4}"), 0..20),
    ) {
        let (mut document, mut plain) = (document(&begun, "txt"), begun);
        for (start, length, text) in pieces {
            let start = plain.floor_char_boundary(start.min(plain.len()));
            let end = plain.floor_char_boundary((start + length).min(plain.len()));
            document.select(Selection { anchor: end, head: start });
            document.insert(&text);
            plain.replace_range(start..end, &text);
            prop_assert_eq!(document.text(), &plain);
            prop_assert_eq!(document.selection(), Selection::caret(start + text.len()));
        }
    }

    #[test]
    fn the_rows_of_any_line_are_the_line(line in "[ a-zé日\t\u{7}]{0,80}", columns in prop::option::of(8..20_usize)) {
        let buffer = Buffer::new(format!("first\n{line}\nlast"));
        let rows = Rows { buffer: &buffer, columns };
        let count = rows.of(1).count();
        let parts: Vec<_> = (0..count).map(|row| rows.bytes(RowAt { line: 1, row })).collect();
        let text: String = parts.iter().map(|bytes| buffer.slice(bytes.clone())).collect();
        prop_assert_eq!(text, line);
        for (row, bytes) in parts.iter().enumerate().filter(|(_, bytes)| !bytes.is_empty()) {
            prop_assert_eq!(rows.at(bytes.start), RowAt { line: 1, row });
        }
        let (last, left) = rows.step(RowAt::default(), count as isize + 1);
        prop_assert_eq!((last.line, left), (2, 0));
        prop_assert_eq!(rows.step(last, -(count as isize + 1)), (RowAt::default(), 0));
    }

    #[test]
    fn colours_after_edits_are_those_of_reading_the_whole_text(
        begun in "([a-z]+ |/\\*|\\*/|\"|//|\n|`|\\$\\{|\\}){0,40}",
        edits in edits(),
    ) {
        let mut document = document(&begun, "js");
        let mut highlighting = Highlighting::new(document.buffer(), syntax("js"));
        for edit in &edits {
            perform(&mut document, edit);
            document.take_changed().into_iter().for_each(|lines| highlighting.change(lines));
            let visible = 0..document.buffer().line_count().min(4);
            while highlighting.advance(document.buffer(), visible.clone()) {}
        }
        let all = 0..document.buffer().line_count();
        while highlighting.advance(document.buffer(), all.clone()) {}
        for (line, expected) in colours(document.text(), "js").into_iter().enumerate() {
            let runs = highlighting.runs(line).expect("read");
            let runs: Vec<_> = runs.iter().map(|(bytes, class)| (bytes.end, *class)).collect();
            prop_assert_eq!(runs, expected, "line {} of {:?}", line, document.text());
        }
    }
}

#[test]
fn a_very_long_line_is_cut_into_rows_without_reading_all_of_it() {
    let buffer = Buffer::new("é".repeat(100_000));
    for columns in [None, Some(80)] {
        let rows = Rows { buffer: &buffer, columns };
        let count = rows.of(0).count();
        let end = rows.bytes(RowAt { line: 0, row: count - 1 }).end;
        assert_eq!(end, buffer.end());
        for byte in [0, 2, 78, 80, 82, 1_998, 2_000, 2_002, 199_998] {
            let at = rows.at(byte);
            assert!(rows.bytes(at).contains(&byte), "{byte} in {at:?}");
        }
    }
}
