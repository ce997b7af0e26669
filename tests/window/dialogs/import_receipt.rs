//! The receipt of an import: what the service has of it, what was left out, what failed, and its files.

use std::fs;

use egui::Role;
use egui_kittest::kittest::Queryable as _;
use lunette_client::operation::table::{AssetSnapshot, AssetsCreateBatch, AssetsCreateNewAsset};
use lunette_inspector::import::receipt::Outcome;

use crate::dialogs::import_preview::{drop_library, import_marked, library, preview, usual};
use crate::dialogs::plan::stand;
use crate::stage::Stage;

#[test]
fn the_receipt_lists_skipped_and_unmarked_items_with_reasons() {
    let mut stage = Stage::embedded();
    let path = library(&stage, "massCode", &[("A", &[("", "x")]), ("A", &[("", "x")]), ("B", &[("", "y")])]);
    drop_library(&mut stage, &path);
    stage.find(Role::CheckBox, "Import B").click();
    stand(&mut stage);
    import_marked(&mut stage, "Import 1 item");
    assert!(stage.says("1 of 1 are in the service"));
    let sent = preview(&stage).sent.as_ref().expect("it was sent");
    let rows = &sent.receipt.value().expect("a receipt").rows;
    let outcomes: Vec<_> = rows.iter().map(|row| (row.outcome, row.reason.as_str())).collect();
    let twice = "an earlier item has the same name and content";
    let expected = [(Outcome::Imported, ""), (Outcome::LeftOut, twice), (Outcome::NotSent, "it was not marked")];
    assert_eq!(outcomes, expected);
}

#[test]
fn the_receipt_is_saved_as_each_kind_of_file() {
    let mut stage = Stage::embedded();
    let path = usual(&stage);
    drop_library(&mut stage, &path);
    import_marked(&mut stage, "Import 3 items");
    for (button, name, begins) in [
        ("Save the receipt as CSV", "receipt.csv", "origin,outcome,asset,name,tags,reason\r\n"),
        ("Save the receipt as JSON", "receipt.json", "[\n"),
        ("Save the receipt as Markdown", "receipt.md", "| origin | outcome |"),
    ] {
        let target = stage.folder.path().join(name);
        stage.picked.set(vec![target.clone()]);
        stage.press(button);
        stage.until("it is saved", |_| target.exists());
        let text = fs::read_to_string(&target).expect("a receipt");
        assert!(text.starts_with(begins) && text.contains("Two / b") && text.contains("imported"), "{text}");
    }
}

#[test]
fn an_asset_that_is_missing_when_read_back_is_reported() {
    let mut stage = Stage::embedded();
    let behind = crate::support::unsupported_proxy::UnsupportedProxy::start(stage.port());
    let mut stage_behind = Stage::at(&behind.url());
    stage_behind.until_idle();
    let path = usual(&stage_behind);
    drop_library(&mut stage_behind, &path);
    behind.reject(<AssetSnapshot as lunette_client::operation::Operation>::INFO, 404);
    import_marked(&mut stage_behind, "Import 3 items");
    assert!(stage_behind.says("0 of 3 are in the service") && stage_behind.says("not there"));
    stage.until("the service has them", |state| state.assets.list.count() == 3);
}

#[test]
fn what_failed_is_shown_once_with_its_reason() {
    let mut stage = Stage::embedded();
    // One proxy refuses batches, for which the import then sends single assets; the other refuses those.
    let batches = crate::support::unsupported_proxy::UnsupportedProxy::start(stage.port());
    let port = batches.url().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let singles = crate::support::unsupported_proxy::UnsupportedProxy::start(port);
    let mut stage_behind = Stage::at(&singles.url());
    stage_behind.until_idle();
    let path = usual(&stage_behind);
    drop_library(&mut stage_behind, &path);
    batches.reject(<AssetsCreateBatch as lunette_client::operation::Operation>::INFO, 400);
    singles.reject(<AssetsCreateNewAsset as lunette_client::operation::Operation>::INFO, 400);
    import_marked(&mut stage_behind, "Import 3 items");
    let rows = &preview(&stage_behind).sent.as_ref().expect("it was sent").receipt.value().expect("a receipt").rows;
    assert!(rows.iter().all(|row| row.outcome == Outcome::Failed), "{rows:?}");
    let reason = rows[0].reason.clone();
    let shown = stage_behind.harness.query_all_by_label(&reason).count();
    assert_eq!(shown, rows.iter().filter(|row| row.reason == reason).count(), "{reason}");
    stage.settle();
}

#[test]
fn in_a_wide_window_the_receipt_shows_where_each_item_comes_from() {
    let mut stage = Stage::embedded();
    stage.harness.set_size(egui::vec2(1920.0, 1080.0));
    let path = usual(&stage);
    drop_library(&mut stage, &path);
    import_marked(&mut stage, "Import 3 items");
    let width = stage.find(Role::ColumnHeader, "From").rect().width();
    assert!(width >= 400.0, "{width}");
}
