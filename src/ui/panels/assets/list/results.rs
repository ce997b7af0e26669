//! What the list says about its results: how far a search is, that nothing matches, that there are no assets.
//!
//! What must hold: previous results stay until new ones arrive.

use egui::Ui;

use crate::ui::disabled_reason::disabled_reason;
use crate::ui::list::list_view::ListView;
use crate::ui::panels::welcome::{self, WelcomeRequest};
use crate::ui::theme::{self, Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::empty;
use crate::ui::widgets::{plural, shown_short};
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{AssetsSnapshot, SearchAssets};
use lunette_inspector::action::{AssetsAction, ImportAction, SettingsAction};
use lunette_inspector::assets::search::{Hits, SECTIONS, Search, any_as_typed, replacement, with_marks, without_marks};
use lunette_inspector::capability::Capability;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::{Action, Remote, State};

/// Maximum number of characters shown of a search text.
const MAX_QUERY_SHOWN: usize = 60;
/// Maximum number of characters shown of a word of it.
const MAX_WORD_SHOWN: usize = 32;

/// Draws the status of the search, if there is one. Previous results stay until the new ones arrive.
pub(super) fn search_ui(list: &mut ListView<AssetRow>, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let Some(search) = &state.assets.found else { return };
    ui.horizontal_wrapped(|ui| {
        match (&search.hits, search.hits.error()) {
            (_, Some(error)) => {
                let label = ui.error_text(&format!("The search failed: {}", error.reason()));
                label.on_hover_text(error.advice());
            }
            (Remote::Known(found), None) => found_ui(list, ui, (search, found), state, actions),
            _ => {
                ui.caption(&format!("Searching for “{}”…", shown_short(&search.text, MAX_QUERY_SHOWN)));
            }
        }
        ui.end_row();
        ui.set_row_height(theme::control(ui));
        if ui.line_button("Back to all assets").clicked() {
            list.filter.clear(actions);
            actions.push(AssetsAction::Search(String::new()).into());
        }
        exact_ui(ui, search, state, actions);
    });
    ui.add_space(SPACE_S);
}

/// Begins a row in which texts are beside buttons.
fn next_row(ui: &mut Ui) {
    ui.end_row();
    ui.set_row_height(theme::LINE_BUTTON);
}

/// Says how many hits there are, which words were replaced and, unless the list says it between its rows, what they lack.
fn found_ui(
    list: &mut ListView<AssetRow>,
    ui: &mut Ui,
    (search, found): (&Search, &Hits),
    state: &State,
    actions: &mut Vec<Action>,
) {
    let order = if state.assets.list.query.sort.is_some() { "sorted by a column" } else { "best first" };
    let unindexed = unindexed_text(found.unindexed).map_or_else(String::new, |text| format!(". {text}"));
    let first = if found.may_be_more() { "The first " } else { "" };
    let (count, text) = (found.count(), shown_short(&search.text, MAX_QUERY_SHOWN));
    let results = plural(count, "result");
    ui.caption(&format!("{first}{results} for “{text}”, {order}{unindexed}"));
    for (word, by) in found.steps.iter().flat_map(|steps| &steps.replaced) {
        next_row(ui);
        ui.caption(&replacement(word, by));
        let tip = "Searches for this word as typed; a word in quotation marks is never replaced";
        if ui.line_button(&format!("Search for “{}”", shown_short(word, MAX_WORD_SHOWN))).on_hover_text(tip).clicked()
        {
            search_as_typed(list, search, word, actions);
        }
    }
    let in_sections = state.assets.list.groups.as_ref().is_some_and(|groups| groups.column == SECTIONS);
    let lack = found.sections.first().and_then(|section| match in_sections && !list.table.tiles {
        true => section.lead.clone(),
        false => Some(section.sentence()),
    });
    if let Some(told) = lack {
        ui.end_row();
        ui.caption(&told);
    }
}

/// Searches again, for a word that was replaced as it was typed.
fn search_as_typed(list: &mut ListView<AssetRow>, search: &Search, word: &str, actions: &mut Vec<Action>) {
    search_rewritten(list, search, |text| with_marks(text, word), actions);
}

/// Searches again, for any of the words, those in quotation marks as well.
pub(super) fn search_any_word(list: &mut ListView<AssetRow>, state: &State, actions: &mut Vec<Action>) {
    let Some(search) = &state.assets.found else { return };
    if state.preferences.view.exact_search {
        actions.push(SettingsAction::KeepExactSearch(false).into());
    }
    search_rewritten(list, search, without_marks, actions);
}

/// Searches for a text made of what was searched for; the field has it as well.
fn search_rewritten(
    list: &mut ListView<AssetRow>,
    search: &Search,
    rewrite: impl Fn(&str) -> String,
    actions: &mut Vec<Action>,
) {
    // A search that was started elsewhere is not in the field.
    if list.filter.searched() == search.text {
        list.filter.set_text(rewrite(list.filter.text()), actions);
    }
    actions.push(AssetsAction::Search(rewrite(&search.text)).into());
}

/// Draws the choice to find only assets that have every word.
fn exact_ui(ui: &mut Ui, search: &Search, state: &State, actions: &mut Vec<Action>) {
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
    /// Search for any of the words.
    AnyWord,
    /// Import files.
    Import,
    /// Show all assets.
    ShowAll,
}

impl NoMatch {
    fn label(self) -> &'static str {
        match self {
            Self::Search => "Search contents",
            Self::AnyWord => "Search for any of the words",
            Self::Import => "Import files…",
            Self::ShowAll => "Clear the filter",
        }
    }
}

