//! Rendered Markdown, and HTML as far as Markdown can express it. Nothing is fetched.
//!
//! What must hold: a text loads no picture, from a file or from the network, and opens only `http` and `https` links,
//! each shown in full before it is followed. Everything else is removed from the text before it is drawn. A picture that
//! stands in a paragraph of its own, and is named by a file and not by an address, is drawn if the caller has it.

use crate::ui::theme::{Tokens, UiExt as _};
use crate::ui::widgets::code::{self, CodeState};
use crate::ui::widgets::highlight::{Highlighted, highlight};
use crate::ui::widgets::html::{self, is_web};
use crate::ui::widgets::shown;
use egui::{ScrollArea, Ui};
use egui_commonmark::{CommonMarkCache, CommonMarkViewer};
use lunette_syntax::Budget;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd};
use std::ops::Range;

mod alerts;
mod blocks;
mod cost;
mod pictures;

pub use pictures::PictureShown;

use blocks::{Block, blocks};
use pictures::{Named, Textures};

/// Maximum number of bytes of a text that are rendered.
pub const MAX_BYTES: usize = 64 * 1024;
/// Maximum height of a block of code, in lines; beyond that it scrolls.
const MAX_LINES: usize = 24;

/// A text made safe to render. Making it takes some milliseconds for a long one, so it should run on another thread.
#[derive(Clone, Debug, Default)]
pub struct Markdown {
    parts: Vec<Part>,
    is_truncated: bool,
    /// Drawing it would take too long, so its only part is its source.
    is_source: bool,
}

/// A part of the text that is drawn in its own way.
#[derive(Clone, Debug)]
enum Part {
    /// Markdown without blocks of code.
    Text(String),
    /// A block of code.
    Code(Highlighted),
    /// Pictures, each with its description and the name of its file.
    Pictures(Vec<Named>),
}

impl Part {
    fn pictures(&self) -> &[Named] {
        match self {
            Self::Pictures(pictures) => pictures,
            Self::Text(_) | Self::Code(_) => &[],
        }
    }
}

/// The state of a Markdown view.
#[derive(Default)]
pub struct MarkdownState {
    cache: CommonMarkCache,
    codes: Vec<CodeState>,
    textures: Textures,
}

impl std::fmt::Debug for MarkdownState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MarkdownState").finish_non_exhaustive()
    }
}

impl Markdown {
    /// Replaces pictures by their descriptions, and links of other kinds by their text and address.
    pub fn new(text: &str, budget: &mut Budget) -> Self {
        let mut end = text.floor_char_boundary(MAX_BYTES);
        let is_truncated = end < text.len();
        if is_truncated {
            end = text[..end].rfind('\n').map_or(end, |offset| offset + 1);
        }
        let mut plain = String::with_capacity(end);
        for line in text[..end].lines() {
            // Line by line, so that meaningful line breaks stay.
            for (index, part) in line.split('\t').enumerate() {
                plain.push_str(if index > 0 { "\t" } else { "" });
                plain.push_str(&shown(part));
            }
            plain.push('\n');
        }
        Self::of(&plain, is_truncated, budget)
    }

    /// The text and structure of a web page; nothing of it runs.
    pub fn of_html(page: &str, budget: &mut Budget) -> Self {
        let html::Page { markdown, cut } = html::read(page, MAX_BYTES, budget);
        Self::of(&markdown, cut, budget)
    }

    fn of(markdown: &str, is_truncated: bool, budget: &mut Budget) -> Self {
        let is_source = cost::is_too_high(markdown);
        let parts = match is_source {
            true => vec![Part::Code(highlight(markdown, "md", budget))],
            false => parts(markdown, budget),
        };
        Self { parts, is_truncated, is_source }
    }

    /// Returns the names of the files of its pictures, without folders; each may be there several times.
    pub fn picture_files(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().flat_map(Part::pictures).map(|picture| picture.file.as_str())
    }

    /// Returns whether only the beginning of the text is rendered.
    pub fn is_truncated(&self) -> bool {
        self.is_truncated
    }
}

/// Draws the text over the available width, at most `height` points high, and scrolls beyond that; its pictures by their
/// descriptions.
pub fn markdown(ui: &mut Ui, name: &str, text: &Markdown, state: &mut MarkdownState, height: f32) {
    illustrated(ui, name, text, state, height, &|_| PictureShown::Missing);
}

