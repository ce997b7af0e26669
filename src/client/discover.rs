//! Which services run on this machine: the ports of this family are asked, all at once.

use std::time::Duration;

use crate::operation::Operation as _;
use crate::operation::table::{ApplicationsSnapshot, GetWellKnownHealth, GetWellKnownVersion};

use super::{Address, CallError, Client, Limits};

/// The ports services of this family take (records, section 4): the current range, then the two old ones.
const PORTS: [std::ops::RangeInclusive<u16>; 3] = [39300..=39333, 1000..=1000, 5323..=5323];

/// One address that was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// The address.
    pub address: Address,
    /// What is there, or why it is none of ours.
    pub result: Result<Found, CallError>,
}

/// A service that answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Its version; None where it does not tell.
    pub version: Option<String>,
    /// What it says of its health; None where it has the interface's operations only.
    pub health: Option<String>,
    /// Its Server header; `lunette/…` is our own service.
    pub server: Option<String>,
    /// How long it took to answer.
    pub elapsed: Duration,
}

/// Asks every port of this family on this machine, in parallel, and gives back all of them in the order of the ports.
/// A port where nothing listens is known at once; a port that stays silent costs two seconds at most.
pub async fn discover(limits: Limits) -> Vec<Probe> {
    let limits = Limits {
        connect: limits.connect.min(Duration::from_millis(500)),
        total: limits.total.min(Duration::from_secs(2)),
        ..limits
    };
    let addresses: Vec<Address> = PORTS.into_iter().flatten().map(Address::local).collect();
    let tasks: Vec<_> = addresses.iter().map(|address| tokio::spawn(probe(address.clone(), limits))).collect();
    let mut probes = Vec::with_capacity(tasks.len());
    for (address, task) in addresses.into_iter().zip(tasks) {
        probes.push(task.await.unwrap_or_else(|panic| Probe {
            address,
            result: Err(CallError::Broken { target: None, problem: panic.to_string() }),
        }));
    }
    probes
}

/// Asks one address whether a service of this interface is there.
pub async fn probe(address: Address, limits: Limits) -> Probe {
    let result = match Client::new(address.clone(), limits) {
        Ok(client) => ask(&client).await,
        Err(error) => Err(error),
    };
    Probe { address, result }
}

async fn ask(client: &Client) -> Result<Found, CallError> {
    let (target, heard, outcome) = client.send(GetWellKnownHealth::INFO, &GetWellKnownHealth {}.write()).await;
    let mut found = Found { version: None, health: None, server: heard.server, elapsed: heard.elapsed };
    match outcome {
        Ok(()) => {
            let health = String::from_utf8_lossy(&heard.body).trim().to_owned();
            if !health.starts_with("ok") {
                return Err(CallError::NotThisService { target, found: format!("the health {health:?}") });
            }
            found.health = Some(health);
            found.version = client.call(GetWellKnownVersion {}).await.ok(); // Not every service tells.
            Ok(found)
        }
        // A service with the interface's operations and no others is known by its first list.
        Err(error) if error.missing() => client.call(ApplicationsSnapshot {}).await.map(|_| found),
        Err(error) => Err(error),
    }
}
