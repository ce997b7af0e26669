//! Whether typing in the focused field of one line can be undone or redone.
//!
//! What must hold: the answer is the one that the field itself would act on, so that a key goes either to the field or
//! to a command, and never to both. Fields of several lines always keep their keys.

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Context, Id, Response};

/// The field that has the focus, and its text.
#[derive(Clone)]
struct Focused {
    field: Id,
    text: String,
}

/// Records the text of a field of one line while it has the focus.
pub(in crate::ui::widgets) fn record(field: &Response, text: &str) {
    if field.has_focus() {
        let focused = Focused { field: field.id, text: text.to_owned() };
        field.ctx.data_mut(|data| data.insert_temp(id(), focused));
    }
}

/// Returns whether typing in the focused field can be undone, or redone where `redo` is set. Where the field is not
/// known, it may be.
pub fn can_undo_typing(ctx: &Context, redo: bool) -> bool {
    let focused = ctx.memory(egui::Memory::focused);
    let known = ctx.data(|data| data.get_temp::<Focused>(id())).filter(|known| Some(known.field) == focused);
    let Some(Focused { field, text }) = known else { return true };
    let Some(state) = TextEditState::load(ctx, field) else { return true };
    let end = CCursorRange::one(CCursor::new(text.chars().count()));
    let mut current = (state.cursor.char_range().unwrap_or(end), text.clone());
    let mut undoer = state.undoer();
    if redo && !undoer.has_redo(&current) {
        return false;
    }
    // A step may have moved the cursor alone.
    while let Some(step) = if redo { undoer.redo(&current) } else { undoer.undo(&current) } {
        if step.1 != text {
            return true;
        }
        current = step.clone();
    }
    false
}

fn id() -> Id {
    Id::unique("the focused field")
}

/// Registers the focused widget as an editor of code, which uses more keys than other fields.
pub(in crate::ui::widgets) fn claim_editor_keys(ctx: &Context, editor: Id) {
    ctx.data_mut(|data| data.insert_temp(editor_id(), editor));
}

/// Returns whether an editor of code has the focus.
pub fn in_editor(ctx: &Context) -> bool {
    let editor = ctx.data(|data| data.get_temp::<Id>(editor_id()));
    editor.is_some() && editor == ctx.memory(egui::Memory::focused)
}

fn editor_id() -> Id {
    Id::unique("the editor of code")
}
