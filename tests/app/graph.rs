//! The graph of what is linked: its links are those of the records, it is bounded, it follows changes, and it says what
//! is not told.

use std::collections::{BTreeMap, BTreeSet};

use lunette_client::model::id::{AssetId, TagId};
use lunette_client::operation::table::{
    AssetAssociateTag, AssetAssociateWebsite, AssetAssociateWorkstreamSummary, AssetsDeleteAsset,
};
use lunette_inspector::Remote;
use lunette_inspector::action::{BulkAction, GraphAction, HistoryAction};
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::graph::{Graph, MAX_NODES, NodeKey, NodeKind, ReadState, Start};
use lunette_inspector::runs::BulkOperation;
use lunette_inspector::settings::GraphFilter;
use lunette_inspector::sync::SyncIntervals;
use serde_json::Value;

use crate::stage::Stage;
use crate::support::assets;

/// A service with assets and items that are linked in a way that only looks random.
struct Store {
    stage: Stage,
    assets: Vec<AssetId>,
    items: Vec<(LinkKind, String)>,
    /// Every link that the records of the assets tell.
    links: BTreeSet<(NodeKey, NodeKey)>,
}

fn store(seed: u64) -> Store {
    let stage = Stage::new();
    let client = stage.client();
    let mut random = seed;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let assets: Vec<_> = (0..20).map(|number| stage.asset(&format!("{number}.txt"), "text")).collect();
    let mut items = Vec::new();
    for number in 0..4 {
        let tag = stage.tag(&format!("tag {number}"));
        let website = stage.wait_for(assets::website(&client, &format!("https://example.test/{number}")));
        let summary = stage.wait_for(assets::summary(&client, &format!("summary {number}")));
        for _ in 0..next(9) {
            let (asset, tag) = (assets[next(20)].clone(), tag.clone());
            stage.call(AssetAssociateTag { asset, tag }).expect("linked");
        }
        for _ in 0..next(6) {
            let (asset, website) = (assets[next(20)].clone(), website.clone());
            stage.call(AssetAssociateWebsite { asset, website }).expect("linked");
        }
        for _ in 0..next(4) {
            let (asset, workstream_summary) = (assets[next(20)].clone(), summary.clone());
            stage.call(AssetAssociateWorkstreamSummary { asset, workstream_summary }).expect("linked");
        }
        items.push((LinkKind::Tag, tag.as_str().to_owned()));
        items.push((LinkKind::Website, website.as_str().to_owned()));
        items.push((LinkKind::Summary, summary.as_str().to_owned()));
    }
    let mut links = BTreeSet::new();
    for asset in &assets {
        let tree = stage.tree(asset);
        for (kind, field) in [
            (LinkKind::Tag, "/tags/iterable"),
            (LinkKind::Website, "/websites/iterable"),
            (LinkKind::Summary, "/summaries/iterable"),
        ] {
            for item in tree.pointer(field).and_then(Value::as_array).into_iter().flatten() {
                let id = item["id"].as_str().expect("an id").to_owned();
                links.insert((NodeKey::Asset(asset.clone()), NodeKey::Item(kind, id)));
            }
        }
    }
    Store { stage, assets, items, links }
}

fn item(kind: LinkKind, id: &str, text: &str) -> Item {
    Item::new(kind, id, text, None)
}

fn graph(stage: &Stage) -> &Graph {
    match &stage.state().graph.shown {
        Remote::Known(shown) => &shown.graph,
        other => panic!("the graph is read: {:?}", other.error()),
    }
}

/// The links that a graph draws between assets and items.
fn drawn(graph: &Graph) -> BTreeSet<(NodeKey, NodeKey)> {
    let ends = graph.edges.iter().map(|edge| (graph.nodes[edge.from].key.clone(), graph.nodes[edge.to].key.clone()));
    ends.filter(|(_, to)| matches!(to, NodeKey::Item(..))).collect()
}

/// Compares a graph with what the records tell.
fn compare(store: &Store) {
    let graph = graph(&store.stage);
    let drawn = drawn(graph);
    let untrue: Vec<_> = drawn.difference(&store.links).collect();
    assert!(untrue.is_empty(), "links that no record tells: {untrue:?}");
    let state = |key: &NodeKey| graph.node(key).map(|node| &node.read);
    let known = |(from, to): &&(NodeKey, NodeKey)| {
        let (from, to) = (state(from), state(to));
        from.is_some() && to.is_some() && (from == Some(&ReadState::Read) || to == Some(&ReadState::Read))
    };
    let missing: Vec<_> = store.links.iter().filter(known).filter(|link| !drawn.contains(*link)).collect();
    assert!(missing.is_empty(), "links between nodes that are drawn are missing: {missing:?}");
    for node in graph.nodes.iter().filter(|node| node.read == ReadState::Read && node.more == 0) {
        let reported = store.links.iter().filter(|(from, to)| *from == node.key || *to == node.key).count();
        let shown = drawn.iter().filter(|(from, to)| *from == node.key || *to == node.key).count();
        assert_eq!(reported, shown, "{node:?}");
    }
}

