//! The prompts before a run is planned: for a tag, a language, a counter, or an export format.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Context, Ui};

use crate::ui::disabled_reason::disabled_reason;
use crate::ui::panels::assets::forms::export::may_be_unsupported;
use crate::ui::panels::assets::forms::reclassify::choices::{LanguageChoice, LanguageChoices};
use crate::ui::panels::assets::links::choices::{ChoiceList, Narrowed};
use crate::ui::panels::assets::website::WebsiteForm;
use crate::ui::theme::{self, UiExt as _};
use crate::ui::widgets::background::Identity;
use crate::ui::widgets::picker::{Picked, Picker, PickerEntry, PickerState};
use crate::ui::widgets::{buttons, dialog, grouped, shown_short};
use lunette_client::model::export::ExportType;
use lunette_inspector::State;
use lunette_inspector::capability::Capability;
use lunette_inspector::change::{Counter, Item, LinkKind};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::runs::BulkOperation;

/// Width of the dialogs, in points.
const WIDTH: f32 = 400.0;

/// The prompt that is open, and its input so far.
pub(super) enum Prompt {
    Link(Box<LinkPrompt>),
    Language(Box<LanguagePrompt>),
    Counter(Counter),
    Export(ExportType),
}

/// The item to link, or whose link to remove.
pub(super) struct LinkPrompt {
    kind: LinkKind,
    mode: LinkMode,
    /// The item that the assets are moved from, once it was chosen.
    from: Option<Arc<Vec<Item>>>,
    picker: PickerState,
    choices: ChoiceList,
    /// The tags of the selected assets, each with the number of assets.
    tags: Arc<BTreeMap<String, usize>>,
    website: Option<WebsiteForm>,
}

/// What is done with the chosen item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinkMode {
    /// It is linked.
    Add,
    /// Its link is removed.
    Remove,
    /// Another one is linked in its place.
    Move,
}

/// Which language is given.
pub(super) struct LanguagePrompt {
    choices: LanguageChoices,
    /// What the picker offers, and the typed text for which that was listed.
    offered: Vec<LanguageChoice>,
    typed: String,
    /// How often it was listed.
    revision: u64,
    picker: PickerState,
}

/// What was chosen.
pub(super) enum Answer {
    Operation(BulkOperation),
    /// A document format, and whether to export into one archive.
    Export(ExportType, bool),
}

impl Prompt {
    pub fn link(kind: LinkKind, rows: &[&AssetRow]) -> Self {
        let mut tags = BTreeMap::<String, usize>::new();
        for tag in rows.iter().flat_map(|row| row.tags()) {
            *tags.entry(tag.to_string()).or_default() += 1;
        }
        let (picker, choices, website, tags) = (PickerState::default(), ChoiceList::default(), None, Arc::new(tags));
        Self::Link(Box::new(LinkPrompt { kind, mode: LinkMode::Add, from: None, picker, choices, tags, website }))
    }

    pub fn language(state: &State) -> Self {
        let choices = LanguageChoices::new(state);
        let (offered, typed, picker) = (choices.matching(""), String::new(), PickerState::default());
        Self::Language(Box::new(LanguagePrompt { choices, offered, typed, revision: 0, picker }))
    }

    pub fn counter() -> Self {
        Self::Counter(Counter::Reuse)
    }

    pub fn export() -> Self {
        Self::Export(ExportType::Md)
    }

    /// Draws the prompt; returns the answer, and whether it is to be closed without one.
    pub fn ui(&mut self, ctx: &Context, state: &State, count: usize) -> (Option<Answer>, bool) {
        let assets = format!("{} assets", grouped(count as u64));
        let title = match self {
            Self::Link(prompt) => match prompt.kind {
                LinkKind::Tag => format!("Tag {assets}"),
                LinkKind::Website => format!("Websites of {assets}"),
                LinkKind::Summary => format!("Workstream summaries of {assets}"),
            },
            Self::Language(_) => format!("Reclassify {assets}"),
            Self::Counter(_) => format!("Score {assets}"),
            Self::Export(_) => format!("Export {assets}"),
        };
        let ((answer, cancelled), outside) = dialog(ctx, "ask for many", &title, WIDTH, |ui| {
            hidden_ui(ui, state);
            match self {
                Self::Link(prompt) => prompt.ui(ui, state),
                Self::Language(prompt) => language_ui(ui, prompt),
                Self::Counter(counter) => counter_ui(ui, counter),
                Self::Export(kind) => export_ui(ui, kind, state),
            }
        });
        (answer, cancelled || outside)
    }
}

