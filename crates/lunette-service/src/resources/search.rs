//! Searches: assets by words, tags and filters (records, section 3). Tags, websites and the like are in
//! `search::records`.
//!
//! Our choice: a response has at most 500 assets, since it has no pagination. A hit's `score` falls with its rank, from
//! 1 to 0.5, and means nothing else; where a client asked for similar meaning it falls from 0.5 to 0.25, since words
//! alone were compared; the extra field `highlights` has the matching passages. After the import of many assets the extra
//! field `unindexed` says how many contents were not looked through, since they are not indexed yet.

use serde::Serialize;
use serde_json::{Value, json};

use crate::http::spool::ResponseText;
use crate::store::StoreError;
use crate::store::records::asset::Transfer;
use crate::store::records::item::ItemKind;
use crate::store::search::{Field, Filter, FoundBy, Hit, Mark, MatchLocation, Search, SearchMatches, Steps, typed};
use crate::{RequestContext, Service, ServiceError, record};
use lunette_client::model::record::Record as _;
use lunette_client::model::search_result::{MAX_HITS, SeededAssetTags};
use lunette_client::model::search_terms::{Range, SearchTerms};
use lunette_client::model::seed::{AssetsSearchWithFiltersInput, SearchedAssets};
use lunette_client::operation::table::{
    AssetsSearchWithFilters, FullTextSearch, NeuralCodeSearch, SearchAssets, TagBasedSearch,
};

use super::assets::{content_memory, needed, transfer};

mod engines;
mod filters;
mod records;
mod relation;

pub(crate) use records::{annotations, conversations, tags, websites, workstream_summaries};
pub(crate) use relation::{near_duplicates, related};

/// The longest query, since every character costs time.
const MAX_QUERY_LETTERS: usize = 2_000;

/// Finds assets by words, by tags, or by both.
pub(crate) fn assets(
    service: &Service,
    caller: &RequestContext,
    op: SearchAssets,
) -> Result<ResponseText, ServiceError> {
    let SearchAssets { query, transferables, searchable_tags, pseudo, exact } = op;
    let tags = searchable_tags.unwrap_or_default();
    let tags: Vec<Filter> = tags
        .split(',')
        .map(str::trim)
        .filter(|tag| !tag.is_empty())
        .map(|tag| Filter::Item(ItemKind::Tag, tag.to_owned()))
        .collect();
    let query = query.unwrap_or_default();
    // Our choice: 400 where the vendor's service returns 500 (records, section 3): the request is incomplete.
    if query.trim().is_empty() && tags.is_empty() {
        return Err(ServiceError::bad_request("a `query` or `searchable_tags` is required"));
    }
    let search = search(&query, Filter::All(tags), pseudo, exact)?;
    let hits = Listed { transfer: transfer(transferables), filtered: "TAGS", best: 1.0 };
    found((service, caller), &search, hits, record::List::plain(service, caller))
}

/// Finds assets by words; the records themselves are not given.
pub(crate) fn full_text(
    service: &Service,
    caller: &RequestContext,
    op: FullTextSearch,
) -> Result<ResponseText, ServiceError> {
    let hits = Listed { transfer: Transfer::Withheld, filtered: "MULTIPLE", best: 1.0 };
    found((service, caller), &by_words(&op.query, op.pseudo, op.exact)?, hits, record::List::plain(service, caller))
}

/// Finds assets by words where a client asked for those of similar meaning.
///
/// Our choice: there are no embeddings here, and clients that search so find more with words than with an error. The
/// scores say that it is no more than that.
pub(crate) fn neural_code(
    service: &Service,
    caller: &RequestContext,
    op: NeuralCodeSearch,
) -> Result<ResponseText, ServiceError> {
    let hits = Listed { transfer: Transfer::Withheld, filtered: "MULTIPLE", best: 0.5 };
    found((service, caller), &by_words(&op.query, op.pseudo, op.exact)?, hits, record::List::plain(service, caller))
}

fn by_words(query: &str, pseudo: Option<bool>, exact: Option<bool>) -> Result<Search, ServiceError> {
    if query.trim().is_empty() {
        return Err(ServiceError::bad_request("a `query` is required"));
    }
    search(query, Filter::All(Vec::new()), pseudo, exact)
}

