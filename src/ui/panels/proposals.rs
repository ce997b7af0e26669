//! What assistants proposed: each with who asked for it, how many changes it has, and how it stands. A proposal is
//! opened as a dialog, which applies, declines or undoes it.
//!
//! What must hold: the names and words of assistants are drawn as data; the list costs what is visible of it.

use egui::{CentralPanel, Color32, Frame, Margin, Ui};

use lunette_inspector::action::{AssistantsAction, NavigationAction, ProposalsAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::filter::{Field, Filter};
use lunette_inspector::panel::Panel;
use lunette_inspector::proposals::Status;
use lunette_inspector::proposals::window::{ProposalRow, ProposalsPage};
use lunette_inspector::{Action, State};

use crate::ui::disabled_reason::disabled_reason;
use crate::ui::focus::{Region, region};
use crate::ui::list::cells;
use crate::ui::list::list_view::{ListFrame, ListRow, ListView, RowPainter};
use crate::ui::list::states::ListTexts;
use crate::ui::theme::{Icon, SPACE_M, Tokens, UiExt as _};
use crate::ui::widgets::context_menu::Entry;
use crate::ui::widgets::placeholder::empty;
use crate::ui::widgets::{grouped, plural, shown_short};

/// The texts of the list.
const TEXTS: ListTexts = ListTexts {
    heading: "Proposals",
    table: "Proposals",
    reload: || Action::Refresh(Panel::Proposals),
    refresh: None,
    select: None,
    rows: "proposals",
    noun: "proposals",
    icon: Icon::EMPTY,
    empty_title: "No proposals",
    empty_hint: "A connected assistant can read everything, but changes nothing by itself: what it proposes waits here \
                 until you apply or decline it. Connect one with “lunette mcp --install claude”, or with vscode, \
                 cursor, zed, codex or gemini instead of claude. Any other client runs “lunette mcp”.",
};

/// The panel.
pub struct ProposalsPanel {
    list: ListView<ProposalRow>,
}

impl Default for ProposalsPanel {
    fn default() -> Self {
        Self { list: ListView::new("Filter proposals") }
    }
}

impl ProposalsPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let frame = Frame::new().inner_margin(Margin { left: 14, right: 12, top: 12, bottom: 8 });
        CentralPanel::default().frame(frame).show(ui, |ui| {
            region(ui, Region::List, |ui| self.list_ui(ui, state, actions));
        });
    }

    /// Lists the proposals of an assistant.
    pub fn show_of(&mut self, client: &str, actions: &mut Vec<Action>) {
        actions.push(NavigationAction::Show(Panel::Proposals).into());
        self.list.filter.set_filter(&Filter::of(Field::Client, client), actions);
    }

    fn list_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let page = &state.proposals;
        let columns = cells::columns::<ProposalRow>(ui.available_width());
        let frame = ListFrame { state, list: &page.list, texts: &TEXTS, columns: &columns };
        self.list.head_ui(ui, &frame, actions, |ui, actions| {
            let button = ui.icon_text_button(Icon::CONVERSATION, "Assistants…");
            if button.on_hover_text("What each assistant has read, and what it may do").clicked() {
                actions.push(AssistantsAction::Show(true).into());
            }
        });
        elsewhere_ui(ui, page);
        ui.add_space(SPACE_M);
        let painter = Painter { state };
        if let Some(row) = self.list.in_dialog_ui(ui, &frame, &painter, actions) {
            actions.push(ProposalsAction::Open(Some(row.number)).into());
        }
    }
}

/// Draws how many proposals wait at other connections, which this window cannot apply now.
fn elsewhere_ui(ui: &mut Ui, page: &ProposalsPage) {
    for (connection, waiting) in page.elsewhere.iter().take(3) {
        let name = match connection.as_str() {
            "embedded" => "the built-in service".to_owned(),
            address => shown_short(address, 80).into_owned(),
        };
        let wait = if *waiting == 1 { "is waiting" } else { "are waiting" };
        ui.caption(&format!("{} {wait} at {name}; connect to it to decide", plural(*waiting, "proposal")));
    }
    let more = page.elsewhere.len().saturating_sub(3);
    if more > 0 {
        ui.caption(&format!("Proposals are waiting at {} other connections too", grouped(more as u64)));
    }
}

