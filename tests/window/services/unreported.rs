//! Links and sizes that a service does not tell are drawn as a state of their own.

use egui::Role;
use lunette_inspector::Action;
use lunette_inspector::panel::Panel;

use serde_json::Value;

use crate::panels::asset_page::open;
use crate::stage::Stage;
use crate::support::mutating_proxy::{Asked, MutatingProxy, ProxyAction};

#[test]
fn unreported_links_are_shown_differently_from_none() {
    let behind = Stage::embedded();
    let id = behind.asset("a.txt", "text");
    let decide = |asked: &Asked| match asked.path.starts_with("/asset/") && asked.method == "GET" {
        true => ProxyAction::Change(Box::new(|reply| {
            reply.json(|tree| {
                if let Some(fields) = tree.as_object_mut() {
                    fields.remove("tags");
                }
            });
        })),
        false => ProxyAction::Pass,
    };
    let proxy = MutatingProxy::start(behind.port(), decide);
    let mut stage = Stage::patient(&proxy.url());
    stage.until_idle();
    stage.harness.set_size(egui::vec2(1280.0, 1400.0));
    stage.perform(Action::Refresh(Panel::Assets));
    open(&mut stage, &id);
    stage.until_label("unknown");
    assert!(stage.draws(Role::Label, "tags"), "tags are not reported");
    assert!(!stage.draws(Role::Label, "links"), "websites and summaries are: there are none");
}

/// Removes a field from all objects of a tree.
fn remove_everywhere(tree: &mut Value, field: &str) {
    match tree {
        Value::Object(fields) => {
            fields.remove(field);
            fields.values_mut().for_each(|value| remove_everywhere(value, field));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| remove_everywhere(value, field)),
        _ => {}
    }
}

#[test]
fn a_size_that_is_not_told_is_unknown_in_the_list_and_not_zero() {
    let behind = Stage::embedded();
    behind.asset("a.txt", "text");
    let decide = |asked: &Asked| match asked.path.starts_with("/assets") && asked.method == "GET" {
        true => ProxyAction::Change(Box::new(|reply| reply.json(|tree| remove_everywhere(tree, "size")))),
        false => ProxyAction::Pass,
    };
    let proxy = MutatingProxy::start(behind.port(), decide);
    let mut stage = Stage::patient(&proxy.url());
    stage.perform(Action::Refresh(Panel::Assets));
    stage.ctrl(egui::Key::Num3);
    stage.until("it is listed", |state| state.assets.list.shown(0).is_some_and(|row| row.size().is_none()));
    stage.settle();
    let header = stage.find(Role::ColumnHeader, "Size").rect();
    let cells = egui_kittest::kittest::Queryable::query_all_by_label(&stage.harness, "unknown");
    let below = cells.filter(|cell| header.x_range().contains(cell.rect().center().x)).count();
    assert_eq!((below, stage.says("0 B")), (1, false));
}
