//! What is here, on the welcome page: counts, languages, days, the newest and the most used assets, and what changed.
//!
//! What must hold: each is a click to the list or the asset that it is about; nothing is asked of the service for it.

use egui::{Button, Label, Ui};

use super::WelcomeRequest;
use crate::ui::format;
use crate::ui::list::copy_as;
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::{context_menu, entry, separator};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::plot_days::{Day, Unit, plot_days};
use crate::ui::widgets::{counted, grouped, nav_link, shown_short};
use lunette_inspector::action::{AssetsAction, GraphAction, InventoryAction, NavigationAction};
use lunette_inspector::assets::near_duplicates::says_near_duplicates;
use lunette_inspector::filter::{Filter, List, parse};
use lunette_inspector::graph::Start;
use lunette_inspector::overview::{DAYS, Glance, Summary};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

/// The height of the plot, in points.
const PLOT: f32 = 64.0;
/// How many languages are named.
const LANGUAGES: usize = 6;

/// Draws the section; returns the filter of the list that was chosen.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<WelcomeRequest> {
    ui.section_title("Overview");
    ui.add_space(SPACE_S);
    let Some(summary) = &state.overview.summary else {
        skeleton(ui, "overview", 4);
        return None;
    };
    let mut chosen = counts_ui(ui, summary, state, actions);
    chosen = languages_ui(ui, summary).or(chosen);
    ui.add_space(SPACE_M);
    chosen = days_ui(ui, summary).or(chosen);
    let newest = |ui: &mut Ui, actions: &mut Vec<Action>| {
        glances_ui(ui, "Newest", &summary.newest, actions, |glance| format::ago(&glance.created));
    };
    let most_used = |ui: &mut Ui, actions: &mut Vec<Action>| {
        glances_ui(ui, "Most used", &summary.most_used, actions, |glance| times(glance.uses));
    };
    if ui.available_width() >= super::TWO_COLUMNS {
        ui.columns_const(|[left, right]| {
            newest(left, actions);
            most_used(right, actions);
        });
    } else {
        newest(ui, actions);
        most_used(ui, actions);
    }
    ui.add_space(SPACE_M);
    chosen.map(WelcomeRequest::Filter)
}

/// Draws a choice; returns its filter if it was chosen.
fn choice_ui(ui: &mut Ui, text: &str, tip: &str, filter: &str) -> Option<Filter> {
    let clicked = ui.add(Button::new(text)).on_hover_text(tip).clicked();
    clicked.then(|| parse(filter, List::Assets).ok()).flatten()
}

fn counts_ui(ui: &mut Ui, summary: &Summary, state: &State, actions: &mut Vec<Action>) -> Option<Filter> {
    ui.horizontal_wrapped(|ui| {
        let all = choice_ui(ui, &counted("All assets", summary.assets), "Shows the list", "");
        let untagged = (summary.untagged > 0).then(|| {
            choice_ui(ui, &counted("Untagged", summary.untagged), "Shows the assets without a tag", "-is:tagged")
        });
        let favourites = (summary.favourites > 0)
            .then(|| choice_ui(ui, &counted("Favourites", summary.favourites), "Shows the favourites", "is:favourite"));
        let near = says_near_duplicates(&state.connection).then(|| {
            let tip = "Shows the assets that are near duplicates of others, to merge them";
            choice_ui(ui, "Near duplicates", tip, "is:near-duplicate")
        });
        let changed = state.inventory.list.iter().filter(|row| row.change.is_some()).count();
        let name = counted("Changed applications", changed);
        if changed > 0 && ui.button(name).on_hover_text(state.inventory.since.name()).clicked() {
            actions.push(NavigationAction::Show(Panel::Applications).into());
            actions.push(InventoryAction::ShowChanged.into());
        }
        all.or(untagged.flatten()).or(favourites.flatten()).or(near.flatten())
    })
    .inner
}