/// Like [`markdown`], with the pictures that `picture` returns for the names of their files.
pub fn illustrated<'a>(
    ui: &mut Ui,
    name: &str,
    markdown: &Markdown,
    state: &mut MarkdownState,
    height: f32,
    picture: &dyn Fn(&str) -> PictureShown<'a>,
) {
    let t = Tokens::of(ui);
    let frame = egui::Frame::new()
        .fill(t.panel)
        .stroke(egui::Stroke::new(1.0, t.line))
        .corner_radius(f32::from(crate::ui::theme::RADIUS))
        .inner_margin(12.0);
    frame.show(ui, |ui| {
        if markdown.is_truncated {
            ui.caption("Only the beginning of this long text is rendered. Source shows more of it.");
        }
        if markdown.is_source {
            ui.caption("Rendering this text would take too long, so its source is shown.");
        }
        ScrollArea::vertical().id_salt(name).max_height(height - 26.0).auto_shrink([false, true]).show(ui, |ui| {
            ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
                node.set_role(egui::accesskit::Role::Document);
                node.set_label(name.to_owned());
            });
            // Bold is indicated by brightness here, so other text is a little muted; bullets are close to their text.
            let ink = t.text.lerp_to_gamma(t.muted, 0.35);
            ui.visuals_mut().widgets.noninteractive.fg_stroke.color = ink;
            ui.spacing_mut().interact_size.y = 17.0;
            state.codes.resize_with(markdown.parts.len(), CodeState::default);
            state.textures.keep(|file| markdown.picture_files().any(|name| name == file));
            for (at, (part, block)) in markdown.parts.iter().zip(&mut state.codes).enumerate() {
                match part {
                    Part::Text(text) => {
                        let viewer = CommonMarkViewer::new().explicit_image_uri_scheme(true);
                        viewer.alerts(alerts::of_theme(t)).show(ui, &mut state.cache, text);
                    }
                    Part::Code(lines) => {
                        let height = (lines.line_count().min(MAX_LINES) as f32) * code::LINE + 14.0;
                        code::code(ui, &format!("Code block {}", at + 1), lines, block, height);
                    }
                    Part::Pictures(named) => {
                        named.iter().for_each(|named| state.textures.picture_ui(ui, named, &picture(&named.file)));
                    }
                }
            }
        });
    });
}

/// Returns the text without what would be fetched, split at its blocks of code and its pictures.
fn parts(text: &str, budget: &mut Budget) -> Vec<Part> {
    let replaced = replacements(text);
    let mut parts = Vec::new();
    let mut at = 0;
    for (bytes, block) in blocks(text) {
        parts.push(Part::Text(replace(text, at..bytes.start, &replaced)));
        parts.push(match block {
            Block::Code { language, lines } => Part::Code(highlight(lines, &language, budget)),
            Block::Pictures(pictures) => Part::Pictures(pictures),
        });
        at = bytes.end;
    }
    parts.push(Part::Text(replace(text, at..text.len(), &replaced)));
    parts.retain(|part| !matches!(part, Part::Text(text) if text.trim().is_empty()));
    parts
}

/// What something is replaced by.
#[derive(Clone, Copy)]
enum Replacement {
    /// The description of a picture.
    Description,
    /// The text and address of a link that is not followed.
    Words,
    /// A reference link with its address inline: parts of a text are rendered separately.
    Link,
}

/// Something to replace: its range, its text, and its address.
struct ReplacedSpan {
    bytes: Range<usize>,
    becomes: Replacement,
    words: String,
    address: String,
    depth: usize,
}

/// Returns what is to be replaced, in order.
fn replacements(text: &str) -> Vec<ReplacedSpan> {
    let mut replaced: Vec<ReplacedSpan> = Vec::new();
    let mut current: Option<ReplacedSpan> = None;
    for (event, bytes) in Parser::new_ext(text, options()).into_offset_iter() {
        match (event, &mut current) {
            (Event::Start(Tag::Image { .. } | Tag::Link { .. }), Some(outer)) => outer.depth += 1,
            (Event::End(TagEnd::Image | TagEnd::Link), Some(outer)) => {
                outer.depth -= 1;
                if outer.depth == 0 {
                    replaced.extend(current.take());
                }
            }
            (Event::Start(Tag::Image { dest_url, .. }), None) => {
                current = Some(ReplacedSpan::new(bytes, Replacement::Description, &dest_url));
            }
            (Event::Start(Tag::Link { dest_url, link_type, .. }), None) => {
                let inline = matches!(link_type, LinkType::Inline | LinkType::Autolink);
                let becomes = if is_web(&dest_url) { Replacement::Link } else { Replacement::Words };
                if !(inline && is_web(&dest_url)) {
                    current = Some(ReplacedSpan::new(bytes, becomes, &dest_url));
                }
            }
            (Event::Text(words) | Event::Code(words), Some(outer)) => outer.words.push_str(&words),
            (Event::SoftBreak | Event::HardBreak, Some(outer)) => outer.words.push(' '),
            _ => {}
        }
    }
    replaced
}

