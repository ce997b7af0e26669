//! The inventory without a window: compares lists with the stored state, and returns the changes.

use std::sync::Arc;
use std::time::Duration;

use jiff::ZonedDateTime;

use super::join::{AppLists, Scope};
use super::observed::{Change, SETTLED};
use super::since::Since;
use super::store::InventoryStore;
use crate::applications::Source;
use crate::db::{Database, DatabaseError};
use crate::listing::RowList;
use crate::listing::rows::{ApplicationRow, ExternalRow};
use crate::settings::Settings;

/// The lists as they were read.
pub struct Inventory(AppLists);

impl Inventory {
    /// Creates an inventory from the lists that could be read.
    pub fn new(tracked: Option<Vec<Arc<ApplicationRow>>>, external: Vec<Arc<ExternalRow>>) -> Self {
        Self(AppLists { tracked: tracked.map(RowList::from), external: Some(RowList::from(external)) })
    }

    /// Stores the differences, and returns the changes since a day, newest first. Failed lists are skipped. Version
    /// changes of applications whose updates the user muted are omitted. Blocks.
    pub fn changes(
        &self,
        failed: &[Source],
        database: Arc<Database>,
        connection: &str,
        since: Since,
    ) -> Result<Vec<Arc<Change>>, DatabaseError> {
        self.changes_settled(failed, database, connection, since, SETTLED)
    }

    /// Does the same with `settled` as the time after which a missing application is gone.
    fn changes_settled(
        &self,
        failed: &[Source],
        database: Arc<Database>,
        connection: &str,
        since: Since,
        settled: Duration,
    ) -> Result<Vec<Arc<Change>>, DatabaseError> {
        let quiet = Settings::quiet_updates_in(&database)?;
        let (store, now) = (InventoryStore::of(database, connection.to_owned()), ZonedDateTime::now());
        for source in Source::ALL {
            if let Some(answer) = self.0.of(source).filter(|_| !failed.contains(&source)) {
                store.observe(source, &answer, &now, settled)?;
            }
        }
        let (scope, start) = (Scope { since, muted: quiet }, since.start(&now));
        let mut changes = store.read()?.changes;
        changes.retain(|change| change.at >= start && scope.includes(change));
        changes.reverse();
        Ok(changes)
    }
}

#[cfg(test)]
mod tests {
    use lunette_client::model::application::Application;
    use lunette_client::model::record::Record as _;
    use serde_json::json;
    use tempfile::TempDir;

    use super::*;

    fn tracked(applications: &[(&str, &str)]) -> Inventory {
        let row = |(name, version): &(&str, &str)| {
            let tree = json!({ "id": name, "name": name, "version": version, "platform": "LINUX", "onboarded": true,
                "privacy": "OPEN" });
            Arc::new(ApplicationRow::of(Application::from_tree(tree).expect("an application").view()))
        };
        Inventory::new(Some(applications.iter().map(row).collect()), Vec::new())
    }

    #[test]
    fn removed_applications_are_listed_and_updates_of_muted_ones_are_not() {
        let folder = TempDir::new().expect("a folder");
        let database = || Database::open(folder.path()).expect("a database").database;
        let mut settings = Settings::default();
        settings.save_quiet(["updater".to_owned()].into(), true);
        settings.save(&Settings::default(), folder.path()).expect("kept");
        let reported = |inventory: &Inventory| {
            let changes = inventory.changes_settled(&[], database(), "here", Since::Week, Duration::ZERO);
            let changes = changes.expect("read");
            changes.iter().map(|change| (change.name.clone(), change.what.token())).collect::<Vec<_>>()
        };
        assert_eq!(reported(&tracked(&[("UPDATER", "1"), ("EDITOR", "1"), ("GONE", "1")])), []);
        let after = tracked(&[("UPDATER", "2"), ("EDITOR", "2")]);
        assert_eq!(reported(&after), [("EDITOR".to_owned(), "upgraded")], "one answer misses it");
        let both = [("GONE".to_owned(), "removed"), ("EDITOR".to_owned(), "upgraded")];
        let mut found = reported(&after);
        found.sort();
        let mut wanted = both.to_vec();
        wanted.sort();
        assert_eq!(found, wanted);
    }
}
