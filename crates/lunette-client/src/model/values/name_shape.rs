//! The shape of a name: what the names of a series, or of copies of a file, have in common.
//!
//! What must hold: `report-2024.csv`, `Report 2025.csv` and `report 2024 (2) copy.csv` have one shape; the shapes of names
//! begin alike if the names do.

/// Words that name a copy, where they end a name.
const COPIES: [&str; 6] = ["backup", "bak", "copy", "new", "old", "orig"];

/// The shape of a name: in small letters, with one `-` for what separates words, and `0` for each number; numbers and words
/// that name a copy are left out at the end, and the extension stays. `None` if no letter is left before the extension.
pub fn name_shape(name: &str) -> Option<String> {
    let lower = name.trim().to_lowercase();
    let (stem, extension) = match lower.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && is_extension(extension) => (stem, extension),
        _ => (lower.as_str(), ""),
    };
    let mut words: Vec<String> =
        stem.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(numberless).collect();
    while words.len() > 1 && words.last().is_some_and(|word| word == "0" || COPIES.contains(&word.as_str())) {
        words.pop();
    }
    let shape = words.join("-");
    shape
        .contains(char::is_alphabetic)
        .then(|| if extension.is_empty() { shape } else { format!("{shape}.{extension}") })
}

fn is_extension(text: &str) -> bool {
    (1..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The word with `0` for each run of digits; without digits at its end, which number it.
fn numberless(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    let mut in_number = false;
    for letter in word.chars() {
        if !letter.is_numeric() {
            text.push(letter);
        } else if !in_number {
            text.push('0');
        }
        in_number = letter.is_numeric();
    }
    match text.strip_suffix('0') {
        Some(named) if !named.is_empty() => named.to_owned(),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_series_and_of_copies_have_one_shape() {
        for name in ["report-2024.csv", "Report 2025.csv", "report.csv", "report_2024 (2) copy.csv", "report12.csv"] {
            assert_eq!(name_shape(name).as_deref(), Some("report.csv"), "{name}");
        }
        assert_eq!(name_shape("2024-11-03 Notes").as_deref(), Some("0-0-0-notes"));
        assert_eq!(name_shape("v2 of API"), name_shape("v3 of API"));
    }

    #[test]
    fn other_names_have_other_shapes_and_numbers_alone_have_none() {
        assert_ne!(name_shape("report.csv"), name_shape("report.json"));
        assert_ne!(name_shape("get user.rs"), name_shape("get users.rs"));
        for name in ["", "123", "12.txt", " -- "] {
            assert_eq!(name_shape(name), None, "{name:?}");
        }
        assert_eq!(name_shape("copy").as_deref(), Some("copy"));
        assert_eq!(name_shape("ÜBER 3.md").as_deref(), Some("über.md"));
    }
}
