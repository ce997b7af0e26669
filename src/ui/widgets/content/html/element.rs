//! The meaning of each element for a document without a layout.

/// The meaning of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// Begins and ends a paragraph.
    Block,
    /// A line break.
    Break,
    /// A rule between paragraphs.
    Rule,
    /// A heading, from 1 to 6.
    Heading(u8),
    /// A list; whether its items are numbered.
    List { numbered: bool },
    /// An item of a list.
    Item,
    /// A term that the following descriptions belong to.
    Term,
    /// The description of a term.
    Description,
    /// A block quote.
    Quote,
    /// Text whose line breaks count, usually code.
    Preformatted,
    /// A table.
    Table,
    /// A row of a table.
    Row,
    /// A cell; whether it is a header cell.
    Cell { heads: bool },
    /// Styled text.
    Styled(Emphasis),
    /// An inline quotation.
    Quotation,
    /// Superscript, such as an exponent.
    Raised,
    /// A link.
    Link,
    /// A picture.
    Picture,
    /// Metadata elements.
    Head,
    /// The title of the document.
    Title,
    /// Elements of the head that do not end it: links to styles, scripts.
    Metadata,
    /// The document itself.
    Body,
    /// An element whose contents are not shown.
    Hidden,
    /// An element without a meaning here: its text is shown.
    Inline,
}

/// A style of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Emphasis {
    /// Strong importance.
    Strong,
    /// Emphasis.
    Stress,
    /// Deleted text.
    Deleted,
    /// Code.
    Code,
}

/// The longest name in [`ELEMENTS`].
const MAX_NAME: usize = 10;

const ELEMENTS: &[(Element, &[&str])] = &[
    (Element::Inline, &["span", "font", "label", "button", "small", "sub", "time", "u", "mark", "abbr"]),
    (Element::Link, &["a"]),
    (
        Element::Block,
        &[
            "p",
            "div",
            "section",
            "article",
            "header",
            "footer",
            "main",
            "nav",
            "aside",
            "figure",
            "figcaption",
            "address",
            "form",
            "fieldset",
            "legend",
            "details",
            "summary",
            "hgroup",
            "center",
            "caption",
            "dialog",
            "option",
            "optgroup",
            "select",
            "textarea",
            "xmp",
            "plaintext",
            "search",
            "thead",
            "tbody",
            "tfoot",
        ],
    ),
    (Element::Break, &["br"]),
    (Element::Rule, &["hr"]),
    (Element::Heading(1), &["h1"]),
    (Element::Heading(2), &["h2"]),
    (Element::Heading(3), &["h3"]),
    (Element::Heading(4), &["h4"]),
    (Element::Heading(5), &["h5"]),
    (Element::Heading(6), &["h6"]),
    (Element::List { numbered: true }, &["ol"]),
    (Element::List { numbered: false }, &["ul", "menu", "dir", "dl"]),
    (Element::Item, &["li"]),
    (Element::Term, &["dt"]),
    (Element::Description, &["dd"]),
    (Element::Quote, &["blockquote"]),
    (Element::Preformatted, &["pre", "listing"]),
    (Element::Table, &["table"]),
    (Element::Row, &["tr"]),
    (Element::Cell { heads: false }, &["td"]),
    (Element::Cell { heads: true }, &["th"]),
    (Element::Styled(Emphasis::Strong), &["b", "strong"]),
    (Element::Styled(Emphasis::Stress), &["i", "em", "cite", "dfn", "var"]),
    (Element::Styled(Emphasis::Deleted), &["s", "strike", "del"]),
    (Element::Styled(Emphasis::Code), &["code", "kbd", "samp", "tt"]),
    (Element::Quotation, &["q"]),
    (Element::Raised, &["sup"]),
    (Element::Picture, &["img", "image"]),
    (Element::Head, &["head"]),
    (Element::Title, &["title"]),
    (Element::Metadata, &["meta", "link", "base", "script", "style", "noscript"]),
    (Element::Body, &["body", "html"]),
    (Element::Hidden, &["template", "svg"]),
];

impl Element {
    /// Returns the element with this name, ignoring case.
    pub fn of(name: &str) -> Self {
        if name.len() > MAX_NAME {
            return Self::Inline;
        }
        let is = |known: &&str| known.eq_ignore_ascii_case(name);
        ELEMENTS.iter().find(|(_, names)| names.iter().any(is)).map_or(Self::Inline, |(element, _)| *element)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_any_case_and_once() {
        assert_eq!(Element::of("BlockQuote"), Element::Quote);
        assert_eq!(Element::of("my-element"), Element::Inline);
        let mut names: Vec<_> = ELEMENTS.iter().flat_map(|(_, names)| names.iter()).collect();
        assert_eq!(names.iter().map(|name| name.len()).max(), Some(MAX_NAME));
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
