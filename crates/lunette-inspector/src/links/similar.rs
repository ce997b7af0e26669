//! Items that are probably duplicates: tags that differ in case, spacing or plural, and addresses that lead to the same
//! page.
//!
//! What must hold: the key of an item is computed from it alone, so that one pass over a list suffices; characters that
//! distinguish names are part of it, as in C, C++ and C#.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::change::{Item, LinkKind};
use crate::listing::rows::LinkRow;

/// Parameters of addresses that track visitors and do not affect the page.
const TRACKING: [&str; 6] = ["fbclid", "gclid", "mc_cid", "mc_eid", "ref", "igshid"];

/// Words that end in s but are not plurals, or mean something else without it.
const NOT_PLURALS: [&str; 12] =
    ["news", "aws", "dns", "css", "https", "macos", "ios", "redis", "kubernetes", "postgres", "sales", "series"];

/// Stores in each row the similar item with the most assets; in the row of that item, the next one.
pub fn mark_similar(rows: &mut [LinkRow]) {
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        let key = key(&row.item);
        if key.is_empty() {
            continue;
        }
        match groups.entry(key) {
            Entry::Occupied(mut group) => group.get_mut().push(index),
            Entry::Vacant(group) => {
                group.insert(vec![index]);
            }
        }
    }
    for mut group in groups.into_values().filter(|group| group.len() > 1) {
        // Sorting is stable: equal items keep their order.
        group.sort_by_key(|index| std::cmp::Reverse(rows[*index].assets));
        let (first, second) = (rows[group[0]].item.clone(), rows[group[1]].item.clone());
        rows[group[0]].similar = Some(second);
        for index in &group[1..] {
            rows[*index].similar = Some(first.clone());
        }
    }
}

/// Returns the key that similar items share, or an empty one for an item that is similar to none.
pub fn key(item: &Item) -> String {
    match (item.kind, &item.url) {
        (LinkKind::Website, Some(url)) => address_key(url),
        (LinkKind::Website | LinkKind::Tag | LinkKind::Summary, _) => text_key(&item.text),
    }
}

fn text_key(text: &str) -> String {
    let words: Vec<String> = split_words(text).iter().map(|word| singular(word)).collect();
    words.concat()
}

/// The words of a text in lower case: separated by white space, hyphens, underscores and dots outside of numbers.
fn split_words(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.trim().trim_start_matches('#').chars().collect();
    let mut words = vec![String::new()];
    for (index, letter) in letters.iter().enumerate() {
        let beside_digit =
            |index: Option<usize>| index.and_then(|index| letters.get(index)).is_some_and(char::is_ascii_digit);
        let in_number = beside_digit(index.checked_sub(1)) && beside_digit(Some(index + 1));
        match letter {
            '-' | '_' | '.' if in_number => words.push(letter.to_string()),
            '-' | '_' => words.push(String::new()),
            '.' if index > 0 => words.push(String::new()),
            letter if letter.is_whitespace() => words.push(String::new()),
            letter => words.last_mut().expect("there is one").extend(letter.to_lowercase()),
        }
    }
    words
}

/// Returns the stem that the singular and the plural of a word share.
fn singular(word: &str) -> String {
    let regular = word.len() > 3
        && word.is_ascii()
        && !["ss", "us", "is"].iter().any(|end| word.ends_with(end))
        && !NOT_PLURALS.contains(&word);
    let stem = match word {
        word if !regular => word,
        word => ["ies", "ches", "shes", "xes", "sses", "zes"]
            .iter()
            .find_map(|end| word.strip_suffix(end).map(|_| &word[..word.len() - 2]))
            .or_else(|| word.strip_suffix('s'))
            .unwrap_or(word),
    };
    // “cookies” and “caches” become “cooki” and “cach”, as do “cookie” and “cache”; “queries” and “query” become
    // “queri”.
    match stem {
        stem if stem.len() > 3 && ["ie", "che", "she", "xe", "sse", "ze"].iter().any(|end| stem.ends_with(end)) => {
            stem[..stem.len() - 1].to_owned()
        }
        stem if stem.len() > 3 && stem.ends_with('y') => format!("{}i", &stem[..stem.len() - 1]),
        stem => stem.to_owned(),
    }
}

/// Returns an address without its scheme, `www.`, default port, trailing slashes, fragment and tracking parameters.
fn address_key(address: &str) -> String {
    let Ok(url) = url::Url::parse(address.trim()) else { return address.trim().to_lowercase() };
    let Some(host) = url.host_str().filter(|_| matches!(url.scheme(), "http" | "https")) else {
        return url.to_string();
    };
    let host = host.strip_prefix("www.").unwrap_or(host);
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let path = url.path().trim_end_matches('/');
    let tracks = |name: &str| name.starts_with("utm_") || TRACKING.contains(&name);
    let mut query: Vec<String> =
        url.query_pairs().filter(|(name, _)| !tracks(name)).map(|(name, value)| format!("{name}={value}")).collect();
    query.sort();
    // A fragment that begins like a path is a route of a single-page application.
    let page = url.fragment().filter(|fragment| fragment.starts_with(['/', '!'])).unwrap_or_default();
    format!("{host}{port}{path}?{}#{page}", query.join("&"))
}

#[cfg(test)]
mod tests;
