//! `lunette list applications --since DAY`: how the lists of applications changed, in this and earlier runs and in windows.

use std::sync::Arc;

use anyhow::{Error, anyhow};
use jiff::ZonedDateTime;
use serde_json::Value as Json;

use super::{Arguments, Extent, print};
use crate::cli::connect::{self, Service};
use crate::cli::{Failure, data_dir, print_message};
use lunette_inspector::applications::Source;
use lunette_inspector::applications::read::{self, External, ExternalAnswers};
use lunette_inspector::db::Database;
use lunette_inspector::inventory::headless::Inventory;
use lunette_inspector::inventory::{Change, Since};
use lunette_inspector::listing::{Column, Columns, Moment, Value};

/// A change that can be printed.
struct Printed(Arc<Change>);

impl Columns for Printed {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::text("at", "When", |change: &Self| Value::Moment(Moment::At(change.0.at))).printed(),
        Column::text("name", "Name", |change: &Self| Value::text(&change.0.name)).printed(),
        Column::text("change", "Change", |change: &Self| Value::text(change.0.what.token())).printed(),
        Column::text("from", "From", |change: &Self| Value::text(change.0.what.values().0)).printed(),
        Column::text("to", "To", |change: &Self| Value::text(change.0.what.values().1)).printed(),
        Column::text("list", "List", |change: &Self| Value::text(change.0.source.name())).printed(),
    ];

    fn record(&self) -> Json {
        Self::COLUMNS.iter().map(|column| (column.key.to_owned(), (column.value)(self).json())).collect()
    }
}

/// Reads the day, which is wrong usage where it is none.
pub(super) fn since(text: &str) -> Result<Since, Failure> {
    Since::parse(text, &ZonedDateTime::now()).map_err(|message| Failure::usage(anyhow!(message)))
}

/// Reads the lists, keeps what differs from the last time, and prints the changes since the day, newest first.
pub(super) fn run(arguments: &Arguments, since: Since) -> Result<(), Failure> {
    let folder = data_dir::folder(arguments.service.data())?;
    let kept = |error| Failure::failed(Error::new(error));
    let read = async |service: &Service| {
        let (tracked, external) = tokio::join!(
            read::applications(&service.client),
            read::external(&service.client, ExternalAnswers::default()),
        );
        let External { rows, mut failed, .. } = external;
        let tracked = tracked.map_err(|error| failed.push((Source::Tracked, error))).ok();
        if failed.len() == Source::ALL.len() {
            return Err(connect::failure(failed.swap_remove(0).1));
        }
        for (source, error) in &failed {
            print_message(&format!("the {} applications could not be read: {}", source.name(), error.reason()));
        }
        let failed: Vec<Source> = failed.into_iter().map(|(source, _)| source).collect();
        let database = Database::open(&folder).map_err(kept)?.database;
        Inventory::new(tracked, rows).changes(&failed, database, &service.connection, since).map_err(kept)
    };
    let changes = connect::run(super::wanted(arguments).with(read))?;
    let most = arguments.limit.unwrap_or(usize::MAX);
    let changes: Vec<Printed> = changes.into_iter().take(most).map(Printed).collect();
    print(&changes.iter().collect::<Vec<_>>(), arguments.json, Extent::All)
}
