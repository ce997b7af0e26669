//! The assistants that used this program: what each read and did, what it may do, and the token that clients need over
//! HTTP.
//!
//! What must hold: the names of assistants are drawn as data; the token is drawn in full only where that is asked for.

use egui::{Context, Ui};

use lunette_inspector::action::{AssistantsAction, ProposalsAction};
use lunette_inspector::assistants::Assistant;
use lunette_inspector::assistants::window::{AssistantRow, Decision};
use lunette_inspector::capability::Capability;
use lunette_inspector::{Action, State};

use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::list::cells;
use crate::ui::list::list_view::{ListFrame, ListRow, ListView, RowPainter};
use crate::ui::list::states::ListTexts;
use crate::ui::panels::proposals::BUSY;
use crate::ui::theme::{self, Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::Entry;
use crate::ui::widgets::placeholder::empty;
use crate::ui::widgets::{buttons, dialog, plural, shown_short};

mod token;

use token::TokenView;

/// Width of the dialog, in points.
const WIDTH: f32 = 860.0;
/// What the dialog needs of the window's height besides the rows, in points.
const RESERVED_HEIGHT: f32 = 470.0;

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "Assistants",
    table: "Assistants",
    reload: || AssistantsAction::Reload.into(),
    refresh: None,
    select: None,
    rows: "assistants",
    noun: "assistants",
    icon: Icon::CONVERSATION,
    empty_title: "No assistant has called yet",
    empty_hint: "“lunette mcp --install claude” adds Lunette to the settings of a client; vscode, cursor, zed, codex and \
                 gemini work in the same way. Over HTTP, a client needs the address and the token below.",
};

/// The dialog, and what is chosen in it.
pub(in crate::ui) struct AssistantsDialog {
    list: ListView<AssistantRow>,
    chosen: Option<String>,
    token: TokenView,
}

impl Default for AssistantsDialog {
    fn default() -> Self {
        Self { list: ListView::new("Filter assistants"), chosen: None, token: TokenView::default() }
    }
}

impl AssistantsDialog {
    /// Draws the dialog if it is open; returns the assistant whose proposals are to be listed.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) -> Option<String> {
        if !state.assistants.open {
            self.token = TokenView::default();
            return None;
        }
        let mut listed = None;
        let (close, outside) = dialog(ctx, "assistants", "Assistants", WIDTH, |ui| {
            ui.caption(
                "Each assistant is known by the name that it gives itself. It can read and propose; you decide. It can \
                 neither see nor change what is recorded here.",
            );
            self.rows_ui(ui, state, actions);
            let chosen = self.chosen.as_ref().and_then(|name| state.assistants.row(name));
            let first = || state.assistants.list.shown(0);
            if let Some(row) = chosen.map(|row| &**row).or_else(first) {
                choices_ui(ui, row, actions);
                listed = proposals_ui(ui, row, state, actions).then(|| row.name.clone());
            }
            ui.line();
            self.token.ui(ui, state, actions);
            buttons(ui, |ui| ui.button("Close").clicked())
        });
        if close || outside || listed.is_some() {
            actions.push(AssistantsAction::Show(false).into());
        }
        listed
    }

    fn rows_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let list = &state.assistants.list;
        let columns = cells::columns::<AssistantRow>(ui.available_width());
        let frame = ListFrame { state, list, texts: &TEXTS, columns: &columns };
        if list.count() > 0 {
            self.list.filter.ui(ui, state, f32::INFINITY, "", actions);
            self.list.filter.fault_ui(ui, actions);
        }
        let first = list.shown(0).map(|row| &row.name);
        let chosen = self.chosen.as_ref().filter(|name| state.assistants.row(name).is_some());
        let painter = Painter { state, chosen: chosen.or(first) };
        if let Some(row) = self.list.in_dialog_ui(ui, &frame, &painter, actions) {
            self.chosen = Some(row.name.clone());
        }
    }
}

struct Painter<'a> {
    state: &'a State,
    chosen: Option<&'a String>,
}

