//! Versions of the assets of a service of others, which this program keeps: without a call for them, by whom they were
//! made, restored, forgotten, and there while the service is not.

use egui::Role;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetAssociateTag, AssetSnapshot, TagsCreateNewTag};
use lunette_inspector::action::{AssetsAction, SettingsAction, VersionsAction, WriteAction};
use lunette_inspector::assets::page::Content;
use lunette_inspector::change::{Change, Edit, Field};
use lunette_inspector::session::Status;
use lunette_inspector::versions::Forgotten;
use serde_json::json;

use crate::dialogs::edit_text::change_elsewhere;
use crate::stage::Stage;
use crate::support::assets::record;
use crate::support::unsupported_proxy::UnsupportedProxy;

/// A window on a service of others with an open asset; the service behind it is changed by another client.
struct Foreign {
    behind: Stage,
    stage: Stage,
    asset: AssetId,
}

impl Foreign {
    fn start() -> Self {
        let behind = Stage::embedded();
        let asset = behind.asset("a.txt", "one\n");
        let proxy = UnsupportedProxy::foreign(behind.port());
        let mut stage = Stage::at(&proxy.url());
        stage.until("it is listed", |state| state.assets.list.count() == 1 && !state.assets.list.rows.loading());
        assert!(!stage.state().connection.vendor.is_lunette());
        stage.perform(AssetsAction::Open(asset.clone()));
        let id = asset.clone();
        stage.until("the content is shown", move |state| {
            state.assets.pages.of.get(&id).is_some_and(|page| page.content.value().is_some())
        });
        Self { behind, stage, asset }
    }

    /// Another client links the asset to a tag.
    fn tag(&self, text: &str) {
        let call = TagsCreateNewTag { transferables: None, tag: Some(record(json!({ "text": text }))) };
        let tag = self.behind.call(call).expect("a tag").view().id().parse().expect("an id");
        self.behind.call(AssetAssociateTag { asset: self.asset.clone(), tag }).expect("linked");
    }

    fn tags(&self) -> usize {
        let call = AssetSnapshot { asset: self.asset.clone(), transferables: Some(false) };
        self.behind.call(call).expect("an asset").view().tags().map_or(0, |tags| tags.iterable().len())
    }

    /// Waits until the tab, loaded again and again, has this many versions.
    fn until_versions(&mut self, count: usize) {
        for _ in 0..200 {
            self.stage.perform(VersionsAction::Load(self.asset.clone()));
            let asset = self.asset.clone();
            self.stage.until("the versions are loaded", move |state| {
                state.versions.of_asset(&asset).is_some_and(|list| !list.loading())
            });
            let list = self.stage.state().versions.of_asset(&self.asset).and_then(|list| list.value().cloned());
            if list.is_some_and(|list| list.view().iterable().len() >= count) {
                return;
            }
            // What another client did is read as soon as the stream tells it; reading the asset does so too.
            self.stage.perform(AssetsAction::Open(self.asset.clone()));
        }
        panic!("there are {count} versions");
    }

    /// Another client writes a text, which this window reads.
    fn write(&mut self, text: &str) {
        change_elsewhere(&self.behind, &self.asset, text);
        self.stage.perform(AssetsAction::Reload(self.asset.clone()));
        let (asset, text) = (self.asset.clone(), text.to_owned());
        self.stage.until("it is read", move |state| {
            let content = state.assets.pages.of.get(&asset).and_then(|page| page.content.value());
            matches!(content, Some(Content::Text(read)) if **read == *text)
        });
    }

    fn rename(&mut self, name: &str) {
        let edit = Edit { field: Field::Name, from: None, to: name.into() };
        let change = Change::Edit { asset: self.asset.clone(), edits: vec![edit] };
        self.stage.perform(WriteAction::Change(change));
        let name = name.to_owned();
        let asset = self.asset.clone();
        self.stage.until("it is renamed", move |state| {
            let page = state.assets.pages.of.get(&asset);
            !state.write.of(&asset).writing
                && page.and_then(|page| page.record.value()).is_some_and(|asset| asset.view().name() == Some(&name))
        });
    }
}

#[test]
fn what_this_program_writes_is_a_version_that_is_restored_and_its_restore_is_one_too() {
    let mut foreign = Foreign::start();
    foreign.rename("b.txt");
    foreign.until_versions(2);
    foreign.stage.find(Role::Tab, "Versions").click();
    foreign.stage.until_said("Version 2, ");
    foreign.stage.until_said("by Lunette");
    foreign.stage.until_said("Version 1, ");
    let first = VersionNumber::of(1).expect("a number");
    foreign.stage.perform(VersionsAction::Restore(foreign.asset.clone(), first));
    foreign.stage.until_said("Restore version 1?");
    foreign.stage.press("Restore");
    foreign.stage.until("the run has ended", |state| {
        state.history.entries.iter().any(|entry| entry.title.starts_with("Restored version 1"))
    });
    foreign.until_versions(3);
    let call = AssetSnapshot { asset: foreign.asset.clone(), transferables: Some(false) };
    assert_eq!(foreign.behind.call(call).expect("an asset").view().name(), Some("a.txt"));
}

