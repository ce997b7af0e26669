//! Copying a part of one side to the other: a write like any other, with its plan, its conflicts, and its undo.

use serde_json::Value;

use super::side::{Position, Side, as_text};
use super::{Body, Comparison, TextDiff, Whitespace};
use crate::change::{Change, Edit, Field};
use lunette_client::model::diff::{FieldChange, Step};
use lunette_client::model::id::AssetId;

/// A part that can be copied to the other side.
#[derive(Clone, Debug, PartialEq)]
pub enum CopyPart {
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
pub enum CopyPartError {
    /// The side is not an asset of this connection, or only a version of one.
    #[error("this side cannot be changed")]
    Fixed,
    /// The content is not text.
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
    pub fn copy_part(&self, into: Position, part: &CopyPart) -> Result<Change, CopyPartError> {
        let asset = self.side(into).target.clone().ok_or(CopyPartError::Fixed)?;
        match part {
            CopyPart::Hunks(indices) => self.copy_hunks(asset, into, indices),
            CopyPart::Text => self.copy_text(asset, into),
            CopyPart::Field(index) => {
                let field = self.fields.get(*index).ok_or(CopyPartError::Gone)?;
                copy_field(asset, into, field)
            }
            CopyPart::Link(index) => {
                let link = self.links.get(*index).ok_or(CopyPartError::Gone)?;
                let item = link.item.clone();
                Ok(if link.on == into { Change::Unlink { asset, item } } else { Change::Link { asset, item } })
            }
        }
    }

    /// Returns whether [`Comparison::copy_part`] can copy a part, without making the change.
    pub fn can_copy_part(&self, into: Position, part: &CopyPart) -> Result<(), CopyPartError> {
        let asset = self.side(into).target.clone().ok_or(CopyPartError::Fixed)?;
        match part {
            CopyPart::Hunks(indices) => self.check_hunks(indices).map(|_| ()),
            CopyPart::Text => self.text().map(|_| ()).ok_or(CopyPartError::NoText),
            CopyPart::Field(index) => {
                let field = self.fields.get(*index).ok_or(CopyPartError::Gone)?;
                copy_field(asset, into, field).map(|_| ())
            }
            CopyPart::Link(index) => self.links.get(*index).map(|_| ()).ok_or(CopyPartError::Gone),
        }
    }

    fn check_hunks(&self, indices: &[usize]) -> Result<&TextDiff, CopyPartError> {
        let diff = self.text().ok_or(CopyPartError::NoText)?;
        match () {
            () if self.whitespace == Whitespace::Ignored => Err(CopyPartError::Whitespace),
            () if indices.iter().any(|index| *index >= diff.hunks.len()) => Err(CopyPartError::Gone),
            () => Ok(diff),
        }
    }

    fn copy_hunks(&self, asset: AssetId, into: Position, indices: &[usize]) -> Result<Change, CopyPartError> {
        let diff = self.check_hunks(indices)?;
        let to = diff.with_hunks(into, |index| indices.contains(&index));
        Ok(Change::Text { asset, from: diff.side(into).text().to_string(), to })
    }

    fn copy_text(&self, asset: AssetId, into: Position) -> Result<Change, CopyPartError> {
        let text = |side: &Side| match &side.body {
            Body::Bytes(bytes) => as_text(bytes).map(|text| text.to_string()),
            Body::None | Body::TooLarge(_) => None,
        };
        let (from, to) = (text(self.side(into)), text(self.side(into.other())));
        let (Some(from), Some(to)) = (from, to) else { return Err(CopyPartError::NoText) };
        Ok(Change::Text { asset, from, to })
    }
}

/// Returns the change that sets a field of the record that [`super::asset_record`] made.
fn copy_field(asset: AssetId, into: Position, change: &FieldChange) -> Result<Change, CopyPartError> {
    let now = Comparison::value(change, into);
    let new = Comparison::value(change, into.other());
    let [Step::Key(key)] = change.path.0.as_slice() else { return Err(CopyPartError::ReadOnly) };
    let field = match key.as_str() {
        "name" => Field::Name,
        "description" => Field::Description,
        "favorited" => Field::Favorited,
        "language" => {
            let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
            let to = text(new).ok_or(CopyPartError::ReadOnly)?;
            return Ok(Change::Reclassify { asset, from: text(now), to });
        }
        _ => return Err(CopyPartError::ReadOnly),
    };
    let empty = || match field {
        Field::Favorited => Value::from(false),
        Field::Name | Field::Description => Value::from(""),
    };
    let (from, to) = (now.cloned().unwrap_or_else(empty), new.cloned().unwrap_or_else(empty));
    Ok(Change::Edit { asset, edits: vec![Edit { field, from: Some(from), to }] })
}
