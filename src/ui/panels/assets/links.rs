//! The links of an asset as chips in three groups, each with a picker for adding more.
//!
//! What must hold: the text in a picker stays until its link is made; the address of a website is validated before it
//! is sent.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use egui::{Popup, Response, Ui};

use crate::app::action::AssetsAction;
use crate::app::assets::page::AssetPage;
use crate::app::change::{Change, Item, LinkKind, linked};
use crate::app::session::capability::Reason;
use crate::app::session::feature::Feature;
use crate::app::{Remote, State};
use crate::ui::command::Command;
use crate::ui::disabled_reason::{WRITING, change_disabled_reason, enabled_unless};
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::{Entry, context_menu, entry, separator};
use crate::ui::widgets::picker::{self, Picked, Picker, PickerEntry, PickerState};
use crate::ui::widgets::{chip_row, locked_chip, removable_chip, shown_short};
use lunette_client::model::asset::Asset;
use lunette_client::model::record::View;

use super::forms::Submission;
use super::frame::AssetFrame;
use super::website::WebsiteForm;

/// The pickers of the three groups, and the form for a new website.
#[derive(Default)]
pub struct Links {
    pickers: [PickerState; 3],
    website: Option<WebsiteForm>,
    sent: Submission,
    /// The kind whose picker is to be opened.
    picker_to_open: Option<LinkKind>,
    /// The item whose assets are to be listed.
    item_to_list: Option<Item>,
}

impl Links {
    /// Opens the picker of a kind as soon as its group is drawn.
    pub fn open_picker(&mut self, kind: LinkKind) {
        self.picker_to_open = Some(kind);
    }

    /// Returns the item whose assets are to be listed, as chosen in the menu of its chip.
    pub fn take_listed(&mut self) -> Option<Item> {
        self.item_to_list.take()
    }

    /// Draws the three groups.
    pub fn ui(&mut self, ui: &mut Ui, asset: View<'_, Asset>, frame: &mut AssetFrame<'_>) {
        for (place, kind) in LinkKind::ALL.into_iter().enumerate() {
            let items = linked(asset, kind);
            ui.push_id(kind, |ui| {
                self.group_head_ui(ui, kind, place, &items, frame);
                if kind == LinkKind::Website {
                    self.website_ui(ui, frame);
                }
                if let Some(item) = chips_ui(ui, &items, frame) {
                    self.item_to_list = Some(item);
                }
            });
            ui.add_space(SPACE_S);
        }
    }

    /// Draws the heading of a group with its picker.
    fn group_head_ui(&mut self, ui: &mut Ui, kind: LinkKind, place: usize, items: &[Item], frame: &mut AssetFrame<'_>) {
        let button = title_ui(ui, kind, items.is_empty(), frame.page, frame.state);
        let asked = self.picker_to_open.take_if(|picker_to_open| *picker_to_open == kind).is_some() && button.enabled();
        if asked {
            Popup::open_id(ui.ctx(), picker::popup_id(&picker_name(kind)));
            button.scroll_to_me(Some(egui::Align::Center));
        }
        if (button.clicked() || asked) && frame.state.needs_items(kind) {
            frame.push(AssetsAction::LoadLinkable(kind));
        }
        let choices = Choices::new(frame.state, kind, items);
        match choices.popup(&button, kind, &mut self.pickers[place]) {
            Some(Picked::Entry(index)) => {
                let item = choices.items[index].clone();
                frame.change(Change::Link { asset: frame.id.clone(), item });
            }
            Some(Picked::New(text)) if choices.unlisted => {
                let item = Item { kind, id: text.clone(), text, url: None };
                frame.change(Change::Link { asset: frame.id.clone(), item });
            }
            Some(Picked::New(text)) if kind == LinkKind::Website => self.website = Some(WebsiteForm::new(&text)),
            Some(Picked::New(text)) => {
                frame.change(Change::LinkNew { asset: frame.id.clone(), kind, text, url: None });
            }
            None => {}
        }
    }

    fn website_ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) {
        let Some(form) = &mut self.website else { return };
        // Before the form is drawn: a click that comes together with the answer is not another website.
        let sent = self.sent.succeeded(ui, frame.page);
        let (closed, made) = form.ui(ui, frame.page, frame.state);
        if let Some((name, url)) = made.filter(|_| !sent) {
            let change =
                Change::LinkNew { asset: frame.id.clone(), kind: LinkKind::Website, text: name, url: Some(url) };
            self.sent.send(ui, change, frame);
        }
        if closed || sent {
            self.website = None;
        }
    }
}

