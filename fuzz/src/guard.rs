//! The browser guard: what it lets pass names this machine and comes from no page, by rules written down a second time.
//!
//! The bytes: the request's target on the first line, a header on each line after it.

/// A request that passes has one Host, which is this machine, and no Origin or Sec-Fetch-Site of another.
pub fn holds(data: &[u8]) {
    let mut lines = data.split(|&byte| byte == b'\n');
    let Some(Ok(target)) = lines.next().map(std::str::from_utf8) else { return };
    let headers: Vec<(&str, &[u8])> = lines
        .filter_map(|line| {
            let colon = line.iter().position(|&byte| byte == b':')?;
            Some((std::str::from_utf8(&line[..colon]).ok()?, line[colon + 1..].trim_ascii()))
        })
        .collect();
    if !lunette_service::admits(target, &headers) {
        return;
    }
    let all = |wanted: &str| -> Vec<String> {
        let named = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
        named.map(|(_, value)| String::from_utf8(value.to_vec()).expect("text").to_ascii_lowercase()).collect()
    };
    let hosts = all("host");
    let [host] = hosts.as_slice() else { panic!("{hosts:?} are let in") };
    assert!(is_this_machine(host), "{host:?} is let in");
    let origins = all("origin");
    assert!(origins.len() <= 1 && origins.iter().all(|origin| *origin == format!("http://{host}")), "{origins:?}");
    let sites = all("sec-fetch-site");
    assert!(sites.iter().all(|site| site == "none" || site == "same-origin"), "{sites:?}");
    if let Some((scheme, rest)) = target.split_once("://")
        && !scheme.contains(['/', '?'])
    {
        assert!(rest.to_ascii_lowercase().starts_with(host), "{target:?} is asked of {host:?}");
    }
}

fn is_this_machine(host: &str) -> bool {
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| {
        let Some(rest) = host.strip_prefix(name) else { return false };
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        match rest.strip_prefix(':') {
            Some(port) => port.parse::<u16>().is_ok_and(|number| number > 0 && number.to_string() == *port),
            None => rest.is_empty(),
        }
    })
}
