//! The links of one kind: a row of chips, or a list if there are very many.
//!
//! What must hold: the cost of drawing does not grow with the number of links.

use std::borrow::Cow;

use egui::{Key, Rect, Ui, vec2};

use crate::ui::disabled_reason::WRITING;
use crate::ui::dragging::{self, Dragged};
use crate::ui::focus;
use crate::ui::panels::assets::frame::AssetFrame;
use crate::ui::panels::assets::website::openable_url;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::context_menu::{Entry, context_menu, entry, separator};
use crate::ui::widgets::row_list::{RowList, RowListState};
use crate::ui::widgets::{chip_row, locked_chip, removable_chip, shown_short};
use lunette_inspector::Action;
use lunette_inspector::capability::Capability;
use lunette_inspector::change::{Change, Item, LinkKind};
use lunette_inspector::settings::TagColors;

/// Our choice: the maximum number of links drawn as chips; more are drawn as a list.
const MAX_CHIPS: usize = 100;
/// Number of rows of a list visible at once.
const VISIBLE_ROWS: f32 = 8.0;
/// Height of a row with a chip, in points.
const ROW: f32 = 26.0;

/// Draws the chips of a group; returns the item whose assets to list.
pub(super) fn chips_ui(
    ui: &mut Ui,
    kind: LinkKind,
    items: &[Item],
    list: &mut RowListState,
    frame: &mut AssetFrame<'_>,
) -> Option<Item> {
    if items.is_empty() {
        return None;
    }
    let why_disabled = why_disabled(kind, frame);
    let look = ChipLook::new(why_disabled.as_deref(), frame);
    let chosen = ui.add_enabled_ui(!frame.write.writing, |ui| match items.len() {
        ..=MAX_CHIPS => chip_row(ui, |ui| {
            let chips = items.iter().map(|item| Some((item, chip_ui(ui, item, look)?)));
            chips.fold(None, Option::or)
        }),
        _ => many_ui(ui, kind, items, list, look),
    });
    let (item, request) = chosen.inner?;
    carry_out(ui, item, request, frame)
}

/// Carries out what was chosen on a chip; returns the item if its assets are to be listed.
fn carry_out(ui: &Ui, item: &Item, request: ChipRequest, frame: &mut AssetFrame<'_>) -> Option<Item> {
    match request {
        ChipRequest::List => return Some(item.clone()),
        ChipRequest::Remove => frame.change(Change::Unlink { asset: frame.id.clone(), item: item.clone() }),
        ChipRequest::Copy => {
            ui.ctx().copy_text(item.text.clone());
            frame.notify("Copied the name");
        }
        ChipRequest::Dropped(action) => frame.push(*action),
    }
    None
}

/// Draws one link on the line above the content; returns the item if its assets are to be listed.
pub(super) fn one_ui(ui: &mut Ui, item: &Item, frame: &mut AssetFrame<'_>) -> Option<Item> {
    let why_disabled = why_disabled(item.kind, frame);
    let look = ChipLook::new(why_disabled.as_deref(), frame);
    let request = ui.add_enabled_ui(!frame.write.writing, |ui| chip_ui(ui, item, look)).inner?;
    carry_out(ui, item, request, frame)
}

/// Returns why links of a kind cannot be removed now.
fn why_disabled(kind: LinkKind, frame: &AssetFrame<'_>) -> Option<String> {
    frame.disabled_reason(Capability::Unlink(kind)).or(frame.write.writing.then(|| WRITING.to_owned()))
}

/// Draws the visible ones of many links, a line each. Enter does what a click does, Delete removes the link.
fn many_ui<'a>(
    ui: &mut Ui,
    kind: LinkKind,
    items: &'a [Item],
    list: &mut RowListState,
    look: ChipLook<'_>,
) -> Option<(&'a Item, ChipRequest)> {
    let rect = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), VISIBLE_ROWS * ROW));
    let row_name = |row: usize| items.get(row).map_or(Cow::Borrowed(""), |item| shown_short(item.name(), 120));
    let rows = RowList { name: kind.many(), rect, rows: items.len(), row_name: &row_name, drags: false };
    let mut chosen = None;
    let drawn = rows.show(ui, list, |ui, row| {
        let Some(item) = items.get(row) else { return };
        let request = chip_row(ui, |ui| chip_ui(ui, item, look));
        chosen = request.map(|request| (item, request)).or(chosen.take());
    });
    let item = items.get(drawn.row)?;
    let deleted = focus::receives_keys(ui.ctx(), drawn.response.id) && ui.input(|input| input.key_pressed(Key::Delete));
    let removed = (deleted && look.why_disabled.is_none()).then_some(ChipRequest::Remove);
    let opened = if drawn.opened { open(ui, item) } else { None };
    let by_menu = drawn.menu_besides(&menu_name(item), |ui| entries_ui(ui, item, look.why_disabled)).flatten();
    chosen.or(removed.or(opened).or(by_menu).map(|request| (item, request)))
}

