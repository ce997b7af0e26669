//! The results that a form or a page shows in this frame, so that no notification repeats them.

use egui::accesskit::Live;
use egui::{Context, Id, Response};

use lunette_inspector::notifications::Topic;

/// Records that the result of this topic is shown where it was asked for, and has it announced there.
pub(in crate::ui) fn reported(shown: &Response, topic: Topic) {
    shown.ctx.accesskit_node_builder(shown.id, |node| node.set_live(Live::Assertive));
    shown.ctx.data_mut(|data| data.get_temp_mut_or_default::<Vec<Topic>>(id()).push(topic));
}

/// Returns the topics whose results are shown in this frame.
pub(super) fn take_reported(ctx: &Context) -> Vec<Topic> {
    ctx.data_mut(|data| data.remove_temp(id())).unwrap_or_default()
}

fn id() -> Id {
    Id::unique("reported results")
}