#[test]
fn the_links_of_the_graph_are_those_of_the_records_from_every_start() {
    for seed in [1, 2, 3] {
        let mut store = store(seed);
        let mut starts: Vec<Vec<Start>> =
            store.items.iter().map(|(kind, id)| vec![Start::item(&item(*kind, id, "an item"))]).collect();
        starts.extend(store.assets.iter().take(6).map(|id| vec![Start::asset(id.clone(), "an asset")]));
        starts.push(vec![starts[0][0].clone(), starts[4][0].clone(), starts[14][0].clone()]);
        for start in starts {
            store.stage.perform(GraphAction::Start(start));
            for hops in [1, 2] {
                store.stage.perform(GraphAction::Hops(hops));
                compare(&store);
            }
        }
    }
}

#[test]
fn the_graph_of_an_application_shows_the_assets_that_come_from_it() {
    let mut store = store(4);
    store.stage.perform(lunette_inspector::Action::Refresh(lunette_inspector::panel::Panel::Assets));
    let id = assets::application()["id"].as_str().expect("an id").to_owned();
    let root = store.assets[0].clone();
    store.stage.perform(GraphAction::Start(vec![Start::asset(root, "an asset")]));
    let key = NodeKey::Application(id.clone());
    let first = graph(&store.stage).node(&key).map(|node| node.read.clone());
    assert_eq!(first, Some(ReadState::Unread), "its assets are looked for only where that is asked for");
    store.stage.perform(GraphAction::Start(vec![Start::application(&id, "OPEN_SOURCE")]));
    let graph = graph(&store.stage);
    let assets = graph.nodes.iter().filter(|node| node.key.kind() == NodeKind::Asset).count();
    assert_eq!(assets, 20);
    assert!(!graph.notes.iter().any(|note| note.contains("OPEN_SOURCE")), "all are drawn: {:?}", graph.notes);
}

/// A stage with a tag on so many assets.
fn tagged(count: usize) -> (Stage, TagId, Vec<AssetId>) {
    let mut stage = Stage::new();
    let tag = stage.tag("common");
    let client = stage.client();
    let assets = (0..count).map(|number| stage.asset(&format!("{number:03}.txt"), "text")).collect::<Vec<_>>();
    for asset in &assets {
        let call = AssetAssociateTag { asset: asset.clone(), tag: tag.clone() };
        stage.wait_for(client.call(call)).expect("linked");
    }
    stage.perform(lunette_inspector::Action::Refresh(lunette_inspector::panel::Panel::Assets));
    (stage, tag, assets)
}

#[test]
fn a_graph_has_at_most_150_nodes_and_counts_the_rest() {
    let (mut stage, tag, _) = tagged(200);
    let key = NodeKey::Item(LinkKind::Tag, tag.as_str().to_owned());
    stage.perform(GraphAction::Start(vec![Start::item(&item(LinkKind::Tag, tag.as_str(), "common"))]));
    let assets = |stage: &Stage| graph(stage).nodes.iter().filter(|node| node.key.kind() == NodeKind::Asset).count();
    let first = assets(&stage);
    assert!((20..=60).contains(&first), "{first}");
    for _ in 0..10 {
        stage.perform(GraphAction::Open(key.clone()));
        let graph = graph(&stage);
        assert!(graph.nodes.len() <= MAX_NODES, "{}", graph.nodes.len());
        let more = graph.node(&key).expect("the tag").more;
        assert_eq!(assets(&stage) + more, 200, "what is not drawn is counted");
        let named = NodeKey::More(Box::new(key.clone()));
        assert_eq!(graph.node(&named).map(|node| node.name.clone()), Some(format!("+{more} more")));
    }
    assert!(assets(&stage) > first + 60, "opening draws more: {first}, {}", assets(&stage));
    assert_eq!(graph(&stage).nodes.len(), MAX_NODES);
}

