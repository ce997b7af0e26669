//! Links, and pictures as their descriptions.

use std::rc::Rc;

use percent_encoding::{NON_ALPHANUMERIC, percent_encode};

use lunette_client::model::display::{Breaks, beginning, display_text, is_hidden};

use super::super::is_web;
use super::super::reference::decode;
use super::super::token::Tag;
use super::Reader;

/// An address longer than this, in bytes, is not linked to.
const MOST_ADDRESS: usize = 2_000;
/// How much is shown of an address, in characters.
const MOST_SHOWN: usize = 200;

/// A link that is not to be followed: its address is shown behind its text.
#[derive(Debug)]
pub(super) struct PlainLink {
    address: String,
    /// How much there was before it.
    before: (usize, usize),
}

impl Reader<'_> {
    pub(super) fn start_link(&mut self, tag: &Tag<'_>) {
        self.end_link();
        let Some(address) = tag.attribute("href") else { return };
        let address = decode(beginning_of(address));
        let address = address.trim();
        if is_web(address) && address.len() <= MOST_ADDRESS {
            self.link = Some(Rc::from(destination(address)));
        } else if !address.is_empty() && !address.starts_with('#') {
            let address = beginning(address, MOST_SHOWN).into_owned();
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

    pub(super) fn picture(&mut self, tag: &Tag<'_>) {
        let described = tag.attribute("alt").map(|alternative| decode(beginning_of(alternative)));
        match described.as_deref().map(str::trim) {
            // It says nothing that the text does not.
            Some("") => {}
            Some(words) => self.push_text(&format!("[picture: {words}]")),
            None => {
                let address = tag.attribute("src").map(|address| decode(beginning_of(address))).unwrap_or_default();
                let address = address.trim();
                let is_data = address.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
                if address.is_empty() || is_data {
                    self.push_text("[picture]");
                } else {
                    self.push_text(&format!("[picture: {}]", beginning(address, MOST_SHOWN)));
                }
            }
        }
    }

    /// How many blocks there are, and how many bytes of text behind them.
    fn read_so_far(&self) -> (usize, usize) {
        (self.blocks.len(), self.line.len())
    }
}

/// So much of a value that no more of it is needed.
fn beginning_of(value: &str) -> &str {
    &value[..value.floor_char_boundary(8 * MOST_ADDRESS)]
}

/// An address as it stands in a link of Markdown, between `<` and `>`.
fn destination(address: &str) -> String {
    let mut destination = String::with_capacity(address.len());
    for c in address.chars() {
        if c == '&' {
            // References are read there, too.
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
