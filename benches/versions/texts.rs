//! Texts that hardly compress, and their versions.

/// How a text is changed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pattern {
    /// One block is replaced.
    Block,
    /// Ten places are.
    Places,
    /// The window that the text is of a longer one moves on.
    Moved,
}

/// How large texts are, how many bytes of them a version changes, and how.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) bytes: usize,
    pub(crate) changed: usize,
    pub(crate) pattern: Pattern,
}

/// Noise, the same for the same seed.
pub(crate) fn noise(seed: u64, bytes: usize) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let letter = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[(state >> 32) as usize % 64])
    };
    std::iter::repeat_with(letter).take(bytes).collect()
}

impl Shape {
    /// 2 kB of which 10 % change in one block.
    pub(crate) const SMALL: Self = Self { bytes: 2048, changed: 204, pattern: Pattern::Block };

    /// The text of a version of an asset.
    pub(crate) fn text(self, asset: usize, version: usize) -> String {
        let Self { bytes, changed, pattern } = self;
        let seed = asset as u64 + 1;
        let mut text = noise(seed, bytes);
        let new = |part: usize, bytes| noise(seed << 20 | part as u64, bytes);
        for version in 1..=version {
            match pattern {
                Pattern::Block => {
                    let at = (version * 331) % (bytes - changed);
                    text.replace_range(at..at + changed, &new(version, changed));
                }
                Pattern::Places => {
                    for place in 0..10 {
                        let at = (place * bytes / 10 + version * 17) % (bytes - changed / 10);
                        text.replace_range(at..at + changed / 10, &new(version * 10 + place, changed / 10));
                    }
                }
                Pattern::Moved => {
                    text.replace_range(..changed, "");
                    text.push_str(&new(version, changed));
                }
            }
        }
        text
    }
}
