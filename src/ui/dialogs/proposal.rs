//! A proposal of an assistant: who made it and why, each change with its requests and whether it can be undone, and
//! what became of it.
//!
//! What must hold: what is applied is what is shown, and nothing is sent except by the one button, whose label says how
//! many changes it applies; the reason that an assistant gives is drawn as data, under a caption that says whose it is.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Context, Frame, Margin, ScrollArea, Ui};

use lunette_client::model::display::{Breaks, display_text};
use lunette_inspector::action::ProposalsAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::proposals::window::{Doing, OpenProposal};
use lunette_inspector::proposals::{Applied, Proposal, Selection, Status};
use lunette_inspector::{Action, State};

use super::parts::{self, FirstFocus, confirm_button};
use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::format;
use crate::ui::panels::proposals::{BUSY, sign, undo_obstacle};
use crate::ui::theme::{Icon, SPACE_S, SPACE_XS, UiExt as _, control};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{confirm_key, dialog_with_changes, grouped, plural, progress, shown_short};

mod change;
mod changes;

use change::ChangeView;
use changes::ChangeList;

/// Width of the dialog, in points.
const WIDTH: f32 = 1_120.0;
/// The part of the height that the list of changes has at least.
const LIST_SHARE: f32 = 0.42;
/// Height of a change that has fields and no text, in points.
const FIELDS_HEIGHT: f32 = 240.0;
/// Height of the words of the assistant, and of the problems, in points.
const WORDS: f32 = 72.0;
/// The most characters of a reply to the assistant.
const LONGEST_REPLY: usize = 500;

/// What is said where the outcome of changes is unknown.
const UNKNOWN: &str = "Unknown: the service did not say whether these changes were made, and reading the assets did \
                       not show it. Check the assets named below, and their steps in History. Nothing is sent again \
                       automatically.";

/// The dialog, and what is chosen and typed in it.
#[derive(Default)]
pub(in crate::ui) struct ProposalDialog {
    /// The number of the open proposal.
    open: Option<u64>,
    /// The changes that are left out, by their indices.
    left_out: BTreeSet<usize>,
    reply: String,
    changes: ChangeList,
    change: ChangeView,
    focus: FirstFocus,
    /// The proposal that was drawn in the last frame.
    drawn: Option<Arc<Proposal>>,
}

