//! Rows in groups: those that say the same in a column, with the groups in order.
//!
//! What must hold: grouping a million rows is part of the work in the background that sorts them; within a group rows keep
//! the order of the list. A row that says several things, such as an asset with two tags, is in each of their groups, but
//! only once in the order of the list.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use super::column::{Column, GroupBy};
use super::value::Value;
use super::{Query, Row, RowList};

/// The rows that a list shows, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arrangement {
    /// The indices of the rows.
    pub order: Arc<Vec<u32>>,
    /// Their groups, if they are in groups.
    pub groups: Option<Arc<Groups>>,
}

impl Arrangement {
    /// Puts rows, which are already in their order, into the groups that a query asks for.
    pub fn of<R: Row>(rows: &RowList<R>, query: &Query, order: Vec<u32>) -> Self {
        let column = query.group.as_deref().and_then(R::column).filter(|column| column.group.is_some());
        let groups = column.map(|column| Arc::new(Groups::of(rows, query, &order, column)));
        Self { order: Arc::new(order), groups }
    }
}

/// What the rows of a group have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupValue {
    /// They are of this day.
    Day(Date),
    /// They say this text.
    Text(Box<str>),
    /// They say nothing, such as assets without a tag.
    Nothing,
    /// The service does not tell what they have.
    NotTold,
}

/// Some rows that have a value in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The value.
    pub value: GroupValue,
    /// Where its rows begin among those of all groups.
    start: u32,
    /// Where they end.
    end: u32,
}

/// Rows in groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    /// The key of the column that they are grouped by, or the name of the sections.
    pub column: &'static str,
    /// The groups, in their order.
    pub all: Vec<Group>,
    /// The indices of the rows, group by group.
    order: Vec<u32>,
}

impl Groups {
    fn of<R: Row>(rows: &RowList<R>, query: &Query, order: &[u32], column: &'static Column<R>) -> Self {
        let mut found = Collected::default();
        let rows = rows.flat();
        for number in order {
            found.add(rows[*number as usize], *number, column);
        }
        let by_day = column.group.is_some_and(|group| group.by == GroupBy::Day);
        let sorted_by = query.sort.as_ref().filter(|sort| sort.column == column.key);
        found.finish(column.key, sorted_by.map_or(by_day, |sort| sort.descending))
    }

    /// The sections of rows that are in their order already: each with its title and where it begins among them. A section
    /// without rows is left out, and so are the rows before the first one.
    pub fn sections(name: &'static str, sections: Vec<(String, usize)>, order: &[u32]) -> Self {
        let ends = sections.iter().skip(1).map(|(_, start)| *start).chain([order.len()]).collect::<Vec<_>>();
        let at = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
        let group = |((title, start), end): ((String, usize), usize)| Group {
            value: GroupValue::Text(title.into()),
            start: at(start),
            end: at(end),
        };
        let all = sections.into_iter().zip(ends).map(group).filter(|group| group.start < group.end).collect();
        Self { column: name, all, order: order.to_vec() }
    }

    /// Returns the indices of the rows of a group, in order.
    pub fn rows(&self, group: &Group) -> &[u32] {
        &self.order[group.start as usize..group.end as usize]
    }
}

/// Groups while rows are added to them.
#[derive(Default)]
struct Collected<'a> {
    values: Vec<GroupValue>,
    texts: HashMap<&'a str, u32>,
    others: HashMap<GroupValue, u32>,
    /// Each row with the number of its group.
    rows: Vec<(u32, u32)>,
    days: Days,
}

impl<'a> Collected<'a> {
    fn add<R: Row>(&mut self, row: &'a R, number: u32, column: &Column<R>) {
        match (column.value)(row) {
            Value::Text(std::borrow::Cow::Borrowed(text)) => self.add_text(text, number),
            Value::Word(words) => self.add_text(words.split('\n').next().unwrap_or_default(), number),
            Value::Named { text, .. } => self.add_text(text, number),
            Value::Texts([]) => self.add_value(GroupValue::Nothing, number),
            Value::Texts(texts) => texts.iter().for_each(|text| self.add_text(text, number)),
            Value::Moment(moment) => {
                let day = moment.at().map(|at| self.days.day(at));
                self.add_value(day.map_or(GroupValue::NotTold, GroupValue::Day), number);
            }
            _ if column.group.is_some_and(|group| group.by == GroupBy::Value) => {
                self.add_value(GroupValue::Nothing, number);
            }
            _ => self.add_value(GroupValue::NotTold, number),
        }
    }

    fn add_text(&mut self, text: &'a str, number: u32) {
        let group = match self.texts.get(text) {
            Some(group) => *group,
            None => {
                let group = next_number(&self.values);
                self.values.push(GroupValue::Text(text.into()));
                self.texts.insert(text, group);
                group
            }
        };
        self.rows.push((group, number));
    }

