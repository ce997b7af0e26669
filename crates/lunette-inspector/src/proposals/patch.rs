//! Applies a unified diff to a text.
//!
//! What must hold: every line that a hunk keeps or removes is in the text, in order; otherwise nothing is changed. A
//! hunk may have moved: then its lines must be found at one place alone.

/// Why a diff cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPatch {
    /// It has no hunk.
    #[error("the diff has no hunk, which begins with a line such as @@ -1,3 +1,4 @@")]
    Empty,
    /// A line of it is not a line of a diff.
    #[error("line {0} of the diff begins with none of space, +, - and @@")]
    Malformed(usize),
    /// A hunk does not fit.
    #[error("hunk {0} does not fit the text: its lines are not there, or at several places; read the text again")]
    Unfit(usize),
}

/// A changed part: the lines before and after, with their ends.
#[derive(Debug, Default)]
struct Hunk {
    /// The first line in the old text, from 0.
    at: usize,
    before: Vec<String>,
    after: Vec<String>,
}

/// Returns a text with a unified diff applied.
pub fn patched(text: &str, diff: &str) -> Result<String, BadPatch> {
    let hunks = read(diff)?;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut done, mut result) = (0, String::with_capacity(text.len() + diff.len()));
    for (index, hunk) in hunks.iter().enumerate() {
        let at = place(&lines, done, hunk).ok_or(BadPatch::Unfit(index + 1))?;
        lines[done..at].iter().for_each(|line| result.push_str(line));
        hunk.after.iter().for_each(|line| result.push_str(line));
        done = at + hunk.before.len();
    }
    lines[done..].iter().for_each(|line| result.push_str(line));
    Ok(result)
}

fn read(diff: &str) -> Result<Vec<Hunk>, BadPatch> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for (index, line) in diff.split_inclusive('\n').enumerate() {
        if let Some(at) = line.strip_prefix("@@ -") {
            let digits: String = at.chars().take_while(char::is_ascii_digit).collect();
            let at = digits.parse::<usize>().map_err(|_| BadPatch::Malformed(index + 1))?;
            hunks.push(Hunk { at: at.saturating_sub(1), ..Hunk::default() });
            continue;
        }
        // The names of the two sides come before the first hunk.
        let Some(hunk) = hunks.last_mut() else { continue };
        let mut signs = line.chars();
        match (signs.next(), signs.as_str()) {
            (Some(' '), rest) => {
                hunk.before.push(rest.to_owned());
                hunk.after.push(rest.to_owned());
            }
            (Some('-'), rest) => hunk.before.push(rest.to_owned()),
            (Some('+'), rest) => hunk.after.push(rest.to_owned()),
            (Some('\\'), _) => without_end(hunk, diff, index),
            // An empty line of context whose space was lost.
            (Some('\n'), _) => {
                hunk.before.push("\n".to_owned());
                hunk.after.push("\n".to_owned());
            }
            _ => return Err(BadPatch::Malformed(index + 1)),
        }
    }
    if hunks.is_empty() { Err(BadPatch::Empty) } else { Ok(hunks) }
}

/// Removes the end of the line before, which `\ No newline at end of file` is about.
fn without_end(hunk: &mut Hunk, diff: &str, index: usize) {
    let sign = diff.split_inclusive('\n').nth(index.saturating_sub(1)).and_then(|line| line.chars().next());
    let cut = |lines: &mut Vec<String>| {
        if let Some(line) = lines.last_mut()
            && line.ends_with('\n')
        {
            line.pop();
        }
    };
    if matches!(sign, Some(' ' | '-')) {
        cut(&mut hunk.before);
    }
    if matches!(sign, Some(' ' | '+')) {
        cut(&mut hunk.after);
    }
}

/// Where the old lines of a hunk are: at the line that it says, or else at the only other place.
fn place(lines: &[&str], from: usize, hunk: &Hunk) -> Option<usize> {
    let fits = |at: usize| {
        let end = at.checked_add(hunk.before.len())?;
        let found = lines.get(at..end)?;
        let mut pairs = found.iter().zip(&hunk.before).enumerate();
        pairs.all(|(index, (line, wanted))| is_line(line, wanted, at + index + 1 == lines.len())).then_some(at)
    };
    if hunk.before.is_empty() {
        // The diff says the line after which it adds, and 0 for the beginning.
        let at = if hunk.at == 0 { 0 } else { hunk.at + 1 };
        return (from..=lines.len()).contains(&at).then_some(at);
    }
    if hunk.at >= from
        && let Some(at) = fits(hunk.at)
    {
        return Some(at);
    }
    let mut places = (from..lines.len()).filter_map(fits);
    match (places.next(), places.next()) {
        (Some(at), None) => Some(at),
        _ => None,
    }
}

/// Whether a line is the one that a diff has; the last line of the diff or of the text may lack its end.
fn is_line(line: &str, wanted: &str, is_last: bool) -> bool {
    line == wanted || is_last && line.trim_end_matches('\n') == wanted.trim_end_matches('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_changes_the_lines_that_it_names() {
        let text = "a\nb\nc\nd\n";
        assert_eq!(patched(text, "--- x\n+++ y\n@@ -2,2 +2,2 @@\n b\n-c\n+C\n").as_deref(), Ok("a\nb\nC\nd\n"));
        assert_eq!(patched(text, "@@ -4 +4,2 @@\n d\n+e\n").as_deref(), Ok("a\nb\nc\nd\ne\n"));
        assert_eq!(patched("", "@@ -0,0 +1 @@\n+first\n").as_deref(), Ok("first\n"));
    }

    #[test]
    fn a_hunk_that_moved_is_found_if_its_lines_are_at_one_place() {
        assert_eq!(patched("x\ny\na\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n").as_deref(), Ok("x\ny\na\nB\n"));
        let twice = "a\nb\na\nb\n";
        assert_eq!(patched(twice, "@@ -9,2 +9,2 @@\n a\n-b\n+B\n"), Err(BadPatch::Unfit(1)));
    }

    #[test]
    fn lines_that_are_not_there_are_an_error() {
        assert_eq!(patched("a\n", "@@ -1 +1 @@\n-b\n+c\n"), Err(BadPatch::Unfit(1)));
        assert_eq!(patched("a\n", "nothing"), Err(BadPatch::Empty));
        assert_eq!(patched("a\n", "@@ -1 +1 @@\n-a\n*b\n"), Err(BadPatch::Malformed(3)));
    }

    #[test]
    fn a_last_line_without_an_end_is_changed() {
        let diff = "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n";
        assert_eq!(patched("a\nb", diff).as_deref(), Ok("a\nc"));
    }
}
