//! Tests of the usage of an application by day.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::*;
use lunette_inspector::inventory::{InventoryHistory, UsageHistory};

fn usage(sessions: u64) -> Usage {
    Usage { sessions, interactions: 0, keyboard: 4 * sessions, open_seconds: 90 * sessions }
}

fn date(text: &str) -> Date {
    text.parse().expect("a day")
}

/// The page of an application that was used on two of the last four days.
struct Page {
    row: InventoryRow,
    state: State,
    pictures: Pictures,
    actions: Vec<Action>,
}

fn page() -> Harness<'static, Page> {
    let day = |back: i64| jiff::ZonedDateTime::now().date().saturating_sub(jiff::Span::new().days(back));
    let counters: BTreeMap<Date, Usage> = [(day(9), usage(1)), (day(3), usage(3)), (day(0), usage(4))].into();
    let history = InventoryHistory { usage: UsageHistory::of("key", counters), ..InventoryHistory::default() };
    let mut state = State::default();
    state.inventory.history = Arc::new(history);
    let mut row = InventoryRow::removed("key".to_owned(), "EDITOR".to_owned(), String::new());
    row.usage_key = Some("key".to_owned());
    let page = Page { row, state, pictures: Pictures::default(), actions: Vec::new() };
    Harness::builder().with_context_setup(crate::ui::theme::install).with_size([700.0, 700.0]).build_ui_state(
        |ui, page: &mut Page| {
            let Page { row, state, pictures, actions } = page;
            super::ui(ui, row, pictures, state, actions);
        },
        page,
    )
}

#[test]
fn each_metric_is_summarised_with_its_unit_over_all_days() {
    let mut page = page();
    page.run();
    let last = |back: i64| jiff::ZonedDateTime::now().date().saturating_sub(jiff::Span::new().days(back));
    // The plot and its bars share a name.
    let assert_label = |text: String| assert!(page.query_all_by_label(&text).next().is_some(), "{text}");
    assert_label(format!("Sessions by day: 3 sessions in 4 days, most on {} with 2", last(3)));
    assert_label(format!("Open time by day: 4 minutes in 4 days, most on {} with 3", last(3)));
    assert_label(format!("Keys by day: 12 keys in 4 days, most on {} with 8", last(3)));
    assert!(page.query_all_by_label_contains("Interactions").next().is_none(), "there were none");
}

#[test]
fn the_copied_numbers_have_a_line_for_each_day() {
    let mut page = page();
    page.run();
    page.get_by_label("Copy the numbers").click();
    page.step();
    let commands = &page.output().platform_output.commands;
    let copied = commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let copied = copied.expect("the numbers");
    assert_eq!(copied.lines().count(), 5, "{copied}");
    assert_eq!(page.state().actions, [Action::Notify("Copied the usage of 4 days".to_owned())]);
}

#[test]
fn a_line_of_the_csv_has_every_metric() {
    let days = [(date("2026-11-01"), Usage { sessions: 2, interactions: 3, keyboard: 4, open_seconds: 5 })];
    assert_eq!(csv(&days), "day,sessions,open_seconds,interactions,keys\r\n2026-11-01,2,5,3,4\r\n");
}

#[test]
fn the_plots_are_saved_as_one_picture() {
    let mut page = page();
    page.run();
    page.get_by_label("Save as PNG…").click();
    page.step();
    let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while page.state().actions.is_empty() && std::time::Instant::now() < end {
        page.step();
    }
    let [Action::Inventory(InventoryAction::SavePlot(name, picture))] = page.state().actions.as_slice() else {
        panic!("{:?}", page.state().actions)
    };
    assert_eq!(name, "usage of Editor.png");
    assert!(picture.png().expect("a picture").starts_with(b"\x89PNG"));
    // The tallest bars of the three plots are drawn in their colour.
    let blue = picture.dots.chunks_exact(4).filter(|dot| dot[..3] == [0x8f, 0xb3, 0xe0]).count();
    assert!(blue > 3_000, "{blue}");
}
