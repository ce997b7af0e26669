//! Markdown as it is meant to be read, and nothing fetched for it.
//!
//! What must hold: a text from elsewhere loads no picture, from a file or from the net, and opens nothing but `http`
//! and `https` links, each shown in full before it is followed. Both are taken out of the text before it is drawn.

use super::shown;
use crate::ui::theme::{Tokens, UiExt as _};
use egui::{ScrollArea, Ui};
use egui_commonmark::{CommonMarkCache, CommonMarkViewer};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// Only this much of a text is rendered, in bytes.
pub const MOST_BYTES: usize = 64 * 1024;

/// A text made safe to render. Making it takes some milliseconds for a long one, so it belongs off the window's thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markdown {
    text: String,
    cut: bool,
}

/// What a view of Markdown remembers.
#[derive(Default)]
pub struct MarkdownState {
    cache: CommonMarkCache,
}

impl std::fmt::Debug for MarkdownState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MarkdownState").finish_non_exhaustive()
    }
}

impl Markdown {
    /// Replaces pictures by their descriptions and links of other kinds by their text and address.
    pub fn new(text: &str) -> Self {
        let mut end = text.floor_char_boundary(MOST_BYTES);
        let cut = end < text.len();
        if cut {
            end = text[..end].rfind('\n').map_or(end, |place| place + 1);
        }
        let mut plain = String::with_capacity(end);
        for line in text[..end].lines() {
            // Line by line, so that the breaks that mean something stay.
            for (place, part) in line.split('\t').enumerate() {
                plain.push_str(if place > 0 { "\t" } else { "" });
                plain.push_str(&shown(part));
            }
            plain.push('\n');
        }
        Markdown { text: without_fetches(&plain), cut }
    }

    /// What is rendered.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether only the beginning of the text is rendered.
    pub fn cut(&self) -> bool {
        self.cut
    }
}

/// Draws the text over the width there is, at most `height` points high, and scrolls beyond that.
pub fn markdown(ui: &mut Ui, name: &str, markdown: &Markdown, state: &mut MarkdownState, height: f32) {
    let t = Tokens::of(ui);
    let frame = egui::Frame::new()
        .fill(t.panel)
        .stroke(egui::Stroke::new(1.0, t.line))
        .corner_radius(f32::from(crate::ui::theme::RADIUS))
        .inner_margin(12.0);
    frame.show(ui, |ui| {
        if markdown.cut {
            ui.caption("Only the beginning of this long text is rendered; the code view shows all of it.");
        }
        ScrollArea::vertical().id_salt(name).max_height(height - 26.0).auto_shrink([false, true]).show(ui, |ui| {
            ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
                node.set_role(egui::accesskit::Role::Document);
                node.set_label(name.to_owned());
            });
            // Bold is told by brightness here, so what is not bold stands back a little; bullets stand by their text.
            let ink = t.text.lerp_to_gamma(t.muted, 0.35);
            ui.visuals_mut().widgets.noninteractive.fg_stroke.color = ink;
            ui.spacing_mut().interact_size.y = 17.0;
            CommonMarkViewer::new().explicit_image_uri_scheme(true).show(ui, &mut state.cache, &markdown.text);
        });
    });
}

/// One thing to replace: where it stands, what it said, and where it pointed.
struct Replaced {
    bytes: Range<usize>,
    picture: bool,
    words: String,
    address: String,
    depth: usize,
}

fn without_fetches(text: &str) -> String {
    let mut replaced: Vec<Replaced> = Vec::new();
    let mut current: Option<Replaced> = None;
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
                current = Some(Replaced::new(bytes, true, &dest_url));
            }
            (Event::Start(Tag::Link { dest_url, .. }), None) if !is_web(&dest_url) => {
                current = Some(Replaced::new(bytes, false, &dest_url));
            }
            (Event::Text(words) | Event::Code(words), Some(outer)) => outer.words.push_str(&words),
            (Event::SoftBreak | Event::HardBreak, Some(outer)) => outer.words.push(' '),
            _ => {}
        }
    }
    let mut safe = String::with_capacity(text.len());
    let mut at = 0;
    for part in replaced {
        safe.push_str(&text[at..part.bytes.start]);
        part.write(&mut safe);
        at = part.bytes.end;
    }
    safe.push_str(&text[at..]);
    safe
}