impl LinkPrompt {
    fn ui(&mut self, ui: &mut Ui, state: &State) -> (Option<Answer>, bool) {
        self.mode_ui(ui);
        let kind = self.kind;
        if let Some(form) = &mut self.website {
            // Nothing is written before the run is previewed, so there is nothing to wait for here.
            let (closed, made) = {
                let disabled_reason = disabled_reason(state, Capability::LinkNew(kind));
                form.ui(ui, disabled_reason.as_deref(), |_| {})
            };
            let unlink = self.from.as_deref().cloned().unwrap_or_default();
            let operation = |(text, url)| BulkOperation::LinkNew { kind, text, url: Some(url), unlink };
            if closed {
                self.website = None;
            }
            return (made.map(operation).map(Answer::Operation), false);
        }
        let (name, narrowed) = (self.name(), self.narrowed());
        // What assets are moved to may be new: that splits an item.
        let new = (!self.removes()).then_some(kind);
        let choices = self.choices.get(ui.ctx(), state, kind, narrowed);
        let picked = choices.show(ui, &name, new, &mut self.picker);
        let item = match picked {
            None => return (None, cancel_ui(ui)),
            Some(Picked::Entry(index)) => match choices.item(index) {
                Some(item) => item.clone(),
                None => return (None, false),
            },
            Some(Picked::New(text)) if choices.unlisted => Item::new(kind, &text, text.clone(), None),
            Some(Picked::New(text)) if kind == LinkKind::Website => {
                self.website = Some(WebsiteForm::new(&text));
                return (None, false);
            }
            Some(Picked::New(text)) => {
                let unlink = self.from.take().as_deref().cloned().unwrap_or_default();
                return (Some(Answer::Operation(BulkOperation::LinkNew { kind, text, url: None, unlink })), false);
            }
        };
        (self.chosen(item).map(Answer::Operation), false)
    }

    /// Returns what the choice of an item is called.
    fn name(&self) -> String {
        let kind = self.kind.one();
        match (self.mode, &self.from) {
            (LinkMode::Add, _) => format!("Add a {kind}"),
            (LinkMode::Remove, _) => format!("Remove a {kind}"),
            (LinkMode::Move, None) => format!("Move from a {kind}"),
            (LinkMode::Move, Some(_)) => format!("Move to a {kind}"),
        }
    }

    /// Returns whether the item that is chosen next is removed from the assets.
    fn removes(&self) -> bool {
        self.mode == LinkMode::Remove || self.mode == LinkMode::Move && self.from.is_none()
    }

    /// Returns which items can be chosen: a tag to remove is one that the assets have, and none is moved to itself.
    fn narrowed(&self) -> Narrowed {
        match (self.removes(), &self.from, self.kind) {
            (true, _, LinkKind::Tag) => Narrowed::Named(Identity(Arc::clone(&self.tags))),
            (false, Some(from), _) if self.mode == LinkMode::Move => Narrowed::Without(Identity(Arc::clone(from))),
            _ => Narrowed::All,
        }
    }

    /// Draws the choice of what is done with the item.
    fn mode_ui(&mut self, ui: &mut Ui) {
        let before = self.mode;
        ui.horizontal(|ui| {
            theme::radio_value(ui, &mut self.mode, LinkMode::Add, "Add");
            theme::radio_value(ui, &mut self.mode, LinkMode::Remove, "Remove");
            theme::radio_value(ui, &mut self.mode, LinkMode::Move, "Move")
                .on_hover_text("Links another one in its place, also a new one, to those of the assets that have it");
        });
        if self.mode != before {
            (self.from, self.website) = (None, None);
            self.picker.clear();
        }
        if let Some(from) = self.from.as_deref().and_then(|from| from.first()) {
            ui.label(format!("From {} “{}” to:", self.kind.one(), shown_short(from.name(), 40)));
        }
    }

