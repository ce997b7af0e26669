//! The table of panels: what the bars and the commands know of each, in one row.

use lunette_client::operation::{Group, OPERATIONS};
use lunette_inspector::action::{
    ApplicationsAction, AssetsAction, CompareAction, HistoryAction, InventoryAction, LinksAction, ProposalsAction,
    RescueAction,
};
use lunette_inspector::change::LinkKind;
use lunette_inspector::inventory::Shown;
use lunette_inspector::listing::{Listing, Row};
use lunette_inspector::panel::Panel;
use lunette_inspector::proposals::window::Doing;
use lunette_inspector::{Action, State};

use crate::ui::command::Command;
use crate::ui::widgets::{grouped, plural};

/// What is known of a panel outside of it.
pub(in crate::ui) struct PanelInfo {
    /// The command that shows it, which has its icon and its keys.
    pub command: Command,
    /// The number in the sidebar; `None` while it is not known.
    pub count: fn(&State) -> Option<usize>,
    /// What it is loading.
    pub loading: fn(&State) -> Option<&'static str>,
    /// What the status bar says of its rows.
    pub shown: fn(&State) -> String,
    /// What closes its open page, as far as commands can close it; `None` if no page is open.
    pub close: fn(&State) -> Option<Action>,
}

/// Returns the row of a panel.
pub(in crate::ui) const fn info(panel: Panel) -> &'static PanelInfo {
    match panel {
        Panel::Applications => &APPLICATIONS,
        Panel::External => &EXTERNAL,
        Panel::Assets => &ASSETS,
        Panel::Links => &LINKS,
        Panel::Operations => &OPERATIONS_PANEL,
        Panel::Log => &LOG,
        Panel::History => &HISTORY,
        Panel::Graph => &GRAPH,
        Panel::Compare => &COMPARE,
        Panel::Proposals => &PROPOSALS,
        Panel::Sides => &SIDES,
        Panel::Rescue => &RESCUE,
    }
}

const APPLICATIONS: PanelInfo = PanelInfo {
    command: Command::GoApplications,
    count: |state| state.applications.list.rows.value().map(|rows| rows.len()),
    loading: |state| state.applications.list.rows.loading().then_some("Loading applications"),
    shown: |state| match state.inventory.shown {
        Shown::Tracked => shown_of(&state.applications.list, "application"),
        Shown::All | Shown::Board => shown_of(&state.inventory.list, "application"),
    },
    close: |state| match state.inventory.shown {
        Shown::Tracked => state.applications.open.as_ref().map(|_| ApplicationsAction::Close.into()),
        Shown::All | Shown::Board => state.inventory.open.as_ref().map(|_| InventoryAction::Close.into()),
    },
};

const EXTERNAL: PanelInfo = PanelInfo {
    command: Command::GoExternal,
    count: |state| state.applications.external.rows.value().map(|rows| rows.len()),
    loading: |state| state.applications.external.rows.loading().then_some("Loading external applications"),
    shown: |state| shown_of(&state.applications.external, "application"),
    close: |state| state.applications.external_open.as_ref().map(|_| ApplicationsAction::OpenExternal(None).into()),
};

const ASSETS: PanelInfo = PanelInfo {
    command: Command::GoAssets,
    count: |state| state.assets.list.rows.value().map(|rows| rows.len()),
    loading: |state| state.assets.list.rows.loading().then_some("Loading assets"),
    shown: shown_assets,
    close: |state| state.assets.pages.open.as_ref().map(|_| AssetsAction::Close.into()),
};

const LINKS: PanelInfo = PanelInfo {
    command: Command::GoLinks,
    count: linked_items,
    loading: |state| state.links.shown().rows.loading().then_some("Loading links"),
    shown: |state| shown_of(state.links.shown(), state.links.kind.one()),
    close: |state| state.links.open.as_ref().map(|_| LinksAction::Close.into()),
};

const OPERATIONS_PANEL: PanelInfo = PanelInfo {
    command: Command::GoOperations,
    // Those of the interface, without our extension operations.
    count: |_| Some(OPERATIONS.iter().filter(|info| info.group != Group::Extension).count()),
    loading: |state| state.write.console.waiting.then_some("Waiting for a response"),
    shown: calls,
    close: |_| None,
};

const LOG: PanelInfo = PanelInfo {
    command: Command::GoLog,
    count: |state| Some(state.session.log.count()),
    loading: |_| None,
    shown: calls,
    close: |_| None,
};

