//! How a row of the list is made of a record.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;

use super::{AssetRow, OtherTime, ReportedLinks, searchable};
use crate::change::description;
use crate::item::LinkKind;
use crate::listing::compact_time::CompactTime;
use crate::listing::label::{Label, LabelKind, Language};
use crate::listing::rows::{application_name, readable_word};
use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::import_path::{folder, import_path};
use lunette_client::model::language::language_name;
use lunette_client::model::linked::{Website, WorkstreamSummary};
use lunette_client::model::time::moment;

/// What rows share.
#[derive(Debug, Default)]
pub struct Shared {
    /// By kind.
    labels: [HashMap<Box<str>, Label>; 5],
    languages: HashMap<Box<str>, Arc<Language>>,
}

impl Shared {
    /// The label of a text, kept once.
    fn label(&mut self, kind: LabelKind, text: &str) -> Label {
        let labels = &mut self.labels[kind as usize];
        if let Some(known) = labels.get(text) {
            return known.clone();
        }
        let label = Label::new(kind, text);
        labels.insert(text.into(), label.clone());
        label
    }

    /// The label of a website, kept once.
    fn website(&mut self, name: &str, url: &str) -> Label {
        self.label(LabelKind::Website, &format!("{name}\n{url}"))
    }

    /// The label of an application, kept once, by its name and id on the wire.
    fn application(&mut self, name: &str, id: &str) -> Label {
        let wire = format!("{name}\n{id}");
        let labels = &mut self.labels[LabelKind::Application as usize];
        if let Some(known) = labels.get(wire.as_str()) {
            return known.clone();
        }
        let shown = readable_word(application_name(id, name));
        let label = match shown == name {
            true => Label::new(LabelKind::Application, &wire),
            false => Label::new(LabelKind::Application, &format!("{shown}\n{wire}")),
        };
        labels.insert(wire.into(), label.clone());
        label
    }

    /// The language of the interface's word, kept once.
    fn language(&mut self, specific: &str) -> Arc<Language> {
        if let Some(known) = self.languages.get(specific) {
            return Arc::clone(known);
        }
        let name = language_name(specific);
        let new = Arc::new(Language::new(specific, name));
        self.languages.insert(specific.into(), Arc::clone(&new));
        new
    }
}

/// What a service sends of an asset where it sends what a list shows and no more: the record `AssetRow`.
#[derive(Deserialize)]
pub struct ListedAsset<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    specific: Cow<'a, str>,
    size: Option<i64>,
    score: Option<i64>,
    #[serde(borrow, default)]
    created: Cow<'a, str>,
    #[serde(borrow, default)]
    updated: Cow<'a, str>,
    #[serde(default)]
    favorited: bool,
    #[serde(borrow, default)]
    tags: Vec<Text<'a>>,
    #[serde(borrow, default)]
    websites: Vec<ListedWebsite<'a>>,
    #[serde(borrow, default)]
    summaries: Vec<Text<'a>>,
    #[serde(borrow)]
    application: Option<ListedApplication<'a>>,
    /// The path that it was imported from.
    #[serde(borrow, default)]
    path: Cow<'a, str>,
}

#[derive(Deserialize)]
struct ListedApplication<'a> {
    #[serde(borrow, default)]
    id: Cow<'a, str>,
    #[serde(borrow, default)]
    name: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize)]
struct ListedWebsite<'a> {
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    url: Cow<'a, str>,
}

impl AssetRow {
    /// Reads what a service sends for a list; None when its id is not an asset id.
    pub fn listed(asset: ListedAsset<'_>, shared: &mut Shared) -> Option<Self> {
        let mut links = Vec::with_capacity(asset.tags.len() + asset.websites.len() + asset.summaries.len() + 2);
        links.extend(asset.tags.iter().map(|tag| shared.label(LabelKind::Tag, &tag.0)));
        links.extend(asset.websites.iter().map(|site| shared.website(&site.name, &site.url)));
        links.extend(asset.summaries.iter().map(|summary| shared.label(LabelKind::Summary, &summary.0)));
        links.extend(asset.application.iter().map(|made_by| shared.application(&made_by.name, &made_by.id)));
        links.extend(folder(&asset.path).map(|folder| shared.label(LabelKind::Folder, folder)));
        let mut row = Self::named(&asset.id.parse().ok()?, &asset.name, shared.language(&asset.specific), links);
        (row.scored, row.sized) = (asset.score.is_some(), asset.size.is_some());
        row.score = asset.score.unwrap_or_default();
        row.size = asset.size.unwrap_or_default();
        row.favorited = asset.favorited;
        row.set_times(&asset.created, &asset.updated);
        Some(row)
    }