impl RowPainter<AssistantRow> for Painter<'_> {
    const SEVERAL: bool = false;

    fn name(&self, row: &AssistantRow) -> String {
        format!("{}, {}", shown_short(&row.name, 120), row.state())
    }

    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, AssistantRow>, key: &str, _: &mut Vec<Action>) -> bool {
        match key {
            "name" => _ = ui.label(shown_short(&row.name, 120)),
            "state" if row.assistant.off => _ = ui.colored_label(ui.tokens().warning, "off"),
            _ => return false,
        }
        true
    }

    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, AssistantRow>, actions: &mut Vec<Action>) {
        let (icon, title) =
            if row.assistant.off { (Icon::START, "Turn on again") } else { (Icon::STOP, "Turn off at once") };
        if Entry::new(icon, title).show(ui) {
            let decision = Decision::Off(!row.assistant.off);
            actions.push(AssistantsAction::Decide(row.name.clone(), decision).into());
        }
        let obstacle = undo_obstacle(self.state);
        let undo = Entry::new(Icon::UNDO, "Undo everything it changed…").disabled_reason(obstacle.as_deref());
        if undo.show(ui) {
            actions.push(ProposalsAction::UndoAll(row.name.clone()).into());
        }
    }

    fn open(&self) -> Option<String> {
        self.chosen.cloned()
    }

    fn most_rows(&self, ui: &Ui) -> Option<usize> {
        let height = ui.ctx().content_rect().height() - RESERVED_HEIGHT;
        Some((height / theme::row(ui)).clamp(2.0, 12.0) as usize)
    }

    fn empty_ui(&self, ui: &mut Ui, texts: &ListTexts, _: &mut Vec<Action>) {
        empty(ui, texts.icon, texts.empty_title, texts.empty_hint, &[]);
    }
}

fn undo_obstacle(state: &State) -> Option<String> {
    disabled_reason(state, Capability::Edit).or_else(|| state.proposals.is_busy().then(|| BUSY.to_owned()))
}

/// Draws what an assistant may do.
fn choices_ui(ui: &mut Ui, row: &AssistantRow, actions: &mut Vec<Action>) {
    let AssistantRow { name, assistant } = row;
    ui.section_title(&shown_short(name, 80));
    let Assistant { off, applies_small, shown_secrets, .. } = *assistant;
    let choices = [
        ("Turned on", "While it is off, all its calls are refused", !off, Decision::Off(!off)),
        (
            "Apply small changes at once",
            "A change of one asset that can be undone is applied without asking, where the connection allows changes",
            applies_small,
            Decision::AppliesSmall(!applies_small),
        ),
        (
            "Show secrets",
            "The assistant sees keys, tokens and passwords; otherwise they are masked",
            shown_secrets,
            Decision::ShownSecrets(!shown_secrets),
        ),
    ];
    ui.horizontal_wrapped(|ui| {
        for (title, meaning, mut chosen, toggled) in choices {
            if theme::checkbox(ui, &mut chosen, title).on_hover_text(meaning).changed() {
                actions.push(AssistantsAction::Decide(name.clone(), toggled).into());
            }
        }
    });
}

/// Draws what an assistant did at this connection; returns whether its proposals are to be listed.
fn proposals_ui(ui: &mut Ui, row: &AssistantRow, state: &State, actions: &mut Vec<Action>) -> bool {
    let name = &row.name;
    let proposals = state.proposals.list.iter().filter(|proposal| proposal.client == *name);
    let (mut all, mut waiting, mut applied) = (0, 0, 0);
    for proposal in proposals {
        all += 1;
        waiting += usize::from(proposal.is_waiting());
        applied += usize::from(proposal.can_be_undone());
    }
    let mut listed = false;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        ui.muted(&format!("At this connection: {}, {waiting} waiting, {applied} applied", plural(all, "proposal")));
        listed = ui.button("Show its proposals").on_hover_text("Each can be undone there").clicked();
        let obstacle = undo_obstacle(state);
        let undo = |ui: &mut Ui| ui.icon_text_button(Icon::UNDO, "Undo everything it changed…");
        if enabled_unless(ui, obstacle.as_deref(), undo).clicked() {
            actions.push(ProposalsAction::UndoAll(name.clone()).into());
        }
    });
    listed
}
