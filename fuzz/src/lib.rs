//! What must hold for any bytes: each module takes some, hands them to the reader it is about, and panics where a claim
//! is broken. `cargo fuzz` makes the bytes up; `tests/routes/seeds.rs` goes through those that are kept in `seeds`.

pub mod entries;
pub mod export;
pub mod files;
pub mod guard;
pub mod opener;
pub mod request;
pub mod sources;
pub mod texts;

/// The bytes up to the next line break as text, and the rest.
fn line(data: &[u8]) -> (String, &[u8]) {
    let (line, rest) = match data.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&data[..end], &data[end + 1..]),
        None => (data, &[][..]),
    };
    (String::from_utf8_lossy(line).into_owned(), rest)
}
