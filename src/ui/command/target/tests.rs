//! What commands act on, over every command, panel and state of it.

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::ui::command::execute::UiRequest;
use crate::ui::command::{Command, Scope};
use lunette_client::model::asset::Asset;
use lunette_inspector::applications::ApplicationPage;
use lunette_inspector::assets::Selected;
use lunette_inspector::links::LinkPage;
use lunette_inspector::listing::rows::ExternalKey;
use lunette_inspector::navigation::in_view::InView;
use lunette_inspector::session::Status;
use lunette_inspector::{Action, Remote, WritePolicy};

/// What is shown of a panel, besides what other panels hide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shows {
    /// A list in which nothing is focused or selected.
    Nothing,
    /// A row with the focus ring.
    FocusedRow,
    /// A selected row, and the focus ring on another one.
    OneSelected,
    /// Several selected rows, one of which has the focus ring.
    SeveralSelected,
    /// Several selected rows, and the focus ring on another one.
    SeveralBesideFocused,
    /// An open page, and nothing in the list.
    OpenPage,
    /// An open page, and the focus ring on another row.
    OpenBesideFocused,
    /// An open page in place of the list, in which several rows are selected.
    OpenInPlaceOfSeveral,
    /// The welcome page over all of that.
    Welcome,
}

impl Shows {
    const ALL: [Self; 9] = [
        Self::Nothing,
        Self::FocusedRow,
        Self::OneSelected,
        Self::SeveralSelected,
        Self::SeveralBesideFocused,
        Self::OpenPage,
        Self::OpenBesideFocused,
        Self::OpenInPlaceOfSeveral,
        Self::Welcome,
    ];
}

/// What a command is to act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Nothing,
    Open,
    Focused,
    Selected,
    Several,
}

fn wanted(shows: Shows) -> Wanted {
    match shows {
        Shows::Nothing | Shows::Welcome => Wanted::Nothing,
        Shows::FocusedRow | Shows::OpenBesideFocused => Wanted::Focused,
        Shows::OneSelected => Wanted::Selected,
        Shows::SeveralSelected | Shows::SeveralBesideFocused => Wanted::Several,
        Shows::OpenPage | Shows::OpenInPlaceOfSeveral => Wanted::Open,
    }
}

const OPEN: &str = "open";
const FOCUSED: &str = "focused";
const SELECTED: &str = "selected";

/// The subject of a row of the panel; `None` if its rows are nothing that commands act on.
fn subject(panel: Panel, name: &str) -> Option<Subject> {
    match panel {
        Panel::Assets => Some(Subject::Asset(asset(name))),
        Panel::Links => Some(Subject::Item(item(name))),
        Panel::Applications => Some(Subject::Application { id: format!("{name} id"), name: name.to_owned() }),
        Panel::External
        | Panel::Operations
        | Panel::Log
        | Panel::History
        | Panel::Graph
        | Panel::Compare
        | Panel::Proposals
        | Panel::Sides
        | Panel::Rescue => None,
    }
}

fn asset(name: &str) -> Arc<AssetRow> {
    let index = [OPEN, FOCUSED, SELECTED].iter().position(|known| *known == name).expect("a name");
    Arc::new(AssetRow::sample(index).renamed(name))
}

fn item(name: &str) -> Item {
    Item::new(LinkKind::Tag, &format!("{name} id"), name, None)
}

/// The list of a panel in which rows are selected.
fn list_of(panel: Panel) -> List {
    match panel {
        Panel::Applications => List::Applications,
        Panel::External => List::External,
        Panel::Assets => List::Assets,
        Panel::Links => List::Links,
        Panel::Log => List::Log,
        Panel::Operations
        | Panel::History
        | Panel::Graph
        | Panel::Compare
        | Panel::Proposals
        | Panel::Sides
        | Panel::Rescue => List::History,
    }
}

/// A connected window in which a page is open and several rows are selected in every panel, of which this is shown.
fn shown(panel: Panel, shows: Shows) -> State {
    let mut state = State::default();
    (state.connection.status, state.connection.write_policy) = (Status::Up, WritePolicy::Allow);
    state.assets.selected = Selected { count: 3, hidden: 0, favourites: false };
    let page = matches!(shows, Shows::OpenPage | Shows::OpenBesideFocused | Shows::OpenInPlaceOfSeveral);
    let open = |of: Panel| of != panel || page || shows == Shows::Welcome;
    open_pages(&mut state, open);
    state.navigation.panel = panel;
    state.navigation.welcome = shows == Shows::Welcome;
    let several = SelectedRows::Several(Several { list: list_of(panel), count: 3, hidden: 0 });
    let (focused, selected) = match shows {
        Shows::Nothing | Shows::OpenPage | Shows::OpenInPlaceOfSeveral => (None, SelectedRows::None),
        Shows::FocusedRow | Shows::OpenBesideFocused => (subject(panel, FOCUSED), SelectedRows::None),
        Shows::OneSelected => {
            let one = subject(panel, SELECTED).map_or(SelectedRows::None, SelectedRows::One);
            (subject(panel, FOCUSED), one)
        }
        Shows::SeveralSelected => (subject(panel, SELECTED), several),
        Shows::SeveralBesideFocused => (subject(panel, FOCUSED), several),
        Shows::Welcome => (subject(panel, FOCUSED), several),
    };
    state.navigation.in_view = InView { panel, focused, selected, pair: None };
    state
}

