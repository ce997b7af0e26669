//! Maps a candidate to assets.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use lunette_client::model::import_path::{FOLDER, PREFIX};
use lunette_client::model::language::{LANGUAGES, Language};
use lunette_sources::{Candidate, Fragment, Native, Source, Warning};
use sha2::{Digest as _, Sha256};

use crate::import::engine::{ContentKind, FAVOURITE_TAG, NewAsset, NewWebsite, TakenIds};

/// An asset to create from an item of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its stable id within its library.
    pub id: String,
    /// Whether its id is globally unique.
    pub unique: bool,
    /// Its id in records of earlier versions, if different.
    pub old_id: Option<String>,
    /// The asset.
    pub new: Arc<NewAsset>,
    /// The hash of its imported content.
    pub hash: Hash,
    /// Warnings about what is lost or may be wrong.
    pub warnings: Vec<Warning>,
    /// Whether it is in the program's trash.
    pub trashed: bool,
}

/// Returns whether an id is globally unique.
fn is_unique(source: Source, id: &str) -> bool {
    source.has_unique_ids() || uuid::Uuid::try_parse(id).is_ok()
}

/// Returns the assets of a candidate, in the order of its fragments.
pub(super) fn items(source: Source, library: &str, mut candidate: Candidate) -> Vec<Item> {
    if let Some(native) = candidate.native.take() {
        return vec![exact(source, candidate, native)];
    }
    let several = candidate.fragments.len() > 1;
    let id = candidate.source_id.clone();
    let (unique, old_id) = (is_unique(source, &id), source.had_library_name().then(|| format!("{library}/{id}")));
    let tags = tags(source, &candidate);
    let description_parts = description_parts(source, &candidate);
    let origin = origin(source, library, &candidate);
    let described = description_parts.iter().cloned().chain([origin]).collect::<Vec<_>>().join("\n\n");
    limit_fragments(&mut candidate, library, described.len() + texts_size(&tags));
    let Candidate { name, fragments, urls, warnings, trashed, favourite, created, updated, .. } = candidate;
    // Earlier versions created a tag for a favourite, which was part of the hash.
    let hashed: Vec<String> = tags.iter().cloned().chain(favourite.then(|| FAVOURITE_TAG.to_owned())).collect();
    let item = |(number, fragment): (usize, Fragment)| {
        let name = if several { name_of_part(&name, number, &fragment) } else { name_of_whole(&name, &fragment) };
        let new = NewAsset {
            name: Some(name).filter(|name| !name.is_empty()),
            language: fragment.language.as_deref().and_then(language).map(|language| language.specific.to_owned()),
            tags: distinct(&tags),
            annotations: vec![NewAsset::description(described.clone())],
            websites: urls.iter().map(|url| NewWebsite { url: url.clone(), name: url.clone() }).collect(),
            favourite,
            created,
            updated,
            content: fragment.bytes,
            ..NewAsset::default()
        };
        let numbered = |id: &String| if several { format!("{id}#{}", number + 1) } else { id.clone() };
        Item {
            id: numbered(&id),
            unique,
            old_id: old_id.as_ref().map(numbered),
            hash: hash(&new, &description_parts, &hashed, None),
            new: Arc::new(new),
            warnings: if number == 0 { warnings.clone() } else { Vec::new() },
            trashed,
        }
    };
    fragments.into_iter().enumerate().map(item).collect()
}

/// How many bytes the assets of one candidate may hold of what each of them repeats.
const MAX_REPEATED: usize = 64 * 1_024 * 1_024;

/// Leaves out fragments whose assets together would repeat too much: `described` is the size of their description and
/// tags.
fn limit_fragments(candidate: &mut Candidate, library: &str, described: usize) {
    // An address is also the name of its website, and an id is kept in two forms.
    let repeated = described + candidate.name.len() + 2 * (texts_size(&candidate.urls) + candidate.source_id.len());
    let (all, fitting) = (candidate.fragments.len(), (MAX_REPEATED / repeated.max(1)).max(1));
    if all > fitting {
        candidate.fragments.truncate(fitting);
        let message = format!(
            "{fitting} of {all} fragments are imported: each would repeat {repeated} bytes of name, description, tags and addresses"
        );
        candidate.warnings.push(Warning { code: "limit.fragments", location: library.to_owned(), message });
    }
}

