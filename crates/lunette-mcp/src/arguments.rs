//! The arguments of tools, declared once: their JSON schema and the check of what is sent are made of the declaration.
//!
//! What must hold: an argument that is not declared is refused, at any depth, and named.

use serde_json::{Map, Value, json};

use crate::tools::ToolError;

/// An argument of a tool.
#[derive(Debug)]
pub(crate) struct Argument {
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
    /// What it is, for the model.
    pub about: &'static str,
}

/// The kind of an argument.
#[derive(Debug)]
pub(crate) enum Kind {
    /// A text of at most so many bytes.
    Text(usize),
    /// A number from 0 to the largest.
    Number(u64),
    Flag,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// At most so many texts.
    Texts(usize),
    /// At most so many objects with these fields.
    Objects(usize, &'static [Argument]),
    /// An object with any fields.
    Any,
}

/// The longest short text: a name, an id, a filter.
pub(crate) const SHORT: usize = 4_000;

impl Argument {
    pub const fn needed(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, required: true, about }
    }

    pub const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, required: false, about }
    }

    fn schema(&self) -> Value {
        let mut schema = match &self.kind {
            Kind::Text(most) => json!({ "type": "string", "maxLength": most }),
            Kind::Number(most) => json!({ "type": "integer", "minimum": 0, "maximum": most }),
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Choice(words) => json!({ "type": "string", "enum": words }),
            Kind::Texts(most) => json!({ "type": "array", "items": { "type": "string" }, "maxItems": most }),
            Kind::Objects(most, fields) => json!({ "type": "array", "items": schema(fields), "maxItems": most }),
            Kind::Any => json!({ "type": "object" }),
        };
        schema["description"] = self.about.into();
        schema
    }

    fn check(&self, path: &str, value: &Value) -> Result<(), ToolError> {
        let is = |valid: bool, what: String| match valid {
            true => Ok(()),
            false => Err(ToolError::new(format!("{path} must be {what}"))),
        };
        match &self.kind {
            Kind::Text(most) => {
                is(value.as_str().is_some_and(|text| text.len() <= *most), format!("a text of at most {most} bytes"))
            }
            Kind::Number(most) => {
                is(value.as_u64().is_some_and(|number| number <= *most), format!("a number from 0 to {most}"))
            }
            Kind::Flag => is(value.is_boolean(), "true or false".to_owned()),
            Kind::Choice(words) => {
                is(value.as_str().is_some_and(|word| words.contains(&word)), format!("one of {}", words.join(", ")))
            }
            Kind::Texts(most) => {
                let texts = value.as_array().filter(|texts| texts.len() <= *most);
                let valid = texts.is_some_and(|texts| {
                    texts.iter().all(|text| text.as_str().is_some_and(|text| text.len() <= SHORT))
                });
                is(valid, format!("a list of at most {most} texts"))
            }
            Kind::Objects(most, fields) => {
                let objects = value.as_array().filter(|objects| objects.len() <= *most);
                is(objects.is_some(), format!("a list of at most {most} objects"))?;
                let objects = objects.into_iter().flatten().enumerate();
                objects.into_iter().try_for_each(|(index, object)| check(&format!("{path}[{index}]"), fields, object))
            }
            Kind::Any => is(value.is_object(), "an object".to_owned()),
        }
    }
}

/// The JSON schema of an object with these fields and no others.
pub(crate) fn schema(fields: &[Argument]) -> Value {
    let properties: Map<String, Value> = fields.iter().map(|field| (field.name.to_owned(), field.schema())).collect();
    let required: Vec<&str> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// Checks an object against its declaration.
pub(crate) fn check(path: &str, fields: &[Argument], value: &Value) -> Result<(), ToolError> {
    let Value::Object(given) = value else { return Err(ToolError::new(format!("{path} must be an object"))) };
    if let Some(unknown) = given.keys().find(|name| fields.iter().all(|field| field.name != name.as_str())) {
        let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
        let known =
            if names.is_empty() { "it takes none".to_owned() } else { format!("it takes {}", names.join(", ")) };
        return Err(ToolError::new(format!("{path} has no argument {unknown:?}; {known}")));
    }
    for field in fields {
        match given.get(field.name) {
            None if field.required => return Err(ToolError::new(format!("{path} needs {}", field.name))),
            // Some clients send what they leave out as null.
            None | Some(Value::Null) if !field.required => {}
            None | Some(Value::Null) => return Err(ToolError::new(format!("{path} needs {}", field.name))),
            Some(value) => field.check(&format!("{path}.{}", field.name), value)?,
        }
    }
    Ok(())
}

/// Checked arguments of a call, or of one object within them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arguments<'a>(pub &'a Value);

impl<'a> Arguments<'a> {
    pub fn text(self, name: &str) -> Option<&'a str> {
        self.0.get(name)?.as_str()
    }

    /// A text that is not blank.
    pub fn filled(self, name: &str) -> Option<&'a str> {
        self.text(name).map(str::trim).filter(|text| !text.is_empty())
    }

    pub fn needed(self, name: &str) -> Result<&'a str, ToolError> {
        self.filled(name).ok_or_else(|| ToolError::new(format!("{name} is missing or empty")))
    }

    pub fn number(self, name: &str) -> Option<usize> {
        usize::try_from(self.0.get(name)?.as_u64()?).ok()
    }

    pub fn flag(self, name: &str) -> Option<bool> {
        self.0.get(name)?.as_bool()
    }

    pub fn texts(self, name: &str) -> Vec<&'a str> {
        self.0.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    }

    pub fn objects(self, name: &str) -> Vec<Arguments<'a>> {
        self.0.get(name).and_then(Value::as_array).into_iter().flatten().map(Arguments).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &[Argument] = &[
        Argument::needed("a", Kind::Text(3), "a text"),
        Argument::optional("b", Kind::Objects(2, &[Argument::optional("c", Kind::Flag, "a flag")]), "objects"),
    ];

    #[test]
    fn an_argument_that_is_not_declared_is_refused_at_any_depth() {
        let problem = |value: Value| check("x", FIELDS, &value).err().map(|error| error.to_string());
        assert_eq!(problem(json!({ "a": "1" })), None);
        assert_eq!(problem(json!({ "a": "1", "b": [{ "c": true }, {}] })), None);
        assert_eq!(problem(json!({})).as_deref(), Some("x needs a"));
        assert_eq!(problem(json!({ "a": "1", "z": 1 })).as_deref(), Some("x has no argument \"z\"; it takes a, b"));
        assert_eq!(
            problem(json!({ "a": "1", "b": [{ "d": 1 }] })).as_deref(),
            Some("x.b[0] has no argument \"d\"; it takes c")
        );
        assert_eq!(problem(json!({ "a": "1234" })).as_deref(), Some("x.a must be a text of at most 3 bytes"));
        assert_eq!(problem(json!([])).as_deref(), Some("x must be an object"));
    }

    #[test]
    fn the_schema_allows_no_other_fields() {
        let schema = schema(FIELDS);
        assert_eq!(schema["additionalProperties"], false);
        assert_eq!(schema["properties"]["b"]["items"]["additionalProperties"], false);
        assert_eq!(schema["required"], json!(["a"]));
    }
}
