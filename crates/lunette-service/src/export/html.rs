//! The web page.

use crate::classify::Content;
use lunette_client::model::display::{Breaks, display_text};
use lunette_client::model::escape::{html, push_html};
use lunette_client::model::size::size;
use lunette_syntax::Budget;

use super::link::link;
use super::{Document, data_url, hex, highlight, picture_type, token};

const STYLE: &str = include_str!("../../assets/export.css");

/// The policy of the page: nothing is loaded, nothing runs.
pub(super) const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/// One whole page.
pub(super) fn page(document: &Document<'_>) -> String {
    let title = html(document.title(), Breaks::Spaced);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"generator\" content=\"Lunette\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
    );
    page.push_str(&header(document, &title));
    page.push_str("<section>\n");
    page.push_str(&content(document));
    page.push_str("</section>\n");
    page.push_str(&links(document));
    page.push_str(&footer(document));
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn header(document: &Document<'_>, title: &str) -> String {
    let line = |text: &str| html(text, Breaks::Spaced);
    let mut header =
        format!("<header>\n<p class=\"kind\">{}</p>\n<h1 dir=\"auto\">{title}</h1>\n", line(document.language_name()));
    if !document.description.trim().is_empty() {
        let about = html(document.description.trim(), Breaks::Kept);
        header.push_str(&format!("<p class=\"about\" dir=\"auto\">{about}</p>\n"));
    }
    header.push_str("<dl>\n");
    for (name, value) in document.facts().into_iter().skip(1) {
        header.push_str(&format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", line(&value)));
    }
    header.push_str("</dl>\n");
    if !document.tags.is_empty() {
        let tags = document.tags.iter().map(|tag| format!("<li dir=\"auto\">{}</li>\n", line(tag)));
        header.push_str(&format!("<ul class=\"tags\">\n{}</ul>\n", tags.collect::<String>()));
    }
    header.push_str("</header>\n");
    header
}

fn content(document: &Document<'_>) -> String {
    match document.content {
        Content::Text("") => "<p class=\"note\">This asset is empty.</p>\n".to_owned(),
        Content::Text(text) if document.generic == "CODE" || matches!(document.language, "md" | "markdown" | "csv") => {
            code(text, document.language)
        }
        Content::Text(text) => {
            format!("<pre class=\"prose\" dir=\"auto\">{}</pre>\n", after_pre(html(text, Breaks::Kept)))
        }
        Content::Bytes(bytes) => match picture_type(bytes) {
            Some(media_type) => {
                let alternative = html(document.title(), Breaks::Spaced);
                format!("<figure><img src=\"{}\" alt=\"{alternative}\"></figure>\n", data_url(media_type, bytes))
            }
            None => binary(bytes),
        },
    }
}

/// A line break right after `<pre>` is not shown by browsers: a text that begins with one needs another.
fn after_pre(text: String) -> String {
    if text.starts_with('\n') { format!("\n{text}") } else { text }
}

fn code(text: &str, specific: &str) -> String {
    let shown = display_text(text, Breaks::Kept);
    let highlight::Coloured { html: lines, rest } = highlight::colour(&shown, specific, &mut Budget::default());
    // So that programs that read the page can colour it in their own way.
    let class = match token(specific) {
        "" => String::new(),
        token => format!(" class=\"language-{token}\""),
    };
    let mut code = format!("<pre class=\"numbered\"><code{class}>{lines}</code></pre>\n");
    if !rest.is_empty() {
        let mut escaped = String::with_capacity(rest.len());
        push_html(&mut escaped, rest);
        code.push_str("<p class=\"note\">The rest is shown without highlighting.</p>\n");
        code.push_str(&format!("<pre><code{class}>{}</code></pre>\n", after_pre(escaped)));
    }
    code
}

fn binary(bytes: &[u8]) -> String {
    let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    format!(
        "<p class=\"note\">{} of binary data; only the beginning is shown. Export it as RAW for all of \
         it.</p>\n<pre><code>{}</code></pre>\n",
        size(length),
        html(&hex(bytes), Breaks::Kept)
    )
}

fn links(document: &Document<'_>) -> String {
    let line = |text: &str| html(text, Breaks::Spaced);
    let mut sections = String::new();
    if !document.websites.is_empty() {
        sections.push_str("<section>\n<h2>Websites</h2>\n<ul class=\"links\">\n");
        for (name, address) in &document.websites {
            let name = if name.trim().is_empty() { address } else { name };
            sections.push_str(&match link(address) {
                Some(to) => format!(
                    "<li dir=\"auto\"><a href=\"{}\" rel=\"noopener noreferrer nofollow\">{}</a> <span>{}</span></li>\n",
                    line(&to),
                    line(name),
                    line(address)
                ),
                None => format!("<li dir=\"auto\">{} <span>{}</span></li>\n", line(name), line(address)),
            });
        }
        sections.push_str("</ul>\n</section>\n");
    }
    if !document.summaries.is_empty() {
        sections.push_str("<section>\n<h2>Workstream summaries</h2>\n<ul class=\"links\">\n");
        for name in &document.summaries {
            sections.push_str(&format!("<li dir=\"auto\">{}</li>\n", line(name)));
        }
        sections.push_str("</ul>\n</section>\n");
    }
    sections
}

fn footer(document: &Document<'_>) -> String {
    match document.id() {
        "" => "<footer>Exported by Lunette</footer>\n".to_owned(),
        id => format!("<footer>Exported by Lunette · {}</footer>\n", html(id, Breaks::Spaced)),
    }
}
