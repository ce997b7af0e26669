//! What a filter matches in a call of the log.

use std::borrow::Cow;

use jiff::Timestamp;

use crate::filter::{Field, Filterable, Flag, List};
use crate::session::log::LogEntry;

impl Filterable for LogEntry {
    const LIST: List = List::Log;

    fn haystack(&self) -> Cow<'_, str> {
        let (method, operation) = (self.info.method.as_str(), self.info.name);
        format!("{operation}\n{method}\n{}\n{}", self.url, self.outcome()).to_lowercase().into()
    }

    fn any_text(&self, field: Field, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        match field {
            Field::Operation => wanted(self.info.name),
            Field::Method => wanted(self.info.method.as_str()),
            Field::Address => wanted(&self.url),
            _ => false,
        }
    }

    fn number(&self, field: Field) -> Option<i64> {
        match field {
            Field::Code => self.status.map(i64::from),
            Field::Took => i64::try_from(self.elapsed.as_millis()).ok(),
            Field::Size => i64::try_from(self.size).ok(),
            _ => None,
        }
    }

    fn moment(&self, field: Field) -> Option<Timestamp> {
        (field == Field::At).then_some(self.at)
    }

    fn is(&self, flag: Flag) -> bool {
        match flag {
            Flag::Failed => self.error.is_some(),
            Flag::Background => self.background,
            _ => false,
        }
    }
}
