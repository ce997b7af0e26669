//! Keyboard focus: the Tab order, focus traps, and restoring the focus.
//!
//! What must hold: Tab follows the reading order through every usable control, whatever the order of drawing; a dialog
//! or menu traps the focus while it is open and restores it afterwards; if the focused control disappears or is
//! disabled, the nearest one gets the focus; Escape leads from a page back to its list. One focus ring, drawn here, is
//! shown while the keyboard is in use; a click hides it until the next key press. A key that moves the focus is not for
//! what gets the focus.

use std::collections::{BTreeMap, BTreeSet};

use egui::{Context, Event, FocusDirection, Id, Key, LayerId, Rect, Stroke, StrokeKind, Ui, WidgetRects};

use crate::ui::theme::{RADIUS, Tokens};

mod order;
#[cfg(test)]
mod tests;

pub(in crate::ui) use order::Region;
use order::{Control, Part};

/// What is registered while a frame is drawn.
#[derive(Clone, Default)]
struct FocusFrame {
    /// The regions drawn, with the controls drawn in them.
    parts: Vec<Part>,
    /// The region being drawn.
    region: Option<Region>,
    /// The list of the panel, which Escape leads to.
    list: Option<Id>,
    /// The control of the sidebar that gets the focus when the sidebar is entered.
    sidebar_entry: Option<Id>,
    /// Whether the page beside the list is to get the focus.
    enters_page: bool,
    /// The active one of two pages; `None` if there is one or none.
    active_page: Option<Region>,
    /// Whether the list is to get the focus.
    enters_list: bool,
    /// Where the ring goes for widgets whose own outline is not what has the focus, such as a row of a list or a tab.
    rings: Vec<(Id, Rect)>,
    /// The widget that handles Tab itself.
    claims_tab: Option<Id>,
    /// Whether Escape was pressed in the page and not handled there.
    leaves_page: bool,
    /// Whether the focus ring is shown.
    shows_ring: bool,
}

/// Tracks the focus from frame to frame; there is one per window.
#[derive(Default)]
pub(in crate::ui) struct KeyboardFocus {
    /// The control that had the focus when the last frame was drawn.
    last: Option<Control>,
    /// The last control that had the focus, even if none has it now: Tab continues from there.
    start: Option<Control>,
    /// Whether a text field had the focus.
    typing: bool,
    /// The regions of the last frame.
    parts: Vec<Part>,
    /// The dialogs and menus that trap the focus, the topmost last.
    traps: Vec<FocusTrap>,
    /// The list of the panel shown.
    list: Option<Id>,
    /// The control of the sidebar that gets the focus when the sidebar is entered.
    sidebar_entry: Option<Id>,
    /// The control that had the focus when the page was to get it; the page gets it as soon as it is drawn.
    enters_page: Option<Option<Id>>,
    /// Escape was pressed and not handled.
    escaped: bool,
    /// The widget that handles Tab while it has the focus.
    claims_tab: Option<Id>,
    /// Whether the last input was a key press rather than a click, so that the ring is drawn.
    keyboard: bool,
    /// The control of each area that had the focus last.
    of_areas: BTreeMap<Region, Id>,
    /// The control that got the focus because the list that had it is not drawn, until a key is pressed.
    in_place_of_list: Option<Id>,
}

/// A dialog or menu over the window.
struct FocusTrap {
    layer: LayerId,
    /// What had the focus before it opened.
    before: Option<Id>,
}

/// Draws a region of the window; Tab visits all of it before the next one.
pub(in crate::ui) fn region<R>(ui: &mut Ui, region: Region, draw: impl FnOnce(&mut Ui) -> R) -> R {
    let layer = ui.layer_id();
    let from = widget_count(ui);
    let around = with_frame(ui.ctx(), |frame| frame.region.replace(region));
    let drawn = draw(ui);
    let part = Part { region, layer, from, to: widget_count(ui) };
    with_frame(ui.ctx(), |frame| {
        frame.region = around;
        frame.parts.push(part);
    });
    drawn
}

/// Registers this widget as the list of the panel, unless it is inside a page.
pub(in crate::ui) fn register_list(ctx: &Context, list: Id) {
    with_frame(ctx, |frame| {
        if !frame.region.is_some_and(Region::is_page) {
            frame.list = Some(list);
        }
    });
}

