//! A merge of two tags over a thousand assets: the exact union, no asset with both, and the records of before once it is
//! undone.

use std::collections::BTreeMap;

use lunette_client::model::id::{AssetId, TagId};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, AssetsSnapshot};
use lunette_inspector::Action;
use lunette_inspector::action::{BulkAction, HistoryAction, LinksAction};
use lunette_inspector::change::fingerprint::lasting;
use lunette_inspector::change::{Item, LinkKind};
use serde_json::Value;

use crate::stage::Stage;
use crate::support::assets::text_asset;

const ASSETS: usize = 1_000;

/// Makes assets in parallel, a third of them with the first tag, a third with the second, and a third with both.
fn tagged(stage: &Stage, tags: &[TagId; 2]) {
    stage.wait_for(async {
        let indices: Vec<usize> = (0..ASSETS).collect();
        for indices in indices.chunks(32) {
            let make = |index: usize| {
                let (client, tags) = (stage.client(), tags.clone());
                async move {
                    let asset = text_asset(&client, &format!("{index}.txt"), &format!("text {index}")).await;
                    for (tag, wanted) in tags.into_iter().zip([index % 3 != 1, !index.is_multiple_of(3)]) {
                        if wanted {
                            client.call(AssetAssociateTag { asset: asset.clone(), tag }).await.expect("linked");
                        }
                    }
                }
            };
            let begun: Vec<_> = indices.iter().map(|index| tokio::spawn(make(*index))).collect();
            for made in begun {
                made.await.expect("made");
            }
        }
    });
}

/// Every asset as it is, without what moves by itself, by its id.
fn records(stage: &Stage) -> BTreeMap<String, Value> {
    let all = AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: None, limit: None, offset: None };
    let tree = stage.call(all).expect("the assets").into_tree();
    let records = tree["iterable"].as_array().expect("a list");
    records.iter().map(|record| (record["id"].as_str().expect("an id").to_owned(), lasting(record))).collect()
}

/// The tags of each asset by their ids, sorted.
fn tags(records: &BTreeMap<String, Value>) -> BTreeMap<AssetId, Vec<String>> {
    let of = |record: &Value| {
        let tags = record.pointer("/tags/iterable").and_then(Value::as_array).expect("tags");
        let mut ids: Vec<String> = tags.iter().map(|tag| tag["id"].as_str().expect("an id").to_owned()).collect();
        ids.sort();
        ids
    };
    records.iter().map(|(id, record)| (id.parse().expect("an id"), of(record))).collect()
}

#[test]
fn merging_two_tags_over_a_thousand_assets_gives_the_union_and_undo_restores_the_records() {
    let mut stage = Stage::new();
    let [stays, goes] = ["rust", "rust-lang"].map(|text| stage.tag(text));
    tagged(&stage, &[stays.clone(), goes.clone()]);
    stage.perform(LinksAction::Enter);
    let before = records(&stage);
    assert_eq!(before.len(), ASSETS);
    let item = |id: &TagId, text: &str| Item::new(LinkKind::Tag, &id.to_string(), text, None);
    let items = vec![item(&stays, "rust"), item(&goes, "rust-lang")];
    stage.perform(LinksAction::Merge(items));
    let draft = stage.state().links.merging.as_ref().expect("a question");
    let target = draft.items.iter().position(|item| item.text == "rust").expect("it can be chosen");
    stage.perform(LinksAction::MergeInto(target));
    stage.perform(LinksAction::PlanMerge);
    stage.perform(BulkAction::Start);
    let merged = tags(&records(&stage));
    // Each asset had at least one of the two, so that the union is all of them.
    assert_eq!(merged.len(), ASSETS);
    assert!(merged.values().all(|tags| *tags == [stays.to_string()]), "each has the one that stays, and no other");
    stage.confirm(Action::History(HistoryAction::Undo));
    let after = records(&stage);
    let different = before.iter().find(|(id, record)| after.get(*id) != Some(record));
    assert!(different.is_none() && after.len() == ASSETS, "not as before: {different:?}");
}
