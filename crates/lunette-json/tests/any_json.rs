//! Any JSON is read as by `serde_json`, without its tree.

use proptest::prelude::*;
use serde_json::{Value, json};

use lunette_json::budget::{estimate, tree_bytes};
use lunette_json::comments::blanked;
use lunette_json::duplicate_key::{Duplicates, duplicate_key};
use lunette_json::token::elements;

fn any_json() -> impl Strategy<Value = Value> {
    let text = r#"[a-c\u{e9}:,/*\[\]{}"\\]{0,8}"#;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 80, 6, move |inner| {
        let fields = prop::collection::vec((text, inner.clone()), 0..6);
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(Value::from),
            fields.prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn values(tree: &Value) -> usize {
    1 + match tree {
        Value::Array(items) => items.iter().map(values).sum(),
        Value::Object(fields) => fields.values().map(values).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

proptest! {
    #[test]
    fn values_memory_keys_and_elements_are_those_of_the_tree(tree in any_json()) {
        for text in [tree.to_string(), format!("{tree:#}")] {
            let estimate = estimate(text.as_bytes());
            prop_assert_eq!(estimate.values, values(&tree));
            prop_assert!(estimate.bytes >= tree_bytes(&tree));
            prop_assert_eq!(duplicate_key(text.as_bytes(), &tree), None);
            prop_assert_eq!(Duplicates::new(text.as_bytes()).next(), None);
            prop_assert_eq!(blanked(&text), None);
            let list = format!(r#"{{"more": {text}, "iterable": [{text}, {text}], "iterable": 1}}"#);
            let items = elements(list.as_bytes(), "iterable").map(Iterator::collect::<Vec<_>>);
            prop_assert_eq!(items, Some(vec![text.as_bytes(); 2]));
            let twice = format!("/* \" */ [{text},{{\"b\": {text}, \"\\u0062\" // {{\n : {text},}},]");
            let strict = blanked(&twice).expect("comments");
            prop_assert_eq!(serde_json::from_str::<Value>(&strict).ok(), Some(json!([tree, { "b": tree }])));
            let found: Vec<_> = Duplicates::new(twice.as_bytes()).map(|duplicate| duplicate.path).collect();
            prop_assert_eq!(found, ["$[1].b"]);
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(text in r#"([\[\]{}:,"a1/* \\\n]|\PC){0,40}"#) {
        estimate(text.as_bytes());
        blanked(&text);
        Duplicates::new(text.as_bytes()).for_each(drop);
        elements(text.as_bytes(), "a").into_iter().flatten().for_each(drop);
    }
}