/// Registers the control that gets the focus when the keyboard enters the sidebar: the panel that is shown.
pub(in crate::ui) fn register_sidebar_entry(ctx: &Context, entry: Id) {
    with_frame(ctx, |frame| frame.sidebar_entry = Some(entry));
}

/// Moves the focus to the page beside the list, as soon as it is drawn; of two, to the one that is active then.
pub(in crate::ui) fn enter_page(ctx: &Context) {
    with_frame(ctx, |frame| frame.enters_page = true);
}

/// Registers that two pages are drawn, and which of them is active.
pub(in crate::ui) fn set_active_page(ctx: &Context, active: Region) {
    with_frame(ctx, |frame| frame.active_page = Some(active));
}

/// Returns whether the focused widget was drawn in this `Ui`, whose widgets begin at this index of its layer.
pub(in crate::ui) fn is_within(ui: &Ui, from: usize) -> bool {
    let Some(focused) = ui.memory(|memory| memory.focused()) else { return false };
    let layer = ui.layer_id();
    ui.viewport(|view| view.this_pass.widgets.get_layer(layer).skip(from).any(|widget| widget.id == focused))
}

/// Returns how many widgets the layer of this `Ui` has so far.
pub(in crate::ui) fn widget_count(ui: &Ui) -> usize {
    let layer = ui.layer_id();
    ui.viewport(|view| view.this_pass.widgets.get_layer(layer).count())
}

/// Moves the focus to the list of the panel, if one is drawn.
pub(in crate::ui) fn enter_list(ctx: &Context) {
    with_frame(ctx, |frame| frame.enters_list = true);
}

/// Returns whether [`enter_list`] moved the focus to this list since the last call.
pub(in crate::ui) fn entered_list(ctx: &Context, list: Id) -> bool {
    ctx.data_mut(|data| data.remove_temp::<Option<Id>>(Id::unique("entered list"))).flatten() == Some(list)
}

/// Returns whether Escape leaves the page in this frame; a list beside it then gets the focus.
pub(in crate::ui) fn leaves_page(ctx: &Context) -> bool {
    with_frame(ctx, |frame| frame.leaves_page)
}

/// Returns whether the keys of this frame go to this widget: it had the focus when they came.
///
/// A key that moves the focus to a widget is not for that widget, even if it is drawn later in the frame.
pub(in crate::ui) fn receives_keys(ctx: &Context, widget: Id) -> bool {
    ctx.memory(|memory| memory.has_focus(widget) && memory.had_focus_last_frame(widget))
}

/// Draws a text field of the toolkit, which would type the key that moved the focus to it.
pub(in crate::ui) fn without_foreign_keys<R>(ui: &mut Ui, draw: impl FnOnce(&mut Ui) -> R) -> R {
    let focused = ui.memory(|memory| memory.focused());
    if focused.is_none_or(|focused| receives_keys(ui.ctx(), focused)) {
        return draw(ui);
    }
    let types = |event: &Event| {
        matches!(event, Event::Key { .. } | Event::Text(_) | Event::Paste(_) | Event::Copy | Event::Cut | Event::Ime(_))
    };
    let events = ui.input_mut(|input| {
        let others = input.events.iter().filter(|event| !types(event)).cloned().collect();
        std::mem::replace(&mut input.events, others)
    });
    let drawn = draw(ui);
    ui.input_mut(|input| input.events = events);
    drawn
}

/// Returns whether the focus ring is shown in this frame: the last input was a key press.
pub(in crate::ui) fn shows_ring(ctx: &Context) -> bool {
    with_frame(ctx, |frame| frame.shows_ring)
}

/// Sets where the focus ring of this widget is drawn, for example around one of its rows.
pub(in crate::ui) fn set_ring(ctx: &Context, widget: Id, rect: Rect) {
    with_frame(ctx, |frame| frame.rings.push((widget, rect)));
}

/// Registers that this widget handles Tab in the next frame while it has the focus.
pub(in crate::ui) fn claims_tab(ctx: &Context, widget: Id) {
    with_frame(ctx, |frame| frame.claims_tab = Some(widget));
}

