//! Where the keyboard is: in which order Tab goes, what keeps it, and where it comes back to.
//!
//! What must hold: Tab goes as one reads, through every control that can be used, whatever the order they are drawn in;
//! a dialog or menu keeps the keyboard while it is open and gives it back to where it was; a control that goes away or
//! is disabled leaves it to the nearest one; Escape leads from anywhere in a page back to its list. One ring, drawn here
//! and nowhere else, shows the focus while the keyboard is in use; a click takes it away until the next key.

use egui::{Context, Event, FocusDirection, Id, Key, LayerId, Rect, Stroke, StrokeKind, Ui, WidgetRects};

use crate::ui::theme::{RADIUS, Tokens};

mod order;

pub(super) use order::Region;
use order::{Control, Part};

/// What is told to the keyboard while a frame is drawn.
#[derive(Clone, Default)]
struct FocusFrame {
    /// The parts drawn, by which controls were drawn in them.
    parts: Vec<Part>,
    /// The part being drawn.
    region: Option<Region>,
    /// The list of the panel, which Escape leads to.
    list: Option<Id>,
    /// Whether the page beside the list is to have the keyboard.
    enters_page: bool,
    /// Whether the list is to have the keyboard.
    enters_list: bool,
    /// Where the ring goes for widgets whose outline is not what has the focus: a row of a list, a tab.
    rings: Vec<(Id, Rect)>,
    /// The widget that has a use for Tab itself.
    claims_tab: Option<Id>,
    /// Whether Escape was pressed in the page, and nothing there had a use for it.
    leaves_page: bool,
}

/// Follows the keyboard from frame to frame; one for the window.
#[derive(Default)]
pub(super) struct KeyboardFocus {
    /// What had the keyboard when the last frame was drawn.
    last: Option<Control>,
    /// What had it last, also while nothing has it: from there Tab goes on.
    start: Option<Control>,
    /// Whether it was in a field of text.
    typing: bool,
    /// The parts of the last frame.
    parts: Vec<Part>,
    /// The dialogs and menus that keep the keyboard, the topmost last.
    traps: Vec<FocusTrap>,
    /// The list of the panel shown.
    list: Option<Id>,
    /// What had the keyboard when the page was to have it; the page has it as soon as it is drawn.
    enters_page: Option<Option<Id>>,
    /// Escape was pressed where nothing had a use for it.
    escaped: bool,
    /// The widget that has a use for Tab while it has the keyboard.
    claims_tab: Option<Id>,
    /// Whether the last input was a key rather than a click, so that the ring is drawn.
    keyboard: bool,
}

/// A dialog or menu over the window.
struct FocusTrap {
    layer: LayerId,
    /// What had the keyboard before it opened.
    before: Option<Id>,
}

/// Draws a part of the window that Tab goes through before it goes on to the next one.
pub(super) fn region<R>(ui: &mut Ui, region: Region, draw: impl FnOnce(&mut Ui) -> R) -> R {
    let layer = ui.layer_id();
    let count = |ui: &Ui| ui.viewport(|view| view.this_pass.widgets.get_layer(layer).count());
    let from = count(ui);
    let around = with_frame(ui.ctx(), |frame| frame.region.replace(region));
    let drawn = draw(ui);
    let part = Part { region, layer, from, to: count(ui) };
    with_frame(ui.ctx(), |frame| {
        frame.region = around;
        frame.parts.push(part);
    });
    drawn
}

/// Says that this widget is the list of the panel, unless it is one in a page.
pub(super) fn register_list(ctx: &Context, list: Id) {
    with_frame(ctx, |frame| {
        if frame.region != Some(Region::Page) {
            frame.list = Some(list);
        }
    });
}

/// Gives the keyboard to the page beside the list, as soon as it is drawn.
pub(super) fn enter_page(ctx: &Context) {
    with_frame(ctx, |frame| frame.enters_page = true);
}

/// Gives the keyboard to the list of the panel, where one is drawn.
pub(super) fn enter_list(ctx: &Context) {
    with_frame(ctx, |frame| frame.enters_list = true);
}

/// Whether this list was given the keyboard by [`enter_list`] since it was last asked.
pub(super) fn entered_list(ctx: &Context, list: Id) -> bool {
    ctx.data_mut(|data| data.remove_temp::<Option<Id>>(Id::unique("entered list"))).flatten() == Some(list)
}

/// Whether the page is left by Escape in this frame; where a list stands beside it, that has the keyboard then.
pub(super) fn leaves_page(ctx: &Context) -> bool {
    with_frame(ctx, |frame| frame.leaves_page)
}

/// Says where the ring of this widget goes, should it have the focus: around a row of it, say.
pub(super) fn set_ring(ctx: &Context, widget: Id, place: Rect) {
    with_frame(ctx, |frame| frame.rings.push((widget, place)));
}

