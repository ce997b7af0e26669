//! Languages that are known by the form of all their lines: settings, styles, recipes, tables.
//!
//! What must hold: lines of a letter, of notes or of a chat (`Ada: see you at noon`) are not data.

/// The language of a text by the form of its lines: settings, styles, recipes, tables.
pub(super) fn by_data(text: &str) -> Option<&'static str> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return None;
    }
    toml_or_ini(trimmed)
        .or_else(|| css(trimmed))
        .or_else(|| yaml(trimmed))
        .or_else(|| makefile(text))
        .or_else(|| table(trimmed))
}

/// `[section]` and `key = value`: TOML when every value is one of TOML's, INI otherwise.
fn toml_or_ini(text: &str) -> Option<&'static str> {
    let (mut sections, mut pairs, mut typed) = (0, 0, 0);
    // Only INI has comments with a semicolon, and no space around most of its signs.
    let ini =
        text.lines().any(|line| line.starts_with(';')) || !text.contains(" = ") && !text.contains(['"', '[', '\'']);
    let (mut open, mut quoted) = (0_i32, false);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';'])) {
        let quotes = line.matches("\"\"\"").count() % 2 == 1;
        if quoted {
            quoted = !quotes;
            continue;
        }
        quoted = quotes && line.contains('=');
        if open <= 0 && line.starts_with('[') && line.ends_with(']') && !line.contains(['(', '"', ',']) {
            sections += 1;
        } else if open > 0 {
            open += brackets(line);
        } else if let Some((key, value)) = line.split_once('=') {
            let key_is_plain =
                key.trim().chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | ' '));
            let assigned = !key.trim().is_empty() && key_is_plain && !value.starts_with(['=', '>']);
            if !assigned || (sections == 0 && key.trim().contains(' ')) || line.ends_with([';', '{', ')']) {
                return None;
            }
            pairs += 1;
            typed += i32::from(toml_value(value.trim()));
            open = brackets(value).max(0);
        } else {
            return None;
        }
    }
    match (sections, pairs) {
        (1.., 1..) if typed == pairs && !ini => Some("toml"),
        (1.., 1..) => Some("ini"),
        (0, 3..) if typed == pairs && text.contains(" = ") && text.contains(['"', '[']) => Some("toml"),
        (0, 2..) if is_environment(text) => Some("hljs-properties"),
        _ => None,
    }
}

/// Whether all lines are `NAME=value`.
fn is_environment(text: &str) -> bool {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).all(|line| {
        line.split_once('=').is_some_and(|(name, _)| {
            let upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
            name.starts_with(|c: char| c.is_ascii_uppercase())
                && name.chars().all(upper)
                && !line.contains('$')
                && !line.ends_with('\\')
        })
    })
}

fn brackets(text: &str) -> i32 {
    text.chars().map(|c| i32::from(matches!(c, '[' | '{')) - i32::from(matches!(c, ']' | '}'))).sum()
}

fn toml_value(value: &str) -> bool {
    value.starts_with(['"', '\'', '[', '{', '+', '-'])
        || value.starts_with("true")
        || value.starts_with("false")
        || value.starts_with(|c: char| c.is_ascii_digit())
}

fn css(text: &str) -> Option<&'static str> {
    let (mut rules, mut declarations, mut others, mut scss) = (0, 0, 0, false);
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let selector = line.strip_suffix('{').or_else(|| line.split_once('{').map(|(front, _)| front)).map(str::trim);
        let rule = selector.is_some_and(is_selector);
        rules += i32::from(rule);
        scss |= line.starts_with('&') || line.starts_with("@mixin") || line.starts_with("@include");
        let inner = line.trim_end_matches(['}', ' ']);
        let inner = inner.rsplit_once('{').map_or(inner, |(_, inner)| inner).trim();
        let ended = inner.ends_with(';') || line.ends_with('}');
        let property = inner.split(';').next().and_then(|first| first.split_once(':')).map(|(name, _)| name.trim());
        let declared = ended && property.is_some_and(is_property) && !inner.contains("::");
        declarations += i32::from(declared);
        scss |= declared && property.is_some_and(|name| name.starts_with('$'));
        others += i32::from(!rule && !declared && !matches!(line, "}" | "};") && !line.starts_with(['/', '*', '@']));
    }
    let whole = rules >= 1 && declarations >= 1 && declarations * 2 >= rules;
    let alone = rules == 0 && declarations >= 2 && others == 0 && !text.contains(['"', '=']);
    let other = ["function ", "interface ", "struct ", "enum ", "return ", "class ", "=>"];
    let css = (whole && (scss || !other.iter().any(|word| text.contains(word)))) || alone;
    css.then_some(if scss { "scss" } else { "css" })
}

