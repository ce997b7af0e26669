//! The shape of the program: the table against the interface document, and the walls between the modules of `src`.

mod changes;
mod docs;
mod errors;
mod features;
mod layers;
mod licences;
mod lock;
mod records;
mod security;
mod service;
mod source;
mod systems;
mod table;
mod texts;
