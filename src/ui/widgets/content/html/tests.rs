//! HTML is read to Markdown, which is parsed as the renderer does: the tests compare what a person would see.

use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::*;

mod hostile;

const ALL: usize = 1_000_000;

fn markdown(html: &str) -> String {
    let page = read(html, ALL, &mut Budget::default());
    assert!(!page.cut, "{html:?} was cut");
    page.markdown
}

/// What is seen of a page, one block per line: `h1 Title`, `p Text with <b>bold</b>`, `1 - Item`, `| a | b`, `> p
/// Quoted`.
fn seen(html: &str) -> Vec<String> {
    seen_of(&markdown(html))
}

/// The options of the renderer.
fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_DEFINITION_LIST
}

/// The HTML tag for the beginning or end of a style.
fn style(event: &Event<'_>) -> Option<&'static str> {
    match event {
        Event::Start(Tag::Strong) => Some("<b>"),
        Event::End(TagEnd::Strong) => Some("</b>"),
        Event::Start(Tag::Emphasis) => Some("<i>"),
        Event::End(TagEnd::Emphasis) => Some("</i>"),
        Event::Start(Tag::Strikethrough) => Some("<s>"),
        Event::End(TagEnd::Strikethrough) => Some("</s>"),
        _ => None,
    }
}

fn seen_of(markdown: &str) -> Vec<String> {
    let (mut lines, mut lists, mut quote) = (Vec::new(), Vec::new(), "");
    let mut line = String::new();
    for event in Parser::new_ext(markdown, options()) {
        match event {
            event if style(&event).is_some() => line.push_str(style(&event).unwrap_or_default()),
            Event::Start(Tag::Heading { level, .. }) => line = format!("{quote}{level} "),
            Event::Start(Tag::Paragraph) if line.is_empty() => line = format!("{quote}p "),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => line = format!("{quote}code {language} "),
            Event::Start(Tag::TableHead | Tag::TableRow) => line.push('|'),
            Event::Start(Tag::TableCell) => line.push(' '),
            Event::End(TagEnd::TableCell) => line.push_str(" |"),
            Event::Start(Tag::BlockQuote(_)) => quote = "> ",
            Event::End(TagEnd::BlockQuote(_)) => quote = "",
            Event::Start(Tag::List(number)) => {
                lines.extend((!line.is_empty()).then(|| std::mem::take(&mut line)));
                lists.push(number);
            }
            Event::End(TagEnd::List(_)) => drop(lists.pop()),
            Event::Start(Tag::Item) => {
                let depth = lists.len();
                let sign = match lists.last_mut() {
                    Some(Some(number)) => std::mem::replace(number, *number + 1).to_string(),
                    _ => "-".to_owned(),
                };
                line = format!("{quote}{depth} {sign} ");
            }
            Event::Start(Tag::Link { dest_url, .. }) => line.push_str(&format!("<{dest_url} ")),
            Event::End(TagEnd::Link) => line.push('>'),
            Event::Code(text) => line.push_str(&format!("`{text}`")),
            Event::Text(text) => line.push_str(&text),
            Event::HardBreak => line.push('⏎'),
            Event::Rule => lines.push(format!("{quote}rule")),
            Event::Start(Tag::Table(_)) | Event::End(TagEnd::Table) => {}
            Event::End(_) => lines.extend((!line.is_empty()).then(|| std::mem::take(&mut line))),
            Event::Start(Tag::Paragraph) => {}
            event => panic!("{event:?} in {markdown}"),
        }
    }
    lines
}

#[test]
fn headings_and_paragraphs_are_read_with_white_space_counted_once() {
    assert_eq!(
        seen("<h1>A  title</h1>\n<p>One\n\ttwo  <b> three </b>four.\n<p>Next</p>loose <h6>Small</h6>"),
        ["h1 A title", "p One two <b>three</b> four.", "p Next", "p loose", "h6 Small"]
    );
}

#[test]
fn text_without_any_markup_is_a_paragraph() {
    assert_eq!(seen("just text"), ["p just text"]);
    assert_eq!(seen(""), [""; 0]);
    assert_eq!(seen(" <p> </p> <div>\n</div>"), [""; 0]);
}

#[test]
fn emphasis_of_every_kind_is_read() {
    assert_eq!(
        seen("<p><strong>a</strong> <em>b</em> <del>c</del> <code>d`e</code> <b><i>f</i></b> <kbd>Ctrl</kbd>"),
        ["p <b>a</b> <i>b</i> <s>c</s> `d`e` <i><b>f</b></i> `Ctrl`"]
    );
    assert_eq!(seen("<p>a <q>b</q> x<sup>2</sup> H<sub>2</sub>O"), ["p a “b” x^2 H2O"]);
}

#[test]
fn emphasis_that_touches_words_is_read_or_left_out_but_never_shown_as_signs() {
    for (html, read) in [
        ("a<b>b</b>c", "p a<b>b</b>c"),
        ("<b>Name:</b>value", "p <b>Name</b>:value"),
        ("f<b>(x)</b>g", "p f(<b>x</b>)g"),
        ("a<b>!</b>b", "p a!b"),
        ("a<b><code>x</code></b>b", "p a`x`b"),
        ("<b>a</b><i>b</i>", "p <b>a</b>b"),
        ("<b>a<i>b</i>c</b>", "p <b>abc</b>"),
        ("<b>a <i>b</i> c</b>", "p <b>a</b> <i><b>b</b></i> <b>c</b>"),
        ("<b></b>a<i> </i>b", "p a b"),
    ] {
        assert_eq!(seen(html), [read], "{html}");
    }
}

/// Texts that would be markup in Markdown.
const SIGNS: &[&str] = &[
    "# a",
    "1. a",
    "10) a",
    "- a",
    "+ a",
    "* a",
    "--- ",
    "===",
    "~~~",
    "```",
    "a * b * c",
    "**a**",
    "_a_ b_c_d",
    "[a](b)",
    "![a](b)",
    "[^1]: a",
    "[ ] a",
    "| a | b |",
    ": a",
    "\\* \\",
    "`a`",
    "a | b",
    "https://a.example",
    "&amp;lt; & &amp;#60;",
    "~~a~~",
    "$a$",
    "a#",
    "{a}",
];

#[test]
fn signs_of_markdown_in_a_text_stay_text() {
    for text in SIGNS {
        let shown = text.replace("&amp;", "&");
        for html in [format!("<p>{text}"), format!("<p>x<br>{text}"), format!("<ul><li>{text}"), format!("<h2>{text}")]
        {
            let lines = seen(&html);
            assert!(lines.len() == 1 && lines[0].ends_with(shown.trim_end()), "{html} became {lines:?}");
        }
        let table = format!("<table><tr><td>x<td>{text}");
        assert_eq!(seen(&table), [format!("| x | {} |", shown.trim_end())], "{table}");
    }
}

#[test]
fn breaks_begin_lines_and_two_of_them_a_paragraph() {
    assert_eq!(seen("<p>a<br>b <br/> c<br><br>d<br></p>e"), ["p a⏎b⏎c", "p d", "p e"]);
}

#[test]
fn lists_keep_their_depth_numbers_and_later_paragraphs() {
    assert_eq!(
        seen("<ul><li>a<ol start=3><li>b</li><li>c<ul><li>d</ul></ol></li><li><p>e</p><p>f</p></ul>after"),
        ["1 - a", "2 3 b", "2 4 c", "3 - d", "1 - e⏎f", "p after"]
    );
    assert_eq!(seen("<ol><li>a</ol><ol><li>b</ol><ul><li>c</ul><ul><li>d"), ["1 1 a", "1 1 b", "1 - c", "1 - d"]);
    assert_eq!(seen("<ul><li><ul><li>deep</ul></ul>"), ["1 - deep"]);
    assert_eq!(seen("<ul><li><h3>Title</h3>text</ul>"), ["1 - <b>Title</b>⏎text"]);
}

#[test]
fn terms_are_items_with_their_descriptions() {
    assert_eq!(
        seen("<dl><div><dt>Size</dt><dd>24 KB</dd></div><dt>Two:<dd>a<dd>b</dl><p>c"),
        ["1 - <b>Size:</b> 24 KB", "1 - <b>Two:</b> a⏎b", "p c"]
    );
}

#[test]
fn code_keeps_its_lines_and_says_its_language() {
    assert_eq!(
        seen("<pre><code class=\"x language-rust\">\nfn f() {\n\n\t<span>a</span> &lt;b&gt;;\n}\n</code></pre>after"),
        ["code rust fn f() {\n\n\ta <b>;\n}\n", "p after"]
    );
    assert_eq!(seen("<pre class=lang-py>```\nx<br>y</pre>"), ["code py ```\nx\ny\n"]);
    assert_eq!(seen("<pre><div>a</div><div>b</div></pre>"), ["code  a\nb\n"]);
    assert_eq!(seen("<pre><code class='language-\"x`\n'>a"), ["code  a\n"]);
}

#[test]
fn tables_are_read_by_row_and_column() {
    assert_eq!(
        seen(
            "<table><caption>C</caption><thead><tr><th>a<th>b|c</thead><tr><td>1<td><code>x|y</code><tr><td>only</table>z"
        ),
        ["p C", "| <b>a</b> | <b>b|c</b> |", "| 1 | x|y |", "| only |  |", "p z"]
    );
    assert_eq!(seen("<table><tr><td colspan=2>wide<td>c<tr><td>1<td>2<td>3"), ["| wide |  | c |", "| 1 | 2 | 3 |"]);
}

#[test]
fn a_layout_table_is_replaced_by_its_content() {
    assert_eq!(
        seen("<table><tr><td><h1>T</h1><ul><li>a</ul></td><td><table><tr><td>1<td>2</table></td></tr></table>"),
        ["h1 T", "1 - a", "| 1 | 2 |"]
    );
    assert_eq!(seen("<table><tr><td>one<tr><td>column</table>"), ["p one", "p column"]);
}

#[test]
fn quotations_can_contain_any_block() {
    assert_eq!(
        seen("<blockquote><p>a<p>b<h2>c</h2><ul><li>d<li>e</ul><pre>e\nf</pre></blockquote>g"),
        ["> p a", "> p b", "> h2 c", "> p •\u{a0}d⏎•\u{a0}e", "> code  e\nf\n", "p g"]
    );
}

#[test]
fn only_links_to_the_web_are_links() {
    assert_eq!(
        seen("<a href=' https://a.example/?x=1&amp;copy=2 '>the <b>site</b></a>!<a href=https://b.example>b</a>"),
        ["p <https://a.example/?x=1&copy=2 the <b>site</b>>!<https://b.example b>"]
    );
    assert_eq!(
        seen(
            "<a href='javascript:alert(1)'>run</a> <a href=../up>up</a> <a href=#top>top</a> <a href=mailto:a@b.c>a@b.c</a>"
        ),
        ["p run (javascript:alert(1)) up (../up) top a@b.c"]
    );
    assert_eq!(seen("<a href='https://a.example/>)[x](y'>z]</a>"), ["p <https://a.example/%3E)[x](y z]>"]);
    assert_eq!(seen("a<a href=https://a.example></a><a href=/b></a>b"), ["p ab"]);
}

#[test]
fn pictures_are_their_descriptions() {
    assert_eq!(
        seen("<img src=x alt='A cat'><img alt=''> <img src='data:image/png;base64,AAAA'> <img src=a/b.png>"),
        ["p [picture: A cat] [picture] [picture: a/b.png]"]
    );
}

#[test]
fn scripts_styles_and_comments_are_not_shown() {
    assert_eq!(
        seen(
            "<!DOCTYPE html><html><head><title>T &amp; U</title><meta charset=utf-8><style>p{}</style>stray \
              <script>1</script></head><body>a<script>alert(1)</script><template><p>b</p></template>\
              <svg><title>c</title><text>d</text></svg><!-- e --><iframe>f</iframe><p>g</body></html>"
        ),
        ["h1 T & U", "p a", "p g"]
    );
    assert_eq!(seen("<title>Same</title><h1> Same </h1>x"), ["h1 Same", "p x"]);
    assert_eq!(seen("<head><title>T</title><p>no end of the head"), ["h1 T", "p no end of the head"]);
}

#[test]
fn elements_that_contain_only_text_end_at_their_own_end_tag() {
    assert_eq!(seen("<script>if (a<b) '</scripty><p>'</SCRIPT >c<style>p{}</style>"), ["p c"]);
    assert_eq!(seen("a<script/>b</script>c<noframes><p>d</noframes><iframe>e<script>f</iframe>g"), ["p acg"]);
    assert_eq!(seen("<title>a <b></title>c<xmp><i>&lt;</xmp>"), ["h1 a <b>", "p c", "p <i>&lt;"]);
    assert_eq!(seen("a<script>never closed<p>b"), ["p a"]);
}

#[test]
fn a_page_that_our_service_exports_is_read_as_its_author_sees_it() {
    let page = "<title>Lens</title><body><main><header><p class=\"kind\">Rust</p><h1 dir=\"auto\">Lens</h1>\
                <dl>\n<div><dt>Size</dt><dd>10 B</dd></div>\n</dl><ul class=\"tags\">\n<li dir=\"auto\">optics</li></ul></header>\
                <section><pre class=\"numbered\"><code class=\"language-rs\"><span class=\"l\"><span class=\"k\">fn</span> f() {\n</span>\
                <span class=\"l\">}\n</span></code></pre></section><section><h2>Websites</h2><ul class=\"links\">\
                <li><a href=\"https://a.example/\">Home</a> <span>https://a.example</span></li></ul></section><footer>End</footer>";
    assert_eq!(
        seen(page),
        [
            "p Rust",
            "h1 Lens",
            "1 - <b>Size:</b> 10 B",
            "1 - optics",
            "code rs fn f() {\n}\n",
            "h2 Websites",
            "1 - <https://a.example/ Home> https://a.example",
            "p End",
        ]
    );
    assert_eq!(seen("<pre class=\"prose\"># One\n  two\n\n\nthree</pre>"), ["p # One⏎\u{a0}\u{a0}two", "p three"]);
}
