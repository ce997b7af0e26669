//! The grammar and the sieve, against a model that does what the words say, slowly.

use jiff::civil::date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ZonedDateTime};
use proptest::prelude::*;

use super::version::{numbers, significant};
use super::*;

/// A row of any texts, numbers and moments.
#[derive(Clone, Debug, Default)]
struct Plain {
    name: Option<String>,
    language: Option<String>,
    tags: Vec<String>,
    folder: Option<String>,
    score: Option<i64>,
    size: Option<i64>,
    updated: Option<Timestamp>,
    favourite: bool,
    haystack: String,
}

impl Filterable for Plain {
    const LIST: List = List::Assets;

    fn haystack(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.haystack)
    }

    fn is(&self, flag: Flag) -> bool {
        flag == Flag::Favourite && self.favourite
    }
}

impl Fields for Plain {
    fn any_text(&self, field: Field, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
        self.texts(field).into_iter().any(wanted)
    }

    fn number(&self, field: Field) -> Option<i64> {
        match field {
            Field::Score => self.score,
            Field::Size => self.size,
            _ => None,
        }
    }

    fn moment(&self, field: Field) -> Option<Timestamp> {
        self.updated.filter(|_| field == Field::Updated)
    }
}

impl Plain {
    fn texts(&self, field: Field) -> Vec<&str> {
        match field {
            Field::Name => self.name.iter().map(String::as_str).collect(),
            Field::Language => self.language.iter().map(String::as_str).collect(),
            Field::Tag => self.tags.iter().map(String::as_str).collect(),
            Field::Folder => self.folder.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }

    /// What the filter says, word by word.
    fn is_wanted(&self, filter: &Filter, now: &ZonedDateTime) -> bool {
        filter.terms.iter().all(|term| {
            let holds = match &term.test {
                Condition::Text(text) => self.haystack.contains(&text.to_lowercase()),
                Condition::Field(field, any) => any.iter().any(|ask| self.answers(*field, ask, now)),
            };
            holds != term.negated
        })
    }

    fn answers(&self, field: Field, ask: &Comparison, now: &ZonedDateTime) -> bool {
        let lower = |text: &str| text.to_lowercase();
        if let (Value::Text(text), Op::Has, FieldKind::Folder) = (&ask.value, ask.op, field.kind()) {
            let wanted = format!("{}/", lower(text).trim_end_matches('/'));
            return self
                .folder
                .iter()
                .any(|folder| !folder.is_empty() && lower(&format!("{folder}/")).starts_with(&wanted));
        }
        match (&ask.value, ask.op) {
            (Value::Text(text), op) => self.texts(field).into_iter().any(|actual| {
                let whole = op == Op::Is || field.kind() == FieldKind::Word;
                if whole { lower(actual) == lower(text) } else { lower(actual).contains(&lower(text)) }
            }),
            (Value::Number(wanted), op) => {
                self.number(field).is_some_and(|actual| holds(i128::from(actual), op, i128::from(*wanted)))
            }
            (Value::Bytes(wanted), op) => {
                self.number(field).is_some_and(|actual| holds(i128::from(actual), op, i128::from(*wanted)))
            }
            (Value::When(when), op) => self.moment(field).is_some_and(|actual| matches_by_day(actual, *when, op, now)),
            (Value::Flag(flag), _) => self.is(*flag),
            (Value::Millis(_) | Value::Version(_), _) => false,
        }
    }
}

fn holds(one: i128, op: Op, other: i128) -> bool {
    match op {
        Op::Has | Op::Is => one == other,
        Op::Less => one < other,
        Op::AtMost => one <= other,
        Op::More => one > other,
        Op::AtLeast => one >= other,
    }
}

/// By the civil day of the moment, as one would with a calendar.
fn matches_by_day(actual: Timestamp, when: When, op: Op, now: &ZonedDateTime) -> bool {
    let day = actual.to_zoned_datetime(now.time_zone().clone()).date();
    let today = now.date();
    let key = match when {
        When::Ago(count, age) => {
            let hours = i64::from(count)
                * match age {
                    Age::Hours => 1,
                    Age::Days => 24,
                    _ => 24 * 7,
                };
            let young = now.timestamp().as_second() - actual.as_second() <= hours * 3_600;
            return young != matches!(op, Op::More | Op::AtLeast);
        }
        When::Today => (day.cmp(&today)) as i128,
        When::Yesterday => day.cmp(&today.yesterday().expect("a day")) as i128,
        When::Day(date) => day.cmp(&date) as i128,
        When::Month(date) => (day.year(), day.month()).cmp(&(date.year(), date.month())) as i128,
        When::Year(date) => day.year().cmp(&date.year()) as i128,
    };
    holds(key, op, 0)
}

fn now() -> ZonedDateTime {
    date(2026, 3, 1).at(12, 30, 0, 0).to_zoned_datetime(TimeZone::UTC).expect("a moment")
}

fn any_op() -> impl Strategy<Value = Op> {
    proptest::sample::select(vec![Op::Has, Op::Less, Op::AtMost, Op::More, Op::AtLeast])
}

fn any_when(ages: Vec<Age>) -> impl Strategy<Value = When> {
    let day = (1990_i16..2040, 1_i8..13, 1_i8..29).prop_map(|(year, month, day)| date(year, month, day));
    prop_oneof![
        (0_u32..400, proptest::sample::select(ages)).prop_map(|(count, age)| When::Ago(count, age)),
        Just(When::Today),
        Just(When::Yesterday),
        day.clone().prop_map(When::Day),
        day.clone().prop_map(|day| When::Month(day.first_of_month())),
        day.prop_map(|day| When::Year(day.first_of_year())),
    ]
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-cA-C\" :,\\\\<>=-]{0,6}", ".{0,6}", "[a-c]{1,3}", "[a-zäßİ]{0,4}"]
}

