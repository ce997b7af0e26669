//! Choosing a service, and saved connections.

use crate::context::Context;
use crate::session::Session;
use crate::session::Status;
use crate::settings::Named;
use crate::settings::Target;
use lunette_client::client::Address;

impl Session {
    /// Connects to this service. A lost one that is chosen again is retried, and its displayed data is kept.
    pub(crate) fn choose_target(&mut self, target: Target, cx: &mut Context<'_>) {
        let connection = &cx.connection;
        let lost = matches!(connection.status, Status::Down(_)) && connection.other.is_none();
        match lost && cx.known_client().is_some() && connection.target == target {
            true => self.try_now(cx),
            false => self.connect_by_choice(target, cx),
        }
    }

    /// Saves a connection. Without a name the address is used; a text that is not an address changes nothing.
    pub(crate) fn keep_connection(&mut self, url: &str, named: Named, cx: &mut Context<'_>) {
        let Ok(address) = named.url.parse::<Address>() else { return };
        let address = address.to_string();
        let kept = match named.name.trim() {
            "" => Named::unnamed(&address),
            name => Named { name: name.to_owned(), url: address.clone() },
        };
        cx.set(|settings| {
            let index = settings.connections.iter().position(|known| known.url == url);
            settings.connections.retain(|known| known.url != url && known.url != address);
            let index = index.unwrap_or(0).min(settings.connections.len());
            settings.connections.insert(index, kept);
        });
    }

    pub(crate) fn forget_connection(&mut self, url: &str, cx: &mut Context<'_>) {
        cx.set(|settings| settings.connections.retain(|known| known.url != url));
    }
}
