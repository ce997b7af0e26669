//! Polling of visible data that has no stream.
//!
//! What must hold: the interval is short while data changes and grows while it does not; nothing is polled while the
//! window is hidden or the service does not respond; only differences are sent to the window, so that an idle window
//! stays idle.
//!
//! Our choice: of a list that is longer than its first page only that page is polled; what was deleted after it is seen
//! with the next refresh.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use crate::panel::Panel;
use crate::sync::snapshot::ViewSnapshot;
use crate::sync::{RemoteChange, StreamStatus, SyncContext, SyncStatus};
use lunette_client::client::StreamKind;
use lunette_client::model::id::AssetId;

/// What is polled.
#[derive(Clone, Debug, Default, PartialEq)]
struct Polled {
    pages: Vec<AssetId>,
    rows: bool,
    applications: bool,
}

impl Polled {
    fn of(view: &ViewSnapshot, status: &SyncStatus) -> Self {
        let not_streamed = |kind| matches!(status.of(kind), StreamStatus::NotOffered | StreamStatus::Broken(_));
        if !view.up {
            return Self::default();
        }
        let assets = view.panel == Panel::Assets && not_streamed(StreamKind::Assets);
        Self {
            pages: if assets { view.shown() } else { Vec::new() },
            rows: assets && view.lists_assets && view.rows.is_some(),
            applications: view.panel == Panel::Applications && not_streamed(StreamKind::Applications),
        }
    }

    fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// Polls as long as the connection is used.
pub(super) async fn poll(context: Arc<SyncContext>) {
    let (mut view, mut status) = (context.view.clone(), context.following.subscribe());
    let (mut polled, mut every, mut differed) = (Polled::default(), context.pace.poll, 0);
    loop {
        if !attended(&mut view, context.pace.unattended).await {
            return;
        }
        let now = Polled::of(&view.borrow_and_update(), &status.borrow_and_update());
        let moved = context.differed.load(Ordering::Relaxed);
        every = if now != polled || moved != differed {
            context.pace.poll
        } else {
            (every * 2).min(context.pace.poll_most)
        };
        (polled, differed) = (now, moved);
        show(&context, (!polled.is_nothing()).then_some(every));
        let due = Instant::now() + every;
        let mut other = false;
        while !other {
            other = tokio::select! {
                () = sleep_until(due), if !polled.is_nothing() => break,
                moved = view.changed() => match moved {
                    Ok(()) => !view.borrow().attended || Polled::of(&view.borrow(), &status.borrow()) != polled,
                    Err(_) => return,
                },
                _ = status.changed() => Polled::of(&view.borrow(), &status.borrow()) != polled,
            };
        }
        if !other {
            match context.expect_same_service().await {
                Ok(()) => look(&context, &polled),
                // Without streams, nothing else notices that the service is gone.
                Err(_) => context.send(RemoteChange::Doubted),
            }
        }
    }
}

/// Waits while the window is hidden for longer than this; returns false when the connection is left.
async fn attended(view: &mut tokio::sync::watch::Receiver<ViewSnapshot>, patience: Duration) -> bool {
    tokio::select! {
        seen = view.wait_for(|view| view.attended) => return seen.is_ok(),
        () = sleep(patience) => {}
    }
    view.wait_for(|view| view.attended).await.is_ok()
}

/// Marks polled data as outdated, so that its tasks read it again.
fn look(context: &SyncContext, polled: &Polled) {
    if !polled.pages.is_empty() {
        context.page.add(|stale| stale.record = true);
    }
    if polled.rows {
        context.rows.add(|stale| stale.beginning = true);
    }
    if polled.applications {
        context.lists.add(|stale| {
            stale.kinds.insert(StreamKind::Applications);
        });
    }
}

/// Records the polling interval. The window is woken only if polling starts or stops.
fn show(context: &SyncContext, every: Option<Duration>) {
    let before = context.following.borrow().every;
    if before == every {
        return;
    }
    context.following.send_modify(|status| status.every = every);
    match before.is_some() == every.is_some() {
        true => context.reporter.report_quietly(context.status()),
        false => context.reporter.report(context.status()),
    }
}