    /// Takes the chosen item; returns what is to be done once everything is chosen.
    fn chosen(&mut self, item: Item) -> Option<BulkOperation> {
        match (self.mode, self.from.take()) {
            (LinkMode::Add, _) => Some(BulkOperation::Link(item)),
            (LinkMode::Remove, _) => Some(BulkOperation::Unlink(item)),
            (LinkMode::Move, None) => {
                self.from = Some(Arc::new(vec![item]));
                self.picker.clear();
                None
            }
            (LinkMode::Move, Some(from)) => Some(BulkOperation::Relink { link: item, unlink: from.to_vec() }),
        }
    }
}

/// Says how many of the selected assets are not visible in the list.
pub(in crate::ui) fn hidden_ui(ui: &mut Ui, state: &State) {
    match state.assets.selected.hidden {
        0 => {}
        1 => {
            ui.caption("1 of the selected assets is not visible in the list.");
        }
        hidden => {
            ui.caption(&format!("{} of the selected assets are not visible in the list.", grouped(hidden as u64)));
        }
    }
}

fn cancel_ui(ui: &mut Ui) -> bool {
    buttons(ui, |ui| ui.button("Cancel").clicked())
}

fn language_ui(ui: &mut Ui, prompt: &mut LanguagePrompt) -> (Option<Answer>, bool) {
    let LanguagePrompt { choices, offered, typed, revision, picker } = prompt;
    if typed != picker.query() {
        picker.query().clone_into(typed);
        *offered = choices.matching("");
        // A value that is not listed is found by its full name.
        offered.extend(choices.unlisted(typed));
        *revision += 1;
    }
    let entry = |index: usize| {
        let Some(LanguageChoice { name, language, why }) = offered.get(index) else { return PickerEntry::default() };
        let detail =
            if why.is_empty() { language.specific.into() } else { format!("{why} · {}", language.specific).into() };
        PickerEntry { name: (*name).into(), detail }
    };
    match Picker::new("Find a language", offered.len(), &entry).revision(*revision).show(ui, picker) {
        Some(Picked::Entry(index)) => {
            let chosen = offered.get(index).map(|choice| choice.language.specific.to_owned());
            (chosen.map(BulkOperation::Reclassify).map(Answer::Operation), false)
        }
        Some(Picked::New(_)) | None => (None, cancel_ui(ui)),
    }
}

fn counter_ui(ui: &mut Ui, chosen: &mut Counter) -> (Option<Answer>, bool) {
    for counter in Counter::ALL {
        theme::radio_value(ui, chosen, counter, counter.as_str());
    }
    ui.warning_text("This cannot be undone: the interface has no way to take a score back.");
    buttons(ui, |ui| {
        let goes_on = ui.primary_button(&format!("Increment {}…", chosen.as_str())).clicked();
        let operation = goes_on.then_some(Answer::Operation(BulkOperation::Increment(*chosen)));
        (operation, ui.button("Cancel").clicked())
    })
}

fn export_ui(ui: &mut Ui, chosen: &mut ExportType, state: &State) -> (Option<Answer>, bool) {
    ui.horizontal_wrapped(|ui| {
        for kind in ExportType::KNOWN {
            let name = kind.as_str().to_owned();
            theme::radio_value(ui, chosen, kind, &name);
        }
    });
    if may_be_unsupported(state, chosen) {
        ui.caption("This service is known to export HTML and MD; it may refuse other kinds.");
    }
    ui.caption("A manifest with ids, names and checksums is written beside the files. Existing files are kept.");
    buttons(ui, |ui| {
        let zip = ui.primary_button("Into a zip archive…").clicked();
        let folder = ui.button("Into a folder…").clicked();
        ((zip || folder).then(|| Answer::Export(chosen.clone(), zip)), ui.button("Cancel").clicked())
    })
}
