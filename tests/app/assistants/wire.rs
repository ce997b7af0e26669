//! The wire between a client and a service: what passes it is counted.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use lunette_client::operation::OPERATIONS;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// Passes connections on to a service, and counts their requests.
pub struct Wire {
    pub url: String,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    requests: AtomicUsize,
    writes: Mutex<Vec<String>>,
}

impl Wire {
    pub async fn to(url: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let own = format!("http://{}", listener.local_addr().expect("an address"));
        let (seen, target) = (Arc::new(Seen::default()), url.trim_start_matches("http://").to_owned());
        let counting = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let service = TcpStream::connect(&target).await.expect("the service answers");
                tokio::spawn(pass(client, service, Arc::clone(&counting)));
            }
        });
        Self { url: own, seen }
    }

    /// How many requests passed.
    pub fn requests(&self) -> usize {
        self.seen.requests.load(Ordering::SeqCst)
    }

    /// Those that write.
    pub fn writes(&self) -> Vec<String> {
        self.seen.writes.lock().expect("unlocked").clone()
    }
}

async fn pass(client: TcpStream, service: TcpStream, seen: Arc<Seen>) {
    let ((mut from, mut to), (mut answers, mut requests)) = (client.into_split(), service.into_split());
    let back = tokio::spawn(async move { tokio::io::copy(&mut answers, &mut to).await });
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        seen.take(&buffer[..count]);
        if requests.write_all(&buffer[..count]).await.is_err() {
            break;
        }
    }
    // The client is gone, so nobody reads the rest.
    drop(requests);
    back.abort();
}

impl Seen {
    /// Counts what begins a request. A request is sent in a piece of its own.
    fn take(&self, piece: &[u8]) {
        let line = piece.split(|byte| *byte == b'\r').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line).into_owned();
        let mut words = line.split(' ');
        let (Some(method), Some(target), Some("HTTP/1.1")) = (words.next(), words.next(), words.next()) else { return };
        self.requests.fetch_add(1, Ordering::SeqCst);
        let path: Vec<&str> = target.split('?').next().unwrap_or_default().split('/').collect();
        let is_of = |pattern: &str| {
            let pattern: Vec<&str> = pattern.split('/').collect();
            pattern.len() == path.len()
                && pattern.iter().zip(&path).all(|(wanted, part)| wanted.starts_with('{') || wanted == part)
        };
        let known = OPERATIONS.iter().filter(|info| info.method.to_string() == method && is_of(info.path));
        // What is in no table could be anything.
        if known.clone().count() == 0 && method != "GET" || known.clone().any(|info| info.writes()) {
            self.writes.lock().expect("unlocked").push(line);
        }
    }
}