/// Returns a stretch of the text with its replacements.
fn replace(text: &str, stretch: Range<usize>, replaced: &[ReplacedSpan]) -> String {
    let mut safe = String::with_capacity(stretch.len());
    let mut at = stretch.start;
    for part in replaced.iter().filter(|part| stretch.contains(&part.bytes.start) && part.bytes.end <= stretch.end) {
        safe.push_str(&text[at..part.bytes.start]);
        part.write(&mut safe);
        at = part.bytes.end;
    }
    safe.push_str(&text[at..stretch.end]);
    safe
}

impl ReplacedSpan {
    fn new(bytes: Range<usize>, becomes: Replacement, address: &str) -> Self {
        ReplacedSpan { bytes, becomes, words: String::new(), address: address.to_owned(), depth: 1 }
    }

    fn write(&self, safe: &mut String) {
        let Self { becomes, words, address, .. } = self;
        match becomes {
            Replacement::Description => {
                let words = if words.is_empty() { address } else { words };
                push_escaped(safe, &format!("[picture: {words}]"));
            }
            Replacement::Words if words == address || address.is_empty() => push_escaped(safe, words),
            Replacement::Words => push_escaped(safe, &format!("{words} ({address})")),
            Replacement::Link => {
                safe.push('[');
                push_escaped(safe, words);
                safe.push_str("](<");
                safe.extend(address.chars().filter(|c| !matches!(c, '<' | '>' | '\\' | '\n' | '\r')));
                safe.push_str(">)");
            }
        }
    }
}

/// Appends text with everything escaped that has a meaning in Markdown.
fn push_escaped(safe: &mut String, words: &str) {
    for c in words.chars() {
        match c {
            '\n' | '\r' => safe.push(' '),
            // The renderer links bare addresses; escaping the colon prevents that.
            ':' => safe.push_str("&#58;"),
            c if c.is_ascii_punctuation() => safe.extend(['\\', c]),
            c => safe.push(c),
        }
    }
}

