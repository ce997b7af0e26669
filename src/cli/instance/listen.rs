//! The first window listens to later starts.

use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use crate::app::navigation::link::Link;
use crate::app::shell::open_requests::{Answer, OpenRequest, OpenRequestSender};

use super::{First, MESSAGE_LONGEST, Message, PATIENCE, Reply, Told};

/// How many are listened to at once. When more come, the one that has been silent longest is closed, so that connections
/// of others that say nothing keep nobody out.
const AT_ONCE: usize = 32;
/// How long a message may take to come.
const READING: Duration = Duration::from_secs(2);
/// How long the window may take to answer. Whoever asks waits a little longer than both.
const ANSWERING: Duration = Duration::from_secs(5);

const _: () = assert!(READING.as_secs() + ANSWERING.as_secs() < PATIENCE.as_secs());

impl First {
    /// Lets later starts ring at the window from now on. Fails where this machine lets nobody listen, or the folder
    /// takes no file.
    pub async fn listen(&mut self, bell: OpenRequestSender) -> std::io::Result<()> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let word = format!("{}{}", uuid::Uuid::new_v4().simple(), uuid::Uuid::new_v4().simple());
        let told = Told { port: listener.local_addr()?.port(), word: word.clone() };
        told.write(&self.folder)?;
        self.told = Some(told);
        tokio::spawn(serve(listener, Arc::from(word), bell));
        Ok(())
    }
}

async fn serve(listener: TcpListener, word: Arc<str>, bell: OpenRequestSender) {
    let mut talks: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of files, for a moment perhaps.
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        talks.retain(|talk| !talk.is_finished());
        if talks.len() >= AT_ONCE
            && let Some(oldest) = talks.pop_front()
        {
            oldest.abort();
        }
        let (word, bell) = (Arc::clone(&word), bell.clone());
        talks.push_back(tokio::spawn(async move { listen_to(stream, word, bell).await }).abort_handle());
    }
}

/// Waits for a message; who does not speak as agreed gets no reply. A message that has come is answered by a task of its
/// own, which nobody who comes later can end.
async fn listen_to(mut stream: TcpStream, word: Arc<str>, bell: OpenRequestSender) {
    let Ok(Some(message)) = timeout(READING, read(&mut stream)).await else { return };
    let known = same(&message.word, &word);
    tokio::spawn(async move {
        let reply = if known { rung(message, &bell).await } else { Some(Reply::Refused) };
        answer(stream, reply).await;
    });
}

/// One message, one reply.
async fn answer(mut stream: TcpStream, reply: Option<Reply>) {
    if let Some(reply) = reply.and_then(|reply| serde_json::to_string(&reply).ok()) {
        // Whoever has gone misses nothing.
        timeout(READING, stream.write_all(format!("{reply}\n").as_bytes())).await.ok();
    }
}

async fn read(stream: &mut TcpStream) -> Option<Message> {
    let mut line = Vec::new();
    BufReader::new(stream.take(MESSAGE_LONGEST)).read_until(b'\n', &mut line).await.ok()?;
    line.strip_suffix(b"\n").and_then(|line| serde_json::from_slice(line).ok())
}

/// Rings at the window, and what it says; None where it says nothing.
async fn rung(message: Message, bell: &OpenRequestSender) -> Option<Reply> {
    let wish = message.wish;
    let link = match wish.link.map(|link| link.parse::<Link>()).transpose() {
        Ok(link) if wish.paths.iter().all(|path| path.is_absolute()) => link,
        Ok(_) | Err(_) => return Some(Reply::Refused),
    };
    let (told, answer) = oneshot::channel();
    bell.ring(OpenRequest {
        target: wish.target,
        link,
        paths: wish.paths,
        // Nobody listens any more once the time is over.
        answer: Box::new(move |answer| told.send(answer).unwrap_or(())),
        until: Some(Instant::now() + ANSWERING),
    });
    match timeout(ANSWERING, answer).await {
        Ok(Ok(Answer::Shown)) => Some(Reply::Shown),
        Ok(Ok(Answer::Elsewhere)) => Some(Reply::Elsewhere),
        Ok(Err(_)) | Err(_) => None,
    }
}

/// Whether two words are the same, in a time that does not tell where they differ.
fn same(said: &str, word: &str) -> bool {
    let differing = said.bytes().zip(word.bytes()).fold(0, |differing, (one, other)| differing | (one ^ other));
    said.len() == word.len() && differing == 0
}
