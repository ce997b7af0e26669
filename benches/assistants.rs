//! What an assistant costs: reading assets by tools beside the same requests by HTTP, and a server that nobody asks.
//!
//! The program serves its own folder, and is asked by this one. Time is that of the processor, of all programs that
//! take part, and of the clock. Linux alone says the first. It prints a table and measures nothing twice.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use lunette_client::client::Client;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::assets::content;
use lunette_inspector::assets::page::Content;
use serde_json::{Value, json};

/// How many assets are read, and how often each.
const ASSETS: usize = 1_000;
const ROUNDS: usize = 5;

/// How long nobody asks anything.
const IDLE: Duration = Duration::from_secs(20);

/// How many clock ticks a second has in `/proc`, on all of Linux's platforms.
const TICKS: f64 = 100.0;

struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lunette"));
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("a pipe")));
        Self { child, input, output }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        line
    }

    fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.child.kill().ok(); // It may have ended.
        self.child.wait().ok();
    }
}

/// The processor time of a program so far, in seconds.
fn processor(program: &str) -> f64 {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{program}/stat")) else { return f64::NAN };
    // The name of the program, in parentheses, may have spaces.
    let after = stat.rsplit(')').next().unwrap_or_default();
    after.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS
}

/// How often each thread of a program was woken so far, by its id and its start: an ended thread leaves its id to
/// another.
fn wakes(program: u32) -> HashMap<(OsString, String), u64> {
    let tasks = std::fs::read_dir(format!("/proc/{program}/task")).into_iter().flatten().flatten();
    // A thread that ends while it is read is left out.
    tasks.filter_map(|task| Some(((task.file_name(), started(&task.path())?), wakes_of(&task.path())?))).collect()
}

/// When a thread started, in clock ticks since the machine did.
fn started(task: &Path) -> Option<String> {
    let stat = std::fs::read_to_string(task.join("stat")).ok()?;
    stat.rsplit(')').next()?.split_whitespace().nth(19).map(str::to_owned)
}

fn wakes_of(task: &Path) -> Option<u64> {
    let status = std::fs::read_to_string(task.join("status")).ok()?;
    let lines = status.lines().filter(|line| line.contains("voluntary_ctxt_switches"));
    Some(lines.filter_map(|line| line.split_whitespace().last()?.parse::<u64>().ok()).sum())
}

/// How often the threads of a program that are there were woken since an earlier reading, and how many ended since, of
/// which nothing more is known.
fn woken_since(program: u32, before: &HashMap<(OsString, String), u64>) -> (u64, usize) {
    let now = wakes(program);
    let woken = now.iter().map(|(thread, count)| count - before.get(thread).unwrap_or(&0)).sum();
    (woken, before.keys().filter(|thread| !now.contains_key(*thread)).count())
}

/// What a way of reading took.
#[derive(Clone, Copy)]
struct Cost {
    processor: f64,
    clock: f64,
}

/// Measures all rounds of a way of reading; the programs are those that take part besides this one.
fn measured(programs: &[u32], mut read: impl FnMut()) -> Cost {
    read();
    let all = || programs.iter().map(|id| processor(&id.to_string())).sum::<f64>() + processor("self");
    let (before, began) = (all(), Instant::now());
    (0..ROUNDS).for_each(|_| read());
    Cost { processor: all() - before, clock: began.elapsed().as_secs_f64() }
}

/// A connection that is kept, and what is sent on it by hand.
struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Connection {
    fn to(url: &str) -> Self {
        let host = url.trim_start_matches("http://").to_owned();
        let stream = TcpStream::connect(&host).expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        Self { stream: BufReader::new(stream), host }
    }

    fn send(&mut self, line: &str, headers: &str, body: &str) -> Vec<u8> {
        let request =
            format!("{line} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n{headers}\r\n{body}", self.host, body.len());
        self.stream.get_mut().write_all(request.as_bytes()).expect("sent");
        self.answer()
    }

    fn answer(&mut self) -> Vec<u8> {
        let (mut line, mut length, mut first) = (String::new(), None, true);
        loop {
            line.clear();
            self.stream.read_line(&mut line).expect("a line");
            assert!(!first || line.contains(" 200 "), "{line}");
            first = false;
            if line == "\r\n" {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok();
            }
        }
        match length {
            Some(length) => self.bytes(length),
            None => self.chunks(),
        }
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("a body");
        body
    }

    fn chunks(&mut self) -> Vec<u8> {
        let (mut body, mut line) = (Vec::new(), String::new());
        loop {
            line.clear();
            self.stream.read_line(&mut line).expect("a length");
            let length = usize::from_str_radix(line.trim(), 16).expect("a length");
            body.extend(self.bytes(length));
            self.bytes(2);
            if length == 0 {
                return body;
            }
        }
    }
}

