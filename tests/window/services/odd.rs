//! Texts with hidden or direction-changing characters: of two hundred, as names, descriptions and tags, none is drawn
//! raw.

use egui_kittest::kittest::{By, NodeT as _, Queryable as _};
use lunette_client::model::display::{Breaks, display_text};
use lunette_client::operation::table::AssetAssociateTag;
use lunette_inspector::Action;
use lunette_inspector::action::{AssetsAction, NavigationAction};
use lunette_inspector::panel::Panel;
use serde_json::json;

use crate::stage::Stage;
use crate::support::assets;
use crate::support::odd::odd;

/// Returns the drawn texts that would look different if they were escaped.
fn hidden(stage: &Stage) -> Vec<String> {
    // A single character of the private use area is one of our icons.
    let icon =
        |text: &str| text.chars().count() == 1 && text.starts_with(|sign| matches!(sign, '\u{e000}'..='\u{f8ff}'));
    let unseen = |text: &String| display_text(text, Breaks::Kept) != text.as_str() && !icon(text);
    let mut found = Vec::new();
    for node in stage.harness.query_all(By::new()) {
        let node = node.accesskit_node();
        found.extend(node.label().into_iter().chain(node.value()).filter(unseen));
    }
    found
}

#[test]
fn invisible_characters_are_escaped_on_every_panel() {
    let texts = odd();
    assert_eq!(texts.len(), 200);
    let mut stage = Stage::embedded();
    let client = stage.client();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let ids: Vec<_> = texts
        .chunks(8)
        .map(|some| {
            runtime.block_on(async {
                let (name, whole) = (some.concat(), some.join(" "));
                let mut seed = assets::text_seed(&name, &whole);
                seed["asset"]["metadata"]["annotations"] = json!([{ "text": whole, "type": "DESCRIPTION" }]);
                let made = assets::create(&client, seed).await.expect("an asset");
                let id: lunette_client::model::id::AssetId =
                    lunette_client::model::record::Record::view(&made).id().parse().expect("an id");
                for text in some {
                    // Some of them are blank, which a tag must not be.
                    let tag = assets::tag(&client, &format!("{text}.")).await;
                    client.call(AssetAssociateTag { asset: id.clone(), tag }).await.expect("linked");
                }
                id
            })
        })
        .collect();
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("the list is read", |state| state.assets.list.count() == 25 && !state.assets.list.rows.loading());
    for panel in Panel::ALL {
        stage.perform(NavigationAction::Show(panel));
        stage.harness.step();
        assert_eq!(hidden(&stage), [""; 0], "{panel:?}");
    }
    for (index, id) in ids.into_iter().enumerate() {
        let wanted = id.clone();
        stage.perform(AssetsAction::Open(id));
        stage.until("its page is there", move |state| {
            state
                .assets
                .pages
                .of
                .get(&wanted)
                .is_some_and(|page| page.record.value().is_some() && !page.content.loading())
        });
        assert_eq!(hidden(&stage), [""; 0], "the page of asset {index}");
    }
}
