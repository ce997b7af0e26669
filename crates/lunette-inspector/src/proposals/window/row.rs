//! A proposal in the list, and one of its changes.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jiff::Timestamp;

use crate::filter::{Field, Filterable, Flag, List};
use crate::following::{self, FollowError};
use crate::listing::{Column, Columns, Moment, Row, Value};
use crate::proposals::store::read;
use crate::proposals::{Proposal, ProposalStore, ProposedChange, Status, Undo};

/// A proposal, without its changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposalRow {
    /// Its number.
    pub number: u64,
    /// The assistant that asked for it.
    pub client: String,
    /// What it would do, in a sentence.
    pub title: String,
    /// When it was made; `None` if that cannot be read.
    pub at: Option<Timestamp>,
    /// How many changes it has.
    pub changes: usize,
    /// The proposal that it takes back.
    pub undoes: Option<u64>,
    /// How it stands.
    pub status: Status,
}

impl ProposalRow {
    /// The row of a proposal.
    pub fn of(proposal: &Proposal) -> Self {
        let Proposal { number, client, title, at, changes, undoes, status, .. } = proposal;
        Self {
            number: *number,
            client: client.clone(),
            title: title.clone(),
            at: at.parse().ok(),
            changes: changes.len(),
            undoes: *undoes,
            status: status.clone(),
        }
    }

    /// Whether it waits for a decision.
    pub fn is_waiting(&self) -> bool {
        self.status == Status::Waiting
    }

    /// Whether it was applied, so that there may be something to undo.
    pub fn can_be_undone(&self) -> bool {
        self.undoes.is_none() && matches!(&self.status, Status::Applied(applied) if applied.done + applied.unknown > 0)
    }
}

impl Columns for ProposalRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::figures("number", "No.", |row: &Self| Value::Number(count(row.number))).wide(52.0),
        Column::text("what", "What", |row: &Self| Value::text(&row.title))
            .named("title")
            .wide(220.0)
            .growing(3.0)
            .field(Field::Title),
        Column::text("client", "Asked by", |row: &Self| Value::text(&row.client))
            .named("client")
            .wide(120.0)
            .growing(1.0)
            .field(Field::Client),
        Column::figures("changes", "Changes", |row: &Self| Value::Number(count(row.changes as u64)))
            .wide(84.0)
            .from(620.0),
        Column::text("when", "When", |row: &Self| row.at.map_or(Value::NotTold, |at| Value::Moment(Moment::At(at))))
            .named("time")
            .wide(92.0)
            .from(465.0)
            .field(Field::At)
            .fixed(),
        Column::text("state", "State", |row: &Self| Value::Named {
            text: row.status.as_str(),
            token: row.status.as_str(),
        })
        .wide(136.0)
        .field(Field::State)
        .fixed(),
    ];
}

fn count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl Row for ProposalRow {
    type Key = u64;

    const NEWEST_FIRST: bool = true;

    fn key(&self) -> u64 {
        self.number
    }
}

impl Filterable for ProposalRow {
    const LIST: List = List::Proposals;

    fn haystack(&self) -> Cow<'_, str> {
        format!("{}\n{}", self.title, self.client).to_lowercase().into()
    }

    fn is(&self, flag: Flag) -> bool {
        let word = self.status.as_str();
        match flag {
            Flag::Done => word == "applied",
            Flag::Undone => matches!(word, "undone" | "partly undone"),
            Flag::Failed => matches!(word, "failed" | "partly applied"),
            Flag::Unknown => matches!(word, "unknown" | "sending"),
            _ => false,
        }
    }
}

/// A change of the open proposal.
#[derive(Clone, Debug)]
pub struct ChangeRow {
    /// Its index.
    pub index: usize,
    proposal: Arc<Proposal>,
}

impl ChangeRow {
    /// Those of a proposal.
    pub(super) fn of_all(proposal: &Arc<Proposal>) -> Vec<Arc<Self>> {
        let row = |index| Arc::new(Self { index, proposal: Arc::clone(proposal) });
        (0..proposal.changes.len()).map(row).collect()
    }

    /// The change.
    pub fn change(&self) -> &ProposedChange {
        &self.proposal.changes[self.index]
    }
}

impl PartialEq for ChangeRow {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.proposal, &other.proposal) && self.index == other.index
    }
}

