//! The engines of a search as the clients write them (`SearchEngines` and what is in it, clients 2.7.0 and 5.0.1).
//!
//! What must hold: an unsupported request of an engine is rejected, never ignored.

use serde_json::{Map, Value};

use crate::ServiceError;
use lunette_client::model::record::{Record as _, kind_name};
use lunette_client::model::search_terms::{Folded, SearchTerms};
use lunette_client::model::seed::SearchInput;

use super::MAX_QUERY_LETTERS;

/// The deepest nesting of engines.
const MAX_DEPTH: usize = 8;
/// The most engines in one search.
const MAX_ENGINES: usize = 50;

/// A condition on a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Engine {
    /// Terms that must all occur in the text.
    Text {
        words: SearchTerms,
        /// The query without case and accents.
        whole: String,
        /// Whether a whole line must be the query.
        exact: bool,
        /// The minimum similarity of the text to the query.
        similarity: f64,
    },
    /// All of them must find something.
    All(Vec<Engine>),
    /// One of them must.
    Any(Vec<Engine>),
}

/// What an engine found in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Similarity {
    /// A whole line is the query.
    pub(super) exact: bool,
    /// From a half, for words in a very long text, to 1 for a line that is the query.
    pub(super) similarity: f64,
}

impl Engine {
    /// Reads the engines of a search.
    pub(super) fn read(input: &SearchInput) -> Result<Self, ServiceError> {
        let engines = input.tree().get("engines").unwrap_or(&Value::Null);
        let mut left = MAX_ENGINES;
        Ok(several(engines, "engines", MAX_DEPTH, &mut left)?.0)
    }

    /// The similarity of a text to the query; None without a match.
    pub(super) fn similarity_to(&self, folded: &Folded) -> Option<Similarity> {
        match self {
            Self::Text { words, whole, exact, similarity } => {
                if !words.all_in(folded) {
                    return None;
                }
                let is_whole = folded.as_str().lines().any(|line| line.trim() == whole);
                let part = whole.len() as f64 / folded.as_str().len().max(1) as f64;
                let like = if is_whole { 1.0 } else { 0.5 + part.min(1.0) / 2.0 };
                let enough = like >= *similarity && (is_whole || !exact);
                enough.then_some(Similarity { exact: is_whole, similarity: like })
            }
            Self::All(engines) => {
                let found: Option<Vec<Similarity>> =
                    engines.iter().map(|engine| engine.similarity_to(folded)).collect();
                let found = found?;
                let similarity = found.iter().map(|one| one.similarity).fold(1.0, f64::min);
                Some(Similarity { exact: found.iter().all(|one| one.exact), similarity })
            }
            Self::Any(engines) => {
                let found = engines.iter().filter_map(|engine| engine.similarity_to(folded));
                found.max_by(|one, other| one.similarity.total_cmp(&other.similarity))
            }
        }
    }
}

/// Engines that are joined, and whether by OR. Without a word they are joined by AND, as the clients say.
fn several(given: &Value, path: &str, depth: usize, left: &mut usize) -> Result<(Engine, bool), ServiceError> {
    let fields = object(given, path)?;
    known(fields, &["schema", "iterable", "type"], path)?;
    if depth == 0 {
        return Err(refused(path, &format!("is nested more than {MAX_DEPTH} levels deep")));
    }
    let any = match fields.get("type").filter(|word| !word.is_null()).map(Value::as_str) {
        None | Some(Some("AND")) => false,
        Some(Some("OR")) => true,
        Some(_) => return Err(refused(&format!("{path}.type"), "must be AND or OR")),
    };
    let list = fields.get("iterable").and_then(Value::as_array).filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| refused(path, "needs an `iterable` with at least one engine"))?;
    let engines = list.iter().enumerate();
    let engines = engines.map(|(index, given)| one(given, &format!("{path}.iterable[{index}]"), depth, left));
    let engines: Vec<Engine> = engines.collect::<Result<_, _>>()?;
    Ok((if any { Engine::Any(engines) } else { Engine::All(engines) }, any))
}