struct Painter<'a> {
    state: &'a State,
}

impl RowPainter<ProposalRow> for Painter<'_> {
    const SEVERAL: bool = false;

    fn name(&self, row: &ProposalRow) -> String {
        let (title, client) = (shown_short(&row.title, 120), shown_short(&row.client, 80));
        format!("Proposal {}: {title}, asked by {client}, {}", row.number, row.status.as_str())
    }

    fn cell_ui(&self, ui: &mut Ui, row: ListRow<'_, ProposalRow>, key: &str, _: &mut Vec<Action>) -> bool {
        match key {
            "what" => _ = ui.label(shown_short(&row.title, 120)).on_hover_text(shown_short(&row.title, 2_000)),
            "state" => {
                let (icon, color) = sign(&row.status, ui.tokens());
                ui.decoration(icon.text().color(color));
                ui.colored_label(color, row.status.as_str());
            }
            _ => return false,
        }
        true
    }

    fn menu_ui(&self, ui: &mut Ui, row: ListRow<'_, ProposalRow>, actions: &mut Vec<Action>) {
        if Entry::new(Icon::SHOWN, "Show…").show(ui) {
            actions.push(ProposalsAction::Open(Some(row.number)).into());
        }
        let busy = self.state.proposals.is_busy().then(|| BUSY.to_owned());
        let decided = (!row.is_waiting()).then(|| format!("It is {}", row.status.as_str()));
        let decline = Entry::new(Icon::CLOSE, "Decline").disabled_reason(decided.as_deref().or(busy.as_deref()));
        if decline.show(ui) {
            actions.push(ProposalsAction::Decline(row.number, String::new()).into());
        }
        let not_undone = undo_obstacle(self.state, &row);
        if Entry::new(Icon::UNDO, "Undo").disabled_reason(not_undone.as_deref()).show(ui) {
            actions.push(ProposalsAction::Undo(row.number).into());
        }
    }

    fn follows(&self) -> bool {
        false
    }

    fn empty_ui(&self, ui: &mut Ui, texts: &ListTexts, actions: &mut Vec<Action>) {
        if empty(ui, texts.icon, texts.empty_title, texts.empty_hint, &["Assistants…"]).is_some() {
            actions.push(AssistantsAction::Show(true).into());
        }
    }
}

/// Why nothing else can be decided at the moment.
pub(in crate::ui) const BUSY: &str = "Another decision is under way";

/// Returns why a proposal cannot be undone.
pub(in crate::ui) fn undo_obstacle(state: &State, row: &ProposalRow) -> Option<String> {
    if !row.can_be_undone() {
        return Some("It changed nothing that can be undone".to_owned());
    }
    disabled_reason(state, Capability::Edit).or_else(|| state.proposals.is_busy().then(|| BUSY.to_owned()))
}

/// Returns the icon and the colour of a status; the colour alone says nothing that the icon and the word do not.
pub(in crate::ui) fn sign(status: &Status, tokens: &Tokens) -> (Icon, Color32) {
    match (status, status.as_str()) {
        (Status::Waiting, _) => (Icon::PENDING, tokens.accent),
        (Status::Sending, _) => (Icon::SEND, tokens.accent),
        (Status::Applied(_), "applied") => (Icon::DONE, tokens.ok),
        (Status::Applied(_), "failed") => (Icon::ERROR, tokens.error),
        (Status::Applied(_), "partly undone") => (Icon::UNDO, tokens.warning),
        (Status::Applied(_), "unknown") => (Icon::UNKNOWN, tokens.warning),
        (Status::Applied(_), _) => (Icon::WARNING, tokens.warning),
        (Status::Declined(_), _) => (Icon::CLOSE, tokens.muted),
        (Status::Withdrawn, _) => (Icon::BACK, tokens.muted),
        (Status::Undone, _) => (Icon::UNDO, tokens.muted),
    }
}
