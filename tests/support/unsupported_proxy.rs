//! A proxy that makes operations unsupported: it forwards every request to a real service, except for those of one row,
//! which it answers like a service without such a path or method, or except for every write.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use lunette_client::operation::{OPERATIONS, OperationInfo};

use super::fault::read_request;

/// The proxy.
#[derive(Clone, Debug)]
pub struct UnsupportedProxy {
    port: u16,
    service: u16,
    lacks: Arc<Mutex<Option<Lack>>>,
    /// The targets of the writes that arrived while all are refused.
    refused: Arc<Mutex<Vec<String>>>,
    /// Whether responses do not name the program of the service.
    foreign: bool,
}

/// What is answered with an error.
#[derive(Clone, Copy, Debug)]
enum Lack {
    /// The operation with this name, with this status.
    Operation(&'static str, u16),
    /// Every write, with this status and text.
    Writes(u16, &'static str),
}

impl UnsupportedProxy {
    /// In front of the service at this port; at first everything is supported.
    pub fn start(service: u16) -> Self {
        Self::serving(service, false)
    }

    /// The same as a service of another program.
    pub fn foreign(service: u16) -> Self {
        Self::serving(service, true)
    }

    fn serving(service: u16, foreign: bool) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("its address").port();
        let wire = Self { port, service, lacks: Arc::default(), refused: Arc::default(), foreign };
        let shared = wire.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = shared.clone();
                // A client that disconnects ends the thread, which is intended.
                std::thread::spawn(move || shared.pass(stream).ok());
            }
        });
        wire
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns its address by a name that is not that of this machine, although it leads here.
    pub fn url_elsewhere(&self) -> String {
        format!("http://0.0.0.0:{}", self.port)
    }

    /// From now on it answers only this operation with this status.
    pub fn reject(&self, info: &OperationInfo, status: u16) {
        let name = OPERATIONS.iter().find(|row| **row == info).map(|row| row.name).expect("a row");
        *self.lacks.lock().unwrap_or_else(PoisonError::into_inner) = Some(Lack::Operation(name, status));
    }

    /// From now on it answers every write with this status and text.
    pub fn refuse_writes(&self, status: u16, text: &'static str) {
        *self.lacks.lock().unwrap_or_else(PoisonError::into_inner) = Some(Lack::Writes(status, text));
    }

    /// Returns the targets of the writes that were refused, in order.
    pub fn refused(&self) -> Vec<String> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on everything is supported.
    pub fn accept_all(&self) {
        *self.lacks.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// One request, then the connection ends.
    fn pass(&self, mut stream: TcpStream) -> io::Result<()> {
        let (head, body) = read_request(&mut stream)?;
        let lacks = *self.lacks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((status, text)) = lacks.and_then(|lack| self.error(lack, &head)) {
            let kind = "Content-Type: text/plain; charset=utf-8";
            let length = text.len();
            return write!(
                stream,
                "HTTP/1.1 {status} No\r\n{kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}"
            );
        }
        let theirs = format!("127.0.0.1:{}", self.service);
        let ours = [format!("127.0.0.1:{}", self.port), format!("0.0.0.0:{}", self.port)];
        let head = ours.iter().fold(head, |head, ours| head.replace(ours, &theirs));
        let head = head.replacen("\r\n", "\r\nConnection: close\r\n", 1);
        let mut service = TcpStream::connect((Ipv4Addr::LOCALHOST, self.service))?;
        service.write_all(&[head.as_bytes(), &body].concat())?;
        let mut answer = Vec::new();
        service.read_to_end(&mut answer)?;
        stream.write_all(&if self.foreign { anonymous(answer) } else { answer })
    }

    /// The status and the text with which a request is answered instead.
    fn error(&self, lack: Lack, head: &str) -> Option<(u16, &'static str)> {
        let row = row(head)?;
        match lack {
            Lack::Writes(status, text) if row.writes() => {
                let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
                self.refused.lock().unwrap_or_else(PoisonError::into_inner).push(target);
                Some((status, text))
            }
            Lack::Operation(name, status) if row.name == name => Some(match status {
                404 => (status, "unknown path\n"),
                405 => (status, "method not allowed; the header `Allow` lists the methods of this path\n"),
                _ => (status, "not implemented\n"),
            }),
            Lack::Writes(..) | Lack::Operation(..) => None,
        }
    }
}

/// Returns a response without the header that names the program.
fn anonymous(answer: Vec<u8>) -> Vec<u8> {
    let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else { return answer };
    let head = String::from_utf8_lossy(&answer[..end]);
    let lines = head.split("\r\n").filter(|line| !line.to_ascii_lowercase().starts_with("server:"));
    [lines.collect::<Vec<_>>().join("\r\n").as_bytes(), &answer[end..]].concat()
}

/// Returns the row of a request: the matching one with the fewest inputs in its path.
fn row(head: &str) -> Option<&'static OperationInfo> {
    let mut words = head.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    let path: Vec<&str> = target.split('?').next()?.split('/').collect();
    let fits = |info: &&&OperationInfo| {
        let template: Vec<&str> = info.path.split('/').collect();
        let same = |(one, other): (&&str, &&str)| one == other || one.starts_with('{');
        info.method.as_str() == method && template.len() == path.len() && template.iter().zip(&path).all(same)
    };
    OPERATIONS.iter().filter(fits).min_by_key(|info| info.path.matches('{').count()).copied()
}