/// Finds assets that have any of the tags. Our choice: assets with the most of them come first, and an asset with all
/// of them is an exact match.
pub(crate) fn by_tags(
    service: &Service,
    _: &RequestContext,
    op: TagBasedSearch,
) -> Result<SearchedAssets, ServiceError> {
    let body: SeededAssetTags = needed(op.tags, "the tags to search for, in `iterable`")?;
    let mut tags: Vec<String> = body.view().iterable().iter().map(|tag| tag.text().trim().to_owned()).collect();
    tags.retain(|tag| !tag.is_empty());
    tags.sort_by_key(|tag| tag.to_lowercase());
    tags.dedup_by_key(|tag| tag.to_lowercase());
    if tags.is_empty() {
        return Err(ServiceError::bad_request("at least one tag with a `text` is required"));
    }
    if tags.len() > MAX_QUERY_LETTERS {
        return Err(ServiceError::bad_request(format!("at most {MAX_QUERY_LETTERS} tags can be searched for at once")));
    }
    let saved = op.pseudo != Some(true);
    let found = service.store.tagged(&tags, saved, MAX_HITS)?;
    let records = found.iter().enumerate().map(|(rank, (id, count))| {
        json!({ "exact": *count == tags.len(), "score": score(rank), "match": "TAGS", "identifier": id })
    });
    answer(records.collect())
}

/// Finds assets by words and by what else must hold of them.
pub(crate) fn with_filters(
    service: &Service,
    caller: &RequestContext,
    op: AssetsSearchWithFilters,
) -> Result<ResponseText, ServiceError> {
    let body: AssetsSearchWithFiltersInput = needed(op.search, "a `query`, `filters`, or both")?;
    let view = body.view();
    let query = view.query().unwrap_or_default();
    let mut wanted: Vec<Filter> = filters::space(view.space())?.into_iter().collect();
    wanted.extend(filters::read(view.filters())?);
    // Our choice: filters that are given and restrict nothing find every asset.
    if query.trim().is_empty() && wanted.is_empty() && view.filters().is_none() {
        return Err(ServiceError::bad_request("a `query` or `filters` are required"));
    }
    // Our choice: `casing: true` tells capitals from small letters; else they are the same, as in every search here.
    if view.casing() == Some(true) {
        wanted.extend(query.split_whitespace().map(|word| Filter::Written(word.to_owned())));
    }
    let exact = op.exact.or(view.casing().filter(|casing| *casing));
    let search = search(query, Filter::All(wanted), op.pseudo, exact)?;
    let hits = Listed { transfer: transfer(op.transferables), filtered: "MULTIPLE", best: 1.0 };
    found((service, caller), &search, hits, record::List::within("results", service, caller))
}

/// The search of a request. Pseudo assets are found only on request, as in the lists. Our choice: a query in quotation
/// marks is an exact one.
fn search(query: &str, filter: Filter, pseudo: Option<bool>, exact: Option<bool>) -> Result<Search, ServiceError> {
    if query.chars().nth(MAX_QUERY_LETTERS).is_some() {
        return Err(ServiceError::bad_request(format!("the query has more than {MAX_QUERY_LETTERS} characters")));
    }
    let filter = match pseudo {
        Some(true) => filter,
        Some(false) | None => Filter::All(vec![filter, Filter::Saved]),
    };
    let goes_on = exact != Some(true) && typed::words(query).any(|word| !word.as_typed);
    let words = SearchTerms::of(query);
    Ok(Search { words, query: query.to_owned(), filter: Some(filter), limit: MAX_HITS, goes_on })
}

/// Runs a search until the request is cancelled. Words in quotation marks are searched for with the marks, and without them
/// where nothing has those.
fn run(service: &Service, caller: &RequestContext, search: &Search) -> Result<SearchMatches, ServiceError> {
    // A query of only accents or invisible characters finds nothing.
    if search.words.is_empty() && !search.query.trim().is_empty() {
        return Ok(SearchMatches::default());
    }
    let run = |search: &Search| service.store.search_interruptible(search, &caller.interrupt);
    if !typed::any_as_typed(&search.query) {
        return Ok(run(search)?);
    }
    let marked = run(&Search { goes_on: false, ..search.clone() })?;
    if !marked.hits.is_empty() && !search.goes_on {
        return Ok(marked);
    }
    let mut search = search.clone();
    if marked.hits.is_empty() {
        let unmarked = typed::without_marks(&search.query);
        search.words = SearchTerms::of(&unmarked);
        // What goes on needs to know which words are in marks.
        if !search.goes_on {
            search.query = unmarked;
        }
    }
    Ok(run(&search)?)
}

/// How the hits of a search are listed.
struct Listed {
    transfer: Transfer,
    /// The match type of a hit without search terms.
    filtered: &'static str,
    /// The score of the best hit.
    best: f64,
}

