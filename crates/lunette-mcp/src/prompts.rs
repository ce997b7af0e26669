//! Texts for tasks that are often asked for: prompts of the protocol, and answers of the tool `guide`.

/// A prompt.
pub(crate) struct Prompt {
    pub name: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub text: &'static str,
}

/// Their names.
pub(crate) const NAMES: [&str; 3] = ["tidy_tags", "describe", "find_duplicates"];

pub(crate) const PROMPTS: [Prompt; 3] = [
    Prompt {
        name: NAMES[0],
        title: "Tidy the tags",
        about: "Finds tags that mean the same and tags that no asset has, and proposes merges.",
        text: "Tidy the tags of my assets.\n\
               1. List all tags with `tags`, page by page.\n\
               2. Find groups that mean the same: different case, singular and plural, abbreviations, misspellings. \
               Where you are not sure, look at some assets of each with `find` and the filter tag:\"…\".\n\
               3. With `propose`, propose one `merge` for each group, and say in `reason` why its tags mean the same. \
               Keep the tag that most assets have.\n\
               4. List the tags that no asset has, without proposing anything for them.\n\
               Nothing is changed until I apply a proposal.",
    },
    Prompt {
        name: NAMES[1],
        title: "Describe assets without a description",
        about: "Reads assets without a description, and proposes one for each.",
        text: "Describe the assets that have no description.\n\
               1. List assets with `find`, newest first, and read each with `get`.\n\
               2. For each that has no description and whose text you understand, write one sentence that says what \
               it does and what it is for. Do not repeat the name.\n\
               3. Propose the descriptions with `propose` as `describe` changes, at most 50 per proposal.\n\
               4. Leave out assets that you are not sure of, and name them.\n\
               Nothing is changed until I apply a proposal.",
    },
    Prompt {
        name: NAMES[2],
        title: "Find duplicates",
        about: "Finds assets that are copies of others, and proposes which to delete.",
        text: "Find assets that are duplicates.\n\
               1. List near duplicates with `find` and the filter is:near-duplicate.\n\
               2. Compare those that look alike with `diff`. Two assets are duplicates only if what differs does not \
               matter.\n\
               3. For each group, say which one should stay: the one with more links, a description, or the newest \
               change.\n\
               4. With `propose`, propose to link the tags of the others to the one that stays, and to delete the \
               others. Say in `reason` what differs.\n\
               Nothing is changed until I apply a proposal.",
    },
];
