//! Links, and pictures as their descriptions.

use std::rc::Rc;

use percent_encoding::{NON_ALPHANUMERIC, percent_encode};

use lunette_client::model::display::{Breaks, beginning, display_text, is_hidden};

use super::super::is_web;
use super::{Reader, Tag, attribute};

/// Maximum length of a linked address, in bytes.
const MAX_ADDRESS: usize = 2_000;
/// Maximum number of characters shown of an address.
const MAX_SHOWN: usize = 200;

/// A link that is not followed: its address is shown after its text.
#[derive(Debug)]
pub(super) struct PlainLink {
    address: String,
    /// How much there was before it.
    before: (usize, usize),
}

impl Reader {
    pub(super) fn start_link(&mut self, tag: &Tag) {
        self.end_link();
        let Some(address) = attribute(tag, "href") else { return };
        let address = beginning_of(&address).trim();
        if is_web(address) && address.len() <= MAX_ADDRESS {
            self.link = Some(Rc::from(destination(address)));
        } else if !address.is_empty() && !address.starts_with('#') {
            let address = beginning(address, MAX_SHOWN).into_owned();
            self.plain_link = Some(PlainLink { address, before: self.read_so_far() });
        }
    }

    pub(super) fn end_link(&mut self) {
        self.link = None;
        let Some(PlainLink { address, before }) = self.plain_link.take() else { return };
        let shown = display_text(&address, Breaks::Escaped);
        let words = shown.strip_prefix("mailto:").unwrap_or(&shown);
        if before != self.read_so_far() && !self.line.is_empty() && !self.line.ends_with(words) {
            self.push_text(&format!(" ({address})"));
        }
    }

    pub(super) fn picture(&mut self, tag: &Tag) {
        let described = attribute(tag, "alt");
        match described.as_deref().map(|words| beginning_of(words).trim()) {
            // It says nothing that the text does not.
            Some("") => {}
            Some(words) => self.push_text(&format!("[picture: {words}]")),
            None => {
                let address = attribute(tag, "src").unwrap_or_default();
                let address = beginning_of(&address).trim();
                let is_data = address.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
                if address.is_empty() || is_data {
                    self.push_text("[picture]");
                } else {
                    self.push_text(&format!("[picture: {}]", beginning(address, MAX_SHOWN)));
                }
            }
        }
    }

    /// Returns the number of blocks, and the bytes of text after them.
    fn read_so_far(&self) -> (usize, usize) {
        (self.blocks.len(), self.line.len())
    }
}

/// Returns the beginning of a value, as much as can be needed.
fn beginning_of(value: &str) -> &str {
    &value[..value.floor_char_boundary(8 * MAX_ADDRESS)]
}

/// Returns an address as written in a Markdown link, between `<` and `>`.
fn destination(address: &str) -> String {
    let mut destination = String::with_capacity(address.len());
    for c in address.chars() {
        if c == '&' {
            // References are decoded there too.
            destination.push_str("&amp;");
        } else if is_hidden(c) || c.is_whitespace() || matches!(c, '<' | '>' | '\\' | '|') {
            let mut bytes = [0; 4];
            destination.extend(percent_encode(c.encode_utf8(&mut bytes).as_bytes(), NON_ALPHANUMERIC));
        } else {
            destination.push(c);
        }
    }
    destination
}
