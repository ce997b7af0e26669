//! What was said in the corner since the window opened, for those who looked away.

use std::collections::VecDeque;

use egui::{Context, Label, ScrollArea, Ui};
use jiff::Timestamp;

use crate::app::Action;

use crate::ui::format;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::toast::ToastKind;
use crate::ui::widgets::{buttons, dialog, shown_short};

/// How many are kept; older ones make room.
const MOST: usize = 100;
/// How much of one is drawn, in characters; what is copied is whole.
const LONGEST: usize = 1_000;
/// What the dialog leaves of the window's height, in points.
const AROUND: f32 = 190.0;

struct Message {
    kind: ToastKind,
    text: String,
    /// When it was said, as the interface writes moments.
    at: String,
}

/// The messages, newest first, and whether their list is shown.
#[derive(Default)]
pub(in crate::ui) struct NotificationHistory {
    messages: VecDeque<Message>,
    open: bool,
}

impl NotificationHistory {
    /// Keeps what is said now.
    pub(in crate::ui) fn note(&mut self, kind: ToastKind, text: &str) {
        self.messages.push_front(Message { kind, text: text.to_owned(), at: Timestamp::now().to_string() });
        self.messages.truncate(MOST);
    }

    /// Shows the list.
    pub(in crate::ui) fn open(&mut self) {
        self.open = true;
    }

    /// Draws the list if it is open.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context, actions: &mut Vec<Action>) {
        if !self.open {
            return;
        }
        let height = (ctx.content_rect().height() - AROUND).max(60.0);
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
                    actions.push(Action::Say("Copied the messages".to_owned()));
                }
                close
            })
        });
        self.open &= !(close || left);
    }

    /// All of them, one a line, newest first.
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
        ui.add(Label::new(icon.text().size(15.0).color(color)).selectable(false));
        let width = ui.available_width() - 92.0;
        ui.vertical(|ui| {
            ui.set_width(width);
            ui.add(Label::new(shown_short(&message.text, LONGEST)).wrap());
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
    fn the_newest_message_stands_first_and_the_oldest_goes() {
        let mut history = NotificationHistory::default();
        (0..=MOST).for_each(|number| history.note(ToastKind::Done, &format!("said {number}")));
        assert_eq!(history.messages.len(), MOST);
        assert_eq!(history.messages[0].text, format!("said {MOST}"));
        assert_eq!(history.messages[MOST - 1].text, "said 1");
    }
}
