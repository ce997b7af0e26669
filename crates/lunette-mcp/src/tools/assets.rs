//! `find`, `get` and `links`.

use std::sync::Arc;

use jiff::ZonedDateTime;
use serde_json::{Value, json};

use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    AssetSnapshot, AssetsNearDuplicatesSnapshot, AssetsSpecificAssetRelatedSnapshot, SearchAssets,
};
use lunette_inspector::assets::content;
use lunette_inspector::assets::load::PagedList;
use lunette_inspector::assets::near_duplicates::NearDuplicates;
use lunette_inspector::assets::page::Content;
use lunette_inspector::assets::search::{Hits, LoadedRows, without_marks};
use lunette_inspector::change::{Item, LinkKind, description, linked};
use lunette_inspector::filter::{CompiledFilter, Filter, Flag, List, parse};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::listing::{Columns as _, Query, RowList, Sort, apply_query};
use lunette_inspector::settings::read_synonyms;
use lunette_inspector::tasks::blocking;
use lunette_inspector::versions::PastText;

use super::{Answered, Tool, ToolError};
use crate::answer::{BYTES, CURSOR, FROM, LIMIT, PAGE_BYTES, Page, object, part, size};
use crate::arguments::{Argument, Arguments, Kind, SHORT};
use crate::backend::{Permission, Session};
use crate::find_asset::{asset_id, asset_version, read_version, record};
use crate::last_list::{Asked, AssetList, LastList};

/// The most assets that are read by one call.
const MOST_AT_ONCE: usize = 20;

/// The largest response in which a record is read together with its content, in bytes: a text that is answered whole, and
/// its record. Those of larger assets are read one after the other, so that the content is read only where it is text.
const MOST_BY_ONE_REQUEST: usize = PAGE_BYTES + 32 * 1024;

/// How the filter is written.
const FILTER: &str = "Which assets: words of the name, and fields such as language:rust tag:\"to do\" folder:src \
                      score:>3 size:>10kb updated:<7d created:2026-01 is:favourite is:tagged is:near-duplicate. A \
                      minus before a term excludes.";

pub(crate) const FIND: Tool = Tool {
    name: "find",
    title: "Find assets",
    about: "Lists assets: those in which words are found, best first, those that match a filter, or both. A search that \
            finds little goes on with fewer words, other forms and words spelt alike; found_by says so.",
    arguments: &[
        Argument::optional("query", Kind::Text(SHORT), "Words of the name, tags, description or content."),
        Argument::optional("filter", Kind::Text(SHORT), FILTER),
        Argument::optional("exact", Kind::Flag, "Whether every word must be there as typed."),
        Argument::optional("sort", Kind::Text(SHORT), "A column, such as updated or name, with :desc for descending."),
        LIMIT,
        CURSOR,
    ],
    needs: Permission::Read,
    run: |session, arguments| Box::pin(find(session, arguments)) as Answered<'_>,
};

pub(crate) const GET: Tool = Tool {
    name: "get",
    title: "Get an asset",
    about: "Reads an asset: its fields, description and links, and a part of its text. For more of the text, ask again \
            from next_from. With @3 behind the id, an earlier version of it. Several are read at once with assets.",
    arguments: &[
        Argument::optional(
            "asset",
            Kind::Text(SHORT),
            "The id of the asset, or a lunette://asset link; ID@N for version N.",
        ),
        Argument::optional(
            "assets",
            Kind::Texts(MOST_AT_ONCE),
            "Several assets, in place of asset. They share the most bytes of the text equally; for one that cannot be read, \
             error says why.",
        ),
        FROM,
        BYTES,
    ],
    needs: Permission::Read,
    run: |session, arguments| Box::pin(get(session, arguments)) as Answered<'_>,
};

pub(crate) const LINKS: Tool = Tool {
    name: "links",
    title: "Links of an asset",
    about: "Lists the tags, websites and workstream summaries of an asset, and the assets that are related to it with why.",
    arguments: &[
        Argument::needed("asset", Kind::Text(SHORT), "The id of the asset, or a lunette://asset link."),
        Argument::optional("related", Kind::Flag, "Whether to list related assets too."),
        LIMIT,
        CURSOR,
    ],
    needs: Permission::Read,
    run: |session, arguments| Box::pin(links(session, arguments)) as Answered<'_>,
};

async fn find(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let page = Page::of(arguments)?;
    let text = |name| arguments.text(name).unwrap_or_default().to_owned();
    let asked = Asked { client: session.name.clone(), filter: text("filter"), sort: text("sort") };
    let filter = filter(&asked.filter, List::Assets)?;
    if let Some(query) = arguments.filled("query") {
        return search(session, query, &filter, arguments.flag("exact") == Some(true), page).await;
    }
    let sort = arguments.filled("sort").map(sort).transpose()?;
    // A first page is that of the assets as they are now.
    let kept = (page.offset > 0).then(|| session.backend.last_list.get(&asked)).flatten();
    let list = match kept {
        Some(list) => list,
        None => {
            let rows = RowList::from(rows(session, &filter).await?);
            let order = apply_query(&rows, &Query { filter, sort, ..Query::default() });
            let list = Arc::new(AssetList { rows, order });
            LastList::keep(&session.backend, asked, Arc::clone(&list));
            list
        }
    };
    let shown = list.order.iter().skip(page.offset).filter_map(|index| list.rows.get(*index as usize));
    Ok(page.answer(shown.map(|row| row.record()), Some(list.order.len())))
}

