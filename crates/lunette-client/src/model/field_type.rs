//! The kinds of field a record has, beside other records: words, numbers, lists and keyed objects.
//!
//! A kind checks strictly (records, section 0, surprise 12) and reads leniently: a view of the wrong tree is empty, and
//! the entries of a list are those that came, of whichever kind.

use std::marker::PhantomData;

use serde_json::{Map, Value};

use super::record::{FieldType, Schema, SchemaError, kind_name};

fn expected(what: &str, tree: &Value) -> SchemaError {
    SchemaError::new(format!("expected {what}, got {}", kind_name(tree)))
}

/// A string. Enums are of this type too: an unknown value is shown, not rejected.
pub struct Text;

impl FieldType for Text {
    const SCHEMA: Schema = Schema::Text;
    type View<'a> = &'a str;

    fn check(tree: &Value) -> Result<(), SchemaError> {
        tree.as_str().map(|_| ()).ok_or_else(|| expected("a string", tree))
    }

    fn view(tree: &Value) -> &str {
        tree.as_str().unwrap_or_default()
    }
}

/// A UUID where we write it; any string where we read it.
pub struct Uuid;

impl FieldType for Uuid {
    const SCHEMA: Schema = Schema::Uuid;
    type View<'a> = &'a str;

    fn check(tree: &Value) -> Result<(), SchemaError> {
        Text::check(tree)
    }

    fn view(tree: &Value) -> &str {
        Text::view(tree)
    }
}

/// A moment as RFC 3339 has it where we write it; any string where we read it.
pub struct Moment;

impl FieldType for Moment {
    const SCHEMA: Schema = Schema::Moment;
    type View<'a> = &'a str;

    fn check(tree: &Value) -> Result<(), SchemaError> {
        Text::check(tree)
    }

    fn view(tree: &Value) -> &str {
        Text::view(tree)
    }
}

/// `true` or `false`, and nothing equivalent.
pub struct Bool;

impl FieldType for Bool {
    const SCHEMA: Schema = Schema::Bool;
    type View<'a> = bool;

    fn check(tree: &Value) -> Result<(), SchemaError> {
        tree.as_bool().map(|_| ()).ok_or_else(|| expected("a boolean", tree))
    }

    fn view(tree: &Value) -> bool {
        tree.as_bool().unwrap_or_default()
    }
}

/// A whole number, written without point or exponent (records: section 0, surprise 12).
pub struct Int;

impl FieldType for Int {
    const SCHEMA: Schema = Schema::Int;
    type View<'a> = i64;

    fn check(tree: &Value) -> Result<(), SchemaError> {
        match tree {
            Value::Number(number) if !number.to_string().contains(['.', 'e', 'E']) => Ok(()),
            _ => Err(expected("a whole number", tree)),
        }
    }

    /// One beyond 64 bits gives the nearest end of the range; its digits stay in the tree.
    fn view(tree: &Value) -> i64 {
        match tree {
            Value::Number(number) => {
                number.as_i64().unwrap_or_else(|| if number.to_string().starts_with('-') { i64::MIN } else { i64::MAX })
            }
            _ => 0,
        }
    }
}

/// Any number.
pub struct Number;

impl FieldType for Number {
    const SCHEMA: Schema = Schema::Number;
    type View<'a> = f64;

    fn check(tree: &Value) -> Result<(), SchemaError> {
        if tree.is_number() { Ok(()) } else { Err(expected("a number", tree)) }
    }

    fn view(tree: &Value) -> f64 {
        tree.as_f64().unwrap_or_default()
    }
}

/// Any JSON: records that are passed through unread.
pub struct Json;

impl FieldType for Json {
    const SCHEMA: Schema = Schema::Json;
    type View<'a> = &'a Value;

    fn check(_: &Value) -> Result<(), SchemaError> {
        Ok(())
    }

    fn view(tree: &Value) -> &Value {
        tree
    }
}

/// An array of one kind.
pub struct List<K>(PhantomData<K>);

impl<K: FieldType + 'static> FieldType for List<K> {
    const SCHEMA: Schema = Schema::List(&K::SCHEMA);
    type View<'a> = Items<'a, K>;

    fn check(tree: &Value) -> Result<(), SchemaError> {
        let items = tree.as_array().ok_or_else(|| expected("an array", tree))?;
        for (index, item) in items.iter().enumerate() {
            K::check(item).map_err(|wrong| wrong.within(format!("[{index}]")))?;
        }
        Ok(())
    }

    fn fits(tree: &Value) -> bool {
        tree.is_array()
    }

    fn view(tree: &Value) -> Items<'_, K> {
        Items { trees: tree.as_array().map(Vec::as_slice).unwrap_or_default(), kind: PhantomData }
    }
}

/// The items of a list, in order.
pub struct Items<'a, K> {
    trees: &'a [Value],
    kind: PhantomData<K>,
}

impl<K> Clone for Items<'_, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Items<'_, K> {}

impl<'a, K: FieldType> Items<'a, K> {
    /// How many there are.
    pub fn len(self) -> usize {
        self.trees.len()
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.trees.is_empty()
    }

    /// Each in turn.
    pub fn iter(self) -> impl ExactSizeIterator<Item = K::View<'a>> + DoubleEndedIterator + Clone {
        self.trees.iter().map(K::view)
    }

    /// The first, if any.
    pub fn first(self) -> Option<K::View<'a>> {
        self.trees.first().map(K::view)
    }

    /// The trees themselves.
    pub fn trees(self) -> &'a [Value] {
        self.trees
    }
}

/// An object whose keys are data (ids, mostly) and whose values are of one kind.
pub struct Keyed<K>(PhantomData<K>);

impl<K: FieldType + 'static> FieldType for Keyed<K> {
    const SCHEMA: Schema = Schema::Keyed(&K::SCHEMA);
    type View<'a> = Option<&'a Map<String, Value>>;

    fn check(tree: &Value) -> Result<(), SchemaError> {
        let entries = tree.as_object().ok_or_else(|| expected("an object", tree))?;
        for (key, value) in entries {
            K::check(value).map_err(|wrong| wrong.within(key.clone()))?;
        }
        Ok(())
    }

    fn fits(tree: &Value) -> bool {
        tree.is_object()
    }

    fn view(tree: &Value) -> Option<&Map<String, Value>> {
        tree.as_object()
    }
}
