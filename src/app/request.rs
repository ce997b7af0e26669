//! A request as it will go out, for people to look at before it does.

use crate::app::broken;
use crate::client::Exchange;
use crate::operation::{Call, OperationInfo};

/// A request that was not sent yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The operation.
    pub info: &'static OperationInfo,
    /// The whole address, query included.
    pub url: String,
    /// The body; None where none is sent.
    pub body: Option<String>,
    /// The same for a shell.
    pub curl: String,
}

impl Request {
    /// The request that a call makes of the service at a base address.
    pub fn of(call: &Call, address: &str) -> Self {
        let (info, parts) = (call.info(), call.parts());
        let url = format!("{}{}", address.trim_end_matches('/'), parts.target(info));
        let exchange = Exchange {
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
            outcome: Err(broken("not sent")),
        };
        let body = parts.body.map(|body| String::from_utf8_lossy(&body).into_owned());
        Self { info, url, body, curl: exchange.curl() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::id::AssetId;
    use crate::operation::table::AssetSnapshot;

    #[test]
    fn a_request_stands_at_the_base_address() {
        let id = AssetId::random();
        let request =
            Request::of(&AssetSnapshot { asset: id.clone(), transferables: Some(false) }.into(), "http://[::1]:1/x/");
        assert!(request.url.starts_with("http://[::1]:1/x/") && request.url.contains(id.as_str()), "{}", request.url);
        assert!(request.curl.contains(&request.url) && request.body.is_none());
    }
}