/// The items that can be added to a group.
pub(super) struct Choices<'a> {
    pub items: Vec<&'a Item>,
    /// Changes whenever the items do.
    revision: u64,
    status: Option<String>,
    /// The list is being loaded for the first time.
    loading: bool,
    /// The service has no list to choose from; ids are typed.
    pub unlisted: bool,
    /// The service can create new items.
    can_make: bool,
}

impl<'a> Choices<'a> {
    pub fn new(state: &'a State, kind: LinkKind, linked: &[Item]) -> Self {
        let all = state.assets.items(kind);
        let items: Vec<&Item> = all.iter().filter(|item| linked.iter().all(|known| known.id != item.id)).collect();
        let remote = state.assets.linkable.get(&kind);
        let error = remote.and_then(Remote::error);
        let lacking = matches!(state.connection.can_do(Feature::Items(kind)), Err(Reason::Unsupported { .. }));
        let unlisted = lacking || error.is_some_and(|error| error.missing());
        let status = match error {
            _ if unlisted => Some(format!("This service lists no {}: type the id of one.", plural(kind))),
            Some(error) => Some(format!("They could not be loaded: {}", error.reason())),
            None => remote.filter(|remote| remote.loading()).map(|_| "Loading…".to_owned()),
        };
        let loading = remote.is_none_or(|remote| remote.loading() && remote.value().is_none()) && !unlisted;
        let mut hasher = DefaultHasher::new();
        (kind, state.assets.linkable_revision).hash(&mut hasher);
        linked.iter().for_each(|item| item.id.hash(&mut hasher));
        let revision = hasher.finish();
        Self {
            items,
            revision,
            status,
            loading,
            unlisted,
            can_make: state.connection.can_do(Feature::LinkNew(kind)).is_ok(),
        }
    }

    /// Draws a picker of these items in place; `kind` is what can be created, if anything.
    pub fn show(&self, ui: &mut Ui, name: &str, new: Option<LinkKind>, state: &mut PickerState) -> Option<Picked> {
        let entry = |index: usize| self.entry(index);
        let mut picker = Picker::new(name, self.items.len(), &entry);
        picker = picker
            .revision(self.revision ^ self.items.len() as u64)
            .status(self.status.as_deref())
            .loading(self.loading);
        match new {
            _ if self.unlisted => picker = picker.offer_as_typed("Use the id"),
            Some(kind) if self.can_make => picker = picker.offer_new(kind.one()),
            Some(_) | None => {}
        }
        picker.show(ui, state)
    }

    /// Draws the picker below its button.
    fn popup(&self, button: &Response, kind: LinkKind, state: &mut PickerState) -> Option<Picked> {
        let entry = |index: usize| self.entry(index);
        let name = picker_name(kind);
        let mut picker = Picker::new(&name, self.items.len(), &entry);
        picker = picker.revision(self.revision).status(self.status.as_deref()).loading(self.loading);
        if self.unlisted {
            picker = picker.offer_as_typed("Link by id");
        } else if self.can_make {
            picker = picker.offer_new(kind.one());
        }
        picker.popup(button, state)
    }

    fn entry(&self, index: usize) -> PickerEntry<'_> {
        let item = self.items[index];
        PickerEntry { name: item.name().into(), detail: item.url.as_deref().unwrap_or_default().into() }
    }
}

/// Draws the name of a group, and whether it is empty; returns the button that adds to it.
fn title_ui(ui: &mut Ui, kind: LinkKind, none: bool, page: &AssetPage, state: &State) -> Response {
    ui.scope(|ui| {
        // Slightly taller than a line of chips.
        ui.spacing_mut().interact_size.y = 24.0;
        ui.spacing_mut().button_padding.y = 2.0;
        title_row_ui(ui, kind, none, page, state)
    })
    .inner
}

fn title_row_ui(ui: &mut Ui, kind: LinkKind, none: bool, page: &AssetPage, state: &State) -> Response {
    ui.horizontal(|ui| {
        ui.section_title(kind.many());
        if none {
            ui.caption("None");
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let disabled_reason = change_disabled_reason(state, page, Feature::Link(kind));
            let button = enabled_unless(ui, disabled_reason.as_deref(), |ui| ui.ghost_button("+ Add"));
            let button = button.accessible_name(picker_name(kind));
            let command = match kind {
                LinkKind::Tag => Command::Tag,
                LinkKind::Website => Command::Website,
                LinkKind::Summary => Command::Summary,
            };
            command.on(button, state)
        })
        .inner
    })
    .inner
}

