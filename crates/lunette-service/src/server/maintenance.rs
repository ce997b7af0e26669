//! Maintenance of data folders: backups, restoring one, quarantining a damaged database.
//!
//! Re-exports from the store for callers that must not name it.

pub use crate::store::{
    Backup, Cause, Health, Restored, StoreError, back_up, backups, copy, never_used, quarantine, restore,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::address::{Lasts, Listening};
    use crate::{Data, Ports, Settings, detect, start, start_unpublished};

    fn settings(data: Data) -> Settings {
        Settings::new(data, Ports::Any, detect::of_this_machine())
    }

    #[tokio::test]
    async fn a_running_service_reports_health_and_takes_backups() {
        let around = tempfile::tempdir().expect("a folder");
        let data = around.path().join("data");
        let running = start(settings(Data::Folder(data.clone()))).await.expect("it starts");
        assert_eq!(running.health(), Health::Healthy);
        let backup = running.back_up().await.expect("a backup");
        assert_eq!(backups(&data), std::slice::from_ref(&backup));
        running.stop().await;
        assert!(restore(&data, &backup.path).expect("restored").summed);
    }

    #[tokio::test]
    async fn a_service_that_is_not_published_is_found_by_no_other_program() {
        let data = tempfile::tempdir().expect("a folder");
        let mut running = start_unpublished(settings(Data::Folder(data.path().to_owned()))).await.expect("it starts");
        assert_eq!(Listening::read(data.path()), None);
        running.publish(Lasts::OneCommand);
        assert_eq!(Listening::read(data.path()).map(|read| read.lasts), Some(Lasts::OneCommand));
        // It is not a day old.
        assert!(!running.daily_is_due());
        running.run_daily().await;
        assert_eq!(backups(data.path()), []);
        running.stop().await;
        assert_eq!(Listening::read(data.path()), None);
    }

    #[tokio::test]
    async fn a_service_in_memory_has_nothing_to_back_up() {
        let running = start(settings(Data::Memory)).await.expect("it starts");
        assert_eq!(running.health(), Health::Healthy);
        assert!(matches!(running.back_up().await, Err(StoreError::Invalid(_))));
        running.stop().await;
    }

    #[tokio::test]
    async fn a_damaged_database_is_distinguished_from_one_in_use() {
        let data = tempfile::tempdir().expect("a folder");
        std::fs::write(data.path().join("lunette.sqlite3"), "damaged").expect("written");
        let refused = start(settings(Data::Folder(data.path().to_owned()))).await.err().expect("a refusal");
        assert!(refused.damaged() && !refused.folder_in_use(), "{refused}");
        quarantine(data.path()).expect("set aside");
        let running = start(settings(Data::Folder(data.path().to_owned()))).await.expect("it starts");
        let second = start(settings(Data::Folder(data.path().to_owned()))).await.err().expect("a refusal");
        assert!(!second.damaged() && second.folder_in_use(), "{second}");
        running.stop().await;
    }
}
