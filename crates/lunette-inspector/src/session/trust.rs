//! The services that the window uses without asking: its own, another one of the same user, or a trusted one.
//!
//! What must hold: a service that the user did not choose, and that is not known to belong to the user, gets only the
//! requests that identify it. An address that the user typed or picked is a choice of the user.

use crate::action::SessionAction;
use crate::event::{ConnectionEvent, Event};
use std::sync::Arc;

use crate::Owner;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::output::Handshake;
use crate::session::{Output, Session, Status};
use crate::settings::Target;
use lunette_client::client::{self, Address};

use super::Identity;

/// The result of the search at the first start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FirstChoice {
    /// The service to use.
    pub target: Target,
    /// A running service that is not known to be the user's: its address and its owner.
    pub other: Option<(String, Owner)>,
}

impl Session {
    /// Selects a service at the first start: the one of this data folder, or a running one of the same user, or the
    /// embedded one. Any other needs confirmation.
    pub(crate) fn choose(&mut self, cx: &mut Context<'_>) {
        cx.connection.status = Status::Connecting;
        let (embed, limits) = (Arc::clone(&cx.setup().embed), cx.setup().limits);
        let choose = async move {
            if embed.serving().await.is_some() {
                return Ok(FirstChoice { target: Target::Embedded, other: None });
            }
            let running = client::discover(limits).await.into_iter().filter(|probe| probe.result.is_ok());
            let owned = running.map(|probe| (probe.address.to_string(), embed.owner(&probe.address)));
            Ok(first_choice(owned.collect()))
        };
        let failure = "Could not look for running services; using the built-in service";
        cx.run_reporting(failure, choose, |choice| {
            Output::Chosen(choice.unwrap_or(FirstChoice { target: Target::Embedded, other: None }))
        });
    }

    pub(crate) fn chosen(&mut self, choice: FirstChoice, cx: &mut Context<'_>) {
        let FirstChoice { target, other } = choice;
        cx.emit(ConnectionEvent::Chosen(target));
        if let Some((address, owner)) = other {
            cx.emit(Event::Ask(question(&address, owner)));
        }
    }

    /// Connects to a service that the user named.
    pub(crate) fn connect_by_choice(&mut self, target: Target, cx: &mut Context<'_>) {
        self.chosen_by_user = true;
        cx.emit(ConnectionEvent::Chosen(target));
    }

    /// Whether a service that responds needs confirmation before it is used.
    pub(super) fn must_ask(&self, handshake: &Handshake, cx: &Context<'_>) -> bool {
        let Identity { owner, .. } = handshake.identity;
        let Target::Url(_) = cx.connection.target else { return false };
        let here = handshake.address.parse::<Address>().is_ok_and(|address| address.is_loopback());
        let trusted = cx.preferences.settings.trusted.get(&handshake.address);
        let trusted = trusted.is_some_and(|mark| mark == handshake.identity.mark());
        here && owner != Owner::SameUser && !trusted && !self.chosen_by_user
    }

    /// Uses the embedded service, and asks whether to use the one that responded instead.
    pub(super) fn ask_to_use(&mut self, handshake: &Handshake, cx: &mut Context<'_>) {
        let asked = question(&handshake.address, handshake.identity.owner);
        cx.emit(ConnectionEvent::Chosen(Target::Embedded));
        cx.emit(Event::Ask(asked));
    }

    /// Remembers a chosen service that is not known to be the user's own.
    pub(super) fn remember_trust(&mut self, cx: &mut Context<'_>) {
        let connection = &cx.connection;
        let Some(address) = connection.address.clone().filter(|_| connection.is_loopback()) else { return };
        let mark = connection.identity.mark().to_owned();
        let by_choice = self.chosen_by_user && matches!(connection.target, Target::Url(_));
        if by_choice && connection.identity.owner != Owner::SameUser {
            cx.set(|settings| drop(settings.trusted.insert(address, mark)));
        }
    }
}

/// The first service of the same user; otherwise the embedded one, and the first of the others to ask about.
fn first_choice(running: Vec<(String, Owner)>) -> FirstChoice {
    let own = running.iter().find(|(_, owner)| *owner == Owner::SameUser);
    match own {
        Some((address, _)) => FirstChoice { target: Target::Url(address.clone()), other: None },
        None => FirstChoice { target: Target::Embedded, other: running.into_iter().next() },
    }
}

/// The question whether to use a service that is not known to be the user's.
fn question(address: &str, owner: Owner) -> Confirmation {
    let whose = match owner {
        Owner::AnotherUser => "It belongs to another user of this machine",
        Owner::SameUser | Owner::Unknown => "Lunette cannot tell which user of this machine it belongs to",
    };
    let text = format!(
        "A service is running at {address}. {whose}. If you use it, it receives everything you import or change, and \
         its owner can read it. Until then, Lunette uses its built-in service."
    );
    Confirmation::here("Use this service?".to_owned(), text, "Use it", |_| {
        SessionAction::Use(Target::Url(address.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_start_connects_only_to_a_service_of_the_same_user() {
        let at = |port: u16, owner| (format!("http://127.0.0.1:{port}"), owner);
        let squatted = vec![at(39300, Owner::AnotherUser), at(39301, Owner::SameUser)];
        let own = FirstChoice { target: Target::Url("http://127.0.0.1:39301".to_owned()), other: None };
        assert_eq!(first_choice(squatted), own);
        for owner in [Owner::AnotherUser, Owner::Unknown] {
            let asked = FirstChoice { target: Target::Embedded, other: Some(at(39300, owner)) };
            assert_eq!(first_choice(vec![at(39300, owner)]), asked);
        }
        assert_eq!(first_choice(Vec::new()), FirstChoice { target: Target::Embedded, other: None });
    }
}
