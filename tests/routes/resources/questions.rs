//! Questions to language models, of which there are none: each is answered with the reason, and ended.

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::support::TestService;

const PATH: &str = "/qgpt/stream";

async fn opened(service: &TestService) -> WebSocketStream<TcpStream> {
    let port = service.port();
    let stream = TcpStream::connect(("127.0.0.1", port)).await.expect("a connection");
    client_async(format!("ws://127.0.0.1:{port}{PATH}"), stream).await.expect("an upgrade").0
}

async fn next(socket: &mut WebSocketStream<TcpStream>) -> Value {
    loop {
        match socket.next().await.expect("a message").expect("a message") {
            Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
            Message::Ping(_) | Message::Pong(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_question_fails_with_a_reason_and_is_ended_so_that_no_client_waits() {
    let service = TestService::start().await;
    // What the public command line sends; what it need not send; what is not a question.
    let asked = json!({ "conversation": "c", "request": "r", "relevance": { "query": "why?", "model": "m" } });
    for question in [asked.to_string(), "{}".to_owned(), "not JSON".to_owned(), "[1]".to_owned()] {
        let mut socket = opened(&service).await;
        socket.send(Message::Text(question.clone().into())).await.expect("it is sent");
        let (failed, ended) = (next(&mut socket).await, next(&mut socket).await);
        assert_eq!((&failed["status"], &ended["status"]), (&json!("FAILED"), &json!("COMPLETED")), "{question}");
        assert!(failed["errorMessage"].as_str().is_some_and(|why| why.contains("no language models")), "{failed}");
        let named = question.starts_with("{\"conv");
        for message in [&failed, &ended] {
            // The clients refuse a message without a conversation.
            assert_eq!(message["conversation"], if named { "c" } else { "" }, "{question}");
            assert_eq!(message["request"], if named { json!("r") } else { Value::Null }, "{question}");
        }
        let Some(Ok(Message::Close(Some(close)))) = socket.next().await else { panic!("{question}: it stays open") };
        assert_eq!(u16::from(close.code), 1000);
        assert!(close.reason.contains("no language models"), "{close}");
    }
    assert_eq!(service.send("GET", "/conversations", None).await.json()["iterable"], json!([]));
}

#[tokio::test]
async fn a_long_question_is_answered_and_an_endless_one_is_refused() {
    let service = TestService::start().await;
    let question = |letters: usize| json!({ "relevance": { "query": "x".repeat(letters) } }).to_string();
    let mut socket = opened(&service).await;
    socket.send(Message::Text(question(60_000).into())).await.expect("it is sent");
    assert_eq!(next(&mut socket).await["status"], "FAILED");
    let mut socket = opened(&service).await;
    socket.send(Message::Text(question(100_000).into())).await.expect("it is sent");
    let ended = socket.next().await;
    assert!(matches!(ended, None | Some(Err(_) | Ok(Message::Close(_)))), "{ended:?}");
}

#[tokio::test]
async fn a_question_that_is_no_websocket_gets_the_reason_as_a_status() {
    let service = TestService::start().await;
    for method in ["GET", "POST", "OPTIONS"] {
        let answer = service.send(method, PATH, None).await;
        assert!(answer.status == 501 && answer.text().contains("no language models"), "{method}: {answer:?}");
    }
    let page = [("Origin", "http://evil.test"), ("Upgrade", "websocket")];
    let refused = service.raw(crate::support::raw::request("GET", PATH, service.port(), &page, None)).await;
    assert_eq!(refused.status, 403);
}
