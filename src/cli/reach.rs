//! The service a verb talks to: the one named, or the first that runs on this machine.

use std::future::Future;

use anyhow::anyhow;

use crate::client::{Address, CallError, Client, Found, Limits, Rail, Waiting, discover, probe};

use super::Failure;

/// Runs background work to its end on a runtime of its own.
pub fn run<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| Failure::failed(anyhow::Error::new(error).context("no threads to work on")))?;
    let done = runtime.block_on(work);
    // A thread that waits for standard input must not hold the program back.
    runtime.shutdown_background();
    done
}

/// A client of the service at this address, or of the first that is found running. Fails where none is; one that is
/// named is not asked yet.
pub async fn client(url: Option<&str>, limits: Limits) -> Result<Client, Failure> {
    let address = match url {
        Some(url) => url.parse().map_err(failure)?,
        None => running(limits).await?.0,
    };
    Client::new(address, limits).map_err(failure)
}

/// The same, with what the service says of itself. One that is named is asked, too.
pub async fn found(url: Option<&str>) -> Result<(Client, Found), Failure> {
    let limits = Limits::default();
    let (address, found) = match url {
        Some(url) => {
            let asked = probe(url.parse().map_err(failure)?, limits).await;
            (asked.address, asked.result.map_err(failure)?)
        }
        None => running(limits).await?,
    };
    Ok((Client::new(address, limits).map_err(failure)?, found))
}

/// The rail for a verb that writes. Fails, before anybody is asked anything, where the service is not on this machine and
/// nobody said that it may be written to.
pub fn rail(url: Option<&str>, allow_writes: bool) -> Result<Rail, Failure> {
    // What is looked for is looked for on this machine.
    let Some(url) = url else { return Ok(Rail::Free) };
    let address: Address = url.parse().map_err(failure)?;
    if allow_writes || Rail::of(&address).lets_writes() {
        return Ok(Rail::Free);
    }
    Err(Failure::failed(anyhow!("nothing was sent to {address}. {ALLOW}")))
}

/// What to do about a write that was held back.
const ALLOW: &str = "It is not this machine, and is only read: give --allow-writes to change things there; they travel \
                     unencrypted";

/// The first service that runs on this machine.
async fn running(limits: Limits) -> Result<(Address, Found), Failure> {
    let probes = discover(limits).await;
    let found = probes.into_iter().find_map(|probe| Some((probe.address, probe.result.ok()?)));
    found.ok_or_else(|| Failure::usage(nothing_runs()))
}

/// What is said where a service is looked for and none runs.
pub fn nothing_runs() -> anyhow::Error {
    anyhow!(
        "no service runs on this machine (asked ports 39300 to 39333, 1000 and 5323): start one with `lunette serve`, \
         or name one with --url"
    )
}

/// A failed call as the end of a verb: no service there is wrong usage, everything else a refusal.
pub fn failure(error: CallError) -> Failure {
    let advice = match &error {
        error if error.outcome_unknown() => error.advice(),
        CallError::Refused { .. } | CallError::NotThisService { .. } => {
            "Start one with `lunette serve`, or name another with --url.".to_owned()
        }
        CallError::ReadOnly { .. } => ALLOW.to_owned(),
        error => error.advice(),
    };
    let said = anyhow!("{}. {}", error.to_string().trim_end_matches('.'), advice.trim_end_matches('.'));
    match error {
        error if error.outcome_unknown() => Failure::failed(said),
        CallError::Address { .. }
        | CallError::Refused { .. }
        | CallError::NotThisService { .. }
        | CallError::TimedOut { waiting: Waiting::Connection, .. } => Failure::usage(said),
        _ => Failure::failed(said),
    }
}