impl Columns for ChangeRow {
    const COLUMNS: &'static [Column<Self>] = &[
        Column::figures("number", "No.", |row: &Self| Value::Number(count(row.index as u64 + 1)))
            .named("number")
            .wide(64.0),
        Column::text("what", "Change", |row: &Self| Value::text(&row.change().title))
            .named("title")
            .wide(200.0)
            .growing(3.0)
            .field(Field::Title),
        Column::text("asset", "Asset", |row: &Self| Value::text(&row.change().name))
            .wide(110.0)
            .growing(1.0)
            .from(620.0)
            .field(Field::Asset),
        Column::text("undo", "Undo", |row: &Self| match row.change().undo {
            Undo::By(_) => Value::Named { text: "can be undone", token: "yes" },
            Undo::Never(_) => Value::Named { text: "cannot be undone", token: "no" },
        })
        .wide(136.0)
        .from(400.0)
        .fixed(),
    ];
}

impl Row for ChangeRow {
    type Key = usize;

    fn key(&self) -> usize {
        self.index
    }
}

impl Filterable for ChangeRow {
    const LIST: List = List::ProposedChanges;

    fn haystack(&self) -> Cow<'_, str> {
        format!("{}\n{}", self.change().title, self.change().name).to_lowercase().into()
    }

    fn is(&self, _: Flag) -> bool {
        false
    }
}

/// What was found in the database.
pub struct Found {
    /// The proposals of the connection: those that are decided, and then those that wait, each oldest first.
    pub rows: Vec<Arc<ProposalRow>>,
    /// How many wait at other connections.
    pub elsewhere: Vec<(String, usize)>,
}

/// A proposal that was read before.
struct Seen {
    seal: Vec<u8>,
    /// How it stands by its record.
    recorded: Status,
    /// How it stands by its steps too; `None` if it is damaged.
    row: Option<Arc<ProposalRow>>,
}

impl Seen {
    fn of(seal: Vec<u8>, proposal: Option<&Proposal>) -> Self {
        let row = proposal.map(|proposal| Arc::new(ProposalRow::of(proposal)));
        Self { seal, recorded: proposal.map(|proposal| proposal.status.clone()).unwrap_or_default(), row }
    }

    /// Takes over how it stands now; returns whether that changed.
    fn stand(&mut self, store: &ProposalStore) -> bool {
        let Some(row) = &mut self.row else { return false };
        let status = store.standing_of(&row.client, row.number, self.recorded.clone());
        let changed = row.status != status;
        if changed {
            Arc::make_mut(row).status = status;
        }
        changed
    }
}

/// Reads the proposals of a connection, those alone that changed since the last call. Returns none if none did and
/// nobody waits for them.
pub(super) fn reader(store: ProposalStore) -> impl FnMut(bool) -> Result<following::Found<Found>, FollowError> + Send {
    let mut seen = HashMap::<(String, u64), Seen>::new();
    move |awaited| {
        let (database, connection) = (store.database(), store.connection());
        let (mut now, mut order, mut changed) = (HashMap::new(), Vec::new(), awaited);
        for (of, number, seal) in database.proposal_seals()? {
            let key = (of, number);
            let known = match seen.remove(&key).filter(|known| known.seal == seal) {
                Some(known) => known,
                None => {
                    changed = true;
                    Seen::of(seal, database.proposal(&key.0, number)?.as_deref().and_then(read).as_ref())
                }
            };
            order.push(key.clone());
            now.insert(key, known);
        }
        // What is left was deleted.
        changed |= !seen.is_empty();
        seen = now;
        let own = seen.iter().filter(|((of, _), _)| of == connection);
        store.catch_up(own.map(|(_, known)| &known.recorded))?;
        for (_, known) in seen.iter_mut().filter(|((of, _), _)| of == connection) {
            changed |= known.stand(&store);
        }
        Ok(changed.then(|| found(&seen, order, connection)).into())
    }
}

fn found(seen: &HashMap<(String, u64), Seen>, order: Vec<(String, u64)>, connection: &str) -> Found {
    let (mut rows, mut elsewhere) = (Vec::new(), BTreeMap::<String, usize>::new());
    for key in order {
        let Some(row) = seen.get(&key).and_then(|seen| seen.row.as_ref()) else { continue };
        if key.0 == connection {
            rows.push(Arc::clone(row));
        } else if row.is_waiting() {
            *elsewhere.entry(key.0).or_default() += 1;
        }
    }
    rows.sort_by_key(|row| (row.is_waiting(), row.number));
    Found { rows, elsewhere: elsewhere.into_iter().collect() }
}
