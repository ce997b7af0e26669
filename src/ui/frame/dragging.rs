//! Dragging within the window: assets onto a tag, a website or a workstream summary, one of these onto assets or the page
//! of one, and an asset onto another.
//!
//! What must hold: a drop on or of one asset is one change, sent as any other; with several assets it is a run whose plan
//! is shown first. Whatever a drag does can be done from the menu of a row or of a chip.

use std::sync::Arc;

use egui::{Context, DragAndDrop, FontId, LayerId, Order, PointerButton, Rect, Response, Stroke, StrokeKind, Ui, vec2};

use crate::ui::theme::Tokens;
use crate::ui::widgets::{grouped, shown_short};
use lunette_client::model::id::AssetId;
use lunette_inspector::Action;
use lunette_inspector::action::{BulkAction, WriteAction};
use lunette_inspector::bulk::NamedAssets;
use lunette_inspector::change::{Change, Item};
use lunette_inspector::compare::Source;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::runs::BulkOperation;

/// How far the outline of a page is from what is drawn on it, in points.
const PAGE_OUTLINE: f32 = 6.0;

/// What is being dragged.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ui) enum Dragged {
    /// Assets, each with its name; at least one.
    Assets(NamedAssets),
    /// A tag, a website or a workstream summary.
    Item(Item),
}

impl Dragged {
    fn label(&self) -> String {
        match self {
            Self::Assets(assets) => match assets.as_slice() {
                [(_, name)] => format!("“{}”", shown_short(name, 40)),
                assets => format!("{} assets", grouped(assets.len() as u64)),
            },
            Self::Item(item) => format!("{} “{}”", item.kind.one(), shown_short(item.name(), 40)),
        }
    }
}

/// Returns assets by id, each with its name.
pub(in crate::ui) fn named_assets<'a>(rows: impl IntoIterator<Item = &'a AssetRow>) -> NamedAssets {
    Arc::new(rows.into_iter().map(|row| (row.id(), row.title().into_owned())).collect())
}

/// Begins to drag something where the pointer starts to drag this widget.
pub(in crate::ui) fn begin(response: &Response, what: impl FnOnce() -> Option<Dragged>) {
    if response.drag_started_by(PointerButton::Primary)
        && let Some(what) = what()
    {
        DragAndDrop::set_payload(&response.ctx, what);
    }
}

/// Returns whether something is dragged over this widget.
pub(in crate::ui) fn is_over(response: &Response) -> bool {
    response.dnd_hover_payload::<Dragged>().is_some()
}

/// Returns what links the assets that were dropped on the widget of an item.
pub(in crate::ui) fn drop_on_item(ui: &Ui, response: &Response, item: &Item) -> Option<Action> {
    let dragged = response.dnd_hover_payload::<Dragged>()?;
    let Dragged::Assets(assets) = &*dragged else { return None };
    say(ui, || format!("Link {} “{}” to {}", item.kind.one(), shown_short(item.name(), 40), dragged.label()));
    is_dropped(ui, response).then(|| link(item.clone(), assets))
}

/// Returns what links the item that was dropped on the widget of these assets; `named` says which these are.
pub(in crate::ui) fn drop_on_assets(
    ui: &Ui,
    response: &Response,
    named: impl FnOnce() -> String,
    assets: impl FnOnce() -> NamedAssets,
) -> Option<Action> {
    let dragged = response.dnd_hover_payload::<Dragged>()?;
    let Dragged::Item(item) = &*dragged else { return None };
    say(ui, || format!("Link {} “{}” to {}", item.kind.one(), shown_short(item.name(), 40), named()));
    is_dropped(ui, response).then(|| link(item.clone(), &assets()))
}

/// Returns what links the item that was dropped on the page of an asset; `named` says which asset that is, and `is_linked`
/// whether it is linked to the item already.
pub(in crate::ui) fn drop_on_page(
    ui: &Ui,
    page: &Response,
    asset: &AssetId,
    named: impl FnOnce() -> String,
    is_linked: impl FnOnce(&Item) -> bool,
) -> Option<Action> {
    let dragged = page.dnd_hover_payload::<Dragged>()?;
    let Dragged::Item(item) = &*dragged else { return None };
    if is_linked(item) {
        return None;
    }
    let name = named();
    say(ui, || format!("Link {} “{}” to {name}", item.kind.one(), shown_short(item.name(), 40)));
    // Around the page, rather than through what is at its edges.
    is_dropped_within(ui, page.rect.expand(PAGE_OUTLINE))
        .then(|| link(item.clone(), &Arc::new(vec![(asset.clone(), name)])))
}

