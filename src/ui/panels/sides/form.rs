//! The two sides that are compared: typed, or chosen from what is known.

use egui::{Ui, vec2};
use lunette_client::model::record::Record as _;

use lunette_inspector::action::{EmbeddedAction, SessionAction, SidesAction, VersionsAction};
use lunette_inspector::compare::Position;
use lunette_inspector::settings::Target;
use lunette_inspector::sides::window::Pick;
use lunette_inspector::{Action, State};

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::focus;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _, control};
use crate::ui::widgets::context_menu::{Entry, separator};
use crate::ui::widgets::shown_short;
use crate::ui::widgets::text_field::TextField;

/// Width of the button beside the fields, and of the menu beside each, in points.
const BUTTON: f32 = 92.0;
const MENU: f32 = 28.0;
/// The width of the panel from which both fields are on one line, in points.
const ONE_LINE: f32 = 440.0;
/// Width of the menu, in points.
const MENU_WIDTH: f32 = 320.0;
/// How many services, checkpoints and backups the menu lists of each.
const LISTED: usize = 6;

/// What is being typed.
#[derive(Default)]
pub(super) struct Form {
    texts: [String; 2],
    number: u64,
    /// Whether what can be chosen was asked for.
    asked: bool,
}

impl Form {
    /// Draws the two sides and the button that compares them.
    pub(super) fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        let page = &state.sides;
        if self.number != page.sources.number {
            self.number = page.sources.number;
            self.texts.clone_from(&page.sources.texts);
        }
        let one_line = ui.available_width() >= ONE_LINE;
        let width = match one_line {
            true => (ui.available_width() - BUTTON - (MENU + SPACE_S) * 2.0 - SPACE_S * 2.0) / 2.0,
            false => ui.available_width() - MENU - SPACE_S,
        };
        let why_not = match self.texts.iter().any(|text| text.trim().is_empty()) {
            _ if page.is_busy() => Some("Something is under way"),
            true => Some("Choose both sides first"),
            false => None,
        };
        let mut submitted = false;
        let content = |ui: &mut Ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            for at in Position::ALL {
                submitted |= ui.horizontal_top(|ui| self.side_ui(ui, at, width, state, actions)).inner;
            }
            enabled_unless(ui, why_not, |ui| ui.primary_button("Compare")).clicked()
        };
        let clicked = match one_line {
            true => ui.horizontal_top(content).inner,
            false => ui.vertical(content).inner,
        };
        if (clicked || submitted) && why_not.is_none() {
            actions.push(SidesAction::Compare(self.texts.clone()).into());
        }
        match &state.connection.target {
            Target::Url(url) => drop(ui.caption(&format!("own is the connected service, {}", shown_short(url, 80)))),
            Target::Copy(copy) => {
                let name = shown_short(&copy.of.name, 80);
                ui.caption(&format!("own is the copy that you work on, original is {name}"));
            }
            Target::Embedded => {}
        }
    }

    /// Draws the field of a side and its menu; returns whether it was submitted.
    fn side_ui(&mut self, ui: &mut Ui, at: Position, width: f32, state: &State, actions: &mut Vec<Action>) -> bool {
        let name = match at {
            Position::Left => "Left side",
            Position::Right => "Right side",
        };
        let problem = state.sides.sources.problems[at.index()].as_deref();
        let first_empty = self.texts.iter().position(|text| text.trim().is_empty());
        let field = TextField::new(name).label_hidden().hint("own, a URL, @yesterday, or a path").mono();
        let field = field.width(width).error(problem);
        let text = &mut self.texts[at.index()];
        let size = vec2(width, control(ui));
        let drawn = ui.allocate_ui(size, |ui| field.show(ui, text)).inner;
        if first_empty == Some(at.index()) {
            // The keyboard begins here; the rows are drawn later and take its place.
            focus::register_list(ui.ctx(), drawn.response.id);
        }
        if drawn.response.changed() {
            actions.push(SidesAction::Typed(at, text.clone()).into());
        }
        if drawn.response.lost_focus() && !drawn.submitted {
            actions.push(SidesAction::Check(at).into());
        }
        let asked = &mut self.asked;
        ui.icon_menu(Icon::MORE, &format!("Choose the {} side", at.as_str()), |ui| {
            ui.set_width(MENU_WIDTH);
            if !std::mem::replace(asked, true) {
                actions.push(SessionAction::Discover.into());
                actions.push(EmbeddedAction::ListBackups.into());
                actions.push(VersionsAction::LoadCheckpoints.into());
            }
            choices_ui(ui, at, state, actions);
        });
        drawn.submitted
    }
}

