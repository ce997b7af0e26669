//! A walker over the tags of a page.

/// Walks a page; fails on a tag or attribute that is not ours, an open or crossed tag, and a bare `<` or quote.
pub(super) fn walk(page: &str) -> Result<Vec<(String, String)>, String> {
    const TAGS: &[&str] = &[
        "html", "head", "meta", "title", "style", "body", "main", "header", "section", "footer", "p", "h1", "h2", "dl",
        "div", "dt", "dd", "ul", "li", "a", "pre", "code", "span", "figure", "img",
    ];
    const ATTRIBUTES: &[&str] =
        &["lang", "charset", "http-equiv", "content", "name", "class", "dir", "href", "rel", "src", "alt"];
    let mut rest = page.strip_prefix("<!DOCTYPE html>").ok_or("no doctype")?;
    let (mut open, mut links) = (Vec::new(), Vec::new());
    while let Some(offset) = rest.find('<') {
        let before = &rest[..offset];
        if before.contains(['>', '"', '\'']) && open.last() != Some(&"style") {
            return Err(format!("a bare character in {before:?}"));
        }
        let (tag, after) = rest[offset + 1..].split_once('>').ok_or("a tag without end")?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let last = open.pop();
            if last != Some(name) {
                return Err(format!("</{name}> closes {last:?}"));
            }
            continue;
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let known = TAGS.iter().find(|known| **known == name).ok_or_else(|| format!("a tag of another: {tag:?}"))?;
        for (attribute, value) in pairs(attributes)? {
            if !ATTRIBUTES.contains(&attribute) || value.contains('<') {
                return Err(format!("an attribute of another: {attribute}={value:?}"));
            }
            if matches!(attribute, "href" | "src") {
                links.push((attribute.to_owned(), value.to_owned()));
            }
        }
        if !matches!(*known, "meta" | "img") {
            open.push(*known);
        }
    }
    if open.is_empty() { Ok(links) } else { Err(format!("left open: {open:?}")) }
}

fn pairs(attributes: &str) -> Result<Vec<(&str, &str)>, String> {
    let (mut found, mut rest) = (Vec::new(), attributes);
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").ok_or_else(|| format!("no quoted value in {attributes:?}"))?;
        let (value, after) = after.split_once('"').ok_or("no closing quote")?;
        found.push((name.trim(), value));
        rest = after.trim_start();
    }
    Ok(found)
}
