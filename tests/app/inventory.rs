//! What the inventory notices while the inspector runs.

use std::time::Duration;

use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{
    ApplicationsDeleteSpecificApplication, ApplicationsRegister, ApplicationsSessionClose, ApplicationsSessionOpen,
};
use lunette_inspector::Action;
use lunette_inspector::action::ImportAction;
use lunette_inspector::filter::List;
use lunette_inspector::listing::Change;
use lunette_inspector::panel::Panel;
use lunette_inspector::sync::SyncIntervals;

use crate::stage::Stage;
use crate::support::assets::{application, record};

#[test]
fn a_removed_application_is_detected_once_and_a_briefly_missing_one_is_not() {
    let service = Stage::new();
    service.call(ApplicationsRegister { application: Some(record(application())) }).expect("registered");
    let settled = Duration::from_millis(300);
    let mut stage = Stage::paced(service.url(), SyncIntervals { settled, ..SyncIntervals::default() });
    stage.perform(Action::Refresh(Panel::Applications));
    let id = application()["id"].as_str().expect("an id").to_owned();
    let tracks = |id: &str, state: &lunette_inspector::State| {
        state.inventory.list.iter().any(|row| row.tracked.as_ref().is_some_and(|tracked| tracked.id == id))
    };
    let wanted = id.clone();
    stage.until("it is tracked", move |state| tracks(&wanted, state));
    assert_eq!(stage.state().inventory.unseen, 0, "a first answer is not a change");
    let delete = || ApplicationsDeleteSpecificApplication { application: id.parse().expect("an id"), usage: None };
    service.call(delete()).expect("deleted");
    stage.perform(Action::Refresh(Panel::Applications));
    // The list is read again by itself once it is known whether it is gone.
    stage.until("it is noticed", |state| state.inventory.unseen == 1);
    let changes = &stage.state().inventory.history.changes;
    assert_eq!(changes.iter().map(|change| change.what.token()).collect::<Vec<_>>(), ["removed"]);
    stage.perform(Action::Refresh(Panel::Applications));
    assert_eq!(stage.state().inventory.unseen, 1, "it is told once");
}

#[test]
fn assets_are_filtered_by_the_application_that_they_came_from() {
    let mut stage = Stage::new();
    stage.asset("a.txt", "a");
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("it is listed", |state| state.assets.list.count() == 1);
    let mut filtered = |filter: &str| {
        stage.perform(Action::List(List::Assets, Change::Filter(filter.to_owned())));
        stage.state().assets.list.order.len()
    };
    let all = ["application:OPEN_SOURCE", "application:\"open source\"", "app:00000003-0000-4000-8000-000000000003"];
    assert_eq!(all.map(&mut filtered), [1; 3]);
    assert_eq!(filtered("application:VS_CODE"), 0);
    assert_eq!(filtered("open source"), 0, "only the field is searched for it");
    // What this program made has no word in the interface: it is found by the name that is shown as well.
    assert_eq!(filtered("application:lunette"), 0);
    stage.perform(ImportAction::Create { name: "own.txt".to_owned(), text: "own".to_owned() });
    stage.until("it is listed", |state| state.assets.list.count() == 2);
    let filtered = |stage: &mut Stage, filter: &str| {
        stage.perform(Action::List(List::Assets, Change::Filter(filter.to_owned())));
        stage.state().assets.list.order.len()
    };
    assert_eq!(["application:lunette", "application:OPEN_SOURCE"].map(|filter| filtered(&mut stage, filter)), [1, 2]);
}

#[test]
fn what_a_check_leaves_behind_and_the_use_of_an_application_are_no_changes() {
    let service = Stage::new();
    let settled = Duration::from_millis(50);
    let mut stage = Stage::paced(service.url(), SyncIntervals { settled, ..SyncIntervals::default() });
    stage.until("the lists are joined", |state| state.inventory.list.iter().any(|row| row.tracked.is_some()));
    stage.perform(Action::Check(false));
    stage.until("it was checked", |state| state.check.task.is_none() && state.check.report.value().is_some());
    stage.until("its lists are read", |state| !state.applications.list.rows.loading());
    // An application is opened and closed: its status is Open, and then Idle.
    for _ in 0..2 {
        let session = service.call(ApplicationsSessionOpen {}).expect("a session");
        stage.perform(Action::Refresh(Panel::Applications));
        stage.until("the list is read", |state| !state.applications.list.rows.loading());
        let id = session.view().id().parse().expect("an id");
        service.call(ApplicationsSessionClose { session: Some(id) }).expect("closed");
        stage.perform(Action::Refresh(Panel::Applications));
        stage.until("the list is read", |state| !state.applications.list.rows.loading());
    }
    // A removal that settles after all of this would have been noticed before it.
    let id = application()["id"].as_str().expect("an id").to_owned();
    service.call(ApplicationsRegister { application: Some(record(application())) }).expect("registered");
    stage.perform(Action::Refresh(Panel::Applications));
    stage.until("it is noticed", |state| state.inventory.unseen == 1);
    let delete = ApplicationsDeleteSpecificApplication { application: id.parse().expect("an id"), usage: None };
    service.call(delete).expect("deleted");
    stage.perform(Action::Refresh(Panel::Applications));
    stage.until("that it is gone is noticed", |state| state.inventory.history.changes.len() > 1);
    let changes = &stage.state().inventory.history.changes;
    let changes: Vec<_> = changes.iter().map(|change| (change.name.as_str(), change.what.token())).collect();
    assert_eq!(changes, [("OPEN_SOURCE", "added"), ("OPEN_SOURCE", "removed")]);
}