/// What is known of a list in which nothing matches.
struct Nothing<'a> {
    /// The search whose hits are shown.
    searched: Option<&'a Search>,
    hits: usize,
    /// Whether the contents can be searched.
    searchable: bool,
    /// Whether every word had to match.
    exact: bool,
}

impl<'a> Nothing<'a> {
    fn of(state: &'a State) -> Self {
        let searched = state.assets.found.as_ref().filter(|search| search.hits.value().is_some());
        let hits = searched.and_then(|search| search.hits.value()).map_or(0, |hits| hits.count());
        let searchable = state.assets.found.is_none() && state.connection.offers(SearchAssets::INFO);
        let as_typed = |search: &Search| state.preferences.view.exact_search || any_as_typed(&search.text);
        let exact = hits == 0 && searched.is_some_and(as_typed);
        Self { searched, hits, searchable, exact }
    }

    fn title(&self, filter: &str) -> String {
        let shown = |text| shown_short(text, MAX_QUERY_SHOWN);
        match self.searched {
            Some(search) if self.hits == 0 => format!("The service found nothing for “{}”", shown(&search.text)),
            Some(search) => format!("The filter leaves out every result for “{}”", shown(&search.text)),
            None => format!("Nothing matches “{}”", shown(filter.trim())),
        }
    }

    fn advice(&self) -> String {
        if let Some(unindexed) = self.searched.and_then(|search| unindexed_text(search.hits.value()?.unindexed)) {
            return unindexed;
        }
        let advice = match self.searched {
            _ if self.exact => "It searched for every word as typed.",
            Some(_) if self.hits > 0 => "Its other conditions do not match what was found.",
            Some(_) => "It searched names, tags, websites, descriptions and contents.",
            None if self.searchable => {
                "The filter matches names, languages, tags and UUIDs. Press Enter to search the contents."
            }
            None => "The filter matches names, languages, tags and UUIDs.",
        };
        advice.to_owned()
    }
}

/// Says that nothing matches the typed filter, and offers what may help; returns what was chosen, of which the list has to
/// search the contents or for any of the words, and to show all.
pub(super) fn no_match_ui(ui: &mut Ui, filter: &str, state: &State, actions: &mut Vec<Action>) -> Option<NoMatch> {
    let nothing = Nothing::of(state);
    let imports = nothing.searched.is_some() && disabled_reason(state, Capability::CreateAsset).is_none();
    let offers = [
        (NoMatch::Search, nothing.searchable),
        (NoMatch::AnyWord, nothing.exact),
        (NoMatch::ShowAll, true),
        (NoMatch::Import, imports),
    ];
    let offers: Vec<NoMatch> = offers.into_iter().filter(|(_, offered)| *offered).map(|(offer, _)| offer).collect();
    let labels: Vec<&str> = offers.iter().map(|offer| offer.label()).collect();
    let chosen = offers[empty(ui, Icon::NO_MATCH, &nothing.title(filter), &nothing.advice(), &labels)?];
    if chosen == NoMatch::Import {
        actions.push(ImportAction::PickFiles.into());
    }
    Some(chosen)
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
