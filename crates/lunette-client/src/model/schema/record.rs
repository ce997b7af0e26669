//! How a record of the interface is held: the JSON tree exactly as it came, and typed views that read from it.
//!
//! What must hold: unknown fields, absent fields, explicit nulls, key order and the digits of numbers survive a round
//! trip, because nothing is ever rebuilt from a struct (records: section 0, surprises 7 and 12). What our own service
//! receives is checked by [`Record::from_tree`]. What a service sends is any object ([`Record::from_any`]), since the
//! interface names no field as required: a field that is missing, or of another type, is not told. Views are total: what
//! is not told is empty, never a panic.

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use crate::model::closed_enum::ClosedEnum;

/// The type of a field: how it is checked, and what a view of it returns.
pub trait FieldType {
    /// The type as data, for generated descriptions.
    const SCHEMA: Schema;
    /// What a getter returns; borrowed from the tree and cheap to copy.
    type View<'a>;
    /// Checks that a tree is of this type; fails with the JSON path of the first mismatch.
    fn check(tree: &Value) -> Result<(), SchemaError>;
    /// Whether a view of the tree shows it: it is of this type, regardless of the types of its parts.
    fn fits(tree: &Value) -> bool {
        Self::check(tree).is_ok()
    }
    /// Reads a tree; one of another type gives an empty value.
    fn view(tree: &Value) -> Self::View<'_>;
}

