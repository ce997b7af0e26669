//! Plans what an assistant proposes: what it names becomes changes, each planned on its asset as it is now.
//!
//! What must hold: nothing is sent but reads; each change has the values that it was planned on, so that it fails when
//! it is applied to an asset that changed meanwhile.

use std::collections::HashSet;

use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::language::LANGUAGES;
use lunette_client::model::record::Record as _;
use lunette_inspector::assets::content;
use lunette_inspector::assets::linkable;
use lunette_inspector::assets::page::Content;
use lunette_inspector::change::fingerprint::Fingerprint;
use lunette_inspector::change::{Change, Counter, Edit, Field, Item, LinkKind};
use lunette_inspector::filter::List;
use lunette_inspector::links::assets_of;
use lunette_inspector::proposals::{MOST_CHANGES, NewText, ProposedChange, patched};
use lunette_inspector::write::headless::recovery;
use lunette_inspector::write::plan::{Preflight, conflict_message, prepare};
use lunette_inspector::write::recovery::DeletedAssets;

use crate::arguments::{Argument, Arguments, Kind, SHORT};
use crate::backend::Session;
use crate::find_asset::{asset_id, record};
use crate::tools::ToolError;

/// The largest text of a change, in bytes.
const TEXT: usize = 4_000_000;

/// How the mark of a masked secret begins.
const MARK: &str = "[masked: ";

/// What can be proposed.
const DO: Kind = Kind::Choice(&[
    "link",
    "unlink",
    "rename",
    "describe",
    "favourite",
    "edit",
    "reclassify",
    "score",
    "create",
    "delete",
    "merge",
]);

/// The fields of one change.
pub(crate) const CHANGE: &[Argument] = &[
    Argument::needed(
        "do",
        DO,
        "link or unlink a tag, website or summary (kind, name, url); rename (to); describe (to); favourite (on); edit \
         the text (diff or text); reclassify (language); score (counter), which cannot be undone; create (name, text, \
         language, tags); delete; merge several tags, websites or summaries into one (kind, names, into)",
    ),
    Argument::optional("asset", Kind::Text(SHORT), "The id of the asset."),
    Argument::optional(
        "assets",
        Kind::Texts(MOST_CHANGES),
        "The ids of several assets, to change each in the same way.",
    ),
    Argument::optional("filter", Kind::Text(SHORT), "All assets that match a filter as in `find`, instead of ids."),
    Argument::optional("kind", Kind::Choice(&["tag", "website", "summary"]), "What is linked; a tag by default."),
    Argument::optional("name", Kind::Text(SHORT), "The tag, website or summary; or the name of a new asset."),
    Argument::optional("url", Kind::Text(SHORT), "The address of a new website, which is not fetched."),
    Argument::optional("names", Kind::Texts(100), "The names of what is merged."),
    Argument::optional("into", Kind::Text(SHORT), "The existing tag, website or summary to merge into."),
    Argument::optional("to", Kind::Text(SHORT), "The new name or description."),
    Argument::optional("on", Kind::Flag, "Whether it is a favourite; true by default."),
    Argument::optional("diff", Kind::Text(TEXT), "How the text changes, as a unified diff."),
    Argument::optional("text", Kind::Text(TEXT), "The whole new text, or the text of a new asset."),
    Argument::optional("language", Kind::Text(100), "The language: its name or extension, such as rust or rs."),
    Argument::optional(
        "counter",
        Kind::Choice(&["reuse", "update", "reference", "priority", "searched"]),
        "Which counter of the score is raised by one.",
    ),
    Argument::optional("tags", Kind::Texts(50), "The tags of a new asset."),
];

/// Planned changes.
#[derive(Debug, Default)]
pub(crate) struct Planned {
    pub changes: Vec<ProposedChange>,
    /// What is so already, in sentences.
    pub unchanged: Vec<String>,
}

/// What one object of the proposal means for an asset.
enum Wish {
    Link(Item),
    LinkNew(LinkKind, String, Option<String>),
    Unlink(Item),
    Edit(Field, serde_json::Value),
    Text(Source),
    Reclassify(String),
    Score(Counter),
    Delete,
}

/// Where a new text comes from.
enum Source {
    Whole(String),
    Diff(String),
}

