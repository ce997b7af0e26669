//! The top of the page: the service, how far it is, and what can be done next.

use egui::{Label, Ui, vec2};

use lunette_inspector::action::{RescueAction, SessionAction};
use lunette_inspector::notifications::Topic;
use lunette_inspector::rescue::window::{Rescue, Shown, Stage};
use lunette_inspector::rescue::{Phase, Progress};
use lunette_inspector::settings::Target;
use lunette_inspector::{Action, Address, Remote, State};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::focus;
use crate::ui::notifications::reported;
use crate::ui::theme::{Icon, SPACE_S, SPACE_XS, UiExt as _, control};
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{grouped, plural, progress, shown_short};

/// What it does.
const INTRODUCTION: &str = "Reads everything that a service has, stores it in the built-in service with the same ids, and proves it \
     with a receipt. Nothing is written to the other service. It goes on wherever it was interrupted.";
/// What is not stored as the service says it.
const SCORES: &str = "The scores “manual” and “automatic” become the sums of the activities that are received. Where the service \
     says something else, the receipt says so.";
/// Width of the button beside the address, in points.
const BUTTON: f32 = 78.0;

/// What is typed.
#[derive(Default)]
pub(super) struct Head {
    address: String,
    /// Whether the address was taken from the connection.
    filled: bool,
}

impl Head {
    /// Draws it.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let rescue = &state.rescue;
        ui.title("Rescue everything from a service");
        if let Some(from) = &rescue.from {
            ui.caption(&format!("from {}", shown_short(&from.to_string(), 120)));
        }
        ui.add_space(SPACE_XS);
        match &rescue.stage {
            Stage::Idle => self.form_ui(ui, state, actions),
            Stage::Counting => running_ui(ui, rescue, "Counting what there is", actions),
            Stage::Counted => counted_ui(ui, rescue, actions),
            Stage::Running => running_ui(ui, rescue, "Starting", actions),
            Stage::Paused => {
                ui.label(format!("Paused. {}", received(rescue)));
                go_on_ui(ui, "Resume", actions);
            }
            Stage::Interrupted(why) => {
                reported(&ui.error_text(&format!("Interrupted: {why}")), Topic::Rescue);
                ui.muted(&received(rescue));
                go_on_ui(ui, "Go on", actions);
            }
            Stage::Ended => ended_ui(ui, rescue, actions),
        }
    }

    /// Draws the address and the services that were found.
    fn form_ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        if matches!(state.connection.probes, Remote::NotRequested) {
            actions.push(SessionAction::Discover.into());
        }
        if !self.filled {
            self.filled = true;
            if let Target::Url(url) = &state.connection.target {
                self.address.clone_from(url);
            }
        }
        ui.add(Label::new(INTRODUCTION).wrap());
        ui.add_space(SPACE_S);
        let parsed = self.address.trim().parse::<Address>();
        let mut chosen = None;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            let width = (ui.available_width() - BUTTON - SPACE_S).min(480.0);
            let field = TextField::new("Address of the service").label_hidden().hint("http://127.0.0.1:39300").mono();
            let field = field.width(width);
            let typed = ui.allocate_ui(vec2(width, control(ui)), |ui| field.show(ui, &mut self.address)).inner;
            focus::register_list(ui.ctx(), typed.response.id);
            let why_not = parsed.is_err().then_some("Type the address of a service first");
            let button = |ui: &mut Ui| ui.primary_button("Count");
            if enabled_unless(ui, why_not, button).clicked() || typed.submitted {
                chosen = parsed.as_ref().ok().cloned();
            }
        });
        match &parsed {
            Err(error) if !self.address.trim().is_empty() => drop(ui.error_text(&error.to_string())),
            _ => drop(ui.caption("Its lists are read first, which says how much there is of each kind.")),
        }
        chosen = chosen.or_else(|| found_ui(ui, state));
        if let Some(address) = chosen {
            self.address = address.to_string();
            actions.push(RescueAction::Count(address).into());
        }
    }
}

/// Draws the services that were found on this machine, but for the built-in one; returns the chosen one.
fn found_ui(ui: &mut Ui, state: &State) -> Option<Address> {
    let own = state.connection.address.as_deref().filter(|_| state.connection.target == Target::Embedded);
    let probes = state.connection.probes.value()?;
    let found = probes.iter().filter(|probe| probe.result.is_ok()).map(|probe| &probe.address);
    let others: Vec<&Address> =
        found.filter(|address| own.is_none_or(|own| own.trim_end_matches('/') != address.to_string())).collect();
    let mut chosen = None;
    if !others.is_empty() {
        ui.section_title("On this machine");
    }
    for address in others {
        if ui.line_button(&format!("Count what {address} has")).clicked() {
            chosen = Some(address.clone());
        }
    }
    chosen
}