impl ProposalDialog {
    /// Draws the open proposal, if there is one.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let Some(open) = &state.proposals.open else {
            if self.open.is_some() {
                *self = Self::default();
            }
            return;
        };
        if self.open != Some(open.number) {
            *self = Self { open: Some(open.number), ..Self::default() };
        }
        let title = match state.proposals.shown() {
            Some(proposal) => format!("Proposal {}: {}", open.number, shown_short(&proposal.title, 70)),
            None => format!("Proposal {}", open.number),
        };
        let (close, outside) = dialog_with_changes(ctx, "proposal", &title, WIDTH, |ui| {
            let confirmed = confirm_key(ui);
            let close = self.contents_ui(ui, open, (state, confirmed), actions);
            (close, !self.reply.trim().is_empty() || !self.left_out.is_empty())
        });
        if close || outside {
            actions.push(ProposalsAction::Open(None).into());
        }
    }

    /// Draws everything below the title; returns whether to close it.
    fn contents_ui(
        &mut self,
        ui: &mut Ui,
        open: &OpenProposal,
        (state, confirmed): (&State, bool),
        actions: &mut Vec<Action>,
    ) -> bool {
        ui.spacing_mut().item_spacing.y = SPACE_S;
        if let Some(problem) = &open.problem {
            ui.error_text(problem);
        }
        let proposal = match (open.proposal.value(), open.proposal.error()) {
            (Some(proposal), _) => Arc::clone(proposal),
            (None, Some(problem)) => {
                ui.error_text(problem);
                return unread_footer_ui(ui, open.number, actions);
            }
            (None, None) => {
                skeleton(ui, "the proposal", 6);
                return unread_footer_ui(ui, open.number, actions);
            }
        };
        self.renew(&proposal);
        head_ui(ui, &proposal);
        let below = control(ui) * 2.0 + SPACE_S * 4.0;
        let height = (ui.ctx().content_rect().height() - ui.min_rect().height() - below - 90.0).max(150.0);
        self.body_ui(ui, &proposal, (state, height), actions);
        self.footer_ui(ui, &proposal, (state, confirmed), actions)
    }

    /// Begins anew with a proposal that the user has not seen.
    fn renew(&mut self, proposal: &Arc<Proposal>) {
        let same = self.drawn.as_ref().is_some_and(|drawn| drawn.is_as_shown(proposal));
        if !same {
            self.left_out.clear();
            self.focus.begin();
        }
        self.drawn = Some(Arc::clone(proposal));
    }

    fn body_ui(
        &mut self,
        ui: &mut Ui,
        proposal: &Arc<Proposal>,
        (state, height): (&State, f32),
        actions: &mut Vec<Action>,
    ) {
        match proposal.changes.len() {
            0 => match proposal.undoes {
                Some(undoes) => _ = ui.label(format!("It undoes what proposal {undoes} changed.")),
                None => _ = ui.muted("It has no changes."),
            },
            1 => self.change.ui(ui, proposal, 0, height),
            _ => {
                let of_list = match proposal.changes.iter().any(change::has_text) {
                    true => height * LIST_SHARE,
                    false => (height * LIST_SHARE).max(height - FIELDS_HEIGHT),
                };
                let list = self.changes.ui(ui, state, (&proposal.status, of_list), &mut self.left_out, actions);
                self.change.ui(ui, proposal, self.changes.shown(), (height - list).max(90.0));
            }
        }
    }

    /// Draws the buttons; returns whether to close the dialog.
    fn footer_ui(
        &mut self,
        ui: &mut Ui,
        proposal: &Arc<Proposal>,
        (state, confirmed): (&State, bool),
        actions: &mut Vec<Action>,
    ) -> bool {
        let busy = state.proposals.is_busy().then_some(BUSY);
        let Self { reply, left_out, focus, .. } = self;
        let left = |ui: &mut Ui, actions: &mut Vec<Action>| {
            if proposal.is_waiting() {
                decline_ui(ui, proposal, (reply, busy), actions);
            }
        };
        parts::footer_ui(ui, "proposal buttons", actions, left, |ui, actions| {
            match (&proposal.status, state.proposals.row(proposal.number)) {
                (Status::Waiting, _) => {
                    let chosen = Chosen { left_out, busy, confirmed };
                    apply_ui(ui, proposal, &chosen, state, actions);
                }
                (_, Some(row)) if row.can_be_undone() => {
                    let obstacle = undo_obstacle(state, row);
                    let button = |ui: &mut Ui| ui.icon_text_button(Icon::UNDO, "Undo");
                    if enabled_unless(ui, obstacle.as_deref(), button).clicked() {
                        actions.push(ProposalsAction::Undo(proposal.number).into());
                    }
                }
                _ => {}
            }
            let close = ui.button("Close");
            focus.keep_on(&close);
            doing_ui(ui, state);
            close.clicked()
        })
    }
}

/// What is applied, and what the button depends on.
struct Chosen<'a> {
    left_out: &'a BTreeSet<usize>,
    busy: Option<&'a str>,
    /// Whether the key that confirms was pressed.
    confirmed: bool,
}

fn apply_ui(ui: &mut Ui, proposal: &Arc<Proposal>, chosen: &Chosen<'_>, state: &State, actions: &mut Vec<Action>) {
    let all = proposal.changes.len();
    let count = all - chosen.left_out.len();
    let label = match (all, chosen.left_out.is_empty()) {
        (0 | 1, _) => "Apply".to_owned(),
        (_, true) => format!("Apply {}", plural(all, "change")),
        (_, false) => format!("Apply {} of {}", grouped(count as u64), plural(all, "change")),
    };
    let none = (all > 0 && count == 0).then(|| "Every change is left out".to_owned());
    let why_not = disabled_reason(state, Capability::Edit).or(chosen.busy.map(str::to_owned)).or(none);
    if confirm_button(ui, why_not.as_deref(), chosen.confirmed, |ui| ui.primary_button(&label)) {
        let selection = match chosen.left_out.is_empty() {
            true => Selection::All,
            false => Selection::Some((0..all).filter(|index| !chosen.left_out.contains(index)).collect()),
        };
        actions.push(ProposalsAction::Apply(Arc::clone(proposal), selection).into());
    }
}

