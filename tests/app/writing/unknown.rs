//! A change without a clear response, of every kind that a user makes: it is read again once by itself, is sent once, and the
//! history says what was found.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use lunette_inspector::action::WriteAction;
use lunette_inspector::journal::Outcome;

use crate::stage::Stage;
use crate::support::mutating_proxy::{MutatingProxy, ProxyAction, Reply};
use crate::writing::review::changes;

/// The writes are answered as the service does.
const CLEAR: u8 = 0;
/// They are not made, and answered with 500.
const NOT_MADE: u8 = 1;
/// They are made, and answered with 500.
const MADE: u8 = 2;
/// They are made, and answered with an empty success.
const EMPTY: u8 = 3;

fn reply(status: u16) -> Reply {
    Reply { status, content_type: String::new(), body: Vec::new() }
}

/// A stage whose writes are answered in this way, and the proxy.
fn stage(how: &Arc<AtomicU8>) -> (Stage, MutatingProxy) {
    let (how, mut wire) = (Arc::clone(how), None);
    let stage = Stage::behind(Duration::from_secs(30), |port| {
        let proxy =
            MutatingProxy::start(port, move |asked| match (asked.method.as_str(), how.load(Ordering::Relaxed)) {
                ("POST", NOT_MADE) => ProxyAction::Respond(reply(500)),
                ("POST", MADE) => ProxyAction::Change(Box::new(|made: &mut Reply| *made = reply(500))),
                ("POST", EMPTY) => ProxyAction::Change(Box::new(|made: &mut Reply| *made = reply(200))),
                _ => ProxyAction::Pass,
            });
        wire.insert(proxy).url()
    });
    (stage, wire.expect("a proxy"))
}

#[test]
fn a_change_of_every_kind_without_a_clear_response_is_read_again_once_and_says_what_was_found() {
    let how = Arc::new(AtomicU8::new(CLEAR));
    let (mut stage, wire) = stage(&how);
    for mode in [NOT_MADE, MADE, EMPTY] {
        how.store(CLEAR, Ordering::Relaxed);
        for change in changes(&mut stage) {
            let (info, writes) = (change.info(), || wire.asked().iter().filter(|asked| asked.method == "POST").count());
            let sent = writes();
            how.store(mode, Ordering::Relaxed);
            stage.perform(WriteAction::Change(change.clone()));
            if stage.state().write.planned.is_some() {
                stage.perform(WriteAction::ApplyPlan);
            }
            how.store(CLEAR, Ordering::Relaxed);
            let (step, case) = (stage.last(), format!("{mode}: {change:?}: {:?}", stage.last()));
            let most = if info.several_requests { 2 } else { 1 };
            assert!((1..=most).contains(&(writes() - sent)), "nothing is sent again: {case}");
            assert!(
                mode == EMPTY || step.was_unknown.is_some() || matches!(step.outcome, Outcome::Unknown(_)),
                "{case}"
            );
            match (info.name, mode, &step.outcome) {
                // What is in the Trash cannot be read.
                ("purge", NOT_MADE | MADE, Outcome::Unknown(why)) => assert!(why.contains("Trash"), "{case}"),
                // The first of several requests was made, and the others were not sent.
                (_, MADE | EMPTY, Outcome::Failed(_) | Outcome::Unknown(_)) if info.several_requests => {}
                (_, NOT_MADE, Outcome::Failed(why)) => assert!(why.contains("was not made"), "{case}"),
                (_, MADE, Outcome::Done) if !info.several_requests => {}
                (_, EMPTY, Outcome::Done) => {}
                _ => panic!("{case}"),
            }
        }
    }
}
