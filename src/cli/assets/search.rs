//! `lunette search`: the assets in which the service finds a text, best first.
//!
//! What must hold: the rows have the words of `lunette list assets`; what is not indexed yet is waited for; a service
//! without a search gets the same answer as the filter of the list gives, and what its rows have of the words behind it;
//! what hits that do not have every word lack is said before them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::anyhow;
use jiff::ZonedDateTime;
use serde_json::{Value as Json, json};

use lunette_client::client::{CallError, Client};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetSnapshot, SearchAssets};
use lunette_inspector::assets::load::PagedList;
use lunette_inspector::assets::search::{FoundBy, Hits, LoadedRows, Passage, replacement, with_marks, without_marks};
use lunette_inspector::filter::{CompiledFilter, Filter};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::listing::{Column, Columns, RowList, Value};
use lunette_inspector::settings::read_synonyms;

use crate::cli::Failure;
use crate::cli::connect::{self, Service};
use crate::cli::data_dir;
use crate::cli::indexed;
use crate::cli::list;
use crate::cli::number::number;
use crate::cli::progress::ProgressLine;
use crate::cli::target::ReadTarget;

/// Up to this many assets are read one by one; more are found in the list.
const FEW: usize = 32;

/// What `search` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Words that the name, the tags, the description or the content contain. A word in quotation marks is searched
    /// for exactly as typed, such as in '"debuonce" input'.
    #[arg(required = true, value_name = "TEXT")]
    text: Vec<String>,
    /// Print at most N assets; by default, as many as the service returns: Lunette's own returns up to 500.
    #[arg(short = 'n', long, value_name = "N", value_parser = number::<usize>)]
    limit: Option<usize>,
    /// List only assets that have every word as typed.
    #[arg(long)]
    exact: bool,
    #[command(flatten)]
    target: ReadTarget,
    /// Print a JSON array with one object per asset.
    #[arg(long)]
    json: bool,
}

/// An asset that was found, and the passage that made it a hit, if it is not the name.
struct Found {
    row: Arc<AssetRow>,
    passage: Option<Passage>,
    /// How it was found, if it does not have every word as typed.
    found_by: Option<FoundBy>,
}

/// What is searched for.
struct Wish {
    text: String,
    /// Whether every word must match as typed.
    exact: bool,
    /// The most assets that are printed.
    most: usize,
    /// The data folder, which has the words that mean the same; `None` if there is none.
    data: Option<PathBuf>,
}

/// What a search found.
#[derive(Default)]
struct Answer {
    found: Vec<Found>,
    /// Before which of them it is said what they lack.
    sections: Vec<(usize, String)>,
    /// Which words were replaced, and how to search for each as typed.
    replacements: Vec<String>,
}

/// Searches and prints what was found; nothing found is not a failure.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let text = arguments.text.join(" ");
    if text.trim().is_empty() {
        return Err(Failure::usage(anyhow!("there is nothing to search for; give at least one word")));
    }
    let most = arguments.limit.unwrap_or(usize::MAX);
    let wanted = arguments.target.wanted();
    // A service at an address may be searched without a data folder.
    let data = data_dir::folder(arguments.target.data()).ok();
    let wish = Wish { text, exact: arguments.exact, most, data };
    let search = async |service: &Service| search(service, &wish).await.map_err(connect::failure);
    let (answer, complete) = connect::run(wanted.with(search))?;
    print(&answer, arguments.json)?;
    complete
}

/// Prints the rows; before those that lack words, what they lack, on stderr.
fn print(answer: &Answer, as_json: bool) -> Result<(), Failure> {
    let rows: Vec<&Found> = answer.found.iter().collect();
    if as_json || answer.sections.is_empty() {
        return list::print(&rows, as_json, list::Extent::Part);
    }
    answer.replacements.iter().for_each(|told| crate::cli::print_message(told));
    let starts = answer.sections.iter().map(|(start, _)| *start);
    let ends = starts.clone().skip(1).chain([rows.len()]);
    if let Some(exact) = starts.clone().next().filter(|exact| *exact > 0) {
        list::print(&rows[..exact], false, list::Extent::Part)?;
    }
    for ((start, end), (_, title)) in starts.zip(ends).zip(&answer.sections) {
        crate::cli::print_message(title);
        list::print(&rows[start..end], false, list::Extent::Part)?;
    }
    Ok(())
}

/// Returns what was found, and whether that is all.
async fn search(service: &Service, wish: &Wish) -> Result<(Answer, Result<(), Failure>), CallError> {
    let most = wish.most;
    let ask = async || {
        let (query, exact) = (Some(wish.text.clone()), wish.exact.then_some(true));
        let call = SearchAssets { query, transferables: Some(false), searchable_tags: None, pseudo: None, exact };
        service.client.call(call).await.map(|found| Hits::of(&found))
    };
    let asked = indexed::ask(ProgressLine::of(&service.client), ask, |hits| hits.unindexed).await;
    let (hits, complete) = match asked {
        Ok(asked) => {
            let complete = asked.complete();
            (asked.answer, complete)
        }
        Err(error) if error.missing() => {
            crate::cli::print_message(
                "this service does not search, so only names, languages, tags and ids are compared",
            );
            return Ok((filtered(service, wish).await?, Ok(())));
        }
        Err(error) => return Err(error),
    };
    report_limit(&hits, most);
    let ids: Vec<AssetId> = hits.ranked().into_iter().take(most).collect();
    let mut rows = if ids.len() <= FEW { read(&service.client, &ids).await? } else { listed(service, &ids).await? };
    // An asset that was deleted meanwhile has no row.
    let found = ids.iter().filter_map(|id| {
        let (passage, found_by) = (hits.passage(id).cloned(), hits.found_by(id).cloned());
        Some(Found { row: rows.remove(id)?, passage, found_by })
    });
    Ok((Answer::of(found.collect(), &hits, &wish.text), complete))
}

