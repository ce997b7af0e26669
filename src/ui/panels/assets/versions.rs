//! The tab of earlier versions of the open asset: who changed what, when, and in which lines.
//!
//! What must hold: what was not recorded, is no longer kept or is damaged is said where it would be; nothing is drawn for it.

use std::borrow::Cow;

use egui::Ui;

use super::frame::AssetFrame;
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::format;
use crate::ui::theme::{Icon, SPACE_M, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::Entry;
use crate::ui::widgets::row_list::{RowList, RowListState};
use crate::ui::widgets::{grouped, shown_short};
use lunette_client::model::id::VersionNumber;
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::version::{AssetVersion, AssetVersions};
use lunette_inspector::action::VersionsAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::versions::VersionRow;

/// Maximum number of characters of a line, and of who changed something.
const MAX_LINE: usize = 160;
const MAX_WHO: usize = 60;

/// What the tab shows besides its rows.
#[derive(Default)]
pub(super) struct VersionsTab {
    rows: RowListState,
}

impl VersionsTab {
    /// Draws the versions in the available space.
    pub(super) fn ui(&mut self, ui: &mut Ui, versions: &AssetVersions, frame: &mut AssetFrame<'_>) {
        for told in told(versions) {
            ui.caption(&told);
            ui.add_space(SPACE_S);
        }
        let why_not = frame.disabled_reason(Capability::ForgetVersions);
        let earlier = versions.view().iterable().len() > 1;
        let button = |ui: &mut Ui| ui.button("Forget the past…");
        if earlier && enabled_unless(ui, why_not.as_deref(), button).clicked() {
            frame.push(VersionsAction::Forget(frame.id.clone()));
        }
        ui.add_space(SPACE_S);
        let rows = VersionRow::all(versions);
        let name = |row: usize| rows.get(row).map(row_name).unwrap_or_default();
        let rect = ui.available_rect_before_wrap();
        let list = RowList { name: "Versions", rect, rows: rows.len(), row_name: &name, drags: false };
        let drawn = list.show(ui, &mut self.rows, |ui, row| {
            if let (Some(row), Some(version)) = (rows.get(row), versions.view().iterable().iter().nth(row)) {
                row_ui(ui, row, version);
            }
        });
        let Some(row) = rows.get(drawn.row) else { return };
        drawn.menu(&format!("Menu of version {}", row.number), |ui| menu_ui(ui, row, frame));
    }
}

/// What is said above the rows: what they do not have, and how much is kept.
fn told(versions: &AssetVersions) -> Vec<String> {
    let view = versions.view();
    let first = match view.ended() {
        Some(ended) => Some(format!("Versions up to {ended} are no longer kept.")),
        None if !view.from_creation() => {
            Some("What was before the first of these versions is not recorded.".to_owned())
        }
        None => None,
    };
    let gaps = view.gaps().into_iter().flat_map(|gaps| gaps.iter()).map(|gap| {
        let time = |end: &str| gap[end]["value"].as_str().map_or_else(|| "now".to_owned(), format::exact);
        format!("Gap: from {} to {} no versions were kept.", time("from"), time("to"))
    });
    let kept = |of: &str| view.kept()[of].as_u64();
    let bounds = kept("days").zip(kept("versions"));
    let bounds = bounds.map(|(days, versions)| {
        format!("Versions are kept for {} days, {} of each asset.", grouped(days), grouped(versions))
    });
    first.into_iter().chain(gaps).chain(bounds).collect()
}

/// What a row is called: its number, when and by whom it was written, and what changed.
fn row_name(row: &VersionRow) -> Cow<'_, str> {
    let at = if row.at.is_empty() { "time not recorded".to_owned() } else { format::ago(&row.at) };
    let said = [at, who(row), row.changed.clone(), row.lines.clone(), row.first_line.clone(), row.note.clone()];
    let said: Vec<_> = said.iter().filter(|said| !said.is_empty()).map(|said| shown_short(said, MAX_LINE)).collect();
    format!("Version {}, {}", row.number, said.join(", ")).into()
}

fn who(row: &VersionRow) -> String {
    if row.who.is_empty() { String::new() } else { format!("by {}", shown_short(&row.who, MAX_WHO)) }
}

fn row_ui(ui: &mut Ui, row: &VersionRow, version: View<'_, AssetVersion>) {
    ui.style_mut().interaction.selectable_labels = false;
    ui.horizontal(|ui| {
        ui.strong(format!("Version {}", row.number));
        if version.current() {
            ui.badge("Now");
        }
        match row.at.as_str() {
            "" => drop(ui.muted("time not recorded")),
            at => drop(ui.muted(&format::ago(at)).on_hover_text(format::exact(at))),
        }
        let who = who(row);
        if !who.is_empty() {
            ui.muted(&who);
        }
        ui.add_space(SPACE_M);
        if !row.lines.is_empty() {
            ui.code_text(&row.lines);
        }
        if version.deleted().is_some() {
            ui.badge(if version.deleted() == Some("purged") { "Deleted for good" } else { "In the Trash" });
        }
    });
    match version.missing() {
        Some(why) => drop(ui.caption(&format!("Missing: {}", shown_short(why, MAX_LINE)))),
        None => drop(ui.caption(&shown_short(&row.changed, MAX_LINE))),
    }
    if !row.first_line.is_empty() {
        ui.code_text(&shown_short(&row.first_line, MAX_LINE));
    }
    ui.add_space(SPACE_S);
    ui.line();
    ui.add_space(SPACE_S);
}

/// Draws the menu of a version.
fn menu_ui(ui: &mut Ui, row: &VersionRow, frame: &mut AssetFrame<'_>) {
    let why_not = frame.change_disabled_reason(Capability::Edit);
    let missing = row.is_missing.then(|| "This version cannot be read".to_owned());
    let now = row.is_current.then(|| "This is what the asset is now".to_owned());
    let why_not = now.or(missing).or(why_not);
    let number = u32::try_from(row.number).ok().and_then(VersionNumber::of);
    if let Some(number) = number
        && Entry::new(Icon::UNDO, "Restore…").disabled_reason(why_not.as_deref()).show(ui)
    {
        frame.push(VersionsAction::Restore(frame.id.clone(), number));
    }
}
