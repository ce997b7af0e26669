//! The banner shown while the service does not answer: the reason, the age of what is shown, and when the next attempt
//! is made.
//!
//! What must hold: an idle window repaints for this text at most once a second, and less often as the data gets older.

use std::time::Duration;

use egui::{Align, Frame, Layout, Margin, Ui};
use jiff::Timestamp;

use lunette_inspector::action::{EmbeddedAction, SessionAction};
use lunette_inspector::embedded::backups;
use lunette_inspector::session::{Connection, Retry, Status};
use lunette_inspector::settings::Target;
use lunette_inspector::{Action, Owner, Probe, State};

use crate::ui::command::Command;
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::shown;

/// Below this window width, in points, the buttons are shortened so that the banner has room for the reason.
const NARROW: f32 = 1_000.0;

/// Draws the banner; the data read before stays visible below it.
pub(in crate::ui) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Command> {
    let connection = &state.connection;
    let Status::Down(problem) = &connection.status else { return None };
    let tokens = ui.tokens();
    let frame = Frame::new().fill(tokens.raised).inner_margin(Margin::symmetric(12, 6));
    let panel = egui::Panel::top("down").resizable(false).frame(frame);
    let mut request = None;
    panel.show(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Change…").on_hover_text("Choose another service").clicked() {
                request = Some(Command::Connection);
            }
            let damaged = state.embedded.seen.damaged && connection.target == Target::Embedded;
            if damaged {
                damaged_ui(ui, state, actions);
            } else {
                offers_ui(ui, connection, actions);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.decoration(Icon::UNCONNECTED.text().color(tokens.error));
                // Retrying does not repair data, so the time of the next attempt is not shown.
                let (age_and_retry, next) =
                    if damaged { Default::default() } else { age_and_retry(connection, Timestamp::now()) };
                if let Some(next) = next {
                    ui.ctx().request_repaint_after(next);
                }
                if !age_and_retry.is_empty() {
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        ui.muted(&age_and_retry);
                        ui.with_layout(Layout::left_to_right(Align::Center), |ui| problem_ui(ui, problem));
                    });
                } else {
                    problem_ui(ui, problem);
                }
            });
        });
    });
    request
}

fn problem_ui(ui: &mut Ui, problem: &str) {
    let line = format!("Not connected: {}", shown(problem));
    ui.add(egui::Label::new(&line).truncate()).on_hover_text(line);
}

/// Draws the choices for data that cannot be opened: restore the newest backup, or start empty and keep the old data.
fn damaged_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let disabled_reason = state.embedded.obstacle();
    let narrow = ui.ctx().content_rect().width() < NARROW;
    let named = |ui: &mut Ui, short: &str, name: String| {
        let button = ui.button(if narrow { short } else { &name });
        button.accessible_name(name)
    };
    let aside = enabled_unless(ui, disabled_reason, |ui| {
        named(ui, "Start empty…", "Move it aside and start empty…".to_owned())
    });
    if aside.on_hover_text("Nothing is deleted; you are asked first").clicked() {
        actions.push(EmbeddedAction::AskBeginEmpty.into());
    }
    if let Some(newest) = backups::newest(&state.embedded) {
        let name = format!("Restore the backup of {}…", newest.day());
        let restore = enabled_unless(ui, disabled_reason, |ui| named(ui, "Restore…", name));
        if restore.on_hover_text("Nothing is deleted; you are asked first").clicked() {
            actions.push(EmbeddedAction::AskRestore(Box::new(newest.clone())).into());
        }
    }
}

/// Draws what can be done at once: retry, use the service that answers there now, or use the one found elsewhere.
fn offers_ui(ui: &mut Ui, connection: &Connection, actions: &mut Vec<Action>) {
    if connection.other.is_some() {
        if ui.button("Use it").on_hover_text("Connect to this service and discard what is shown now").clicked() {
            actions.push(SessionAction::Adopt.into());
        }
    } else if connection.retry.is_some() || !connection.is_stale() {
        let trying = connection.retry == Some(Retry::Trying);
        if enabled_unless(ui, trying.then_some("Trying now"), |ui| ui.button("Try now")).clicked() {
            actions.push(SessionAction::Reconnect.into());
        }
    }
    if let Some(found) = alternative_service(connection) {
        let address = found.address.to_string();
        let name = format!("Use {}", address.trim_start_matches("http://"));
        if ui.button(name).on_hover_text(found.status().name()).clicked() {
            actions.push(SessionAction::Connect(Target::Url(address)).into());
        }
    }
}

