//! The activity of an asset, newest first, in sentences.
//!
//! What must hold: activities are sorted once, and only those in sight are put into words.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use egui::Ui;
use serde_json::Value;

use crate::ui::activity::{activity_ui, sentence};
use crate::ui::list::copy_as;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::background::{Background, Identity};
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::row_list::{RowList, RowListResponse, RowListState};
use crate::ui::widgets::shown_short;
use lunette_client::model::activity::{Activities, Activity};
use lunette_client::model::asset::Asset;
use lunette_client::model::record::{Record as _, View};
use lunette_inspector::Action;
use lunette_inspector::change::linked_name;

/// The activities in order, and the view state.
#[derive(Default)]
pub struct Timeline {
    order: Background<Identity<Activities>, Vec<u32>>,
    sentences: Sentences,
    list: RowListState,
}

/// The activities that were put into words: to find the link that one is about, all links are searched.
#[derive(Default)]
struct Sentences {
    made_of: Option<(Identity<Activities>, Identity<Asset>)>,
    /// By the index of the activity in its list.
    known: RefCell<BTreeMap<u32, String>>,
}

/// Maximum number of sentences that are kept; tens of them are in sight.
const MAX_SENTENCES: usize = 1_000;

impl Timeline {
    /// Draws a timeline of the activities.
    pub fn ui(&mut self, ui: &mut Ui, asset: &Arc<Asset>, activities: &Arc<Activities>, actions: &mut Vec<Action>) {
        let trees = activities.view().iterable().trees();
        if trees.is_empty() {
            match activities.view().tells("iterable") {
                true => empty(ui, Icon::ACTIVITY, "No activity yet", "What happens to the asset is listed here.", &[]),
                false => {
                    let text = "The service does not say what happened to this asset";
                    empty(ui, Icon::UNKNOWN, text, "Its response is in the Log.", &[])
                }
            };
            return;
        }
        let Self { order, sentences, list } = self;
        sentences.follow(asset, activities);
        let given = Arc::clone(activities);
        let work = move || newest_first(given.view());
        let order = match order.get_prepared(ui.ctx(), &Identity(Arc::clone(activities)), trees.len(), work) {
            Some(Ok(order)) => order,
            Some(Err(problem)) => {
                ui.error_text(&format!("the activities could not be sorted: {problem}"));
                return;
            }
            None => return skeleton(ui, "the activities", 5),
        };
        let activity = |row: usize| order.get(row).and_then(|index| Some((*index, trees.get(*index as usize)?)));
        let row_name = |row: usize| {
            let words = activity(row).map(|(index, tree)| sentences.of(asset, index, View::of(tree)));
            Cow::Owned(words.unwrap_or_default())
        };
        let rect = ui.available_rect_before_wrap();
        let rows = RowList { name: "Activities", rect, rows: order.len(), row_name: &row_name, drags: false };
        let drawn = rows.show(ui, list, |ui, row| {
            if let Some((_, tree)) = activity(row) {
                activity_ui(ui, View::of(tree), &row_name(row));
            }
        });
        if let Some((_, tree)) = activity(drawn.row) {
            menu_ui(&drawn, &row_name(drawn.row), tree, actions);
        }
    }
}

/// Draws the context menu of an activity.
fn menu_ui(drawn: &RowListResponse, sentence: &str, tree: &Value, actions: &mut Vec<Action>) {
    let activity: View<'_, Activity> = View::of(tree);
    drawn.menu(&format!("Menu of {}", shown_short(sentence, 80)), |ui| {
        copy_as::entry_ui(ui, "text", Some(&sentence.to_owned()), actions);
        copy_as::entry_ui(ui, "time", Some(&activity.created().value().to_owned()), actions);
        copy_as::entry_ui(ui, "id", Some(&activity.id().to_owned()), actions);
        copy_as::json_entry_ui(ui, "activity", || tree.clone(), actions);
    });
}

impl Sentences {
    /// Forgets the sentences of other data.
    fn follow(&mut self, asset: &Arc<Asset>, activities: &Arc<Activities>) {
        let made_of = Some((Identity(Arc::clone(activities)), Identity(Arc::clone(asset))));
        if self.made_of != made_of || self.known.borrow().len() > MAX_SENTENCES {
            *self = Self { made_of, known: RefCell::default() };
        }
    }

    /// Returns the sentence of the activity at this index.
    fn of(&self, asset: &Asset, index: u32, activity: View<'_, Activity>) -> String {
        let new = || sentence(&|kind, id| linked_name(asset.view(), kind, id), activity.event().tree());
        self.known.borrow_mut().entry(index).or_insert_with(new).clone()
    }
}

/// Returns the indices of the activities, newest first; those of the same time stay in their order.
fn newest_first(activities: View<'_, Activities>) -> Vec<u32> {
    let times: Vec<&str> = activities.iterable().iter().map(|activity| activity.created().value()).collect();
    let mut order: Vec<u32> = (0..).take(times.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(times[*index as usize]));
    order
}
