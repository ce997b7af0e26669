//! Copying a part of one side to the other: a write like any other, with its plan, its conflicts, and its undo.

use serde_json::Value;

use super::side::{Position, Side, as_text};
use super::{Body, Comparison, TextDiff, Whitespace};
use crate::change::{Change, Edit, Field};
use lunette_client::model::diff::{FieldChange, Step};
use lunette_client::model::id::AssetId;

/// A part that can be copied to the other side.
#[derive(Clone, Debug, PartialEq)]
pub enum Take {
    /// Changed parts of the text, by their indices.
    Hunks(Vec<usize>),
    /// The whole text.
    Text,
    /// A field, by its index among those that differ.
    Field(usize),
    /// A link, by its index among those that differ.
    Link(usize),
}

/// Why a part cannot be copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TakeError {
    /// The side is no asset of this connection, or only a version of one.
    #[error("this side cannot be changed")]
    Fixed,
    /// The content is no text.
    #[error("only a text can be copied; export the file and import it instead")]
    NoText,
    /// Whitespace was ignored, so parts that differ in it are not known.
    #[error("whitespace is ignored; compare it too, to copy parts of the text")]
    Whitespace,
    /// The field is one that the service sets.
    #[error("this field is set by the service")]
    ReadOnly,
    /// It is gone since the comparison was made.
    #[error("this difference is gone")]
    Gone,
}

impl Comparison {
    /// Returns the change that copies a part of the other side to this one.
    ///
    /// Fails if the side cannot be changed in this way. The change holds what is replaced, so nothing is sent if that
    /// has changed meanwhile.
    pub fn take(&self, into: Position, part: &Take) -> Result<Change, TakeError> {
        let asset = self.side(into).target.clone().ok_or(TakeError::Fixed)?;
        match part {
            Take::Hunks(indices) => self.take_hunks(asset, into, indices),
            Take::Text => self.take_text(asset, into),
            Take::Field(index) => {
                let field = self.fields.get(*index).ok_or(TakeError::Gone)?;
                take_field(asset, into, field)
            }
            Take::Link(index) => {
                let link = self.links.get(*index).ok_or(TakeError::Gone)?;
                let item = link.item.clone();
                Ok(if link.on == into { Change::Unlink { asset, item } } else { Change::Link { asset, item } })
            }
        }
    }

    /// Returns whether [`Comparison::take`] can take a part over, without making the change.
    pub fn can_take(&self, into: Position, part: &Take) -> Result<(), TakeError> {
        let asset = self.side(into).target.clone().ok_or(TakeError::Fixed)?;
        match part {
            Take::Hunks(indices) => self.check_hunks(indices).map(|_| ()),
            Take::Text => self.text().map(|_| ()).ok_or(TakeError::NoText),
            Take::Field(index) => {
                let field = self.fields.get(*index).ok_or(TakeError::Gone)?;
                take_field(asset, into, field).map(|_| ())
            }
            Take::Link(index) => self.links.get(*index).map(|_| ()).ok_or(TakeError::Gone),
        }
    }

    fn check_hunks(&self, indices: &[usize]) -> Result<&TextDiff, TakeError> {
        let diff = self.text().ok_or(TakeError::NoText)?;
        match () {
            () if self.whitespace == Whitespace::Ignored => Err(TakeError::Whitespace),
            () if indices.iter().any(|index| *index >= diff.hunks.len()) => Err(TakeError::Gone),
            () => Ok(diff),
        }
    }

    fn take_hunks(&self, asset: AssetId, into: Position, indices: &[usize]) -> Result<Change, TakeError> {
        let diff = self.check_hunks(indices)?;
        let to = diff.with_hunks(into, |index| indices.contains(&index));
        Ok(Change::Text { asset, from: diff.side(into).text().to_string(), to })
    }

    fn take_text(&self, asset: AssetId, into: Position) -> Result<Change, TakeError> {
        let text = |side: &Side| match &side.body {
            Body::Bytes(bytes) => as_text(bytes).map(|text| text.to_string()),
            Body::None | Body::TooLarge(_) => None,
        };
        let (from, to) = (text(self.side(into)), text(self.side(into.other())));
        let (Some(from), Some(to)) = (from, to) else { return Err(TakeError::NoText) };
        Ok(Change::Text { asset, from, to })
    }
}

/// Returns the change that sets a field of the record that [`super::asset_record`] made.
fn take_field(asset: AssetId, into: Position, change: &FieldChange) -> Result<Change, TakeError> {
    let now = Comparison::value(change, into);
    let new = Comparison::value(change, into.other());
    let [Step::Key(key)] = change.path.0.as_slice() else { return Err(TakeError::ReadOnly) };
    let field = match key.as_str() {
        "name" => Field::Name,
        "description" => Field::Description,
        "favorited" => Field::Favorited,
        "language" => {
            let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
            let to = text(new).ok_or(TakeError::ReadOnly)?;
            return Ok(Change::Reclassify { asset, from: text(now), to });
        }
        _ => return Err(TakeError::ReadOnly),
    };
    let empty = || match field {
        Field::Favorited => Value::from(false),
        Field::Name | Field::Description => Value::from(""),
    };
    let (from, to) = (now.cloned().unwrap_or_else(empty), new.cloned().unwrap_or_else(empty));
    Ok(Change::Edit { asset, edits: vec![Edit { field, from: Some(from), to }] })
}
