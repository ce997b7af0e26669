//! A tunnel to a service that can be shut: what is open breaks off, and nothing comes about until it is opened again.

use std::io;
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The tunnel.
pub struct Tunnel {
    port: u16,
    shut: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Tunnel {
    /// To the service at this port.
    pub fn start(service: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let (shut, open) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let (is_shut, connections) = (Arc::clone(&shut), Arc::clone(&open));
        std::thread::spawn(move || {
            for here in listener.incoming().map_while(Result::ok) {
                if is_shut.load(Ordering::SeqCst) {
                    continue;
                }
                let Ok(outbound) = TcpStream::connect((Ipv4Addr::LOCALHOST, service)) else { continue };
                let mut open = connections.lock().unwrap_or_else(PoisonError::into_inner);
                for (from, to) in [(&here, &outbound), (&outbound, &here)] {
                    let (mut from, mut to) = (twin(from), twin(to));
                    open.push(twin(&from));
                    std::thread::spawn(move || {
                        // Whatever ends one way ends both.
                        io::copy(&mut from, &mut to).ok();
                        from.shutdown(Shutdown::Both).ok();
                        to.shutdown(Shutdown::Both).ok();
                    });
                }
            }
        });
        Self { port, shut, open }
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Breaks off what is open, and lets nothing through.
    pub fn shut(&self) {
        self.shut.store(true, Ordering::SeqCst);
        for connection in self.open.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            connection.shutdown(Shutdown::Both).ok();
        }
    }

    /// Lets everything through again.
    pub fn open(&self) {
        self.shut.store(false, Ordering::SeqCst);
    }
}

fn twin(connection: &TcpStream) -> TcpStream {
    connection.try_clone().expect("a second handle")
}
