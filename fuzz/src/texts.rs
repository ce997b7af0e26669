//! What is typed, pasted, kept in files and handed over by other programs: links, filters, ids, plans, times.
//!
//! The bytes: the first one chooses the reader.

use lunette_client::model::display::{Breaks, display_text};
use lunette_client::model::file_name::suggested_name;
use lunette_inspector::bulk::plan_file::PlanFile;
use lunette_inspector::filter::{List, complete, parse};
use lunette_inspector::navigation::link::Link;

/// No text breaks its reader; what is read is shown in a way that is read as the same.
pub fn holds(data: &[u8]) {
    let Some((&kind, data)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(data);
    match kind % 5 {
        0 => link(&text),
        1 => filter(&text),
        2 => drop(PlanFile::read(data)),
        3 => shown(&text),
        _ => name(&text),
    }
}

fn link(text: &str) {
    if let Ok(link) = text.parse::<Link>() {
        assert_eq!(link.to_string().parse(), Ok(link), "{text:?}");
    }
}

fn filter(text: &str) {
    for list in [List::Assets, List::Applications, List::External, List::Log, List::History] {
        match parse(text, list) {
            Ok(filter) => assert_eq!(parse(&filter.to_string(), list), Ok(filter), "{text:?}"),
            Err(fault) => assert!(fault.pointed(text).contains('\n') || !fault.to_string().is_empty()),
        }
        for cursor in (0..=text.len()).filter(|&cursor| text.is_char_boundary(cursor)).take(40) {
            complete(text, cursor, list, &|_| vec!["rust".to_owned().into()]);
        }
    }
}

fn shown(text: &str) {
    for breaks in [Breaks::Kept, Breaks::Spaced, Breaks::Escaped] {
        let shown = display_text(text, breaks);
        let direction =
            |c| matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        let breaks = |c| breaks == Breaks::Kept && matches!(c, '\n' | '\t');
        assert!(!shown.chars().any(|c| direction(c) || c.is_control() && !breaks(c)), "{text:?}");
    }
}

fn name(text: &str) {
    let name = suggested_name(text, "fallback", "md");
    let reserved = name.contains(['/', '\\', '\0', ':']) || name == "." || name == ".." || name.starts_with('.');
    assert!(!reserved && name.len() <= 255 && name.ends_with(".md"), "{name:?} of {text:?}");
}
