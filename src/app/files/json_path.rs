//! Paths in JSON, for `#[serde(with = …)]`: text, or the system's own units as numbers where a path is not Unicode.
//!
//! What must hold: every path can be written, and is read as it was. What holds a path is never lost because of its name.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes a path.
pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    JsonPath::of(path).serialize(serializer)
}

/// Reads a path; fails if it is neither text nor numbers.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    JsonPath::deserialize(deserializer).map(PathBuf::from)
}

/// The same for several paths.
pub mod list {
    use super::*;

    /// Writes paths.
    pub fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| JsonPath::of(path)))
    }

    /// Reads paths; fails if one is neither text nor numbers.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
        Vec::<JsonPath>::deserialize(deserializer).map(|paths| paths.into_iter().map(PathBuf::from).collect())
    }
}

/// A byte, or on Windows a unit of UTF-16.
#[cfg(not(windows))]
type Unit = u8;
#[cfg(windows)]
type Unit = u16;

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum JsonPath {
    Text(String),
    Units(Vec<Unit>),
}

impl JsonPath {
    fn of(path: &Path) -> Self {
        path.to_str().map_or_else(|| Self::Units(units(path)), |text| Self::Text(text.to_owned()))
    }
}

impl From<JsonPath> for PathBuf {
    fn from(path: JsonPath) -> Self {
        match path {
            JsonPath::Text(text) => text.into(),
            JsonPath::Units(units) => name(units).into(),
        }
    }
}

#[cfg(not(windows))]
fn units(path: &Path) -> Vec<Unit> {
    path.as_os_str().as_encoded_bytes().to_owned()
}

#[cfg(unix)]
fn name(units: Vec<Unit>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(units)
}

#[cfg(windows)]
fn units(path: &Path) -> Vec<Unit> {
    std::os::windows::ffi::OsStrExt::encode_wide(path.as_os_str()).collect()
}

#[cfg(windows)]
fn name(units: Vec<Unit>) -> OsString {
    std::os::windows::ffi::OsStringExt::from_wide(&units)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStringExt as _;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Paths {
        #[serde(with = "super")]
        one: PathBuf,
        #[serde(with = "list")]
        many: Vec<PathBuf>,
    }

    #[test]
    fn every_path_is_read_as_it_was_written() {
        let latin = PathBuf::from(OsString::from_vec(b"/home/me/caf\xe9".to_vec()));
        for path in [PathBuf::from("/a/b c"), PathBuf::new(), PathBuf::from("é"), latin] {
            let paths = Paths { one: path.clone(), many: vec![path, PathBuf::from("x")] };
            let text = serde_json::to_string(&paths).expect("it is written");
            assert_eq!(serde_json::from_str::<Paths>(&text).expect("it is read"), paths, "{text}");
        }
    }

    #[test]
    fn a_path_of_unicode_is_text() {
        let paths = Paths { one: "/a/é".into(), many: vec!["b".into()] };
        assert_eq!(serde_json::to_string(&paths).expect("it is written"), r#"{"one":"/a/é","many":["b"]}"#);
    }
}