impl Answer {
    /// What is printed of the assets that were found for a text.
    fn of(found: Vec<Found>, hits: &Hits, text: &str) -> Self {
        let is_before = |one: &Found, rank: u32| hits.rank(&one.row.id()).is_some_and(|other| other < rank);
        let starts = hits
            .sections
            .iter()
            .map(|section| (found.iter().filter(|one| is_before(one, section.first)).count(), section.sentence()));
        // A limit may leave sections without rows.
        let sections = starts.filter(|(start, _)| *start < found.len()).collect();
        let replaced = hits.steps.iter().flat_map(|steps| &steps.replaced);
        let told = |(word, by): &(String, Vec<String>)| {
            format!("{} For {word} itself, search for '{}'.", replacement(word, by), with_marks(text, word))
        };
        Self { sections, replacements: replaced.map(told).collect(), found }
    }
}

/// Says so if fewer assets are printed than wanted because the service returns no more.
fn report_limit(hits: &Hits, most: usize) {
    if hits.may_be_more() && most > hits.count() {
        crate::cli::print_message(&format!(
            "only the first {} assets are printed, as many as the service returns; use more words to narrow the search",
            hits.count()
        ));
    }
}

/// Reads these assets one by one.
async fn read(client: &Client, ids: &[AssetId]) -> Result<HashMap<AssetId, Arc<AssetRow>>, CallError> {
    let mut rows = HashMap::new();
    for id in ids {
        match client.call(AssetSnapshot { asset: id.clone(), transferables: Some(false) }).await {
            Ok(asset) => rows.extend(AssetRow::of(asset.view()).map(|row| (id.clone(), Arc::new(row)))),
            Err(CallError::Status { status: 404 | 410, .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(rows)
}

/// Reads the list as far as it takes to find these assets.
async fn listed(service: &Service, ids: &[AssetId]) -> Result<HashMap<AssetId, Arc<AssetRow>>, CallError> {
    let wanted: std::collections::HashSet<&AssetId> = ids.iter().collect();
    let mut pages = PagedList::new(service.client.clone()).of_vendor(service.vendor);
    let mut rows = HashMap::new();
    while rows.len() < wanted.len()
        && let Some(page) = pages.next().await
    {
        rows.extend(page?.into_iter().filter(|row| wanted.contains(&row.id())).map(|row| (row.id(), row)));
    }
    Ok(rows)
}

/// Searches the list itself, for a service that does not search.
async fn filtered(service: &Service, wish: &Wish) -> Result<Answer, CallError> {
    let filter = CompiledFilter::new(&Filter::words(&without_marks(&wish.text)), &ZonedDateTime::now());
    let mut pages = PagedList::new(service.client.clone()).of_vendor(service.vendor);
    let (mut rows, mut exact) = (Vec::new(), Vec::new());
    while exact.len() < wish.most
        && let Some(page) = pages.next().await
    {
        let page = page?;
        exact.extend(page.iter().filter(|row| filter.takes(row.as_ref())).map(|row| row.id()));
        rows.extend(page);
    }
    let rows: RowList<AssetRow> = rows.into_iter().collect();
    let mut hits = Hits::exact(exact);
    if !wish.exact {
        let synonyms = wish.data.as_deref().map(read_synonyms).unwrap_or_default();
        hits = LoadedRows::of(rows.clone()).go_on(hits, &wish.text, &synonyms);
    }
    let ids = hits.ranked();
    let found = ids.iter().take(wish.most).filter_map(|id| {
        let (row, found_by) = (Arc::clone(rows.find(id)?), hits.found_by(id).cloned());
        Some(Found { row, passage: None, found_by })
    });
    Ok(Answer::of(found.collect(), &hits, &wish.text))
}

impl Columns for Found {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("name", "Name", |found: &Self| Value::text(found.row.name())).printed(),
        Column::text("language", "Language", |found: &Self| Value::text(found.row.language())).printed(),
        Column::text("passage", "Passage", |found: &Self| {
            found.passage.as_ref().map_or(Value::NotTold, |passage| Value::text(passage.text.trim()))
        })
        .printed(),
        Column::figures("updated", "Updated", |found: &Self| found.row.updated_value()).printed(),
        Column::id(|found: &Self| Value::text(found.row.id().to_string())),
    ];

    fn record(&self) -> Json {
        let mut tree = self.row.record();
        tree["passage"] = match &self.passage {
            Some(Passage { field, text, ranges }) => json!({ "field": field, "text": text, "ranges": ranges }),
            None => Json::Null,
        };
        tree["found_by"] = match &self.found_by {
            Some(FoundBy { step, missing }) => json!({ "step": step, "missing": missing }),
            None => Json::Null,
        };
        tree
    }
}