fn any_folder() -> impl Strategy<Value = String> {
    "[a-cA-Cä]{1,2}(/[a-cÄ]{1,2}){0,2}"
}

fn any_ask(field: Field, list: List) -> BoxedStrategy<Comparison> {
    let ask = |(op, value)| Comparison { op, value };
    match field.kind() {
        FieldKind::Text | FieldKind::Folder => {
            let op = proptest::sample::select(vec![Op::Has, Op::Is]);
            (op, prop_oneof![any_text(), any_folder()].prop_map(Value::Text)).prop_map(ask).boxed()
        }
        FieldKind::Word => (Just(Op::Has), any_text().prop_map(Value::Text)).prop_map(ask).boxed(),
        FieldKind::Number => {
            (any_op(), prop_oneof![-3_i64..9, any::<i64>()].prop_map(Value::Number)).prop_map(ask).boxed()
        }
        FieldKind::Bytes => {
            (any_op(), prop_oneof![0_u64..9, any::<u64>()].prop_map(Value::Bytes)).prop_map(ask).boxed()
        }
        FieldKind::Millis => (any_op(), any::<u64>().prop_map(Value::Millis)).prop_map(ask).boxed(),
        FieldKind::Version => {
            let op = prop_oneof![any_op(), Just(Op::Is)];
            (op, "[v\"]?[0-9]{1,2}([.,-][0-9a-c]{1,3}){0,2}".prop_map(Value::Version)).prop_map(ask).boxed()
        }
        FieldKind::When => (any_op(), any_when(Age::ALL.to_vec()).prop_map(Value::When)).prop_map(ask).boxed(),
        FieldKind::Flag => {
            (Just(Op::Has), proptest::sample::select(list.flags()).prop_map(Value::Flag)).prop_map(ask).boxed()
        }
    }
}

fn any_filter(list: List, fields: Vec<Field>) -> impl Strategy<Value = Filter> {
    let field = proptest::sample::select(fields);
    let fields = field.prop_flat_map(move |field| {
        proptest::collection::vec(any_ask(field, list), 1..3).prop_map(move |any| Condition::Field(field, any))
    });
    let test = prop_oneof![any_text().prop_map(Condition::Text), fields];
    let term = (any::<bool>(), test).prop_map(|(negated, test)| Term { negated, test });
    proptest::collection::vec(term, 0..4).prop_map(|terms| Filter { terms })
}