    /// Reads a record; None when its id is not an asset id.
    pub fn of(asset: View<'_, Asset>) -> Option<Self> {
        Self::sharing(asset, &mut Shared::default())
    }

    /// Reads a row, and shares the texts that other rows have too.
    pub fn sharing(asset: View<'_, Asset>, shared: &mut Shared) -> Option<Self> {
        let id: AssetId = asset.id().parse().ok()?;
        let format = asset.original().reference();
        let specific = format.map(|format| format.classification().specific()).unwrap_or_default();
        let size = format.map(|format| format.bytes()).filter(|bytes| bytes.tells("value")).map(|bytes| bytes.value());
        let mut links = Vec::new();
        if let Some(tags) = asset.tags() {
            links.extend(tags.iterable().iter().map(|tag| shared.label(LabelKind::Tag, named(tag.text(), tag.id()))));
        }
        if let Some(sites) = asset.websites() {
            let name = |site: View<'_, Website>| shared.website(named(site.name(), site.id()), site.url());
            links.extend(sites.iterable().iter().map(name));
        }
        if let Some(summaries) = asset.summaries() {
            let name = |one: View<'_, WorkstreamSummary>| shared.label(LabelKind::Summary, named(one.name(), one.id()));
            links.extend(summaries.iterable().iter().map(name));
        }
        let made_by = format.map(|format| format.application()).filter(|made_by| !made_by.id().is_empty());
        links.extend(made_by.map(|made_by| shared.application(made_by.name(), made_by.id())));
        let path = description(asset).and_then(import_path);
        links.extend(path.and_then(folder).map(|folder| shared.label(LabelKind::Folder, folder)));
        let mut row = Self::named(&id, asset.name().unwrap_or_default(), shared.language(specific), links);
        row.favorited = asset.favorited().unwrap_or_default();
        row.pseudo = asset.pseudo().unwrap_or_default();
        row.reported = ReportedLinks::of(|kind| match kind {
            LinkKind::Tag => asset.tags().is_some_and(|tags| tags.tells("iterable")),
            LinkKind::Website => asset.websites().is_some_and(|sites| sites.tells("iterable")),
            LinkKind::Summary => asset.summaries().is_some_and(|summaries| summaries.tells("iterable")),
        });
        row.scored = asset.score().is_some();
        row.sized = size.is_some();
        row.score = total_score(asset);
        row.size = size.unwrap_or_default();
        row.set_times(asset.created().value(), asset.updated().value());
        Some(row)
    }

    /// A row of an asset that was looked at before, where the service cannot list them; None when the id is none.
    pub fn recent(id: &str, name: &str) -> Option<Self> {
        let row = Self::named(&id.parse().ok()?, name, Arc::new(Language::new("", "")), Vec::new());
        Some(Self { reported: ReportedLinks::NONE, ..row })
    }

    /// A row with made-up values, for tests and benchmarks.
    #[cfg(any(test, feature = "bench"))]
    pub fn sample(index: usize) -> Self {
        let id = format!("00000000-0000-4000-8000-{index:012x}").parse().expect("twelve digits make a UUID");
        // Rows that are read share these too.
        thread_local! {
            static SHARED: std::cell::RefCell<Shared> = std::cell::RefCell::default();
        }
        let (language, links) =
            SHARED.with_borrow_mut(|shared| (shared.language("rs"), vec![shared.label(LabelKind::Tag, "http")]));
        let mut row = Self::named(&id, &format!("asset_{index:07}.rs"), language, links);
        row.score = (index % 97) as i64;
        row.size = (index * 37 % 100_000) as i64;
        row.favorited = index.is_multiple_of(11);
        (row.scored, row.sized) = (true, true);
        row.set_times("2026-11-01T12:00:00Z", "2026-11-20T12:00:00Z");
        row
    }

    /// Replaces its links by these tags, of which `None` are not told, for tests.
    #[cfg(test)]
    #[must_use]
    pub fn tagged(mut self, tags: Option<&[&str]>) -> Self {
        self.links = tags.into_iter().flatten().map(|tag| Label::new(LabelKind::Tag, tag)).collect();
        self.reported = if tags.is_some() { ReportedLinks::ALL } else { ReportedLinks::NONE };
        self
    }

