//! `lunette complete-values`: the assets, tags, languages and steps that a shell offers while a command is typed. The
//! scripts of `lunette completions` call it with the words typed so far.
//!
//! What must hold: it prints values and nothing else, and what cannot be found is not offered.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgAction, Command};

use lunette_client::client::Limits;
use lunette_client::model::language::LANGUAGES;
use lunette_inspector::assets::linkable;
use lunette_inspector::assets::load::PagedList;
use lunette_inspector::change::LinkKind;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::trash;
use lunette_inspector::undo::HeadlessHistory;

use crate::cli::connect::{self, Access, Service, Wanted};
use crate::cli::{Failure, data_dir, help};

/// The most values that are offered.
const MOST: usize = 200;
/// How long a shell waits for the values.
const TIMEOUT: Duration = Duration::from_secs(2);
/// How long it waits for another command.
const PATIENCE: Duration = Duration::from_secs(1);

/// What `complete-values` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The words of the command, the last one as far as it is typed.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// What the last word can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Asset,
    Deleted,
    Tag,
    Language,
    Step,
}

/// A value, and what is said of it.
type Value = (String, String);

/// Prints the values that begin as the last word does, each with a description behind a tab.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Some(typed) = Typed::read(&arguments.words) else { return Ok(()) };
    let values = typed.values()?;
    let beginning = typed.last.to_lowercase();
    let begins = |(value, _): &Value| value.to_lowercase().starts_with(&beginning);
    // What would end a line or move the cursor is not offered.
    let plain = |(value, _): &Value| !value.is_empty() && !value.chars().any(char::is_control);
    let offered = values.into_iter().filter(|value| begins(value) && plain(value)).take(MOST);
    let line = |(value, what): Value| format!("{value}\t{}\n", crate::cli::progress::escaped(&what));
    crate::cli::print(&offered.map(line).collect::<String>())
}

/// A command as far as it is typed.
struct Typed {
    kind: Kind,
    last: String,
    url: Option<String>,
    data: Option<PathBuf>,
}

impl Typed {
    /// Reads the words; `None` if the last one is nothing that is looked up.
    fn read(words: &[String]) -> Option<Self> {
        let (_, [verb, words @ .., last]) = words.split_first()? else { return None };
        let command = help::command();
        let command = command.find_subcommand(verb)?;
        let (mut positional, mut option, mut url, mut data) = (0, None, None, None);
        for word in words {
            match option.take() {
                Some("url") => url = Some(word.clone()),
                Some("data") => data = Some(PathBuf::from(word)),
                Some(_) => {}
                None => match value_of(command, word) {
                    Some(name) => option = Some(name),
                    None => positional += usize::from(!word.starts_with('-')),
                },
            }
        }
        let kind = match option {
            Some("language") => Kind::Language,
            Some("tag") => Kind::Tag,
            Some(_) => return None,
            None if last.starts_with('-') => return None,
            None => positional_kind(verb, positional)?,
        };
        Some(Self { kind, last: last.clone(), url, data })
    }

    fn values(&self) -> Result<Vec<Value>, Failure> {
        match self.kind {
            Kind::Language => Ok(languages()),
            Kind::Step => self.steps(),
            Kind::Asset | Kind::Deleted | Kind::Tag => {
                connect::run(self.wanted().with(async |service: &Service| match self.kind {
                    Kind::Tag => tags(service).await,
                    Kind::Deleted => deleted(service).await,
                    _ => assets(service, &self.last).await,
                }))
            }
        }
    }

    fn wanted(&self) -> Wanted<'_> {
        let (url, data) = (self.url.as_deref(), self.data.as_deref());
        let limits = Limits { total: TIMEOUT, ..Limits::default() };
        Wanted { url, data, access: Access::Read, limits, identify: true, in_flight: None, patience: Some(PATIENCE) }
    }

    fn steps(&self) -> Result<Vec<Value>, Failure> {
        let connection = connect::run(self.wanted().connection())?;
        let folder = data_dir::folder(self.data.as_deref().map(Path::new))?;
        let history = HeadlessHistory::open(&folder, &connection).unwrap_or_default();
        let step =
            |entry: &std::sync::Arc<lunette_inspector::journal::Entry>| (entry.id.0.to_string(), entry.title.clone());
        Ok(history.entries().iter().rev().take(MOST).map(step).collect())
    }
}