fn any_row() -> impl Strategy<Value = Plain> {
    let near = now().timestamp().as_second();
    let moment = prop_oneof![near - 400 * 86_400..near + 86_400, near - 90_000..near + 90_000];
    (
        proptest::option::of(any_text()),
        proptest::option::of("[a-c]{1,3}"),
        proptest::collection::vec("[a-cA-C]{1,2}", 0..3),
        proptest::option::of(-3_i64..9),
        proptest::option::of(0_i64..9),
        proptest::option::of(moment.prop_map(|second| Timestamp::from_second(second).expect("a moment"))),
        any::<bool>(),
        proptest::option::of(any_folder()),
    )
        .prop_map(|(name, language, tags, score, size, updated, favourite, folder)| {
            let haystack = [name.as_deref(), language.as_deref()].into_iter().flatten();
            let haystack =
                haystack.chain(tags.iter().map(String::as_str)).collect::<Vec<_>>().join("\n").to_lowercase();
            Plain { name, language, tags, folder, score, size, updated, favourite, haystack }
        })
}

fn any_list() -> impl Strategy<Value = (List, Filter)> {
    proptest::sample::select(List::ALL.to_vec())
        .prop_flat_map(|list| (Just(list), any_filter(list, list.fields().to_vec())))
}

proptest! {
    #[test]
    fn written_data_reads_back_unchanged((list, filter) in any_list()) {
        let text = filter.to_string();
        prop_assert_eq!(parse(&text, list), Ok(filter), "{}", text);
    }

    #[test]
    fn rows_are_filtered_by_words_and_fields(
        rows in proptest::collection::vec(any_row(), 1..20),
        filter in any_filter(
            List::Assets,
            vec![Field::Name, Field::Folder, Field::Language, Field::Tag, Field::Score, Field::Size, Field::Is],
        ),
        (op, when) in (any_op(), any_when(vec![Age::Hours, Age::Days, Age::Weeks])),
    ) {
        let now = now();
        let timed = Condition::Field(Field::Updated, vec![Comparison { op, value: Value::When(when) }]);
        let timed = Filter { terms: vec![Term { negated: false, test: timed }] };
        for filter in [filter, timed] {
            let compiled = CompiledFilter::new(&filter, &now);
            for row in &rows {
                prop_assert_eq!(compiled.takes(row), row.is_wanted(&filter, &now), "{} of {:?}", filter, row);
            }
        }
    }

    #[test]
    fn any_text_is_read(text in "[a-z:\",\\\\<>=-äß \t\u{202e}0-9]{0,40}") {
        for list in List::ALL {
            match parse(&text, list) {
                Ok(filter) => prop_assert_eq!(parse(&filter.to_string(), list), Ok(filter)),
                Err(fault) => {
                    prop_assert!(text.get(fault.span.clone()).is_some(), "{:?}", fault);
                    fault.pointed(&text);
                }
            }
            for cursor in 0..=text.len() {
                if let Some(offer) = complete(&text, cursor, list, &|_| vec!["to do".to_owned().into(), "äb".to_owned().into()]) {
                    prop_assert!(text.get(offer.span.clone()).is_some(), "{:?}", offer);
                }
            }
        }
    }
}

