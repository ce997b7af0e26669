//! The addresses that documents link to.

use url::Url;

/// The address to link to, when it is one that may be linked: `http`, `https`, `mailto`. Otherwise None, and the
/// address is shown as text.
///
/// The address is given as it is understood, not as it was written, so that it means the same to every reader.
pub(super) fn link(address: &str) -> Option<String> {
    let url = Url::parse(address.trim()).ok()?;
    let allowed = match url.scheme() {
        "http" | "https" => url.has_host(),
        "mailto" => !url.path().is_empty(),
        _ => false,
    };
    allowed.then(|| {
        let mut plain = String::with_capacity(address.len());
        for c in url.as_str().chars() {
            match c {
                '<' => plain.push_str("%3C"),
                '>' => plain.push_str("%3E"),
                '"' => plain.push_str("%22"),
                '\'' => plain.push_str("%27"),
                '\\' => plain.push_str("%5C"),
                '`' => plain.push_str("%60"),
                c => plain.push(c),
            }
        }
        plain
    })
}
