//! The two texts by which a browser says where a request goes and which page sent it: `Host` and `Origin`.
//!
//! What must hold: both readings take exactly what they name and nothing that only looks like it, and fail on no input.
//! The guard of the service and the window both use these parsers.

/// The host names of this machine.
const NAMES: [&[u8]; 3] = [b"localhost", b"127.0.0.1", b"[::1]"];
/// Browsers send no longer origin, and the guard records no more of it.
const LONGEST: usize = 199;

/// Whether a `Host` (RFC 9110, section 7.2) names this machine: `name[:1-65535]`, and nothing else. The port's value says
/// nothing: a forwarded port (`ssh -L`) has another number.
pub fn is_loopback_host(host: &[u8]) -> bool {
    let (name, port) = split_port(host);
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)) && port.is_none_or(is_port)
}

/// Whether a host name is always this machine, without a lookup. `localhost.` with a dot at its end is not: only the name
/// without it is reserved in every resolver, and a DNS server may answer for the other.
pub fn is_localhost(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
}

/// Whether a text is the origin of one page, as a browser writes it (RFC 6454, section 6.2): `http://localhost:8888`.
/// Rejects `null` and anything with a path, a wildcard, capitals or invisible characters.
pub fn is_valid_origin(origin: &str) -> bool {
    let Some((scheme, authority)) = origin.split_once("://") else { return false };
    let (host, port) = split_port(authority.as_bytes());
    let scheme_fits =
        scheme.starts_with(|first: char| first.is_ascii_lowercase()) && consists_of(scheme.as_bytes(), b"+-.");
    let host_fits = match host.strip_prefix(b"[").and_then(|host| host.strip_suffix(b"]")) {
        Some(address) => std::str::from_utf8(address).is_ok_and(|text| text.parse::<std::net::Ipv6Addr>().is_ok()),
        None => consists_of(host, b"-._"),
    };
    origin.len() <= LONGEST && scheme_fits && host_fits && port.is_none_or(is_port)
}

/// Splits host and port at the last colon outside brackets.
fn split_port(authority: &[u8]) -> (&[u8], Option<&[u8]>) {
    let bracket = authority.iter().position(|&byte| byte == b']').map_or(0, |offset| offset + 1);
    match authority[bracket..].iter().position(|&byte| byte == b':') {
        Some(offset) => (&authority[..bracket + offset], Some(&authority[bracket + offset + 1..])),
        None => (authority, None),
    }
}

fn is_port(digits: &[u8]) -> bool {
    let plain = (1..=5).contains(&digits.len()) && digits[0] != b'0' && digits.iter().all(u8::is_ascii_digit);
    plain && std::str::from_utf8(digits).is_ok_and(|text| text.parse::<u16>().is_ok())
}

/// Whether a text has only small letters, digits and these others, and at least one of them.
fn consists_of(text: &[u8], more: &[u8]) -> bool {
    let fits = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || more.contains(byte);
    !text.is_empty() && text.iter().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_exact_page_origin_is_accepted() {
        for page in [
            "http://localhost:8888",
            "https://example.org",
            "http://[::1]:3000",
            "http://127.0.0.1",
            "chrome-extension://abcdefgh",
            "http://a_b-c.d:65535",
        ] {
            assert!(is_valid_origin(page), "{page}");
        }
        for none in [
            "null",
            "*",
            "",
            "http://",
            "://a",
            "http://*",
            "http://a/",
            "http://a/b",
            "http://a:",
            "http://a:0",
            "http://a:65536",
            "http://a:+1",
            "http://A",
            "HTTP://a",
            "http://a b",
            "http://a,http://b",
            "http://u@a",
            "http://a?b",
            "http://a#b",
            "http://[::1",
            "http://[::g]",
            "http://ä",
            "http://a:1:2",
            "1http://a",
            "http://a\u{200b}",
            "localhost:8888",
            "http://[::1]]",
            "http://[::1].",
            "http://a]:1",
        ] {
            assert!(!is_valid_origin(none), "{none:?}");
        }
        assert!(!is_valid_origin(&format!("http://{}", "a".repeat(300))));
    }

    #[test]
    fn loopback_has_three_names_with_any_port() {
        for own in ["localhost", "LOCALHOST:1", "LocalHost:65535", "127.0.0.1:80", "[::1]", "[::1]:9"] {
            assert!(is_loopback_host(own.as_bytes()), "{own}");
        }
        for other in [
            "",
            ":",
            ":1",
            ".",
            "localhost:",
            "localhost:0",
            "localhost:01",
            "localhost:65536",
            "localhost:+1",
            "localhost:1:2",
            "localhost.",
            "LocalHost.:65535",
            "127.0.0.1.",
            "localhost..",
            "localhost.evil.test",
            "evil.test",
            "127.0.0.2",
            "127.1",
            "0.0.0.0",
            "[::1].",
            "[::1].:1",
            "[::1]]",
            "::1",
            "[::]",
            "localhost ",
            " localhost",
            "user@localhost",
            "localhost/",
            "localhost\0",
        ] {
            assert!(!is_loopback_host(other.as_bytes()), "{other:?}");
        }
    }
}