/// The memory that texts take, roughly.
fn texts_size(texts: &[String]) -> usize {
    texts.iter().map(|text| text.len() + size_of::<String>()).sum()
}

/// Returns the tags of the assets: those of the candidate, its folder, and its name if it becomes several assets.
fn tags(source: Source, candidate: &Candidate) -> Vec<String> {
    let mut tags = candidate.tags.clone();
    // Files of an archive are imported like those of a folder, without tags for folders.
    if !source.is_plain() && !candidate.folder.is_empty() {
        tags.push(candidate.folder.join("/"));
    }
    if candidate.fragments.len() > 1 && !candidate.name.is_empty() {
        tags.push(candidate.name.clone());
    }
    tags
}

/// Returns each tag once, in order: a folder or an item may be named like one of its tags.
fn distinct(tags: &[String]) -> Vec<String> {
    let mut seen = HashSet::new();
    tags.iter().filter(|tag| seen.insert(tag.as_str())).cloned().collect()
}

/// Returns the name of the asset of one of several fragments.
fn name_of_part(name: &str, number: usize, fragment: &Fragment) -> String {
    let label = if fragment.label.is_empty() { (number + 1).to_string() } else { fragment.label.clone() };
    if name.is_empty() { label } else { format!("{name} / {label}") }
}

/// Returns the name of the asset of a single fragment.
fn name_of_whole(name: &str, fragment: &Fragment) -> String {
    if name.is_empty() { fragment.label.clone() } else { name.to_owned() }
}

/// Returns the asset of an item that was an asset, exactly as exported, without a note about the import.
fn exact(source: Source, candidate: Candidate, native: Native) -> Item {
    let Candidate { source_id: id, name, fragments, tags, favourite, created, updated, warnings, trashed, .. } =
        candidate;
    let Native { websites, annotations, is_text, archived } = native;
    let description_parts: Vec<String> = annotations.iter().map(|(kind, text)| format!("{kind} {text}")).collect();
    let Fragment { language, bytes, .. } = fragments.into_iter().next().unwrap_or_default();
    let new = NewAsset {
        name: Some(name).filter(|name| !name.is_empty()),
        language,
        tags,
        annotations,
        websites: websites.into_iter().map(|(url, name)| NewWebsite { url, name }).collect(),
        favourite,
        created,
        updated,
        content: bytes,
        kind: if is_text { ContentKind::Text } else { ContentKind::File },
        archived: Some(archived),
        ids: (source == Source::LUNETTE).then(TakenIds::default),
        duplicate: false,
    };
    let hash = hash(&new, &description_parts, &new.tags, favourite.then_some("favourite"));
    Item { id, unique: true, old_id: None, hash, new: Arc::new(new), warnings, trashed }
}

/// Returns the parts of the description: that of the item, and what has no field in an asset.
fn description_parts(source: Source, candidate: &Candidate) -> Vec<String> {
    let mut parts: Vec<String> = candidate.description.iter().map(|text| text.trim_end().to_owned()).collect();
    if !candidate.triggers.is_empty() {
        let word = source.trigger();
        parts.push(format!("{word}: {}", candidate.triggers.join(", ")));
    }
    parts
}

/// Returns the origin of an item with its folder, by which the list finds it, and its dates, which other services do not
/// support.
fn origin(source: Source, library: &str, candidate: &Candidate) -> String {
    let time = |date: &jiff::Timestamp| date.strftime("%Y-%m-%d %H:%M:%S UTC").to_string();
    let dates = [("created", &candidate.created), ("changed", &candidate.updated)];
    let dates = dates.iter().filter_map(|(word, date)| date.as_ref().map(|date| format!(", {word} {}", time(date))));
    let origin = match source.is_plain() {
        true => format!("{PREFIX}{library}/{}", candidate.source_id),
        false => format!("{PREFIX}{}, {library}{}", source.name(), folder(candidate)),
    };
    format!("{origin}{}", dates.collect::<String>())
}

