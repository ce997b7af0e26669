//! Paths in JSON, for `#[serde(with = …)]`: text, or the system's own units as numbers where a path is not Unicode.
//!
//! What must hold: every path can be written, and is read as it was. What holds a path is never lost because of its name.

use std::path::{Path, PathBuf};

use lunette_storage::system;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Writes a path.
pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    JsonPath::of(path).serialize(serializer)
}

/// Reads a path; fails if it is neither text nor numbers.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    JsonPath::deserialize(deserializer)?.path()
}

/// Lists of paths as JSON.
pub mod list {
    use super::*;

    /// Writes paths.
    pub fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| JsonPath::of(path)))
    }

    /// Reads paths; fails if one is neither text nor numbers.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
        Vec::<JsonPath>::deserialize(deserializer)?.into_iter().map(JsonPath::path).collect()
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum JsonPath {
    Text(String),
    Units(Vec<u16>),
}

impl JsonPath {
    fn of(path: &Path) -> Self {
        path.to_str().map_or_else(|| Self::Units(system::path_units(path)), |text| Self::Text(text.to_owned()))
    }

    fn path<E: de::Error>(self) -> Result<PathBuf, E> {
        match self {
            Self::Text(text) => Ok(text.into()),
            Self::Units(units) => system::path_of_units(&units).ok_or_else(|| E::custom("not a path of this system")),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsString;
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
    fn what_is_no_path_of_this_system_is_refused() {
        assert!(serde_json::from_str::<Paths>(r#"{"one":[47,233],"many":[]}"#).is_ok());
        assert!(serde_json::from_str::<Paths>(r#"{"one":[47,1000],"many":[]}"#).is_err());
    }

    #[test]
    fn a_path_of_unicode_is_text() {
        let paths = Paths { one: "/a/é".into(), many: vec!["b".into()] };
        assert_eq!(serde_json::to_string(&paths).expect("it is written"), r#"{"one":"/a/é","many":["b"]}"#);
    }
}