#[test]
fn linking_two_nodes_sends_one_request_and_the_graph_and_undo_follow() {
    let (mut stage, tag, assets) = tagged(3);
    let website = stage.wait_for(assets::website(&stage.client(), "https://example.test/"));
    stage.call(AssetAssociateWebsite { asset: assets[0].clone(), website: website.clone() }).expect("linked");
    let tag_key = NodeKey::Item(LinkKind::Tag, tag.as_str().to_owned());
    let website_key = NodeKey::Item(LinkKind::Website, website.as_str().to_owned());
    stage.perform(GraphAction::Start(vec![Start::item(&item(LinkKind::Tag, tag.as_str(), "common"))]));
    let link = (NodeKey::Asset(assets[1].clone()), website_key.clone());
    assert!(!drawn(graph(&stage)).contains(&link));
    // From either end it is the same link.
    stage.perform(GraphAction::Link(website_key.clone(), link.0.clone()));
    assert_eq!(stage.writes(), 1, "one drag is one request");
    let last = stage.last().requests.last().map(|request| format!("{request:?}")).unwrap_or_default();
    assert!(last.contains(&format!("/asset/{}/websites/associate/{}", assets[1], website.as_str())), "{last}");
    assert!(drawn(graph(&stage)).contains(&link), "the graph follows");
    stage.perform(GraphAction::Link(website_key.clone(), link.0.clone()));
    stage.perform(GraphAction::Link(tag_key.clone(), website_key.clone()));
    assert_eq!(stage.writes(), 1, "what is linked or cannot be linked sends nothing");
    stage.perform(HistoryAction::Undo);
    assert!(!drawn(graph(&stage)).contains(&link), "undo removes it from the graph");
    stage.perform(GraphAction::Unlink(NodeKey::Asset(assets[2].clone()), tag_key.clone()));
    assert_eq!(stage.writes(), 3);
    let unlinked = (NodeKey::Asset(assets[2].clone()), tag_key);
    assert!(!drawn(graph(&stage)).contains(&unlinked));
    stage.perform(HistoryAction::Undo);
    assert!(drawn(graph(&stage)).contains(&unlinked));
}

#[test]
fn selected_assets_change_by_one_run_after_its_plan_was_shown() {
    let (mut stage, _, assets) = tagged(4);
    let other = stage.tag("other");
    let operation = BulkOperation::Link(item(LinkKind::Tag, other.as_str(), "other"));
    stage.perform(GraphAction::Start(vec![Start::asset(assets[0].clone(), "000.txt")]));
    stage.perform(GraphAction::Plan(operation, assets[..3].to_vec()));
    let draft = stage.state().bulk.draft.as_ref().expect("a plan");
    assert_eq!((draft.title.as_str(), stage.writes()), ("Link tag “other” to 3 assets", 0));
    stage.perform(BulkAction::Start);
    assert_eq!(stage.writes(), 3);
}

#[test]
fn with_only_the_operations_of_the_interface_the_graph_says_what_is_unknown() {
    let (mut stage, asset) = Stage::interface_only(SyncIntervals::default(), "a.txt", "text");
    stage.perform(lunette_inspector::action::AssetsAction::Open(asset.clone()));
    stage.perform(GraphAction::Start(vec![Start::asset(asset.clone(), "a.txt")]));
    assert_eq!(graph(&stage).node(&NodeKey::Asset(asset.clone())).map(|node| &node.read), Some(&ReadState::Read));
    let tag = item(LinkKind::Tag, "00000001-0000-4000-8000-000000000001", "somewhere");
    stage.perform(GraphAction::Start(vec![Start::item(&tag)]));
    let graph = graph(&stage);
    let node = &graph.nodes[0];
    assert_eq!((node.name.as_str(), &node.read), ("somewhere", &ReadState::Unreported));
    assert!(graph.notes.iter().any(|note| note.contains("does not say which assets 1 tag has")), "{:?}", graph.notes);
}

