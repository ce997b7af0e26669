//! Tests of pictures of code.

use super::*;

const RUST: &str = "fn main() {\n\tlet greeting = \"hello\"; // a comment\n}\n";

fn sheet(text: &str) -> Sheet {
    Sheet::new("main.rs", "rs", text, Shade::Light)
}

fn all_text(sheet: &Sheet) -> String {
    sheet.lines.iter().flatten().map(|span| span.text.as_str()).collect::<Vec<_>>().join(" ")
}

#[test]
fn code_is_laid_out_in_columns_with_the_colours_of_its_language() {
    let sheet = sheet(RUST);
    assert_eq!((sheet.lines.len(), sheet.language, sheet.notes.len()), (3, "Rust", 0));
    let first = &sheet.lines[1][0];
    assert_eq!((first.column, first.text.as_str(), first.class), (4, "let", TokenClass::Keyword));
    let classes: Vec<_> = sheet.lines.iter().flatten().map(|span| span.class).collect();
    for class in [TokenClass::Function, TokenClass::Literal, TokenClass::Comment] {
        assert!(classes.contains(&class), "{class:?}");
    }
}

#[test]
fn a_wide_character_takes_two_columns_and_those_after_it_keep_theirs() {
    let sheet = Sheet::new("a", "txt", "a木b", Shade::Dark);
    let spans: Vec<_> = sheet.lines[0].iter().map(|span| (span.column, span.text.as_str(), span.width)).collect();
    assert_eq!(spans, [(0, "a", 1), (1, "木", 2), (3, "b", 1)]);
}

#[test]
fn text_that_is_too_long_is_cut_and_the_picture_says_how_much() {
    let long = format!("{}\n{}", "x".repeat(1_000_000), "line\n".repeat(MAX_LINES + 41));
    let sheet = Sheet::new("long", "txt", &long, Shade::Light);
    assert_eq!((sheet.lines.len(), sheet.columns), (MAX_LINES, MAX_COLUMNS));
    assert_eq!(sheet.notes, ["… 42 more lines are left out", "1 line is cut after 160 columns"]);
    let picture = svg(&sheet);
    assert!(picture.contains("42 more lines are left out") && picture.len() < 200_000, "{}", picture.len());
    let dots = png::dots(&sheet).expect("a picture");
    assert!(dots.width.max(dots.height) <= 8_001);
}

#[test]
fn hostile_text_is_inert_in_svg() {
    let hostile = "<script>alert(1)</script>\n\"/><image href=\"http://evil\"/>\n]]><!ENTITY a \"b\">\n\u{202e}\u{0}\u{1b}&amp;\n\
                   <a xlink:href=\"javascript:alert(1)\" onload=\"x()\">";
    let picture = svg(&Sheet::new("</text><script>x</script>\n\u{202e}", "js", hostile, Shade::Dark));
    for tag in picture.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag has an end");
        let name = tag.split([' ', '/']).find(|part| !part.is_empty()).expect("a name");
        assert!(["svg", "rect", "path", "text"].contains(&name), "{tag}");
        // Attributes are name="value", and no value comes from the text.
        for attribute in tag.split('"').step_by(2).map(str::trim).filter(|part| part.ends_with('=')) {
            let known = attribute.rsplit(' ').next().unwrap_or_default();
            assert!(!known.starts_with("on") && !known.contains("href"), "{tag}");
        }
        assert!(!tag.contains("evil") && !tag.contains("alert"), "{tag}");
        assert!(!text.contains('"') && !text.contains('\u{202e}') && !text.contains('\u{1b}'), "{text}");
    }
    assert!(picture.contains("&lt;U+202E&gt;"), "hidden characters are written out");
}

#[test]
fn a_png_has_its_frame_its_colours_and_transparent_corners() {
    let dark = png::dots(&Sheet::new("main.rs", "rs", RUST, Shade::Dark)).expect("a picture");
    let light = png::dots(&sheet(RUST)).expect("a picture");
    let dot = |picture: &crate::files::picture::Picture, x: u32, y: u32| {
        let at = ((y * picture.width + x) * 4) as usize;
        [picture.dots[at], picture.dots[at + 1], picture.dots[at + 2], picture.dots[at + 3]]
    };
    assert_eq!(dot(&dark, 0, 0)[3], 0);
    let ground = |picture| dot(picture, picture.width / 2, picture.height - 10);
    assert_eq!(ground(&dark), [0x10, 0x12, 0x16, 255]);
    assert_eq!(ground(&light), [0xfa, 0xf9, 0xf6, 255]);
    let keyword = Palette::of(Shade::Dark).code(TokenClass::Keyword);
    assert!(dark.dots.chunks(4).any(|dot| dot[..3] == keyword), "letters are drawn in their colours");
    let file = png(&sheet(RUST)).expect("a file");
    assert_eq!(image::load_from_memory(&file).expect("a picture").width(), light.width);
}

#[test]
fn a_character_that_the_font_lacks_is_a_box_and_the_png_says_so() {
    let with = png::dots(&Sheet::new("a", "txt", "ab", Shade::Light)).expect("a picture");
    let without = png::dots(&Sheet::new("a", "txt", "a木", Shade::Light)).expect("a picture");
    assert_eq!(without.height - with.height, (LINE * 2.0) as u32, "a line says what is missing");
    assert!(all_text(&Sheet::new("a", "txt", "a木", Shade::Light)).contains('木'));
}

#[test]
fn empty_text_gives_a_picture_and_the_same_text_the_same_picture() {
    assert!(png(&sheet("")).is_ok());
    assert_eq!(svg(&sheet(RUST)), svg(&sheet(RUST)));
}
