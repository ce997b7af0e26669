//! The token that clients need over HTTP: copied without being drawn, shown on request, made anew, deleted.

use egui::Ui;

use lunette_inspector::action::AssistantsAction;
use lunette_inspector::assistants::Token;
use lunette_inspector::settings::Target;
use lunette_inspector::{Action, State};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::{progress, shown_short};

/// Whether the token is drawn in full.
#[derive(Default)]
pub(super) struct TokenView {
    shown: bool,
}

impl TokenView {
    /// Draws the address and the token.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        ui.section_title("Over HTTP");
        address_ui(ui, state, actions);
        let token = &state.assistants.token;
        if let Some(problem) = token.error() {
            ui.error_text(problem);
        }
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            if token.loading() {
                progress(ui, "Reading the token", None, 80.0);
            }
            self.token_ui(ui, token.value().and_then(Option::as_ref), actions);
        });
    }

    fn token_ui(&mut self, ui: &mut Ui, token: Option<&Token>, actions: &mut Vec<Action>) {
        let text = token.map(Token::text);
        let drawn = match (text, self.shown) {
            (Some(text), true) => Some(text.to_owned()),
            (Some(_), false) => token.map(Token::masked),
            (None, _) => None,
        };
        match &drawn {
            Some(drawn) => _ = ui.code_text(drawn).accessible_name(format!("Token {drawn}")),
            None => _ = ui.muted("There is no token, so no client is accepted over HTTP."),
        }
        let none = text.is_none().then_some("There is no token");
        let copy = |ui: &mut Ui| ui.icon_text_button(Icon::COPY, "Copy the token");
        if enabled_unless(ui, none, copy).clicked()
            && let Some(text) = text
        {
            ui.ctx().copy_text(text.to_owned());
            actions.push(Action::Notify("Copied the token".to_owned()));
        }
        if text.is_some() {
            let (icon, title) =
                if self.shown { (Icon::HIDDEN, "Hide the token") } else { (Icon::SHOWN, "Show the token") };
            if ui.icon_text_button(icon, title).clicked() {
                self.shown = !self.shown;
            }
        }
        let title = if text.is_some() { "Make a new token…" } else { "Make a token" };
        if ui.button(title).clicked() {
            actions.push(AssistantsAction::RenewToken.into());
        }
        if text.is_some()
            && ui.button("Delete the token").on_hover_text("Then no client is accepted over HTTP").clicked()
        {
            actions.push(AssistantsAction::RevokeToken.into());
        }
    }
}

/// Draws the address at which the built-in service answers clients.
fn address_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let address = state.connection.address.as_deref().filter(|_| state.connection.target == Target::Embedded);
    let Some(address) = address else {
        ui.caption("The built-in service answers clients over HTTP; this window uses another service.");
        return;
    };
    let url = format!("{}/mcp", address.trim_end_matches('/'));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        ui.code_text(&shown_short(&url, 120));
        if ui.icon_button(Icon::COPY, "Copy the address").clicked() {
            ui.ctx().copy_text(url.clone());
            actions.push(Action::Notify("Copied the address".to_owned()));
        }
    });
}
