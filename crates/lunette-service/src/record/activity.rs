//! The records of activities, written as text: a store may hold many.

use std::ops::ControlFlow;

use super::asset::{head, write_flattened, write_flattened_format};
use super::list::List;
use super::writer::Writer;
use crate::store::Identity;
use crate::store::records::activity::{ActivityRow, WholeActivity};
use lunette_client::model::event::FixedEvent;

impl List {
    /// Adds an activity.
    pub(crate) fn add_activity(&mut self, identity: &Identity, whole: &WholeActivity) -> ControlFlow<()> {
        write_activity(self.next(&whole.activity.id), identity, whole);
        self.wanted()
    }
}

/// An activity as JSON text.
pub(crate) fn activity_text(identity: &Identity, whole: &WholeActivity) -> Vec<u8> {
    let mut out = Writer::default();
    write_activity(&mut out, identity, whole);
    out.finish()
}

fn write_activity(out: &mut Writer, identity: &Identity, whole: &WholeActivity) {
    let WholeActivity { activity, asset, format } = whole;
    out.raw("{").field("id").text(&activity.id);
    out.raw(",").field("created").stamp(activity.created);
    out.raw(",").field("updated").stamp(activity.updated);
    out.raw(",").field("event");
    write_event(out, activity);
    out.raw(",").field("application").raw(&activity.application);
    out.raw(",").field("mechanism").text(&activity.mechanism);
    if let Some((asset, formats)) = asset {
        out.raw(",").field("asset");
        write_flattened(out, &head(identity, asset), formats.iter().map(String::as_str));
    }
    if let Some((format, asset)) = format {
        out.raw(",").field("format");
        write_flattened_format(out, identity, format, asset);
    }
    out.raw(",").field("rank").number(activity.rank);
    out.fields_of(&activity.document).raw("}");
}

fn write_event(out: &mut Writer, activity: &ActivityRow) {
    let ActivityRow { event, event_json, metadata, asset, .. } = activity;
    match (event_json, asset) {
        (Some(event_json), _) => {
            out.raw(event_json);
        }
        (None, None) => {
            out.raw("{}");
        }
        (None, Some((_, asset))) => {
            let sentence = FixedEvent::find("asset", event).map_or("", |fixed| fixed.sentence);
            out.raw("{\"asset\":{\"asset\":{\"id\":").text(asset).raw("},\"identifier_description_pair\":{");
            out.text(event).raw(":").text(sentence).raw("}");
            if let Some(metadata) = metadata {
                out.raw(",\"metadata\":").raw(metadata);
            }
            out.raw("}}");
        }
    }
}