    /// A row of which nothing else is known; its links are in the order of their kinds.
    fn named(id: &AssetId, name: &str, language: Arc<Language>, links: Vec<Label>) -> Self {
        let (name_len, text) = searchable(name);
        Self {
            id: id.into(),
            name_len,
            favorited: false,
            pseudo: false,
            near_duplicate: false,
            scored: false,
            sized: false,
            reported: ReportedLinks::ALL,
            uses: 0,
            text,
            language,
            links: links.into(),
            score: 0,
            size: 0,
            created: None,
            updated: None,
            other_times: None,
        }
    }

    fn set_times(&mut self, created: &str, updated: &str) {
        let other = |text: &str| OtherTime { text: text.into(), at: moment(text) };
        self.created = CompactTime::of(created);
        self.updated = CompactTime::of(updated);
        if self.created.is_none() && !created.is_empty() {
            self.other_times.get_or_insert_default().created = other(created);
        }
        if self.updated.is_none() && !updated.is_empty() {
            self.other_times.get_or_insert_default().updated = other(updated);
        }
    }
}

/// The name of a linked item, or its id where its name is not told.
fn named<'a>(name: &'a str, id: &'a str) -> &'a str {
    if name.is_empty() { id } else { name }
}

/// The sum of all counters of an asset's score.
pub fn total_score(asset: View<'_, Asset>) -> i64 {
    let Some(score) = asset.score() else { return 0 };
    let counters = [score.priority(), score.reuse(), score.update(), score.reference(), score.searched()];
    let counted: i64 = counters.into_iter().flatten().fold(0, i64::saturating_add);
    score.manual().saturating_add(score.automatic()).saturating_add(counted)
}

#[cfg(test)]
mod tests {
    use lunette_client::model::record::Record as _;
    use serde_json::json;

    use super::*;
    use crate::filter::{CompiledFilter, List, parse};

    fn row(id: &str, name: &str, created: &str) -> AssetRow {
        let time = json!({ "value": created });
        let tree = json!({ "id": id, "name": name, "creator": id, "created": time, "updated": time,
            "mechanism": "MANUAL", "formats": { "iterable": [] }, "original": { "id": id },
            "preview": { "base": { "id": id } } });
        AssetRow::of(Asset::from_tree(tree).expect("an asset").view()).expect("a row")
    }

    #[test]
    fn a_row_takes_little_memory() {
        assert!(size_of::<AssetRow>() <= 112, "{}", size_of::<AssetRow>());
    }

    #[test]
    fn the_folder_is_read_from_the_description_of_a_record_and_shared() {
        let id = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";
        let mut shared = Shared::default();
        let mut folder_of = |text: &str| {
            let time = json!({ "value": "2026-11-20T12:00:00Z" });
            let text = json!({ "id": id, "created": time, "updated": time, "type": "DESCRIPTION", "text": text });
            let tree = json!({ "id": id, "name": "lib.rs", "creator": id, "created": time, "updated": time,
                "mechanism": "MANUAL", "formats": { "iterable": [] }, "original": { "id": id },
                "preview": { "base": { "id": id } }, "annotations": { "iterable": [text] } });
            let row = AssetRow::sharing(Asset::from_tree(tree).expect("an asset").view(), &mut shared).expect("a row");
            (row.folder().cloned(), row.weight())
        };
        let (one, weight) = folder_of("Imported from serde/src/lib.rs");
        let (other, _) = folder_of("Imported from serde/src/mod.rs");
        let (none, least) = folder_of("A library.");
        let (one, other) = (one.expect("a folder"), other.expect("a folder"));
        assert_eq!((&*one, one.as_ptr(), none), ("serde/src", other.as_ptr(), None));
        assert_eq!(weight, least + "serde/src".len());
    }

    #[test]
    fn names_and_times_are_returned_unchanged() {
        let id = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";
        for name in ["", "plain.rs", "README.md", "Ünïcode ΣΑΣ", "two\nlines", "İ"] {
            for time in ["2026-11-20T12:00:00Z", "2026-11-20T12:00:00.25+01:00", "2026-11-20T12:00:00", "a while ago"] {
                let row = row(id, name, time);
                assert_eq!((row.name(), &*row.created(), &*row.updated()), (name, time, time));
            }
        }
    }

    #[test]
    fn a_word_is_found_in_the_id_in_any_case() {
        let row = row("5F0C1A34-0B7E-4C5D-9A51-2F6F3D1AE159", "a.rs", "2026-11-20T12:00:00Z");
        let takes = |text: &str| {
            CompiledFilter::new(&parse(text, List::Assets).expect("a filter"), &jiff::ZonedDateTime::now()).takes(&row)
        };
        assert!(takes("5f0c1a34") && takes("5F0C") && takes("1ae159 a.rs"));
        assert!(!takes("5f0d") && !takes("-5f0c") && takes("-5f0d"));
    }
}
