//! Reads the names of a plan's assets from the service, for rows that contain only an id: reports and exports use them.

use std::collections::BTreeMap;

use crate::cli::{Failure, connect};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::runs::RunRecord;
use lunette_inspector::{CallError, Transport};

/// After this many time-outs in a row the service is considered gone.
pub(super) const TIME_OUTS: usize = 3;

/// Fills in the names of rows that have none. An asset that cannot be read stays without a name. Fails if the service
/// does not answer.
pub(in crate::cli) async fn read<C: Transport>(caller: &C, record: &mut RunRecord) -> Result<(), Failure> {
    let mut names = BTreeMap::new();
    let mut timed_out = 0;
    for assets in record.unnamed().chunks(record.run.in_flight) {
        let reads = assets.iter().map(|asset| (asset.clone(), tokio::spawn(name(caller.clone(), asset.clone()))));
        for (asset, read) in reads.collect::<Vec<_>>() {
            match read.await.map_err(|error| Failure::failed(error.into()))? {
                Ok(name) => {
                    timed_out = 0;
                    names.insert(asset, name);
                }
                Err(error @ (CallError::Refused { .. } | CallError::NotThisService { .. })) => {
                    return Err(connect::failure(error));
                }
                Err(error @ CallError::TimedOut { .. }) => {
                    timed_out += 1;
                    if timed_out >= TIME_OUTS {
                        return Err(connect::timed_out(&error, timed_out));
                    }
                }
                Err(_) => timed_out = 0,
            }
        }
    }
    record.name_rows(&names);
    Ok(())
}

async fn name<C: Transport>(caller: C, asset: AssetId) -> Result<String, CallError> {
    let asset = caller.call(AssetSnapshot { asset, transferables: Some(false) }).await?;
    Ok(asset.view().name().unwrap_or_default().to_owned())
}