fn languages_ui(ui: &mut Ui, summary: &Summary) -> Option<Filter> {
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        for (language, count) in summary.languages.most.iter().take(LANGUAGES) {
            let name = if language.is_empty() { "No language" } else { language };
            let text = counted(&shown_short(name, 40), *count);
            let tip = format!("Shows the assets in {}", shown_short(name, 40));
            chosen = choice_ui(ui, &text, &tip, &format!("language:\"{language}\"")).or(chosen.take());
        }
        let others: usize = summary.languages.most.iter().skip(LANGUAGES).map(|(_, count)| count).sum();
        let others = others + summary.languages.of_others;
        if others > 0 {
            let others = format!("+{} in other languages", grouped(others as u64));
            // On the next line as a whole, rather than cut in two.
            ui.add(Label::new(egui::RichText::new(others).color(ui.tokens().muted)).extend());
        }
    });
    chosen
}

fn days_ui(ui: &mut Ui, summary: &Summary) -> Option<Filter> {
    let last = |days: usize| summary.days.iter().rev().take(days).map(|(_, count)| count).sum::<u64>();
    let title = format!("Created, last {DAYS} days");
    ui.caption(&title);
    let names: Vec<String> = summary.days.iter().map(|(day, _)| day.to_string()).collect();
    let days = names.iter().zip(&summary.days).map(|(name, (_, count))| Day { name, count: *count });
    let clicked = plot_days(ui, &title, Unit::ASSETS, &days.collect::<Vec<_>>(), PLOT);
    let day = |at: usize| {
        let (day, _) = summary.days.get(at)?;
        parse(&format!("created:{day}"), List::Assets).ok()
    };
    let clicked = clicked.and_then(day);
    let chosen = ui.horizontal_wrapped(|ui| {
        let today = choice_ui(ui, &format!("Today ({})", last(1)), "Shows what was created today", "created:today");
        let week = choice_ui(ui, &format!("7 days ({})", last(7)), "Shows what was created in 7 days", "created:<7d");
        let mut one = None;
        ui.icon_menu_button(Icon::CLOCK, "One day", |ui| {
            for (at, (day, count)) in summary.days.iter().enumerate().rev().filter(|(_, (_, count))| *count > 0) {
                if entry(ui, Icon::CLOCK, &format!("{day}: {}", Unit::ASSETS.of(*count))) {
                    one = Some(at);
                }
            }
        })
        .on_hover_text("Shows what was created on one day");
        today.or(week).or(one.and_then(day))
    });
    clicked.or(chosen.inner)
}

/// Returns how often an asset was used.
fn times(uses: u16) -> String {
    if uses == 1 { "once".to_owned() } else { format!("{} times", grouped(uses.into())) }
}

fn glances_ui(
    ui: &mut Ui,
    title: &str,
    glances: &[Glance],
    actions: &mut Vec<Action>,
    detail: impl Fn(&Glance) -> String,
) {
    if glances.is_empty() {
        return;
    }
    ui.add_space(SPACE_M);
    ui.caption(title);
    ui.spacing_mut().item_spacing.y = 2.0;
    for glance in glances {
        let name = format!("{} · {}", shown_short(&glance.title, 60), detail(glance));
        let link = ui.push_id((title, &glance.id), |ui| nav_link(ui, &name, None, false)).inner;
        if link.clicked() {
            actions.push(AssetsAction::Open(glance.id.clone()).into());
        }
        context_menu(&link, &format!("Menu of {}", shown_short(&glance.title, 60)), |ui| menu_ui(ui, glance, actions));
    }
}

/// Draws the context menu of an asset.
fn menu_ui(ui: &mut Ui, glance: &Glance, actions: &mut Vec<Action>) {
    if entry(ui, Icon::SHOWN, "Open") {
        actions.push(AssetsAction::Open(glance.id.clone()).into());
    }
    if entry(ui, Icon::GRAPH, "Show graph") {
        actions.push(GraphAction::Start(vec![Start::asset(glance.id.clone(), &glance.title)]).into());
    }
    separator(ui);
    copy_as::entry_ui(ui, "name", Some(&glance.title), actions);
    copy_as::entry_ui(ui, "UUID", Some(&glance.id.to_string()), actions);
}