fn decline_ui(ui: &mut Ui, proposal: &Proposal, (reply, busy): (&mut String, Option<&str>), actions: &mut Vec<Action>) {
    let width = (ui.available_width() * 0.34).clamp(140.0, 320.0);
    let size = egui::vec2(width, control(ui));
    let field = TextField::new("Reply to the assistant").label_hidden().hint("Reply (optional)").width(width);
    ui.allocate_ui(size, |ui| field.limit(LONGEST_REPLY).show(ui, reply));
    if enabled_unless(ui, busy, |ui| ui.button("Decline")).clicked() {
        actions.push(ProposalsAction::Decline(proposal.number, reply.clone()).into());
    }
}

fn doing_ui(ui: &mut Ui, state: &State) {
    let (text, name) = match state.proposals.doing {
        Some((Doing::Applying, _)) => ("Applying…", "Applying the proposal"),
        Some((Doing::Declining, _)) => ("Declining…", "Declining the proposal"),
        Some((Doing::Undoing, _)) => ("Undoing…", "Undoing"),
        None => return,
    };
    ui.caption(text);
    progress(ui, name, None, 80.0);
}

/// Draws the button of a dialog whose proposal was not read; returns whether to close it.
fn unread_footer_ui(ui: &mut Ui, number: u64, actions: &mut Vec<Action>) -> bool {
    parts::footer_ui(
        ui,
        "proposal buttons",
        actions,
        |_, _| {},
        |ui, actions| {
            if ui.button("Try again").clicked() {
                actions.push(ProposalsAction::Open(Some(number)).into());
            }
            ui.button("Close").clicked()
        },
    )
}

/// Draws who made it, when, why, and how it stands.
fn head_ui(ui: &mut Ui, proposal: &Proposal) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        ui.muted("Asked by");
        ui.strong(shown_short(&proposal.client, 80));
        ui.muted(&format!("· {}", format::ago(&proposal.at))).on_hover_text(format::exact(&proposal.at));
        let (icon, color) = sign(&proposal.status, ui.tokens());
        ui.decoration(icon.text().color(color));
        ui.colored_label(color, proposal.status.as_str());
    });
    if !proposal.reason.trim().is_empty() {
        words_ui(ui, "Reason given by the assistant:", &proposal.reason);
    }
    match &proposal.status {
        Status::Declined(reply) if !reply.is_empty() => words_ui(ui, "Your reply to the assistant:", reply),
        Status::Applied(applied) => applied_ui(ui, applied),
        Status::Sending => {
            _ = ui.muted(
                "It is being applied. If the program that was applying it has ended, History shows what was sent.",
            )
        }
        _ => {}
    }
}

/// Draws the words of somebody, which are data: hidden and bidirectional signs are written out, and lines are kept.
fn words_ui(ui: &mut Ui, caption: &str, words: &str) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = SPACE_XS;
        ui.caption(caption);
        let frame = Frame::new().fill(ui.tokens().panel).corner_radius(4.0).inner_margin(Margin::symmetric(8, 4));
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            let area = ScrollArea::vertical().id_salt(caption).max_height(WORDS).auto_shrink([false, true]);
            area.show(ui, |ui| ui.add(egui::Label::new(display_text(words, Breaks::Kept)).wrap()));
        });
    });
}

/// Draws what became of the changes.
fn applied_ui(ui: &mut Ui, applied: &Applied) {
    let Applied { unknown, problems, .. } = applied;
    ui.label(applied.summary());
    if *unknown > 0 {
        ui.caption(UNKNOWN);
    }
    if problems.is_empty() {
        return;
    }
    let area = ScrollArea::vertical().id_salt("problems").max_height(WORDS).auto_shrink([false, true]);
    area.show(ui, |ui| {
        for problem in problems {
            ui.warning_text(&shown_short(problem, 600));
        }
    });
}
