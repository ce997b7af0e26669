//! The filters of a search as the clients write them (`AssetFilters` and what is in it, clients 2.7.0 and 5.0.1).
//!
//! What must hold: an unknown filter is rejected, never ignored, since that would find too much.

use serde_json::Value;

use crate::ServiceError;
use crate::store::records::item::ItemKind;
use crate::store::search::{Filter, Span};
use lunette_client::model::record::kind_name;

use super::engines::{known, object, refused};

/// The deepest nesting of filters.
const MAX_DEPTH: usize = 8;
/// The most conditions in one search.
const MAX_CONDITIONS: usize = 200;

/// The assets that a search is limited to. The clients write the field `identifers`.
pub(super) fn space(space: Option<&Value>) -> Result<Option<Filter>, ServiceError> {
    let Some(space) = space else { return Ok(None) };
    let fields = object(space, "space")?;
    known(fields, &["schema", "identifers", "identifiers"], "space")?;
    let Some(given) = fields.get("identifers").or(fields.get("identifiers")) else {
        return Err(refused("space", "has no `identifers`"));
    };
    let references = given.get("iterable").and_then(Value::as_array);
    let references = references.ok_or_else(|| refused("space.identifers", "needs an `iterable` of references"))?;
    let ids = references.iter().map(|reference| reference.get("id").and_then(Value::as_str).map(str::to_owned));
    let ids: Option<Vec<String>> = ids.collect();
    ids.map(|ids| Some(Filter::Among(ids)))
        .ok_or_else(|| refused("space.identifers", "has a reference without an `id`"))
}

/// The condition that filters make; None without any.
pub(super) fn read(filters: Option<&Value>) -> Result<Option<Filter>, ServiceError> {
    let Some(filters) = filters else { return Ok(None) };
    let mut left = MAX_CONDITIONS;
    let filter = several(filters, "filters", MAX_DEPTH, &mut left)?.0;
    Ok((filter != Filter::All(Vec::new())).then_some(filter))
}

/// Filters that are joined, and whether by OR. Without a word they are joined by AND.
fn several(given: &Value, path: &str, depth: usize, left: &mut usize) -> Result<(Filter, bool), ServiceError> {
    let fields = object(given, path)?;
    known(fields, &["schema", "iterable", "type"], path)?;
    if depth == 0 {
        return Err(refused(path, &format!("is nested more than {MAX_DEPTH} levels deep")));
    }
    let any = match fields.get("type").filter(|word| !word.is_null()).map(|word| word.as_str()) {
        None | Some(Some("AND")) => false,
        Some(Some("OR")) => true,
        Some(_) => return Err(refused(&format!("{path}.type"), "must be AND or OR")),
    };
    let list = fields.get("iterable").and_then(Value::as_array);
    let list = list.ok_or_else(|| refused(path, "needs an `iterable` of filters"))?;
    let filters =
        list.iter().enumerate().map(|(index, given)| one(given, &format!("{path}.iterable[{index}]"), depth, left));
    let filters: Vec<Filter> = filters.collect::<Result<_, _>>()?;
    // None of no filters would be found by OR; whoever names none wants all.
    Ok((if any && !filters.is_empty() { Filter::Any(filters) } else { Filter::All(filters) }, any))
}