/// Returns the asset, with its name, that was dropped on the row of another one.
pub(in crate::ui) fn drop_on_row(ui: &Ui, row: &Response, asset: &AssetRow) -> Option<(AssetId, String)> {
    let dragged = row.dnd_hover_payload::<Dragged>()?;
    let Dragged::Assets(assets) = &*dragged else { return None };
    let [one] = assets.as_slice() else { return None };
    if asset.is_of(&one.0) {
        return None;
    }
    say(ui, || format!("Compare with “{}”, or open both", shown_short(&asset.title(), 40)));
    is_dropped(ui, row).then(|| one.clone())
}

/// Returns what was dropped on a side of a comparison, if it can be compared; `does` says what the drop does.
pub(in crate::ui) fn drop_on_side(ui: &Ui, side: &Response, does: &str) -> Option<Source> {
    let dragged = side.dnd_hover_payload::<Dragged>()?;
    let source = match &*dragged {
        Dragged::Item(item) => Source::Item(item.clone()),
        Dragged::Assets(assets) => match assets.as_slice() {
            [(id, name)] => Source::Asset(id.clone(), name.clone()),
            _ => return None,
        },
    };
    say(ui, || format!("{does} {}", dragged.label()));
    is_dropped(ui, side).then_some(source)
}

/// Says beside the pointer what a drop does.
fn say(ui: &Ui, what: impl FnOnce() -> String) {
    let what = what();
    ui.ctx().data_mut(|data| data.insert_temp(hint_id(), what));
}

/// Where the sentence beside the pointer is kept until it is painted.
fn hint_id() -> egui::Id {
    egui::Id::unique("what a drop does")
}

/// Shows that something can be dropped on a widget; returns whether it is dropped in this frame.
fn is_dropped(ui: &Ui, response: &Response) -> bool {
    is_dropped_within(ui, response.rect)
}

/// Shows that something can be dropped within this outline, below the pointer; returns whether it is dropped in this frame.
fn is_dropped_within(ui: &Ui, outline: Rect) -> bool {
    let stroke = Stroke::new(2.0, Tokens::of(ui).accent);
    ui.painter().rect_stroke(outline, 4.0, stroke, StrokeKind::Inside);
    let dropped = ui.input(|input| input.pointer.primary_released());
    if dropped {
        DragAndDrop::clear_payload(ui.ctx());
    }
    dropped
}

fn link(item: Item, assets: &NamedAssets) -> Action {
    match assets.as_slice() {
        [(asset, _)] => WriteAction::Change(Change::Link { asset: asset.clone(), item }).into(),
        _ => BulkAction::Plan(BulkOperation::Link(item), Arc::clone(assets)).into(),
    }
}

/// Paints what is being dragged beside the pointer.
pub(in crate::ui) fn pointer_label(ctx: &Context) {
    let Some(dragged) = DragAndDrop::payload::<Dragged>(ctx) else { return };
    let Some(at) = ctx.pointer_hover_pos() else { return };
    let t = Tokens::of_context(ctx);
    let painter = ctx.layer_painter(LayerId::new(Order::Tooltip, egui::Id::unique("dragged")));
    let does = ctx.data_mut(|data| data.remove_temp::<String>(hint_id()));
    let line = if does.is_some() { t.accent } else { t.bar };
    let galley = painter.layout_no_wrap(does.unwrap_or_else(|| dragged.label()), FontId::proportional(12.0), t.text);
    let size = galley.size() + vec2(16.0, 8.0);
    let room = ctx.content_rect().shrink(4.0);
    // Below the row that is pointed at, and never beyond the window.
    let least = room.min;
    let corner = (at + vec2(14.0, 18.0)).clamp(least, (room.max - size).max(least));
    let rect = egui::Rect::from_min_size(corner, size);
    painter.rect(rect, 4.0, t.raised, Stroke::new(1.0, line), StrokeKind::Inside);
    painter.galley(rect.min + vec2(8.0, 4.0), galley, t.text);
}