/// Returns the note of the folder that the program shows an item in; empty if it is in none.
fn folder(candidate: &Candidate) -> String {
    let names = candidate.folder.iter().map(|name| name.trim()).filter(|name| !name.is_empty());
    // The note is one line, and ends with the last `/`.
    let path = names.collect::<Vec<_>>().join("/").replace(char::is_control, " ");
    match path.trim_matches('/') {
        "" => String::new(),
        path => format!("{FOLDER}{path}/"),
    }
}

/// Returns the hashes of what a user can change in the program: of name and content, and of the rest. The path of the
/// library and file times are not part of it, so that moving a library is not a change.
fn hash(new: &NewAsset, description_parts: &[String], tags: &[String], mark: Option<&str>) -> Hash {
    let NewAsset { name, language, websites, content, .. } = new;
    let texts = [description_parts, tags].into_iter().flatten().map(String::as_bytes);
    // In other programs, the name of a website is its address.
    let sites = websites.iter().flat_map(|site| [Some(&site.url), Some(&site.name).filter(|name| **name != site.url)]);
    let details = texts.chain(sites.flatten().map(String::as_bytes)).chain(mark.map(str::as_bytes));
    Hash {
        content: digest([name.as_deref().unwrap_or_default().as_bytes(), content].into_iter()),
        details: digest(details.chain([language.as_deref().unwrap_or_default().as_bytes()])),
        description: new.annotations.first().map(|(_, text)| digest([text.as_bytes()].into_iter())),
    }
}

/// Returns the part of a hash for this name and content.
pub(super) fn content_hash(name: &str, content: &[u8]) -> String {
    digest([name.as_bytes(), content].into_iter()).to_string()
}

/// Returns the part of a hash for a description.
pub(super) fn description_hash(text: &str) -> String {
    digest([text.as_bytes()].into_iter()).to_string()
}

fn digest<'a>(parts: impl Iterator<Item = &'a [u8]>) -> Digest {
    let mut hasher = Sha256::new();
    for bytes in parts {
        // The length separates the parts.
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    }
    Digest(hasher.finalize().into())
}

/// The hash that detects changes of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hash {
    /// The hash of its name and content.
    pub content: Digest,
    /// The hash of its tags, description, websites and language.
    pub details: Digest,
    /// The hash of the whole description with its origin; not compared, since moving a library changes it.
    pub description: Option<Digest>,
}

/// A SHA-256, which is displayed in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl Hash {
    /// Returns whether a recorded hash is equal, so that the item is unchanged.
    pub fn equals_recorded(&self, kept: &str) -> bool {
        kept.strip_prefix(&format!("{} {}", self.content, self.details))
            .is_some_and(|rest| matches!(rest.chars().next(), None | Some(' ')))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.content, self.details)?;
        self.description.iter().try_for_each(|description| write!(formatter, " {description}"))
    }
}

/// Names of languages in programs that differ from the interface.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("shell", "sh"),
    ("shellscript", "sh"),
    ("bash", "sh"),
    ("zsh", "sh"),
    ("javascriptreact", "jsx"),
    ("typescriptreact", "tsx"),
    ("c_cpp", "cpp"),
    ("cpp", "cpp"),
    ("golang", "go"),
    ("csharp", "cs"),
    ("objectivec", "m"),
    ("objective-c", "m"),
    ("node", "js"),
    ("yml", "yaml"),
];

/// Returns the language for a name; `None` leaves it to the service.
fn language(hint: &str) -> Option<&'static Language> {
    let hint = hint.trim().to_lowercase();
    let wanted = OTHER_NAMES.iter().find(|(name, _)| *name == hint).map_or(hint.as_str(), |(_, specific)| specific);
    let fits = |language: &&Language| language.specific == wanted || language.name.to_lowercase() == wanted;
    LANGUAGES.iter().filter(|language| language.emitted && language.text).find(fits)
}

#[cfg(test)]
mod tests {
    use lunette_client::model::import_path::{folder as folder_of_path, import_path};

    use super::*;

