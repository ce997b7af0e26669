//! The signals that end the program: those of Unix, and the control events of a Windows console.
//!
//! What must hold: a signal that arrives after [`Signals::listen`] is not lost, even if nothing waits for it yet.

use crate::cli::Failure;

#[cfg(unix)]
use unix::Sources;
#[cfg(windows)]
use windows::Sources;

/// The keys that end what is typed into a console.
pub const END_OF_INPUT: &str = if cfg!(windows) { "Ctrl+Z and Enter" } else { "Ctrl+D" };

/// The signals that end a program, from the moment this is created.
pub struct Signals(Sources);

impl Signals {
    /// Listens, inside a tokio runtime.
    pub fn listen() -> Result<Self, Failure> {
        Sources::listen().map(Self).map_err(|error| Failure::failed(anyhow::Error::new(error)))
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) {
        self.0.next().await;
    }
}

#[cfg(unix)]
mod unix {
    use std::io;

    use tokio::signal::unix::{Signal, SignalKind, signal};

    pub(super) struct Sources {
        terminate: Signal,
        interrupt: Signal,
    }

    impl Sources {
        pub(super) fn listen() -> io::Result<Self> {
            Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
        }

        pub(super) async fn next(&mut self) {
            tokio::select! {
                _ = self.terminate.recv() => {}
                _ = self.interrupt.recv() => {}
            }
        }
    }
}

#[cfg(windows)]
mod windows {
    use std::io;

    use tokio::signal::windows::{
        CtrlBreak, CtrlC, CtrlClose, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown,
    };

    /// Windows gives a program some seconds after the console was closed or the system shuts down. A logoff is ignored:
    /// services receive it for every user.
    pub(super) struct Sources {
        interrupt: CtrlC,
        stop: CtrlBreak,
        close: CtrlClose,
        shutdown: CtrlShutdown,
    }

    impl Sources {
        pub(super) fn listen() -> io::Result<Self> {
            Ok(Self { interrupt: ctrl_c()?, stop: ctrl_break()?, close: ctrl_close()?, shutdown: ctrl_shutdown()? })
        }

        pub(super) async fn next(&mut self) {
            tokio::select! {
                _ = self.interrupt.recv() => {}
                _ = self.stop.recv() => {}
                _ = self.close.recv() => {}
                _ = self.shutdown.recv() => {}
            }
        }
    }
}
