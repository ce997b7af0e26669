//! Hostile assets, and a walker that lets only known tags and attributes pass.

use proptest::prelude::*;
use serde_json::{Value, json};

use self::hostile::HOSTILE;
use self::walk::walk;
use super::*;
use lunette_syntax::Budget;

mod hostile;
mod walk;

const ID: &str = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

fn tree() -> Value {
    json!({ "id": ID })
}

/// A document with the same text wherever a text can stand.
fn of<'a>(text: &'a str, language: &'a str, generic: &'a str, tree: &'a Value) -> Document<'a> {
    Document {
        name: text,
        description: text,
        language,
        generic,
        content: Content::Text(text),
        tags: vec![text, "plain"],
        websites: vec![(text, text), ("name", text), ("", text)],
        summaries: vec![text],
        created: text,
        updated: text,
        tree,
    }
}

/// What hides, but for line breaks and tabs.
fn hidden(document: &str) -> bool {
    document.chars().any(|c| lunette_client::model::display::is_hidden(c) && !matches!(c, '\n' | '\t'))
}

fn assert_harmless_page(page: &str, text: &str) {
    let links = walk(page).unwrap_or_else(|problem| panic!("{problem} for {text:?}\n{page}"));
    for (attribute, value) in links {
        let allowed = match attribute.as_str() {
            "href" => ["http://", "https://", "mailto:"].iter().any(|scheme| value.starts_with(scheme)),
            _ => ["png", "jpeg", "gif", "webp"]
                .iter()
                .any(|kind| value.starts_with(&format!("data:image/{kind};base64,"))),
        };
        assert!(allowed, "{attribute}={value} for {text:?}");
    }
    assert!(!hidden(page), "{text:?}");
    assert_eq!(page.matches("http-equiv").count() - text_count(page, "http-equiv"), 1, "{text:?}");
}

/// How often a word occurs in texts rather than tags, where it is harmless.
fn text_count(page: &str, word: &str) -> usize {
    page.split('<').skip(1).filter_map(|part| part.split_once('>')).map(|(_, text)| text.matches(word).count()).sum()
}

/// The lines of a Markdown document outside fences.
fn outside_fences(document: &str) -> Vec<&str> {
    let (mut lines, mut fence) = (Vec::new(), None);
    for line in document.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if ticks >= 3 => fence = Some(ticks),
            Some(open) if ticks >= open && line.len() == ticks => fence = None,
            None => lines.push(line),
            Some(_) => {}
        }
    }
    assert_eq!(fence, None, "a fence is left open in\n{document}");
    lines
}

/// A line with a space for each character that a backslash takes the meaning from.
fn without_escapes(line: &str) -> String {
    let (mut bare, mut rest) = (String::new(), line.chars());
    while let Some(c) = rest.next() {
        match c {
            '\\' => bare.extend(rest.next().map(|_| ' ')),
            c => bare.push(c),
        }
    }
    bare
}

fn assert_harmless_markdown(document: &str, text: &str) {
    for line in outside_fences(document) {
        let line = &without_escapes(line);
        let lower = line.to_lowercase();
        // Our own links are the only ones, and go where they may.
        let links = line.match_indices("](").map(|(offset, _)| &line[offset + 2..]).collect::<Vec<_>>();
        for link in &links {
            let allowed = ["<http://", "<https://", "<mailto:"].iter().any(|scheme| link.starts_with(scheme));
            assert!(allowed && !link[1..link.len() - 2].contains(['<', '>']), "{line:?} for {text:?}");
        }
        let bare = if links.is_empty() { lower } else { lower.split("](<").next().unwrap_or_default().to_owned() };
        assert!(!bare.contains('<') && !bare.contains("://") && !bare.contains("www."), "{line:?} for {text:?}");
        assert!(!bare.contains('`'), "{line:?} for {text:?}");
    }
    assert!(!hidden(document), "{text:?}");
}

#[test]
fn there_are_enough_hostile_texts() {
    assert!(HOSTILE.len() >= 100);
}

#[test]
fn hostile_text_cannot_inject_html() {
    let tree = tree();
    for text in HOSTILE {
        for (language, generic) in [
            ("html", "CODE"),
            ("js", "CODE"),
            ("svg", "CODE"),
            ("md", "TEXT"),
            ("txt", "TEXT"),
            ("x\"><script>", "CODE"),
        ] {
            assert_harmless_page(&html(&of(text, language, generic, &tree)), text);
        }
    }
}

#[test]
fn hostile_text_cannot_inject_markdown() {
    let tree = tree();
    for text in HOSTILE {
        for (language, generic) in [("html", "CODE"), ("md", "TEXT")] {
            assert_harmless_markdown(&markdown(&of(text, language, generic, &tree)), text);
        }
    }
}

#[test]
fn hostile_bytes_and_ids_are_shown_as_bytes_and_text() {
    for text in HOSTILE {
        let tree = json!({ "id": text });
        let document = Document { content: Content::Bytes(text.as_bytes()), ..of(text, "png", "IMAGE", &tree) };
        assert_harmless_page(&html(&document), text);
        assert_harmless_markdown(&markdown(&document), text);
    }
}

#[test]
fn the_text_of_an_asset_is_returned_unchanged() {
    let tree = tree();
    for text in HOSTILE {
        assert_eq!(super::text(&of(text, "txt", "TEXT", &tree)).as_deref(), Some(*text));
    }
    let bytes = Document { content: Content::Bytes(b"\0"), ..of("x", "bin", "FILE", &tree) };
    assert_eq!(super::text(&bytes), None);
}