/// A client on standard input and output.
fn initialize(program: &mut Program) {
    let client = json!({ "name": "bench", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    ask(program, "initialize", &params);
}

fn ask(program: &mut Program, method: &str, params: &Value) -> String {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let input = program.input.as_mut().expect("a pipe");
    input.write_all(format!("{message}\n").as_bytes()).and_then(|()| input.flush()).expect("sent");
    program.line()
}

/// Creates the assets and returns their ids.
fn create(data: &str) -> Vec<String> {
    let files = tempfile::tempdir().expect("a folder");
    for number in 0..ASSETS {
        let text = format!("// number {number}\n{}", "fn main() { println!(\"text\"); }\n".repeat(60));
        std::fs::write(files.path().join(format!("{number}.rs")), text).expect("written");
    }
    let mut import = Command::new(env!("CARGO_BIN_EXE_lunette"));
    let imported = import.args(["import", "--json", "--data", data]).arg(files.path()).output().expect("it runs");
    let imported: Value = serde_json::from_slice(&imported.stdout).expect("JSON");
    let ids = imported["imported"].as_array().expect("a list").iter();
    ids.map(|one| one["asset"].as_str().expect("an id").to_owned()).collect()
}

const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}"#;

/// Calls a tool over HTTP.
fn tool(connection: &mut Connection, token: &str, name: &str, arguments: &str) {
    let headers = format!(
        "Authorization: Bearer {token}\r\nContent-Type: application/json\r\nAccept: application/json, \
         text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {name}\r\n"
    );
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{name}","arguments":{arguments},{META}}}}}"#
    );
    let answer = connection.send("POST /mcp", &headers, &body);
    assert!(String::from_utf8_lossy(&answer).contains("structuredContent"), "{}", String::from_utf8_lossy(&answer));
}

fn row(name: &str, cost: Cost, base: Option<Cost>) {
    let each = 1e6 / (ASSETS * ROUNDS) as f64;
    let ratio = base.map_or(String::new(), |base| {
        format!(
            "  {:.2} of the processor, {:.2} of the clock",
            cost.processor / base.processor,
            cost.clock / base.clock
        )
    });
    println!("{name:44} {:7.0} µs processor {:7.0} µs clock{ratio}", cost.processor * each, cost.clock * each);
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("UTF-8");
    let assets = create(data);
    let mut service = Program::start(&["serve", "--port", "0", "--data", data]);
    let url = service.line().trim().trim_start_matches("listening on ").to_owned();
    let token = Command::new(env!("CARGO_BIN_EXE_lunette")).args(["assistants", "token", "--data", data]).output();
    let token = String::from_utf8(token.expect("it runs").stdout).expect("UTF-8").trim().to_owned();
    let id = service.id();

    println!("{ASSETS} assets of 2 kB, {ROUNDS} times; each asset:");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let client = Client::new(url.parse().expect("an address"), Default::default()).expect("a client");
    let by_client = measured(&[id], || runtime.block_on(by_client(&client, &assets)));
    row("by HTTP, with the client of the program", by_client, None);
    let mut connection = Connection::to(&url);
    let by_hand = measured(&[id], || {
        for asset in &assets {
            connection.send(&format!("GET /asset/{asset}?transferables=true"), "", "");
        }
    });
    row("by HTTP, written by hand", by_hand, Some(by_client));
    let by_two = measured(&[id], || {
        for asset in &assets {
            connection.send(&format!("GET /asset/{asset}?transferables=false"), "", "");
            connection.send(&format!("GET /asset/{asset}/export?export_type=RAW"), "", "");
        }
    });
    row("by HTTP, record and content apart, by hand", by_two, Some(by_client));
    let over_http = measured(&[id], || {
        for asset in &assets {
            tool(&mut connection, &token, "get", &json!({ "asset": asset }).to_string());
        }
    });
    row("by the tool `get`, over HTTP", over_http, Some(by_client));
    let mut stdio = Program::start(&["mcp", "--data", data]);
    initialize(&mut stdio);
    by_stdio(&mut stdio, (id, &assets), by_client);
    idle([("the service, with `/mcp` in use before", id), ("`lunette mcp`", stdio.id())]);
}

/// Reads on standard input and output: one by one, and in pages.
fn by_stdio(stdio: &mut Program, (service, assets): (u32, &[String]), base: Cost) {
    let programs = [service, stdio.id()];
    let each = measured(&programs, || {
        for asset in assets {
            ask(stdio, "tools/call", &json!({ "name": "get", "arguments": { "asset": asset } }));
        }
    });
    row("by the tool `get`, standard input", each, Some(base));
    let several = measured(&programs, || {
        for some in assets.chunks(20) {
            ask(stdio, "tools/call", &json!({ "name": "get", "arguments": { "assets": some } }));
        }
    });
    row("by the tool `get`, 20 a call", several, Some(base));
    let pages = measured(&programs, || {
        for page in 0..ASSETS / 200 {
            let arguments = json!({ "limit": 200, "cursor": (page * 200).to_string() });
            ask(stdio, "tools/call", &json!({ "name": "find", "arguments": arguments }));
        }
    });
    row("by the tool `find`, in pages of 200", pages, None);
}

/// What the programs do while nobody asks anything.
fn idle(programs: [(&str, u32); 2]) {
    println!("\nnobody asks anything for {} s:", IDLE.as_secs());
    // What ends by itself after the last call has a moment for that.
    std::thread::sleep(Duration::from_secs(10));
    let before = programs.map(|(_, id)| (processor(&id.to_string()), wakes(id)));
    std::thread::sleep(IDLE);
    for ((name, id), (time, woken)) in programs.into_iter().zip(before) {
        let (time, (woken, ended)) = (processor(&id.to_string()) - time, woken_since(id, &woken));
        let ended = if ended > 0 { format!(", without {ended} threads that ended") } else { String::new() };
        println!("{name:44} {:.0} ms of the processor, {woken} times woken{ended}", time * 1e3);
    }
}

/// The requests that `get` sends, by the client of the program.
async fn by_client(client: &Client, assets: &[String]) {
    for asset in assets {
        let call = AssetSnapshot { asset: asset.parse().expect("an id"), transferables: Some(true) };
        let record = client.call(call).await.expect("read");
        assert!(matches!(content::of_original(record.view()), Content::Text(_)));
    }
}