    fn add_value(&mut self, value: GroupValue, number: u32) {
        let group = match self.others.entry(value) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let group = next_number(&self.values);
                self.values.push(new.key().clone());
                *new.insert(group)
            }
        };
        self.rows.push((group, number));
    }

    /// Puts the groups in order.
    fn finish(self, column: &'static str, descending: bool) -> Groups {
        let Self { values, rows, .. } = self;
        let mut counts = vec![0_u32; values.len()];
        rows.iter().for_each(|(group, _)| counts[*group as usize] += 1);
        let (mut all, mut next, mut start) = (Vec::with_capacity(values.len()), counts.clone(), 0);
        for number in in_order(&values, descending) {
            let end = start + counts[number];
            next[number] = start;
            all.push(Group { value: values[number].clone(), start, end });
            start = end;
        }
        let mut order = vec![0; rows.len()];
        for (group, number) in rows {
            let at = &mut next[group as usize];
            order[*at as usize] = number;
            *at += 1;
        }
        Groups { column, all, order }
    }
}

/// Returns the indices of values in the order of their groups; what has no value comes last either way.
fn in_order(values: &[GroupValue], descending: bool) -> impl Iterator<Item = usize> {
    let key = |value: &GroupValue| match value {
        GroupValue::Day(date) => (false, date.to_string()),
        GroupValue::Text(text) => (false, text.to_lowercase()),
        GroupValue::Nothing => (true, String::new()),
        GroupValue::NotTold => (true, "not told".to_owned()),
    };
    let mut sorted: Vec<((bool, String), usize)> = values.iter().map(key).zip(0..).collect();
    sorted.sort_by(|((is_last, text), index), ((other_last, other), other_index)| {
        let texts = text.cmp(other).then_with(|| values[*index].cmp(&values[*other_index]));
        let texts = if descending && !is_last && !other_last { texts.reverse() } else { texts };
        is_last.cmp(other_last).then(texts)
    });
    sorted.into_iter().map(|(_, index)| index)
}

fn next_number(values: &[GroupValue]) -> u32 {
    u32::try_from(values.len()).unwrap_or(u32::MAX)
}

/// The days of moments in the time zone of this machine. Rows that follow each other are often of one day, which is
/// looked up once.
struct Days {
    zone: TimeZone,
    last: Option<(Timestamp, Timestamp, Date)>,
}

impl Default for Days {
    fn default() -> Self {
        Self { zone: TimeZone::system(), last: None }
    }
}

impl Days {
    fn day(&mut self, at: Timestamp) -> Date {
        if let Some((_, _, date)) = self.last.filter(|(from, to, _)| (*from..*to).contains(&at)) {
            return date;
        }
        let date = at.to_zoned_datetime(self.zone.clone()).date();
        let start = |date: Date| Some(date.to_zoned_datetime(self.zone.clone()).ok()?.timestamp());
        let next = date.checked_add(1.day()).ok().and_then(start);
        self.last = start(date).zip(next).map(|(from, to)| (from, to, date));
        date
    }
}

/// A line of a list in groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// The head of this group.
    Head(&'a Group),
    /// The row with this index among all rows.
    Row(u32),
}

/// The lines of a list in groups: a head for each group and, unless it is folded, its rows.
#[derive(Clone, Debug)]
pub struct Lines {
    groups: Arc<Groups>,
    folded: Vec<bool>,
    /// The line of the head of each group.
    heads: Vec<usize>,
    count: usize,
}

impl Lines {
    /// The lines of groups of which some are folded.
    pub fn new(groups: Arc<Groups>, is_folded: impl Fn(&GroupValue) -> bool) -> Self {
        let folded: Vec<bool> = groups.all.iter().map(|group| is_folded(&group.value)).collect();
        let (mut heads, mut count) = (Vec::with_capacity(folded.len()), 0);
        for (group, folded) in groups.all.iter().zip(&folded) {
            heads.push(count);
            count += 1 + if *folded { 0 } else { groups.rows(group).len() };
        }
        Self { groups, folded, heads, count }
    }

    /// The groups.
    pub fn groups(&self) -> &Arc<Groups> {
        &self.groups
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns a line; `None` past the last one.
    pub fn get(&self, line: usize) -> Option<Line<'_>> {
        let (group, at) = self.group_at(line)?;
        let group = &self.groups.all[group];
        match at.checked_sub(1) {
            None => Some(Line::Head(group)),
            Some(row) => self.groups.rows(group).get(row).copied().map(Line::Row),
        }
    }

    /// Whether the group that a line belongs to is folded.
    pub fn is_folded(&self, line: usize) -> bool {
        self.group_at(line).is_some_and(|(group, _)| self.folded[group])
    }

    /// Returns the line of the head of the group that a line belongs to.
    pub fn head_of(&self, line: usize) -> Option<usize> {
        self.group_at(line).map(|(group, _)| self.heads[group])
    }

    /// Returns the first line that shows the row with this index among all rows; `None` if none does.
    pub fn line_of(&self, number: u32) -> Option<usize> {
        let shown = self.groups.all.iter().zip(&self.folded).zip(&self.heads).filter(|((_, folded), _)| !**folded);
        let mut found = shown.filter_map(|((group, _), head)| {
            let at = self.groups.rows(group).iter().position(|row| *row == number)?;
            Some(head + 1 + at)
        });
        found.next()
    }