/// Opens a page in the panels of which `open` says so.
fn open_pages(state: &mut State, open: impl Fn(Panel) -> bool) {
    if open(Panel::Assets) {
        let id = asset(OPEN).id();
        let record = json!({ "id": id, "name": OPEN, "creator": id, "created": { "value": "2026-11-01T12:00:00Z" },
            "updated": { "value": "2026-11-01T12:00:00Z" }, "mechanism": "MANUAL", "formats": { "iterable": [] },
            "preview": { "base": { "id": id } },
            "original": { "id": id } });
        let record = Asset::from_tree(record).expect("an asset");
        let page = AssetPage { record: Remote::Known(Arc::new(record)), ..AssetPage::default() };
        state.assets.pages.of.insert(id.clone(), page);
        state.assets.pages.open = Some(id);
    }
    if open(Panel::Links) {
        let (record, activity) = (Remote::NotRequested, Remote::NotRequested);
        state.links.open = Some(LinkPage { item: item(OPEN), record, activity, writing: false });
    }
    if open(Panel::Applications) {
        state.applications.open = Some(ApplicationPage { id: format!("{OPEN} id"), record: Remote::NotRequested });
    }
    if open(Panel::External) {
        state.applications.external_open = Some(ExternalKey { name: OPEN.to_owned(), version: String::new() });
    }
}

/// Returns whether a command makes sense for what is in view, written down a second time.
fn makes_sense(command: Command, panel: Panel, wanted: Wanted) -> bool {
    let one_asset = [
        Command::Rename,
        Command::EditAsset,
        Command::EditText,
        Command::CopyId,
        Command::PinRecent,
        Command::OpenBeside,
        Command::ShowVersions,
        Command::ShowRelated,
    ];
    let compares_one = [Command::SelectForCompare, Command::CompareWith, Command::CompareWithFile];
    match (panel, wanted) {
        (_, Wanted::Nothing) => false,
        // Nothing is selected for compare, and several are three.
        _ if command == Command::Compare => false,
        (Panel::Assets, Wanted::Several) => !one_asset.contains(&command) && !compares_one.contains(&command),
        (Panel::Assets, _) => true,
        (Panel::Links | Panel::Applications, Wanted::Focused | Wanted::Selected | Wanted::Open)
            if compares_one.contains(&command) =>
        {
            true
        }
        (Panel::Links, Wanted::Several) => matches!(command, Command::ShowGraph | Command::Delete),
        // Nothing is known of the assets of these tags, so none can be deleted.
        (Panel::Links, _) => matches!(command, Command::ShowGraph | Command::CopyId | Command::Rename),
        (Panel::Applications, Wanted::Several) => false,
        (Panel::Applications, _) => matches!(command, Command::ShowGraph | Command::CopyId),
        (
            Panel::External
            | Panel::Operations
            | Panel::Log
            | Panel::History
            | Panel::Graph
            | Panel::Compare
            | Panel::Proposals
            | Panel::Sides
            | Panel::Rescue,
            _,
        ) => false,
    }
}

/// Returns the commands that act on what is in view.
fn commands() -> impl Iterator<Item = Command> {
    let all = Command::ALL.iter().copied();
    all.filter(|command| command.row().scope == Scope::Asset && *command != Command::CloseAsset)
}

/// Runs a command; returns everything that it asks for, as a text.
fn run(command: Command, state: &State) -> (Vec<Action>, Option<UiRequest>, String) {
    let mut actions = Vec::new();
    let request = command.run(state, &mut actions);
    let text = format!("{actions:?} {request:?}");
    (actions, request, text)
}

