//! Rules of our own: card numbers, IBANs, and passwords in addresses.

use crate::Found;

/// Returns the findings of these rules in a text.
pub(crate) fn find(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut add = |at: usize, rule: &str, what: &str| {
        // The rest of its line, which none of them leaves.
        let end = memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |end| at + end);
        found.push(Found { at, end, rule: rule.to_owned(), what: what.to_owned() });
    };
    for (at, number) in numbers(text) {
        match number {
            Number::Card => add(at, "card-number", "a number of a payment card"),
            Number::Iban => add(at, "iban", "an IBAN"),
        }
    }
    for at in passwords_in_addresses(text) {
        add(at, "password-in-url", "an address with a password");
    }
    found
}

/// Returns whether a character belongs to a word or an id.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The kind of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    /// 13 to 19 digits, alone or in groups with one kind of separator, with a valid check digit and the prefix of a
    /// card network. A number inside a longer word, number or id does not count.
    Card,
    /// With a country code and length of an IBAN, and valid check digits. Groups of four may have a space between them.
    Iban,
}

/// Finds the start of card numbers and IBANs. Both are searched where digits begin, which is at few positions of most
/// texts.
fn numbers(text: &str) -> Vec<(usize, Number)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = bytes[at..].iter().position(u8::is_ascii_digit) {
        at += next;
        // The country is in front of the two check digits.
        let two = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if let Some(start) = at.checked_sub(2).filter(|start| two && is_iban(bytes, *start)) {
            found.push((start, Number::Iban));
        }
        let end = run(bytes, at);
        if end - at >= FEWEST
            && before_is_free(bytes, at)
            && after_is_free(bytes, end)
            && is_card(&digits(&bytes[at..end]))
        {
            found.push((at, Number::Card));
        }
        at = end;
    }
    found
}

/// The fewest digits of a card number.
const FEWEST: usize = 13;

/// Returns the end of the digits from here on, in groups of at least three with one kind of separator.
fn run(bytes: &[u8], start: usize) -> usize {
    let digits = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (mut at, mut separator) = (start + digits(start), None);
    while let Some(byte @ (b' ' | b'-')) = bytes.get(at)
        && separator.is_none_or(|before| before == byte)
    {
        let group = digits(at + 1);
        if !(3..=7).contains(&group) {
            break;
        }
        separator = Some(byte);
        at += 1 + group;
    }
    at
}

/// Returns the digits of a run.
fn digits(run: &[u8]) -> Vec<u8> {
    run.iter().filter(|byte| byte.is_ascii_digit()).map(|byte| byte - b'0').collect()
}

/// Returns whether a number is not part of something longer, such as a UUID, a decimal or a path.
fn before_is_free(bytes: &[u8], at: usize) -> bool {
    match at.checked_sub(1).map(|before| bytes[before]) {
        None => true,
        Some(byte) => {
            !is_word(byte) && byte < 0x80 && !matches!(byte, b'-' | b'.' | b'/' | b'#' | b'+' | b'%' | b'&' | b'=')
        }
    }
}

fn after_is_free(bytes: &[u8], end: usize) -> bool {
    match (bytes.get(end), bytes.get(end + 1)) {
        (None, _) => true,
        (Some(b'-' | b'.' | b',' | b'/'), Some(next)) => !is_word(*next),
        (Some(byte), _) => !is_word(*byte) && *byte < 0x80 && *byte != b'%',
    }
}

/// Returns whether digits have the prefix and length of a card network, and a valid check digit.
fn is_card(digits: &[u8]) -> bool {
    if !(FEWEST..=19).contains(&digits.len()) || digits.iter().all(|digit| *digit == digits[0]) {
        return false;
    }
    let start = |count: usize| digits[..count].iter().fold(0_u32, |number, digit| number * 10 + u32::from(*digit));
    let of_network = match (start(1), start(2), digits.len()) {
        (4, _, 13 | 16 | 19) | (_, 34 | 37, 15) | (_, 51..=55, 16) | (_, 36 | 38, 14) => true,
        (_, 22..=27, 16) => (2221..=2720).contains(&start(4)),
        (_, 30, 14) => start(3) <= 305,
        (_, 35, 16) => (3528..=3589).contains(&start(4)),
        (_, 60, 16) => start(4) == 6011,
        (_, 62, 16..=19) | (_, 64 | 65, 16) | (_, 50 | 56..=58 | 67, 16) => true,
        _ => false,
    };
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(index, digit)| match (index % 2, u32::from(*digit)) {
            (1, digit) if digit > 4 => digit * 2 - 9,
            (1, digit) => digit * 2,
            (_, digit) => digit,
        })
        .sum();
    of_network && sum.is_multiple_of(10)
}