fn counted_ui(ui: &mut Ui, rescue: &Rescue, actions: &mut Vec<Action>) {
    let (named, received) = rescue.total();
    let kinds = rescue.counts.values().filter(|count| count.named > 0).count();
    if named == 0 {
        ui.label("This service has nothing to rescue.");
    } else {
        let new = named - received;
        ui.label(format!(
            "{} of {}, {} still to be read.",
            plural(named, "record"),
            plural(kinds, "kind"),
            grouped(new as u64)
        ));
    }
    ui.caption(SCORES);
    ui.horizontal(|ui| {
        let nothing = (named == 0).then_some("There is nothing to read");
        if enabled_unless(ui, nothing, |ui| ui.primary_button("Start")).clicked() {
            actions.push(RescueAction::Start.into());
        }
        cancel_ui(ui, actions);
    });
}

fn running_ui(ui: &mut Ui, rescue: &Rescue, otherwise: &str, actions: &mut Vec<Action>) {
    let text = rescue.progress.map_or_else(|| format!("{otherwise}…"), doing);
    let stopping = rescue.is_stopping();
    ui.label(if stopping { "Stopping after the call under way…".to_owned() } else { text.clone() });
    let done = rescue.progress.filter(|progress| progress.named > 0);
    let done = done.map(|progress| progress.done as f32 / progress.named as f32);
    progress(ui, &text, done, ui.available_width().min(480.0));
    ui.add_space(SPACE_XS);
    ui.horizontal(|ui| {
        let why_not = stopping.then_some("It stops already");
        if enabled_unless(ui, why_not, |ui| ui.icon_text_button(Icon::PAUSE, "Pause")).clicked() {
            actions.push(RescueAction::Pause.into());
        }
        cancel_ui(ui, actions);
    });
}

fn doing(progress: Progress) -> String {
    let Progress { phase, kind, done, named } = progress;
    let what = match phase {
        Phase::Reading => "Reading",
        Phase::Storing => "Storing",
        Phase::Linking => "Linking",
        Phase::Comparing => "Reading back",
    };
    match named {
        0 => format!("{what} {}", kind.name()),
        named => format!("{what} {}: {} of {}", kind.name(), grouped(done as u64), grouped(named as u64)),
    }
}

fn received(rescue: &Rescue) -> String {
    let (named, received) = rescue.total();
    format!("{} of {} records were received and are kept.", grouped(received as u64), grouped(named as u64))
}

fn go_on_ui(ui: &mut Ui, button: &str, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        if ui.primary_button(button).clicked() {
            actions.push(RescueAction::Start.into());
        }
        cancel_ui(ui, actions);
    });
}

fn cancel_ui(ui: &mut Ui, actions: &mut Vec<Action>) {
    if ui.button("Cancel").on_hover_text("Goes back; what was received is kept on the disk").clicked() {
        actions.push(RescueAction::Cancel.into());
    }
}

/// How many records are kept as they were received, and not stored.
fn kept_of(rescue: &Rescue) -> usize {
    let kinds = rescue.receipt.iter().flat_map(|receipt| &receipt.kinds);
    kinds.filter(|kind| kind.stored.is_none()).map(|kind| kind.received).sum()
}

fn ended_ui(ui: &mut Ui, rescue: &Rescue, actions: &mut Vec<Action>) {
    let (missing, stored_as) = rescue.receipt.as_ref().map_or((0, 0), |receipt| {
        (receipt.missing(), receipt.kinds.iter().map(|kind| kind.stored_as.len() as u64).sum())
    });
    ui.horizontal_wrapped(|ui| result_ui(ui, rescue, missing as u64));
    if stored_as > 0 {
        ui.caption(&format!(
            "{} were here before under another id, and are linked in place of theirs.",
            grouped(stored_as)
        ));
    }
    ui.horizontal_wrapped(|ui| {
        if ui.primary_button("Open receipt").on_hover_text("A page that says it of every kind, with hashes").clicked() {
            actions.push(RescueAction::OpenReceipt.into());
        }
        if missing > 0 && ui.button("Show what is missing or differs").clicked() {
            actions.push(RescueAction::Show(Some(Shown::Missing)).into());
        }
        if ui
            .icon_text_button(Icon::REFRESH, "Run again")
            .on_hover_text("Reads what is new, missing or changed")
            .clicked()
        {
            actions.push(RescueAction::Start.into());
        }
        if ui.button("Another service…").clicked() {
            actions.push(RescueAction::Cancel.into());
        }
    });
}

/// Whether all records are here.
fn result_ui(ui: &mut Ui, rescue: &Rescue, missing: u64) {
    let (named, _) = rescue.total();
    let named = grouped(named as u64);
    if missing > 0 {
        let text = format!("{} of {named} are missing or differ.", grouped(missing));
        reported(&ui.warning_text(&text), Topic::Rescue);
        return;
    }
    ui.decoration(Icon::DONE.text().color(ui.tokens().ok));
    let text = match kept_of(rescue) {
        0 => format!("All {named} records are here, and were read back."),
        kept => {
            let kept = grouped(kept as u64);
            format!("All {named} records are here: what is stored was read back, {kept} are kept as received.")
        }
    };
    reported(&ui.strong(text), Topic::Rescue);
}