impl Replaced {
    fn new(bytes: Range<usize>, picture: bool, address: &str) -> Self {
        Replaced { bytes, picture, words: String::new(), address: address.to_owned(), depth: 1 }
    }

    fn write(&self, safe: &mut String) {
        let Self { picture, words, address, .. } = self;
        if *picture {
            let words = if words.is_empty() { address } else { words };
            push_escaped(safe, &format!("[picture: {words}]"));
        } else if words == address || address.is_empty() {
            push_escaped(safe, words);
        } else {
            push_escaped(safe, &format!("{words} ({address})"));
        }
    }
}

/// Text in which nothing means anything to Markdown.
fn push_escaped(safe: &mut String, words: &str) {
    for c in words.chars() {
        match c {
            '\n' | '\r' => safe.push(' '),
            // Bare addresses are made links by the renderer: the colon is written so that it is not one.
            ':' => safe.push_str("&#58;"),
            c if c.is_ascii_punctuation() => safe.extend(['\\', c]),
            c => safe.push(c),
        }
    }
}

fn is_web(address: &str) -> bool {
    let address = address.trim_start();
    ["http://", "https://"]
        .iter()
        .any(|scheme| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

/// Just what the renderer reads (egui_commonmark, `parser_options`), so that it finds no link or picture we did not.
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

    /// Everything in the text that would be fetched or opened.
    fn fetches(markdown: &Markdown) -> Vec<String> {
        Parser::new_ext(markdown.text(), options())
            .filter_map(|event| match event {
                Event::Start(Tag::Image { dest_url, .. }) => Some(format!("picture {dest_url}")),
                Event::Start(Tag::Link { dest_url, .. }) => Some(dest_url.to_string()),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn no_picture_is_left_in_any_spelling() {
        for text in [
            "![a](http://x/a.png)",
            "![a](file:///etc/passwd)",
            "![a][r]\n\n[r]: /a.png",
            "![r]\n\n[r]: /a.png",
            "[![badge](https://x/b.svg)](https://example.org)",
            "> ![a\nb](x.png \"t\")",
            "| ![a](x.png) |\n|---|\n| ![b](y.png) |",
            "![![in](1.png)](2.png)",
        ] {
            let safe = Markdown::new(text);
            let left: Vec<_> = fetches(&safe).into_iter().filter(|fetch| fetch.starts_with("picture")).collect();
            assert!(left.is_empty(), "{text:?} became {:?}", safe.text());
        }
    }

    #[test]
    fn only_web_links_are_left_as_links() {
        let text =
            "[a](javascript:alert(1)) [b](file:///x) [c](https://ok.example/) <javascript:x> [d](../up.md) [e](#top)";
        let safe = Markdown::new(text);
        assert_eq!(fetches(&safe), ["https://ok.example/"]);
        assert!(safe.text().contains("\\(javascript"), "{}", safe.text());
    }

    #[test]
    fn code_stays_as_it_is() {
        let text = "```rust\nlet v = vec![1](2);\n#![allow(x)]\n```\n`![a](b)`\n";
        assert_eq!(Markdown::new(text).text(), text);
    }

    #[test]
    fn hidden_characters_are_written_out() {
        assert!(!Markdown::new("a\u{7}b").text().contains('\u{7}'));
    }

    #[test]
    fn a_long_text_is_cut_at_a_line() {
        let safe = Markdown::new(&"a line of text\n".repeat(10_000));
        assert!(safe.cut() && safe.text().len() <= MOST_BYTES && safe.text().ends_with("text\n"));
    }
}