    fn candidate(fragments: &[(&str, &str)]) -> Candidate {
        let fragment = |(label, text): &(&str, &str)| Fragment {
            label: (*label).to_owned(),
            language: Some("JavaScript".to_owned()),
            bytes: text.as_bytes().to_vec(),
        };
        Candidate {
            source_id: "7".to_owned(),
            name: "Two".to_owned(),
            fragments: fragments.iter().map(fragment).collect(),
            tags: vec!["a".to_owned()],
            folder: vec!["Work".to_owned(), "SQL".to_owned()],
            description: Some("Text".to_owned()),
            favourite: true,
            triggers: vec!["tw".to_owned()],
            created: "2024-01-02T03:04:05Z".parse().ok(),
            ..Candidate::default()
        }
    }

    #[test]
    fn one_fragment_becomes_one_asset_with_all_its_fields() {
        let items = items(Source::MASS_CODE, "db.json", candidate(&[("", "x")]));
        let [item] = items.as_slice() else { panic!("{items:?}") };
        assert_eq!(
            (item.id.as_str(), item.new.name.as_deref(), item.new.language.as_deref()),
            ("7", Some("Two"), Some("js"))
        );
        assert_eq!((item.new.tags.join(" "), item.new.favourite), ("a Work/SQL".to_owned(), true));
        assert_eq!(item.new.created, "2024-01-02T03:04:05Z".parse().ok());
        let expected =
            "Text\n\nTrigger: tw\n\nImported from masscode, db.json, folder Work/SQL/, created 2024-01-02 03:04:05 UTC";
        assert_eq!(item.new.annotations, [NewAsset::description(expected.to_owned())]);
    }

    #[test]
    fn the_folder_of_the_program_is_the_folder_of_the_asset() {
        let folder_of = |names: &[&str]| {
            let folder = names.iter().map(|name| (*name).to_owned()).collect();
            let candidate = Candidate { folder, ..candidate(&[("", "x")]) };
            let item = items(Source::MASS_CODE, "db.json", candidate).pop().expect("an item");
            let (_, text) = item.new.annotations.first().cloned().expect("a description");
            import_path(&text).and_then(folder_of_path).map(str::to_owned)
        };
        assert_eq!(folder_of(&["Work", "SQL"]).as_deref(), Some("Work/SQL"));
        assert_eq!(folder_of(&["two\nlines ", "", "C#, F# (was me)"]).as_deref(), Some("two lines/C#, F# (was me)"));
        assert_eq!(folder_of(&[]).as_deref(), None);
    }

    #[test]
    fn several_fragments_are_assets_that_share_a_tag() {
        let items = items(Source::MASS_CODE, "db.json", candidate(&[("first", "x"), ("", "y")]));
        let names: Vec<_> = items.iter().map(|item| item.new.name.as_deref()).collect();
        assert_eq!(names, [Some("Two / first"), Some("Two / 2")]);
        assert_eq!(items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>(), ["7#1", "7#2"]);
        assert!(items.iter().all(|item| item.new.tags.contains(&"Two".to_owned())));
        assert_ne!(items[0].hash, items[1].hash);
    }

    #[test]
    fn a_candidate_whose_many_fragments_share_a_long_description_fills_no_memory() {
        let fragments = Fragment { bytes: b"x".to_vec(), ..Fragment::default() };
        let description = Some("x".repeat(1_000_000));
        let candidate = Candidate { description, fragments: vec![fragments; 100_000], ..candidate(&[]) };
        let items = items(Source::MASS_CODE, "db.json", candidate);
        assert!((10..100).contains(&items.len()), "{}", items.len());
        assert!(
            items[0].warnings[0].to_string().contains("of 100000 fragments are imported"),
            "{:?}",
            items[0].warnings
        );
    }

    #[test]
    fn a_tag_that_is_named_like_the_folder_is_listed_once() {
        let mut candidate = candidate(&[("", "x")]);
        candidate.folder = candidate.tags.clone();
        assert_eq!(items(Source::MASS_CODE, "db.json", candidate)[0].new.tags, ["a"]);
    }
}
