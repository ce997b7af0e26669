//! Imports files that are dropped onto the window.

use std::path::PathBuf;

use egui::{Align2, Context, FontId, Id, LayerId, Order, Stroke, StrokeKind};

use lunette_inspector::action::ImportAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::{Action, State};

use crate::ui::disabled_reason::disabled_reason;
use crate::ui::theme::Tokens;

/// Says what a drop would do while files hover over the window, and imports dropped files.
pub(in crate::ui) fn ui(ctx: &Context, state: &State, actions: &mut Vec<Action>) {
    let dropped: Vec<PathBuf> =
        ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect());
    if !dropped.is_empty() {
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
    let words = disabled_reason
        .map_or_else(|| "Drop to import".to_owned(), |why| format!("Files cannot be imported now. {why}"));
    let font = FontId::proportional(20.0);
    let galley = painter.layout(words, font, tokens.text, rect.width() - 80.0);
    painter.galley(Align2::CENTER_CENTER.align_size_within_rect(galley.size(), rect).min, galley, tokens.text);
}
