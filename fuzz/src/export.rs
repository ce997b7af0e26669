//! Documents made of assets: whatever an asset contains, none of it becomes part of the document.
//!
//! The bytes: name, description, language, tag, website's name and address on a line each, the content after them.

use lunette_service::classify::Content;
use lunette_service::export::{Document, html, markdown, text};
use serde_json::json;

#[path = "../../crates/lunette-service/src/export/tests/walk.rs"]
mod walk;

/// The page has our own tags only, the Markdown leaves no fence open, and the text is given back as it was.
pub fn holds(data: &[u8]) {
    let mut rest = data;
    let lines: Vec<String> = (0..6)
        .map(|_| {
            let (line, after) = super::line(rest);
            rest = after;
            line
        })
        .collect();
    let [name, description, language, tag, site, url] = lines.as_slice() else { return };
    let content = String::from_utf8_lossy(rest);
    let tree = json!({ "id": tag });
    let document = Document {
        name,
        description,
        language,
        generic: language,
        content: Content::Text(&content),
        tags: vec![tag],
        websites: vec![(site, url)],
        summaries: vec![description],
        created: name,
        updated: url,
        tree: &tree,
    };
    let page = html(&document);
    for (attribute, value) in walk::walk(&page).expect("our own tags only") {
        let known = ["http://", "https://", "mailto:"].iter().any(|scheme| value.starts_with(scheme));
        assert!(attribute == "href" && known, "{attribute}={value}");
    }
    let markdown = markdown(&document);
    for shown in [&page, &markdown] {
        let turns =
            |c| matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!shown.chars().any(|c| turns(c) || c.is_control() && !matches!(c, '\n' | '\t')), "something hides");
    }
    assert_eq!(text(&document).as_deref(), Some(&*content));
}