/// Opens the address of a website, or lists the assets of any other item, as a click on a link does.
fn open(ui: &Ui, item: &Item) -> Option<ChipRequest> {
    let Some(url) = item.url.as_deref() else { return Some(ChipRequest::List) };
    // Only the validated address is opened: the text itself may be a path or have another scheme.
    let address = openable_url(url).ok()?;
    ui.ctx().open_url(egui::OpenUrl::new_tab(&address));
    None
}

/// The action chosen on a chip.
enum ChipRequest {
    /// Lists the assets linked to the same item.
    List,
    /// Removes the link.
    Remove,
    /// Copies the name.
    Copy,
    /// Links the assets that were dropped on it.
    Dropped(Box<Action>),
}

/// How chips are drawn.
#[derive(Clone, Copy)]
struct ChipLook<'a> {
    /// Why links cannot be removed.
    why_disabled: Option<&'a str>,
    /// The colours of tags.
    colors: &'a TagColors,
}

impl<'a> ChipLook<'a> {
    fn new(why_disabled: Option<&'a str>, frame: &AssetFrame<'a>) -> Self {
        Self { why_disabled, colors: &frame.state.preferences.settings.look.tag_colors }
    }
}

/// Draws a link; one that cannot be removed says why and can still be opened.
fn chip_ui(ui: &mut Ui, item: &Item, look: ChipLook<'_>) -> Option<ChipRequest> {
    let (text, why_disabled) = (item.name(), look.why_disabled);
    let color = (item.kind == LinkKind::Tag).then(|| look.colors.of(&item.text)).flatten();
    let fill = color.map(|color| ui.tokens().tag_fill(color));
    let chip = match why_disabled {
        None => removable_chip(ui, &item.id, item.kind.one(), text, fill),
        Some(why_disabled) => locked_chip(ui, &item.id, text, why_disabled, fill),
    };
    let removed = (chip.removed && why_disabled.is_none()).then_some(ChipRequest::Remove);
    let address = item.url.as_deref().map(openable_url);
    let chosen = context_menu(&chip.response, &menu_name(item), |ui| entries_ui(ui, item, why_disabled)).flatten();
    let clicked = if chip.clicked { open(ui, item) } else { None };
    let hover = match (&address, &item.url) {
        (Some(Ok(address)), _) => format!("Opens {}", shown_short(address, 500)),
        (Some(Err(problem)), Some(url)) => format!("{}: {problem}", shown_short(url, 500)),
        _ => format!("Click to list the assets with this {}", item.kind.one()),
    };
    dragging::begin(&chip.response, || Some(Dragged::Item(item.clone())));
    let dropped = dragging::drop_on_item(ui, &chip.response, item);
    chip.response.on_hover_text(hover);
    clicked.or(removed).or(chosen).or(dropped.map(|action| ChipRequest::Dropped(Box::new(action))))
}

fn menu_name(item: &Item) -> String {
    format!("Menu of the {} {}", item.kind.one(), shown_short(item.name(), 60))
}

/// Draws the entries of the menu of a link; returns what was chosen.
fn entries_ui(ui: &mut Ui, item: &Item, why_disabled: Option<&str>) -> Option<ChipRequest> {
    let kind = item.kind.one();
    let mut chosen = None;
    if let Some(Ok(address)) = item.url.as_deref().map(openable_url)
        && entry(ui, Icon::OUTSIDE, "Open in the browser")
    {
        ui.ctx().open_url(egui::OpenUrl::new_tab(&address));
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
}
