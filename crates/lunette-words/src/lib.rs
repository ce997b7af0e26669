//! How a search goes on where few texts have every word as typed: with any of the words, their other forms, words spelt
//! alike, words of the same meaning, and pieces of words.
//!
//! Nothing here reads a file or a database: what the texts have comes through [`Lexicon`], which the service answers from its
//! index, and the inspector from an [`Index`] of the rows that it has loaded, for services that do not go on by themselves.
//!
//! | module | what it is |
//! |---|---|
//! | [`parts`] | the words of a text, with the parts of identifiers |
//! | [`units`] | what is looked for: the parts of a query, and the words that each may be found by |
//! | [`lexicon`] | words that may be meant by a word, from what the texts have |
//! | [`rank`] | the order of what is found, and what it lacks |
//! | [`synonyms`] | groups of words of the same meaning, which a user may change |
//! | [`index`] | texts in memory, and the search in them |

mod groups;
pub mod index;
pub mod lexicon;
pub mod parts;
pub mod rank;
mod spelling;
mod stem;
pub mod step;
pub mod synonyms;
pub mod typed;
pub mod units;

pub use index::Index;
pub use lexicon::Lexicon;
pub use step::{FoundBy, Step, Steps};
pub use synonyms::Synonyms;

/// With at least so many exact hits, a search does not go on.
pub const ENOUGH: usize = 5;
/// The most hits that do not have every word as typed.
pub const MOST: usize = 50;
