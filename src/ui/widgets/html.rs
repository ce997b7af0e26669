//! HTML read as a document, and written as Markdown: the text and its structure, and nothing that runs or is fetched.
//!
//! No page is laid out here. Tags are read one after the other, as a browser's tokenizer does
//! (<https://html.spec.whatwg.org/multipage/parsing.html#tokenization>), and a few counters stand for the tree. What
//! Markdown cannot say is said by text: a picture by its description, a table made for layout by what is in it.
//!
//! What must hold, whatever the text: no panic, no recursion, time linear in the length, at most [`MOST_INPUT`] bytes
//! read and about as many written as was allowed; nothing of the text becomes markup that its HTML does not say; scripts,
//! styles and templates are never shown; hidden and direction-changing characters are seen.

mod block;
mod element;
mod inline;
mod markdown;
mod preformatted;
mod reader;
mod reference;
mod table;
#[cfg(test)]
mod tests;
mod token;

use lunette_syntax::Budget;

/// No more than this is read of a text, in bytes.
const MOST_INPUT: usize = 8 * 1024 * 1024;

/// An HTML document as Markdown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The text in CommonMark with tables and strikethrough. Code stands in fences.
    pub markdown: String,
    /// Whether the document goes on where this ends.
    pub cut: bool,
}

/// Reads HTML until about `most_bytes` of Markdown are made, or the budget is used up.
pub fn read(html: &str, most_bytes: usize, budget: &mut Budget) -> Page {
    let input = &html[..html.floor_char_boundary(MOST_INPUT)];
    let (blocks, cut) = reader::blocks(input, most_bytes, budget);
    Page { markdown: markdown::write(&blocks), cut: cut || input.len() < html.len() }
}

/// Whether an address is one of the web, which may be linked to.
pub fn is_web(address: &str) -> bool {
    let address = address.trim_start();
    ["http://", "https://"]
        .iter()
        .any(|scheme| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}
