//! Choosing a service, and the connections that are kept by name.

use crate::app::App;
use crate::app::session::{Status, Target};
use crate::app::settings::Named;
use lunette_client::client::Address;

impl App {
    /// Talks to this service from now on. One that is lost and chosen again is tried again: what is shown of it stays.
    pub(in crate::app) fn choose_target(&mut self, target: Target) {
        let connection = &self.state.connection;
        let lost = matches!(connection.status, Status::Down(_)) && connection.other.is_none();
        match lost && self.runtime.client.is_some() && connection.target == target {
            true => self.try_now(),
            false => self.connect_by_choice(target),
        }
    }

    /// Keeps a connection. Without a name it is called as its address; a text that is no address changes nothing.
    pub(in crate::app) fn keep_connection(&mut self, url: &str, named: Named) {
        let Ok(address) = named.url.parse::<Address>() else { return };
        let address = address.to_string();
        let kept = match named.name.trim() {
            "" => Named::unnamed(&address),
            name => Named { name: name.to_owned(), url: address.clone() },
        };
        self.set(|settings| {
            let place = settings.connections.iter().position(|known| known.url == url);
            settings.connections.retain(|known| known.url != url && known.url != address);
            let place = place.unwrap_or(0).min(settings.connections.len());
            settings.connections.insert(place, kept);
        });
    }

    pub(in crate::app) fn forget_connection(&mut self, url: &str) {
        self.set(|settings| settings.connections.retain(|known| known.url != url));
    }
}
