//! JSON texts read without building a tree: one tokenizer, and what is found out with it.
//!
//! | module | what it is |
//! |---|---|
//! | [`token`] | the tokens of a text, and the elements of a list in it |
//! | [`budget`] | the memory that a tree would take, and parsing within a limit on it |
//! | [`duplicate_key`] | keys that an object has more than once |
//! | [`comments`] | JSON with comments and trailing commas, as editors write it |
//!
//! What must hold: any bytes at all are read without a panic, in one pass, and at the cost of nothing but the text.
//! Whether a text is JSON is for its parser to say.

pub mod budget;
pub mod comments;
pub mod duplicate_key;
pub mod token;
