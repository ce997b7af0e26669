//! Writes: carried out in the background, said in the status bar, taken back by Undo.
//!
//! What must hold: each is sent once, on the user's word; an edit is made on a fresh read and refused when the field
//! moved meanwhile; a write that failed is said at the asset it was meant for, and nothing else is changed.

use std::sync::Arc;

use crate::app::change::{Change, Item, LinkKind, edited};
use crate::app::event::{Changed, What};
use crate::app::journal::EntryId;
use crate::app::log::{LogLine, Wire};
use crate::app::state::{ConsoleAnswer, Grade};
use crate::app::{App, CallError};
use crate::model::application::Application;
use crate::model::asset::{Asset, AssetReclassification};
use crate::model::id::AssetId;
use crate::model::linked::{SeededTag, SeededWebsite, SeededWorkstreamSummary};
use crate::model::record::{Record, WrongShape};
use crate::model::value::SeededScoreIncrement;
use crate::operation::Call;
use crate::operation::table::{
    ApplicationsRegister, AssetAssociateTag, AssetAssociateWebsite, AssetAssociateWorkstreamSummary,
    AssetDisassociateTag, AssetDisassociateWebsite, AssetDisassociateWorkstreamSummary, AssetReclassify,
    AssetScoresIncrement, AssetSnapshot, AssetUpdate, AssetsDeleteAsset, TagsCreateNewTag, WebsitesCreateNewWebsite,
    WorkstreamSummariesCreateNewWorkstreamSummary,
};

/// Why a write was not done: a sentence for the user.
type Refusal = String;

impl App {
    pub(super) fn change(&mut self, change: Change) {
        let undoing = false;
        let page = self.state.pages.entry(change.asset().clone()).or_default();
        if std::mem::replace(&mut page.writing, true) {
            page.refused = Some("the last change to this asset is still under way; wait for it".to_owned());
            return;
        }
        page.refused = None;
        let (wire, own) = (self.wire(), self.state.connection.own);
        let (meant, failed) = (change.clone(), change.clone());
        let write = async move {
            let end = match wire {
                Ok(wire) => carry_out(&wire, change, own).await.map(Box::new),
                Err(error) => Err(error.to_string()),
            };
            What::Changed { change: meant, undoing, end }
        };
        self.start(write, move |error| What::Changed { change: failed, undoing, end: Err(error.to_string()) });
    }

    pub(super) fn undo(&mut self) {
        self.say("There is nothing to undo".to_owned());
    }

    pub(super) fn redo(&mut self) {
        self.say("There is nothing to do again".to_owned());
    }

    pub(super) fn undo_step(&mut self, _entry: EntryId) {}

    pub(super) fn settle(&mut self, _entry: EntryId) {}

    pub(super) fn select_step(&mut self, entry: Option<EntryId>) {
        self.state.history.selected = entry;
    }

    pub(super) fn apply_plan(&mut self) {}

    pub(super) fn changed(&mut self, meant: Change, undoing: bool, end: Result<Box<Changed>, Refusal>) {
        let id = meant.asset().clone();
        if let Some(page) = self.state.pages.get_mut(&id) {
            page.writing = false;
        }
        let Changed { change, asset } = match end {
            Ok(changed) => *changed,
            Err(refusal) => {
                if let Some(page) = self.state.pages.get_mut(&id) {
                    page.refused = Some(refusal.clone());
                }
                let what = if undoing { "undo" } else { "change" };
                self.notify(Grade::Failed, format!("the {what} was not made: {refusal}"));
                return;
            }
        };
        if let Change::Delete { asset, .. } = &change {
            self.deleted(asset);
        }
        let said = if undoing { format!("Undone: {}", uncapitalised(&change.done())) } else { change.done() };
        self.outcome(said, None);
        if let Change::LinkNew { kind, .. } = meant {
            self.load_linkable(kind);
        }
        match asset {
            Some(asset) => self.take(What::Asset(id.clone(), Ok(asset))),
            None if matches!(change, Change::Delete { .. }) => return,
            None => self.load_asset(&id),
        }
        let shown = |page: &crate::app::state::AssetPage| page.activities.value().is_some();
        if self.state.pages.get(&id).is_some_and(shown) {
            self.load_activities(id);
        }
    }

    fn deleted(&mut self, id: &AssetId) {
        self.drop_row(id);
        self.state.pages.remove(id);
        if self.state.asset.as_ref() == Some(id) {
            self.state.asset = None;
        }
        let key = self.state.connection.key();
        self.set(|settings| settings.forget(&key, id.as_str()));
    }

