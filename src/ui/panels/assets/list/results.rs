//! What the list says about its results: how far a search is, that nothing matches, that there are no assets.
//!
//! What must hold: previous results stay until new ones arrive.

use egui::Ui;

use crate::ui::disabled_reason::disabled_reason;
use crate::ui::list::list_view::ListView;
use crate::ui::panels::welcome::{self, WelcomeRequest};
use crate::ui::theme::{self, Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::empty;
use crate::ui::widgets::shown_short;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{AssetsSnapshot, SearchAssets};
use lunette_inspector::action::{AssetsAction, SettingsAction};
use lunette_inspector::assets::search::{Hits, SECTIONS, Search, Steps};
use lunette_inspector::capability::Capability;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::{Action, Remote, State};

/// Maximum number of characters shown of a search text.
const MAX_QUERY_SHOWN: usize = 60;

/// Draws the status of the search, if there is one. Previous results stay until the new ones arrive.
pub(super) fn search_ui(list: &mut ListView<AssetRow>, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let Some(search) = &state.assets.found else { return };
    ui.horizontal_wrapped(|ui| {
        match (&search.hits, search.hits.error()) {
            (_, Some(error)) => {
                let label = ui.error_text(&format!("The search failed: {}", error.reason()));
                label.on_hover_text(error.advice());
            }
            (Remote::Known(found), None) => found_ui(ui, search, found, state, list.table.tiles),
            _ => {
                ui.caption(&format!("Searching for “{}”…", shown_short(&search.text, MAX_QUERY_SHOWN)));
            }
        }
        ui.end_row();
        if ui.line_button("Back to all assets").clicked() {
            list.filter.clear(actions);
            actions.push(AssetsAction::Search(String::new()).into());
        }
        exact_ui(ui, search, state, actions);
    });
    ui.add_space(SPACE_S);
}

/// Says how many hits there are, which words were replaced and, unless the list says it between its rows, what they lack.
fn found_ui(ui: &mut Ui, search: &Search, found: &Hits, state: &State, tiles: bool) {
    let order = if state.assets.list.query.sort.is_some() { "sorted by a column" } else { "best first" };
    let unindexed = unindexed_text(found.unindexed).map_or_else(String::new, |text| format!(". {text}"));
    let first = if found.may_be_more() { "The first " } else { "" };
    let (count, text) = (found.count(), shown_short(&search.text, MAX_QUERY_SHOWN));
    let results = if count == 1 { "result" } else { "results" };
    ui.caption(&format!("{first}{count} {results} for “{text}”, {order}{unindexed}"));
    let in_sections = state.assets.list.groups.as_ref().is_some_and(|groups| groups.column == SECTIONS);
    let lack = found.sections.first().and_then(|section| match in_sections && !tiles {
        true => section.lead.clone(),
        false => Some(section.sentence()),
    });
    for told in found.steps.as_ref().and_then(Steps::replacements).into_iter().chain(lack) {
        ui.end_row();
        ui.caption(&told);
    }
}

/// Draws the choice to find only assets that have every word, where the service goes on with fewer.
fn exact_ui(ui: &mut Ui, search: &Search, state: &State, actions: &mut Vec<Action>) {
    if !state.connection.vendor.is_lunette() {
        return;
    }
    let mut exact = state.preferences.view.exact_search;
    let tip = "Finds only assets that have every word as typed; so does a text in quotation marks";
    if theme::checkbox(ui, &mut exact, "Exact words only").on_hover_text(tip).changed() {
        actions.push(SettingsAction::KeepExactSearch(exact).into());
        actions.push(AssetsAction::Search(search.text.clone()).into());
    }
}

/// What to do about a list in which nothing matches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NoMatch {
    /// Search the contents.
    Search,
    /// Show all assets.
    ShowAll,
}

/// Says that nothing matches the typed filter, and offers to search the contents or to show all.
pub(super) fn no_match_ui(ui: &mut Ui, filter: &str, state: &State) -> Option<NoMatch> {
    let searched = state.assets.found.as_ref().filter(|search| search.hits.value().is_some());
    let title = match searched {
        Some(search) => format!("The service found nothing for “{}”", shown_short(&search.text, MAX_QUERY_SHOWN)),
        None => format!("Nothing matches “{}”", shown_short(filter.trim(), MAX_QUERY_SHOWN)),
    };
    let searchable = state.assets.found.is_none() && state.connection.offers(SearchAssets::INFO);
    let unindexed = searched.and_then(|search| unindexed_text(search.hits.value()?.unindexed));
    let advice = if let Some(unindexed) = &unindexed {
        unindexed
    } else if searched.is_some() {
        "It searched names, tags, websites, descriptions and contents."
    } else if searchable {
        "The filter matches names, languages, tags and UUIDs. Press Enter to search the contents."
    } else {
        "The filter matches names, languages, tags and UUIDs."
    };
    let buttons: &[&str] = if searchable { &["Search contents", "Clear the filter"] } else { &["Clear the filter"] };
    match empty(ui, Icon::NO_MATCH, &title, advice, buttons)? {
        0 if searchable => Some(NoMatch::Search),
        _ => Some(NoMatch::ShowAll),
    }
}

/// Says that the contents of new assets were not searched; None if all were.
fn unindexed_text(count: u64) -> Option<String> {
    match count {
        0 => None,
        1 => Some("The content of 1 new asset is not searchable yet; search again shortly".to_owned()),
        count => Some(format!("The contents of {count} new assets are not searchable yet; search again shortly")),
    }
}

/// Draws the empty list: the welcome page if assets can be created here, otherwise why there are none.
pub(super) fn empty_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<WelcomeRequest> {
    if !state.connection.offers(AssetsSnapshot::INFO) {
        let advice = "Paste the UUID of an asset into the filter. Assets that you open are listed here.";
        empty(ui, Icon::EMPTY, "No assets opened yet", advice, &[]);
        return None;
    }
    if let Some(disabled_reason) = disabled_reason(state, Capability::CreateAsset) {
        empty(ui, Icon::EMPTY, "No assets yet", &format!("None can be created here: {disabled_reason}."), &[]);
        return None;
    }
    welcome::ui(ui, state, false, actions)
}
