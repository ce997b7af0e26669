//! The icon of each kind of link.

use crate::ui::theme::Icon;
use lunette_inspector::change::LinkKind;

/// Returns the icon of a kind.
pub(in crate::ui) fn link_icon(kind: LinkKind) -> Icon {
    match kind {
        LinkKind::Tag => Icon::TAG,
        LinkKind::Website => Icon::WEBSITE,
        LinkKind::Summary => Icon::SUMMARY,
    }
}
