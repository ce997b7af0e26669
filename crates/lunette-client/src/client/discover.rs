//! Discovery: probes all well-known ports of this family of services in parallel.
//!
//! What must hold: a request is sent only to a port that accepted a connection; discovery ends within two seconds
//! whatever listens; a service is recognised by its responses, never by its port alone.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::{Duration, Instant};

use reqwest::header::{CONNECTION, SERVER};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::operation::table::{ApplicationsSnapshot, GetWellKnownHealth, GetWellKnownVersion};
use crate::operation::{Operation as _, RequestParts};

use super::send::{header, transport_error};
use super::text::error_text;
use super::{Address, CallError, Client, Limits, Target, TimeoutPhase};

mod owner;
mod probe;

pub use owner::{Owner, owner_of};
pub use probe::{FoundService, Probe, ProbeStatus};

/// The ports services of this family take (records, section 4): the current range, then the two old ones.
const PORTS: [std::ops::RangeInclusive<u16>; 3] = [39300..=39333, 1000..=1000, 5323..=5323];
/// A local port accepts or refuses at once; only an overloaded one makes a connection wait.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(400);
/// Time for the requests to one port after that; the sum stays below two seconds even if a thread is late.
const PROBE_TIMEOUT: Duration = Duration::from_millis(1_400);

/// Probes every port of this family in parallel and returns all results in port order.
pub async fn discover(limits: Limits) -> Vec<Probe> {
    discover_each(limits, |_| {}).await
}

/// Probes every port of this family in parallel, calls `on_probe` as each probe ends, and returns all results in port
/// order. A port whose two loopback addresses belong to different programs
/// yields two probes, `127.0.0.1` first.
pub async fn discover_each(limits: Limits, mut on_probe: impl FnMut(&Probe)) -> Vec<Probe> {
    let mut tasks = JoinSet::new();
    let mut pending = HashMap::new();
    for (index, port) in PORTS.into_iter().flatten().enumerate() {
        pending.insert(tasks.spawn(async move { probe_port(port, limits).await }).id(), (index, port));
    }
    let mut ports = Vec::new();
    while let Some(ended) = tasks.join_next_with_id().await {
        let id = ended.as_ref().map_or_else(tokio::task::JoinError::id, |(id, _)| *id);
        let Some((index, port)) = pending.remove(&id) else { continue };
        let probes = match ended {
            Ok((_, probes)) => probes,
            Err(panic) => {
                let error = CallError::Internal { target: None, problem: format!("the probe panicked: {panic}") };
                let (address, owner) = (Address::local(port), Owner::Unknown);
                vec![Probe { address, server: None, owner, elapsed: Duration::ZERO, result: Err(error) }]
            }
        };
        probes.iter().for_each(&mut on_probe);
        ports.push((index, probes));
    }
    ports.sort_by_key(|(index, _)| *index);
    ports.into_iter().flat_map(|(_, probes)| probes).collect()
}

/// Probes one address for a service of this interface, within these limits.
pub async fn probe(address: Address, limits: Limits) -> Probe {
    probe_with(address, limits, owner_of).await
}

/// Probes one address for a service of this interface, within these limits; `owner` looks up who listens there.
pub async fn probe_with(address: Address, limits: Limits, owner: impl FnOnce(&Address) -> Owner) -> Probe {
    let (mut server, mut found) = (None, None);
    let start = Instant::now();
    let outcome = match Client::new(address.clone(), limits) {
        Ok(client) => query_service(&client, &mut server, &mut found).await,
        Err(error) => Err(error),
    };
    let no_result = || CallError::Internal { target: None, problem: "the probe has no result".to_owned() };
    let result = outcome.and_then(|()| found.ok_or_else(no_result));
    let owner = if result.is_ok() { owner(&address) } else { Owner::Unknown };
    Probe { address, server, owner, elapsed: start.elapsed(), result }
}

/// One port, on both loopback addresses.
async fn probe_port(port: u16, limits: Limits) -> Vec<Probe> {
    let (four, six) = (Address::local(port), Address::local_six(port));
    let connect_timeout = CONNECT_TIMEOUT.min(limits.connect);
    let (on_four, on_six) = tokio::join!(
        probe_address(four, Ipv4Addr::LOCALHOST.into(), port, connect_timeout, limits),
        probe_address(six, Ipv6Addr::LOCALHOST.into(), port, connect_timeout, limits),
    );
    let report_six = match on_six.status() {
        // A second refused address adds nothing.
        ProbeStatus::Refused => false,
        ProbeStatus::Silent | ProbeStatus::Other => on_four.status() != on_six.status(),
        ProbeStatus::Ours | ProbeStatus::Family | ProbeStatus::Interface => !on_four.same_service(&on_six),
    };
    match (on_four.status(), report_six) {
        (_, false) => vec![on_four],
        (ProbeStatus::Refused, true) => vec![on_six],
        (_, true) => vec![on_four, on_six],
    }
}