/// The type of a field as data.
#[derive(Clone, Copy, Debug)]
pub enum Schema {
    /// A string.
    Text,
    /// A string that is a UUID where we write it.
    Uuid,
    /// A string that is a moment, as RFC 3339 has it, where we write it.
    Moment,
    /// A string that is a value of a closed enum where we write it.
    Enum(&'static ClosedEnum),
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int,
    /// Any number.
    Number,
    /// Anything.
    Json,
    /// An array of one kind.
    List(&'static Schema),
    /// An object whose keys are data and whose values are of one kind.
    Keyed(&'static Schema),
    /// A record, by its name; `registry` has its fields. By name, since records hold each other in circles.
    Record(&'static str),
}

/// The static description of a record type.
#[derive(Clone, Copy, Debug)]
pub struct RecordTable {
    /// The type's name in the interface document.
    pub name: &'static str,
    /// One sentence on what it is.
    pub summary: &'static str,
    /// The fields known by name.
    pub fields: &'static [Field],
}

/// One field that a record knows by name.
#[derive(Debug)]
pub struct Field {
    /// The name on the wire.
    pub name: &'static str,
    /// Whether a record without it is rejected.
    pub required: bool,
    /// The kind, as it is written in the record's table.
    pub kind: &'static str,
    /// The kind as data.
    pub schema: Schema,
    /// The check of that kind.
    pub check: fn(&Value) -> Result<(), SchemaError>,
    /// Whether a view shows a value of the field; see [`FieldType::fits`].
    pub fits: fn(&Value) -> bool,
}

/// A record of the interface: a JSON object with a known table of fields.
pub trait Record: Sized {
    /// The type's name in the interface document.
    const NAME: &'static str;
    /// The fields known by name, in the order of the records document.
    const FIELDS: &'static [Field];

    /// Wraps a tree without checking it; for the checks of this module only.
    #[doc(hidden)]
    fn wrap(tree: Value) -> Self;
    /// The tree, exactly as it came.
    fn tree(&self) -> &Value;
    /// Returns the tree.
    fn into_tree(self) -> Value;

    /// The path of a duplicate key in the text it was parsed from. The tree has only the last of them, so that sending
    /// the record back would lose the others; None if there is none.
    fn duplicate_key(&self) -> Option<&str>;
    /// Sets that path; for code that parses a text.
    #[doc(hidden)]
    fn with_duplicate_key(self, path: Option<String>) -> Self;

    /// Takes a tree as this record. Fails on the first missing required field or wrong kind, with its JSON path.
    fn from_tree(tree: Value) -> Result<Self, SchemaError> {
        check_fields(Self::NAME, Self::FIELDS, &tree)?;
        Ok(Self::wrap(tree))
    }

    /// Takes whatever object a service sent as this record; fails for anything but an object.
    ///
    /// Our choice: the interface names no field as required, so that a record without some of its fields, or with fields
    /// of other types, is shown as far as it goes. `View::told` says what it has.
    fn from_any(tree: Value) -> Result<Self, SchemaError> {
        match tree {
            Value::Object(_) => Ok(Self::wrap(tree)),
            other => Err(not_an_object(Self::NAME, &other)),
        }
    }

    /// Takes a tree as an edited version of the record `base`, which may be of any shape: only what differs from `base`
    /// is checked.
    fn from_edit(base: &Value, tree: Value) -> Result<Self, SchemaError> {
        let edited = |field: &Field| tree.get(field.name) != base.get(field.name);
        check_fields_where(Self::NAME, Self::FIELDS.iter().filter(|field| edited(field)), &tree, |field| {
            field.required
        })?;
        Ok(Self::wrap(tree))
    }

    /// Takes a tree as a part of this record, such as the body of an update: only the id must be there, and what is there
    /// must be of its kind. Views of what is absent are empty.
    fn from_part(tree: Value) -> Result<Self, SchemaError> {
        check_fields_where(Self::NAME, Self::FIELDS.iter(), &tree, |field| field.name == "id")?;
        Ok(Self::wrap(tree))
    }

    /// A typed view of the record.
    fn view(&self) -> View<'_, Self> {
        View::of(self.tree())
    }

    /// The record with one top-level field set; everything else stays as it was, in its place. Fails if the value is not
    /// of the field's type.
    fn with(self, field: &str, value: Value) -> Result<Self, SchemaError> {
        if let Some(known) = Self::FIELDS.iter().find(|known| known.name == field) {
            (known.check)(&value).map_err(|wrong| wrong.within(field))?;
        }
        let mut tree = self.into_tree();
        if let Value::Object(fields) = &mut tree {
            fields.insert(field.to_owned(), value);
        }
        Ok(Self::wrap(tree))
    }
}

fn check_fields(name: &'static str, fields: &[Field], tree: &Value) -> Result<(), SchemaError> {
    check_fields_where(name, fields.iter(), tree, |field| field.required)
}

fn not_an_object(name: &str, tree: &Value) -> SchemaError {
    SchemaError::new(format!("expected an object ({name}), got {}", kind_name(tree)))
}

fn check_fields_where<'a>(
    name: &'static str,
    fields: impl Iterator<Item = &'a Field>,
    tree: &Value,
    needed: impl Fn(&Field) -> bool,
) -> Result<(), SchemaError> {
    let Value::Object(object) = tree else { return Err(not_an_object(name, tree)) };
    for field in fields {
        match object.get(field.name) {
            None | Some(Value::Null) if needed(field) => {
                return Err(SchemaError::new(format!("required field of {name} is missing")).within(field.name));
            }
            None | Some(Value::Null) => {}
            Some(value) => (field.check)(value).map_err(|wrong| wrong.within(field.name))?,
        }
    }
    Ok(())
}

/// A record as a kind of field, by the record's own table.
impl<R: Record> FieldType for R {
    const SCHEMA: Schema = Schema::Record(R::NAME);
    type View<'a> = View<'a, R>;

    fn check(tree: &Value) -> Result<(), SchemaError> {
        check_fields(R::NAME, R::FIELDS, tree)
    }

    fn fits(tree: &Value) -> bool {
        tree.is_object()
    }

    fn view(tree: &Value) -> View<'_, R> {
        View::of(tree)
    }
}

/// A borrowed, typed view of a record's tree. `Copy` and infallible: what is absent is empty.
pub struct View<'a, R> {
    tree: &'a Value,
    record: PhantomData<fn() -> R>,
}

impl<R> Clone for View<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for View<'_, R> {}

impl<R: Record> fmt::Debug for View<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", R::NAME, self.tree)
    }
}

impl<'a, R> View<'a, R> {
    /// A view of any tree; use [`Record::from_tree`] for trees from outside.
    pub fn of(tree: &'a Value) -> Self {
        Self { tree, record: PhantomData }
    }

    /// The tree of this view.
    pub fn tree(self) -> &'a Value {
        self.tree
    }

    /// A required field by name, for code that is generic over several record types; empty where it is not told.
    pub fn required<K: FieldType>(self, name: &str) -> K::View<'a> {
        static ABSENT: Value = Value::Null;
        K::view(self.tree.get(name).filter(|value| K::fits(value)).unwrap_or(&ABSENT))
    }

    /// An optional field; None when it is absent, null or of another type.
    pub(crate) fn optional<K: FieldType>(self, name: &str) -> Option<K::View<'a>> {
        self.tree.get(name).filter(|value| !value.is_null() && K::fits(value)).map(K::view)
    }
}

