//! `lunette list applications --since DAY`: how the lists of applications changed, in this and earlier runs and in windows.

use std::sync::Arc;

use anyhow::{Error, anyhow};
use jiff::ZonedDateTime;
use serde_json::{Value, json};

use super::rows::{self, Cell, Head, Listed, plain, text};
use super::{Arguments, Extent, print};
use crate::cli::connect::{self, Service};
use crate::cli::{Failure, data_dir, print_message};
use lunette_inspector::applications::read::{self, External, ExternalAnswers};
use lunette_inspector::db::Database;
use lunette_inspector::inventory::headless::Inventory;
use lunette_inspector::inventory::{Change, Since, Source};

/// The columns of changes.
const CHANGES: &[Head] = &[text("WHEN"), text("NAME"), text("CHANGE"), text("FROM"), text("TO"), text("LIST")];

impl Listed for Change {
    const COLUMNS: &'static [Head] = CHANGES;

    fn cells(&self) -> Vec<Cell> {
        let (from, to) = self.what.values();
        vec![
            rows::moment(&self.at.to_string()),
            plain(&self.name),
            plain(self.what.token()),
            plain(from),
            plain(to),
            plain(self.source.name()),
        ]
    }

    fn json(&self) -> Value {
        let (from, to) = self.what.values();
        let value = |value: &str| Some(value.to_owned()).filter(|value| !value.is_empty());
        json!({
            "at": self.at.to_string(), "name": self.name, "change": self.what.token(), "from": value(from),
            "to": value(to), "list": self.source.name(),
        })
    }
}

/// Reads the day, which is wrong usage where it is none.
pub(super) fn since(text: &str) -> Result<Since, Failure> {
    Since::parse(text, &ZonedDateTime::now()).map_err(|message| Failure::usage(anyhow!(message)))
}

/// Reads the lists, keeps what differs from the last time, and prints the changes since the day, newest first.
pub(super) fn run(arguments: &Arguments, since: Since) -> Result<(), Failure> {
    let folder = data_dir::folder(arguments.data.as_deref())?;
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
    print(&changes.iter().map(Arc::as_ref).take(most).collect::<Vec<&Change>>(), arguments.json, Extent::All)
}
