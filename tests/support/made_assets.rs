//! Many assets to search and to measure with. Names, contents and links of a number are always the same.

use std::collections::BTreeSet;

const TAGS: u64 = 2_000;
/// How many tags are on 7 % of the assets each.
const COMMON_TAGS: u64 = 3;
const WEBSITES: u64 = 500;
/// One of this many assets is linked to a workstream summary instead of a website.
pub const LINKED_TO_SUMMARY: usize = 8;

/// A language: the extension, what begins a comment, and what is around the words of a line.
struct Language {
    extension: &'static str,
    comment: &'static str,
    before: &'static str,
    after: &'static str,
}

const LANGUAGES: [Language; 6] = [
    Language { extension: "rs", comment: "//", before: "    let value = \"", after: "\";" },
    Language { extension: "py", comment: "#", before: "    value = '", after: "'" },
    Language { extension: "ts", comment: "//", before: "const value: string = \"", after: "\";" },
    Language { extension: "sql", comment: "--", before: "INSERT INTO notes VALUES ('", after: "');" },
    Language { extension: "sh", comment: "#", before: "echo \"", after: "\"" },
    Language { extension: "md", comment: "#", before: "- ", after: "" },
];

/// An xorshift generator.
struct Random(u64);

impl Random {
    fn of(number: usize) -> Self {
        Self((number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// A number from 0 to 1.
    fn share(&mut self) -> f64 {
        self.next() as f64 / (1_u64 << 53) as f64
    }

    /// A word: few of them are common, most are rare.
    fn word(&mut self) -> String {
        let number = 20_000.0_f64.powf(self.share()) as u64;
        let letters = ["ba", "ne", "ti", "ro", "su", "ka", "le", "mo"];
        (0..5).map(|index| letters[(number >> (3 * index) & 7) as usize]).collect()
    }

    fn words(&mut self, count: usize) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(" ")
    }
}

/// An asset to create.
pub struct Made {
    pub number: usize,
    pub name: String,
    pub content: String,
    pub tags: BTreeSet<String>,
    /// Without one it is linked to a workstream summary.
    pub website: Option<String>,
}

/// The asset with this number.
pub fn made(number: usize) -> Made {
    let mut random = Random::of(number);
    let language = &LANGUAGES[random.below(LANGUAGES.len() as u64) as usize];
    let name = format!("{} file {number}.{}", random.words(2), language.extension);
    // From 100 bytes to 4 kB, most of them small.
    let size = (100.0 * 40.0_f64.powf(random.share())) as usize;
    let mut content = format!("{} {name} usual\n", language.comment);
    loop {
        let line = format!("{}{}{}\n", language.before, random.words(5), language.after);
        if content.len() + line.len() > size {
            break;
        }
        content.push_str(&line);
    }
    let first = match random.below(100) / 7 {
        common if common < COMMON_TAGS => common,
        // So that a small store has all tags.
        _ if (number as u64) < TAGS => number as u64,
        _ => random.below(TAGS),
    };
    let second = (first + 1 + random.below(TAGS - 1)) % TAGS;
    let tags = [first, second].map(|tag| format!("topic {tag:04}")).into();
    let website = !number.is_multiple_of(LINKED_TO_SUMMARY);
    let website = website.then(|| format!("https://site{:03}.example/", random.below(WEBSITES)));
    Made { number, name, content, tags, website }
}
