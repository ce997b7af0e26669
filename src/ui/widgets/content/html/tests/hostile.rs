//! Hostile texts, and generated ones.

use std::time::{Duration, Instant};

use super::*;
use lunette_client::model::display::is_hidden;
use lunette_syntax::CancelToken;

const SOME: usize = 64 * 1024;

/// Reads a text as the window does, and asserts what must hold for any.
fn assert_bounded(html: &str) -> Page {
    let began = Instant::now();
    let page = read(html, SOME, &mut Budget::default());
    assert!(page.markdown.len() <= 2 * SOME, "{} bytes", page.markdown.len());
    assert!(!page.markdown.chars().any(|c| is_hidden(c) && !matches!(c, '\n' | '\t')), "something hides");
    assert!(began.elapsed() < Duration::from_secs(20), "it took {:?}", began.elapsed());
    page
}

#[test]
fn a_hundred_thousand_nested_elements_are_read() {
    for name in [
        "div",
        "b",
        "ul",
        "ol",
        "li",
        "blockquote",
        "table",
        "td",
        "pre",
        "a href=https://a.example",
        "dl",
        "dt",
        "svg",
        "template",
        "q",
        "sup",
        "p",
        "head",
        "title",
        "h1",
        "nosuch",
    ] {
        let open = format!("<{name}>").repeat(100_000);
        assert_bounded(&format!("{open}x"));
        assert_bounded(&format!("{}x", format!("<{name}>y").repeat(100_000)));
        let end = name.split(' ').next().unwrap_or_default();
        assert_bounded(&format!("{open}x{}", format!("</{end}>").repeat(100_000)));
    }
    let nest = "<ul><li><blockquote><table><tr><td>".repeat(100_000);
    assert_bounded(&format!("{nest}x"));
}

#[test]
fn megabytes_without_a_tag_are_cut() {
    for text in ["word ", "w", " ", "\n", "*", "&amp;", "&", "\u{202e}", "日", "\u{a0}"] {
        let page = assert_bounded(&text.repeat(3_000_000 / text.len()));
        assert_eq!(page.cut, !text.trim_ascii().is_empty(), "{text:?}");
    }
    let code = assert_bounded(&format!("<pre>{}", "a line\n".repeat(100_000)));
    assert!(code.cut && code.markdown.ends_with("a line\n```\n"));
}

/// Pieces that may be read repeatedly, or ask for more than their length.
const PIECES: &[&str] = &[
    "<!--",
    "<!-- --",
    "<!-",
    "<",
    "</",
    "</script",
    "<script>",
    "<script></scriptx",
    "<a b='",
    "<a b=\"",
    "<a ",
    "<a/",
    "<a =",
    "<textarea></textare",
    "&#",
    "&#x",
    "&am",
    "<!",
    "<?",
    "--",
    "<![CDATA[",
    "<img alt=\"",
    "<p ",
    "<br>",
    "<table><tr>",
    "<tr><td>x",
    "<td colspan=1000>x",
    "<td>",
    "<hr>",
    "<p>x",
    "<b>x</b>",
    "<b>x</b><i>y</i>",
    "<ol start=999999999><li>x",
    "<ul><li>x<br>",
    "<li>x<br>y",
    "<a href=https://a.example/&&&&>x</a> ",
];

#[test]
fn unclosed_markup_takes_linear_time() {
    for piece in PIECES {
        assert_bounded(&piece.repeat(1_000_000 / piece.len()));
        assert_bounded(&format!("<script>{}", piece.repeat(300_000 / piece.len())));
        assert_bounded(&format!("<!--{}", piece.repeat(300_000 / piece.len())));
    }
}

#[test]
fn a_huge_value_is_passed_over() {
    let data = "A".repeat(4_000_000);
    let page =
        assert_bounded(&format!("<p>a<img src='data:image/png;base64,{data}' alt='A cat'>b<a href='{data}'>c</a>"));
    assert!(page.markdown.starts_with("a\\[picture: A cat]bc (AAA") && page.markdown.len() < 1_000, "{page:?}");
    assert!(!page.cut);
}

#[test]
fn no_more_is_read_than_may_be() {
    let page = read(&format!("{}<p>late", " ".repeat(MAX_INPUT)), SOME, &mut Budget::default());
    assert_eq!(page, Page { markdown: String::new(), cut: true });
}

