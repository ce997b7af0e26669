//! Creates assets from many seeds in one transaction.
//!
//! What must hold: the response follows the order of the seeds; a seed that is rejected creates nothing and does not
//! affect the others; everything the response names as created is durable.

use serde_json::Value;

use super::seed;
use crate::http::spool::ResponseText;
use crate::input::bounds;
use crate::record::List;
use crate::resources::assets::needed;
use crate::store::StoreError;
use crate::store::records::asset::Transfer;
use crate::store::records::create::{NewAsset, OnDuplicate};
use crate::{RequestContext, Service, ServiceError};
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::{BATCH_CONTENT_BYTES, BATCH_SEEDS, Seed};
use lunette_client::operation::table::AssetsCreateBatch;

/// Creates an asset from each seed; with `once`, finds existing ones of the same name and content.
pub(crate) fn create_batch(
    service: &Service,
    caller: &RequestContext,
    op: AssetsCreateBatch,
) -> Result<ResponseText, ServiceError> {
    let AssetsCreateBatch { once, records, seeds } = op;
    let mut tree = needed(seeds, "the seeds of the assets to create, in `iterable`")?.into_tree();
    let new: Vec<_> = match tree["iterable"].take() {
        Value::Array(seeds) => within_limit(seeds)?.into_iter().map(read).collect(),
        _ => Vec::new(),
    };
    check_content(&new)?;
    let (new, rejected): (Vec<_>, Vec<_>) = new.into_iter().map(split).unzip();
    let again = if once == Some(true) { OnDuplicate::Reuse } else { OnDuplicate::Create };
    let mut created = service.store.create_assets(new.into_iter().flatten().collect(), again)?.into_iter();
    caller.release_body();
    let mut list = List::plain(service, caller);
    for rejected in rejected {
        let outcome = match rejected {
            Some(error) => Err(error),
            None => created.next().unwrap_or_else(|| Err(missing())).map_err(ServiceError::from),
        };
        let whole = match &outcome {
            // The asset is created even if its record cannot be read.
            Ok(created) if records == Some(true) => service.store.asset(&created.id, Transfer::Withheld).ok(),
            Ok(_) | Err(_) => None,
        };
        list.add_created(service.store.identity(), &outcome, whole.as_ref());
    }
    list.finish().map_err(ServiceError::after_write)
}

fn missing() -> StoreError {
    StoreError::Broken("a seed of a batch has no outcome".to_owned())
}

fn within_limit(seeds: Vec<Value>) -> Result<Vec<Value>, ServiceError> {
    match seeds.len() {
        count if count > BATCH_SEEDS => {
            let sentence = format!("the request has {count} seeds; the limit is {BATCH_SEEDS}: send them in parts");
            Err(ServiceError::bad_request(sentence).with_status(413))
        }
        _ => Ok(seeds),
    }
}

fn read(tree: Value) -> Result<NewAsset, ServiceError> {
    let seed = Seed::from_tree(tree)
        .map_err(|wrong| ServiceError::bad_request(format!("the seed is not a valid Seed: {wrong}")))?;
    let new = seed::read(&seed)?;
    bounds::of_new(&new)?;
    Ok(new)
}

fn check_content(new: &[Result<NewAsset, ServiceError>]) -> Result<(), ServiceError> {
    let bytes: usize = new.iter().flatten().map(|new| new.content.as_bytes().len()).sum();
    match bytes > BATCH_CONTENT_BYTES {
        true => {
            let sentence = format!(
                "the contents of the seeds have {bytes} bytes together; the limit is {BATCH_CONTENT_BYTES}: send them \
                 in parts"
            );
            Err(ServiceError::bad_request(sentence).with_status(413))
        }
        false => Ok(()),
    }
}

/// The new asset to store, and the error of one that is not stored.
fn split(read: Result<NewAsset, ServiceError>) -> (Option<NewAsset>, Option<ServiceError>) {
    match read {
        Ok(new) => (Some(new), None),
        Err(error) => (None, Some(error)),
    }
}