const HISTORY: PanelInfo = PanelInfo {
    command: Command::GoHistory,
    count: |state| Some(state.history.entries.len()),
    loading: |_| None,
    shown: |state| plural(state.history.entries.len(), "step"),
    close: |state| state.history.selected.map(|_| HistoryAction::Select(None).into()),
};

const GRAPH: PanelInfo = PanelInfo {
    command: Command::GoGraph,
    count: |state| state.graph.graph().map(|graph| graph.counts().0),
    loading: |state| state.graph.shown.loading().then_some("Loading the graph"),
    shown: |state| state.graph.counts_text(),
    close: |_| None,
};

const COMPARE: PanelInfo = PanelInfo {
    command: Command::GoCompare,
    count: |state| Some(state.compare.tabs.len()).filter(|count| *count > 0),
    loading: |state| state.compare.tab().filter(|tab| tab.shown.loading()).map(|_| "Comparing"),
    shown: |state| {
        let shown = state.compare.tab().and_then(|tab| tab.shown.value());
        shown.map_or_else(String::new, |comparison| plural(comparison.count(), "difference"))
    },
    close: |state| state.compare.open.map(|number| CompareAction::Close(number).into()),
};

const PROPOSALS: PanelInfo = PanelInfo {
    command: Command::GoProposals,
    count: |state| Some(state.proposals.waiting).filter(|waiting| *waiting > 0),
    loading: |state| match state.proposals.doing {
        Some((Doing::Applying, _)) => Some("Applying a proposal"),
        Some((Doing::Declining, _)) => Some("Declining a proposal"),
        Some((Doing::Undoing, _)) => Some("Undoing a proposal"),
        None => None,
    },
    shown: |state| shown_of(&state.proposals.list, "proposal"),
    close: |state| state.proposals.open.as_ref().map(|_| ProposalsAction::Open(None).into()),
};

const SIDES: PanelInfo = PanelInfo {
    command: Command::GoSides,
    count: |state| state.sides.comparison.as_ref().map(|comparison| comparison.counts.differences()),
    loading: |state| state.sides.is_busy().then_some("Comparing two sides"),
    shown: |state| match state.sides.comparison {
        Some(_) => shown_of(&state.sides.list, "asset"),
        None => String::new(),
    },
    close: |_| None,
};

const RESCUE: PanelInfo = PanelInfo {
    command: Command::GoRescue,
    count: |state| Some(state.rescue.total().1).filter(|received| *received > 0),
    loading: |state| state.rescue.task().map(|_| "Rescuing everything"),
    shown: |state| match state.rescue.shown {
        Some(_) => shown_of(&state.rescue.list, "record"),
        None => String::new(),
    },
    close: |state| state.rescue.open.as_ref().map(|_| RescueAction::Open(None).into()),
};

/// Returns how many tags, websites and workstream summaries there are, if any were read.
fn linked_items(state: &State) -> Option<usize> {
    let known = LinkKind::ALL.into_iter().filter_map(|kind| Some(state.assets.linkable.get(&kind)?.value()?.len()));
    known.reduce(|all, some| all + some)
}

/// Returns what is said of the assets that are shown: those of now, or those of the time that the list is shown of.
fn shown_assets(state: &State) -> String {
    let then = &state.versions.then;
    match (then.at, then.rows.value()) {
        (None, _) => shown_of(&state.assets.list, "asset"),
        (Some(_), Some(rows)) => format!("{} as of then", plural(rows.len(), "asset")),
        (Some(_), None) => String::new(),
    }
}

/// Returns how many rows of a list are shown; nothing of a list that was not read.
fn shown_of<R: Row>(listing: &Listing<R>, one: &str) -> String {
    if listing.rows.value().is_none() {
        return String::new();
    }
    let (shown, all) = (listing.order.len(), listing.count());
    if listing.query.filter.is_empty() || shown == all {
        return plural(all, one);
    }
    format!("{} of {} shown", grouped(shown as u64), grouped(all as u64))
}

/// Returns how many calls were made, by the user and in the background.
fn calls(state: &State) -> String {
    let log = || state.session.log.iter();
    let background = log().filter(|line| line.background).count();
    // The entry of a run counts its calls, also those that are no longer in the log.
    let of_runs: u64 = log().filter_map(|line| line.calls).map(|calls| calls.count).sum();
    let single = log().filter(|line| line.run.is_none() && !line.background).count();
    let asked = plural(single + usize::try_from(of_runs).unwrap_or(usize::MAX), "call");
    if background == 0 { asked } else { format!("{asked}, {} in the background", grouped(background as u64)) }
}