/// One filter: all it says must hold. Its `operations` are joined to that by their own word.
fn one(given: &Value, path: &str, depth: usize, left: &mut usize) -> Result<Filter, ServiceError> {
    let fields = object(given, path)?;
    let mut own = Vec::new();
    let mut operations = None;
    for (name, value) in fields.iter().filter(|(_, value)| !value.is_null()) {
        let path = format!("{path}.{name}");
        match name.as_str() {
            "schema" => {}
            "classification" => own.push(Filter::Language(text(value, &path)?.to_owned())),
            "tags" => own.extend(items(ItemKind::Tag, value, &path)?),
            "websites" => own.extend(items(ItemKind::Website, value, &path)?),
            "phrase" => own.push(phrase(value, &path)?),
            "created" => own.push(Filter::Created(span(value, &path)?)),
            "updated" => own.push(Filter::Updated(span(value, &path)?)),
            "operations" => operations = Some(several(value, &path, depth - 1, left)?),
            "persons" => return Err(refused(&path, "is not supported: persons cannot be searched")),
            _ => return Err(refused(&path, "is not a supported filter")),
        }
    }
    *left = left
        .checked_sub(own.len().max(1))
        .ok_or_else(|| refused(path, &format!("exceeds the limit of {MAX_CONDITIONS} conditions")))?;
    Ok(match operations {
        None => Filter::All(own),
        Some((operations, true)) if !own.is_empty() => Filter::Any(vec![Filter::All(own), operations]),
        Some((operations, _)) => {
            own.push(operations);
            Filter::All(own)
        }
    })
}

fn items(kind: ItemKind, given: &Value, path: &str) -> Result<Vec<Filter>, ServiceError> {
    let list = given.as_array().ok_or_else(|| refused(path, "must be a list of texts or ids"))?;
    if list.len() > MAX_CONDITIONS {
        return Err(refused(path, &format!("has more than {MAX_CONDITIONS} entries")));
    }
    list.iter().map(|item| Ok(Filter::Item(kind, text(item, path)?.to_owned()))).collect()
}

/// A text in the name, in an annotation or in the content; in any of them where none is named.
fn phrase(given: &Value, path: &str) -> Result<Filter, ServiceError> {
    let fields = object(given, path)?;
    known(fields, &["schema", "value", "annotation", "title", "content", "options"], path)?;
    let value = fields.get("value").and_then(Value::as_str).filter(|value| !value.trim().is_empty());
    let value = value.ok_or_else(|| refused(path, "needs a `value` with the text to find"))?.to_owned();
    let named = |name: &str| fields.get(name) == Some(&Value::Bool(true));
    let mut kind = None;
    if let Some(options) = fields.get("options").filter(|options| !options.is_null()) {
        let path = format!("{path}.options");
        let options = object(options, &path)?;
        known(options, &["schema", "annotation"], &path)?;
        kind = options.get("annotation").and_then(Value::as_str).map(str::to_owned);
    }
    let chosen = ["title", "annotation", "content"].map(named);
    let [title, annotation, content] = if chosen.contains(&true) { chosen } else { [true; 3] };
    let mut filters = Vec::new();
    if title {
        filters.push(Filter::Title(value.clone()));
    }
    if annotation {
        filters.push(Filter::Annotation { text: value.clone(), kind });
    }
    if content {
        filters.push(Filter::Content(value));
    }
    Ok(Filter::Any(filters))
}

/// A span of time: `from`, `to`, or both, each a moment with its `value`. `between` says no more than both do.
fn span(given: &Value, path: &str) -> Result<Span, ServiceError> {
    let fields = object(given, path)?;
    known(fields, &["schema", "from", "to", "between"], path)?;
    let moment = |name: &str| -> Result<Option<i64>, ServiceError> {
        let Some(given) = fields.get(name).filter(|given| !given.is_null()) else { return Ok(None) };
        let value = given.get("value").and_then(Value::as_str);
        let at = value.and_then(lunette_client::model::time::moment).map(|at| at.as_microsecond());
        at.map(Some).ok_or_else(|| {
            refused(&format!("{path}.{name}"), "needs a `value` with a time such as 2026-11-21T12:00:00Z")
        })
    };
    let span = Span { from: moment("from")?, to: moment("to")? };
    if span == Span::default() {
        return Err(refused(path, "needs `from`, `to`, or both"));
    }
    Ok(span)
}

fn text<'a>(given: &'a Value, path: &str) -> Result<&'a str, ServiceError> {
    given.as_str().ok_or_else(|| refused(path, &format!("must be a string, not {}", kind_name(given))))
}