/// Says that this widget has a use for Tab in the next frame, while it has the keyboard.
pub(super) fn claims_tab(ctx: &Context, widget: Id) {
    with_frame(ctx, |frame| frame.claims_tab = Some(widget));
}

fn with_frame<R>(ctx: &Context, write: impl FnOnce(&mut FocusFrame) -> R) -> R {
    ctx.data_mut(|data| write(data.get_temp_mut_or_default(Id::unique("focus notes"))))
}

impl KeyboardFocus {
    /// Whether the page beside a list has the keyboard, or had it last.
    pub(super) fn in_page(&self) -> bool {
        self.start.is_some_and(|start| start.region == Region::Page)
    }

    /// Moves the keyboard by the keys of this frame; to be called before anything is drawn.
    pub(super) fn begin(&mut self, ctx: &Context) {
        let (steps, escape) = ctx.input(|input| (steps(&input.events), input.key_pressed(Key::Escape)));
        self.keyboard = ctx.input(|input| last_input_is_keyboard(&input.events)).unwrap_or(self.keyboard);
        // What has a use for Escape has kept the keyboard.
        self.escaped = escape && self.traps.is_empty() && ctx.memory(|memory| memory.focused().is_none());
        let page = self.start.is_some_and(|start| start.region == Region::Page);
        // In a field it ends what is typed there; the next one leaves the page.
        let leaves_page = self.escaped && page && !self.typing;
        with_frame(ctx, |frame| *frame = FocusFrame { leaves_page, ..FocusFrame::default() });
        let traps = self.claims_tab.is_some() && ctx.memory(|memory| memory.focused()) == self.claims_tab;
        if steps == 0 || traps {
            return;
        }
        // The toolkit would go in the order in which things are drawn.
        ctx.memory_mut(|memory| memory.move_focus(FocusDirection::None));
        let controls = ctx.viewport(|view| self.controls(&view.prev_pass.widgets));
        let at = self.start.and_then(|start| order::place(&controls, &start));
        if let Some(next) = order::step(controls.len(), at, steps) {
            ctx.memory_mut(|memory| memory.request_focus(controls[next].id));
        }
    }

    /// Sees to it that something has the keyboard; to be called when everything is drawn.
    pub(super) fn end(&mut self, ctx: &Context) {
        let frame = with_frame(ctx, std::mem::take);
        self.parts = frame.parts;
        self.claims_tab = frame.claims_tab;
        let focused = ctx.memory(|memory| memory.focused());
        if frame.enters_page {
            self.enters_page = Some(focused);
        }
        if frame.enters_list {
            ctx.data_mut(|data| data.insert_temp(Id::unique("entered list"), frame.list));
        }
        let list_came = frame.list != self.list && frame.list.is_some();
        self.list = frame.list;
        let top = topmost_layer(ctx);
        let given_back = ctx.viewport(|view| self.track_traps(top, &view.this_pass.widgets));
        let controls = ctx.viewport(|view| self.controls(&view.this_pass.widgets));
        let has = |id: Id| controls.iter().any(|control| control.id == id);
        // The choice that an arrow moved to can have the focus, though Tab stops at it only from the next frame on.
        let is_usable = |id: Id| ctx.viewport(|view| is_usable(&view.this_pass.widgets, id, top));
        let here = focused.filter(|id| has(*id) || is_usable(*id));
        let given_back = given_back.filter(|id| here.is_none() && has(*id));
        let wanted = if let Some(layer) = top {
            let modal = ctx.memory(|memory| memory.top_modal_layer() == Some(layer));
            let free = modal && here.is_none() && !focused.is_some_and(|focused| self.opens_above(ctx, focused));
            // A dialog that opened another one has the keyboard where it had it before.
            given_back.or(controls.first().filter(|_| free).map(|first| first.id))
        } else {
            let list = self.list.filter(|list| has(*list) && here.is_none());
            self.page_entry(&controls, here)
                .or(self.list.filter(|list| frame.enters_list && has(*list)))
                .or(given_back)
                .or(list.filter(|_| list_came || self.back_to_list()))
                .or_else(|| self.nearest_usable(ctx, &controls, focused))
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
            ring(ctx, id, frame.rings.iter().rev().find(|(widget, _)| *widget == id).map(|(_, place)| *place));
        }
        // What was asked for and is not drawn yet is not forgotten.
        self.last = control.or(self.last.filter(|_| focused.is_some()));
        self.start = self.last.or(self.start);
    }

    /// The controls that Tab goes through, in its order.
    fn controls(&self, widgets: &WidgetRects) -> Vec<Control> {
        order::controls(widgets, &self.parts, self.traps.last().map(|traps| traps.layer))
    }