#[test]
fn hidden_and_direction_characters_are_seen() {
    let page =
        assert_bounded("a\u{202e}b &#x202e; &rlm; &zwj; \u{7} <pre>\u{202e}\u{1b}[31m</pre><img alt='\u{2066}'>");
    for shown in ["a\\<U+202E>b", "\\<U+200F>", "\\<U+0007>", "\n<U+202E><U+001B>[31m", "picture: \\<U+2066>"] {
        assert!(page.markdown.contains(shown), "{shown} in {}", page.markdown);
    }
    let link = assert_bounded("<a href='https://a.example/\u{202e}x y'>z</a>");
    assert!(link.markdown.contains("https://a.example/%E2%80%AEx%20y"), "{}", link.markdown);
}

#[test]
fn parsing_ends_when_cancelled_or_over_budget() {
    let html = "<p>text</p>".repeat(1_000);
    let cancel = CancelToken::default();
    cancel.cancel();
    for mut budget in [Budget::new(cancel), Budget::of_work(10_000)] {
        let page = read(&html, SOME, &mut budget);
        assert!(page.cut && page.markdown.len() < 2_000, "{}", page.markdown.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        assert_bounded(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_pieces_of_html_are_read(pieces in prop::collection::vec(piece(), 0..60)) {
        let page = assert_bounded(&pieces.concat());
        seen_of(&page.markdown);
    }

    /// Whatever the styles, what is seen is the text.
    #[test]
    fn styles_never_change_the_text(pieces in prop::collection::vec((0..8_usize, "[ab .(*_`&!\\[\\]|~\\\\#:<>1-]{0,4}|é|→|Ⓐ|日"), 1..12)) {
        let (mut html, mut text) = (String::new(), String::new());
        for (tag, piece) in &pieces {
            let tags = ["", "b", "i", "s", "code", "b><i", "u", "a href=https://a.example"][*tag];
            let ends: String = tags.rsplit("><").map(|tag| format!("</{}>", tag.split(' ').next().unwrap_or_default())).collect();
            let escaped = piece.replace('&', "&amp;").replace('<', "&lt;");
            html += &if tags.is_empty() { escaped } else { format!("<{tags}>{escaped}{ends}") };
            text += piece;
        }
        for (start, end) in [("<p>", ""), ("<h3>", ""), ("<ul><li>", ""), ("<blockquote>", ""), ("<table><tr><td>x<td>", "")] {
            let page = read(&format!("{start}{html}{end}"), SOME, &mut Budget::default());
            let expected = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert_eq!(plain(&page.markdown), format!("{}{expected}", if start.contains("<td>") { "x" } else { "" }), "{}", page.markdown);
        }
    }
}

/// The text of a document, as it is read.
fn plain(markdown: &str) -> String {
    Parser::new_ext(markdown, options())
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(text.into_string()),
            Event::TaskListMarker(_) | Event::FootnoteReference(_) | Event::Html(_) | Event::InlineHtml(_) => {
                Some("what is not text".to_owned())
            }
            _ => None,
        })
        .collect()
}

/// Start tags without their brackets.
const TAGS: &[&str] = &[
    "p",
    "div",
    "b",
    "i",
    "s",
    "code",
    "pre",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "tr",
    "td",
    "th",
    "blockquote",
    "h1",
    "h4",
    "a href=https://a.example",
    "a href=x",
    "img alt=y",
    "br",
    "hr",
    "q",
    "sup",
    "title",
    "head",
    "body",
    "script",
    "style",
    "svg",
    "template",
    "textarea",
    "ol start=7",
    "pre class=prose",
    "code class=language-rs",
];

/// A piece of HTML: a tag, a part of one, or text.
fn piece() -> impl Strategy<Value = String> {
    let names = prop::sample::select(TAGS);
    prop_oneof![
        names.clone().prop_map(|name| format!("<{name}>")),
        names.prop_map(|name| format!("</{}>", name.split(' ').next().unwrap_or_default())),
        "[ a-c1.*_`~#>+|\\\\\\[\\]!&;:<=\"'/\n-]{1,6}",
        Just("&#x202e;".to_owned()),
        Just("<!--".to_owned()),
        Just("-->".to_owned()),
        "\\PC{1,3}",
    ]
}
