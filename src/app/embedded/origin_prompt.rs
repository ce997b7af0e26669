//! What the browser guard of the embedded service refused, and which pages are let in.
//!
//! What must hold: only what can be the exact origin of one page is ever offered or let in, never `null`; what was put
//! away is not told of again; and whoever was let in can be put out.

use crate::app::context::Context;
use crate::app::embedded::Blocked;
use crate::app::embedded::EmbeddedState;
use lunette_client::model::origin::{is_one_page, names_this_machine};

/// How many askers are remembered that were put away.
const PUT_AWAY_KEPT: usize = 64;

/// What was refused.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guard {
    /// How many requests since the service started.
    pub refused: u64,
    /// Who asked last.
    pub last: Option<Asker>,
    /// Whom the bar tells of; None where there is nobody, or all were let in or put away.
    pub open: Option<Asker>,
    dismiss: Vec<Asker>,
}

/// Who asked and was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asker {
    /// The origin of the page, where it told.
    pub origin: Option<String>,
    /// The name under which this machine was asked, where that was not its own.
    pub foreign_host: Option<String>,
}

impl Asker {
    fn of(blocked: &Blocked) -> Self {
        let foreign_host = blocked.host.clone().filter(|host| !names_this_machine(host.as_bytes()));
        Self { origin: blocked.origin.clone(), foreign_host }
    }

    /// The origin to let in; None where letting one in would change nothing, or where it is none.
    pub fn can_be_let_in(&self) -> Option<&str> {
        self.origin.as_deref().filter(|origin| self.foreign_host.is_none() && is_one_page(origin))
    }

    /// Who it is, for a sentence.
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
    /// Takes in what the guard tells.
    pub(in crate::app) fn hear(&mut self, blocked: &Blocked, resume_pending_requests: impl Fn(&str) -> bool) {
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

    /// What was refused, in one sentence; None where nothing was. `who` is who is named.
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
    /// Lets pages of an origin use the embedded service, from now on and after every start.
    pub(in crate::app) fn allow_origin(&mut self, origin: &str, cx: &mut Context<'_>) {
        if !is_one_page(origin) {
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

    /// Lets pages of an origin use it no more.
    pub(in crate::app) fn disallow_origin(&mut self, origin: &str, cx: &mut Context<'_>) {
        cx.set(|settings| settings.allowed_origins.retain(|known| known != origin));
        self.hold_origins(cx);
        cx.show_success(format!("Blocked web pages of {origin}"));
    }

    /// Puts away what the bar tells of.
    pub(in crate::app) fn dismiss_refused(&mut self) {
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
        // The service was started anew.
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
