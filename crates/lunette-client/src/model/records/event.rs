//! The fixed list of events: what may have happened, in the words that clients of version 2.7.0 accept (records, 2.4).
//!
//! An activity holds an event under the kind of thing it happened to; its name is a key with one fixed sentence, and
//! any other key or sentence makes those clients reject the whole response.

/// One event of the list.
#[derive(Debug, PartialEq, Eq)]
pub struct FixedEvent {
    /// The field of an activity's `event` that holds it, such as `asset`.
    pub subject: &'static str,
    /// Its name, such as `asset_created`.
    pub key: &'static str,
    /// The one sentence that is accepted beside the name.
    pub sentence: &'static str,
    /// What it adds to the score of its asset; 0 for all that do not happen to an asset (records, 2.4, rank table).
    pub rank: i64,
}

/// What an event did, as lists of activities are filtered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// Something was made.
    Created,
    /// Something was changed.
    Updated,
    /// Something is gone.
    Deleted,
    /// Something was looked up to be used.
    Referenced,
}

impl EventKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Created, Self::Updated, Self::Deleted, Self::Referenced];

    /// Its word in `activity_filter_enum`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "CREATED",
            Self::Updated => "UPDATED",
            Self::Deleted => "DELETED",
            Self::Referenced => "REFERENCED",
        }
    }

    /// The kind of this word of `activity_filter_enum`.
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl FixedEvent {
    /// The event of this subject and name.
    pub fn find(subject: &str, key: &str) -> Option<&'static Self> {
        EVENTS.iter().find(|event| event.subject == subject && event.key == key)
    }

    /// What it did; None for events that did nothing to a record, such as a copy or a session.
    ///
    /// Our choice: unlinking a tag from an asset is an update of the asset, not a deletion.
    pub fn kind(&self) -> Option<EventKind> {
        let Self { subject, key, .. } = self;
        let done = key.strip_prefix(subject).unwrap_or(key);
        match done {
            "_created" => Some(EventKind::Created),
            "_deleted" => Some(EventKind::Deleted),
            _ if done.ends_with("_referenced") => Some(EventKind::Referenced),
            _ if ["asset", "format", "conversation"].contains(subject) => {
                let changes =
                    ["_updated", "_edited", "_added", "_deleted", "_updated_by_the_user", "_updated_by_the_system"];
                changes.iter().any(|end| done.ends_with(end)).then_some(EventKind::Updated)
            }
            _ => None,
        }
    }
}

const fn event(subject: &'static str, key: &'static str, sentence: &'static str, rank: i64) -> FixedEvent {
    FixedEvent { subject, key, sentence, rank }
}