/// Plans all changes of a proposal. Fails with the first that cannot be planned, so that nothing is proposed by half.
pub(crate) async fn all(session: &Session, wishes: &[Arguments<'_>]) -> Result<Planned, ToolError> {
    if wishes.is_empty() {
        return Err(ToolError::new("changes is empty"));
    }
    let recovery = recovery(&session.client, session.backend.vendor).await;
    let deleted = DeletedAssets { recovery, ..DeletedAssets::default() };
    let mut planned = Planned::default();
    for (index, wish) in wishes.iter().enumerate() {
        let at = |error: ToolError| ToolError::new(format!("changes[{index}]: {error}"));
        one(session, &deleted, *wish, &mut planned).await.map_err(at)?;
        if planned.changes.len() > MOST_CHANGES {
            return Err(ToolError::new(format!(
                "a proposal has at most {MOST_CHANGES} changes; propose fewer at a time"
            )));
        }
    }
    Ok(planned)
}

async fn one(
    session: &Session,
    deleted: &DeletedAssets,
    wish: Arguments<'_>,
    planned: &mut Planned,
) -> Result<(), ToolError> {
    match wish.needed("do")? {
        "create" => {
            planned.changes.push(ProposedChange::new(new_text(wish)?));
            Ok(())
        }
        "merge" => {
            let (kind, items, into) = merged(session, wish).await?;
            let mut seen = HashSet::new();
            for item in &items {
                for asset in assets_of(&session.client, item, session.backend.vendor).await? {
                    if seen.insert(asset.clone()) {
                        let (link, unlink) = (vec![into.clone()], items.clone());
                        plan(session, deleted, Change::Relink { asset, link, unlink }, planned).await?;
                    }
                }
            }
            if seen.is_empty() {
                planned.unchanged.push(format!("no asset is linked to {} of these", kind.many().to_lowercase()));
            }
            Ok(())
        }
        action => {
            let wished = wished(session, action, wish).await?;
            for asset in assets(session, wish).await? {
                let change = change(session, asset, &wished).await?;
                plan(session, deleted, change, planned).await?;
            }
            Ok(())
        }
    }
}

/// Plans one change, and adds it to the others.
async fn plan(
    session: &Session,
    deleted: &DeletedAssets,
    change: Change,
    planned: &mut Planned,
) -> Result<(), ToolError> {
    if planned.changes.len() > MOST_CHANGES {
        return Ok(());
    }
    let asset = change.asset().clone();
    match prepare(&session.client, deleted, change.clone(), session.backend.vendor).await.map_err(ToolError::of)? {
        Preflight::Ready(plan) => {
            let name = plan.before.as_ref().and_then(|asset| asset.view().name().map(str::to_owned));
            planned.changes.push(ProposedChange::planned(&plan, &name.unwrap_or_default()));
        }
        Preflight::NoOp(how) => planned.unchanged.push(format!("{asset}: {how}")),
        Preflight::Conflict(conflict) => return Err(ToolError::new(conflict_message(&change, &conflict.theirs))),
    }
    Ok(())
}

async fn wished(session: &Session, action: &str, wish: Arguments<'_>) -> Result<Wish, ToolError> {
    Ok(match action {
        "link" | "unlink" => {
            let (kind, name) = (kind(wish), wish.needed("name")?);
            match (item(session, kind, name).await?, action) {
                (Some(item), "link") => Wish::Link(item),
                (Some(item), _) => Wish::Unlink(item),
                (None, "link") => Wish::LinkNew(kind, name.to_owned(), wish.filled("url").map(str::to_owned)),
                (None, _) => return Err(ToolError::new(format!("there is no {} {name:?}", kind.one()))),
            }
        }
        "rename" => Wish::Edit(Field::Name, wish.needed("to")?.into()),
        "describe" => Wish::Edit(Field::Description, wish.needed("to")?.into()),
        "favourite" => Wish::Edit(Field::Favorited, wish.flag("on").unwrap_or(true).into()),
        "edit" => Wish::Text(match (wish.text("diff"), wish.text("text")) {
            (Some(diff), None) => Source::Diff(diff.to_owned()),
            (None, Some(text)) => Source::Whole(text.to_owned()),
            _ => return Err(ToolError::new("edit needs either diff or text")),
        }),
        "reclassify" => Wish::Reclassify(language(wish.needed("language")?)?),
        "score" => {
            let counter = wish.needed("counter")?;
            let known = Counter::ALL.into_iter().find(|known| known.as_str() == counter);
            Wish::Score(known.ok_or_else(|| ToolError::new(format!("there is no counter {counter:?}")))?)
        }
        _ => Wish::Delete,
    })
}

async fn change(session: &Session, asset: AssetId, wish: &Wish) -> Result<Change, ToolError> {
    Ok(match wish {
        Wish::Link(item) => Change::Link { asset, item: item.clone() },
        Wish::Unlink(item) => Change::Unlink { asset, item: item.clone() },
        Wish::LinkNew(kind, text, url) => {
            Change::LinkNew { asset, kind: *kind, text: text.clone(), url: url.clone(), unlink: Vec::new() }
        }
        Wish::Edit(field, to) => {
            let edit = Edit { field: *field, from: None, to: to.clone() };
            Change::Edit { asset, edits: vec![edit] }
        }
        Wish::Text(source) => {
            let from = text_of(session, &asset).await?;
            let to = match source {
                Source::Whole(text) => text.clone(),
                Source::Diff(diff) => patched(&from, diff).map_err(ToolError::of)?,
            };
            if to.contains(MARK) && !from.contains(MARK) {
                return Err(ToolError::new(
                    "the new text has a mark such as [masked: …] in place of a secret, which would be lost; propose a diff \
                     that leaves that line out",
                ));
            }
            Change::Text { asset, from, to }
        }
        Wish::Reclassify(to) => {
            let record = record(session, &asset).await?;
            let now = content::original(record.view()).map(|format| format.classification().specific().to_owned());
            Change::Reclassify { asset, from: now, to: to.clone() }
        }
        Wish::Score(counter) => Change::Increment { asset, counter: *counter, from: None },
        Wish::Delete => {
            let record: Asset = record(session, &asset).await?;
            let name = record.view().name().unwrap_or_default().to_owned();
            Change::Delete { asset, name, made: Some(Fingerprint::of(record.tree())) }
        }
    })
}

async fn text_of(session: &Session, asset: &AssetId) -> Result<String, ToolError> {
    match content::whole(&session.client, asset.clone(), session.backend.vendor).await? {
        Content::Text(text) => Ok(text.to_string()),
        Content::Bytes(_) | Content::Part(..) | Content::Large(_) | Content::None => {
            Err(ToolError::new(format!("{asset} has no text to edit")))
        }
    }
}

/// The assets that a change is for.
async fn assets(session: &Session, wish: Arguments<'_>) -> Result<Vec<AssetId>, ToolError> {
    let named: Vec<&str> = wish.filled("asset").into_iter().chain(wish.texts("assets")).collect();
    match (named.as_slice(), wish.filled("filter")) {
        ([], None) => Err(ToolError::new("which assets? give asset, assets or filter")),
        ([], Some(text)) => {
            let rows = crate::tools::rows_of(session, text, List::Assets).await?;
            match rows.len() {
                0 => Err(ToolError::new(format!("no asset matches {text:?}"))),
                count if count > MOST_CHANGES => Err(ToolError::new(format!(
                    "{count} assets match {text:?}; a proposal has at most {MOST_CHANGES} changes"
                ))),
                _ => Ok(rows),
            }
        }
        (named, None) => {
            let mut seen = HashSet::new();
            let ids = named.iter().map(|text| asset_id(text)).collect::<Result<Vec<_>, _>>()?;
            Ok(ids.into_iter().filter(|id| seen.insert(id.clone())).collect())
        }
        (_, Some(_)) => Err(ToolError::new("give asset, assets or filter, not several of them")),
    }
}

fn kind(wish: Arguments<'_>) -> LinkKind {
    match wish.text("kind") {
        Some("website") => LinkKind::Website,
        Some("summary") => LinkKind::Summary,
        _ => LinkKind::Tag,
    }
}

/// The item with this id or text; if there is none, the only one whose text differs in the case of its letters.
async fn item(session: &Session, kind: LinkKind, name: &str) -> Result<Option<Item>, ToolError> {
    let items = linkable::list(&session.client, kind, session.backend.vendor).await?;
    let exact = |item: &&Item| item.text == name || *item.id == *name || item.url.as_deref() == Some(name);
    if let Some(item) = items.iter().find(exact) {
        return Ok(Some(item.clone()));
    }
    let lower = name.to_lowercase();
    let mut alike = items.iter().filter(|item| item.text.to_lowercase() == lower);
    match (alike.next(), alike.next()) {
        (Some(_), Some(_)) => {
            Err(ToolError::new(format!("several {} are called {name:?}", kind.many().to_lowercase())))
        }
        (item, _) => Ok(item.cloned()),
    }
}

async fn merged(session: &Session, wish: Arguments<'_>) -> Result<(LinkKind, Vec<Item>, Item), ToolError> {
    let kind = kind(wish);
    let found = async |name: &str| {
        let item = item(session, kind, name).await?;
        item.ok_or_else(|| ToolError::new(format!("there is no {} {name:?}", kind.one())))
    };
    let into = found(wish.needed("into")?).await?;
    let mut items: Vec<Item> = Vec::new();
    for name in wish.texts("names") {
        let item = found(name).await?;
        if item.id != into.id && !items.contains(&item) {
            items.push(item);
        }
    }
    match items.is_empty() {
        true => Err(ToolError::new("names has nothing that is merged into it")),
        false => Ok((kind, items, into)),
    }
}

fn new_text(wish: Arguments<'_>) -> Result<NewText, ToolError> {
    let language = wish.filled("language").map(language).transpose()?;
    let text = wish.text("text").filter(|text| !text.is_empty()).ok_or_else(|| ToolError::new("create needs text"))?;
    let tags = wish.texts("tags").into_iter().map(str::to_owned).collect();
    Ok(NewText { name: wish.needed("name")?.to_owned(), text: text.to_owned(), language, tags })
}

/// The language with this name or extension, as the interface's word.
fn language(text: &str) -> Result<String, ToolError> {
    let wanted = text.trim_start_matches('.').to_lowercase();
    let known = LANGUAGES.iter().find(|known| known.specific == wanted || known.name.to_lowercase() == wanted);
    let known =
        known.ok_or_else(|| ToolError::new(format!("there is no language {text:?}; use a name or an extension")))?;
    Ok(known.specific.to_owned())
}