/// A tree that does not match the schema of its record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} at {}", self.problem, self.path())]
pub struct SchemaError {
    segments: Vec<String>,
    problem: String,
}

impl SchemaError {
    /// A problem at the top of a tree.
    pub fn new(problem: impl Into<String>) -> Self {
        Self { segments: Vec::new(), problem: problem.into() }
    }

    /// Returns the problem as seen from the object or array that holds it.
    pub fn within(mut self, segment: impl Into<String>) -> Self {
        self.segments.push(segment.into());
        self
    }

    /// Where it is, as `$.formats.iterable[0].id`.
    pub fn path(&self) -> String {
        let mut path = String::from("$");
        for segment in self.segments.iter().rev() {
            if !segment.starts_with('[') {
                path.push('.');
            }
            path.push_str(segment);
        }
        path
    }

    /// What is wrong there, without the path.
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

/// What a JSON value is, in words.
pub fn kind_name(tree: &Value) -> &'static str {
    match tree {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Declares the records of a module as tables: one field a row, `:` required, `?` optional, `= "name"` where the wire's
/// name differs. Once a module, since it names them all in `RECORDS`, from which `registry` is made.
macro_rules! records {
    ($( $(#[doc = $doc:literal])* $name:ident { $( $field:ident $mark:tt $kind:ty $(= $wire:literal)? ),* $(,)? } )*) => {
        /// The records of this module.
        pub(in crate::model) const RECORDS: &[$crate::model::record::RecordTable] = &[ $( $crate::model::record::RecordTable {
            name: stringify!($name),
            summary: concat!($($doc),*).trim_ascii(),
            fields: <$name as $crate::model::record::Record>::FIELDS,
        } ),* ];

        $(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name(serde_json::Value, Option<Box<str>>);

        impl $crate::model::record::Record for $name {
            const NAME: &'static str = stringify!($name);
            const FIELDS: &'static [$crate::model::record::Field] = &[ $( $crate::model::record::Field {
                name: $crate::model::record::records!(@wire $field $($wire)?),
                required: $crate::model::record::records!(@required $mark),
                kind: stringify!($kind),
                schema: <$kind as $crate::model::record::FieldType>::SCHEMA,
                check: <$kind as $crate::model::record::FieldType>::check,
                fits: <$kind as $crate::model::record::FieldType>::fits,
            } ),* ];

            fn wrap(tree: serde_json::Value) -> Self {
                Self(tree, None)
            }

            fn tree(&self) -> &serde_json::Value {
                &self.0
            }

            fn into_tree(self) -> serde_json::Value {
                self.0
            }

            fn duplicate_key(&self) -> Option<&str> {
                self.1.as_deref()
            }

            fn with_duplicate_key(self, path: Option<String>) -> Self {
                Self(self.0, path.map(Into::into))
            }
        }

        impl<'a> $crate::model::record::View<'a, $name> {
            $( $crate::model::record::records!(@getter $field $mark $kind, $crate::model::record::records!(@wire $field $($wire)?)); )*
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::model::record::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::model::record::deserialize(deserializer)
            }
        }
        )*
    };
    (@wire $field:ident) => { stringify!($field) };
    (@wire $field:ident $wire:literal) => { $wire };
    (@required :) => { true };
    (@required ?) => { false };
    (@getter $field:ident : $kind:ty, $wire:expr) => {
        #[doc = concat!("The field `", $wire, "`.")]
        pub fn $field(self) -> <$kind as $crate::model::record::FieldType>::View<'a> {
            self.required::<$kind>($wire)
        }
    };
    (@getter $field:ident ? $kind:ty, $wire:expr) => {
        #[doc = concat!("The optional field `", $wire, "`.")]
        pub fn $field(self) -> Option<<$kind as $crate::model::record::FieldType>::View<'a>> {
            self.optional::<$kind>($wire)
        }
    };
}
pub(crate) use records;

pub(crate) fn serialize<R: Record, S: Serializer>(record: &R, serializer: S) -> Result<S::Ok, S::Error> {
    record.tree().serialize(serializer)
}

pub(crate) fn deserialize<'de, R: Record, D: Deserializer<'de>>(deserializer: D) -> Result<R, D::Error> {
    R::from_tree(Value::deserialize(deserializer)?).map_err(de::Error::custom)
}
