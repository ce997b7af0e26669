//! How many snippets without a name are classified right: `everyday.txt` is what people save, `snippets.txt` goes further,
//! with prose that sounds like code.
//!
//! Both have a line `=== language` before each snippet.

use super::*;

const EVERYDAY: &str = include_str!("everyday.txt");
const SNIPPETS: &str = include_str!("snippets.txt");

/// The expected language and the text of each snippet.
fn samples(file: &'static str) -> Vec<(&'static str, &'static str)> {
    let samples = file.strip_prefix("=== ").expect("a first snippet").split("\n=== ");
    samples
        .map(|sample| sample.split_once('\n').expect("a text"))
        .map(|(known, text)| (known, text.trim_end()))
        .collect()
}

/// Prints the snippets that are classified wrong; returns how many are right, and asserts that no text became code.
fn count(name: &str, file: &'static str) -> (usize, usize) {
    let samples = samples(file);
    let wrong: Vec<_> = samples.iter().filter(|(known, text)| nameless(text) != *known).collect();
    for (known, text) in &wrong {
        println!("{known} became {}:\n{text}\n", nameless(text));
    }
    let (right, all) = (samples.len() - wrong.len(), samples.len());
    println!("{name}: {right} of {all} right");
    let code: Vec<_> = wrong.iter().filter(|(known, _)| *known == "txt").collect();
    assert!(code.is_empty(), "text became code: {code:?}");
    (right, all)
}

#[test]
fn everyday_snippets_are_classified() {
    let (right, all) = count("everyday", EVERYDAY);
    assert!(all == 56 && right >= 55, "{right} of {all}");
}

#[test]
fn snippets_of_many_languages_are_classified_and_text_is_never_code() {
    let (right, all) = count("snippets", SNIPPETS);
    assert!(all >= 300 && right * 100 >= all * 97, "{right} of {all}");
    assert!(samples(SNIPPETS).iter().filter(|(known, _)| *known == "txt").count() >= 100);
}

#[test]
fn the_samples_name_languages_that_may_be_returned() {
    for (known, text) in samples(EVERYDAY).into_iter().chain(samples(SNIPPETS)) {
        assert!(language(known).is_some_and(|language| language.emitted), "{known}: {text}");
    }
}
