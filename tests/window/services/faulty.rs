//! A service that answers every list with the same error.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};

/// Starts it; returns its address. Its health is good, and everything else is answered with this status and body.
pub fn start(status: u16, body: &'static str) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("its address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that disconnects ends the thread, which is intended.
            std::thread::spawn(move || serve(stream, status, body).ok());
        }
    });
    format!("http://127.0.0.1:{port}")
}

fn serve(mut stream: TcpStream, status: u16, body: &str) -> std::io::Result<()> {
    let mut heard = Vec::new();
    let mut part = [0; 4096];
    while !heard.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut part)? {
            0 => return Ok(()),
            count => heard.extend_from_slice(&part[..count]),
        }
    }
    let head = String::from_utf8_lossy(&heard);
    let good = head.contains("/.well-known/");
    let (status, body) = if good { (200, "ok:00000000-0000-4000-8000-000000000000") } else { (status, body) };
    let kind = if body.starts_with('<') { "text/html" } else { "text/plain" };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status} Whatever\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}
