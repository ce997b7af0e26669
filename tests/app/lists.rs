//! The list of assets, however large its pages are and whatever is read of single assets beside it.

use std::sync::Arc;

use lunette_client::client::{Client, Limits};
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{
    AssetAssociateWorkstreamSummary, AssetSnapshot, TagAssociateAsset, TagsSnapshot, TagsSpecificTagSnapshot,
    WebsiteAssociateAsset,
};
use lunette_client::operation::{Operation as _, StreamKind};
use lunette_inspector::Vendor;
use lunette_inspector::action::{AssetsAction, WriteAction};
use lunette_inspector::assets::load::{LeftOut, PagedList};
use lunette_inspector::change::{Change, Edit, Field, LinkKind};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::panel::Panel;
use lunette_inspector::session::log::LogEntry;
use lunette_inspector::{Action, CallError, Remote};
use serde_json::json;
use tokio::runtime::Runtime;

use crate::stage::Stage;
use crate::support::assets;
use crate::support::client_at;
use crate::support::paged::{List, Paged, asset_id};

/// The most bytes of an answer here.
const LIMIT: usize = 256 * 1024;

fn id(index: usize) -> AssetId {
    asset_id(index)
}

fn name_of(bytes: usize) -> String {
    format!(r#""name": "{}","#, "n".repeat(bytes))
}

/// A client that reads no answer over the limit.
fn client(service: &Paged) -> Client {
    client_at(service.url(), Limits { json_bytes: LIMIT, ..Limits::default() })
}

/// The whole list: its rows, what it leaves out, and why it ended early.
fn read(mut pages: PagedList<Client>) -> (Vec<AssetId>, Vec<LeftOut>, Option<CallError>) {
    let runtime = Runtime::new().expect("a runtime");
    let (mut rows, mut error) = (Vec::new(), None);
    while let Some(page) = runtime.block_on(pages.next()) {
        match page {
            Ok(page) => rows.extend(page.iter().map(|row| row.id())),
            Err(problem) => error = Some(problem),
        }
    }
    (rows, pages.left_out().to_vec(), error)
}

#[test]
fn oversized_pages_are_read_in_smaller_parts_without_missing_assets() {
    let service = Paged::start(List {
        count: 250,
        fields: |index| name_of(if index < 100 { 9_000 } else { 10 }),
        pages: true,
        tagged: 0,
    });
    let (rows, left_out, error) = read(PagedList::new(client(&service)));
    assert_eq!((rows, left_out, error), ((0..250).map(id).collect(), Vec::new(), None));
    let asked = service.asked();
    let last = asked.last().expect("a page");
    assert!(last.1 > 100, "pages grow again behind the large assets: {asked:?}");
    assert!(asked.len() < 25, "{asked:?}");
}

#[test]
fn an_oversized_asset_is_skipped_and_reported_by_position() {
    let service = Paged::start(List {
        count: 300,
        fields: |index| name_of(if index == 77 { LIMIT } else { 10 }),
        pages: true,
        tagged: 0,
    });
    let (rows, left_out, error) = read(PagedList::new(client(&service)));
    assert_eq!(error, None);
    assert_eq!(rows, (0..300).filter(|index| *index != 77).map(id).collect::<Vec<_>>());
    assert_eq!(left_out, [LeftOut { index: 77, id: None, name: None }]);
}

#[test]
fn an_asset_with_too_many_values_is_skipped_and_reported_by_id() {
    let ones =
        |index| if index == 3 { format!("\"more\": [{}],", vec!["1"; 1_200_000].join(",")) } else { String::new() };
    let service = Paged::start(List { count: 5, fields: ones, pages: true, tagged: 0 });
    let (rows, left_out, error) = read(PagedList::new(client_at(service.url(), Limits::default())));
    assert_eq!((rows, error), ([0, 1, 2, 4].map(id).to_vec(), None));
    assert_eq!(left_out, [LeftOut { index: 3, id: Some(id(3)), name: None }]);
}

#[test]
fn a_list_of_only_oversized_assets_terminates() {
    let service = Paged::start(List { count: 1_000_000, fields: |_| name_of(8_000), pages: true, tagged: 0 });
    let small = client_at(service.url(), Limits { json_bytes: 4_096, ..Limits::default() });
    let (rows, left_out, error) = read(PagedList::new(small));
    assert_eq!((rows.len(), left_out.len()), (0, 101));
    assert!(error.is_some_and(|error| error.to_string().contains("more than 100 assets are too large")));
}

#[test]
fn the_list_requests_only_as_many_assets_as_needed() {
    let service = Paged::start(List { count: 900, fields: |_| String::new(), pages: true, tagged: 0 });
    let (rows, ..) = read(PagedList::up_to(client(&service), 205));
    assert_eq!((rows.len(), service.asked()), (205, vec![(0, 200), (200, 5)]));
    let (rows, ..) = read(PagedList::up_to(client(&service), 3));
    assert_eq!((rows.len(), service.asked().last().copied()), (3, Some((0, 3))));
}

#[test]
fn an_oversized_list_of_a_service_without_pages_keeps_the_shown_rows() {
    let list = |count, fields| List { count, fields, pages: false, tagged: 0 };
    let service = Paged::start(list(300, |_| String::new()));
    let mut stage = Stage::at(service.url());
    assert_eq!(stage.state().assets.list.count(), 300);
    service.put(list(300, |_| name_of(60_000)));
    stage.perform(Action::Refresh(Panel::Assets));
    let error = stage.state().assets.list.rows.error().cloned();
    assert!(matches!(error, Some(CallError::Unpaged { .. })), "{error:?}");
    assert!(error.is_some_and(|error| error.advice().contains("open one by its id")));
    assert_eq!(stage.state().assets.list.count(), 300, "what was shown stays");
}

#[test]
fn an_oversized_asset_is_reported_once() {
    let service = Paged::start(List {
        count: 3,
        fields: |index| name_of(if index == 1 { 17_000_000 } else { 10 }),
        pages: true,
        tagged: 0,
    });
    let mut stage = Stage::at(service.url());
    stage.perform(Action::Refresh(Panel::Assets));
    let reported =
        stage.state().notifications.notices.iter().filter(|notice| notice.text.contains("too large to list")).count();
    assert_eq!((reported, stage.state().assets.list.count()), (1, 2), "{:?}", stage.state().notifications.notices);
    assert!(stage.notice().contains("position 2"), "{}", stage.notice());
}

#[test]
fn an_asset_opened_during_the_first_load_is_listed_once() {
    let service = Paged::start(List { count: 600, fields: |_| String::new(), pages: true, tagged: 0 });
    service.hold_back(true);
    let mut stage = Stage::opening(service.url());
    stage.until("the first page is there", |state| state.assets.list.count() == 200);
    stage.app.perform(AssetsAction::Open(id(450)));
    stage.until("the asset is there", |state| state.assets.list.count() == 201);
    service.hold_back(false);
    stage.idle();
    let rows = stage.state().assets.list.rows.value().expect("rows").clone();
    let mut ids: Vec<_> = rows.iter().map(|row| row.id()).collect();
    ids.sort();
    assert_eq!(ids, (0..600).map(id).collect::<Vec<_>>(), "each once");
    assert!(matches!(stage.state().assets.list.rows, Remote::Known(_)));
}

#[test]
fn opening_an_unlisted_asset_does_not_add_it_to_the_list() {
    let service = Paged::start(List { count: 5, fields: |_| String::new(), pages: true, tagged: 0 });
    let mut stage = Stage::at(service.url());
    stage.perform(AssetsAction::Open(id(7)));
    let (_, page) = stage.state().page().expect("its page");
    assert!(
        page.record.value().is_some_and(|record| lunette_client::model::Record::view(&**record).pseudo() == Some(true))
    );
    assert_eq!(stage.state().assets.list.count(), 5);
    stage.perform(Action::Refresh(Panel::Assets));
    assert_eq!(stage.state().assets.list.count(), 5);
}

#[test]
fn tags_of_seventy_thousand_assets_can_be_picked() {
    let service = Paged::start(List { count: 1, fields: |_| String::new(), pages: true, tagged: 70_000 });
    let stage = Stage::at(service.url());
    let error = stage.state().assets.linkable.get(&LinkKind::Tag).and_then(Remote::error);
    assert_eq!((error, stage.state().assets.items(LinkKind::Tag).len()), (None, 2));
}

/// The rows of a list; whether it is read as rows or as records.
fn rows(stage: &Stage, vendor: Vendor) -> Vec<AssetRow> {
    let mut pages = PagedList::new(stage.client()).of_vendor(vendor);
    let mut rows = Vec::new();
    while let Some(page) = stage.wait_for(pages.next()) {
        rows.extend(page.expect("a page").iter().map(|row| AssetRow::clone(row)));
    }
    rows
}

#[test]
fn rows_are_the_same_whether_the_service_sends_rows_or_records() {
    let mut stage = Stage::new();
    let made: Vec<_> = (0..230).map(|index| stage.asset(&format!("Asset {index}.rs"), "fn main() {}")).collect();
    let (tag, other) = (stage.tag("rust"), stage.tag("zweite \"Wahl\""));
    for asset in &made[..3] {
        for tag in [&tag, &other] {
            stage.call(TagAssociateAsset { tag: tag.clone(), asset: asset.clone() }).expect("linked");
        }
    }
    let client = stage.client();
    let website = stage.wait_for(assets::website(&client, "https://example.org/a?b=c"));
    stage.call(WebsiteAssociateAsset { website, asset: made[1].clone() }).expect("linked");
    let summary = stage.wait_for(assets::summary(&client, "A day"));
    let summary = AssetAssociateWorkstreamSummary { asset: made[2].clone(), workstream_summary: summary };
    stage.call(summary).expect("linked");
    let edit = Edit { field: Field::Favorited, from: Some(false.into()), to: true.into() };
    stage.perform(WriteAction::Change(Change::Edit { asset: made[4].clone(), edits: vec![edit] }));

    let listed = rows(&stage, Vendor::Lunette);
    assert_eq!(listed.len(), 230);
    for (row, record) in listed.iter().zip(&rows(&stage, Vendor::Other)) {
        assert_eq!(row, record);
    }
    let row = |asset: &AssetId| listed.iter().find(|row| row.is_of(asset)).expect("listed");
    assert_eq!(row(&made[0]).tags().len(), 2);
    assert_eq!((row(&made[1]).websites().len(), row(&made[2]).summaries().len()), (1, 1));
    assert!(row(&made[0]).score() > Some(0));
}

#[test]
fn a_service_of_this_program_that_sends_no_rows_is_asked_for_records() {
    let service = Paged::start(List { count: 450, fields: |_| String::new(), pages: true, tagged: 0 });
    let (rows, left_out, error) = read(PagedList::new(client(&service)).of_vendor(Vendor::Lunette));
    assert_eq!((rows, left_out, error), ((0..450).map(id).collect(), Vec::new(), None));
}

/// The calls of a click that links a tag, where so many others are stored, and what they download.
fn calls_of_a_link(others: usize) -> (Vec<&'static str>, usize) {
    let mut stage = Stage::new();
    stage.tag("wanted");
    let made = stage.asset("a.txt", "text");
    for from in (0..others).step_by(200) {
        let mut seed = assets::text_seed("tagged.txt", "text");
        seed["asset"]["metadata"]["tags"] =
            (from..others.min(from + 200)).map(|number| json!({ "text": format!("tag {number}") })).collect();
        stage.wait_for(assets::create(&stage.client(), seed)).expect("an asset");
    }
    stage.perform(Action::Refresh(Panel::Assets));
    stage.perform(AssetsAction::LoadLinkable(LinkKind::Tag));
    stage.perform(AssetsAction::Open(made.clone()));
    stage.until("tags are followed", |state| state.sync.status.follows(StreamKind::Tags));
    let before = stage.state().session.log.iter().next_back().map_or(0, |call| call.number);
    let items = stage.state().assets.items(LinkKind::Tag);
    assert_eq!(items.len(), others + 1);
    let item = items.iter().find(|item| item.text == "wanted").expect("listed").clone();
    stage.perform(WriteAction::Change(Change::Link { asset: made, item }));
    let of_link =
        |call: &&Arc<LogEntry>| call.number > before && !(call.background && call.info == AssetSnapshot::INFO);
    stage.until("the tag is read again", |state| {
        state.session.log.iter().filter(of_link).any(|call| call.info == TagsSpecificTagSnapshot::INFO)
    });
    let calls = || stage.state().session.log.iter().filter(of_link);
    (calls().map(|call| call.info.name).collect(), calls().map(|call| call.size).sum())
}

#[test]
fn a_link_downloads_the_same_with_one_tag_and_with_2_000() {
    let ((few, few_bytes), (many, many_bytes)) = (calls_of_a_link(0), calls_of_a_link(2_000));
    assert!(!many.contains(&TagsSnapshot::INFO.name), "{many:?}");
    assert!(many_bytes <= few_bytes + 2_000, "{many_bytes} bytes of {many:?}, {few_bytes} of {few:?}");
}

#[test]
fn a_link_downloads_little_even_if_its_tag_has_many_assets() {
    let mut stage = Stage::new();
    let tag = stage.tag("everywhere");
    let made: Vec<_> = (0..500).map(|index| stage.asset(&format!("{index}.txt"), "text")).collect();
    for asset in &made[1..] {
        stage.call(TagAssociateAsset { tag: tag.clone(), asset: asset.clone() }).expect("linked");
    }
    stage.perform(Action::Refresh(Panel::Assets));
    stage.perform(AssetsAction::LoadLinkable(LinkKind::Tag));
    stage.perform(AssetsAction::Open(made[0].clone()));
    // By number: the log drops the oldest background calls.
    let before = stage.state().session.log.iter().next_back().map_or(0, |call| call.number);
    let item = stage.state().assets.items(LinkKind::Tag)[0].clone();
    stage.perform(WriteAction::Change(Change::Link { asset: made[0].clone(), item }));
    stage.perform(AssetsAction::LoadLinkable(LinkKind::Tag));
    // Live updates may still read the assets that were linked before.
    let of_link = |call: &&Arc<LogEntry>| !(call.background && call.info == AssetSnapshot::INFO);
    let calls = stage.state().session.log.iter().filter(|call| call.number > before).filter(of_link);
    let bytes: usize = calls.clone().map(|call| call.size).sum();
    let names: Vec<_> = calls.map(|call| (call.info.name, call.size)).collect();
    assert!(names.len() >= 3 && bytes < 20_000, "{bytes} bytes: {names:?}");
}