/// Returns the name of the option that a word is, if the next word is its value.
fn value_of<'a>(command: &'a Command, word: &str) -> Option<&'a str> {
    let takes_a_value = |action: &ArgAction| matches!(action, ArgAction::Set | ArgAction::Append);
    let mut options = command.get_arguments().filter(|argument| takes_a_value(argument.get_action()));
    let option = options.find(|argument| {
        let long = argument.get_long().is_some_and(|long| word.strip_prefix("--") == Some(long));
        let short = argument.get_short().is_some_and(|short| word.strip_prefix('-') == Some(&*short.to_string()));
        !argument.is_positional() && (long || short)
    })?;
    option.get_long()
}

/// What the positional argument at this index of a verb is.
fn positional_kind(verb: &str, index: usize) -> Option<Kind> {
    match (verb, index) {
        ("show" | "edit", 0) | ("diff", 0 | 1) | ("export" | "delete", _) => Some(Kind::Asset),
        ("tag" | "untag", 0) => Some(Kind::Tag),
        ("tag" | "untag", _) => Some(Kind::Asset),
        ("undelete", _) => Some(Kind::Deleted),
        ("undo" | "resume" | "cancel", 0) => Some(Kind::Step),
        _ => None,
    }
}

fn languages() -> Vec<Value> {
    let all = LANGUAGES.iter().filter(|language| !language.specific.is_empty());
    all.map(|language| (language.specific.to_owned(), language.name.to_owned())).collect()
}

async fn tags(service: &Service) -> Result<Vec<Value>, Failure> {
    let tags = linkable::list(&service.client, LinkKind::Tag, service.vendor).await.map_err(connect::failure)?;
    Ok(tags.into_iter().map(|tag| (tag.text, "tag".to_owned())).collect())
}

async fn deleted(service: &Service) -> Result<Vec<Value>, Failure> {
    let rows = trash::list(&service.client).await.map_err(connect::failure)?;
    Ok(rows.iter().flat_map(|row| named(&row.asset)).collect())
}

/// Reads the assets until enough of them begin as the word does.
async fn assets(service: &Service, word: &str) -> Result<Vec<Value>, Failure> {
    let beginning = word.to_lowercase();
    let mut pages = PagedList::new(service.client.clone()).of_vendor(service.vendor);
    let mut values = Vec::new();
    while values.len() < MOST
        && let Some(page) = pages.next().await
    {
        let page = page.map_err(connect::failure)?;
        let all = page.iter().flat_map(|row| named(row));
        values.extend(all.filter(|(value, _)| value.to_lowercase().starts_with(&beginning)));
    }
    // An id is offered once it is begun: names come first.
    values.sort_by_key(|(value, _)| uuid::Uuid::parse_str(value).is_ok());
    if beginning.is_empty() {
        values.retain(|(value, _)| uuid::Uuid::parse_str(value).is_err());
    }
    Ok(values)
}

/// The name of an asset with its id, and its id with its name.
fn named(row: &AssetRow) -> [Value; 2] {
    [(row.name().to_owned(), row.id().to_string()), (row.id().to_string(), row.name().to_owned())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> Option<Kind> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Typed::read(&words).map(|typed| typed.kind)
    }

    #[test]
    fn completions_depend_on_the_previous_words() {
        for (line, expected) in [
            ("lunette show ", Some(Kind::Asset)),
            ("lunette show a ", None),
            ("lunette show --json --url http://[::1]:1 a", Some(Kind::Asset)),
            ("lunette tag ", Some(Kind::Tag)),
            ("lunette tag x a b", Some(Kind::Asset)),
            ("lunette new --tag ", Some(Kind::Tag)),
            ("lunette edit a --language r", Some(Kind::Language)),
            ("lunette edit a --name r", None),
            ("lunette edit a --n", None),
            ("lunette export a -o ", None),
            ("lunette export a -o b ", Some(Kind::Asset)),
            ("lunette undelete ", Some(Kind::Deleted)),
            ("lunette undo ", Some(Kind::Step)),
            ("lunette import ", None),
            ("lunette ", None),
            ("lunette", None),
        ] {
            assert_eq!(kind(line), expected, "{line}");
        }
        let words = ["lunette", "delete", "--data", "d", "a"].map(str::to_owned);
        let typed = Typed::read(&words).expect("an asset");
        assert_eq!((typed.data, typed.url, typed.last), (Some(PathBuf::from("d")), None, "a".to_owned()));
    }
}
