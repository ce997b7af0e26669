//! Writes `grammars.zip` and `LICENSES.md` from the grammars that the crate two-face carries.
//!
//! Run it in this folder with `cargo run`, and look at what changed. It is not part of the program, and its dependencies
//! are none of the program's.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::Write;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use syntect::parsing::Scope;
use syntect::parsing::syntax_definition::{
    Context, ContextId, ContextReference, MatchOperation, MatchPattern, Pattern,
};
use zip::write::SimpleFileOptions;

/// What syntect keeps of one grammar, as its dumps have it.
#[derive(Deserialize)]
struct Contexts {
    context_ids: HashMap<String, ContextId>,
    contexts: Vec<Context>,
}

/// The names of scopes, numbered in the order of their first use.
#[derive(Default)]
struct Scopes {
    numbers: HashMap<String, usize>,
    names: Vec<String>,
}

impl Scopes {
    fn numbers(&mut self, scopes: &[Scope]) -> Value {
        scopes.iter().map(|scope| self.number(scope.build_string())).collect()
    }

    fn number(&mut self, name: String) -> Value {
        let next = self.names.len();
        let number = *self.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            self.names.push(name);
        }
        json!(number)
    }
}

fn main() {
    let set = serde_json::to_value(two_face::syntax::extra_newlines()).unwrap();
    let mut scopes = Scopes::default();
    let mut list = Vec::new();
    let mut files = BTreeMap::new();
    for (index, syntax) in set["syntaxes"].as_array().unwrap().iter().enumerate() {
        let bytes: Vec<u8> = serde_json::from_value(syntax["serialized_lazy_contexts"].clone()).unwrap();
        let found: Contexts = syntect::dumps::from_reader(&bytes[..]).unwrap();
        let contexts: Vec<Value> = found.contexts.iter().map(|context| convert(context, &mut scopes)).collect();
        let file = format!("{index:03}.json");
        list.push(json!({
            "name": syntax["name"], "extensions": syntax["file_extensions"],
            "start": place(found.context_ids["__start"])[1],
        }));
        files.insert(file, lines(&contexts));
    }
    let mut zip = zip::ZipWriter::new(File::create("../grammars.zip").unwrap());
    let options = SimpleFileOptions::default().compression_level(Some(9)).last_modified_time(zip::DateTime::default());
    zip.start_file("index.json", options).unwrap();
    let index = json!({ "scopes": scopes.names, "grammars": list });
    zip.write_all(index.to_string().as_bytes()).unwrap();
    for (name, text) in files {
        zip.start_file(name, options).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    fs::write("../LICENSES.md", two_face::acknowledgement::listing().to_md()).unwrap();
    println!("{} grammars, {} scopes", set["syntaxes"].as_array().unwrap().len(), scopes.names.len());
}

/// A list with one item a line, so that a person can read it.
fn lines(items: &[Value]) -> String {
    let items: Vec<String> = items.iter().map(Value::to_string).collect();
    format!("[\n{}\n]\n", items.join(",\n"))
}

fn convert(context: &Context, scopes: &mut Scopes) -> Value {
    let mut out = Map::new();
    if !context.meta_scope.is_empty() {
        out.insert("meta".into(), scopes.numbers(&context.meta_scope));
    }
    if !context.meta_content_scope.is_empty() {
        out.insert("content".into(), scopes.numbers(&context.meta_content_scope));
    }
    match serde_json::to_value(&context.clear_scopes).unwrap() {
        Value::Null => {}
        // All of them: more than any stack has.
        Value::String(_) => drop(out.insert("clear".into(), json!(1_000_000))),
        Value::Object(amount) => drop(out.insert("clear".into(), amount["TopN"].clone())),
        other => panic!("{other}"),
    }
    if let Some(prototype) = context.prototype {
        out.insert("prototype".into(), json!(place(prototype)));
    }
    if context.uses_backrefs {
        out.insert("backrefs".into(), json!(true));
    }
    let rules: Vec<Value> = context.patterns.iter().filter_map(|pattern| rule(pattern, scopes)).collect();
    out.insert("rules".into(), json!(rules));
    Value::Object(out)
}

fn rule(pattern: &Pattern, scopes: &mut Scopes) -> Option<Value> {
    let pattern = match pattern {
        Pattern::Include(reference) => return Some(json!({ "include": target(reference)? })),
        Pattern::Match(pattern) => pattern,
    };
    let mut out = Map::new();
    out.insert("match".into(), json!(pattern.regex.regex_str()));
    check(pattern.regex.regex_str(), pattern.has_captures);
    if !pattern.scope.is_empty() {
        out.insert("scope".into(), scopes.numbers(&pattern.scope));
    }
    if let Some(captures) = pattern.captures.as_ref().filter(|captures| !captures.is_empty()) {
        let captures: Vec<Value> = captures.iter().map(|(group, of)| json!([group, scopes.numbers(of)])).collect();
        out.insert("captures".into(), json!(captures));
    }
    if pattern.has_captures {
        out.insert("backrefs".into(), json!(true));
    }
    operation(pattern, &mut out);
    if let Some(with) = pattern.with_prototype.as_ref().and_then(target) {
        out.insert("with".into(), json!(with));
    }
    Some(Value::Object(out))
}

/// Fails for an expression that the program could not compile. Groups of another match are a letter here.
fn check(expression: &str, refers_to_groups: bool) {
    let mut text = expression.to_owned();
    if refers_to_groups {
        for group in 0..10 {
            text = text.replace(&format!("\\{group}"), "x");
        }
    }
    if let Err(error) = fancy_regex::RegexBuilder::new(&text).oniguruma_mode(true).build() {
        panic!("{expression}: {error}");
    }
}

/// What the rule does. One that leads to a grammar that nobody has does nothing.
fn operation(pattern: &MatchPattern, out: &mut Map<String, Value>) {
    let (name, references) = match &pattern.operation {
        MatchOperation::None => return,
        MatchOperation::Pop => return drop(out.insert("pop".into(), json!(true))),
        MatchOperation::Push(references) => ("push", references),
        MatchOperation::Set(references) => ("set", references),
    };
    match references.iter().map(target).collect::<Option<Vec<_>>>() {
        Some(targets) => drop(out.insert(name.into(), json!(targets))),
        None => println!("no target: {references:?}"),
    }
}

fn target(reference: &ContextReference) -> Option<[usize; 2]> {
    reference.id().ok().map(place)
}

/// The grammar and the context in it.
fn place(id: ContextId) -> [usize; 2] {
    let id = serde_json::to_value(id).unwrap();
    ["syntax_index", "context_index"].map(|field| id[field].as_u64().unwrap() as usize)
}
