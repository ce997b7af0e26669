//! A search of a service of others, which does not go on by itself: the loaded rows are searched behind its own hits, and
//! each typed text is one request.

use std::sync::{Arc, Mutex, PoisonError};

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use serde_json::json;

use crate::stage::Stage;
use crate::support::mutating_proxy::{Asked, MutatingProxy, ProxyAction, Reply};

/// A service of others that lists three assets, and whose search always finds the last of them. Its requests are counted.
struct Foreign {
    _behind: Stage,
    proxy: MutatingProxy,
}

impl Foreign {
    fn start() -> Self {
        let behind = Stage::embedded();
        behind.asset("debounce input", "x");
        behind.asset("debounce", "x");
        let found = behind.asset("zebra", "x");
        let answers = Arc::new(Mutex::new(found));
        let decide = move |asked: &Asked| match asked.path.as_str() {
            "/assets/search" => ProxyAction::Respond(hit(&answers.lock().unwrap_or_else(PoisonError::into_inner))),
            _ => ProxyAction::Pass,
        };
        let proxy = MutatingProxy::named("stub/1", behind.port(), decide);
        Self { _behind: behind, proxy }
    }

    /// A window on it, with its assets listed.
    fn window(&self) -> Stage {
        let mut stage = Stage::at(&self.proxy.url());
        stage.until("they are listed", |state| state.assets.list.count() == 3 && !state.assets.list.rows.loading());
        assert!(!stage.state().connection.vendor.is_lunette());
        stage.ctrl(Key::Num3);
        stage
    }

    /// How many searches it was asked for.
    fn searches(&self) -> usize {
        self.proxy.asked().iter().filter(|asked| asked.path == "/assets/search").count()
    }
}

fn hit(id: &AssetId) -> Reply {
    let hit = json!({ "exact": false, "score": 1, "match": "CONTENT", "identifier": id.as_str() });
    let body = json!({ "iterable": [hit], "suggested": 1, "exact": 0 }).to_string().into_bytes();
    Reply { status: 200, content_type: "application/json".to_owned(), body }
}

fn rows(stage: &Stage) -> Vec<String> {
    let nodes = stage.harness.query_all_by_role(Role::Row);
    nodes.filter_map(|node| node.accesskit_node().label()).collect()
}

fn searched(stage: &mut Stage, text: &str, count: usize) {
    let wanted = text.to_owned();
    stage.until("the search is done", move |state| {
        let found = state.assets.found.as_ref().filter(|found| found.text == wanted && !found.hits.loading());
        found.and_then(|found| found.hits.value()).is_some_and(|hits| hits.count() == count)
    });
    stage.settle();
}

#[test]
fn its_own_hits_come_first_and_the_loaded_rows_behind_them_for_one_request() {
    let foreign = Foreign::start();
    let mut stage = foreign.window();
    stage.type_into("Filter assets", "debuonce input");
    stage.ctrl(Key::Enter);
    searched(&mut stage, "debuonce input", 3);
    stage.until_said("Searched for debounce instead of debuonce.");
    let all = "These have all of them, or something like them, 1";
    let one = "These have 1 of the 2 words, 1";
    assert_eq!(rows(&stage), ["Found by the service, 1", "zebra", all, "debounce input", one, "debounce"]);
    assert_eq!(foreign.searches(), 1);
}

#[test]
fn exact_words_and_words_as_typed_are_one_request_each_too() {
    let foreign = Foreign::start();
    let mut stage = foreign.window();
    stage.type_into("Filter assets", "debuonce input");
    stage.ctrl(Key::Enter);
    searched(&mut stage, "debuonce input", 3);
    stage.press("Search for “debuonce”");
    searched(&mut stage, "\"debuonce\" input", 2);
    assert_eq!(stage.value_of("Filter assets"), "\"debuonce\" input");
    assert_eq!(rows(&stage)[2..], ["These have 1 of the 2 words, 1", "debounce input"]);
    stage.find(Role::CheckBox, "Exact words only").click();
    stage.settle();
    searched(&mut stage, "\"debuonce\" input", 1);
    assert_eq!(rows(&stage), ["zebra"]);
    assert_eq!(foreign.searches(), 3);
}

#[test]
fn each_text_in_the_palette_is_one_request_at_most() {
    let foreign = Foreign::start();
    let mut stage = foreign.window();
    stage.ctrl(Key::K);
    stage.type_into("Search or run a command", "debuonce");
    stage.until_label("Found by the service");
    stage.until_label("These have something like it");
    for _ in 0..10 {
        stage.harness.step();
    }
    assert_eq!(foreign.searches(), 1);
    stage.type_into("Search or run a command", " input");
    stage.until_label("These have 1 of the 2 words");
    assert_eq!(foreign.searches(), 2);
}
