//! Two people and one asset, in two hundred orders: nobody's change is written over by somebody who never saw it.
//!
//! What is not covered, because the interface has no such thing as a version to compare: a change that comes between the
//! read before a write and the write itself.

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetSnapshot, AssetUpdate};
use lunette_inspector::action::{AssetsAction, SessionAction, WriteAction};
use lunette_inspector::change::{Change, Edit, Field};
use lunette_inspector::{Remote, WritePolicy};

use crate::stage::Stage;

/// What is done next.
#[derive(Clone, Copy, Debug)]
enum Deed {
    /// The asset is read into the window.
    Open,
    /// Somebody else gives it another name.
    Other,
    /// The user types another name, over what is shown, and asks for it: its plan is shown.
    Plan,
    /// The user lets the plan go out.
    Apply,
    /// The user puts away what is asked.
    Dismiss,
}

const DEEDS: [Deed; 6] = [Deed::Open, Deed::Other, Deed::Plan, Deed::Plan, Deed::Apply, Deed::Dismiss];

struct Scene {
    stage: Stage,
    asset: AssetId,
    names: usize,
    written: usize,
    held: usize,
}

impl Scene {
    fn new() -> Self {
        let mut stage = Stage::new();
        let asset = stage.asset("at first", "text");
        stage.perform(SessionAction::SetWritePolicy(WritePolicy::Confirm));
        stage.perform(AssetsAction::Open(asset.clone()));
        Self { stage, asset, names: 0, written: 0, held: 0 }
    }

    fn name(&mut self, whose: &str) -> String {
        self.names += 1;
        format!("{whose} {}", self.names)
    }

    fn at_service(&self) -> String {
        let call = AssetSnapshot { asset: self.asset.clone(), transferables: Some(false) };
        let asset = self.stage.call(call).expect("the asset");
        asset.view().name().unwrap_or_default().to_owned()
    }

    fn do_it(&mut self, kind: Deed) {
        match kind {
            Deed::Open => self.stage.perform(AssetsAction::Reload(self.asset.clone())),
            Deed::Other => {
                let name = self.name("theirs");
                let call = AssetSnapshot { asset: self.asset.clone(), transferables: Some(false) };
                let asset = self.stage.call(call).expect("the asset");
                let renamed = asset.with("name", name.into()).expect("a record");
                let update = AssetUpdate { transferables: Some(false), asset: Some(renamed) };
                self.stage.call(update).expect("updated");
            }
            Deed::Plan => {
                let shown = self.stage.state().page().and_then(|(_, page)| page.record.value().cloned());
                let seen = shown.expect("it is shown").view().name().unwrap_or_default().to_owned();
                let edit = Edit { field: Field::Name, from: Some(seen.into()), to: self.name("mine").into() };
                self.stage.perform(WriteAction::Change(Change::Edit { asset: self.asset.clone(), edits: vec![edit] }));
            }
            Deed::Apply => self.apply(),
            Deed::Dismiss => {
                self.stage.perform(WriteAction::DismissPlan);
                self.stage.perform(WriteAction::DismissConflict);
            }
        }
    }

    fn apply(&mut self) {
        let planned = self.stage.state().write.planned.as_ref();
        let Some(Remote::Known(plan)) = planned.map(|planned| &planned.plan) else { return };
        let saw = plan.before.as_ref().and_then(|asset| asset.view().name()).unwrap_or_default().to_owned();
        let before = self.at_service();
        self.stage.perform(WriteAction::ApplyPlan);
        let after = self.at_service();
        if after == before {
            self.held += 1;
            assert_ne!(saw, before, "what was seen is what was there, so it goes out");
        } else {
            self.written += 1;
            assert!(after.starts_with("mine"), "{after}");
            assert_eq!(saw, before, "what was written over had been seen");
        }
    }
}

#[test]
fn no_interleaving_of_two_writers_overwrites_an_unseen_change() {
    let mut scene = Scene::new();
    let mut drawn: u64 = 10;
    for _ in 0..200 {
        for _ in 0..5 {
            drawn = drawn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let kind = usize::try_from((drawn >> 33) % DEEDS.len() as u64).expect("small");
            scene.do_it(DEEDS[kind]);
        }
    }
    assert!(scene.written > 20 && scene.held > 10, "{} written, {} held back", scene.written, scene.held);
}
