//! Tests of what is found and what is not. The secrets are invented, and concatenated here so that no tool reports
//! them.

use proptest::prelude::*;

use crate::{MAX_BYTES, MOST_FINDINGS, find, find_in_bytes};

fn rules(text: &str) -> Vec<String> {
    find(text).into_iter().map(|found| found.rule).collect()
}

#[test]
fn private_keys_and_tokens_are_found_with_rule_and_line() {
    let key = format!(
        "text\n-----BEGIN RSA {} KEY-----\n{}\n-----END RSA {} KEY-----\n",
        "PRIVATE",
        "MIIEow".repeat(20),
        "PRIVATE"
    );
    let found = find(&key);
    assert_eq!(found.iter().map(|found| (found.line, found.rule.as_str())).collect::<Vec<_>>(), [(2, "private-key")]);
    assert!(!found[0].what.is_empty());
    let token = format!("token = \"gh{}_{}\"", "p", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
    assert!(rules(&token).contains(&"github-pat".to_owned()), "{:?}", rules(&token));
    let aws = format!("aws_key = {}{}", "AKI", "A2E4QZ7XN5T3LWPKV");
    assert!(rules(&aws).contains(&"aws-access-token".to_owned()), "{:?}", rules(&aws));
}

#[test]
fn a_password_in_an_address_is_found_and_a_placeholder_is_not() {
    assert_eq!(rules("postgres://admin:Tr0ub4dor@db.example.org/x"), ["password-in-url"]);
    assert_eq!(rules("see https://user:hunter2@host.example"), ["password-in-url"]);
    for harmless in [
        "https://example.org/a:b@c",
        "postgres://user:password@localhost/db",
        "https://user:${TOKEN}@host.example",
        "https://user@host.example",
        "mailto:a@b.example",
        "ssh://git@host.example:22/x",
    ] {
        assert_eq!(rules(harmless), [""; 0], "{harmless}");
    }
}

#[test]
fn a_card_number_is_found_alone_and_in_groups() {
    for card in [
        "4111111111111111",
        "5500 0055 5555 5559",
        "3782-822463-10005",
        "(6011000990139424)",
        "x: 4111 1111 1111 1111.",
    ] {
        assert_eq!(rules(card), ["card-number"], "{card}");
    }
}

#[test]
fn a_card_number_inside_an_id_or_a_longer_number_is_not_a_finding() {
    for harmless in [
        "4111-1111-1111-1111-4111",
        "00000000-4111-1111-1111-111111111111",
        "41111111-1111-1111-8111-111111111111",
        "id-4111111111111111",
        "a4111111111111111",
        "4111111111111111a",
        "0.4111111111111111",
        "41111111111111112222",
        "4111111111111112",
        "https://example.org/4111111111111111",
        "20240102030405060",
    ] {
        assert_eq!(rules(harmless), [""; 0], "{harmless}");
    }
}

#[test]
fn an_iban_is_found_by_country_length_and_check_digits() {
    for iban in ["DE89370400440532013000", "GB82 WEST 1234 5698 7654 32", "pay to FR1420041010050500013M02606."] {
        assert_eq!(rules(iban), ["iban"], "{iban}");
    }
    for harmless in
        ["DE89370400440532013001", "DE8937040044053201300", "XX89370400440532013000", "ADE89370400440532013000"]
    {
        assert_eq!(rules(harmless), [""; 0], "{harmless}");
    }
}

#[test]
fn ordinary_code_and_prose_have_no_secrets() {
    let code = "fn main() {\n    let key = \"name\"; // the key of the map\n    println!(\"{key}\");\n}\n";
    let prose = "The password is asked for when the program starts. Secrets are kept elsewhere; see token.md.";
    let hashes = "sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";
    for text in [code, prose, hashes, ""] {
        assert_eq!(rules(text), [""; 0], "{text}");
    }
    assert_eq!(find_in_bytes(b"\x89PNG\xff4111111111111111"), []);
}

#[test]
fn each_line_names_a_rule_once_and_the_secret_is_never_in_a_finding() {
    let found = find("4111111111111111 4111111111111111\n4111111111111111");
    assert_eq!(found.iter().map(|found| found.line).collect::<Vec<_>>(), [1, 2]);
    assert!(!format!("{found:?}").contains("4111111"));
}

#[test]
fn a_line_is_searched_for_its_ends_once_however_many_keywords_it_has() {
    assert_eq!(find(&"ey".repeat(MAX_BYTES / 2)), []);
}

#[test]
fn lines_are_counted_once_however_many_findings_a_text_has() {
    let found = find(&"4111111111111111\n".repeat(MAX_BYTES / 17));
    let lines: Vec<usize> = found.iter().map(|found| found.line).collect();
    assert_eq!(lines, (1..=MOST_FINDINGS).collect::<Vec<_>>());
}

proptest! {
    #[test]
    fn no_text_causes_a_panic(text in "(?s)[A-Z]{0,2}[0-9 \\-]{0,40}.{0,60}(://)?.{0,9}:?.{0,9}@?.{0,9}|\\PC{0,200}") {
        find(&text);
    }
}
