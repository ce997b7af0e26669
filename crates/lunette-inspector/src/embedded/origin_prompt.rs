//! The requests that the browser guard of the embedded service rejected, and the allowed pages.
//!
//! What must hold: only the exact origin of one page is offered or allowed, never `null`; a dismissed origin is not
//! reported again; an allowed origin can be revoked.

use crate::context::Context;
use crate::embedded::Blocked;
use crate::embedded::EmbeddedState;
use lunette_client::model::origin::{is_loopback_host, is_valid_origin};

/// How many dismissed origins are remembered.
const PUT_AWAY_KEPT: usize = 64;

/// The rejected requests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guard {
    /// The number of requests since the service started.
    pub refused: u64,
    /// The sender of the last one.
    pub last: Option<Asker>,
    /// The sender that the banner names; `None` if there is none, or all were allowed or dismissed.
    pub open: Option<Asker>,
    dismiss: Vec<Asker>,
}

/// The sender of a rejected request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asker {
    /// The origin of the page, if the request had one.
    pub origin: Option<String>,
    /// The host name of the request, if it was not one of this machine.
    pub foreign_host: Option<String>,
}

impl Asker {
    fn of(blocked: &Blocked) -> Self {
        let foreign_host = blocked.host.clone().filter(|host| !is_loopback_host(host.as_bytes()));
        Self { origin: blocked.origin.clone(), foreign_host }
    }

    /// The origin to allow; `None` if allowing it would change nothing, or if it is not an origin.
    pub fn can_be_let_in(&self) -> Option<&str> {
        self.origin.as_deref().filter(|origin| self.foreign_host.is_none() && is_valid_origin(origin))
    }

    /// A name of the sender, for a sentence.
    pub fn words(&self) -> String {
        let page = match self.origin.as_deref() {
            None => "an unnamed page".to_owned(),
            Some("null") => "a page without an origin".to_owned(),
            Some(origin) => origin.to_owned(),
        };
        match &self.foreign_host {
            Some(host) => format!("{page} as {host}"),
            None => page,
        }
    }
}

impl Guard {
    /// Updates the state from the counts of the guard.
    pub(crate) fn hear(&mut self, blocked: &Blocked, resume_pending_requests: impl Fn(&str) -> bool) {
        let more = blocked.requests > self.refused;
        self.refused = blocked.requests;
        if more {
            let asker = Asker::of(blocked);
            if !self.dismiss.contains(&asker) && !asker.can_be_let_in().is_some_and(resume_pending_requests) {
                self.open = Some(asker.clone());
            }
            self.last = Some(asker);
        }
    }

    /// The rejected requests in one sentence, if there are any; `who` is the sender it names.
    pub fn sentence(&self, who: &Asker) -> String {
        match self.refused {
            1 => format!("Blocked 1 request from a web page: {}", who.words()),
            count => format!("Blocked {count} requests from web pages, the last one from {}", who.words()),
        }
    }

    fn dismiss(&mut self) {
        if let Some(asker) = self.open.take() {
            self.dismiss.push(asker);
            let surplus = self.dismiss.len().saturating_sub(PUT_AWAY_KEPT);
            self.dismiss.drain(..surplus);
        }
    }
}

impl EmbeddedState {
    /// Allows pages of an origin to use the embedded service, also after a restart.
    pub(crate) fn allow_origin(&mut self, origin: &str, cx: &mut Context<'_>) {
        if !is_valid_origin(origin) {
            return cx.show_success(format!("{origin:?} is not the origin of a web page"));
        }
        let allowed = origin.to_owned();
        cx.set(|settings| {
            if !settings.allowed_origins.contains(&allowed) {
                settings.allowed_origins.push(allowed);
            }
        });
        let guard = &mut self.guard;
        guard.open = guard.open.take().filter(|open| open.can_be_let_in() != Some(origin));
        self.hold_origins(cx);
        cx.show_success(format!("Allowed web pages of {origin}"));
    }

    /// Revokes that.
    pub(crate) fn disallow_origin(&mut self, origin: &str, cx: &mut Context<'_>) {
        cx.set(|settings| settings.allowed_origins.retain(|known| known != origin));
        self.hold_origins(cx);
        cx.show_success(format!("Blocked web pages of {origin}"));
    }

    /// Dismisses the banner.
    pub(crate) fn dismiss_refused(&mut self) {
        self.guard.dismiss();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocked(requests: u64, origin: Option<&str>, host: &str) -> Blocked {
        Blocked { requests, origin: origin.map(str::to_owned), host: Some(host.to_owned()) }
    }

    #[test]
    fn a_page_with_a_foreign_host_or_without_an_origin_is_reported_and_not_offered() {
        let own = Asker::of(&blocked(1, Some("http://localhost:8888"), "LocalHost:39300"));
        assert_eq!(own.can_be_let_in(), Some("http://localhost:8888"));
        for (origin, host) in [
            (Some("null"), "127.0.0.1:1"),
            (None, "[::1]:1"),
            (Some("http://evil.test:1"), "evil.test:1"),
            (Some("http://localhost:8888"), "localhost.evil.test"),
        ] {
            let asker = Asker::of(&blocked(1, origin, host));
            assert_eq!(asker.can_be_let_in(), None, "{asker:?}");
            assert!(!asker.words().is_empty());
        }
    }

    #[test]
    fn a_dismissed_origin_is_not_reported_again_and_others_are() {
        let mut guard = Guard::default();
        let (a, b) = (Some("http://localhost:1"), Some("http://localhost:2"));
        guard.hear(&blocked(1, a, "localhost"), |_| false);
        assert_eq!(guard.open.as_ref().and_then(Asker::can_be_let_in), a);
        guard.dismiss();
        guard.hear(&blocked(9, a, "localhost"), |_| false);
        assert_eq!((guard.refused, &guard.open), (9, &None));
        guard.hear(&blocked(10, b, "localhost"), |origin| Some(origin) == b);
        assert_eq!(guard.open, None, "it is let in: the last refusal came before that");
        guard.hear(&blocked(11, b, "localhost"), |_| false);
        guard.hear(&blocked(12, a, "localhost"), |_| false);
        assert_eq!(guard.open.as_ref().and_then(Asker::can_be_let_in), b, "it stays until it is decided");
        // The service was restarted.
        guard.hear(&Blocked::default(), |_| false);
        assert_eq!(guard.refused, 0);
    }

    #[test]
    fn the_message_has_correct_plurals() {
        let mut guard = Guard { refused: 1, ..Guard::default() };
        let asker = Asker { origin: Some("http://localhost:8888".to_owned()), foreign_host: None };
        assert_eq!(guard.sentence(&asker), "Blocked 1 request from a web page: http://localhost:8888");
        guard.refused = 3;
        let three = "Blocked 3 requests from web pages, the last one from http://localhost:8888";
        assert_eq!(guard.sentence(&asker), three);
    }
}
