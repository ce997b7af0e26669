//! The links of an asset on one line of chips, and for each kind a picker that adds one.
//!
//! What must hold: the text in a picker remains until its link is made; the address of a website is validated before it
//! is sent. The items of a record are read once, and those to choose from only while their picker is open.

use std::sync::Arc;

use egui::{Align, Color32, Layout, Popup, Response, TextStyle, Ui, vec2};

use crate::ui::command::Command;
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::link_icon::link_icon;
use crate::ui::theme::{SPACE_S, SPACE_XS, UiExt as _, control};
use crate::ui::widgets::background::{Background, Identity};
use crate::ui::widgets::picker::{self, Picked, PickerState};
use crate::ui::widgets::row_list::RowListState;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::change::{Change, Item, LinkKind, link_count, linked};

use super::forms::{Submission, refusal_ui};
use super::frame::AssetFrame;
use super::website::WebsiteForm;

mod chips;
pub(super) mod choices;
mod line;

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
    /// Whether the dialog of all links is open.
    all: bool,
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

    /// Whether the asset is known to be linked to an item.
    pub fn has(&self, item: &Item) -> bool {
        let linked = self.linked.last(|_| true);
        linked.is_some_and(|linked| linked.iter().any(|items| items.iter().any(|known| known.id == item.id)))
    }

    /// Whether nothing is open or asked for.
    pub fn is_at_rest(&self) -> bool {
        let open = self.all || self.website.is_some() || self.pickers.iter().any(PickerState::is_open);
        !open && self.picker_to_open.is_none()
    }

    /// Returns the item whose assets to list, chosen in the menu of its chip.
    pub fn take_listed(&mut self) -> Option<Item> {
        self.item_to_list.take()
    }

    /// Draws the links on one line with a button for each kind that adds one, and below it the form of a new website.
    pub fn ui(&mut self, ui: &mut Ui, frame: &mut AssetFrame<'_>) {
        let linked = frame.page.record.value().and_then(|asset| self.linked(ui, asset));
        let size = vec2(ui.available_width(), control(ui));
        ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = SPACE_XS;
            let Some(linked) = linked else {
                ui.caption("Reading the links…");
                return;
            };
            let texts = AddTexts::fitting(ui);
            let room = vec2((ui.available_width() - texts.width - SPACE_S).max(0.0), control(ui));
            ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_size(room);
                let (listed, all) = line::ui(ui, &linked, frame);
                self.all |= all;
                self.item_to_list = listed.or(self.item_to_list.take());
            });
            if self.all {
                let listed = line::all_ui(ui, &mut self.all, &linked, &mut self.lists, frame);
                self.item_to_list = listed.or(self.item_to_list.take());
            }
            for (index, (kind, items)) in LinkKind::ALL.into_iter().zip(&linked).enumerate() {
                self.add_ui(ui, kind, index, items, texts.written, frame);
            }
        });
        self.website_ui(ui, frame);
    }

    /// Returns the items that the asset is linked to; while those of a new version are read, the previous ones.
    fn linked(&mut self, ui: &Ui, asset: &Arc<Asset>) -> Option<[Arc<Vec<Item>>; 3]> {
        let given = Arc::clone(asset);
        let work = move || LinkKind::ALL.map(|kind| Arc::new(linked(given.view(), kind)));
        self.linked.get_prepared(ui.ctx(), &Identity(Arc::clone(asset)), link_count(asset.view()), work);
        self.linked.last(|_| true).cloned()
    }

    /// Draws the button that adds a link of a kind, and its picker.
    fn add_ui(
        &mut self,
        ui: &mut Ui,
        kind: LinkKind,
        index: usize,
        items: &Arc<Vec<Item>>,
        written: bool,
        frame: &mut AssetFrame<'_>,
    ) {
        let button = add_button(ui, kind, written, frame);
        let popup = picker::popup_id(&picker_name(kind), frame.id.as_str());
        let asked = self.picker_to_open.take_if(|picker_to_open| *picker_to_open == kind).is_some() && button.enabled();
        if asked {
            Popup::open_id(ui.ctx(), popup);
        }
        if (button.clicked() || asked) && frame.state.needs_items(kind) {
            frame.push(AssetsAction::LoadLinkable(kind));
        }
        let Self { choices, pickers, .. } = self;
        let choices = match button.clicked() || asked || Popup::is_id_open(ui.ctx(), popup) {
            true => choices[index].get(ui.ctx(), frame.state, kind, Narrowed::Without(Identity(Arc::clone(items)))),
            false => Choices::default(),
        };
        let picked = choices.popup(&button, kind, frame.id, &mut pickers[index]);
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

/// How the buttons that add links are drawn in the width there is.
struct AddTexts {
    /// Whether with their texts rather than as icons.
    written: bool,
    /// The width of all three, in points.
    width: f32,
}

impl AddTexts {
    /// Texts where they leave room for two links, otherwise icons.
    fn fitting(ui: &Ui) -> Self {
        let (padding, space) = (ui.spacing().button_padding.x * 2.0, ui.spacing().item_spacing.x);
        let font = TextStyle::Button.resolve(ui.style());
        let text = |kind| ui.painter().layout_no_wrap(add_text(kind), font.clone(), Color32::PLACEHOLDER).size().x;
        let width: f32 = LinkKind::ALL.map(|kind| text(kind) + padding + space).iter().sum();
        let written = ui.available_width() - width > WIDTH_OF_TWO_LINKS;
        Self { written, width: if written { width } else { 3.0 * (control(ui) + space) } }
    }
}

/// Width that is left for links before the buttons lose their texts, in points.
const WIDTH_OF_TWO_LINKS: f32 = 200.0;

/// Draws the button that adds a link of a kind.
fn add_button(ui: &mut Ui, kind: LinkKind, written: bool, frame: &AssetFrame<'_>) -> Response {
    let disabled_reason = frame.change_disabled_reason(Capability::Link(kind));
    let button = enabled_unless(ui, disabled_reason.as_deref(), |ui| match written {
        true => ui.ghost_button(&add_text(kind)),
        false => ui.icon_button(link_icon(kind), &picker_name(kind)),
    });
    let command = match kind {
        LinkKind::Tag => Command::Tag,
        LinkKind::Website => Command::Website,
        LinkKind::Summary => Command::Summary,
    };
    command.on(button.accessible_name(picker_name(kind)), frame.state)
}

fn add_text(kind: LinkKind) -> String {
    let name = match kind {
        LinkKind::Tag => "Tag",
        LinkKind::Website => "Website",
        LinkKind::Summary => "Summary",
    };
    format!("+ {name}")
}

fn picker_name(kind: LinkKind) -> String {
    format!("Add a {}", kind.one())
}
