//! `/mcp` of the service inside: assistants over HTTP.

use std::path::Path;
#[cfg(feature = "mcp")]
use std::path::PathBuf;

use lunette_service::Endpoint;

#[cfg(feature = "mcp")]
use lunette_client::client::{Address, Client, Limits, WritePolicy};
#[cfg(feature = "mcp")]
use lunette_inspector::Vendor;
#[cfg(feature = "mcp")]
use lunette_inspector::assistants::TokenFile;
#[cfg(feature = "mcp")]
use lunette_inspector::proposals::NotSent;
#[cfg(feature = "mcp")]
use lunette_mcp::{Backend, HttpService, NotOpened, Permission, Writer};
#[cfg(feature = "mcp")]
use lunette_service::maintenance;

/// The path.
#[cfg(feature = "mcp")]
const PATH: &str = "/mcp";

/// The name of the journal of the service of a data folder.
#[cfg(feature = "mcp")]
const CONNECTION: &str = "embedded";

/// What answers assistants at a service of a data folder. A program without the protocol answers none.
pub(in crate::cli) struct AssistantsEndpoint {
    #[cfg(feature = "mcp")]
    http: HttpService,
    #[cfg(feature = "mcp")]
    folder: PathBuf,
}

impl AssistantsEndpoint {
    /// For the service of this folder.
    #[cfg_attr(not(feature = "mcp"), expect(unused_variables, reason = "nothing is kept"))]
    pub fn of(folder: &Path) -> Self {
        Self {
            #[cfg(feature = "mcp")]
            http: HttpService::new(TokenFile::of(folder).verifier()),
            #[cfg(feature = "mcp")]
            folder: folder.to_owned(),
        }
    }

    /// Answers with what the conformance suite of the protocol expects.
    #[cfg(all(debug_assertions, feature = "mcp"))]
    pub fn with_fixtures(self) -> Self {
        Self { http: self.http.with_fixtures(), ..self }
    }

    /// What the service mounts.
    pub fn mounted(&self) -> Option<Endpoint> {
        #[cfg(feature = "mcp")]
        let endpoint = Some(Endpoint::new(PATH, self.http.clone()));
        #[cfg(not(feature = "mcp"))]
        let endpoint = None;
        endpoint
    }

    /// Has assistants answered, now that the service has this address. The database is opened when the first one calls.
    #[cfg_attr(not(feature = "mcp"), expect(unused_variables, reason = "nobody is answered"))]
    pub fn started(&self, url: &str) {
        #[cfg(feature = "mcp")]
        {
            let (url, folder) = (url.to_owned(), self.folder.clone());
            self.http.set_backend(move || opened(&url, folder.clone()));
        }
    }
}

#[cfg(feature = "mcp")]
fn opened(url: &str, folder: PathBuf) -> Result<Backend, NotOpened> {
    let address = url.parse::<Address>().map_err(NotOpened::of)?;
    let defaults = Limits::default();
    let limits = Limits { json_bytes: defaults.export_bytes, ..defaults };
    let client = Client::new(address, limits).map_err(NotOpened::of)?;
    let (backed_up, writing) = (folder.clone(), client.clone().with_write_policy(WritePolicy::Allow));
    let back_up = move || maintenance::back_up(&backed_up, None).map(drop).map_err(NotSent::of);
    let backend = Backend::open(client, Vendor::Lunette, CONNECTION, folder, Permission::TakeBack)?;
    Ok(backend.with_writer(Writer { client: writing, back_up: Box::new(back_up) }))
}
