//! The notification history: what was shown since the window was opened.

use std::collections::VecDeque;

use egui::{Context, Label, ScrollArea, Ui};
use jiff::Timestamp;

use lunette_inspector::Action;

use crate::ui::format;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::toast::ToastKind;
use crate::ui::widgets::{buttons, dialog, shown_short};

/// Maximum number of notifications kept; the oldest are dropped.
const MAX_MESSAGES: usize = 100;
/// Maximum number of characters drawn of one; copying takes all of it.
const MAX_SHOWN: usize = 1_000;
/// What the rest of the dialog takes of the window's height, in points.
const RESERVED_HEIGHT: f32 = 190.0;

struct Message {
    kind: ToastKind,
    text: String,
    /// When it was shown, in RFC 3339.
    at: String,
}

/// The notifications, newest first, and whether the dialog is open.
#[derive(Default)]
pub(in crate::ui) struct NotificationHistory {
    messages: VecDeque<Message>,
    open: bool,
}

impl NotificationHistory {
    /// Adds a notification.
    pub(in crate::ui) fn note(&mut self, kind: ToastKind, text: &str) {
        self.messages.push_front(Message { kind, text: text.to_owned(), at: Timestamp::now().to_string() });
        self.messages.truncate(MAX_MESSAGES);
    }

    /// Opens the dialog.
    pub(in crate::ui) fn open(&mut self) {
        self.open = true;
    }

    /// Draws the dialog if it is open.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context, actions: &mut Vec<Action>) {
        if !self.open {
            return;
        }
        let height = (ctx.content_rect().height() - RESERVED_HEIGHT).max(60.0);
        let (close, left) = dialog(ctx, "messages", "Messages", 560.0, |ui| {
            if self.messages.is_empty() {
                ui.muted("No messages yet.");
            }
            let area = ScrollArea::vertical().id_salt("messages").max_height(height).auto_shrink([false, true]);
            area.show(ui, |ui| self.messages.iter().for_each(|message| message_ui(ui, message)));
            buttons(ui, |ui| {
                let close = ui.button("Close").clicked();
                let any = !self.messages.is_empty();
                let copy = any && ui.icon_text_button(Icon::COPY, "Copy all").clicked();
                if copy {
                    ui.ctx().copy_text(self.text());
                    actions.push(Action::Notify("Copied the messages".to_owned()));
                }
                close
            })
        });
        self.open &= !(close || left);
    }

    /// Returns all of them, one per line, newest first.
    fn text(&self) -> String {
        self.messages.iter().map(|message| format!("{} {}\n", message.at, message.text)).collect()
    }
}

fn message_ui(ui: &mut Ui, message: &Message) {
    let t = ui.tokens();
    let (icon, color) = match message.kind {
        ToastKind::Info => (Icon::INFO, t.muted),
        ToastKind::Done => (Icon::DONE, t.ok),
        ToastKind::Error => (Icon::ERROR, t.error),
    };
    ui.horizontal_top(|ui| {
        ui.decoration(icon.text().size(15.0).color(color));
        let width = ui.available_width() - 92.0;
        ui.vertical(|ui| {
            ui.set_width(width);
            ui.add(Label::new(shown_short(&message.text, MAX_SHOWN)).wrap());
        });
        ui.caption(&format::ago(&message.at)).on_hover_text(format::exact(&message.at));
    });
    ui.add_space(SPACE_S / 2.0);
    ui.line();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_notification_comes_first_and_the_oldest_is_dropped() {
        let mut history = NotificationHistory::default();
        (0..=MAX_MESSAGES).for_each(|number| history.note(ToastKind::Done, &format!("said {number}")));
        assert_eq!(history.messages.len(), MAX_MESSAGES);
        assert_eq!(history.messages[0].text, format!("said {MAX_MESSAGES}"));
        assert_eq!(history.messages[MAX_MESSAGES - 1].text, "said 1");
    }
}
