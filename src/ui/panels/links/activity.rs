//! What happened to the assets of a tag, a website or a workstream summary, newest first.
//!
//! What must hold: it is read when it is first shown; only activities in sight are put into words; what is left out, could not be read or is not told is said.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Rect, Ui, vec2};

use crate::app::action::{AssetsAction, LinksAction};
use crate::app::change::Item;
use crate::app::links::{ItemActivity, ItemEvent, LinkPage};
use crate::app::session::feature::Feature;
use crate::app::{Action, Remote, State};
use crate::ui::activity::{activity_ui, sentence};
use crate::ui::disabled_reason::unsupported_ui;
use crate::ui::list::copy_as;
use crate::ui::list::failure::{failure_ui, stale_ui};
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::context_menu::{entry, separator};
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::row_list::{RowList, RowListState};
use crate::ui::widgets::{grouped, shown_short};

/// The least height of the list, in points.
const LEAST: f32 = 220.0;

/// The list, and the lines that were put into words: to find the tag that one is about, all tags are searched.
#[derive(Default)]
pub(super) struct ActivityList {
    rows: RowListState,
    /// What the lines are of, and of which item.
    made_of: Option<(Arc<ItemActivity>, String)>,
    /// By the place of the activity.
    lines: RefCell<BTreeMap<usize, String>>,
}

impl ActivityList {
    /// Draws the activity of the open item, and has it read if it was not.
    pub fn ui(&mut self, ui: &mut Ui, page: &LinkPage, state: &State, actions: &mut Vec<Action>) {
        let known = page.activity.value();
        if known.is_none()
            && !page.activity.loading()
            && let Some(again) = unsupported_ui(ui, state, Feature::Activities)
        {
            actions.extend(again.then(|| LinksAction::LoadActivity.into()));
            return;
        }
        if page.activity == Remote::Unasked {
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
                let again = facts_ui(ui, activity);
                self.follow(&page.item, activity);
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

    /// Forgets the lines of other data, and where the list of another item was.
    fn follow(&mut self, item: &Item, activity: &Arc<ItemActivity>) {
        let same = |(of, id): &(Arc<ItemActivity>, String)| (Arc::ptr_eq(of, activity), *id == item.id);
        let (same, same_item) = self.made_of.as_ref().map_or((false, false), same);
        if !same_item {
            self.rows.reset();
        }
        if !same {
            self.made_of = Some((Arc::clone(activity), item.id.clone()));
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
        let height = ui.available_height().max(LEAST);
        let rect = Rect::from_min_size(ui.cursor().min, vec2(ui.available_width(), height));
        let list = RowList { name: "Activity of its assets", rect, rows: activity.events.len(), row_name: &name };
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

/// Draws whose activity it is, and what is missing of it; returns whether to read it again.
fn facts_ui(ui: &mut Ui, activity: &ItemActivity) -> bool {
    if activity.of == 0 {
        let (title, advice) = match activity.told {
            true => ("No asset is linked to it", "What happens to its assets is listed here."),
            false => (
                "The service does not say which assets have it",
                "Open an asset that has it: what happened to opened assets can be shown.",
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

/// Returns whose activity it is.
fn scope(activity: &ItemActivity) -> String {
    let ItemActivity { older, looked_at, of, told, .. } = *activity;
    let whose = match (told, looked_at < of) {
        (true, false) => format!("Of its {}", assets(of)),
        (true, true) => format!("Of those {} of its {} that changed last", grouped(looked_at as u64), assets(of)),
        (false, _) => {
            let were = if looked_at == 1 { "was" } else { "were" };
            format!("The service does not say which assets have it. Of {} that {were} opened", assets(looked_at))
        }
    };
    match (activity.events.len(), older) {
        (0, _) => format!("{whose}: no activity yet."),
        (count, true) => format!("{whose}: the newest {}.", grouped(count as u64)),
        (_, false) => format!("{whose}, newest first."),
    }
}

fn assets(count: usize) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { "asset" } else { "assets" })
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

    fn activity(looked_at: usize, of: usize, told: bool) -> ItemActivity {
        ItemActivity { events: Vec::new(), older: false, looked_at, of, failed: 0, told }
    }

    #[test]
    fn what_is_left_out_and_what_is_not_told_is_said() {
        assert_eq!(scope(&activity(1, 1, true)), "Of its 1 asset: no activity yet.");
        let left_out = scope(&activity(24, 1_000, true));
        assert!(left_out.starts_with("Of those 24 of its 1,000 assets that changed last"), "{left_out}");
        let untold = scope(&activity(2, 2, false));
        assert!(
            untold.starts_with("The service does not say") && untold.contains("2 assets that were opened"),
            "{untold}"
        );
    }
}
