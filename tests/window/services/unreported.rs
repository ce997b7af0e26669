//! Links that a service does not tell are drawn as a state of their own.

use lunette_inspector::Action;
use lunette_inspector::panel::Panel;

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
    stage.until_label("Unknown");
    let texts = |label: &str| egui_kittest::kittest::Queryable::query_all_by_label(&stage.harness, label).count();
    assert_eq!((texts("Unknown"), texts("None")), (1, 2), "tags are not reported; there are no websites and summaries");
}
