//! The receipt as a page of HTML, in the light and the dark colours of the browser.
//!
//! What must hold: it names nothing outside of itself; what a service sent is shown as text.

use crate::rescue::receipt::{KindReceipt, Receipt};
use lunette_client::model::display::Breaks;
use lunette_client::model::escape::html;
use lunette_client::model::size::grouped;

const STYLE: &str = "\
    :root{color-scheme:light dark}\
    body{font:15px/1.5 system-ui,sans-serif;max-width:72em;margin:2em auto;padding:0 1em}\
    h1{font-size:1.5em;margin:0;overflow-wrap:anywhere}h2{font-size:1.15em;margin:2em 0 .5em}\
    p{margin:.4em 0}dl{display:grid;grid-template-columns:max-content 1fr;gap:.1em 1em;margin:1em 0}\
    dt{opacity:.75}dd{margin:0;overflow-wrap:anywhere}\
    .result{font-weight:600;margin:1em 0;padding:.5em .8em;border-left:.3em solid}\
    .whole{border-color:#1a8f3c}.parts{border-color:#c77700}\
    .wide{overflow-x:auto}table{border-collapse:collapse;width:100%}\
    th,td{padding:.3em .7em;text-align:left;vertical-align:top;border-bottom:1px solid #8886}\
    thead th{border-bottom:2px solid #888}tbody th{font-weight:600;white-space:nowrap}\
    .n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.note{opacity:.75}\
    thead .n{white-space:normal}td code{white-space:nowrap;font-size:.8em}\
    .some{font-weight:700}code{font:.85em ui-monospace,monospace;overflow-wrap:anywhere}";

impl Receipt {
    /// The receipt as a page that names nothing outside of itself.
    pub fn html(&self) -> String {
        let named: usize = self.kinds.iter().map(|kind| kind.named).sum();
        let (all, missing) = (number(named), self.missing());
        let (class, result) = match missing {
            0 => ("whole", format!("All {all} records were received; what is stored was read back and is equal.")),
            _ => ("parts", format!("{} of {all} records are missing or different.", number(missing))),
        };
        let rows: String = self.kinds.iter().map(KindReceipt::row).collect();
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width\"><title>Receipt of a rescue</title><style>{STYLE}</style></head><body>\n\
             <h1>Receipt of the rescue from {}</h1>\n<p class=\"result {class}\">{result}</p>\n<dl><dt>Written</dt>\
             <dd>{}</dd><dt>SHA-256</dt><dd><code>{}</code></dd></dl>\n<div class=\"wide\"><table><thead><tr><th>Kind</th>\
             <th class=\"n\">Named</th><th class=\"n\">Received</th><th class=\"n\">Stored</th><th class=\"n\">Equal</th>\
             <th class=\"n\">Missing or different</th><th>SHA-256 of what was received</th></tr></thead><tbody>\n{rows}\
             </tbody></table></div>\n<h2>Missing or different</h2>\n{}\n{}</body></html>\n",
            shown(&self.from),
            shown(&time(&self.at)),
            self.sha256,
            self.missing_html(),
            self.stored_as_html(),
        )
    }

    /// What is missing or different.
    fn missing_html(&self) -> String {
        let missing = self.kinds.iter().flat_map(|kind| kind.missing.iter().map(move |missing| (kind.kind, missing)));
        let rows: String =
            missing.map(|(kind, missing)| row([kind, &code(&missing.id), &shown(&missing.reason)])).collect();
        match rows.is_empty() {
            true => "<p>Nothing is missing.</p>".to_owned(),
            false => table(["Kind", "Id", "Reason"], &rows),
        }
    }

    /// What was here before under another id.
    fn stored_as_html(&self) -> String {
        let mapped = self.kinds.iter().flat_map(|kind| kind.stored_as.iter().map(move |mapped| (kind.kind, mapped)));
        let rows: String = mapped.map(|(kind, mapped)| row([kind, &code(&mapped.id), &code(&mapped.here)])).collect();
        match rows.is_empty() {
            true => String::new(),
            false => {
                format!("<h2>Stored under another id</h2>\n{}", table(["Kind", "Id there", "Id here"], &rows))
            }
        }
    }
}

impl KindReceipt {
    /// Its row of the page.
    fn row(&self) -> String {
        let count = |count: usize| format!("<td class=\"n\">{}</td>", number(count));
        let Self { kind, named, received, sha256, .. } = self;
        if let Some(why) = self.absent.as_ref().filter(|_| *received == 0) {
            return format!(
                "<tr><th>{kind}</th><td class=\"note\" colspan=\"6\">not offered ({})</td></tr>\n",
                shown(why)
            );
        }
        let stored = match (self.stored, self.equal) {
            (Some(stored), Some(equal)) => count(stored) + &count(equal),
            _ => "<td class=\"n note\" colspan=\"2\">kept as received</td>".to_owned(),
        };
        let some = if self.missing.is_empty() { "" } else { " some" };
        format!(
            "<tr><th>{kind}</th>{}{}{stored}<td class=\"n{some}\">{}</td><td>{}</td></tr>\n",
            count(*named),
            count(*received),
            number(self.missing.len()),
            code(sha256)
        )
    }
}

fn table(heads: [&str; 3], rows: &str) -> String {
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    format!("<div class=\"wide\"><table><thead><tr>{heads}</tr></thead><tbody>\n{rows}</tbody></table></div>\n")
}

/// A row whose cells are HTML.
fn row([kind, one, other]: [&str; 3]) -> String {
    format!("<tr><th>{kind}</th><td>{one}</td><td>{other}</td></tr>\n")
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", shown(text))
}

fn shown(text: &str) -> String {
    html(text, Breaks::Kept)
}

fn number(count: usize) -> String {
    grouped(count as u64)
}

/// A time to the second.
fn time(at: &str) -> String {
    let parsed = at.parse::<jiff::Timestamp>();
    parsed.map_or_else(|_| at.to_owned(), |at| at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
}