    /// The group that has a line, and which of its lines this is.
    fn group_at(&self, line: usize) -> Option<(usize, usize)> {
        if line >= self.count {
            return None;
        }
        let group = self.heads.partition_point(|head| *head <= line).checked_sub(1)?;
        Some((group, line - self.heads[group]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::rows::AssetRow;
    use crate::listing::{Sort, apply_query};

    /// Assets of which each has these tags, `None` for one of which the service does not tell them.
    fn tagged(tags: &[Option<&[&str]>]) -> RowList<AssetRow> {
        tags.iter().enumerate().map(|(index, tags)| Arc::new(AssetRow::sample(index).tagged(*tags))).collect()
    }

    fn grouped(rows: &RowList<AssetRow>, column: &str, sort: Option<Sort>) -> Arrangement {
        let query = Query { group: Some(column.to_owned()), sort, ..Query::default() };
        Arrangement::of(rows, &query, apply_query(rows, &query))
    }

    fn listed(arranged: &Arrangement) -> Vec<(GroupValue, Vec<u32>)> {
        let groups = arranged.groups.as_ref().expect("groups");
        groups.all.iter().map(|group| (group.value.clone(), groups.rows(group).to_vec())).collect()
    }

    fn text(text: &str) -> GroupValue {
        GroupValue::Text(text.into())
    }

    #[test]
    fn a_row_with_several_tags_is_in_each_of_their_groups_and_once_in_the_list() {
        let rows = tagged(&[Some(&["b", "A"]), Some(&[]), None, Some(&["A"])]);
        let arranged = grouped(&rows, "tags", None);
        let expected = [
            (text("A"), vec![0, 3]),
            (text("b"), vec![0]),
            (GroupValue::Nothing, vec![1]),
            (GroupValue::NotTold, vec![2]),
        ];
        assert_eq!(listed(&arranged), expected);
        assert_eq!(*arranged.order, [0, 1, 2, 3]);
        let descending = grouped(&rows, "tags", Some(Sort::down("tags")));
        let values: Vec<_> = listed(&descending).into_iter().map(|(value, _)| value).collect();
        assert_eq!(values, [text("b"), text("A"), GroupValue::Nothing, GroupValue::NotTold]);
    }

    #[test]
    fn rows_of_a_group_have_the_order_of_the_list() {
        let rows = tagged(&[Some(&["x"]), Some(&["y"]), Some(&["x"])]);
        let arranged = grouped(&rows, "tags", Some(Sort::down("name")));
        assert_eq!(listed(&arranged), [(text("x"), vec![2, 0]), (text("y"), vec![1])]);
    }

    #[test]
    fn days_are_grouped_with_the_newest_first() {
        let rows = tagged(&[None, None]);
        let arranged = grouped(&rows, "updated", None);
        let groups = listed(&arranged);
        assert!(matches!(&groups[..], [(GroupValue::Day(_), rows)] if *rows == [0, 1]), "{groups:?}");
        let mut days = Days { zone: TimeZone::get("Europe/Berlin").expect("a zone"), last: None };
        let moments = ["2026-10-24T21:59:59Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", "2026-10-25T23:00:00Z"];
        let dates = moments.map(|text| days.day(text.parse().expect("a moment")).to_string());
        assert_eq!(dates, ["2026-10-24", "2026-10-25", "2026-10-25", "2026-10-26"]);
    }

    #[test]
    fn a_list_that_is_not_grouped_has_no_groups() {
        let rows = tagged(&[None]);
        assert_eq!(Arrangement::of(&rows, &Query::default(), vec![0]).groups, None);
        assert_eq!(grouped(&rows, "score", None).groups, None, "a column that is not grouped by");
    }

    #[test]
    fn lines_are_the_heads_and_the_rows_of_what_is_unfolded() {
        let arranged = grouped(&tagged(&[Some(&["b", "a"]), Some(&["b"]), Some(&["c"])]), "tags", None);
        let groups = arranged.groups.expect("groups");
        let lines = Lines::new(Arc::clone(&groups), |value| *value == text("b"));
        let shown: Vec<_> = (0..lines.count()).map(|line| lines.get(line).expect("a line")).collect();
        let [a, b, c] = groups.all.as_slice() else { panic!("three groups") };
        assert_eq!(shown, [Line::Head(a), Line::Row(0), Line::Head(b), Line::Head(c), Line::Row(2)]);
        assert_eq!(
            (lines.get(5), lines.line_of(0), lines.line_of(1), lines.line_of(2)),
            (None, Some(1), None, Some(4))
        );
        assert_eq!((lines.is_folded(1), lines.is_folded(2), lines.head_of(4)), (false, true, Some(3)));
        let unfolded = Lines::new(groups, |_| false);
        assert_eq!((unfolded.count(), unfolded.line_of(0), unfolded.line_of(1)), (7, Some(1), Some(4)));
    }
}
