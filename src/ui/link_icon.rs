//! The icon of each kind of link.

use crate::app::change::LinkKind;
use crate::ui::theme::Icon;

/// Returns the icon of a kind.
pub(in crate::ui) fn link_icon(kind: LinkKind) -> Icon {
    match kind {
        LinkKind::Tag => Icon::TAG,
        LinkKind::Website => Icon::WEBSITE,
        LinkKind::Summary => Icon::SUMMARY,
    }
}