    pub(super) fn dismiss_refusal(&mut self, id: &AssetId) {
        if let Some(page) = self.state.pages.get_mut(id) {
            page.refused = None;
        }
    }

    /// Registers an external application. A name the interface has no word for travels as `descriptor`, a field of
    /// later clients, beside the neutral word (records, 2.1).
    pub(super) fn track(&mut self, name: String, version: String, identifier: Option<String>) {
        let tree = serde_json::json!({
            "id": uuid::Uuid::new_v4().to_string(),
            "name": identifier.as_deref().unwrap_or("OPEN_SOURCE"),
            "version": if version.is_empty() { "0.0.0" } else { version.as_str() },
            "platform": platform(), "onboarded": false, "privacy": "OPEN", "descriptor": name,
        });
        let wire = self.wire();
        let track = async move {
            let tracked = async {
                let application = Application::from_tree(tree).map_err(shape)?;
                wire?.call(ApplicationsRegister { application: Some(application) }).await.map(|_| name)
            };
            What::Tracked(tracked.await)
        };
        self.start(track, |error| What::Tracked(Err(error)));
    }

    /// Sends any operation for the console.
    pub(super) fn send(&mut self, call: Call) {
        self.state.console.waiting = true;
        self.state.console.refused = None;
        let wire = self.wire();
        let title = format!("Sending {}", call.info().name);
        let send = async move {
            What::Answered(match wire {
                Ok(wire) => {
                    let (exchange, line) = wire.exchange(&call).await;
                    Ok(Arc::new(console_answer(&exchange.response_body, line)))
                }
                Err(error) => Err(error.to_string()),
            })
        };
        let task = self.start(send, |error| What::Answered(Err(error.to_string())));
        let number = self.next_work();
        self.show_work(number, task, title, None);
    }

    pub(super) fn answered(&mut self, end: Result<Arc<ConsoleAnswer>, String>) {
        let console = &mut self.state.console;
        console.waiting = false;
        match end {
            Ok(answer) => console.answer = Some(answer),
            Err(problem) => console.refused = Some(problem),
        }
    }
}

fn console_answer(body: &[u8], line: Arc<LogLine>) -> ConsoleAnswer {
    let tree = serde_json::from_slice(body).ok().map(Arc::new);
    ConsoleAnswer { line, text: String::from_utf8_lossy(body).into(), tree }
}

/// The word of the interface for the platform this runs on.
fn platform() -> &'static str {
    match std::env::consts::OS {
        "linux" => "LINUX",
        "macos" => "MACOS",
        "windows" => "WINDOWS",
        _ => "UNKNOWN",
    }
}

fn shape(wrong: WrongShape) -> CallError {
    super::broken(wrong.to_string())
}

fn uncapitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_lowercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// Sends a write. An error says what is known of its outcome.
async fn carry_out(wire: &Wire, change: Change, own: bool) -> Result<Changed, Refusal> {
    match change {
        Change::Link { asset, item } => {
            link(wire, &asset, &item, true).await?;
            Ok(Changed { change: Change::Link { asset, item }, asset: None })
        }
        Change::Unlink { asset, item } => {
            link(wire, &asset, &item, false).await?;
            Ok(Changed { change: Change::Unlink { asset, item }, asset: None })
        }
        Change::LinkNew { asset, kind, text, url } => {
            let item = make(wire, kind, text, url).await.map_err(refusal)?;
            link(wire, &asset, &item, true).await?;
            Ok(Changed { change: Change::Link { asset, item }, asset: None })
        }
        Change::Edit { asset: id, edits } => {
            let mut asset = fresh(wire, &id, own).await?;
            for edit in &edits {
                let theirs = edit.field.value(asset.view());
                if edit.from.as_ref().is_some_and(|from| theirs != *from) {
                    let field = edit.field.as_str();
                    return Err(format!("the {field} was changed meanwhile, to {theirs}; look at it and try again"));
                }
                asset = edited(asset, edit)?;
            }
            let updated =
                wire.call(AssetUpdate { transferables: Some(false), asset: Some(asset) }).await.map_err(refusal)?;
            Ok(Changed { change: Change::Edit { asset: id, edits }, asset: Some(Arc::new(updated)) })
        }
        Change::Reclassify { asset: id, from, to } => {
            let asset = fresh(wire, &id, own).await?;
            let body = serde_json::json!({ "ext": to, "asset": asset.into_tree() });
            let reclassification = AssetReclassification::from_tree(body).map_err(|wrong| wrong.to_string())?;
            let call = AssetReclassify { transferables: Some(false), reclassification: Some(reclassification) };
            let asset = wire.call(call).await.map_err(refusal)?;
            Ok(Changed { change: Change::Reclassify { asset: id, from, to }, asset: Some(Arc::new(asset)) })
        }
        Change::Record { .. } | Change::Create { .. } => Err("not yet".to_owned()),
        Change::Increment { asset, counter, from } => {
            let body = serde_json::json!({ "asset": { counter.as_str(): true } });
            let increment = SeededScoreIncrement::from_tree(body).map_err(|wrong| wrong.to_string())?;
            let call = AssetScoresIncrement { asset: asset.clone(), increment: Some(increment) };
            wire.call(call).await.map_err(refusal)?;
            Ok(Changed { change: Change::Increment { asset, counter, from }, asset: None })
        }
        Change::Delete { asset, name, made } => {
            wire.call(AssetsDeleteAsset { asset: asset.clone() }).await.map_err(refusal)?;
            Ok(Changed { change: Change::Delete { asset, name, made }, asset: None })
        }
    }
}

