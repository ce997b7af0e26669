//! The receipt of a rescue: nothing counts as equal that was not read back as it was received.

use std::sync::Arc;

use lunette_client::client::{Client, Limits};
use lunette_inspector::rescue::{Destination, DestinationError, Kind, KindReceipt, Receipt, StoredRecord, rescue};
use lunette_inspector::tasks::CancelFlag;
use lunette_service::restored::{RestoredKind, Restorer};
use serde_json::Value;

use crate::support::dying::Dying;
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction, Reply};
use crate::support::{TestService, client_at};

/// A destination that says that it has everything. It stores tags, websites and assets, or nothing.
struct Claiming {
    restorer: Option<Restorer>,
    read_at: String,
}

impl Claiming {
    fn kind(&self, kind: Kind) -> Option<(&Restorer, RestoredKind)> {
        let kind = match kind {
            Kind::Tags => RestoredKind::Tag,
            Kind::Websites => RestoredKind::Website,
            Kind::Assets => RestoredKind::Asset,
            _ => return None,
        };
        Some((self.restorer.as_ref()?, kind))
    }
}

impl Destination for Claiming {
    fn store(&self, kind: Kind, records: &[Value]) -> Result<Vec<StoredRecord>, DestinationError> {
        if let Some((restorer, kind)) = self.kind(kind) {
            let outcomes = restorer.restore(kind, records).expect("stored");
            assert!(outcomes.iter().all(Result::is_ok));
        }
        Ok(vec![StoredRecord::Here; records.len()])
    }

    fn change(&self, _: Kind, records: &[Value]) -> Result<Vec<Option<String>>, DestinationError> {
        Ok(vec![None; records.len()])
    }

    fn link(&self, kind: Kind, records: &[Value]) -> Result<Vec<(String, String, String)>, DestinationError> {
        if let Some((restorer, kind)) = self.kind(kind) {
            restorer.link(kind, records).expect("linked");
        }
        Ok(Vec::new())
    }

    fn client(&self) -> Result<Client, DestinationError> {
        Ok(client_at(&self.read_at, Limits::default()))
    }
}

async fn taken(old: &Dying, destination: Claiming) -> Result<Receipt, String> {
    let data = tempfile::tempdir().expect("a folder");
    let from = client_at(&old.url(), Limits::default());
    let cancel = CancelFlag::default();
    let ended = rescue(&from, data.path(), Arc::new(destination), &|_| {}, &cancel).await;
    let folder = std::fs::read_dir(data.path().join("rescue")).expect("the folder").next().expect("one").expect("one");
    assert_eq!(ended.is_ok(), folder.path().join("receipt.json").exists(), "a receipt is the end of it");
    ended.map_err(|error| error.to_string())
}

fn row<'a>(receipt: &'a Receipt, kind: &str) -> &'a KindReceipt {
    receipt.kinds.iter().find(|row| row.kind == kind).expect("the kind")
}

#[tokio::test]
async fn what_is_said_to_be_stored_and_is_not_there_is_missing_by_name() {
    let (old, empty) = (Dying::start(1), TestService::start().await);
    let nothing = Claiming { restorer: None, read_at: empty.client.address().to_string() };
    let receipt = taken(&old, nothing).await.expect("a receipt");
    for row in receipt.kinds.iter().filter(|row| row.stored.is_some() && row.named > 0 && row.kind != "applications") {
        assert_eq!((row.stored, row.equal, row.missing.len()), (Some(0), Some(0), row.named), "{}", row.kind);
    }
    assert_eq!(row(&receipt, "assets").received, old.counts()["assets"]);
    assert!(receipt.missing() > 100);
}

#[tokio::test]
async fn what_is_read_back_as_something_else_is_not_equal_whatever_the_store_says() {
    let (old, service) = (Dying::start(1), TestService::start().await);
    let assets = old.counts()["assets"];
    let alter = |asset: &mut Value, number: usize| match number % 3 {
        0 => asset["name"] = "another".into(),
        1 => asset["created"]["value"] = "2020-01-01T00:00:00Z".into(),
        _ => asset["websites"]["iterable"] = Value::Array(Vec::new()),
    };
    let proxy = MutatingProxy::start(service.port(), move |asked| match asked.path == "/assets" {
        true => ProxyAction::Change(Box::new(move |reply: &mut Reply| {
            reply.json(|list| {
                let listed = list["iterable"].as_array_mut().expect("a list").iter_mut();
                listed.enumerate().for_each(|(number, asset)| alter(asset, number));
            });
        })),
        false => ProxyAction::Pass,
    });
    let stored = Claiming { restorer: Some(service.running.restorer()), read_at: proxy.url() };
    let receipt = taken(&old, stored).await.expect("a receipt");
    let altered = row(&receipt, "assets");
    assert_eq!((altered.stored, altered.equal, altered.missing.len()), (Some(assets), Some(0), assets));
    for reason in ["name", "created", "websites"] {
        let said = altered.missing.iter().filter(|one| one.reason.contains(reason)).count();
        assert!(said >= assets / 4, "{reason}: {said}");
    }
    let tags = row(&receipt, "tags");
    assert_eq!((tags.stored, tags.equal), (Some(tags.named), Some(tags.named)), "{:?}", tags.missing);
}

#[tokio::test]
async fn without_reading_back_there_is_no_receipt() {
    let (old, service) = (Dying::start(1), TestService::start().await);
    let proxy = MutatingProxy::start(service.port(), |asked| match asked.path == "/assets" {
        true => ProxyAction::Respond(Reply { status: 500, content_type: String::new(), body: Vec::new() }),
        false => ProxyAction::Pass,
    });
    let stored = Claiming { restorer: Some(service.running.restorer()), read_at: proxy.url() };
    let why = taken(&old, stored).await.expect_err("nothing was read back");
    assert!(why.contains("cannot read back"), "{why}");
}
