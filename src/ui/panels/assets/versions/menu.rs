//! The menu of a version: comparing it, using its content, restoring it.

use egui::Ui;

use crate::ui::panels::assets::frame::AssetFrame;
use crate::ui::theme::Icon;
use crate::ui::widgets::context_menu::{Entry, separator};
use crate::ui::widgets::shown_short;
use lunette_client::model::id::VersionNumber;
use lunette_client::model::record::Record as _;
use lunette_inspector::action::{CompareAction, VersionsAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::compare::Source;
use lunette_inspector::versions::{ContentUse, Forgotten, VersionRow};

/// Draws the menu; `earlier` is the version before.
pub(super) fn ui(ui: &mut Ui, row: &VersionRow, earlier: Option<&VersionRow>, frame: &mut AssetFrame<'_>) {
    let Some(version) = number(row) else { return };
    let missing = row.is_missing.then_some("This version cannot be read");
    let now = row.is_current.then_some("This is what the asset is now");
    if let Some(action) = compare_ui(ui, (&version, now), earlier, frame, missing) {
        frame.push(action);
    }
    separator(ui);
    if let Some(purpose) = content_ui(ui, missing) {
        frame.push(VersionsAction::UseContent(frame.id.clone(), version.clone(), purpose));
    }
    let no_line = row.first_line.is_empty().then_some("No line of the content is known to have changed");
    if Entry::new(Icon::COPY, "Copy the first changed line").disabled_reason(no_line).show(ui) {
        ui.ctx().copy_text(row.first_line.clone());
        frame.notify("Copied the line");
    }
    separator(ui);
    let now = now.map(str::to_owned);
    let why_not = now.clone().or(missing.map(str::to_owned)).or(frame.change_disabled_reason(Capability::Edit));
    if Entry::new(Icon::UNDO, "Restore…").disabled_reason(why_not.as_deref()).show(ui) {
        frame.push(VersionsAction::Restore(frame.id.clone(), version.clone()));
    }
    let parts = Entry::new(Icon::UNDO, "Restore parts…").tip("Changed lines, fields and links that you choose");
    if parts.disabled_reason(why_not.as_deref()).show(ui) {
        frame.push(CompareAction::ChooseParts(frame.id.clone(), version.clone()));
    }
    separator(ui);
    let may_not = if frame.state.versions.is_local { None } else { frame.disabled_reason(Capability::ForgetVersions) };
    let why_not = now.or(may_not);
    if Entry::new(Icon::DELETE, "Forget this version…").disabled_reason(why_not.as_deref()).show(ui) {
        let version = Some(version);
        frame.push(VersionsAction::Forget(Forgotten { asset: frame.id.clone(), version }));
    }
}

/// Compares a version with what the asset is now, if it can be read and is not what the asset is now.
pub(super) fn open(row: &VersionRow, frame: &mut AssetFrame<'_>) {
    if let Some(version) = number(row)
        && !row.is_missing
        && !row.is_current
    {
        frame.push(with_now(&version, frame));
    }
}

fn with_now(version: &VersionNumber, frame: &AssetFrame<'_>) -> CompareAction {
    let name = name(frame);
    let then = Source::Version(frame.id.clone(), version.clone(), name.clone());
    CompareAction::Open([then, Source::Asset(frame.id.clone(), name)])
}

/// The name of the asset, as far as it is known.
fn name(frame: &AssetFrame<'_>) -> String {
    frame.page.record.value().and_then(|record| record.view().name().map(str::to_owned)).unwrap_or_default()
}

fn number(row: &VersionRow) -> Option<VersionNumber> {
    u32::try_from(row.number).ok().and_then(VersionNumber::of)
}

/// Draws what a version, which may be what the asset is now, can be compared with; returns what was chosen.
fn compare_ui(
    ui: &mut Ui,
    (version, now): (&VersionNumber, Option<&str>),
    earlier: Option<&VersionRow>,
    frame: &AssetFrame<'_>,
    missing: Option<&str>,
) -> Option<CompareAction> {
    let name = name(frame);
    let source = |version: VersionNumber| Source::Version(frame.id.clone(), version, name.clone());
    let shows = |ui: &mut Ui, title: &str, why_not| Entry::new(Icon::COMPARE, title).disabled_reason(why_not).show(ui);
    let mut chosen = None;
    if shows(ui, "Compare with now", missing.or(now)) {
        chosen = Some(with_now(version, frame));
    }
    let before = earlier.filter(|earlier| !earlier.is_missing).and_then(number);
    let none_before = before.is_none().then_some("There is no version before it that can be read");
    if shows(ui, "Compare with the version before", missing.or(none_before)) {
        chosen = before.map(|before| CompareAction::Open([source(before), source(version.clone())]));
    }
    if let Some(selected) = &frame.state.compare.selected {
        let title = format!("Compare with “{}”", shown_short(&selected.name(), 40));
        if shows(ui, &title, missing) {
            chosen = Some(CompareAction::WithSelected(source(version.clone())));
        }
    }
    if shows(ui, "Select for compare", missing) {
        chosen = Some(CompareAction::Select(source(version.clone())));
    }
    chosen
}

/// Draws what can be done with the content of a version; returns what was chosen.
fn content_ui(ui: &mut Ui, missing: Option<&str>) -> Option<ContentUse> {
    let copies = Entry::new(Icon::COPY, "Copy the content").disabled_reason(missing).show(ui);
    let saves = Entry::new(Icon::SAVE, "Save the content as a file…").disabled_reason(missing).show(ui);
    copies.then_some(ContentUse::Copy).or(saves.then_some(ContentUse::Save))
}