fn picker_name(kind: LinkKind) -> String {
    format!("Add a {}", kind.one())
}

fn plural(kind: LinkKind) -> String {
    kind.many().to_lowercase()
}

/// Draws the chips of a group; returns the item whose assets are to be listed.
fn chips_ui(ui: &mut Ui, items: &[Item], frame: &mut AssetFrame<'_>) -> Option<Item> {
    if items.is_empty() {
        return None;
    }
    let mut item_to_list = None;
    ui.add_enabled_ui(!frame.page.writing, |ui| {
        chip_row(ui, |ui| {
            for item in items {
                let why_disabled = frame.disabled_reason(Feature::Unlink(item.kind));
                match chip_ui(ui, item, frame.page, why_disabled.as_deref()) {
                    Some(ChipRequest::List) => item_to_list = Some(item.clone()),
                    Some(ChipRequest::Remove) => {
                        frame.change(Change::Unlink { asset: frame.id.clone(), item: item.clone() });
                    }
                    Some(ChipRequest::Copy) => {
                        ui.ctx().copy_text(item.text.clone());
                        frame.notify("Copied the name");
                    }
                    None => {}
                }
            }
        });
    });
    item_to_list
}

/// What was chosen at a chip.
#[derive(Clone, Copy)]
enum ChipRequest {
    /// Lists the assets linked to the same item.
    List,
    /// Removes the link.
    Remove,
    /// Copies the name.
    Copy,
}

/// Draws a link; one that cannot be removed says why and can still be opened.
fn chip_ui(ui: &mut Ui, item: &Item, page: &AssetPage, why_disabled: Option<&str>) -> Option<ChipRequest> {
    let text = item.name();
    let why_disabled = why_disabled.or(page.writing.then_some(WRITING));
    let chip = match why_disabled {
        None => removable_chip(ui, &item.id, item.kind.one(), text),
        Some(why_disabled) => locked_chip(ui, &item.id, text, why_disabled),
    };
    let removed = (chip.removed && !page.writing).then_some(ChipRequest::Remove);
    let opened = item.url.as_deref().map(super::website::openable_url);
    let address = opened.as_ref().and_then(|opened| opened.as_ref().ok());
    let chosen = chip_menu(&chip.response, item, text, address.map(String::as_str), why_disabled);
    // The validated address is what is opened and shown: the text itself may be a path or have another scheme.
    match (opened, &item.url) {
        (Some(Ok(address)), _) => {
            if chip.clicked {
                ui.ctx().open_url(egui::OpenUrl::new_tab(&address));
            }
            chip.response.on_hover_text(format!("Opens {}", shown_short(&address, 500)));
        }
        (Some(Err(problem)), Some(url)) => {
            chip.response.on_hover_text(format!("{}: {problem}", shown_short(url, 500)));
        }
        _ => {
            if chip.clicked {
                return Some(ChipRequest::List);
            }
            chip.response.on_hover_text(format!("Click to list the assets with this {}", item.kind.one()));
        }
    }
    removed.or(chosen)
}

/// The menu of a chip.
fn chip_menu(
    chip: &Response,
    item: &Item,
    text: &str,
    address: Option<&str>,
    why_disabled: Option<&str>,
) -> Option<ChipRequest> {
    let kind = item.kind.one();
    let name = format!("Menu of the {kind} {}", shown_short(text, 60));
    context_menu(chip, &name, |ui| {
        let mut chosen = None;
        if let Some(address) = address
            && entry(ui, Icon::OUTSIDE, "Open in the browser")
        {
            ui.ctx().open_url(egui::OpenUrl::new_tab(address));
        }
        if entry(ui, Icon::FILTER, &format!("List assets with this {kind}")) {
            chosen = Some(ChipRequest::List);
        }
        if entry(ui, Icon::COPY, "Copy name") {
            chosen = Some(ChipRequest::Copy);
        }
        separator(ui);
        if Entry::new(Icon::UNLINK, &format!("Remove {kind}")).disabled_reason(why_disabled).show(ui) {
            chosen = Some(ChipRequest::Remove);
        }
        chosen
    })
    .flatten()
}
