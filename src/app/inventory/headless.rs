//! The inventory without a window: what was read is compared with what is kept, and the changes are given back.

use std::sync::Arc;
use std::time::Duration;

use jiff::Zoned;

use super::join::{Answers, Scope};
use super::observed::{Change, SETTLED, Source};
use super::since::Since;
use super::store::InventoryStore;
use crate::app::db::{Database, DatabaseError};
use crate::app::listing::RowList;
use crate::app::listing::rows::{ApplicationRow, ExternalRow};
use crate::app::settings::Settings;

/// What was read of the lists.
pub struct Inventory(Answers);

impl Inventory {
    /// Of the lists that could be read.
    pub fn new(tracked: Option<Vec<Arc<ApplicationRow>>>, external: Vec<Arc<ExternalRow>>) -> Self {
        Self(Answers { tracked: tracked.map(RowList::from), external: Some(RowList::from(external)) })
    }

    /// Keeps what differs from what is known, and returns the changes since a day, newest first. Lists that failed are
    /// left as they were. Other versions of applications whose updates the user does not want marked are left out. Blocks.
    pub fn changes(
        &self,
        failed: &[Source],
        database: Arc<Database>,
        connection: &str,
        since: Since,
    ) -> Result<Vec<Arc<Change>>, DatabaseError> {
        self.changes_settled(failed, database, connection, since, SETTLED)
    }

    /// The same, where what was missing for as long as `settled` is gone.
    fn changes_settled(
        &self,
        failed: &[Source],
        database: Arc<Database>,
        connection: &str,
        since: Since,
        settled: Duration,
    ) -> Result<Vec<Arc<Change>>, DatabaseError> {
        let quiet = Settings::quiet_updates_in(&database)?;
        let (store, now) = (InventoryStore::of(database, connection), Zoned::now());
        for source in Source::ALL {
            if let Some(answer) = self.0.of(source).filter(|_| !failed.contains(&source)) {
                store.observe(source, &answer, &now, settled)?;
            }
        }
        let (scope, start) = (Scope { since, quiet }, since.start(&now));
        let mut changes = store.read()?.changes;
        changes.retain(|change| change.at >= start && scope.takes(change));
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
    fn what_went_is_listed_and_updates_of_quiet_applications_are_not() {
        let folder = TempDir::new().expect("a folder");
        let database = || Database::open(folder.path()).expect("a database").database;
        let mut settings = Settings::default();
        settings.keep_quiet(["updater".to_owned()].into(), true);
        settings.keep(&Settings::default(), folder.path()).expect("kept");
        let told = |inventory: &Inventory| {
            let changes = inventory.changes_settled(&[], database(), "here", Since::Week, Duration::ZERO);
            let changes = changes.expect("read");
            changes.iter().map(|change| (change.name.clone(), change.what.token())).collect::<Vec<_>>()
        };
        assert_eq!(told(&tracked(&[("UPDATER", "1"), ("EDITOR", "1"), ("GONE", "1")])), []);
        let after = tracked(&[("UPDATER", "2"), ("EDITOR", "2")]);
        assert_eq!(told(&after), [("EDITOR".to_owned(), "upgraded")], "one answer misses it");
        let both = [("GONE".to_owned(), "removed"), ("EDITOR".to_owned(), "upgraded")];
        let mut found = told(&after);
        found.sort();
        let mut wanted = both.to_vec();
        wanted.sort();
        assert_eq!(found, wanted);
    }
}