/// Returns a service that was found while the intended one has never answered.
fn alternative_service(connection: &Connection) -> Option<&Probe> {
    if connection.is_stale() {
        return None;
    }
    let probes = connection.probes.value()?;
    probes.iter().find(|probe| probe.result.is_ok() && probe.owner != Owner::AnotherUser)
}

/// Returns the age of what is shown and the time until the next attempt, as text, and when that text changes.
fn age_and_retry(connection: &Connection, now: Timestamp) -> (String, Option<Duration>) {
    let age = connection.stale_since.map(|since| Duration::try_from(now.duration_since(since)).unwrap_or_default());
    let (mut words, mut next) = (Vec::new(), None);
    if let Some(age) = age {
        let (text, changes) = age_text(age);
        words.push(format!("as of {text}"));
        next = Some(changes);
    }
    match connection.retry {
        Some(Retry::Trying) => words.push("trying now".to_owned()),
        Some(Retry::Due(at)) => {
            let left = Duration::try_from(at.duration_since(now)).unwrap_or_default();
            // Old data is not worth a frame every second.
            let step = if age.is_some_and(|age| age >= MINUTE) { 10 } else { 1 };
            let seconds = left.as_secs_f64().ceil() as u64;
            words.push(format!("retrying in {} s", seconds.max(1).div_ceil(step) * step));
            let changes = Duration::from_secs(step);
            next = Some(next.map_or(changes, |next: Duration| next.min(changes)));
        }
        None => {}
    }
    (words.join(" · "), next)
}

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3_600);

/// Returns an age as text, and how long that text stays correct.
fn age_text(age: Duration) -> (String, Duration) {
    let (unit, name) = match age {
        age if age < MINUTE => (Duration::from_secs(1), "s"),
        age if age < HOUR => (MINUTE, "min"),
        _ => (HOUR, "h"),
    };
    let count = age.as_secs() / unit.as_secs();
    let left = unit.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1)).saturating_sub(age);
    (format!("{count} {name} ago"), left.max(Duration::from_millis(20)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(age_secs: i64, retry: Option<Retry>) -> (Connection, Timestamp) {
        let now = Timestamp::from_second(2_000_000_000).expect("a moment");
        let since = now.checked_sub(jiff::SignedDuration::from_secs(age_secs)).expect("a moment");
        (Connection { stale_since: Some(since), retry, ..Connection::default() }, now)
    }

    #[test]
    fn older_data_repaints_less_often() {
        for (age, words, within) in [
            (0, "as of 0 s ago", 1),
            (12, "as of 12 s ago", 1),
            (59, "as of 59 s ago", 1),
            (60, "as of 1 min ago", 60),
            (3_599, "as of 59 min ago", 60),
            (7_200, "as of 2 h ago", 3_600),
        ] {
            let (connection, now) = lost(age, None);
            let (message, next) = age_and_retry(&connection, now);
            assert_eq!(message, words);
            assert!(next.is_some_and(|next| next <= Duration::from_secs(within)), "{age}: {next:?}");
        }
        let next = |age, retry| {
            let (connection, now) = lost(age, Some(retry));
            age_and_retry(&connection, now).1.expect("a time")
        };
        let due = Retry::Due(Timestamp::from_second(2_000_000_025).expect("a moment"));
        assert_eq!((next(5, due), next(90, due)), (Duration::from_secs(1), Duration::from_secs(10)));
    }

    #[test]
    fn the_next_retry_is_shown() {
        let due = Retry::Due(Timestamp::from_second(2_000_000_004).expect("a moment"));
        let (connection, now) = lost(3, Some(due));
        assert_eq!(age_and_retry(&connection, now).0, "as of 3 s ago · retrying in 4 s");
        let (connection, now) = lost(3, Some(Retry::Trying));
        assert_eq!(age_and_retry(&connection, now).0, "as of 3 s ago · trying now");
        assert_eq!(age_and_retry(&Connection::default(), now), (String::new(), None));
    }
}