fn read(text: &str) -> Filter {
    parse(text, List::Assets).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn fault(text: &str) -> (String, String) {
    let fault = parse(text, List::Assets).expect_err("a fault");
    (text[fault.span.clone()].to_owned(), fault.problem)
}

#[test]
fn the_documented_example_filter_is_parsed_as_described() {
    let filter = read("language:rust tag:\"to do\" score:>3 updated:<7d text");
    let ask = |op, value| vec![Comparison { op, value }];
    let tests = [
        Condition::Field(Field::Language, ask(Op::Has, Value::Text("rust".into()))),
        Condition::Field(Field::Tag, ask(Op::Has, Value::Text("to do".into()))),
        Condition::Field(Field::Score, ask(Op::More, Value::Number(3))),
        Condition::Field(Field::Updated, ask(Op::Less, Value::When(When::Ago(7, Age::Days)))),
        Condition::Text("text".into()),
    ];
    assert_eq!(filter.terms, tests.map(|test| Term { negated: false, test }));
    assert_eq!(filter.words_alone(), Filter::words("text"));
    assert_eq!(filter.without_words().terms, filter.terms[..4]);
}

#[test]
fn unknown_prefixes_are_searched_as_text() {
    for text in ["std::io", "http://a.b/c?d", "C:\\x", "12:30", "note:", "->", "--release", "-", "a-b", "5\"", "x:y"] {
        assert_eq!(read(text), Filter::words(text), "{text}");
    }
    assert_eq!(read("\"foo:bar\" \"say \\\"hi\\\" \\\\ \\n\"").terms.len(), 2);
    assert_eq!(read("-draft").to_string(), "-draft");
    assert_eq!(read("SIZE:>=10KB lang:rust").to_string(), "size:>=10000 language:rust");
}

#[test]
fn a_parse_error_has_a_position_and_a_suggestion() {
    assert_eq!(
        fault("a langauge:rust"),
        ("langauge".into(), "unknown field “langauge”: did you mean “language”?".into())
    );
    assert!(fault("xyzzy:1").1.contains("put it in quotes"));
    assert_eq!(fault("b score:>many c").0, "many");
    assert_eq!(fault("size:10xb").0, "10xb");
    assert_eq!(
        fault("updated:<7m").1,
        "\"7m\" is unclear (“min” is minutes, “mo” is months): “updated:” takes <7d, >2026-01-31, today"
    );
    assert_eq!(fault("updated:2026-02-30").0, "2026-02-30");
    assert_eq!(fault("is:favorit").1, "unknown value \"favorit\": did you mean “favourite”?");
    assert_eq!(fault("score:1,,2").0, ",");
    assert!(parse("tag:\"to d", List::Assets).expect_err("a fault").unfinished);
    assert!(parse("score:>", List::Assets).expect_err("a fault").unfinished);
    assert_eq!(parse("ü sco:1", List::Assets).expect_err("a fault").pointed("ü sco:1"), "ü sco:1\n  ^^^");
}

#[test]
fn versions_compare_by_their_numbers() {
    struct Of(&'static str);
    impl Filterable for Of {
        const LIST: List = List::External;
        fn haystack(&self) -> Cow<'_, str> {
            "".into()
        }
    }
    impl Fields for Of {
        fn number(&self, _: Field) -> Option<i64> {
            None
        }
        fn moment(&self, _: Field) -> Option<Timestamp> {
            None
        }
        fn any_text(&self, _: Field, wanted: &mut dyn FnMut(&str) -> bool) -> bool {
            wanted(self.0)
        }
    }
    let takes = |filter: &str, version| {
        CompiledFilter::new(&parse(filter, List::External).expect("a filter"), &now()).takes(&Of(version))
    };
    assert!(takes("version:>=1.2", "1.10") && takes("version:>=1.2.0", "v1.2") && !takes("version:>1.2", "1.2.0"));
    assert!(takes("version:1.2", "1.2.9") && !takes("version:1.2", "1.20") && takes("version:=1.2", "1.2.0"));
    assert!(!takes("version:<9", "unknown"));
    assert_eq!(significant(numbers("1.0.0")), [1]);
}

#[test]
fn names_and_values_are_completed_while_typing() {
    let known = |field| match field {
        Field::Tag => vec!["to do".to_owned().into(), "http".to_owned().into()],
        _ => Vec::new(),
    };
    let offered = |text: &str| {
        let offer = complete(text, text.len(), List::Assets, &known)?;
        Some((offer.span, offer.choices.into_iter().map(|choice| choice.text).collect::<Vec<_>>()))
    };
    assert_eq!(offered("a s"), Some((2..3, vec!["summary:".into(), "score:".into(), "size:".into()])));
    assert_eq!(offered("tag:t"), Some((4..5, vec!["\"to do\"".into(), "http".into()])));
    assert_eq!(offered("-tag:http,\"to"), Some((10..13, vec!["\"to do\"".into()])));
    assert_eq!(offered("tag:http"), None, "what stands there is no choice");
    assert_eq!((offered(""), offered("\"a s"), offered("zz"), offered("a ")), (None, None, None, None));
}
