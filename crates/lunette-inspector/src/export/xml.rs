//! Text in XML.

/// Escapes text for XML; characters that XML forbids are removed.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_name_round_trips_without_characters_that_xml_forbids(text in any::<String>()) {
            let written = escaped(&text);
            prop_assert!(!written.contains(['<', '>', '"']), "{}", written);
            let read = ["&lt;<", "&gt;>", "&quot;\"", "&amp;&"].iter().fold(written, |text, entity| {
                let (entity, letter) = entity.split_at(entity.len() - 1);
                text.replace(entity, letter)
            });
            let kept: String =
                text.chars().filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')).collect();
            prop_assert_eq!(read, kept);
        }
    }
}