/// The length of an IBAN of each country that has them.
const IBANS: &[(&[u8; 2], usize)] = &[
    (b"AD", 24),
    (b"AE", 23),
    (b"AL", 28),
    (b"AT", 20),
    (b"AZ", 28),
    (b"BA", 20),
    (b"BE", 16),
    (b"BG", 22),
    (b"BH", 22),
    (b"BR", 29),
    (b"BY", 28),
    (b"CH", 21),
    (b"CR", 22),
    (b"CY", 28),
    (b"CZ", 24),
    (b"DE", 22),
    (b"DK", 18),
    (b"DO", 28),
    (b"EE", 20),
    (b"EG", 29),
    (b"ES", 24),
    (b"FI", 18),
    (b"FO", 18),
    (b"FR", 27),
    (b"GB", 22),
    (b"GE", 22),
    (b"GI", 23),
    (b"GL", 18),
    (b"GR", 27),
    (b"GT", 28),
    (b"HR", 21),
    (b"HU", 28),
    (b"IE", 22),
    (b"IL", 23),
    (b"IQ", 23),
    (b"IS", 26),
    (b"IT", 27),
    (b"JO", 30),
    (b"KW", 30),
    (b"KZ", 20),
    (b"LB", 28),
    (b"LC", 32),
    (b"LI", 21),
    (b"LT", 20),
    (b"LU", 20),
    (b"LV", 21),
    (b"MC", 27),
    (b"MD", 24),
    (b"ME", 22),
    (b"MK", 19),
    (b"MR", 27),
    (b"MT", 31),
    (b"MU", 30),
    (b"NL", 18),
    (b"NO", 15),
    (b"PK", 24),
    (b"PL", 28),
    (b"PS", 29),
    (b"PT", 25),
    (b"QA", 29),
    (b"RO", 24),
    (b"RS", 22),
    (b"SA", 24),
    (b"SC", 31),
    (b"SE", 24),
    (b"SI", 19),
    (b"SK", 24),
    (b"SM", 27),
    (b"ST", 25),
    (b"SV", 28),
    (b"TL", 23),
    (b"TN", 24),
    (b"TR", 26),
    (b"UA", 29),
    (b"VA", 22),
    (b"VG", 24),
    (b"XK", 20),
];

fn is_iban(bytes: &[u8], start: usize) -> bool {
    // Most numbers have no capital letters in front of them, and there are many countries.
    if !bytes[start].is_ascii_uppercase() || !bytes[start + 1].is_ascii_uppercase() {
        return false;
    }
    let Some((_, length)) = IBANS.iter().find(|(country, _)| bytes[start..].starts_with(*country)) else {
        return false;
    };
    if start > 0 && (is_word(bytes[start - 1]) || bytes[start - 1] >= 0x80) {
        return false;
    }
    let mut letters = Vec::with_capacity(*length);
    let mut at = start;
    while letters.len() < *length {
        match bytes.get(at) {
            Some(byte) if byte.is_ascii_digit() || byte.is_ascii_uppercase() => letters.push(*byte),
            Some(b' ') if letters.len() % 4 == 0 && bytes.get(at.wrapping_sub(1)) != Some(&b' ') => {}
            Some(_) | None => return false,
        }
        at += 1;
    }
    if bytes.get(at).is_some_and(|byte| is_word(*byte) || *byte >= 0x80) {
        return false;
    }
    letters.rotate_left(4);
    let value = |letter: u8| if letter.is_ascii_digit() { letter - b'0' } else { letter - b'A' + 10 };
    let rest = letters.into_iter().map(value).fold(0_u32, |rest, value| {
        let shift = if value < 10 { 10 } else { 100 };
        (rest * shift + u32::from(value)) % 97
    });
    rest == 1
}

/// Placeholders for passwords in examples and templates.
const NO_PASSWORDS: [&str; 11] =
    ["password", "passwd", "pass", "pwd", "secret", "xxx", "xxxx", "user", "username", "token", "changeme"];

/// Finds addresses with a password: `scheme://name:password@host`. A placeholder does not count.
fn passwords_in_addresses(text: &str) -> Vec<usize> {
    let found = memchr::memmem::find_iter(text.as_bytes(), "://").filter(|at| {
        let scheme = text[..*at].bytes().next_back().is_some_and(|byte| byte.is_ascii_alphanumeric());
        let rest = &text[at + 3..];
        let end = rest.find(|letter: char| letter.is_whitespace() || "/?#\"'`<>()[]|\\^".contains(letter));
        let Some((login, host)) = rest[..end.unwrap_or(rest.len())].rsplit_once('@') else { return false };
        let Some((_, password)) = login.split_once(':') else { return false };
        let placeholder =
            password.contains(['$', '{', '}', '*', '%']) && !password.contains("%2") && !password.contains("%4")
                || password.chars().all(|letter| letter == '.' || letter == 'x')
                || NO_PASSWORDS.contains(&password.to_lowercase().as_str());
        scheme && !host.is_empty() && password.len() > 2 && !placeholder
    });
    found.collect()
}
