//! Copies of texts as people make them: some words edited, reformatted, under another name.

/// A copy of a text, always the same for the same number: every tenth word is another, and two of three copies are
/// reformatted.
pub fn edited(number: usize, text: &str) -> String {
    let mut copy = String::with_capacity(text.len() * 2);
    for (at, word) in text.split_inclusive(char::is_whitespace).enumerate() {
        if at % 10 == 3 + number % 7 {
            copy.push_str(&format!("edited{}x ", (number * 31 + at) % 977));
        } else {
            copy.push_str(word);
        }
    }
    match number % 3 {
        0 => copy,
        1 => copy.replace('\n', "\r\n\r\n\t"),
        _ => copy.replace(' ', "\n  "),
    }
}

/// Its name, which has nothing of the original's.
pub fn name(number: usize) -> String {
    let kind = ["Untitled", "Neu", "scratch"][number % 3];
    format!("{kind}-{}", (number * 7919) % 100_003)
}