#[test]
fn hidden_kinds_are_omitted_from_this_graph_and_the_next() {
    let mut store = store(5);
    let code = store.stage.asset("main.rs", "fn main() { println!(\"hello\"); }\n");
    let tag: TagId = store.items[0].1.parse().expect("an id");
    store.stage.call(AssetAssociateTag { asset: code.clone(), tag: tag.clone() }).expect("linked");
    store.stage.perform(lunette_inspector::Action::Refresh(lunette_inspector::panel::Panel::Assets));
    let start = vec![Start::item(&item(LinkKind::Tag, tag.as_str(), "tag 0"))];
    store.stage.perform(GraphAction::Start(start.clone()));
    let kinds = |stage: &Stage| -> BTreeSet<NodeKind> {
        graph(stage).nodes.iter().map(|node| node.key.kind()).filter(|kind| *kind != NodeKind::More).collect()
    };
    assert!(kinds(&store.stage).contains(&NodeKind::Application));
    let hidden = BTreeSet::from(["application".to_owned()]);
    let filter = GraphFilter { hidden, language: Some("rs".to_owned()), days: Some(7) };
    store.stage.perform(GraphAction::Filter(filter.clone()));
    assert_eq!(kinds(&store.stage), BTreeSet::from([NodeKind::Asset, NodeKind::Tag]));
    let assets: Vec<_> = graph(&store.stage).nodes.iter().filter_map(|node| node.key.asset().cloned()).collect();
    assert_eq!(assets, std::slice::from_ref(&code));
    store.stage.perform(GraphAction::Start(vec![Start::asset(code.clone(), "main.rs")]));
    store.stage.perform(GraphAction::Start(start));
    assert_eq!(store.stage.state().graph.filter, filter);
    assert_eq!(kinds(&store.stage), BTreeSet::from([NodeKind::Asset, NodeKind::Tag]));
}

fn positions(stage: &Stage) -> BTreeMap<NodeKey, [f32; 2]> {
    let shown = stage.state().graph.shown.value().expect("a graph");
    shown.graph.nodes.iter().map(|node| node.key.clone()).zip(shown.positions.iter().copied()).collect()
}

#[test]
fn the_same_graph_is_the_same_picture_after_a_restart_and_pinned_nodes_stay() {
    let mut store = store(6);
    let start = vec![Start::asset(store.assets[0].clone(), "0.txt")];
    store.stage.perform(GraphAction::Start(start.clone()));
    let before = positions(&store.stage);
    store.stage.restart();
    store.stage.perform(GraphAction::Start(start.clone()));
    assert_eq!(positions(&store.stage), before);
    let key = before.keys().find(|key| key.asset() != Some(&store.assets[0])).expect("a node").clone();
    store.stage.perform(GraphAction::Pin(key.clone(), [1_234.0, -56.0]));
    store.stage.perform(GraphAction::Reload);
    assert_eq!(positions(&store.stage)[&key], [1_234.0, -56.0]);
    store.stage.perform(GraphAction::Start(vec![Start::asset(store.assets[1].clone(), "1.txt")]));
    store.stage.perform(GraphAction::Start(start));
    assert_eq!(positions(&store.stage)[&key], [1_234.0, -56.0]);
    assert!(store.stage.state().graph.is_pinned(&key));
    store.stage.perform(GraphAction::Arrange);
    assert_eq!(positions(&store.stage), before, "arranged anew it is the picture of the beginning");
}

#[test]
fn reopening_an_extended_graph_keeps_the_positions_of_all_nodes() {
    let (mut stage, _, assets) = tagged(60);
    let start = vec![Start::asset(assets[0].clone(), "0.txt")];
    stage.perform(GraphAction::Start(start.clone()));
    let more = graph(&stage).nodes.iter().find_map(|node| match &node.key {
        NodeKey::More(of) => Some(NodeKey::clone(of)),
        _ => None,
    });
    let before = positions(&stage);
    stage.perform(GraphAction::Open(more.expect("more than are drawn")));
    let extended = positions(&stage);
    assert!(extended.len() > before.len());
    stage.perform(GraphAction::Start(vec![Start::asset(assets[1].clone(), "1.txt")]));
    stage.perform(GraphAction::Start(start));
    assert_eq!(positions(&stage).len(), before.len(), "it begins as small as it was");
    for (key, at) in positions(&stage) {
        // What stood for the rest stands for another rest.
        if !matches!(key, NodeKey::More(_)) {
            assert_eq!(Some(&at), extended.get(&key), "{key:?}");
        }
    }
}

#[test]
fn a_missing_start_node_is_an_error_unless_others_exist() {
    let (mut stage, _, assets) = tagged(2);
    stage.call(AssetsDeleteAsset { asset: assets[0].clone() }).expect("deleted");
    stage.perform(GraphAction::Start(vec![Start::asset(assets[0].clone(), "000.txt")]));
    assert!(matches!(stage.state().graph.shown, Remote::Failed { .. }));
    let both = assets.iter().map(|id| Start::asset(id.clone(), "an asset")).collect();
    stage.perform(GraphAction::Start(both));
    let graph = graph(&stage);
    assert!(matches!(
        graph.node(&NodeKey::Asset(assets[0].clone())).map(|node| &node.read),
        Some(ReadState::Failed(_))
    ));
    assert!(graph.notes.iter().any(|note| note.contains("could not be read")), "{:?}", graph.notes);
}