/// One engine: its own query, joined to its `operations` by their word.
fn one(given: &Value, path: &str, depth: usize, left: &mut usize) -> Result<Engine, ServiceError> {
    let fields = object(given, path)?;
    *left = left.checked_sub(1).ok_or_else(|| refused(path, &format!("exceeds the limit of {MAX_ENGINES} engines")))?;
    known(fields, &["schema", "query", "full_text", "operations", "embeddings", "temporal", "workstream"], path)?;
    for (name, what) in
        [("embeddings", "semantic search"), ("temporal", "search by time"), ("workstream", "workstream search")]
    {
        if fields.get(name).is_some_and(|value| !value.is_null()) {
            let problem = format!("requests {what}, which is not supported; use `full_text`");
            return Err(refused(&format!("{path}.{name}"), &problem));
        }
    }
    let own = text(fields, path)?;
    let operations = fields.get("operations").filter(|value| !value.is_null());
    let operations =
        operations.map(|given| several(given, &format!("{path}.operations"), depth - 1, left)).transpose()?;
    match (own, operations) {
        (Some(own), None) => Ok(own),
        (None, Some((operations, _))) => Ok(operations),
        (Some(own), Some((operations, true))) => Ok(Engine::Any(vec![own, operations])),
        (Some(own), Some((operations, false))) => Ok(Engine::All(vec![own, operations])),
        (None, None) => Err(refused(path, "has no `query`")),
    }
}

fn text(fields: &Map<String, Value>, path: &str) -> Result<Option<Engine>, ServiceError> {
    let given = |name: &str| fields.get(name).filter(|value| !value.is_null());
    let full_text = given("full_text").map(|value| object(value, &format!("{path}.full_text"))).transpose()?;
    let Some(query) = given("query") else {
        let lone = full_text.is_some();
        return if lone { Err(refused(path, "has `full_text` but no `query`")) } else { Ok(None) };
    };
    let query = query.as_str().ok_or_else(|| refused(&format!("{path}.query"), "must be a string"))?;
    if query.chars().nth(MAX_QUERY_LETTERS).is_some() {
        return Err(refused(&format!("{path}.query"), &format!("has more than {MAX_QUERY_LETTERS} characters")));
    }
    let words = SearchTerms::of(query);
    if words.is_empty() {
        return Err(refused(&format!("{path}.query"), "is empty"));
    }
    let (mut exact, mut similarity) = (false, 0.0);
    if let Some(options) = full_text {
        let path = format!("{path}.full_text");
        known(options, &["schema", "similarity", "exact"], &path)?;
        exact = options.get("exact") == Some(&Value::Bool(true));
        if let Some(given) = options.get("similarity").filter(|value| !value.is_null()) {
            let number = given.as_f64().filter(|number| (0.0..=1.0).contains(number));
            similarity =
                number.ok_or_else(|| refused(&format!("{path}.similarity"), "must be a number from 0 to 1"))?;
        }
    }
    Ok(Some(Engine::Text { words, whole: Folded::of(query.trim()).into_text(), exact, similarity }))
}

pub(super) fn object<'a>(given: &'a Value, path: &str) -> Result<&'a Map<String, Value>, ServiceError> {
    given.as_object().ok_or_else(|| refused(path, &format!("must be an object, not {}", kind_name(given))))
}

/// Rejects unknown names.
pub(super) fn known(fields: &Map<String, Value>, names: &[&str], path: &str) -> Result<(), ServiceError> {
    let unknown = fields.iter().find(|(name, value)| !value.is_null() && !names.contains(&name.as_str()));
    unknown.map_or(Ok(()), |(name, _)| Err(refused(&format!("{path}.{name}"), "is not supported")))
}

pub(super) fn refused(path: &str, problem: &str) -> ServiceError {
    ServiceError::bad_request(format!("`{path}` {problem}"))
}
