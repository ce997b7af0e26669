//! What a command holds while it uses a data folder that no service serves, and how it lets go of it.
//!
//! What must hold: a service that a command started for itself is used by no other command until it is published, and
//! afterwards only by one that has the turn; it stops in the turn of its own command, so that it never ends under
//! another one.

use std::path::PathBuf;
use std::pin::pin;
use std::time::Duration;

use lunette_service::Running;
use lunette_service::address::Lasts;
use lunette_service::turn::Turn;
use tokio::time::timeout;

use crate::cli::turn;

/// How long a command keeps the folder to itself. Our choice: nearly all end sooner, so that one that is quick does not
/// have to wait at its end for one that is not.
const ALONE: Duration = Duration::from_secs(2);

/// What a command holds.
#[derive(Default)]
pub(super) struct Held {
    /// The service that it started.
    running: Option<Running>,
    turn: Option<Turn>,
    /// The folder of that service; `None` in memory.
    folder: Option<PathBuf>,
}

/// Whether a command wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrote {
    Yes,
    No,
}

impl Held {
    /// The service of another command, which may be used during this turn.
    pub fn turn(turn: Turn) -> Self {
        Self { turn: Some(turn), ..Self::default() }
    }

    /// A service on a folder.
    pub fn service(running: Running, turn: Turn, folder: PathBuf) -> Self {
        Self { running: Some(running), turn: Some(turn), folder: Some(folder) }
    }

    /// A service in memory.
    pub fn in_memory(running: Running) -> Self {
        Self { running: Some(running), ..Self::default() }
    }

    /// Does the work of the command. If it takes long, other commands can use its service meanwhile.
    pub async fn during<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        if self.folder.is_some() {
            if let Ok(done) = timeout(ALONE, &mut work).await {
                return done;
            }
            if let Some(running) = &mut self.running {
                running.publish(Lasts::OneCommand);
            }
            self.turn = None;
        }
        work.await
    }

    /// Stops the service once no other command uses it. After a write it does first what a service does once a day,
    /// since no other may ever run on this folder.
    pub async fn release(self, wrote: Wrote) {
        let Some(running) = self.running else { return };
        let turn = match (self.turn, &self.folder) {
            (None, Some(folder)) => Some(turn::take(folder).await),
            (turn, _) => turn,
        };
        if wrote == Wrote::Yes {
            if running.daily_is_due() {
                crate::cli::print_message("making the daily backup");
            }
            running.run_daily().await;
        }
        running.stop().await;
        drop(turn);
    }
}
