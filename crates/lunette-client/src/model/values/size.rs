//! Sizes in words: `33.6 KB`, with 1 KB = 1000 bytes as in the interface's own sample (records, 2.2); and counts.

const UNITS: [&str; 6] = ["KB", "MB", "GB", "TB", "PB", "EB"];

/// A number of bytes in at most three digits and a unit: `0 B`, `999 B`, `1 KB`, `33.6 KB`, `1.25 MB`.
///
/// Rounds to the nearest; a negative count, which only a broken record has, is shown as it is.
pub fn size(bytes: i64) -> String {
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1e3;
    let mut unit = 0;
    // 999.5 would be shown as 1000.
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1e3;
        unit += 1;
    }
    let digits = match value {
        v if v >= 99.95 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    };
    let short = if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { &digits };
    format!("{short} {}", UNITS[unit])
}

/// A number of bytes to the last one: `33,600 bytes`.
pub fn exact_size(bytes: i64) -> String {
    let sign = if bytes < 0 { "-" } else { "" };
    let unit = if bytes == 1 { "byte" } else { "bytes" };
    format!("{sign}{} {unit}", grouped(bytes.unsigned_abs()))
}

/// A name with how many there are of it: `Tracked (12,408)`.
pub fn counted(name: &str, count: usize) -> String {
    format!("{name} ({})", grouped(count as u64))
}

/// A count with its noun: `1 asset`, `12,408 assets`.
pub fn plural(count: impl TryInto<u64>, one: &str) -> String {
    match count.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {one}"),
        count => format!("{} {one}s", grouped(count)),
    }
}

/// A count with its thousands apart: `12,408`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_thousands() {
        let texts: Vec<_> = [0, 999, 1_000, 12_408, 1_234_567].map(grouped).into();
        assert_eq!(texts, ["0", "999", "1,000", "12,408", "1,234,567"]);
    }

    #[test]
    fn a_count_has_the_number_of_its_noun() {
        let texts: Vec<_> = [0_usize, 1, 2, 12_408].map(|count| plural(count, "asset")).into();
        assert_eq!(texts, ["0 assets", "1 asset", "2 assets", "12,408 assets"]);
    }

    #[test]
    fn sizes_have_at_most_three_digits() {
        let expected = [
            (0, "0 B"),
            (1, "1 B"),
            (999, "999 B"),
            (1_000, "1 KB"),
            (1_250, "1.25 KB"),
            (33_600, "33.6 KB"),
            (99_949, "99.9 KB"),
            (99_950, "100 KB"),
            (999_499, "999 KB"),
            (999_500, "1 MB"),
            (10_485_760, "10.5 MB"),
            (4_200_000_000, "4.2 GB"),
            (i64::MAX, "9.22 EB"),
            (-5, "-5 B"),
        ];
        for (bytes, words) in expected {
            assert_eq!(size(bytes), words, "{bytes}");
        }
    }

    #[test]
    fn an_exact_size_has_every_digit() {
        assert_eq!([0, 1, 33_600, -5].map(exact_size), ["0 bytes", "1 byte", "33,600 bytes", "-5 bytes"]);
        assert_eq!(exact_size(i64::MIN), "-9,223,372,036,854,775,808 bytes");
    }
}
