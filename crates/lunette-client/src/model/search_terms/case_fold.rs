//! Case folding: text without case and accents, with a mapping back to the original offsets.

/// Letters with accents, by the letter they are without.
const ACCENTED: [(char, &str); 24] = [
    ('a', "àáâãäåāăąǎǟǻȁȃȧḁạảấầẩẫậắằẳẵặ"),
    ('b', "ḃḅḇ"),
    ('c', "çćĉċčḉ"),
    ('d', "ďḋḍḏḑḓ"),
    ('e', "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"),
    ('f', "ḟ"),
    ('g', "ĝğġģǧǵḡ"),
    ('h', "ĥȟḣḥḧḩḫẖ"),
    ('i', "ìíîïĩīĭįİǐȉȋḭḯỉị"),
    ('j', "ĵǰ"),
    ('k', "ķǩḱḳḵ"),
    ('l', "ĺļľḷḹḻḽ"),
    ('m', "ḿṁṃ"),
    ('n', "ñńņňǹṅṇṉṋ"),
    ('o', "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"),
    ('p', "ṕṗ"),
    ('r', "ŕŗřȑȓṙṛṝṟ"),
    ('s', "śŝşšſșṡṣṥṧṩẛ"),
    ('t', "ţťțṫṭṯṱẗ"),
    ('u', "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"),
    ('v', "ṽṿ"),
    ('w', "ŵẁẃẅẇẉẘ"),
    ('x', "ẋẍ"),
    ('y', "ýÿŷȳẏẙỳỵỷỹ"),
];

/// Other letters that are taken for one another.
const SAME: [(char, char); 17] = [
    ('ź', 'z'),
    ('ż', 'z'),
    ('ž', 'z'),
    ('ẑ', 'z'),
    ('ẓ', 'z'),
    ('ẕ', 'z'),
    ('ϐ', 'β'),
    ('ϵ', 'ε'),
    ('ϑ', 'θ'),
    ('\u{345}', 'ι'),
    ('\u{1FBE}', 'ι'),
    ('ϰ', 'κ'),
    ('µ', 'μ'),
    ('ϖ', 'π'),
    ('ϱ', 'ρ'),
    ('ς', 'σ'),
    ('ϕ', 'φ'),
];

/// Combining accents, which follow the letter they belong to.
const MAX_MARKS: [(char, char); 9] = [
    ('\u{300}', '\u{304}'),
    ('\u{306}', '\u{30C}'),
    ('\u{30F}', '\u{30F}'),
    ('\u{311}', '\u{311}'),
    ('\u{31B}', '\u{31B}'),
    ('\u{323}', '\u{328}'),
    ('\u{32D}', '\u{32E}'),
    ('\u{330}', '\u{331}'),
    ('\0', '\0'),
];

/// The letters of a text without case and accents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folded {
    text: String,
    /// For each dropped character: how many characters of the folded text precede it.
    dropped: Vec<usize>,
    ascii: bool,
}

impl Folded {
    /// Folds a text.
    pub fn of(text: &str) -> Self {
        if text.is_ascii() && !text.contains('\0') {
            return Self { text: text.to_ascii_lowercase(), dropped: Vec::new(), ascii: true };
        }
        let mut folded = Self { text: String::with_capacity(text.len()), dropped: Vec::new(), ascii: false };
        let mut count = 0;
        for letter in text.chars() {
            match case_fold(letter) {
                Some(letter) => {
                    folded.text.push(letter);
                    count += 1;
                }
                None => folded.dropped.push(count),
            }
        }
        folded
    }

    /// The letters.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The letters, alone.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Where the letters between two bytes of the folded text stand in the text itself, in Unicode scalar values.
    pub fn range(&self, from: usize, to: usize) -> (usize, usize) {
        if self.ascii {
            return (from, to);
        }
        let start = self.text[..from].chars().count();
        let end = start + self.text[from..to].chars().count();
        // Accents before a letter belong to the letter before it.
        let offset = |letter: usize| letter + self.dropped.partition_point(|before| *before <= letter);
        (offset(start), offset(end))
    }
}

/// A letter without case and accent; None for a combining accent.
fn case_fold(letter: char) -> Option<char> {
    if letter.is_ascii() && letter != '\0' {
        return Some(letter.to_ascii_lowercase());
    }
    if MAX_MARKS.iter().any(|(from, to)| (*from..=*to).contains(&letter)) {
        return None;
    }
    let lower = match letter {
        // Scripts whose capitals came later than the index's table of them.
        '\u{37F}' | 'Ԩ' | 'Ԫ' | 'Ԭ' | 'Ԯ' | 'Ꭰ'..='Ᏽ' | '\u{1C89}'..='Ჿ' => letter,
        _ => {
            let mut lower = letter.to_lowercase();
            lower.next().filter(|_| lower.next().is_none()).unwrap_or(letter)
        }
    };
    // Nothing beyond Latin and Greek has accents here.
    if lower < '\u{B5}' || (lower > '\u{3FF}' && !('\u{1E00}'..='\u{1FFF}').contains(&lower)) {
        return Some(lower);
    }
    let same = SAME.iter().find(|(from, _)| *from == lower).map(|(_, to)| *to);
    let plain = || ACCENTED.iter().find(|(_, letters)| letters.contains(lower)).map(|(plain, _)| *plain);
    Some(same.or_else(plain).unwrap_or(lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_characters_are_counted_when_mapping_back() {
        let folded = Folded::of("e\u{301}a\u{300}b");
        assert_eq!(folded.as_str(), "eab");
        assert_eq!(folded.range(0, 1), (0, 2));
        assert_eq!(folded.range(1, 2), (2, 4));
        assert_eq!(folded.range(2, 3), (4, 5));
    }
}
