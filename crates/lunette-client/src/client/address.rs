//! Where a service is: scheme, host, port and, behind a proxy, a base path.
//!
//! What must hold: an address never carries a user name, password, query or fragment, and parsing its text form returns
//! the same address.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use url::{Host, Url};

use super::CallError;
use crate::model::origin::is_localhost;

/// The address of a service, such as `http://127.0.0.1:39300`. Ordered and compared by its text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// Without a trailing slash, so that a request target can be appended.
    base: String,
    loopback: bool,
}

impl Address {
    /// The service of this port on 127.0.0.1. By number and not as `localhost`, which another program may hold on ::1.
    pub fn local(port: u16) -> Self {
        Self { base: format!("http://{}:{port}", Ipv4Addr::LOCALHOST), loopback: true }
    }

    /// The service of this port on ::1.
    pub(super) fn local_six(port: u16) -> Self {
        Self { base: format!("http://[{}]:{port}", Ipv6Addr::LOCALHOST), loopback: true }
    }

    /// Whether the host is this machine by its own loopback name or number.
    pub fn is_loopback(&self) -> bool {
        self.loopback
    }

    /// The loopback sockets it may refer to; empty if it is on another machine. `localhost` is both loopback addresses.
    pub(super) fn loopback_sockets(&self) -> Vec<SocketAddr> {
        let Some(url) = Url::parse(&self.base).ok().filter(|_| self.loopback) else { return Vec::new() };
        let port = url.port().unwrap_or(80);
        match url.host() {
            Some(Host::Ipv4(number)) => vec![(number, port).into()],
            Some(Host::Ipv6(number)) => vec![(number, port).into()],
            Some(Host::Domain(_)) => vec![(Ipv4Addr::LOCALHOST, port).into(), (Ipv6Addr::LOCALHOST, port).into()],
            None => Vec::new(),
        }
    }

    /// The address of a request target, which starts with a slash.
    pub(super) fn join(&self, target: &str) -> String {
        format!("{}{target}", self.base)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base)
    }
}

/// Reads `localhost:39300`, `http://127.0.0.1:39300/` or `http://[::1]:1000/base`. Without a scheme the port is needed.
impl FromStr for Address {
    type Err = CallError;

    fn from_str(text: &str) -> Result<Self, CallError> {
        parse(text.trim()).map_err(|problem| CallError::Address { text: text.to_owned(), problem: problem.to_string() })
    }
}

/// What is wrong with the address of a service.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum AddressProblem {
    #[error(transparent)]
    Url(#[from] url::ParseError),
    #[error("the scheme “{0}” is not supported; use http")]
    Scheme(String),
    #[error("remove the user name and password")]
    Credentials,
    #[error("remove everything from “?” or “#”")]
    Query,
    #[error("the port is missing")]
    NoPort,
    #[error("the host is missing")]
    NoHost,
}

fn parse(text: &str) -> Result<Address, AddressProblem> {
    let has_scheme = text.contains("://");
    let url = if has_scheme { Url::parse(text) } else { Url::parse(&format!("http://{text}")) };
    let url = url?;
    if url.scheme() != "http" {
        return Err(AddressProblem::Scheme(url.scheme().to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressProblem::Credentials);
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(AddressProblem::Query);
    }
    // `Url` drops the default port 80, so look at the text.
    let typed = has_scheme || url.port().is_some() || text.split('/').next().is_some_and(|host| host.ends_with(":80"));
    if url.port() == Some(0) || !typed {
        return Err(AddressProblem::NoPort);
    }
    let loopback = match url.host() {
        Some(Host::Domain(name)) => is_localhost(name),
        Some(Host::Ipv4(number)) => number.is_loopback(),
        Some(Host::Ipv6(number)) => number == Ipv6Addr::LOCALHOST,
        None => return Err(AddressProblem::NoHost),
    };
    Ok(Address { base: url.as_str().trim_end_matches('/').to_owned(), loopback })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_spellings_of_an_address_are_accepted() {
        for (text, shown) in [
            ("localhost:39300", "http://localhost:39300"),
            (" http://127.0.0.1:39300/ ", "http://127.0.0.1:39300"),
            ("http://[::1]:1000/base/", "http://[::1]:1000/base"),
            ("[::1]:5323", "http://[::1]:5323"),
            ("localhost:80", "http://localhost"),
            ("http://example.test", "http://example.test"),
        ] {
            let address: Address = text.parse().expect(text);
            assert_eq!(address.to_string(), shown);
            assert_eq!(shown.parse(), Ok(address));
        }
    }

    #[test]
    fn an_invalid_address_is_rejected_with_a_reason() {
        for (text, reason) in [
            ("", "host"),
            ("localhost", "port"),
            ("localhost:0", "port"),
            ("localhost:70000", "port"),
            ("https://localhost:1000", "https"),
            ("http://me:secret@localhost:1000", "password"),
            ("http://localhost:1000/?a=b", "“?”"),
            ("http://local host:1000", "domain"),
        ] {
            let error = text.parse::<Address>().expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn only_this_machine_is_loopback() {
        for text in ["localhost:1", "LOCALHOST:1", "127.0.0.1:1", "127.8.8.8:1", "[::1]:1"] {
            assert!(text.parse::<Address>().expect(text).is_loopback(), "{text}");
        }
        for text in [
            "192.0.2.1:1",
            "localhost.:1",
            "LOCALHOST.:1",
            "localhost.evil.test:1",
            "127.0.0.1.nip.io:1",
            "[2001:db8::1]:1",
        ] {
            assert!(!text.parse::<Address>().expect(text).is_loopback(), "{text}");
        }
    }
}
