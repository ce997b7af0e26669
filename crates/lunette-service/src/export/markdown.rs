//! The Markdown document.

use crate::classify::Content;
use lunette_client::model::display::{Breaks, display_text};
use lunette_client::model::escape::{markdown, markdown_within};
use lunette_client::model::size::size;

use super::link::link;
use super::{Document, data_url, hex, picture_type, token};

/// One whole document.
pub(super) fn document(document: &Document<'_>) -> String {
    let mut page = format!("# {}\n\n", markdown(document.title(), Breaks::Spaced));
    for line in document.description.trim().lines() {
        page.push_str(&format!("> {}\n", markdown(line, Breaks::Spaced)));
    }
    if !document.description.trim().is_empty() {
        page.push('\n');
    }
    for (name, value) in document.facts() {
        page.push_str(&format!("- **{name}:** {}\n", markdown_within(&value, Breaks::Spaced)));
    }
    if !document.tags.is_empty() {
        let tags: Vec<_> = document.tags.iter().map(|tag| markdown_within(tag, Breaks::Spaced)).collect();
        page.push_str(&format!("- **Tags:** {}\n", tags.join(", ")));
    }
    page.push('\n');
    page.push_str(&content(document));
    page.push_str(&links(document));
    page
}

fn content(document: &Document<'_>) -> String {
    match document.content {
        Content::Text("") => "This asset is empty.\n".to_owned(),
        Content::Text(text) => fenced(&display_text(text, Breaks::Kept), token(document.language)),
        Content::Bytes(bytes) => match picture_type(bytes) {
            Some(media_type) => {
                format!("![{}]({})\n", markdown(document.title(), Breaks::Spaced), data_url(media_type, bytes))
            }
            None => {
                let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
                let message = format!("{} of binary data; only the beginning is shown.\n\n", size(length));
                message + &fenced(&hex(bytes), "")
            }
        },
    }
}

/// A block of code in a fence longer than any run of backticks in it.
fn fenced(text: &str, token: &str) -> String {
    let (mut longest, mut run) = (2, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{token}\n{text}{end}{fence}\n")
}

fn links(document: &Document<'_>) -> String {
    let mut sections = String::new();
    if !document.websites.is_empty() {
        sections.push_str("\n## Websites\n\n");
        for (name, address) in &document.websites {
            let name = markdown(if name.trim().is_empty() { address } else { name }, Breaks::Spaced);
            sections.push_str(&match link(address) {
                Some(to) => format!("- [{name}](<{}>)\n", destination(&to)),
                None => format!("- {name}: {}\n", markdown(address, Breaks::Spaced)),
            });
        }
    }
    if !document.summaries.is_empty() {
        sections.push_str("\n## Workstream summaries\n\n");
        for name in &document.summaries {
            sections.push_str(&format!("- {}\n", markdown(name, Breaks::Spaced)));
        }
    }
    sections
}

/// An address in a link. Entities are read there, too; and brackets, which are harmless between `<` and `>`, are not
/// for every reader. Those of a host such as `[::1]` have to stay.
fn destination(address: &str) -> String {
    let path = address.find("://").and_then(|offset| address[offset + 3..].find('/').map(|length| offset + 3 + length));
    let (host, path) = address.split_at(path.unwrap_or_default());
    let path = path.replace('(', "%28").replace(')', "%29").replace('[', "%5B").replace(']', "%5D");
    format!("{host}{path}").replace('&', "&amp;")
}