fn with_frame<R>(ctx: &Context, write: impl FnOnce(&mut FocusFrame) -> R) -> R {
    ctx.data_mut(|data| write(data.get_temp_mut_or_default(Id::unique("focus notes"))))
}

impl KeyboardFocus {
    /// Returns whether the page beside a list has the focus, or had it last.
    pub(in crate::ui) fn in_page(&self) -> bool {
        self.start.is_some_and(|start| start.region.is_page())
    }

    /// Moves the focus to the next area, or to the previous one: the sidebar, the list, the page and the second page. In
    /// the sidebar it goes to the panel that is shown, elsewhere to the control that had the focus there last, or else to
    /// the first one.
    pub(in crate::ui) fn go_to_area(&mut self, ctx: &Context, forward: bool) {
        let controls = ctx.viewport(|view| self.controls(&view.prev_pass.widgets));
        let areas: BTreeSet<Region> = controls.iter().filter_map(|control| control.region.area()).collect();
        let areas: Vec<Region> = areas.into_iter().collect();
        let here = self.start.and_then(|start| start.region.area());
        let at = here.and_then(|here| areas.iter().position(|area| *area == here));
        let Some(next) = order::step(areas.len(), at, if forward { 1 } else { -1 }) else { return };
        let within = |id: Id| controls.iter().any(|one| one.id == id && one.region.area() == Some(areas[next]));
        let entry = self.sidebar_entry.filter(|entry| areas[next] == Region::Sidebar && within(*entry));
        let last = entry.or(self.of_areas.get(&areas[next]).copied().filter(|id| within(*id)));
        let list = self.list.filter(|list| areas[next] == Region::List && within(*list));
        let first = || controls.iter().find(|control| control.region == areas[next]).map(|control| control.id);
        if let Some(id) = last.or(list).or_else(first) {
            self.keyboard = true;
            ctx.memory_mut(|memory| memory.request_focus(id));
        }
    }

    /// Moves the focus by the keys of this frame; must be called before anything is drawn.
    pub(in crate::ui) fn begin(&mut self, ctx: &Context) {
        let (steps, escape) = ctx.input(|input| (steps(&input.events), input.key_pressed(Key::Escape)));
        let pressed = ctx.input(|input| last_input_is_keyboard(&input.events));
        self.keyboard = pressed.unwrap_or(self.keyboard);
        if pressed.is_some() {
            self.in_place_of_list = None;
        }
        // A widget that handled Escape has kept the focus.
        self.escaped = escape && self.traps.is_empty() && ctx.memory(|memory| memory.focused().is_none());
        let page = self.in_page();
        // In a text field, the first Escape ends typing; the next one leaves the page.
        let leaves_page = self.escaped && page && !self.typing;
        let shows_ring = self.keyboard;
        with_frame(ctx, |frame| *frame = FocusFrame { leaves_page, shows_ring, ..FocusFrame::default() });
        let traps = self.claims_tab.is_some() && ctx.memory(|memory| memory.focused()) == self.claims_tab;
        if steps == 0 || traps {
            return;
        }
        // The toolkit would follow the order of drawing.
        ctx.memory_mut(|memory| memory.move_focus(FocusDirection::None));
        let controls = ctx.viewport(|view| self.controls(&view.prev_pass.widgets));
        let at = self.start.and_then(|start| order::index_of(&controls, &start));
        if let Some(next) = order::step(controls.len(), at, steps) {
            ctx.memory_mut(|memory| memory.request_focus(controls[next].id));
        }
    }