/// Parses a filter of a list.
pub(super) fn filter(text: &str, list: List) -> Result<Filter, ToolError> {
    parse(text, list).map_err(|error| ToolError::new(format!("invalid filter: {error}\n{}", error.pointed(text))))
}

fn sort(text: &str) -> Result<Sort, ToolError> {
    let (name, descending) = match text.split_once(':') {
        None | Some((_, "asc")) => (text.trim_end_matches(":asc"), false),
        Some((name, "desc")) => (name, true),
        Some((_, other)) => return Err(ToolError::new(format!("{other:?} is not a direction; use :asc or :desc"))),
    };
    let names = || AssetRow::COLUMNS.iter().filter(|column| column.is_sortable()).map(|column| column.key);
    match names().find(|key| *key == name.to_lowercase()) {
        Some(column) => Ok(Sort { column: column.to_owned(), descending }),
        None => Err(ToolError::new(format!(
            "cannot sort by {name:?}; the columns are {}",
            names().collect::<Vec<_>>().join(", ")
        ))),
    }
}

/// The assets that a filter takes, in the order of the service.
pub(crate) async fn rows(session: &Session, filter: &Filter) -> Result<Vec<Arc<AssetRow>>, ToolError> {
    let near = match filter.asks(Flag::NearDuplicate) {
        true => NearDuplicates::of(&session.client.call(AssetsNearDuplicatesSnapshot {}).await?).ids(),
        false => std::collections::HashSet::new(),
    };
    let compiled = CompiledFilter::new(filter, &ZonedDateTime::now());
    let mut pages = PagedList::new(session.client.clone()).of_vendor(session.backend.vendor);
    let mut rows = Vec::new();
    while let Some(page) = pages.next().await {
        for row in page? {
            let row = if near.contains(&row.compact_id()) { Arc::new(row.as_near_duplicate(true)) } else { row };
            if compiled.takes(row.as_ref()) {
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

async fn search(session: &Session, query: &str, filter: &Filter, exact: bool, page: Page) -> Result<Value, ToolError> {
    let (words, wish) = (Some(query.to_owned()), exact.then_some(true));
    let call =
        SearchAssets { query: words, transferables: Some(false), searchable_tags: None, pseudo: None, exact: wish };
    let (hits, known) = match session.client.call(call).await {
        Ok(found) => (Hits::of(&found), None),
        Err(error) if error.missing() => {
            let all: RowList<AssetRow> = rows(session, &Filter::default()).await?.into_iter().collect();
            (searched_here(session, query, exact, &all).await?, Some(all))
        }
        Err(error) => return Err(error.into()),
    };
    let mut ids = hits.ranked();
    if !filter.is_empty() {
        let taken: std::collections::HashSet<AssetId> =
            rows(session, filter).await?.iter().map(|row| row.id()).collect();
        ids.retain(|id| taken.contains(id));
    }
    let mut found = Vec::new();
    for id in ids.iter().skip(page.offset).take(page.limit + 1) {
        let row = match &known {
            Some(all) => all.find(id).map(|row| row.record()),
            // One that was deleted meanwhile is left out.
            None => record(session, id).await.ok().and_then(|asset| AssetRow::of(asset.view())).map(|row| row.record()),
        };
        let Some(mut row) = row else { continue };
        row["passage"] = hits.passage(id).map(|passage| json!({ "field": passage.field, "text": passage.text })).into();
        row["found_by"] = hits.found_by(id).map(|by| json!({ "step": by.step, "missing": by.missing })).into();
        found.push(row);
    }
    let mut answer = page.answer(found.into_iter(), Some(ids.len()));
    if hits.unindexed > 0 {
        answer["not_searched"] = format!("the contents of {} new assets are not indexed yet", hits.unindexed).into();
    }
    Ok(answer)
}

/// Searches the rows, for a service that does not search.
async fn searched_here(
    session: &Session,
    query: &str,
    exact: bool,
    all: &RowList<AssetRow>,
) -> Result<Hits, ToolError> {
    let (folder, query, all) = (session.backend.folder.clone(), query.to_owned(), all.clone());
    let search = move || {
        let filter = CompiledFilter::new(&Filter::words(&without_marks(&query)), &ZonedDateTime::now());
        let hits =
            Hits::exact(all.iter().filter(|row| filter.takes(row.as_ref())).map(|row| row.id()).collect::<Vec<_>>());
        if exact { hits } else { LoadedRows::of(all).go_on(hits, &query, &read_synonyms(&folder)) }
    };
    blocking(search).await.map_err(ToolError::of)
}

async fn get(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    match (arguments.filled("asset"), arguments.texts("assets").as_slice()) {
        (Some(asset), []) => get_one(session, asset, arguments).await,
        (None, [_, ..]) if arguments.number("from").is_some() => {
            Err(ToolError::new("from is the place in one text: give asset with it, not assets"))
        }
        (None, several @ [_, ..]) => get_several(session, several, arguments).await,
        _ => Err(ToolError::new("give either asset or assets")),
    }
}

/// Reads assets one after the other. One that cannot be read is not a reason to leave out the others; those for which the
/// answer has no room, as their fields and links take more than a page beside the texts, are not read.
async fn get_several(session: &Session, assets: &[&str], arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let texts = arguments.number("bytes").unwrap_or(PAGE_BYTES);
    let share = json!({ "bytes": texts / assets.len() });
    let (mut read, mut bytes) = (Vec::new(), 0);
    for asset in assets {
        let found = match bytes > texts + PAGE_BYTES {
            true => Err(ToolError::new("the answer is full: read it by another call")),
            false => get_one(session, asset, Arguments(&share)).await,
        };
        let found = found.unwrap_or_else(|error| json!({ "id": asset, "error": error.to_string() }));
        bytes += size(&found);
        read.push(found);
    }
    Ok(object([("assets", read.into())]))
}

async fn get_one(session: &Session, asset: &str, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    match asset_version(asset)? {
        (asset, None) => current(session, &asset, arguments).await,
        (asset, Some(version)) => {
            let then = read_version(session, asset, version).await?;
            let text = match then.text() {
                PastText::Text(text) => part(text, arguments, session.shown_secrets),
                PastText::NotRead => json!({ "text": null, "note": "the content was not read when the asset was so" }),
                PastText::None => Value::Null,
            };
            Ok(object([("version", then.record.tree().clone()), ("content", text)]))
        }
    }
}

async fn current(session: &Session, asset: &AssetId, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let (record, content) = read(session, asset).await?;
    let view = record.view();
    let row = AssetRow::of(view).ok_or_else(|| ToolError::new("the service sent no usable asset"))?;
    let content = match content {
        Some(Content::Text(text)) => part(&text, arguments, session.shown_secrets),
        Some(Content::Bytes(bytes)) => json!({ "size": bytes.len(), "text": null }),
        Some(Content::Part(..) | Content::Large(_) | Content::None) => json!({ "text": null }),
        None => json!({ "size": content::size(view), "text": null, "note": "the content is not text" }),
    };
    // `links` has the others.
    let mut links = linked_items(&record, Page::FIRST);
    Ok(object([
        ("asset", row.record()),
        ("description", description(view).into()),
        ("links", links["rows"].take()),
        ("all_links", links["total"].take()),
        ("content", content),
    ]))
}

/// Reads an asset and its content, which is `None` unless it is text. A small one comes by one request.
async fn read(session: &Session, asset: &AssetId) -> Result<(Asset, Option<Content>), ToolError> {
    let client = session.client.with_response_limit(MOST_BY_ONE_REQUEST);
    let (found, content) = match client.call(AssetSnapshot { asset: asset.clone(), transferables: Some(true) }).await {
        Ok(found) => {
            let content = content::of_original(found.view());
            (found, content)
        }
        Err(error) if error.too_large() => (record(session, asset).await?, Content::None),
        Err(error) => return Err(error.into()),
    };
    let content = match content {
        _ if !content::is_text(found.view()) => None,
        Content::None => Some(content::whole(&session.client, asset.clone(), session.backend.vendor).await?),
        content => Some(content),
    };
    Ok((found, content))
}

fn linked_items(asset: &Asset, page: Page) -> Value {
    let items: Vec<_> = LinkKind::ALL.into_iter().flat_map(|kind| linked(asset.view(), kind)).collect();
    let row = |item: &Item| json!({ "kind": item.kind, "id": &*item.id, "name": item.name(), "url": item.url });
    page.answer(items.iter().skip(page.offset).map(row), Some(items.len()))
}

async fn links(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let asset = asset_id(arguments.needed("asset")?)?;
    let record = record(session, &asset).await?;
    let links = linked_items(&record, Page::of(arguments)?);
    let mut answer = json!({ "links": links["rows"], "total": links["total"], "next": links["next"] });
    if arguments.flag("related") == Some(true) {
        let call = AssetsSpecificAssetRelatedSnapshot { asset, limit: Some(20) };
        answer["related"] = match session.client.call(call).await {
            Ok(related) => related.tree().get("iterable").cloned().unwrap_or_default(),
            Err(error) if error.missing() => "this service does not say which assets are related".into(),
            Err(error) => return Err(error.into()),
        };
    }
    Ok(answer)
}