/// Draws what a side can be.
fn choices_ui(ui: &mut Ui, at: Position, state: &State, actions: &mut Vec<Action>) {
    let chosen = services_ui(ui, state);
    separator(ui);
    let chosen = past_ui(ui, state).or(chosen);
    separator(ui);
    let chosen = backups_ui(ui, state).or(chosen);
    actions.extend(chosen.map(|text| SidesAction::Set(at, text).into()));
    for (icon, title, what) in [
        (Icon::ARCHIVE, "A backup, an archive or a library…", Pick::File),
        (Icon::FOLDER, "A folder of files or of data…", Pick::Folder),
    ] {
        if Entry::new(icon, title).show(ui) {
            actions.push(SidesAction::Pick(at, what).into());
        }
    }
}

/// Draws the services; returns the text of the one that was chosen.
fn services_ui(ui: &mut Ui, state: &State) -> Option<String> {
    let mut chosen = None;
    if Entry::new(Icon::CONNECTION, "This connection").show(ui) {
        chosen = Some("own".to_owned());
    }
    if let Some(copy) = state.connection.target.copy()
        && Entry::new(Icon::COPY, &format!("What this is a copy of: {}", shown_short(&copy.of.name, 40))).show(ui)
    {
        chosen = Some("original".to_owned());
    }
    for (url, name) in services(state) {
        if Entry::new(Icon::CONNECTION, &name).show(ui) {
            chosen = Some(url);
        }
    }
    chosen
}

/// Draws the days and the checkpoints; returns the text of the one that was chosen.
fn past_ui(ui: &mut Ui, state: &State) -> Option<String> {
    let mut chosen = None;
    if Entry::new(Icon::HISTORY, "This connection as of yesterday").show(ui) {
        chosen = Some("@yesterday".to_owned());
    }
    let week = jiff::ZonedDateTime::now().date().saturating_sub(jiff::Span::new().days(7)).to_string();
    if Entry::new(Icon::HISTORY, &format!("This connection as of {week}")).show(ui) {
        chosen = Some(format!("@{week}"));
    }
    if let Some(checkpoints) = state.versions.checkpoints.value() {
        for checkpoint in checkpoints.view().iterable().iter().take(LISTED) {
            let name = checkpoint.name();
            if Entry::new(Icon::HISTORY, &format!("Checkpoint {}", shown_short(name, 40))).show(ui) {
                chosen = Some(format!("@{name}"));
            }
        }
    }
    chosen
}

/// Draws the backups; returns the path of the one that was chosen.
fn backups_ui(ui: &mut Ui, state: &State) -> Option<String> {
    let mut chosen = None;
    for backup in state.embedded.backups.value().into_iter().flat_map(|backups| backups.iter()).take(LISTED) {
        if Entry::new(Icon::SAVE, &format!("Backup of {}", backup.day())).show(ui) {
            chosen = Some(backup.path.display().to_string());
        }
    }
    chosen
}

/// The saved services, then those that were found on this machine, but for the connected one: each with what it is
/// called.
fn services(state: &State) -> Vec<(String, String)> {
    let own = state.connection.address.as_deref().unwrap_or_default();
    let mut services: Vec<(String, String)> = Vec::new();
    let saved = state.preferences.settings.connections.iter().map(|named| {
        let name = if named.is_named() { format!("{}, {}", named.name, named.url) } else { named.url.clone() };
        (named.url.clone(), name)
    });
    let probes = state.connection.probes.value();
    let found = probes.into_iter().flat_map(|probes| probes.iter()).filter(|probe| probe.result.is_ok());
    let found = found.map(|probe| (probe.address.to_string(), format!("{}, found here", probe.address)));
    let same = |one: &str, other: &str| one.trim_end_matches('/') == other.trim_end_matches('/');
    for (url, name) in saved.chain(found) {
        if !same(&url, own) && !services.iter().any(|(known, _)| same(known, &url)) {
            services.push((url, shown_short(&name, 60).into_owned()));
        }
    }
    services.truncate(LISTED);
    services
}