/// Every event of the list.
#[rustfmt::skip]
pub const EVENTS: &[FixedEvent] = &[
    event("adoption", "adoption_install", "the_user_has_installed_a_pieces_application", 0),
    event("adoption", "adoption_uninstall", "the_user_has_uninstalled_a_pieces_application", 0),
    event("interaction", "assets_list_refreshed", "the_assets_list_was_refreshed_through_ui_element", 0),
    event("keyboard", "assets_list_refreshed", "the_assets_list_was_refreshed_through_a_keyboard_shortcut", 0),
    event("asset", "asset_created", "an_asset_was_created", 0),
    event("asset", "asset_viewed", "an_asset_was_viewed", 1),
    event("asset", "asset_format_copied", "an_asset_preview_format_was_copied", 5),
    event("asset", "asset_format_downloaded", "an_asset_format_was_downloaded", 5),
    event("asset", "asset_deleted", "an_asset_was_deleted", 0),
    event("asset", "asset_description_updated", "an_asset_was_redescribed_by_the_user", 1),
    event("asset", "asset_name_updated", "an_asset_was_renamed_by_the_user", 1),
    event("asset", "asset_format_generic_classification_updated", "a_generic_classification_was_changed_on_a_format_within_an_asset", 1),
    event("asset", "asset_format_specific_classification_updated", "a_specific_classification_was_changed_on_a_format_within_an_asset", 1),
    event("asset", "asset_creation_failed", "an_asset_failed_to_be_created", 0),
    event("asset", "asset_tag_added", "a_tag_was_added_by_the_user", 2),
    event("asset", "asset_link_added", "a_link_was_added_by_the_user", 3),
    event("asset", "asset_link_generated", "an_asset_link_was_generated", 8),
    event("asset", "asset_link_deleted", "a_link_was_deleted_by_the_user", 3),
    event("asset", "asset_tag_deleted", "a_tag_was_deleted_by_the_user", 2),
    event("asset", "asset_updated", "an_asset_was_updated", 1),
    event("asset", "asset_format_value_edited", "a_specific_format_value_was_edited_on_an_asset", 1),
    event("asset", "asset_format_updated", "a_specific_format_was_updated_on_an_asset", 1),
    event("asset", "asset_link_revoked", "an_asset_link_was_revoked", 5),
    event("asset", "asset_person_added", "a_person_was_added_by_the_user", 2),
    event("asset", "asset_person_deleted", "a_person_was_deleted_by_the_user", 2),
    event("asset", "asset_sensitive_added", "a_sensitive_was_added_by_the_user", 2),
    event("asset", "asset_sensitive_deleted", "a_sensitive_was_deleted_by_the_user", 2),
    event("asset", "suggested_asset_referenced", "a_suggested_asset_was_referenced_by_the_user", 1),
    event("asset", "searched_asset_referenced", "a_searched_asset_was_referenced_by_the_user", 1),
    event("asset", "asset_referenced", "an_asset_was_referenced_by_the_user", 1),
    event("asset", "activity_asset_referenced", "an_activity_asset_was_referenced_by_the_user", 1),
    event("asset", "asset_annotation_added", "an_annotation_was_added_by_the_user", 2),
    event("asset", "asset_annotation_deleted", "an_annotation_was_deleted_by_the_user", 2),
    event("asset", "asset_annotation_updated", "an_annotation_was_updated_by_the_user", 2),
    event("asset", "asset_hint_added", "a_hint_was_added_by_the_user", 2),
    event("asset", "asset_hint_deleted", "a_hint_was_deleted_by_the_user", 2),
    event("asset", "asset_hint_updated", "a_hint_was_updated_by_the_user", 2),
    event("asset", "asset_anchor_added", "a_anchor_was_added_by_the_user", 0),
    event("asset", "asset_anchor_deleted", "a_anchor_was_deleted_by_the_user", 0),
    event("asset", "asset_anchor_updated", "a_anchor_was_updated_by_the_user", 0),
    event("assets", "assets_searched", "assets_were_searched", 0),
    event("conversation", "conversation_created", "a_conversation_was_created", 0),
    event("conversation", "conversation_referenced", "a_conversation_was_referenced_by_the_user", 0),
    event("conversation", "conversation_deleted", "a_conversation_was_deleted", 0),
    event("conversation", "conversation_summary_annotation_generated_by_the_user", "a_conversation_summary_annotation_was_generated_by_the_user", 0),
    event("conversation", "conversation_name_updated_by_the_system", "a_conversation_was_renamed_by_the_system", 0),
    event("conversation", "conversation_name_updated_by_the_user", "a_conversation_was_renamed_by_the_user", 0),
    event("conversation", "conversation_summary_annotation_generated_by_the_system", "a_conversation_summary_annotation_was_generated_by_the_system", 0),
    event("format", "format_created", "a_format_was_created", 0),
    event("format", "format_copied", "if_a_format_was_entirely_copied", 0),
    event("format", "format_partially_copied", "if_a_format_was_partially_copied", 0),
    event("format", "format_downloaded", "if_a_format_was_downloaded", 0),
    event("format", "format_deleted", "if_a_format_was_deleted", 0),
    event("format", "format_generic_classification_updated", "if_a_generic_classification_was_changed_on_a_format", 0),
    event("format", "format_specific_classification_updated", "if_a_specific_classification_was_changed_on_a_format", 0),
    event("format", "format_updated", "a_format_was_updated", 0),
    event("format", "format_inserted", "a_format_was_inserted", 0),
    event("format", "format_value_edited", "a_format_value_was_edited", 0),
    event("session", "session_initialized", "a_session_has_been_initialized_and_the_application_has_been_opened", 0),
    event("session", "session_local_connection_succeeded", "one_or_more_applications_has_successfully_connected", 0),
    event("session", "session_local_connection_failed", "one_or_more_applications_has_failed_to_connect_locally", 0),
    event("session", "session_inactive", "a_session_is_inactive_because_the_application_is_not_in_the_foreground", 0),
    event("session", "session_active", "a_session_is_active_because_the_application_is_in_the_foreground", 0),
    event("session", "session_terminated", "a_session_has_been_ended_and_the_application_has_been_closed", 0),
    event("session", "session_authenticated_with_sign_in", "a_user_has_signed_into_this_session_with_a_an_external_account", 0),
    event("session", "session_unauthenticated_with_sign_out", "a_user_has_signed_out_of_this_session", 0),
    event("session", "session_unauthenticated_with_dismiss", "a_user_did_not_sign_into_the_session_with_a_dismissal", 0),
    event("session", "session_unauthenticated_with_remind", "a_user_did_not_sign_into_the_session_with_a_reminder", 0),
    event("session", "session_onboarding_initialized", "onboarding_has_been_initialized_for_this_session", 0),
    event("session", "session_onboarding_completed", "onboarding_has_been_completed_for_this_session", 0),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_list_names_each_event_once() {
        let names: HashSet<_> = EVENTS.iter().map(|event| (event.subject, event.key)).collect();
        assert_eq!((names.len(), EVENTS.len()), (70, 70));
        assert!(EVENTS.iter().all(|event| event.rank == 0 || event.subject == "asset"));
    }

    #[test]
    fn an_event_has_the_declared_type() {
        let kind = |subject, key| FixedEvent::find(subject, key).and_then(FixedEvent::kind);
        assert_eq!(kind("asset", "asset_created"), Some(EventKind::Created));
        assert_eq!(kind("asset", "asset_deleted"), Some(EventKind::Deleted));
        assert_eq!(kind("asset", "asset_tag_deleted"), Some(EventKind::Updated));
        assert_eq!(kind("asset", "suggested_asset_referenced"), Some(EventKind::Referenced));
        assert_eq!(kind("conversation", "conversation_name_updated_by_the_user"), Some(EventKind::Updated));
        assert_eq!(kind("asset", "asset_viewed"), None);
        assert_eq!(kind("session", "session_terminated"), None);
    }
}
