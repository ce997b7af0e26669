//! The baselines for comparisons without an existing program; run by `benches/peers`.
//!
//! - `peer skip FILE ROUNDS`: the seconds in which serde_json skips the JSON of a file, the best of the rounds;
//! - `peer server FOLDER RECORDS BYTES`: a bare HTTP service with one row a record. It prints its port
//!   and serves until it is killed.

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::Router;
use axum::extract::{Path as Id, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use rusqlite::{Connection, OptionalExtension as _};
use serde::de::IgnoredAny;
use tokio::net::TcpListener;

fn skip(file: &str, rounds: usize) {
    let text = std::fs::read(file).expect("a file");
    let seconds = (0..rounds).map(|_| {
        let began = Instant::now();
        serde_json::from_slice::<IgnoredAny>(&text).expect("JSON");
        began.elapsed().as_secs_f64()
    });
    println!("{}", seconds.fold(f64::INFINITY, f64::min));
}

/// One connection that writes, and those that read, as a handler without further thought has them.
struct Db {
    writer: Mutex<Connection>,
    readers: Vec<Mutex<Connection>>,
}

const READERS: usize = 4;

fn connect(folder: &Path) -> Connection {
    let db = Connection::open(folder.join("peer.sqlite3")).expect("a database");
    db.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;").expect("its settings");
    db
}

fn locked(db: &Mutex<Connection>) -> std::sync::MutexGuard<'_, Connection> {
    db.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Db {
    fn make(folder: &Path, records: usize, bytes: usize) -> Self {
        let mut db = connect(folder);
        db.execute_batch("CREATE TABLE record (id INTEGER PRIMARY KEY, changes INTEGER NOT NULL, body TEXT NOT NULL);")
            .expect("a table");
        let transaction = db.transaction().expect("a transaction");
        for id in 0..records {
            let body = format!("{{\"id\":{id},\"text\":\"{}\"}}", "x".repeat(bytes.saturating_sub(30)));
            transaction.execute("INSERT INTO record VALUES (?1, 0, ?2)", (id as i64, body)).expect("a record");
        }
        transaction.commit().expect("the records");
        let readers = (0..READERS).map(|_| Mutex::new(connect(folder))).collect();
        Self { writer: Mutex::new(db), readers }
    }

    fn read(&self, id: i64) -> Option<String> {
        let reader = self.readers.iter().find_map(|reader| reader.try_lock().ok());
        let db = reader.unwrap_or_else(|| locked(&self.readers[id.unsigned_abs() as usize % READERS]));
        let mut statement = db.prepare_cached("SELECT body FROM record WHERE id = ?1").expect("a statement");
        statement.query_row([id], |row| row.get(0)).optional().expect("a read")
    }

    /// Changes a record, durably.
    fn write(&self, id: i64) {
        let db = locked(&self.writer);
        let mut statement =
            db.prepare_cached("UPDATE record SET changes = changes + 1 WHERE id = ?1").expect("a statement");
        statement.execute([id]).expect("a write");
    }
}

async fn read(State(db): State<Arc<Db>>, Id(id): Id<i64>) -> Response {
    match tokio::task::spawn_blocking(move || db.read(id)).await.expect("a read") {
        Some(body) => ([(header::CONTENT_TYPE, "application/json")], body).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn write(State(db): State<Arc<Db>>, Id(id): Id<i64>) -> StatusCode {
    tokio::task::spawn_blocking(move || db.write(id)).await.expect("a write");
    StatusCode::NO_CONTENT
}

async fn serve(folder: &Path, records: usize, bytes: usize) {
    let db = Arc::new(Db::make(folder, records, bytes));
    let routes =
        Router::new().route("/record/{id}", get(read)).route("/record/{id}/change", post(write)).with_state(db);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    println!("{}", listener.local_addr().expect("its address").port());
    axum::serve(listener, routes).await.expect("it serves");
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["skip", file, rounds] => skip(file, rounds.parse().expect("ROUNDS is a number")),
        ["server", folder, records, bytes] => {
            let (records, bytes) = (records.parse().expect("a number"), bytes.parse().expect("a number"));
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            runtime.block_on(serve(Path::new(folder), records, bytes));
        }
        // What `cargo bench` calls when it runs all benches.
        _ => println!("usage: peer skip FILE ROUNDS, or peer server FOLDER RECORDS BYTES"),
    }
}
