//! What the lists of all panels share: the filter field, the layout of the columns, what is drawn while there are no rows,
//! the selection by key, copying, and the page beside the list.

pub mod cells;
pub mod copy_as;
pub mod failure;
pub mod filter_field;
pub mod grouping;
pub mod keyed_selection;
pub mod layout;
pub mod list_view;
pub mod selection_bar;
pub mod split;
pub mod states;