/// Runs a search. Records are read one by one, since all of them with their contents may not fit in memory; deleted or
/// damaged ones are skipped.
fn found(
    (service, caller): (&Service, &RequestContext),
    search: &Search,
    listed: Listed,
    mut list: record::List,
) -> Result<ResponseText, ServiceError> {
    let transfer = listed.transfer;
    let SearchMatches { hits, unindexed, steps } = run(service, caller, search)?;
    let (mut exact, mut suggested) = (0, 0);
    for (rank, hit) in hits.iter().enumerate() {
        let record = serde_json::to_string(&searched(rank, hit, &listed)).map_err(ServiceError::internal)?;
        // Without transferables the record itself is omitted (records, 2.4).
        let whole = match transfer {
            Transfer::Withheld => None,
            Transfer::Full => {
                let _memory = content_memory(service, &hit.id, transfer)?;
                match service.store.listed_asset(&hit.id, transfer) {
                    Ok(whole) => Some(whole),
                    Err(StoreError::Gone { .. } | StoreError::NotFound { .. } | StoreError::Damaged { .. }) => continue,
                    Err(error) => return Err(error.into()),
                }
            }
        };
        *(if hit.exact { &mut exact } else { &mut suggested }) += 1;
        if list.add_hit(service.store.identity(), &record, whole.as_ref()).is_break() {
            break;
        }
    }
    let unindexed = if unindexed == 0 { String::new() } else { format!(",\"unindexed\":{unindexed}") };
    let steps = steps.as_ref().map(|steps| serde_json::to_string(&StepsRecord::of(steps))).transpose();
    let steps = steps.map_err(ServiceError::internal)?.map_or_else(String::new, |steps| format!(",\"steps\":{steps}"));
    list.finish_with(&format!("\"suggested\":{suggested},\"exact\":{exact}{unindexed}{steps}"))
}

fn answer(records: Vec<Value>) -> Result<SearchedAssets, ServiceError> {
    let exact = records.iter().filter(|record| record["exact"] == true).count();
    let tree = json!({ "iterable": records, "suggested": records.len() - exact, "exact": exact });
    Ok(SearchedAssets::from_tree(tree)?)
}

/// A hit as its record; the asset follows.
#[derive(Serialize)]
struct HitRecord<'a> {
    exact: bool,
    score: f64,
    r#match: &'static str,
    identifier: &'a str,
    highlights: Vec<Highlight<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pseudo: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found_by: Option<FoundByRecord<'a>>,
}

/// How an asset was found that does not have every word as typed.
#[derive(Serialize)]
struct FoundByRecord<'a> {
    step: &'static str,
    missing: &'a [String],
}

impl<'a> FoundByRecord<'a> {
    fn of(found_by: &'a FoundBy) -> Self {
        Self { step: found_by.step.name(), missing: &found_by.missing }
    }
}

/// What was done after the exact search.
#[derive(Serialize)]
struct StepsRecord<'a> {
    words: &'a [String],
    ignored: &'a [String],
    replaced: Vec<Replaced<'a>>,
}

/// A word, and those that it was taken for.
#[derive(Serialize)]
struct Replaced<'a> {
    word: &'a str,
    by: &'a [String],
}

impl<'a> StepsRecord<'a> {
    fn of(steps: &'a Steps) -> Self {
        let replaced = steps.replaced.iter().map(|(word, by)| Replaced { word, by }).collect();
        Self { words: &steps.words, ignored: &steps.ignored, replaced }
    }
}

/// A passage; its ranges are counted in Unicode scalar values.
#[derive(Serialize)]
struct Highlight<'a> {
    field: &'static str,
    text: &'a str,
    ranges: &'a [Range],
}

fn searched<'a>(rank: usize, hit: &'a Hit, listed: &Listed) -> HitRecord<'a> {
    HitRecord {
        exact: hit.exact,
        score: listed.best * score(rank),
        r#match: match hit.location {
            MatchLocation::Name => "TITLE",
            MatchLocation::Tag => "TAGS",
            MatchLocation::Website => "WEBSITES",
            MatchLocation::Description => "ANNOTATION",
            MatchLocation::Content => "CONTENT",
            MatchLocation::Several => "MULTIPLE",
            MatchLocation::Filter => listed.filtered,
        },
        identifier: &hit.id,
        highlights: hit.marks.iter().map(highlight).collect(),
        pseudo: hit.pseudo.then_some(true),
        found_by: hit.found_by.as_ref().map(FoundByRecord::of),
    }
}

fn highlight(mark: &Mark) -> Highlight<'_> {
    let field = match mark.field {
        Field::Name => "name",
        Field::Tag => "tag",
        Field::Website => "website",
        Field::Description => "description",
        Field::Content => "content",
    };
    Highlight { field, text: &mark.text, ranges: &mark.ranges }
}

/// Falls with the rank, from 1 to a half.
fn score(rank: usize) -> f64 {
    1.0 - rank as f64 / (2 * MAX_HITS) as f64
}
