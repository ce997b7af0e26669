//! What happened to the assets of a tag, a website or a workstream summary, newest first.
//!
//! What must hold: it is read when it is first shown; only visible activities are formatted; it says what is left out,
//! could not be read or is not reported.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Rect, Ui, vec2};

use crate::ui::activity::{activity_ui, sentence};
use crate::ui::disabled_reason::unsupported_ui;
use crate::ui::list::copy_as;
use crate::ui::list::failure::{failure_ui, stale_ui};
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::{entry, separator};
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::row_list::{RowList, RowListState};
use crate::ui::widgets::{grouped, plural, shown_short};
use lunette_inspector::action::{AssetsAction, LinksAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::Item;
use lunette_inspector::links::{ItemActivity, ItemEvent, LinkPage};
use lunette_inspector::{Action, Remote, State};

/// The least height of the list, in points.
const MIN_HEIGHT: f32 = 220.0;

/// The list, and its formatted lines: formatting one searches all tags for its name.
#[derive(Default)]
pub(super) struct ActivityList {
    rows: RowListState,
    /// The data and the item that the lines were made from.
    source: Option<(Arc<ItemActivity>, String)>,
    /// The formatted lines by index of the activity.
    lines: RefCell<BTreeMap<usize, String>>,
}

impl ActivityList {
    /// Draws the activity of the open item, and requests it if it was not read.
    pub fn ui(&mut self, ui: &mut Ui, page: &LinkPage, state: &State, actions: &mut Vec<Action>) {
        let known = page.activity.value();
        if known.is_none()
            && !page.activity.loading()
            && let Some(again) = unsupported_ui(ui, state, Capability::Activities)
        {
            actions.extend(again.then(|| LinksAction::LoadActivity.into()));
            return;
        }
        if page.activity == Remote::NotRequested {
            actions.push(LinksAction::LoadActivity.into());
        }
        let again = match (known, page.activity.error()) {
            (None, Some(error)) => failure_ui(ui, "The activity could not be read", error),
            (None, None) => {
                skeleton(ui, "the activity", 5);
                false
            }
            (Some(activity), error) => {
                let stale = error.is_some_and(|error| stale_ui(ui, "The activity", error));
                let again = summary_ui(ui, activity);
                self.reset_if_changed(&page.item, activity);
                if !activity.events.is_empty() {
                    self.events_ui(ui, activity, state, actions);
                }
                stale || again
            }
        };
        if again {
            actions.push(LinksAction::LoadActivity.into());
        }
    }

    /// Clears lines made from other data, and the scroll position of another item.
    fn reset_if_changed(&mut self, item: &Item, activity: &Arc<ItemActivity>) {
        let same = |(of, id): &(Arc<ItemActivity>, String)| (Arc::ptr_eq(of, activity), item.id == **id);
        let (same, same_item) = self.source.as_ref().map_or((false, false), same);
        if !same_item {
            self.rows.reset();
        }
        if !same {
            self.source = Some((Arc::clone(activity), item.id.to_string()));
            self.lines.borrow_mut().clear();
        }
    }

    fn events_ui(&mut self, ui: &mut Ui, activity: &ItemActivity, state: &State, actions: &mut Vec<Action>) {
        ui.add_space(SPACE_S);
        let Self { rows, lines, .. } = self;
        let name = |row: usize| {
            let event = activity.events.get(row);
            let new = || event.map(|event| line(state, event)).unwrap_or_default();
            Cow::Owned(lines.borrow_mut().entry(row).or_insert_with(new).clone())
        };
        let height = ui.available_height().max(MIN_HEIGHT);
        let rect = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), height));
        let list = RowList {
            name: "Activity of its assets",
            rect,
            rows: activity.events.len(),
            row_name: &name,
            drags: false,
        };
        let shown = list.show(ui, rows, |ui, row| {
            if let Some(event) = activity.events.get(row) {
                activity_ui(ui, event.view(), &name(row));
            }
        });
        let Some(event) = activity.events.get(shown.row) else { return };
        let mut open = shown.opened || shown.response.double_clicked();
        shown.menu(&format!("Menu of {}", shown_short(&event.name, 80)), |ui| {
            open |= entry(ui, Icon::SHOWN, "Open the asset");
            separator(ui);
            copy_as::entry_ui(ui, "id", Some(&event.asset.to_string()), actions);
        });
        if open {
            actions.push(AssetsAction::Open(event.asset.clone()).into());
        }
    }
}

/// Draws which assets the activity belongs to, and what is missing; returns whether to read it again.
fn summary_ui(ui: &mut Ui, activity: &ItemActivity) -> bool {
    if activity.of == 0 {
        let (title, advice) = match activity.reported {
            true => ("No asset is linked to it", "What happens to its assets is listed here."),
            false => (
                "The service does not say which assets have it",
                "Open an asset that has it; the activity of opened assets can be shown.",
            ),
        };
        return empty(ui, Icon::ACTIVITY, title, advice, &["Read again"]).is_some();
    }
    if activity.failed > 0 {
        let text = format!("The activity of {} could not be read.", assets(activity.failed));
        ui.warning_text(&text);
    }
    ui.horizontal_wrapped(|ui| {
        ui.caption(&scope(activity));
        ui.line_button("Read again").clicked()
    })
    .inner
}

/// Returns which assets the activity belongs to.
fn scope(activity: &ItemActivity) -> String {
    let ItemActivity { older, assets_read_count, of, reported, .. } = *activity;
    let scope_text = match (reported, assets_read_count < of) {
        (true, false) => format!("Activity of its {}", assets(of)),
        (true, true) => {
            format!("Activity of the {} of its {} that changed last", grouped(assets_read_count as u64), assets(of))
        }
        (false, _) => {
            format!(
                "The service does not say which assets have it. Activity of {} that you opened",
                assets(assets_read_count)
            )
        }
    };
    match (activity.events.len(), older) {
        (0, _) => format!("{scope_text}: none yet."),
        (count, true) => format!("{scope_text}: the newest {}.", grouped(count as u64)),
        (_, false) => format!("{scope_text}, newest first."),
    }
}

fn assets(count: usize) -> String {
    plural(count, "asset")
}

/// Returns what happened, in a line that begins with the name of the asset.
fn line(state: &State, event: &ItemEvent) -> String {
    let name_of = |kind, id: &str| {
        let mut rows = state.links.list(kind).iter();
        let listed = rows.find(|row| row.item.id.eq_ignore_ascii_case(id)).map(|row| row.item.name());
        listed.or_else(|| state.assets.items(kind).iter().find(|item| item.id.eq_ignore_ascii_case(id)).map(Item::name))
    };
    format!("{}: {}", shown_short(&event.name, 60), sentence(&name_of, event.view().event().tree()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn activity(assets_read_count: usize, of: usize, reported: bool) -> ItemActivity {
        ItemActivity { events: Vec::new(), older: false, assets_read_count, of, failed: 0, reported }
    }

    #[test]
    fn the_caption_says_what_is_left_out_or_unreported() {
        assert_eq!(scope(&activity(1, 1, true)), "Activity of its 1 asset: none yet.");
        let left_out = scope(&activity(24, 1_000, true));
        assert!(left_out.starts_with("Activity of the 24 of its 1,000 assets that changed last"), "{left_out}");
        let unreported = scope(&activity(2, 2, false));
        assert!(
            unreported.starts_with("The service does not say") && unreported.contains("2 assets that you opened"),
            "{unreported}"
        );
    }
}
