//! The first instance listens for later starts.

use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use lunette_inspector::navigation::link::Link;
use lunette_inspector::shell::open_requests::{Answer, OpenRequest, OpenRequestSender};

use super::{FirstInstance, ListenAddress, MAX_MESSAGE, Message, Reply, TIMEOUT};

/// Maximum number of connections. When there are more, the one that has been silent longest is closed, so that silent
/// connections do not keep others out.
const MAX_CONNECTIONS: usize = 32;
/// How long a message may take to arrive.
const READ_TIMEOUT: Duration = Duration::from_secs(2);
/// How long the window may take to answer. Clients wait a little longer than both.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

const _: () = assert!(READ_TIMEOUT.as_secs() + ANSWER_TIMEOUT.as_secs() < TIMEOUT.as_secs());

impl FirstInstance {
    /// Accepts the requests of later starts from now on. Fails if the machine does not allow listening, or the file
    /// cannot be written.
    pub async fn listen(&mut self, sender: OpenRequestSender) -> std::io::Result<()> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let word = format!("{}{}", uuid::Uuid::new_v4().simple(), uuid::Uuid::new_v4().simple());
        let address = ListenAddress { port: listener.local_addr()?.port(), word: word.clone() };
        address.write(&self.folder)?;
        self.published = Some(address);
        tokio::spawn(serve(listener, Arc::from(word), sender));
        Ok(())
    }
}

async fn serve(listener: TcpListener, word: Arc<str>, sender: OpenRequestSender) {
    let mut talks: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of file descriptors, perhaps temporarily.
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        talks.retain(|talk| !talk.is_finished());
        if talks.len() >= MAX_CONNECTIONS
            && let Some(oldest) = talks.pop_front()
        {
            oldest.abort();
        }
        let (word, sender) = (Arc::clone(&word), sender.clone());
        talks.push_back(tokio::spawn(async move { listen_to(stream, word, sender).await }).abort_handle());
    }
}

/// Waits for a message; an invalid one gets no reply. A received message is answered by a task of its own, which later
/// connections cannot cancel.
async fn listen_to(mut stream: TcpStream, word: Arc<str>, sender: OpenRequestSender) {
    let Ok(Some(message)) = timeout(READ_TIMEOUT, read(&mut stream)).await else { return };
    let known = same(&message.word, &word);
    tokio::spawn(async move {
        let reply = if known { forward_request(message, &sender).await } else { Some(Reply::Refused) };
        answer(stream, reply).await;
    });
}

/// One message, one reply.
async fn answer(mut stream: TcpStream, reply: Option<Reply>) {
    if let Some(reply) = reply.and_then(|reply| serde_json::to_string(&reply).ok()) {
        // A client that has gone misses nothing.
        timeout(READ_TIMEOUT, stream.write_all(format!("{reply}\n").as_bytes())).await.ok();
    }
}

async fn read(stream: &mut TcpStream) -> Option<Message> {
    let mut line = Vec::new();
    BufReader::new(stream.take(MAX_MESSAGE)).read_until(b'\n', &mut line).await.ok()?;
    line.strip_suffix(b"\n").and_then(|line| serde_json::from_slice(line).ok())
}

/// Passes a message to the window and returns its answer; `None` if it does not answer.
async fn forward_request(message: Message, sender: &OpenRequestSender) -> Option<Reply> {
    let request = message.request;
    let link = match request.link.map(|link| link.parse::<Link>()).transpose() {
        Ok(link) if request.paths.iter().all(|path| path.is_absolute()) => link,
        Ok(_) | Err(_) => return Some(Reply::Refused),
    };
    let (address, answer) = oneshot::channel();
    sender.send(OpenRequest {
        target: request.target,
        link,
        paths: request.paths,
        // The receiver is gone once the time limit is over.
        answer: Box::new(move |answer| address.send(answer).unwrap_or(())),
        until: Some(Instant::now() + ANSWER_TIMEOUT),
    });
    match timeout(ANSWER_TIMEOUT, answer).await {
        Ok(Ok(Answer::Shown)) => Some(Reply::Shown),
        Ok(Ok(Answer::Elsewhere)) => Some(Reply::Elsewhere),
        Ok(Err(_)) | Err(_) => None,
    }
}

/// Compares two tokens in constant time.
fn same(message: &str, word: &str) -> bool {
    let differing = message.bytes().zip(word.bytes()).fold(0, |differing, (one, other)| differing | (one ^ other));
    message.len() == word.len() && differing == 0
}
