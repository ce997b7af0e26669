//! Imports files that are dropped onto the window, but for those that become a side of a comparison.

use egui::{Align2, Context, FontId, Id, LayerId, Order, Stroke, StrokeKind};

use lunette_inspector::action::ImportAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::{Action, State};

use crate::ui::disabled_reason::disabled_reason;
use crate::ui::dropped_files;
use crate::ui::theme::Tokens;

/// Says what a drop would do while files hover over the window, and imports dropped files.
pub(in crate::ui) fn ui(ctx: &Context, state: &State, actions: &mut Vec<Action>) {
    let (dropped, become_sides) = (dropped_files::paths(ctx), dropped_files::become_sides(state));
    if !dropped.is_empty() && !become_sides {
        actions.push(ImportAction::Import(dropped).into());
    }
    let hovering = ctx.input(|input| input.raw.hovered_files.len());
    if hovering == 0 {
        return;
    }
    let tokens = Tokens::of_context(ctx);
    let painter = ctx.layer_painter(LayerId::new(Order::Tooltip, Id::unique("drop")));
    let rect = ctx.content_rect();
    painter.rect_filled(rect, 0.0, tokens.background.gamma_multiply(0.85));
    painter.rect_stroke(rect.shrink(16.0), 12.0, Stroke::new(2.0, tokens.accent), StrokeKind::Inside);
    let disabled_reason = disabled_reason(state, Capability::CreateAsset);
    let words = match disabled_reason {
        _ if become_sides => "Drop on a side to compare".to_owned(),
        None => "Drop to import".to_owned(),
        Some(why) => format!("Files cannot be imported now. {why}"),
    };
    let font = FontId::proportional(20.0);
    let galley = painter.layout(words, font, tokens.text, rect.width() - 80.0);
    painter.galley(Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect).min, galley, tokens.text);
}
