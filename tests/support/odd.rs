//! Two hundred texts with hidden, direction-changing or disruptive characters: every kind of character without a glyph,
//! each at several positions of a name.

/// One of each kind: controls, directions, joiners, fillers, variations, private use, noncharacters.
const HIDDEN: [char; 40] = [
    '\u{0}',
    '\u{7}',
    '\u{8}',
    '\u{b}',
    '\u{1b}',
    '\u{7f}',
    '\u{80}',
    '\u{85}',
    '\u{9b}',
    '\u{9f}',
    '\u{ad}',
    '\u{34f}',
    '\u{61c}',
    '\u{115f}',
    '\u{1160}',
    '\u{17b4}',
    '\u{180e}',
    '\u{200b}',
    '\u{200c}',
    '\u{200d}',
    '\u{200e}',
    '\u{200f}',
    '\u{2028}',
    '\u{2029}',
    '\u{202a}',
    '\u{202e}',
    '\u{2060}',
    '\u{2066}',
    '\u{2069}',
    '\u{2800}',
    '\u{3164}',
    '\u{e000}',
    '\u{fe0f}',
    '\u{feff}',
    '\u{ffa0}',
    '\u{fff9}',
    '\u{fffe}',
    '\u{e0001}',
    '\u{e0041}',
    '\u{10fffd}',
];

/// The texts.
pub fn odd() -> Vec<String> {
    let names = |hidden: char| {
        [
            format!("photo{hidden}gpj.exe"),
            format!("{hidden}"),
            format!("{hidden}{hidden}name"),
            format!("name{hidden}"),
            format!("<b>{hidden}[31m</b>"),
        ]
    };
    HIDDEN.into_iter().flat_map(names).collect()
}
