//! The service a verb talks to: the one named, or the first that runs on this machine.

use std::future::Future;

use anyhow::anyhow;

use crate::client::{CallError, Client, Limits, Waiting, discover};

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

/// A client of the service at this address, or of the first that is found running. Fails where none is.
pub async fn client(url: Option<&str>, limits: Limits) -> Result<Client, Failure> {
    let address = match url {
        Some(url) => url.parse().map_err(failure)?,
        None => {
            let found = discover(limits).await.into_iter().find(|probe| probe.result.is_ok());
            found.map(|probe| probe.address).ok_or_else(|| Failure::usage(nothing_runs()))?
        }
    };
    Client::new(address, limits).map_err(failure)
}

fn nothing_runs() -> anyhow::Error {
    anyhow!(
        "no service runs on this machine (asked ports 39300 to 39333, 1000 and 5323): start one with `lunette serve`, \
         or name one with --url"
    )
}

/// A failed call as the end of a verb: no service there is wrong usage, everything else a refusal.
pub fn failure(error: CallError) -> Failure {
    let advice = match &error {
        CallError::Refused { .. } | CallError::NotThisService { .. } => {
            "Start one with `lunette serve`, or name another with --url.".to_owned()
        }
        error => error.advice(),
    };
    let said = anyhow!("{}. {}", error.to_string().trim_end_matches('.'), advice.trim_end_matches('.'));
    match error {
        CallError::Address { .. }
        | CallError::Refused { .. }
        | CallError::NotThisService { .. }
        | CallError::TimedOut { waiting: Waiting::Connection, .. } => Failure::usage(said),
        _ => Failure::failed(said),
    }
}