/// The options of the renderer (egui_commonmark, `parser_options`), so that it finds no link or picture that we did
/// not.
fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_DEFINITION_LIST
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::TokenClass;

    fn text(markdown: &Markdown) -> String {
        let text = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Code(_) | Part::Pictures(_) => String::new(),
        };
        markdown.parts.iter().map(text).collect()
    }

    /// Everything in the text that would be fetched or opened.
    fn fetches(markdown: &Markdown) -> Vec<String> {
        Parser::new_ext(&text(markdown), options())
            .filter_map(|event| match event {
                Event::Start(Tag::Image { dest_url, .. }) => Some(format!("picture {dest_url}")),
                Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.to_string()),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn a_text_that_would_take_too_long_to_draw_is_shown_as_its_source() {
        let markdown = Markdown::new(&format!("{} deep", ">".repeat(1_000)), &mut Budget::default());
        assert!(matches!(markdown.parts.as_slice(), [Part::Code(_)]), "{markdown:?}");
    }

    #[test]
    fn no_picture_is_left_in_any_spelling() {
        for source in [
            "![a](http://x/a.png)",
            "![a](file:///etc/passwd)",
            "![a][r]\n\n[r]: /a.png",
            "![r]\n\n[r]: /a.png",
            "[![badge](https://x/b.svg)](https://example.org)",
            "> ![a\nb](x.png \"t\")",
            "| ![a](x.png) |\n|---|\n| ![b](y.png) |",
            "![![in](1.png)](2.png)",
        ] {
            let safe = Markdown::new(source, &mut Budget::default());
            let left: Vec<_> = fetches(&safe).into_iter().filter(|fetch| fetch.starts_with("picture")).collect();
            assert!(left.is_empty(), "{source:?} became {:?}", text(&safe));
        }
    }

    #[test]
    fn only_pictures_in_files_and_in_a_paragraph_of_their_own_are_drawn() {
        let files = |source: &str| {
            let safe = Markdown::new(source, &mut Budget::default());
            let left = fetches(&safe).into_iter().any(|fetch| fetch.starts_with("picture"));
            assert!(!left, "{source:?} became {:?}", text(&safe));
            safe.picture_files().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(files("a\n\n![x](img/a%20b.png)\n![y](<../c.svg> \"t\")\n\nb"), ["a b.png", "c.svg"]);
        assert_eq!(files("![x][r]\n\n[r]: d.jpg?raw=1#top\n"), ["d.jpg"]);
        for source in [
            "words ![x](a.png)",
            "![x](a.png) words",
            "[![x](a.png)](https://a.example/)",
            "> ![x](a.png)",
            "- ![x](a.png)",
            "![x](http://a.example/a.png)",
            "![x](//a.example/a.png)",
            "![x](file:///etc/a.png)",
            "![x](data:image/png;base64,AA==)",
            "![x](C:\\a.png)",
            "![x](/)",
        ] {
            assert!(files(source).is_empty(), "{source:?}");
        }
    }

    #[test]
    fn only_web_links_are_left_as_links() {
        let source =
            "[a](javascript:alert(1)) [b](file:///x) [c](https://ok.example/) <javascript:x> [d](../up.md) [e](#top)";
        let safe = Markdown::new(source, &mut Budget::default());
        assert_eq!(fetches(&safe), ["https://ok.example/"]);
        assert!(text(&safe).contains("\\(javascript"), "{}", text(&safe));
    }

    #[test]
    fn a_reference_link_keeps_its_address_across_code() {
        let safe = Markdown::new(
            "See [the book][b].\n\n```\ncode\n```\n\n[b]: https://book.example/a_b\n",
            &mut Budget::default(),
        );
        assert_eq!(fetches(&safe), ["https://book.example/a_b"]);
    }

    #[test]
    fn a_web_page_is_drawn_as_markdown_is_with_its_code_apart() {
        let page = "<h1>A</h1><p><img src='https://x/a.png' alt='cat'> <a href='https://ok.example/'>b</a> \
                    <a href='file:///x'>c</a></p><pre><code class='language-rust'>fn f() {}\n</code></pre>";
        let safe = Markdown::of_html(page, &mut Budget::default());
        let [Part::Text(before), Part::Code(code)] = &safe.parts[..] else { panic!("{:?}", safe.parts) };
        assert!(before.starts_with("# A\n") && before.contains("picture: cat"), "{before}");
        assert_eq!(fetches(&safe), ["https://ok.example/"]);
        let coloured = code.runs(0).any(|(text, class)| text == "fn" && class == TokenClass::Keyword);
        assert!(coloured && !safe.is_truncated(), "{code:?}");
    }

    #[test]
    fn a_long_web_page_is_cut() {
        let safe = Markdown::of_html(&"<p>a line of text</p>".repeat(10_000), &mut Budget::default());
        assert!(safe.is_truncated() && text(&safe).len() <= MAX_BYTES);
    }

    #[test]
    fn code_stays_as_it_is() {
        let safe = Markdown::new(
            "`![a](b)`\n\n```rust\nlet v = vec![1](2);\n#![allow(x)]\n```\nafter\n",
            &mut Budget::default(),
        );
        let [Part::Text(before), Part::Code(code), Part::Text(after)] = &safe.parts[..] else {
            panic!("{:?}", safe.parts)
        };
        assert_eq!((before.trim(), after.trim()), ("`![a](b)`", "after"));
        assert_eq!(code.text(), "let v = vec![1](2);\n#![allow(x)]\n");
    }

    #[test]
    fn hidden_characters_are_written_out() {
        assert!(!text(&Markdown::new("a\u{7}b", &mut Budget::default())).contains('\u{7}'));
    }

    #[test]
    fn a_long_text_is_cut_at_a_line() {
        let safe = Markdown::new(&"a line of text\n".repeat(10_000), &mut Budget::default());
        assert!(safe.is_truncated() && text(&safe).len() <= MAX_BYTES && text(&safe).ends_with("text\n"));
    }
}