    /// Makes sure that something has the focus; must be called after everything is drawn.
    pub(in crate::ui) fn end(&mut self, ctx: &Context) {
        let mut frame = with_frame(ctx, std::mem::take);
        let focused = ctx.memory(|memory| memory.focused());
        let list_before = self.list;
        let list_came = self.record_frame(ctx, &mut frame, focused);
        let top = topmost_layer(ctx);
        let given_back = ctx.viewport(|view| self.track_traps(top, &view.this_pass.widgets));
        let controls = ctx.viewport(|view| self.controls(&view.this_pass.widgets));
        let has = |id: Id| controls.iter().any(|control| control.id == id);
        // A choice that an arrow key moved to can have the focus, although Tab stops at it only from the next frame on.
        let is_usable = |id: Id| ctx.viewport(|view| is_usable(&view.this_pass.widgets, id, top));
        let here = focused.filter(|id| has(*id) || is_usable(*id));
        // In its first frame, a dialog that opened from a menu has no control yet; what it gave the focus to keeps it.
        let opens = focused.is_some_and(|focused| self.opens_above(ctx, focused));
        let given_back = given_back.filter(|id| here.is_none() && !opens && has(*id));
        let wanted = if let Some(layer) = top {
            let modal = ctx.memory(|memory| memory.top_modal_layer() == Some(layer));
            let free = modal && here.is_none() && !opens;
            // A dialog that opened another one gets the focus where it was before.
            given_back.or(controls.first().filter(|_| free).map(|first| first.id))
        } else {
            let free = here.is_none() || here == self.in_place_of_list;
            let list = self.list.filter(|list| has(*list) && free);
            self.page_entry(&controls, here, &frame)
                .or(self.list.filter(|list| frame.enters_list && has(*list)))
                .or(given_back)
                .or(list.filter(|_| list_came || self.back_to_list()))
                .or_else(|| self.nearest_usable(ctx, &controls, focused, list_before))
        };
        if let Some(wanted) = wanted {
            ctx.memory_mut(|memory| memory.request_focus(wanted));
            ctx.request_repaint();
        }
        let now = wanted.or(here);
        let control = controls.into_iter().find(|control| Some(control.id) == now);
        self.typing = ctx.text_edit_focused();
        // A text field has its caret and a border of its own.
        if let Some(id) = here.filter(|_| self.keyboard && !self.typing) {
            ring(ctx, id, frame.rings.iter().rev().find(|(widget, _)| *widget == id).map(|(_, rect)| *rect));
        }
        self.of_areas.extend(control.and_then(|control| Some((control.region.area()?, control.id))));
        // A requested focus whose widget is not drawn yet is not forgotten.
        self.last = control.or(self.last.filter(|_| focused.is_some()));
        self.start = self.last.or(self.start);
    }

    /// Records what was drawn; returns whether another list was.
    fn record_frame(&mut self, ctx: &Context, frame: &mut FocusFrame, focused: Option<Id>) -> bool {
        self.parts = std::mem::take(&mut frame.parts);
        self.claims_tab = frame.claims_tab;
        self.sidebar_entry = frame.sidebar_entry;
        if frame.enters_page {
            self.enters_page = Some(focused);
            ctx.request_repaint();
        }
        if frame.enters_list {
            ctx.data_mut(|data| data.insert_temp(Id::unique("entered list"), frame.list));
        }
        let list_came = frame.list != self.list && frame.list.is_some();
        self.list = frame.list;
        list_came
    }

    /// Returns the controls in Tab order.
    fn controls(&self, widgets: &WidgetRects) -> Vec<Control> {
        order::controls(widgets, &self.parts, self.traps.last().map(|traps| traps.layer))
    }

    /// Tracks the open dialogs and menus; returns what had the focus before those that closed.
    fn track_traps(&mut self, top: Option<LayerId>, widgets: &WidgetRects) -> Option<Id> {
        let open = |traps: &FocusTrap| widgets.get_layer(traps.layer).next().is_some();
        let closed = self.traps.iter().find(|traps| !open(traps)).map(|traps| traps.before);
        self.traps.retain(open);
        if let Some(layer) = top
            && !self.traps.iter().any(|traps| traps.layer == layer)
        {
            // A dialog opened from a menu restores the focus to where the menu was opened from.
            let before = closed.unwrap_or(self.last.map(|last| last.id));
            self.traps.push(FocusTrap { layer, before });
            return None;
        }
        closed.flatten()
    }

    /// Returns whether this widget is in a dialog that is opening over another one: in its first frame it is not on top
    /// yet.
    fn opens_above(&self, ctx: &Context, widget: Id) -> bool {
        let layer = ctx.viewport(|view| view.this_pass.widgets.get(widget).map(|widget| widget.layer_id));
        layer.is_some_and(|layer| order::traps_focus(layer) && !self.traps.iter().any(|traps| traps.layer == layer))
    }

