//! The input of one operation's form, and the call it makes.

use std::collections::BTreeMap;

use lunette_client::operation::{Call, Input, InputLocation, InvalidInput, OperationInfo, RequestParts};

/// The inputs of one operation, as typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// The text of each path and query input, by name; an empty query input is not sent.
    pub texts: BTreeMap<&'static str, String>,
    /// The body; empty for none.
    pub body: String,
    /// Whether Send was pressed, so that missing input is reported.
    pub submitted: bool,
}

impl Draft {
    /// Returns the text of an input, for editing.
    pub fn text(&mut self, name: &'static str) -> &mut String {
        self.texts.entry(name).or_default()
    }

    /// Returns the call; fails on the first missing or malformed input.
    pub fn call(&self, info: &'static OperationInfo) -> Result<Call, InvalidInput> {
        let mut parts = RequestParts::default();
        for input in info.inputs {
            let text = self.texts.get(input.name).map(String::as_str).unwrap_or_default();
            match input.location {
                InputLocation::Path => parts.path.push((input.name.to_owned(), text.trim().to_owned())),
                InputLocation::Query if text.is_empty() => {}
                InputLocation::Query => parts.query.push((input.name.to_owned(), text.to_owned())),
                InputLocation::Body => {
                    parts.body = Some(self.body.trim()).filter(|body| !body.is_empty()).map(|body| body.into());
                }
            }
        }
        Call::read(info, &parts)
    }

    /// Returns the error to show below an input: the fault, if it concerns this input and the user has edited it.
    pub fn fault_of<'a>(&self, input: &Input, fault: Option<&'a InvalidInput>) -> Option<&'a InvalidInput> {
        let fault = fault.filter(|fault| is_about(fault, input))?;
        let filled = match input.location {
            InputLocation::Body => !self.body.is_empty(),
            InputLocation::Path | InputLocation::Query => {
                self.texts.get(input.name).is_some_and(|text| !text.is_empty())
            }
        };
        (filled || self.submitted).then_some(fault)
    }
}

/// Returns whether a fault concerns an input.
fn is_about(fault: &InvalidInput, input: &Input) -> bool {
    match fault {
        InvalidInput::Missing { location, name }
        | InvalidInput::Id { location, name, .. }
        | InvalidInput::Value { location, name, .. } => (*location, *name) == (input.location, input.name),
        InvalidInput::NotJson(_) | InvalidInput::Schema { .. } => input.location == InputLocation::Body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lunette_client::operation::Operation as _;
    use lunette_client::operation::table::{AssetSnapshot, AssetSpecificAssetExport, AssetUpdate};

    #[test]
    fn an_error_is_shown_at_its_input_after_typing_or_sending() {
        let info = AssetSnapshot::INFO;
        let mut draft = Draft::default();
        let fault = draft.call(info).err();
        assert!(fault.is_some() && draft.fault_of(&info.inputs[0], fault.as_ref()).is_none());
        draft.text("asset").push_str("no id");
        let fault = draft.call(info).err();
        assert!(draft.fault_of(&info.inputs[0], fault.as_ref()).is_some());
        assert!(draft.fault_of(&info.inputs[1], fault.as_ref()).is_none());
    }

    #[test]
    fn a_missing_word_and_a_broken_body_are_named() {
        let mut draft = Draft::default();
        draft.text("asset").push_str("5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159");
        let fault = draft.call(AssetSpecificAssetExport::INFO).expect_err("the kind is missing");
        assert!(fault.to_string().contains("export_type"), "{fault}");
        draft.body.push_str("{ \"id\": ");
        assert!(matches!(draft.call(AssetUpdate::INFO), Err(InvalidInput::NotJson(_))));
        draft.body.clear();
        assert!(draft.call(AssetUpdate::INFO).is_ok(), "a body may be left out");
    }
}