#[test]
fn a_picture_is_inlined_by_its_bytes_and_svg_never_is() {
    let tree = tree();
    let with = |bytes| Document { content: Content::Bytes(bytes), ..of("name", "png", "IMAGE", &tree) };
    let png = html(&with(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"));
    assert!(png.contains("<img src=\"data:image/png;base64,iVBORw0KGgo"), "{png}");
    assert_harmless_page(&png, "png");
    assert!(markdown(&with(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")).contains("![name](data:image/png;base64,iVBORw0KGgo"));
    for bytes in
        [b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".as_slice(), b"BM\0\0\0\0", b"", b"MZ"]
    {
        let page = html(&with(bytes));
        assert!(!page.contains("<img") && page.contains("binary data"), "{page}");
    }
}

#[test]
fn code_is_highlighted_and_unchanged() {
    let tree = tree();
    let code = "fn main() {\n    // says <hello> & \"goodbye\"\n    println!(\"{}\", 1);\n}";
    let page = html(&of(code, "rs", "CODE", &tree));
    assert!(page.contains("<span class=\"k\">fn</span>"), "{page}");
    assert!(page.contains("<span class=\"c\">// says &lt;hello&gt; &amp; &quot;goodbye&quot;"), "{page}");
    let (_, shown) = page.split_once("<pre class=\"numbered\"><code class=\"language-rs\">").expect("a block of code");
    let (shown, _) = shown.split_once("</code>").expect("its end");
    assert_eq!(plain(shown), code);
}

/// The text of a piece of page, as a browser gives it.
fn plain(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, text)| text));
    }
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        .iter()
        .fold(text, |text, (entity, c)| text.replace(entity, c))
}

#[test]
fn a_long_text_is_highlighted_at_its_beginning_and_unchanged() {
    let many_lines = "x\n".repeat(highlight::MAX_LINES + 5);
    let parts = highlight::colour(&many_lines, "txt", &mut Budget::default());
    assert_eq!(parts.rest, "x\nx\nx\nx\nx\n");
    let one_line = "ü".repeat(highlight::MAX_BYTES);
    let parts = highlight::colour(&one_line, "rs", &mut Budget::default());
    assert_eq!(plain(&parts.html).len() + parts.rest.len(), one_line.len());
    let tree = tree();
    assert_harmless_page(&html(&of(&many_lines, "rs", "CODE", &tree)), "many lines");
}

#[test]
fn code_that_takes_too_long_is_highlighted_at_its_beginning_and_unchanged() {
    let code = "let a = \"b\";\n".repeat(1_000);
    let parts = highlight::colour(&code, "rs", &mut Budget::of_work(1_000_000));
    let lines: Vec<&str> = parts.html.split("<span class=\"l\">").skip(1).collect();
    assert!(lines[0].contains("<span class=\"s\">&quot;b&quot;</span>"), "{}", lines[0]);
    assert_eq!(lines[999], "let a = &quot;b&quot;;\n</span>");
    assert_eq!((plain(&parts.html), parts.rest), (code.clone(), ""));
}

#[test]
fn links_are_limited_to_known_schemes() {
    assert_eq!(link::link("https://example.org/a b?q=ü"), Some("https://example.org/a%20b?q=%C3%BC".to_owned()));
    assert_eq!(link::link("mailto:a@example.org"), Some("mailto:a@example.org".to_owned()));
    assert_eq!(link::link("HTTP://EXAMPLE.org"), Some("http://example.org/".to_owned()));
    for address in [
        "",
        "example.org",
        "javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "file:///x",
        "ftp://x.example/",
    ] {
        assert_eq!(link::link(address), None, "{address:?}");
    }
}

#[test]
fn a_full_document_has_all_known_fields() {
    let tree = tree();
    let document = Document {
        name: "Lens",
        description: "What it is.",
        language: "rs",
        generic: "CODE",
        content: Content::Text("fn f() {}\n"),
        tags: vec!["optics"],
        websites: vec![("Home", "https://example.org/?a=1&b=2")],
        summaries: vec!["Week 47"],
        created: "2026-11-20T10:00:00Z",
        updated: "2026-11-20T11:00:00Z",
        tree: &tree,
    };
    let page = html(&document);
    for part in [
        "<title>Lens</title>",
        ">Rust<",
        "What it is.",
        "optics",
        "https://example.org/?a=1&amp;b=2",
        "Week 47",
        "10 B",
        "2026-11-20 10:00:00",
        ID,
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains(html::POLICY) && page.contains("prefers-color-scheme"));
    assert_eq!(
        markdown(&document),
        "# Lens\n\n> What it is.\n\n- **Language:** Rust\n- **Size:** 10 B\n- **Created:** 2026-11-20 10:00:00 +00:00\n\
         - **Updated:** 2026-11-20 11:00:00 +00:00\n- **Tags:** optics\n\n```rs\nfn f() {}\n```\n\n## Websites\n\n\
         - [Home](<https://example.org/?a=1&amp;b=2>)\n\n## Workstream summaries\n\n- Week 47\n"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_text_at_all_breaks_out(text in "([<>&\"'`=/\\\\ \n\t\\[\\]():#*_.w-]|script|http://|onload|\\PC|[\u{0}-\u{1f}]){0,60}") {
        let tree = tree();
        for (language, generic) in [("html", "CODE"), ("md", "TEXT"), ("txt", "TEXT"), ("php", "CODE")] {
            assert_harmless_page(&html(&of(&text, language, generic, &tree)), &text);
            assert_harmless_markdown(&markdown(&of(&text, language, generic, &tree)), &text);
        }
    }
}