    /// Returns the first control of the page if it is to get the focus and is drawn.
    fn page_entry(&mut self, controls: &[Control], here: Option<Id>, frame: &FocusFrame) -> Option<Id> {
        let asked = self.enters_page?;
        if frame.enters_page && frame.active_page.is_some() {
            // What was opened in this frame may make the other page the active one.
            return None;
        }
        // The focus has moved elsewhere in the meantime.
        if here.is_some() && here != asked {
            self.enters_page = None;
            return None;
        }
        let page = frame.active_page.unwrap_or(Region::Page);
        let first = controls.iter().find(|control| control.region == page)?;
        self.enters_page = None;
        Some(first.id)
    }

    /// Returns whether Escape leads to the list from where the focus was.
    fn back_to_list(&self) -> bool {
        match self.start.map(|start| start.region) {
            Some(Region::Page | Region::SecondPage) => self.escaped && !self.typing,
            Some(Region::List | Region::BelowList) => self.escaped,
            _ => false,
        }
    }

    /// Returns the control nearest to a focused one that disappeared or was disabled; records it if that was the list of
    /// the last frame.
    fn nearest_usable(
        &mut self,
        ctx: &Context,
        controls: &[Control],
        focused: Option<Id>,
        list_before: Option<Id>,
    ) -> Option<Id> {
        let last = self.last?;
        let away = focused.is_some_and(|focused| focused != last.id) || controls.iter().any(|one| one.id == last.id);
        if away || ctx.input(|input| input.pointer.any_down()) {
            return None;
        }
        let nearest = order::nearest_usable(controls, &last).map(|index| controls[index].id).or(self.list);
        if self.list.is_none() && list_before == Some(last.id) {
            self.in_place_of_list = nearest;
        }
        nearest
    }
}

/// Draws the focus ring: inside `own` if the widget set it, otherwise around the widget.
fn ring(ctx: &Context, id: Id, own: Option<Rect>) {
    let Some(widget) = ctx.viewport(|view| view.this_pass.widgets.get(id).copied()) else { return };
    let rect = own.unwrap_or_else(|| {
        let seen = widget.interact_rect.intersect(widget.rect);
        // A splitter is a thin line.
        let thin = egui::vec2((5.0 - seen.width()).max(0.0), (5.0 - seen.height()).max(0.0));
        seen.expand2(thin / 2.0).expand(2.5).intersect(ctx.content_rect())
    });
    if rect.is_positive() {
        let stroke = Stroke::new(1.5, Tokens::of_context(ctx).accent);
        ctx.layer_painter(widget.layer_id).rect_stroke(rect, f32::from(RADIUS), stroke, StrokeKind::Inside);
    }
}

/// Returns whether the latest of these events is a key press rather than a click; `None` if it is neither.
///
/// Modifiers of a click, such as Shift, are not key events here.
fn last_input_is_keyboard(events: &[Event]) -> Option<bool> {
    events.iter().rev().find_map(|event| match event {
        Event::Key { pressed: true, .. } | Event::AccessKitActionRequest(_) => Some(true),
        Event::PointerButton { pressed: true, .. } | Event::Touch { .. } => Some(false),
        _ => None,
    })
}

/// Returns whether this widget is drawn and enabled, in the topmost dialog or menu if there is one.
fn is_usable(widgets: &WidgetRects, id: Id, top: Option<LayerId>) -> bool {
    widgets.get(id).is_some_and(|widget| widget.enabled && top.is_none_or(|layer| layer == widget.layer_id))
}

/// Returns how many controls to move by; negative is backwards.
fn steps(events: &[Event]) -> isize {
    let step = |event: &Event| match event {
        Event::Key { key: Key::Tab, pressed: true, modifiers, .. } if !modifiers.command && !modifiers.alt => {
            if modifiers.shift {
                -1
            } else {
                1
            }
        }
        _ => 0,
    };
    events.iter().map(step).sum()
}

/// Returns the topmost dialog or menu drawn in this frame that has a usable control.
fn topmost_layer(ctx: &Context) -> Option<LayerId> {
    let layers: Vec<LayerId> = ctx.memory(|memory| memory.layer_ids().collect());
    ctx.viewport(|view| {
        let keeps =
            |layer: &&LayerId| order::traps_focus(**layer) && order::has_controls(&view.this_pass.widgets, **layer);
        layers.iter().rev().find(keeps).copied()
    })
}
