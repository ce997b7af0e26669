//! What is printed of a row: a line of cells, or a record.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};

use lunette_client::model::{size, time};
use lunette_inspector::listing::rows::{ApplicationRow, AssetRow, ExternalRow, Label, LinkRow};

/// A row that can be printed.
pub(in crate::cli) trait Listed {
    /// The columns of a line.
    const COLUMNS: &'static [Head];

    /// Returns one line, with one cell per column.
    fn cells(&self) -> Vec<Cell>;

    /// Returns the whole row as a record.
    fn json(&self) -> Value;
}

/// A column of a line.
pub(in crate::cli) struct Head {
    pub title: &'static str,
    pub kind: Kind,
}

/// How a column is printed on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Kind {
    /// Cut if a line is too long.
    Text,
    /// Never cut.
    Fixed,
    /// Never cut, and aligned on the right.
    Figures,
    /// An id, of which as much of its end is printed as tells the rows apart.
    Id,
}

/// A field of a row.
pub(in crate::cli) struct Cell {
    /// The complete text.
    pub whole: String,
    /// The text for people, if it differs.
    pub display: Option<String>,
}

pub(in crate::cli) const fn text(title: &'static str) -> Head {
    Head { title, kind: Kind::Text }
}

pub(in crate::cli) const fn fixed(title: &'static str) -> Head {
    Head { title, kind: Kind::Fixed }
}

pub(in crate::cli) const fn figures(title: &'static str) -> Head {
    Head { title, kind: Kind::Figures }
}

pub(in crate::cli) const ID: Head = Head { title: "ID", kind: Kind::Id };

pub(in crate::cli) const APPLICATIONS: &[Head] = &[
    text("NAME"),
    text("VERSION"),
    text("PLATFORM"),
    text("STATUS"),
    figures("SESSIONS"),
    figures("EVENTS"),
    figures("LAST ACTIVE"),
    ID,
];

pub(in crate::cli) const EXTERNAL: &[Head] = &[text("NAME"), text("VERSION"), text("STATE"), text("INTEGRATION")];

pub(in crate::cli) const ASSETS: &[Head] =
    &[text("NAME"), text("LANGUAGE"), text("TAGS"), figures("SCORE"), figures("SIZE"), figures("UPDATED"), ID];

pub(in crate::cli) const LINKS: &[Head] =
    &[text("NAME"), text("ADDRESS"), figures("ASSETS"), text("SIMILAR TO"), figures("UPDATED"), ID];

pub(in crate::cli) fn plain(whole: &str) -> Cell {
    Cell { whole: whole.to_owned(), display: None }
}

fn number(number: Option<i64>) -> Cell {
    Cell { whole: number.map(|number| number.to_string()).unwrap_or_default(), display: None }
}

pub(in crate::cli) fn moment(moment: &str) -> Cell {
    let display = time::ago(moment, Timestamp::now(), &TimeZone::system());
    Cell { whole: moment.to_owned(), display: Some(display) }
}

pub(in crate::cli) fn application(row: &ApplicationRow) -> Vec<Cell> {
    let ApplicationRow { id, name, version, platform, status, sessions, events, last_active, .. } = row;
    vec![
        plain(name),
        plain(version),
        plain(platform),
        plain(status),
        number(*sessions),
        number(*events),
        moment(last_active.as_deref().unwrap_or_default()),
        plain(id),
    ]
}

pub(in crate::cli) fn application_json(row: &ApplicationRow) -> Value {
    let ApplicationRow { id, name, version, platform, status, privacy, capabilities, sessions, events, .. } = row;
    json!({
        "id": id, "name": name, "version": version, "platform": platform, "status": status, "privacy": privacy,
        "capabilities": capabilities, "sessions": sessions, "events": events, "last_active": row.last_active,
    })
}

pub(in crate::cli) fn external(row: &ExternalRow) -> Vec<Cell> {
    let ExternalRow { name, version, state, related, .. } = row;
    let state = Cell { whole: state.token().to_owned(), display: Some(state.as_str().to_owned()) };
    vec![plain(name), plain(version), state, plain(if *related { "integration" } else { "" })]
}

pub(in crate::cli) fn link(row: &LinkRow) -> Vec<Cell> {
    let LinkRow { item, assets, updated, similar, .. } = row;
    vec![
        plain(&item.text),
        plain(item.url.as_deref().unwrap_or_default()),
        Cell { whole: assets.map(|count| count.to_string()).unwrap_or_default(), display: None },
        plain(similar.as_ref().map(|similar| similar.name()).unwrap_or_default()),
        moment(updated),
        plain(&item.id),
    ]
}

pub(in crate::cli) fn link_json(row: &LinkRow) -> Value {
    let LinkRow { item, assets, last_used, created, updated, similar, .. } = row;
    let last_used = Some(last_used).filter(|at| !at.is_empty());
    json!({
        "id": item.id, "name": item.text, "address": item.url, "assets": assets, "last_used": last_used,
        "created": created, "updated": updated, "similar_to": similar.as_ref().map(|similar| &similar.id),
    })
}

pub(in crate::cli) fn external_json(row: &ExternalRow) -> Value {
    let ExternalRow { name, version, state, related, identifier, .. } = row;
    let version = Some(version).filter(|version| !version.is_empty());
    json!({
        "name": name, "version": version, "state": state.token(), "integration": related, "identifier": identifier,
    })
}

pub(in crate::cli) fn asset(row: &AssetRow) -> Vec<Cell> {
    let AssetRow { score, size, .. } = row;
    vec![
        plain(row.name()),
        plain(row.language()),
        plain(&row.tags().join(", ")),
        number(Some(*score)),
        Cell { whole: size.to_string(), display: Some(size::size(*size)) },
        moment(&row.updated()),
        plain(row.id().as_str()),
    ]
}

pub(in crate::cli) fn asset_json(row: &AssetRow) -> Value {
    let AssetRow { score, size, favorited, .. } = row;
    let texts = |texts: &[Label]| -> Value { texts.iter().map(|text| Value::from(&**text)).collect() };
    let site = |site: &Label| {
        let (name, url) = site.rsplit_once('\n').unwrap_or((site, ""));
        json!({ "name": name, "url": url })
    };
    json!({
        "id": row.id().as_str(), "name": Some(row.name()).filter(|name| !name.is_empty()), "language": row.language(),
        "classification": row.specific(), "tags": texts(row.tags()),
        "websites": row.websites().iter().map(site).collect::<Value>(), "summaries": texts(row.summaries()),
        "score": score, "size": size, "created": row.created(), "updated": row.updated(), "favourite": favorited,
    })
}