/// Reads an asset to edit. A foreign service may replace what it is sent, so the content has to be in it; our own merges
/// (records, section 0, surprise 7).
async fn fresh(wire: &Wire, id: &AssetId, own: bool) -> Result<Asset, Refusal> {
    wire.call(AssetSnapshot { asset: id.clone(), transferables: Some(!own) }).await.map_err(refusal)
}

async fn link(wire: &Wire, asset: &AssetId, item: &Item, on: bool) -> Result<(), Refusal> {
    let asset = asset.clone();
    let bad = |error: crate::model::id::BadId| error.to_string();
    let call: Call = match (item.kind, on) {
        (LinkKind::Tag, true) => AssetAssociateTag { asset, tag: item.id.parse().map_err(bad)? }.into(),
        (LinkKind::Tag, false) => AssetDisassociateTag { asset, tag: item.id.parse().map_err(bad)? }.into(),
        (LinkKind::Website, true) => AssetAssociateWebsite { asset, website: item.id.parse().map_err(bad)? }.into(),
        (LinkKind::Website, false) => AssetDisassociateWebsite { asset, website: item.id.parse().map_err(bad)? }.into(),
        (LinkKind::Summary, true) => {
            AssetAssociateWorkstreamSummary { asset, workstream_summary: item.id.parse().map_err(bad)? }.into()
        }
        (LinkKind::Summary, false) => {
            AssetDisassociateWorkstreamSummary { asset, workstream_summary: item.id.parse().map_err(bad)? }.into()
        }
    };
    wire.reply(&call).await.map(|_| ()).map_err(refusal)
}

/// Makes an item that assets can be linked to.
async fn make(wire: &Wire, kind: LinkKind, text: String, url: Option<String>) -> Result<Item, CallError> {
    match kind {
        LinkKind::Tag => {
            let seed = SeededTag::from_tree(serde_json::json!({ "text": text })).map_err(shape)?;
            let tag = wire.call(TagsCreateNewTag { tag: Some(seed) }).await?;
            Ok(Item { kind, id: tag.view().id().to_owned(), text: tag.view().text().to_owned(), url: None })
        }
        LinkKind::Website => {
            let url = url.unwrap_or_else(|| text.clone());
            let seed = SeededWebsite::from_tree(serde_json::json!({ "url": url, "name": text })).map_err(shape)?;
            let site = wire.call(WebsitesCreateNewWebsite { website: Some(seed) }).await?;
            let (id, name) = (site.view().id().to_owned(), site.view().name().to_owned());
            Ok(Item { kind, id, text: name, url: Some(site.view().url().to_owned()) })
        }
        LinkKind::Summary => {
            let body = serde_json::json!({ "name": text, "model": model() });
            let seed = SeededWorkstreamSummary::from_tree(body).map_err(shape)?;
            let summary = wire.call(WorkstreamSummariesCreateNewWorkstreamSummary { summary: Some(seed) }).await?;
            Ok(Item { kind, id: summary.view().id().to_owned(), text: summary.view().name().to_owned(), url: None })
        }
    }
}

/// A summary cannot be made without a model (records, 2.4); one written by hand names none that computes.
fn model() -> serde_json::Value {
    serde_json::json!({
        "id": uuid::Uuid::new_v4().to_string(), "version": "0.0.0", "created": { "value": jiff::Timestamp::now().to_string() },
        "name": "none", "cloud": false, "type": "BALANCED", "usage": "CODE_CONVERSATION",
    })
}

/// Why a call did not do it, and whether it may have been done all the same.
fn refusal(error: CallError) -> Refusal {
    if error.outcome_unknown() {
        format!("{error}; whether it was done is unknown: read the asset again before repeating it")
    } else {
        error.to_string()
    }
}
