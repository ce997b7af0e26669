//! Input in a form that is cheap to share: a draft is stored at each keystroke while it is written to disk.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// The input of an editor or a form. It is stored as the JSON value with the same content.
#[derive(Clone, Debug, PartialEq)]
pub enum Typed {
    /// One text: that of the raw editor.
    Text(Arc<str>),
    /// Several texts, by name.
    Texts(BTreeMap<String, Arc<str>>),
    /// Anything else, such as the fields of a form.
    Tree(Value),
}

impl Typed {
    /// Texts, by name.
    pub fn texts<const N: usize>(texts: [(&str, &Arc<str>); N]) -> Self {
        Self::Texts(texts.map(|(name, text)| (name.to_owned(), Arc::clone(text))).into())
    }

    /// Returns the text, if it is only one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Texts(_) | Self::Tree(_) => None,
        }
    }

    /// Returns the text with this name.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self {
            Self::Text(_) => None,
            Self::Texts(texts) => texts.get(name).map(AsRef::as_ref),
            Self::Tree(tree) => tree.get(name)?.as_str(),
        }
    }

    /// Returns whether the checkbox with this name was checked.
    pub fn flag(&self, name: &str) -> Option<bool> {
        match self {
            Self::Text(_) | Self::Texts(_) => None,
            Self::Tree(tree) => tree.get(name)?.as_bool(),
        }
    }
}

impl From<Value> for Typed {
    fn from(tree: Value) -> Self {
        match tree {
            Value::String(text) => Self::Text(text.into()),
            Value::Object(fields) if fields.values().all(Value::is_string) => {
                let texts = fields.into_iter().map(|(name, text)| (name, text.as_str().unwrap_or_default().into()));
                Self::Texts(texts.collect())
            }
            tree => Self::Tree(tree),
        }
    }
}

impl Serialize for Typed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Texts(texts) => serializer.collect_map(texts.iter().map(|(name, text)| (name, &**text))),
            Self::Tree(tree) => tree.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Typed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}

/// A record that several drafts share, as JSON.
pub(super) mod shared {
    use super::{Arc, Deserialize, Deserializer, Serialize as _, Serializer, Value};

    pub fn serialize<S: Serializer>(tree: &Arc<Value>, serializer: S) -> Result<S::Ok, S::Error> {
        tree.as_ref().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Value>, D::Error> {
        Value::deserialize(deserializer).map(Arc::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn input_is_stored_as_the_json_value_with_the_same_content() {
        for tree in
            [json!("a"), json!({ "from": "a", "text": "b" }), json!({ "name": "a", "favorited": true }), json!(1.5)]
        {
            let typed = Typed::from(tree.clone());
            assert_eq!(serde_json::to_value(&typed).expect("JSON"), tree);
            assert_eq!(serde_json::from_value::<Typed>(tree).expect("typed"), typed);
        }
    }

    #[test]
    fn texts_are_read_by_their_names_and_shared() {
        let text: Arc<str> = "b".into();
        let typed = Typed::texts([("from", &text), ("text", &text)]);
        assert_eq!((typed.text("from"), typed.text("other"), typed.as_text()), (Some("b"), None, None));
        assert_eq!(Arc::strong_count(&text), 3);
        let fields = Typed::from(json!({ "name": "a", "favorited": true }));
        assert_eq!((fields.text("name"), fields.flag("favorited")), (Some("a"), Some(true)));
    }
}
