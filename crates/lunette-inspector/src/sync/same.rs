//! Checks that the service at the address is still the one that the window is connected to.
//!
//! What must hold: after a stream broke, no data of another service that took the address is shown.

use crate::session::Identity;
use crate::sync::{RemoteChange, SyncContext};
use lunette_client::client::{CallError, Purpose};
use lunette_client::operation::table::GetWellKnownHealth;

impl SyncContext {
    /// Asks which service responds. Fails if none does, or if it is another one; the window then determines which.
    pub(super) async fn expect_same_service(&self) -> Result<(), CallError> {
        let exchange = self.client.for_purpose(Purpose::Liveness).exchange(&GetWellKnownHealth {}.into()).await;
        let message = String::from_utf8_lossy(&exchange.response_body).trim().to_owned();
        let health = match exchange.outcome {
            Ok(_) => Some(message),
            Err(error) if error.missing() => None,
            Err(error) => return Err(error),
        };
        let now = Identity { server: exchange.server, health, owner: self.identity.owner };
        if self.identity.same(&now) {
            return Ok(());
        }
        self.send(RemoteChange::Doubted);
        Err(CallError::Disconnected {
            problem: format!("a different service now runs at this address: {}", now.words()),
        })
    }
}
