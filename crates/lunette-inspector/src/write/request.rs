//! A request for display before it is sent, and as two kinds of shell commands.

use std::fmt::Write as _;

use crate::internal_error;
use crate::journal::Sent;
use lunette_client::client::Exchange;
use lunette_client::model::escape::shell_word;
use lunette_client::operation::{Call, OperationInfo, RequestParts};

/// A request that is not sent yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The operation.
    pub info: &'static OperationInfo,
    /// The URL with its query.
    pub url: String,
    /// The body, if it has one.
    pub body: Option<String>,
    /// The request as a shell command with curl.
    pub curl: String,
    /// The request as a shell command with this program: `lunette call`.
    pub command: String,
}

impl Request {
    /// The request of a call to the service at a base address.
    pub fn of(call: &Call, address: &str) -> Self {
        Self::at(call.info(), call.parts(), address)
    }

    /// A request that was sent before, as it would be sent again; `None` if this version cannot read it, or if the history
    /// does not have its whole body.
    pub fn sent(sent: &Sent, address: &str) -> Option<Self> {
        if sent.shortened {
            return None;
        }
        let info = OperationInfo::named(&sent.operation)?;
        let (path, query) = match sent.target.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (sent.target.as_str(), None),
        };
        let body = sent.body.clone().unwrap_or_default().into_bytes();
        let parts = RequestParts::from_target(info, path, query, body).ok()?;
        Some(Self::at(info, RequestParts { body: sent.body.clone().map(String::into_bytes), ..parts }, address))
    }

    fn at(info: &'static OperationInfo, parts: RequestParts, address: &str) -> Self {
        let address = address.trim_end_matches('/');
        let url = format!("{address}{}", parts.target(info));
        let command = command(info, &parts, address);
        let exchange: Exchange = Exchange {
            number: 0,
            info,
            at: jiff::Timestamp::UNIX_EPOCH,
            method: info.method,
            url: url.clone(),
            request_body: parts.body.clone(),
            status: None,
            content_type: None,
            server: None,
            response_body: Vec::new(),
            elapsed: std::time::Duration::ZERO,
            outcome: Err(internal_error("not sent")),
        };
        let body = parts.body.map(|body| String::from_utf8_lossy(&body).into_owned());
        Self { info, url, body, curl: exchange.curl(), command }
    }
}

/// The line that ends a here-document.
const END: &str = "END";

/// The call as a command of this program for a POSIX shell. The body is a here-document without expansion; no JSON text
/// has a line that would end it.
fn command(info: &OperationInfo, parts: &RequestParts, address: &str) -> String {
    let mut command = format!("lunette call {}", info.name);
    for (name, text) in parts.path.iter().chain(&parts.query) {
        write!(command, " {name}={}", shell_word(text)).ok(); // Writing to a String cannot fail.
    }
    write!(command, " --url {}", shell_word(address)).ok();
    if let Some(body) = &parts.body {
        write!(command, " --body - <<'{END}'\n{}\n{END}", String::from_utf8_lossy(body)).ok();
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use lunette_client::model::id::AssetId;
    use lunette_client::model::record::Record as _;
    use lunette_client::model::value::SeededScoreIncrement;
    use lunette_client::operation::table::{AssetAssociateTag, AssetScoresIncrement, AssetSnapshot};

    #[test]
    fn a_sent_request_gives_the_same_curl_command() {
        let increment = SeededScoreIncrement::from_tree(serde_json::json!({ "asset": { "reuse": true } }));
        let increment = Some(increment.expect("an increment"));
        let call: Call = AssetScoresIncrement { asset: AssetId::random(), increment }.into();
        let request = Request::of(&call, "http://127.0.0.1:1");
        let target = request.url.trim_start_matches("http://127.0.0.1:1").to_owned();
        let (operation, method) = (call.info().name.to_owned(), "POST".to_owned());
        let sent = Sent { operation, method, target, body: request.body.clone(), shortened: false };
        assert_eq!(Request::sent(&sent, "http://127.0.0.1:1"), Some(request));
        assert_eq!(Request::sent(&Sent { operation: "gone".to_owned(), ..sent }, "http://127.0.0.1:1"), None);
    }

    #[test]
    fn the_url_of_a_request_is_below_the_base_address() {
        let id = AssetId::random();
        let request =
            Request::of(&AssetSnapshot { asset: id.clone(), transferables: Some(false) }.into(), "http://[::1]:1/x/");
        assert!(request.url.starts_with("http://[::1]:1/x/") && request.url.contains(id.as_str()), "{}", request.url);
        assert!(request.curl.contains(&request.url) && request.body.is_none());
    }

    #[test]
    fn a_command_quotes_only_what_a_shell_would_interpret() {
        let asset: AssetId = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159".parse().expect("an id");
        let link = AssetAssociateTag { asset: asset.clone(), tag: "it's $HOME".parse().expect("an id") };
        assert_eq!(
            Request::of(&link.into(), "http://[::1]:1/").command,
            format!(r"lunette call assetAssociateTag asset={asset} tag='it'\''s $HOME' --url 'http://[::1]:1'")
        );
        let increment = serde_json::json!({ "asset": { "reuse": true } });
        let increment = SeededScoreIncrement::from_tree(increment).expect("an increment");
        let increment = AssetScoresIncrement { asset: asset.clone(), increment: Some(increment) };
        assert_eq!(
            Request::of(&increment.into(), "http://127.0.0.1:39300").command,
            format!(
                "lunette call assetScoresIncrement asset={asset} --url http://127.0.0.1:39300 --body - <<'END'\n\
                 {{\"asset\":{{\"reuse\":true}}}}\nEND"
            )
        );
    }
}
