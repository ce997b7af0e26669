//! A listener that counts connections and closes each: for proving that nothing was sent.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The listener.
#[derive(Debug)]
pub struct Counter {
    port: u16,
    connections: Arc<AtomicUsize>,
}

impl Counter {
    pub fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let connections = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&connections);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                count.fetch_add(1, Ordering::SeqCst);
                drop(stream);
            }
        });
        Self { port, connections }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns how many connections were made so far, including all made before the call.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}