/// What stands before the bracket of a rule: elements, classes, ids, or a rule such as `@media (…)`.
fn is_selector(selector: &str) -> bool {
    let simple = !selector.is_empty() && !selector.contains(['(', '=', ';', '"']);
    let begins = selector.starts_with(|c: char| c.is_ascii_lowercase() || ".#*:&[".contains(c));
    let at = ["@media", "@supports", "@font-face", "@keyframes", "@mixin", "@layer", "@page", "@container"];
    let pseudo = [":not(", ":nth-", ":is(", ":where(", ":has(", "[type="].iter().any(|part| selector.contains(part));
    (simple || pseudo) && begins || at.iter().any(|rule| selector.starts_with(rule))
}

fn is_property(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '$'))
        || name.starts_with('$') && name[1..].chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

fn yaml(text: &str) -> Option<&'static str> {
    let (mut keys, mut items, mut others) = (0, 0, 0);
    let mut block = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line == "---" || block.is_some_and(|deeper| indent > deeper) {
            continue;
        }
        block = (line.ends_with('|') || line.ends_with('>') || line.ends_with("|-") || line.ends_with(">-"))
            .then_some(indent);
        let body = line.strip_prefix("- ");
        items += i32::from(body.is_some() || line == "-");
        if is_yaml_pair(body.unwrap_or(line)) {
            keys += 1;
        } else if body.is_none() {
            others += 1;
        }
    }
    let marked = text.starts_with("---\n") || text.starts_with("%YAML");
    let enough =
        keys >= 2 && others * 4 <= keys || keys >= 1 && marked && others == 0 || keys >= 1 && items >= 2 && others == 0;
    (enough && (marked || !is_notes(text))).then_some("yaml")
}

/// Whether lines such as `name: value` are notes, a chat or the head of a mail: the values are words, nothing is below
/// another line, and the names begin as sentences do.
fn is_notes(text: &str) -> bool {
    let pairs = || text.lines().filter_map(|line| line.split_once(": "));
    let below = |line: &str| line.starts_with([' ', '-']) && is_yaml_pair(line.trim_start_matches([' ', '-']));
    let nested = text.lines().any(|line| below(line) || line.starts_with("  - ") || line.starts_with("- "));
    let capitals = pairs().filter(|(key, _)| key.starts_with(char::is_uppercase)).count();
    let typed = |value: &str| {
        value.starts_with(['"', '\'', '[', '{', '|', '>', '&', '*', '!'])
            || matches!(value, "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "~")
            || value.parse::<f64>().is_ok()
    };
    let sentences = pairs().filter(|(_, value)| value.contains(' ') && !typed(value)).count();
    let all = pairs().count();
    if nested {
        capitals == all && sentences * 2 > all
    } else {
        capitals * 2 > all || sentences * 2 >= all && !pairs().any(|(_, value)| typed(value))
    }
}

/// `key: value` or `key:`, where the key is one word and the line is not code.
fn is_yaml_pair(line: &str) -> bool {
    let Some((key, value)) = line.split_once(':') else { return false };
    let key = key.trim_matches(['"', '\'']);
    let word =
        !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '$' | '<'));
    word && (value.is_empty() || value.starts_with(' ')) && !line.ends_with([';', '{', ',', '('])
}

fn makefile(text: &str) -> Option<&'static str> {
    let mut after_target = false;
    let mut recipes = 0;
    for line in text.lines() {
        let recipe = line
            .strip_prefix('\t')
            .is_some_and(|line| line.starts_with(|c: char| !c.is_whitespace() && !c.is_ascii_digit()));
        recipes += i32::from(after_target && recipe);
        let target = line.split_once(':').is_some_and(|(target, rest)| {
            let plain = |c: char| c.is_alphanumeric() || "._-/%$() ".contains(c);
            !target.is_empty()
                && target.chars().all(plain)
                && !target.starts_with([' ', '\t'])
                && !rest.starts_with(['/', ':'])
                && !rest.contains(['{', ';'])
                && !target.starts_with("case ")
        });
        after_target = target || after_target && (line.starts_with('\t') || line.is_empty());
    }
    let python =
        ["def ", "class ", "import "].iter().any(|word| text.starts_with(word) || text.contains(&format!("\n{word}")));
    (recipes >= 1 && !python).then_some("hljs-makefile")
}

/// Rows with the same number of commas, semicolons or tabs, at least three of them.
fn table(text: &str) -> Option<&'static str> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(50).collect();
    let whole = &lines[..lines.len().saturating_sub(1).max(1)];
    let even = |mark: char, least: usize| {
        let columns = whole[0].matches(mark).count();
        columns >= least && whole.iter().all(|line| line.matches(mark).count() == columns)
    };
    let plain = lines.iter().all(|line| !line.ends_with([';', '{', '}', ',', ')', '.']));
    // In sentences and addresses a space follows.
    let tight = whole.iter().all(|line| !line.contains(", ")) || even(',', 3);
    let even = even(',', 1) && tight || even(';', 2) || even('\t', 1) && !lines[0].starts_with('\t');
    (lines.len() >= 3 && plain && even).then_some("csv")
}
