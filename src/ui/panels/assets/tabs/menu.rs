//! The context menus of the rows of the tabs: formats and conversations.

use serde_json::Value;

use crate::ui::list::copy_as;
use crate::ui::theme::Icon;
use crate::ui::widgets::context_menu::{entry, separator};
use crate::ui::widgets::row_list::RowListResponse;
use crate::ui::widgets::shown_short;
use lunette_client::model::asset::Format;
use lunette_client::model::conversation::Conversation;
use lunette_client::model::record::{Record as _, View};
use lunette_inspector::Action;
use lunette_inspector::assets::content;
use lunette_inspector::assets::page::Content;

use super::super::frame::AssetFrame;
use super::{conversation_name, format_name};

/// Draws the menu of a format; returns whether the record is to be shown.
pub(super) fn format_ui(drawn: &RowListResponse, trees: &[Value], frame: &mut AssetFrame<'_>) -> bool {
    let Some(tree) = trees.get(drawn.row) else { return false };
    let format: View<'_, Format> = View::of(tree);
    let record = frame.page.record.value();
    let original = record.and_then(|asset| content::original(asset.view())).map(|format| format.id());
    let text = match frame.page.content.value() {
        Some(Content::Text(text)) if original == Some(format.id()) => Some(text),
        _ => None,
    };
    let name = format!("Menu of {}", format_name(format));
    let shows_record = drawn.menu(&name, |ui| {
        let shows_record = entry(ui, Icon::RECORD, "Show the record");
        separator(ui);
        if let Some(text) = text
            && entry(ui, Icon::COPY, "Copy text")
        {
            ui.ctx().copy_text(text.to_string());
            frame.notify("Copied the text");
        }
        copy_as::entry_ui(ui, "language", Some(&format.classification().specific().to_owned()), frame.actions);
        copy_as::entry_ui(ui, "id", Some(&format.id().to_owned()), frame.actions);
        copy_as::json_entry_ui(ui, "format", || tree.clone(), frame.actions);
        shows_record
    });
    shows_record.unwrap_or_default()
}

/// Draws the menu of a conversation.
pub(super) fn conversation_ui(drawn: &RowListResponse, trees: &[Value], actions: &mut Vec<Action>) {
    let Some(tree) = trees.get(drawn.row) else { return };
    let conversation: View<'_, Conversation> = View::of(tree);
    drawn.menu(&format!("Menu of {}", shown_short(&conversation_name(conversation), 80)), |ui| {
        copy_as::entry_ui(ui, "name", conversation.name().map(str::to_owned).as_ref(), actions);
        copy_as::entry_ui(ui, "id", Some(&conversation.id().to_owned()), actions);
        copy_as::json_entry_ui(ui, "conversation", || tree.clone(), actions);
    });
}
