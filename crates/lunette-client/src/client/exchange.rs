//! One request with its response: what the log shows and what is copied as a curl command.

use std::fmt::Write as _;
use std::time::Duration;

use jiff::Timestamp;

use crate::model::escape::shell_quoted;
use crate::operation::{Method, OperationInfo, Reply};

use super::CallError;

/// The longest body, in bytes, passed as an argument: Linux limits one to 128 KiB, quotes included.
const LONGEST_ARGUMENT: usize = 64 * 1024;

/// One request and its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange<T = Reply> {
    /// Its number in the log of the client's observer, from 1; 0 if it is in none.
    pub number: u64,
    /// The operation's row.
    pub info: &'static OperationInfo,
    /// When the request was sent.
    pub at: Timestamp,
    /// The method.
    pub method: Method,
    /// The whole URL, query included.
    pub url: String,
    /// The body sent; None means no body, which differs from an empty one.
    pub request_body: Option<Vec<u8>>,
    /// The status; None without a response.
    pub status: Option<u16>,
    /// The response's Content-Type, verbatim.
    pub content_type: Option<String>,
    /// The response's Server header; `lunette/…` is our own service.
    pub server: Option<String>,
    /// The response body, as far as it was received.
    pub response_body: Vec<u8>,
    /// From the first byte sent to the last byte read.
    pub elapsed: Duration,
    /// The decoded response, or the error.
    pub outcome: Result<T, CallError>,
}

impl<T> Exchange<T> {
    /// Replaces the response by a value made from it.
    pub(super) fn and_then<U>(self, make: impl FnOnce(T) -> Result<U, CallError>) -> Exchange<U> {
        let Self { number, info, at, method, url, request_body, status, content_type, server, .. } = self;
        let Self { response_body, elapsed, outcome, .. } = self;
        let outcome = outcome.and_then(make);
        Exchange {
            number,
            info,
            at,
            method,
            url,
            request_body,
            status,
            content_type,
            server,
            response_body,
            elapsed,
            outcome,
        }
    }

    /// The request as a curl command for a POSIX shell. Safe to paste whatever the body contains: neither the shell nor
    /// curl interprets any of it.
    pub fn curl(&self) -> String {
        curl(self.info, &self.url, self.request_body.as_deref())
    }
}

/// A request as a curl command, as [`Exchange::curl`] gives it.
pub fn curl(info: &OperationInfo, url: &str, body: Option<&[u8]>) -> String {
    let mut command = match body.map(as_argument) {
        Some(Argument::Piped(printf)) => format!("{printf} | curl"),
        _ => "curl".to_owned(),
    };
    // curl would expand brackets as a range (globbing).
    command.push_str(if url.contains('[') { " -g" } else { "" });
    if info.method == Method::Post {
        command.push_str(" -X POST");
    }
    let accept = info.accept.header().map_or_else(|| "Accept:".to_owned(), |header| format!("Accept: {header}"));
    write!(command, " -H {}", shell_quoted(&accept)).ok(); // Writing to a String cannot fail.
    if let Some(body) = body {
        command.push_str(" -H 'Content-Type: application/json' --data-binary ");
        match as_argument(body) {
            Argument::Plain(text) => command.push_str(&text),
            Argument::Piped(_) => command.push_str("@-"),
        }
    }
    write!(command, " {}", shell_quoted(url)).ok();
    command
}

/// How a body is passed to curl.
enum Argument {
    /// As a quoted argument.
    Plain(String),
    /// Through a pipe, from this command.
    Piped(String),
}

fn as_argument(body: &[u8]) -> Argument {
    match std::str::from_utf8(body) {
        // `@` would name a file, and an argument cannot hold a NUL.
        Ok(text) if !text.starts_with('@') && !text.contains('\0') => {
            let text = shell_quoted(text);
            // The shell's own `printf` knows no limit.
            if text.len() <= LONGEST_ARGUMENT {
                Argument::Plain(text)
            } else {
                Argument::Piped(format!("printf %s {text}"))
            }
        }
        _ => {
            let octal: String = body.iter().map(|byte| format!("\\{byte:03o}")).collect();
            Argument::Piped(format!("printf '{octal}'"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Operation as _;
    use crate::operation::table::{ApplicationsUsageInstallation, AssetSnapshot};

    fn exchange(info: &'static OperationInfo, body: Option<&[u8]>) -> Exchange {
        Exchange {
            number: 0,
            info,
            at: Timestamp::UNIX_EPOCH,
            method: info.method,
            url: "http://[::1]:1000/x?a='b'".to_owned(),
            request_body: body.map(<[u8]>::to_vec),
            status: None,
            content_type: None,
            server: None,
            response_body: Vec::new(),
            elapsed: Duration::ZERO,
            outcome: Err(CallError::Internal { target: None, problem: String::new() }),
        }
    }

    #[test]
    fn a_read_is_one_short_command() {
        let command = exchange(AssetSnapshot::INFO, None).curl();
        assert_eq!(command, r"curl -g -H 'Accept: application/json, text/plain' 'http://[::1]:1000/x?a='\''b'\'''");
    }

    #[test]
    fn curl_sends_no_accept_header_for_a_void_call() {
        assert!(exchange(ApplicationsUsageInstallation::INFO, None).curl().contains("-X POST -H 'Accept:' "));
    }

    /// Runs the command in a shell where `curl` is a function that prints its arguments.
    #[cfg(unix)]
    #[test]
    fn any_body_round_trips_through_the_shell() {
        use crate::operation::table::AssetUpdate;
        let long = format!("\"{}\"", "it's $HOME\\n ".repeat(20_000));
        let bodies: [&[u8]; 6] = [
            long.as_bytes(),
            b"{\"a\": \"it's $HOME `id` \\\\ \\n !\"}",
            b"@/etc/passwd",
            b"\0\xff%s\\",
            "ü😀\n\n".as_bytes(),
            b"-x",
        ];
        for body in bodies {
            let command = exchange(AssetUpdate::INFO, Some(body)).curl();
            let script = format!(
                "curl() {{ while [ \"$1\" != --data-binary ]; do shift; done; \
                 if [ \"$2\" = @- ]; then cat; else printf %s \"$2\"; fi; }}; {command}"
            );
            assert_eq!(shell_output(&script), body, "{}", &command[..command.len().min(400)]);
        }
    }
    /// What a shell prints that reads a script from its input, since an argument cannot be that long.
    #[cfg(unix)]
    fn shell_output(script: &str) -> Vec<u8> {
        use std::io::Write as _;
        use std::process::{Command, Stdio};
        let mut shell = Command::new("sh").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a shell");
        let mut input = shell.stdin.take().expect("a pipe");
        let script = script.to_owned();
        let writing = std::thread::spawn(move || input.write_all(script.as_bytes()));
        let output = shell.wait_with_output().expect("the shell ends");
        writing.join().expect("no panic").expect("the script is taken");
        output.stdout
    }
}
