//! The kinds of field a record has, beside other records: words, numbers, lists and keyed objects.
//!
//! A kind checks strictly (records, section 0, surprise 12) and reads leniently: a view of the wrong tree is empty, and
//! the entries of a list are those that came, of whichever kind.

use std::marker::PhantomData;

use serde_json::{Map, Value};

use crate::model::record::{FieldType, Schema, SchemaError, kind_name};

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

/// A whole number. One with a point or an exponent is whole too, as in JSON Schema, if nothing is lost of it.
pub struct Int;

/// The end of the range in which a floating-point number is exactly the number that was written: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Returns a whole number that is written with a point or an exponent, such as `1.0`.
fn exact(number: &serde_json::Number) -> Option<i64> {
    let text = number.to_string();
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let zeros = digits.bytes().rev().filter(|byte| *byte != b'.').take_while(|byte| *byte == b'0').count();
    let places = i64::try_from(zeros).ok()? - i64::try_from(fraction).ok()?;
    let is_whole = exponent.parse::<i64>().ok()?.checked_add(places)? >= 0;
    let number = number.as_f64().filter(|number| (is_whole || *number == 0.0) && number.abs() < EXACT)?;
    Some(number as i64)
}

impl FieldType for Int {
    const SCHEMA: Schema = Schema::Int;
    type View<'a> = i64;

    fn check(tree: &Value) -> Result<(), SchemaError> {
        match tree {
            Value::Number(number) if !number.to_string().contains(['.', 'e', 'E']) => Ok(()),
            Value::Number(number) if exact(number).is_some() => Ok(()),
            _ => Err(expected("a whole number", tree)),
        }
    }

    /// One beyond 64 bits gives the nearest end of the range; its digits stay in the tree.
    fn view(tree: &Value) -> i64 {
        match tree {
            Value::Number(number) => {
                let nearest = || if number.to_string().starts_with('-') { i64::MIN } else { i64::MAX };
                number.as_i64().or_else(|| exact(number)).unwrap_or_else(nearest)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_may_be_written_with_a_point_or_an_exponent_if_nothing_is_lost() {
        let read = |text: &str| {
            let tree = serde_json::from_str(text).expect("JSON");
            Int::check(&tree).ok().map(|()| Int::view(&tree))
        };
        for (text, number) in [
            ("1", 1),
            ("1.0", 1),
            ("-2.000", -2),
            ("1e2", 100),
            ("1.25E2", 125),
            ("100e-2", 1),
            ("0.0", 0),
            ("-0.0", 0),
        ] {
            assert_eq!(read(text), Some(number), "{text}");
        }
        for text in ["1.5", "1e-1", "1.00000000000000000001", "9007199254740993.0", "1e400", "1e99999999999999999999"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("99999999999999999999"), Some(i64::MAX), "its digits are kept");
    }
}
