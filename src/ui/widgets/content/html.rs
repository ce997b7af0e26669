//! Reads HTML as a document and writes it as Markdown: text and structure, nothing that runs or is fetched.
//!
//! No page is laid out. `html5gum` splits the text into tags and text as a browser does, and a few counters replace the
//! tree. What Markdown cannot express becomes text: a picture its description, a layout table its contents.
//!
//! What must hold, whatever the text: no panic, no recursion, linear time, at most `MAX_INPUT` bytes read and about
//! as many written as allowed; no text becomes markup that its HTML does not have; scripts, styles and templates are
//! never shown; hidden and direction-changing characters are visible.

mod block;
mod element;
mod inline;
mod markdown;
mod preformatted;
mod reader;
mod table;
#[cfg(test)]
mod tests;

use lunette_syntax::Budget;

/// Maximum number of bytes read of a text.
const MAX_INPUT: usize = 8 * 1024 * 1024;

/// An HTML document as Markdown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The text in CommonMark with tables and strikethrough. Code is fenced.
    pub markdown: String,
    /// Whether the document was truncated.
    pub cut: bool,
}

/// Reads HTML until about `most_bytes` of Markdown are written, or the budget is used up.
pub fn read(html: &str, most_bytes: usize, budget: &mut Budget) -> Page {
    let input = &html[..html.floor_char_boundary(MAX_INPUT)];
    let (blocks, cut) = reader::blocks(input, most_bytes, budget);
    Page { markdown: markdown::write(&blocks), cut: cut || input.len() < html.len() }
}

/// Returns whether a URL is a web address, which may be linked to.
pub fn is_web(address: &str) -> bool {
    let address = address.trim_start();
    ["http://", "https://"]
        .iter()
        .any(|scheme| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}