async fn probe_address(address: Address, host: IpAddr, port: u16, connect_timeout: Duration, limits: Limits) -> Probe {
    let start = Instant::now();
    let target = || Target::new(GetWellKnownHealth::INFO, address.join(GetWellKnownHealth::INFO.path));
    let failed = match tokio::time::timeout(connect_timeout, TcpStream::connect(SocketAddr::new(host, port))).await {
        Ok(Ok(_)) => None,
        Ok(Err(error)) => Some(CallError::Refused { target: target(), problem: error_text(&error) }),
        Err(_) => {
            Some(CallError::TimedOut { target: target(), waiting: TimeoutPhase::Connect, limit: connect_timeout })
        }
    };
    if let Some(error) = failed {
        return Probe { address, server: None, owner: Owner::Unknown, elapsed: start.elapsed(), result: Err(error) };
    }
    let timeout = PROBE_TIMEOUT.min(limits.total);
    let limits = Limits { connect: connect_timeout, total: timeout, ..limits };
    let (mut server, mut found) = (None, None);
    let tasks = match Client::new(address.clone(), limits) {
        Ok(client) => tokio::time::timeout(timeout, query_service(&client, &mut server, &mut found)).await,
        Err(error) => Ok(Err(error)),
    };
    let late = || CallError::TimedOut { target: target(), waiting: TimeoutPhase::Response, limit: timeout };
    let outcome = tasks.unwrap_or_else(|_| Err(late()));
    // A service that is only slow to report its version still counts as found.
    let result = found.map_or_else(|| outcome.and_then(|()| Err(late())), Ok);
    // Looked up after the response: whoever listens now sent it, or has replaced the sender.
    let owner = if result.is_ok() { owner_of(&address) } else { Owner::Unknown };
    Probe { address, server, owner, elapsed: start.elapsed(), result }
}

/// Sends HEAD first, as the clients of this family do; whatever does not respond in time gets no further request.
/// Partial results are stored at once, so that they survive the timeout.
async fn query_service(
    client: &Client,
    server: &mut Option<String>,
    found: &mut Option<FoundService>,
) -> Result<(), CallError> {
    match client.server_header().await {
        Ok(named) => *server = named,
        // Some programs close the connection on an unknown method, and respond to a GET.
        Err(CallError::Reset { .. }) => {}
        Err(error) => return Err(error),
    }
    let (target, raw, outcome) =
        client.send(GetWellKnownHealth::INFO, &GetWellKnownHealth {}.write(), None, Ok(None)).await;
    *server = raw.server.or(server.take());
    let mut service = FoundService { version: None, health: None, server: server.clone(), elapsed: raw.elapsed };
    match outcome {
        Ok(()) => {
            let health = String::from_utf8_lossy(&raw.body).trim().to_owned();
            if !health.starts_with("ok") {
                let shown: String = health.chars().take(40).collect();
                let found = format!("its health check returns {shown:?}");
                return Err(CallError::NotThisService { target, found, status: raw.status });
            }
            service.health = Some(health);
            let service = found.insert(service);
            service.version = client.call(GetWellKnownVersion {}).await.ok(); // Not every service reports it.
        }
        // A service with only the interface's operations is recognised by its list of applications.
        Err(error) if error.missing() => {
            client.call(ApplicationsSnapshot {}).await?;
            *found = Some(service);
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

impl Client {
    /// Sends HEAD to the health endpoint; returns the Server header of whatever responded, with any status.
    async fn server_header(&self) -> Result<Option<String>, CallError> {
        let info = GetWellKnownHealth::INFO;
        let target = self.target(info, &RequestParts::default());
        // Some programs send a body with it (against RFC 9110, 9.3.2), which a next request on the same connection would
        // read as its answer.
        let tasks = self.reads.head(&target.url).header(CONNECTION, "close").send();
        match tokio::time::timeout(self.limits.total, tasks).await {
            Ok(Ok(response)) => Ok(header(response.headers(), &SERVER)),
            Ok(Err(error)) => Err(transport_error(&target, &self.limits, &error)),
            Err(_) => Err(CallError::TimedOut { target, waiting: TimeoutPhase::Response, limit: self.limits.total }),
        }
    }
}
