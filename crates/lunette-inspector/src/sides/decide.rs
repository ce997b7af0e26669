//! What people decided of assets that both sides changed: whose version of each part is taken, and of each changed part
//! of a text.
//!
//! What must hold: nothing is decided by itself; what is written is what was decided, and nothing if an asset changed
//! since.

use std::collections::HashMap;
use std::sync::Arc;

use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;

use super::facts::{Part, Parts};
use super::read::SideError;
use super::row::{RowKey, RowState, SideRow};
use super::side::Sides;
use crate::assets::content::of_original;
use crate::assets::page::Content;
use crate::compare::{Position, TextDiff, Whitespace};

/// Whose version of an asset is taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Decided {
    /// All of it is that of a side.
    Side(Position),
    /// Part by part.
    Parts(Arc<Decision>),
}

/// The decisions of a comparison, by the assets that they are of.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    /// What was decided.
    pub of: HashMap<RowKey, Decided>,
    /// Whether assets that both sides changed are left unless something was decided of them.
    pub required: bool,
}

/// The parts in which an asset differs, each with the side whose version is taken once that is decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Its name.
    pub name: String,
    /// The two texts, if the contents differ and are texts.
    pub text: Option<Arc<TextDiff>>,
    /// The changed parts of the texts.
    pub hunks: Vec<Option<Position>>,
    /// Everything else that differs; the content too if it is not text.
    pub parts: Vec<(Part, Option<Position>)>,
    /// What the parts are on the left and on the right, for people.
    pub values: Vec<[String; 2]>,
}

impl Decision {
    /// Reads both sides of an asset; nothing is decided yet.
    ///
    /// # Errors
    ///
    /// Fails if a side does not have it or does not respond.
    pub async fn read(sides: &Sides, row: &SideRow) -> Result<Self, SideError> {
        let record = async |at: Position| {
            let facts = row.side(at).ok_or_else(|| SideError::NoAsset(row.name().to_owned()))?;
            sides.at(at).record(&facts.id).await
        };
        let (left, right) = (record(Position::Left).await?, record(Position::Right).await?);
        Ok(Self::of(row, left.view(), right.view()))
    }

    fn of(row: &SideRow, left: View<'_, Asset>, right: View<'_, Asset>) -> Self {
        let texts = (of_original(left), of_original(right));
        let text = match texts {
            (Content::Text(left), Content::Text(right)) if row.differs.has(Part::Content) => {
                Some(Arc::new(TextDiff::of(left, right, Whitespace::Exact)))
            }
            _ => None,
        };
        let parts = row.differs.iter().filter(|part| *part != Part::Content || text.is_none());
        let parts: Vec<_> = parts.map(|part| (part, None)).collect();
        let values = parts.iter().map(|(part, _)| [left, right].map(|side| part.value(side))).collect();
        let hunks = text.as_ref().map_or_else(Vec::new, |diff| vec![None; diff.hunks.len()]);
        Self { name: row.name().to_owned(), text, hunks, parts, values }
    }

    /// How many parts are not decided yet.
    pub fn open(&self) -> usize {
        let parts = self.parts.iter().map(|(_, chosen)| chosen);
        self.hunks.iter().chain(parts).filter(|chosen| chosen.is_none()).count()
    }

    /// How many parts there are.
    pub fn count(&self) -> usize {
        self.hunks.len() + self.parts.len()
    }

    /// Takes everything from a side.
    pub fn decide_all(&mut self, from: Position) {
        self.hunks.fill(Some(from));
        self.parts.iter_mut().for_each(|(_, chosen)| *chosen = Some(from));
    }

    /// The text as it was decided; `None` if the contents are not two texts.
    pub fn decided_text(&self) -> Option<String> {
        let diff = self.text.as_ref()?;
        Some(diff.with_hunks(Position::Left, |index| self.hunks.get(index) == Some(&Some(Position::Right))))
    }

    /// The parts that a side takes from the other one; its text is [`Self::decided_text`].
    fn taken_by(&self, to: Position) -> Parts {
        let other = Some(to.other());
        self.parts.iter().filter(|(_, chosen)| *chosen == other).map(|(part, _)| *part).collect()
    }

    /// Whether two records have the texts that were decided of, or the one that was decided.
    fn is_of(&self, now: [View<'_, Asset>; 2]) -> bool {
        let (Some(diff), decided) = (&self.text, self.decided_text()) else { return true };
        let same = |record, at| match of_original(record) {
            Content::Text(text) => text == *diff.side(at).text() || Some(&*text) == decided.as_deref(),
            _ => false,
        };
        same(now[0], Position::Left) && same(now[1], Position::Right)
    }
}

/// What a side takes from the other one.
pub(super) struct Taken {
    /// These parts.
    pub parts: Parts,
    /// This text, if it was decided.
    pub text: Option<String>,
}

impl Decisions {
    /// What a side takes of a row. Fails with the reason if it is left.
    pub(super) fn taken(
        &self,
        row: &SideRow,
        to: Position,
        [now, then]: [View<'_, Asset>; 2],
    ) -> Result<Taken, &'static str> {
        let all = Taken { parts: row.differs, text: None };
        match self.of.get(&crate::listing::Row::key(row)) {
            None if self.required && row.state == RowState::Conflict => {
                Err("both sides changed it: decide which version is taken")
            }
            None => Ok(all),
            Some(Decided::Side(side)) if *side == to => Ok(Taken { parts: Parts::default(), text: None }),
            Some(Decided::Side(_)) => Ok(all),
            Some(Decided::Parts(decision)) => {
                let sides = if to == Position::Left { [now, then] } else { [then, now] };
                match () {
                    () if decision.open() > 0 => Err("not every part of it was decided"),
                    () if !decision.is_of(sides) => Err("it was changed since it was decided"),
                    () => Ok(Taken { parts: decision.taken_by(to), text: decision.decided_text() }),
                }
            }
        }
    }
}