    /// Follows the dialogs and menus that are open; gives what had the keyboard before those that closed.
    fn track_traps(&mut self, top: Option<LayerId>, widgets: &WidgetRects) -> Option<Id> {
        let open = |traps: &FocusTrap| widgets.get_layer(traps.layer).next().is_some();
        let closed = self.traps.iter().find(|traps| !open(traps)).map(|traps| traps.before);
        self.traps.retain(open);
        if let Some(layer) = top
            && !self.traps.iter().any(|traps| traps.layer == layer)
        {
            // A dialog opened from a menu goes back to where the menu was opened from.
            let before = closed.unwrap_or(self.last.map(|last| last.id));
            self.traps.push(FocusTrap { layer, before });
            return None;
        }
        closed.flatten()
    }

    /// Whether this widget is in a dialog that opens over another one: in its first frame it is not on top yet.
    fn opens_above(&self, ctx: &Context, widget: Id) -> bool {
        let layer = ctx.viewport(|view| view.this_pass.widgets.get(widget).map(|widget| widget.layer_id));
        layer.is_some_and(|layer| order::traps_focus(layer) && !self.traps.iter().any(|traps| traps.layer == layer))
    }

    /// The first control of the page, if it is to have the keyboard and is drawn.
    fn page_entry(&mut self, controls: &[Control], here: Option<Id>) -> Option<Id> {
        let asked = self.enters_page?;
        // It went elsewhere in the meantime.
        if here.is_some() && here != asked {
            self.enters_page = None;
            return None;
        }
        let first = controls.iter().find(|control| control.region == Region::Page)?;
        self.enters_page = None;
        Some(first.id)
    }

    /// Whether Escape leads to the list from where the keyboard was.
    fn back_to_list(&self) -> bool {
        match self.start.map(|start| start.region) {
            Some(Region::Page) => self.escaped && !self.typing,
            Some(Region::List | Region::BelowList) => self.escaped,
            _ => false,
        }
    }

    /// What stands nearest to a control that is gone or disabled and had the keyboard.
    fn nearest_usable(&self, ctx: &Context, controls: &[Control], focused: Option<Id>) -> Option<Id> {
        let last = self.last?;
        let away = focused.is_some_and(|focused| focused != last.id) || controls.iter().any(|one| one.id == last.id);
        if away || ctx.input(|input| input.pointer.any_down()) {
            return None;
        }
        order::nearest_usable(controls, &last).map(|place| controls[place].id).or(self.list)
    }
}

/// Draws the ring that shows the focus: inside `own`, if the widget said where, or else just around the widget.
fn ring(ctx: &Context, id: Id, own: Option<Rect>) {
    let Some(widget) = ctx.viewport(|view| view.this_pass.widgets.get(id).copied()) else { return };
    let place = own.unwrap_or_else(|| {
        let seen = widget.interact_rect.intersect(widget.rect);
        // A splitter is a line.
        let thin = egui::vec2((5.0 - seen.width()).max(0.0), (5.0 - seen.height()).max(0.0));
        seen.expand2(thin / 2.0).expand(2.5).intersect(ctx.content_rect())
    });
    if place.is_positive() {
        let stroke = Stroke::new(1.5, Tokens::of(ctx).accent);
        ctx.layer_painter(widget.layer_id).rect_stroke(place, f32::from(RADIUS), stroke, StrokeKind::Inside);
    }
}

/// Whether the latest of these events is of the keyboard or a click; `None` if it is neither.
///
/// Keys that go with a click, such as Shift, are no key events here.
fn last_input_is_keyboard(events: &[Event]) -> Option<bool> {
    events.iter().rev().find_map(|event| match event {
        Event::Key { pressed: true, .. } | Event::AccessKitActionRequest(_) => Some(true),
        Event::PointerButton { pressed: true, .. } | Event::Touch { .. } => Some(false),
        _ => None,
    })
}

/// Whether this widget is drawn and not disabled, in the dialog or menu on top if there is one.
fn is_usable(widgets: &WidgetRects, id: Id, top: Option<LayerId>) -> bool {
    widgets.get(id).is_some_and(|widget| widget.enabled && top.is_none_or(|layer| layer == widget.layer_id))
}

/// How many controls to go on by, backwards where it is negative.
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

/// The topmost dialog or menu drawn in this frame that has anything to use.
fn topmost_layer(ctx: &Context) -> Option<LayerId> {
    let layers: Vec<LayerId> = ctx.memory(|memory| memory.layer_ids().collect());
    ctx.viewport(|view| {
        let keeps =
            |layer: &&LayerId| order::traps_focus(**layer) && order::has_controls(&view.this_pass.widgets, **layer);
        layers.iter().rev().find(keeps).copied()
    })
}
