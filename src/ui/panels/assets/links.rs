//! The links of an asset as chips in three groups, each with a picker for adding more.
//!
//! What must hold: the text in a picker remains until its link is made; the address of a website is validated before it
//! is sent. The items of a record are read once, and those to choose from only while their picker is open.

use std::sync::Arc;

use egui::{Popup, Response, Ui};

use crate::ui::command::Command;
use crate::ui::disabled_reason::{change_disabled_reason, enabled_unless};
use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::background::{Background, Identity};
use crate::ui::widgets::picker::{self, Picked, PickerState};
use crate::ui::widgets::row_list::RowListState;
use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_inspector::State;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::change::{Change, Item, LinkKind, link_count, linked, reports_links};

use super::forms::{Submission, refusal_ui};
use super::frame::AssetFrame;
use super::website::WebsiteForm;

mod chips;
pub(super) mod choices;

use chips::chips_ui;
use choices::{ChoiceList, Choices, Narrowed};

/// The pickers of the three groups, and the form for a new website.
#[derive(Default)]
pub struct Links {
    /// The items of each kind that the asset is linked to.
    linked: Background<Identity<Asset>, [Arc<Vec<Item>>; 3]>,
    lists: [RowListState; 3],
    choices: [ChoiceList; 3],
    pickers: [PickerState; 3],
    website: Option<WebsiteForm>,
    sent: Submission,
    /// The kind whose picker to open.
    picker_to_open: Option<LinkKind>,
    /// The item whose assets to list.
    item_to_list: Option<Item>,
}

impl Links {
    /// Opens the picker of a kind as soon as its group is drawn.
    pub fn open_picker(&mut self, kind: LinkKind) {
        self.picker_to_open = Some(kind);
    }

    /// Returns the item whose assets to list, chosen in the menu of its chip.
    pub fn take_listed(&mut self) -> Option<Item> {
        self.item_to_list.take()
    }

    /// Draws the three groups.
    pub fn ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) {
        let Some(linked) = frame.page.record.value().and_then(|asset| self.linked(ui, asset)) else {
            ui.caption("Reading the links…");
            return;
        };
        for (index, (kind, items)) in LinkKind::ALL.into_iter().zip(linked).enumerate() {
            ui.push_id(kind, |ui| {
                self.group_head_ui(ui, kind, index, &items, frame);
                if kind == LinkKind::Website {
                    self.website_ui(ui, frame);
                }
                if let Some(item) = chips_ui(ui, kind, &items, &mut self.lists[index], frame) {
                    self.item_to_list = Some(item);
                }
            });
            ui.add_space(SPACE_S);
        }
    }

    /// Returns the items that the asset is linked to; while those of a new version are read, the previous ones.
    fn linked(&mut self, ui: &Ui, asset: &Arc<Asset>) -> Option<[Arc<Vec<Item>>; 3]> {
        let given = Arc::clone(asset);
        let work = move || LinkKind::ALL.map(|kind| Arc::new(linked(given.view(), kind)));
        self.linked.get_prepared(ui.ctx(), &Identity(Arc::clone(asset)), link_count(asset.view()), work);
        self.linked.last(|_| true).cloned()
    }

    /// Draws the heading of a group with its picker.
    fn group_head_ui(
        &mut self,
        ui: &mut Ui,
        kind: LinkKind,
        index: usize,
        items: &Arc<Vec<Item>>,
        frame: &mut AssetFrame<'_>,
    ) {
        let reported = frame.page.record.value().is_none_or(|asset| reports_links(asset.view(), kind));
        let known = match (reported, items.is_empty()) {
            (false, _) => Known::Unreported,
            (true, true) => Known::None,
            (true, false) => Known::Some,
        };
        let button = title_ui(ui, kind, known, frame.id, frame.state);
        let popup = picker::popup_id(&picker_name(kind));
        let asked = self.picker_to_open.take_if(|picker_to_open| *picker_to_open == kind).is_some() && button.enabled();
        if asked {
            Popup::open_id(ui.ctx(), popup);
            button.scroll_to_me(Some(egui::Align::Center));
        }
        if (button.clicked() || asked) && frame.state.needs_items(kind) {
            frame.push(AssetsAction::LoadLinkable(kind));
        }
        let Self { choices, pickers, .. } = self;
        let choices = match button.clicked() || asked || Popup::is_id_open(ui.ctx(), popup) {
            true => choices[index].get(ui.ctx(), frame.state, kind, Narrowed::Without(Identity(Arc::clone(items)))),
            false => Choices::default(),
        };
        let picked = choices.popup(&button, kind, &picker_name(kind), &mut pickers[index]);
        let asset = frame.id.clone();
        match picked {
            Some(Picked::Entry(index)) => {
                if let Some(item) = choices.item(index).cloned() {
                    frame.change(Change::Link { asset, item });
                }
            }
            Some(Picked::New(text)) if choices.unlisted => {
                let item = Item::new(kind, &text, text.clone(), None);
                frame.change(Change::Link { asset, item });
            }
            Some(Picked::New(text)) if kind == LinkKind::Website => self.website = Some(WebsiteForm::new(&text)),
            Some(Picked::New(text)) => {
                frame.change(Change::LinkNew { asset, kind, text, url: None, unlink: Vec::new() })
            }
            None => {}
        }
    }

    /// Returns whether the form for a new website is open.
    pub fn adds_website(&self) -> bool {
        self.website.is_some()
    }

    fn website_ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) {
        let Some(form) = &mut self.website else { return };
        // Before the form is drawn: a click in the same frame as the response must not create another website.
        let sent = self.sent.succeeded(ui, frame.write);
        let (closed, made) = {
            let capability = Capability::LinkNew(LinkKind::Website);
            let disabled_reason = frame.change_disabled_reason(capability);
            form.ui(ui, disabled_reason.as_deref(), |ui| refusal_ui(ui, frame))
        };
        if let Some((name, url)) = made.filter(|_| !sent) {
            let change = Change::LinkNew {
                asset: frame.id.clone(),
                kind: LinkKind::Website,
                text: name,
                url: Some(url),
                unlink: Vec::new(),
            };
            self.sent.send(ui, change, frame);
        }
        if closed || sent {
            self.website = None;
        }
    }
}

/// What is known of the links of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// There are some.
    Some,
    /// There are none.
    None,
    /// The service does not report them, so there may be some.
    Unreported,
}

/// Draws the heading of a group, and whether it is empty; returns its Add button.
fn title_ui(ui: &mut Ui, kind: LinkKind, known: Known, id: &AssetId, state: &State) -> Response {
    ui.scope(|ui| {
        // Slightly taller than a line of chips.
        ui.spacing_mut().interact_size.y = 24.0;
        ui.spacing_mut().button_padding.y = 2.0;
        title_row_ui(ui, kind, known, id, state)
    })
    .inner
}

fn title_row_ui(ui: &mut Ui, kind: LinkKind, known: Known, id: &AssetId, state: &State) -> Response {
    ui.horizontal(|ui| {
        ui.section_title(kind.many());
        match known {
            Known::Some => {}
            Known::None => {
                ui.caption("None");
            }
            Known::Unreported => {
                let many = kind.many().to_lowercase();
                let why = format!("The service does not say which {many} this asset has; there may be some");
                ui.caption("Unknown").on_hover_text(why);
            }
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let disabled_reason = change_disabled_reason(state, id, Capability::Link(kind));
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
