//! Names in messages: what a service says of an asset has its id, which tells a user nothing.

use lunette_client::model::display::beginning;
use lunette_client::model::id::AssetId;

/// The maximum length of a name in a message, in characters.
const MAX_NAME: usize = 80;

/// A text with the name of an asset in place of its id. Addresses keep the id, and so does a text about an asset
/// without a name.
pub fn with_name(text: &str, asset: &AssetId, name: &str) -> String {
    let id = asset.as_str();
    if name.trim().is_empty() || !text.contains(id) {
        return text.to_owned();
    }
    let named = format!("“{}”", beginning(name.trim(), MAX_NAME));
    let mut parts = text.split(id);
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let in_address = whole.ends_with('/') || part.starts_with('/');
        whole.push_str(if in_address { id } else { &named });
        whole.push_str(part);
    }
    // Quotes around the id are those of the name now.
    for quote in ['"', '`', '\''] {
        whole = whole.replace(&format!("{quote}{named}{quote}"), &named);
    }
    whole.replace(&format!(" with the id {named}"), &format!(" {named}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_becomes_the_name_except_in_an_address() {
        let asset: AssetId = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159".parse().expect("an id");
        let named = |text: &str, name: &str| with_name(&text.replace("ID", asset.as_str()), &asset, name);
        assert_eq!(named("there is no asset ID", "a.md"), "there is no asset “a.md”");
        assert_eq!(named("no asset \"ID\"; `ID`", "a.md"), "no asset “a.md”; “a.md”");
        assert_eq!(named("no asset ID", " "), format!("no asset {asset}"));
        let address = format!("GET http://localhost/asset/{asset}: status 410: “a.md” was deleted");
        assert_eq!(named("GET http://localhost/asset/ID: status 410: ID was deleted", "a.md"), address);
        assert_eq!(named("the asset with the id \"ID\" is gone", "a.md"), "the asset “a.md” is gone");
        assert_eq!(named("nothing", "a.md"), "nothing");
    }
}