#[test]
fn what_another_client_changes_is_a_version_and_the_past_is_forgotten_after_a_question() {
    let mut foreign = Foreign::start();
    foreign.tag("urgent");
    assert_eq!(foreign.tags(), 1);
    foreign.until_versions(2);
    foreign.stage.find(Role::Tab, "Versions").click();
    foreign.stage.until_said("tags");
    assert!(!foreign.stage.says("by Lunette"));
    foreign.stage.press("Forget the past…");
    foreign.stage.until_said("This cannot be undone.");
    foreign.stage.press("Forget");
    foreign.stage.until_said("No versions yet");
}

#[test]
fn one_version_is_forgotten_alone_without_a_call_and_one_that_may_hold_a_secret_is_marked() {
    let mut foreign = Foreign::start();
    // Made up, in the form of a token.
    let token = ["gh", "p_16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    for (count, text) in [format!("token = \"{token}\"\n"), "three\n".to_owned()].into_iter().enumerate() {
        foreign.write(&text);
        foreign.until_versions(count + 2);
    }
    foreign.stage.find(Role::Tab, "Versions").click();
    foreign.stage.until_said("may hold a secret");
    foreign.stage.until_label("May hold a secret");
    let version = VersionNumber::of(2);
    foreign.stage.perform(VersionsAction::Forget(Forgotten { asset: foreign.asset.clone(), version }));
    foreign.stage.until_said("Forget version 2?");
    foreign.stage.settle();
    foreign.stage.press("Forget");
    foreign.stage.until_said("Missing: it was forgotten");
    foreign.stage.until_said("Version 1, ");
    assert!(!foreign.stage.draws(Role::Label, "May hold a secret"));
}

#[test]
fn a_restore_names_the_moment_before_it() {
    let mut foreign = Foreign::start();
    foreign.rename("b.txt");
    foreign.until_versions(2);
    let first = VersionNumber::of(1).expect("a number");
    foreign.stage.perform(VersionsAction::Restore(foreign.asset.clone(), first));
    foreign.stage.until_said("Restore version 1?");
    foreign.stage.press("Restore");
    foreign.until_versions(3);
    foreign.stage.perform(VersionsAction::LoadCheckpoints);
    foreign.stage.until("the checkpoint is listed", |state| {
        let known = state.versions.checkpoints.value();
        known.is_some_and(|known| {
            known.view().iterable().iter().any(|one| one.name() == "Before: Restored version 1 of “b.txt”")
        })
    });
}

#[test]
fn the_service_is_asked_nothing_for_the_versions_and_they_are_there_without_it() {
    let mut foreign = Foreign::start();
    foreign.rename("b.txt");
    foreign.until_versions(2);
    let asked = |stage: &Stage| -> Vec<String> {
        let log = stage.state().session.log.rows.value().cloned().unwrap_or_default();
        log.iter().filter(|line| !line.background).map(|line| line.url.clone()).collect()
    };
    let before = asked(&foreign.stage);
    assert!(before.iter().all(|url| !url.contains("versions") && !url.contains("checkpoints")), "{before:?}");
    foreign.stage.find(Role::Tab, "Versions").click();
    foreign.stage.until_said("Version 2, ");
    foreign.stage.perform(VersionsAction::LoadCheckpoints);
    foreign.stage.settle();
    assert_eq!(asked(&foreign.stage).len(), before.len());
    foreign.behind.stop_service();
    foreign.stage.perform(lunette_inspector::Action::Refresh(lunette_inspector::panel::Panel::Assets));
    foreign.stage.until("the service is lost", |state| matches!(state.connection.status, Status::Down(_)));
    foreign.stage.perform(VersionsAction::Load(foreign.asset.clone()));
    foreign.stage.until_said("Version 2, ");
}

#[test]
fn nothing_is_kept_for_a_connection_where_that_is_switched_off() {
    let mut foreign = Foreign::start();
    foreign.until_versions(1);
    foreign.stage.perform(SettingsAction::KeepVersions(false));
    foreign.rename("b.txt");
    foreign.stage.perform(VersionsAction::Load(foreign.asset.clone()));
    foreign.stage.find(Role::Tab, "Versions").click();
    foreign.stage.until_said("Version 1, ");
    assert!(!foreign.stage.says("Version 2, "));
}
