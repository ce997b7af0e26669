//! The menu of a version: comparing it, using its content, restoring it.

use egui::Ui;

use crate::ui::panels::assets::frame::AssetFrame;
use crate::ui::theme::Icon;
use crate::ui::widgets::context_menu::{Entry, entry, separator};
use crate::ui::widgets::shown_short;
use lunette_client::model::id::VersionNumber;
use lunette_client::model::record::Record as _;
use lunette_inspector::action::{CompareAction, VersionsAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::compare::Source;
use lunette_inspector::versions::{ContentUse, VersionRow};

/// Draws the menu; `earlier` is the version before.
pub(super) fn ui(ui: &mut Ui, row: &VersionRow, earlier: Option<&VersionRow>, frame: &mut AssetFrame<'_>) {
    let number = |row: &VersionRow| u32::try_from(row.number).ok().and_then(VersionNumber::of);
    let Some(version) = number(row) else { return };
    let name = frame.page.record.value().and_then(|record| record.view().name().map(str::to_owned)).unwrap_or_default();
    let missing = row.is_missing.then_some("This version cannot be read");
    let source = |version: VersionNumber| Source::Version(frame.id.clone(), version, name.clone());
    let now = Source::Asset(frame.id.clone(), name.clone());
    let mut asked = Vec::new();
    if Entry::new(Icon::COMPARE, "Compare with now").disabled_reason(missing).show(ui) {
        asked.push(CompareAction::Open([source(version.clone()), now]));
    }
    let before = earlier.filter(|earlier| !earlier.is_missing).and_then(number);
    let none_before = before.is_none().then_some("There is no version before it that can be read");
    if Entry::new(Icon::COMPARE, "Compare with the version before").disabled_reason(missing.or(none_before)).show(ui)
        && let Some(before) = before
    {
        asked.push(CompareAction::Open([source(before), source(version.clone())]));
    }
    if let Some(selected) = &frame.state.compare.selected {
        let title = format!("Compare with “{}”", shown_short(&selected.name(), 40));
        if Entry::new(Icon::COMPARE, &title).disabled_reason(missing).show(ui) {
            asked.push(CompareAction::WithSelected(source(version.clone())));
        }
    }
    if Entry::new(Icon::COMPARE, "Select for compare").disabled_reason(missing).show(ui) {
        asked.push(CompareAction::Select(source(version.clone())));
    }
    asked.into_iter().for_each(|action| frame.push(action));
    separator(ui);
    let mut content = None;
    if Entry::new(Icon::COPY, "Copy the content").disabled_reason(missing).show(ui) {
        content = Some(ContentUse::Copy);
    }
    if Entry::new(Icon::SAVE, "Save the content as a file…").disabled_reason(missing).show(ui) {
        content = Some(ContentUse::Save);
    }
    if let Some(purpose) = content {
        frame.push(VersionsAction::UseContent(frame.id.clone(), version.clone(), purpose));
    }
    if entry(ui, Icon::COPY, "Copy the first changed line") {
        ui.ctx().copy_text(row.first_line.clone());
    }
    separator(ui);
    let now = row.is_current.then(|| "This is what the asset is now".to_owned());
    let why_not = now.or(missing.map(str::to_owned)).or(frame.change_disabled_reason(Capability::Edit));
    if Entry::new(Icon::UNDO, "Restore…")
        .tip("Compare it with now to take over some parts only")
        .disabled_reason(why_not.as_deref())
        .show(ui)
    {
        frame.push(VersionsAction::Restore(frame.id.clone(), version));
    }
}