#[test]
fn each_command_acts_on_what_is_seen_and_says_so_before_it_runs() {
    for panel in Panel::ALL {
        for shows in Shows::ALL {
            let (state, wanted) = (shown(panel, shows), wanted(shows));
            for command in commands() {
                let case = format!("{command:?} in {panel:?} with {shows:?}");
                let reason = command.disabled_reason(&state);
                assert_eq!(reason.is_none(), makes_sense(command, panel, wanted), "{case}: {reason:?}");
                let (actions, request, text) = run(command, &state);
                if let Some(reason) = reason {
                    assert_eq!(request, None, "{case}");
                    let told = Action::Hint(format!("{}: {}", command.title(), reason.sentence));
                    assert_eq!(actions, [told], "{case}: only why it is disabled");
                    continue;
                }
                let (title, name) = (command.title_now(&state), named(panel, wanted));
                assert!(title.contains(name), "{case} is titled {title:?}");
                assert!(command.tooltip(&state).contains(name), "{case}");
                match wanted {
                    Wanted::Several => {
                        let tool = matches!(request, Some(UiRequest::Selected(_) | UiRequest::SelectedItems(_)));
                        assert!(tool && actions.is_empty(), "{case}: {text}");
                    }
                    _ => assert_only(&text, panel, wanted, &case),
                }
            }
        }
    }
}

/// Returns what a title calls the target.
fn named(panel: Panel, wanted: Wanted) -> &'static str {
    match (panel, wanted) {
        (_, Wanted::Nothing) => "",
        // It is in no list here that has its name.
        (Panel::Applications, Wanted::Open) => "“open id”",
        (_, Wanted::Open) => "“open”",
        (_, Wanted::Focused) => "“focused”",
        (_, Wanted::Selected) => "“selected”",
        (_, Wanted::Several) => "3 selected ",
    }
}

/// Checks that what is asked for names no other thing; what is asked of the open page names none.
fn assert_only(text: &str, panel: Panel, wanted: Wanted, case: &str) {
    for (name, other) in [(OPEN, Wanted::Open), (FOCUSED, Wanted::Focused), (SELECTED, Wanted::Selected)] {
        let ids = [asset(name).id().to_string(), format!("{name} id")];
        let names = ids.iter().any(|id| text.contains(id.as_str()));
        assert!(!names || other == wanted, "{case} acts on {name:?}: {text}");
        let page = panel == Panel::Assets && wanted == Wanted::Open;
        assert!(names || page || other != wanted, "{case} does not act on {name:?}: {text}");
    }
}

#[test]
fn what_another_panel_showed_last_is_no_target_before_this_one_is_drawn() {
    for shows in Shows::ALL {
        let mut state = shown(Panel::Assets, shows);
        state.navigation.panel = Panel::Links;
        state.links.open = None;
        assert_eq!(target(&state), CommandTarget::Nothing, "{shows:?}");
    }
}

#[test]
fn the_row_of_the_open_asset_is_its_page_once_that_is_read() {
    let mut state = shown(Panel::Assets, Shows::OpenPage);
    state.navigation.in_view.selected = SelectedRows::One(Subject::Asset(asset(OPEN)));
    assert!(matches!(target(&state), CommandTarget::OpenAsset(_)));
    state.assets.pages.of.clear();
    assert_eq!(target(&state), CommandTarget::AssetRow(&asset(OPEN)));
    state.navigation.in_view.selected = SelectedRows::None;
    assert!(matches!(target(&state), CommandTarget::OpenAsset(_)));
    assert_eq!(Command::Tag.disabled_reason(&state).map(|reason| reason.short), Some("loading"));
}

#[test]
fn the_title_of_a_selection_counts_the_rows_that_are_not_visible() {
    let mut state = shown(Panel::Assets, Shows::SeveralSelected);
    state.navigation.in_view.selected = SelectedRows::Several(Several { list: List::Assets, count: 1_200, hidden: 2 });
    assert_eq!(Command::Delete.title_now(&state), "Delete 1,200 selected assets… (2 not visible)");
    assert_eq!(Command::Rename.title_now(&state), "Rename the asset");
    state.navigation.panel = Panel::Links;
    state.navigation.in_view.panel = Panel::Links;
    for (list, things) in [(List::Links, "tags"), (List::Linked, "assets")] {
        state.navigation.in_view.selected = SelectedRows::Several(Several { list, count: 1_200, hidden: 2 });
        assert_eq!(Command::Delete.title_now(&state), format!("Delete 1,200 selected {things}… (2 not visible)"));
    }
}

#[test]
fn closing_a_page_closes_the_one_that_is_seen() {
    for panel in Panel::ALL {
        for shows in Shows::ALL {
            let state = shown(panel, shows);
            let open = matches!(shows, Shows::OpenPage | Shows::OpenBesideFocused | Shows::OpenInPlaceOfSeveral);
            let closable =
                open && matches!(panel, Panel::Assets | Panel::Links | Panel::Applications | Panel::External);
            let (actions, request, _) = run(Command::CloseAsset, &state);
            assert_eq!(request == Some(UiRequest::ClosePage), closable, "{panel:?} with {shows:?}: {actions:?}");
        }
    }
}
