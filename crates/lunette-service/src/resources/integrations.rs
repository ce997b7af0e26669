//! The known integrations: applications that a client of this interface runs in, or is expected to.
//!
//! `assets/integrations.json` lists them. `identifier` is a word of `ApplicationNameEnum`; `ids` are desktop file ids,
//! bundle identifiers and uninstall keys, `names` the names systems show, for where there is no id; both match without
//! regard to case, and by their beginning where they end in `*`. `anticipated` are those the interface has a word for
//! while no published client is known.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::detect::Detected;

/// One known integration.
#[derive(Debug, Deserialize)]
pub(crate) struct Integration {
    pub(crate) name: String,
    pub(crate) identifier: String,
    anticipated: bool,
    ids: Vec<String>,
    names: Vec<String>,
}

/// What is known of an integration on one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum InstallState {
    Installed,
    NotInstalled,
    Anticipated,
}

impl InstallState {
    /// The word on the wire.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Installed => "installed",
            Self::NotInstalled => "not_installed",
            Self::Anticipated => "anticipated",
        }
    }
}

static INTEGRATIONS: LazyLock<Vec<Integration>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../assets/integrations.json"))
        .expect("a test reads the list that is built in")
});

impl Integration {
    fn is(&self, found: &Detected) -> bool {
        let id = found.identifier.as_deref().unwrap_or_default();
        self.ids.iter().any(|pattern| matches(pattern, id)) || self.names.iter().any(|name| matches(name, &found.name))
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start)),
        None => text.eq_ignore_ascii_case(pattern),
    }
}

/// The integration that something found on the machine is, if any.
pub(crate) fn of(found: &Detected) -> Option<&'static Integration> {
    INTEGRATIONS.iter().find(|known| known.is(found))
}

/// Every known integration with its state on a machine and what was detected: installed ones first, then available
/// ones, then anticipated ones; by name within each. Of several versions, the first with a version number is used.
pub(crate) fn all(detected: &[Detected]) -> Vec<(&'static Integration, InstallState, Option<&Detected>)> {
    let mut joined: Vec<_> = INTEGRATIONS.iter().map(|known| locate(known, detected)).collect();
    joined.sort_by_key(|(known, state, _)| (*state, known.name.to_lowercase()));
    joined
}

fn locate<'a>(
    known: &'static Integration,
    detected: &'a [Detected],
) -> (&'static Integration, InstallState, Option<&'a Detected>) {
    let mut found = detected.iter().filter(|found| known.is(found));
    let first = found.clone().next();
    let best = found.find(|found| found.version.is_some()).or(first);
    let state = match (known.anticipated, best) {
        (true, _) => InstallState::Anticipated,
        (false, Some(_)) => InstallState::Installed,
        (false, None) => InstallState::NotInstalled,
    };
    (known, state, best)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn found(name: &str, identifier: &str) -> Detected {
        Detected { identifier: Some(identifier.to_owned()), ..Detected::named(name, None) }
    }

    fn identifier(name: &str, id: &str) -> Option<&'static str> {
        of(&found(name, id)).map(|known| known.identifier.as_str())
    }

    #[test]
    fn the_list_names_each_integration_once_with_a_way_to_match_it() {
        let names: HashSet<&str> = INTEGRATIONS.iter().map(|known| known.name.as_str()).collect();
        assert_eq!(names.len(), INTEGRATIONS.len());
        for known in INTEGRATIONS.iter() {
            assert!(known.names.iter().any(|name| !name.is_empty()), "{}", known.name);
            assert!(!known.ids.iter().chain(&known.names).any(|pattern| pattern.starts_with('*')), "{}", known.name);
        }
    }

    #[test]
    fn an_id_identifies_an_application_regardless_of_its_name() {
        assert_eq!(identifier("Texteditor ü", "org.gnome.TextEditor"), None);
        assert_eq!(identifier("Fuchs", "org.mozilla.firefox"), Some("FIREFOX_ADDON_MV3"));
        assert_eq!(identifier("IDE", "jetbrains-idea-ce-0a1b"), Some("JETBRAINS"));
        assert_eq!(identifier("Code", "com.microsoft.VSCode"), Some("VS_CODE"));
    }

    #[test]
    fn a_name_identifies_an_application_with_generated_ids() {
        assert_eq!(identifier("Microsoft Visual Studio Code (User)", "{GUID}_is1"), Some("VS_CODE"));
        assert_eq!(identifier("Visual Studio Community 2022", "a1b2"), Some("VISUAL_STUDIO"));
        assert_eq!(identifier("Microsoft Edge Update", "x"), None);
        assert_eq!(identifier("", ""), None);
        assert_eq!(identifier("Notepad+ü", "ü"), None);
    }

    #[test]
    fn every_integration_has_a_state_and_installed_ones_come_first() {
        let machine = [found("Obsidian", "md.obsidian.Obsidian"), found("Slack", "com.slack.Slack")];
        let joined = all(&machine);
        assert_eq!(joined.len(), INTEGRATIONS.len());
        assert_eq!(joined[0].0.name, "Obsidian");
        assert_eq!(joined[0].1, InstallState::Installed);
        assert_eq!(joined[1].1, InstallState::NotInstalled);
        let slack = joined.iter().find(|(known, ..)| known.name == "Slack").expect("it is known");
        assert_eq!((slack.1, slack.2.map(|found| found.name.as_str())), (InstallState::Anticipated, Some("Slack")));
    }

    #[test]
    fn a_detection_with_a_version_wins_over_one_without() {
        let mut second = found("Firefox", "org.mozilla.firefox");
        second.version = Some("143.0".to_owned());
        let machine = [found("Firefox", "firefox"), second];
        assert_eq!(all(&machine)[0].2.and_then(|found| found.version.as_deref()), Some("143.0"));
    }
}
