//! What tests over real HTTP need: a service on a free port, a sender of raw bytes, and a server that misbehaves.
//!
//! Nothing here sleeps: a service answers from the moment it has started, and time-outs are short.

#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod assets;
pub mod busy;
pub mod counter;
pub mod dying;
pub mod fault;
pub mod gate;
pub mod headless;
pub mod hostile;
pub mod mutating_proxy;
pub mod odd;
pub mod paged;
pub mod partial;
pub mod raw;
pub mod unsupported_proxy;

use std::sync::Arc;

use lunette_client::client::{Address, Client, Limits};
use lunette_client::model::id::AssetId;
use lunette_client::operation::{Call, InputLocation, OperationInfo, RequestParts};
use lunette_service::detect::{Detect, Detected};
use lunette_service::{Data, HttpLimits, Ports, Running, Settings};
use tempfile::TempDir;

/// A running service on a free port, with its data in a folder of its own, and a client of it.
pub struct TestService {
    pub running: Running,
    pub client: Client,
    /// Removed when this is dropped.
    pub folder: TempDir,
}

impl TestService {
    /// With default settings.
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// With other settings.
    pub async fn with(change: impl FnOnce(&mut Settings)) -> Self {
        Self::within(HttpLimits::default(), change).await
    }

    /// With other limits.
    pub async fn within(limits: HttpLimits, change: impl FnOnce(&mut Settings)) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut settings = settings(Data::Folder(folder.path().to_owned()));
        change(&mut settings);
        let running = lunette_service::start_within(settings, limits).await.expect("the service starts");
        Self { client: client(&running), running, folder }
    }

    pub fn port(&self) -> u16 {
        self.running.port()
    }

    /// Sends these bytes and returns the response.
    pub async fn raw(&self, request: impl AsRef<[u8]>) -> raw::Answer {
        raw::send(self.port(), request.as_ref()).await
    }

    /// Sends a request with this method and target, with the headers of a plain program.
    pub async fn send(&self, method: &str, target: &str, body: Option<&str>) -> raw::Answer {
        self.raw(raw::request(method, target, self.port(), &[], body)).await
    }
}

/// Settings for a service on any free port, on a machine where nothing is installed.
pub fn settings(data: Data) -> Settings {
    Settings::new(data, Ports::Any, Arc::new(Planted(Vec::new())))
}

/// A client of this service.
pub fn client(running: &Running) -> Client {
    client_at(&running.url(), Limits::default())
}

/// A client of whatever is at this address.
pub fn client_at(url: &str, limits: Limits) -> Client {
    let address: Address = url.parse().expect("an address");
    Client::new(address, limits).expect("a client")
}

/// The minimal request to this row that a service would accept.
pub fn least(info: &OperationInfo) -> Call {
    let mut parts = RequestParts::default();
    for input in info.inputs {
        match input.location {
            InputLocation::Path if input.name == "version" => parts.path.push((input.name.to_owned(), "1".to_owned())),
            InputLocation::Path => parts.path.push((input.name.to_owned(), AssetId::random().to_string())),
            InputLocation::Query if input.required => parts.query.push((input.name.to_owned(), "HTML".to_owned())),
            InputLocation::Query | InputLocation::Body => {}
        }
    }
    Call::read(info, &parts).expect("the inputs suffice")
}

/// Detects what was planted.
pub struct Planted(pub Vec<Detected>);

impl Detect for Planted {
    fn detect(&self) -> Vec<Detected> {
        self.0.clone()
    }

    fn sources(&self) -> Vec<std::path::PathBuf> {
        Vec::new()
    }
}
