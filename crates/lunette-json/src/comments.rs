//! JSON with comments and trailing commas, as editors write it.

use crate::token::{Token, Tokens};

/// Returns the text with comments and trailing commas replaced by spaces, so that positions stay; `None` if it has none.
pub fn blanked(text: &str) -> Option<String> {
    let mut blanked = text.as_bytes().to_vec();
    let mut comma = None;
    for token in Tokens::with_comments(text.as_bytes()) {
        match token {
            Token::Comment(range) => {
                blanked[range].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
            }
            Token::Comma { at } => comma = Some(at),
            Token::Close { .. } => comma.take().into_iter().for_each(|at| blanked[at] = b' '),
            Token::Open { .. } | Token::Key(_) | Token::Text(_) | Token::Other(_) => comma = None,
        }
    }
    // Only whole comments and commas were replaced.
    (blanked != text.as_bytes()).then(|| String::from_utf8(blanked).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_become_spaces_and_texts_stay_as_they_are() {
        let text = "// a \" {\n{ \"a\": [1/* , \n*/, /* , */ ], \"b // no\": \"x, ] /* y */ \\\" ,}\", } /* open";
        let expected = "        \n{ \"a\": [1     \n            ], \"b // no\": \"x, ] /* y */ \\\" ,}\"  }        ";
        assert_eq!(blanked(text).as_deref(), Some(expected));
        for plain in ["", "[1, 2]", "\"/* a */\"", "{\"a\": \"b, ]", "/", "[,1]"] {
            assert_eq!(blanked(plain), None, "{plain}");
        }
    }
}
