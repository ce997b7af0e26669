//! What is linked to assets, as the other ends of the links say it. The record of an asset may leave its links out.

use std::collections::HashMap;

use serde_json::Value;

use super::material::{Material, references};

/// The ids that are linked to each asset.
#[derive(Debug, Default)]
pub(super) struct Links(HashMap<String, Vec<(Material, String)>>);

impl Links {
    /// Adds the assets that a record says it is linked to.
    pub fn add_record(&mut self, material: Material, record: &Value) {
        let Some(id) = record.get("id").and_then(Value::as_str) else { return };
        for field in ["assets", "asset"] {
            for asset in references(record.get(field)) {
                self.add(asset.id, material, id);
            }
        }
    }

    /// Adds the link of a record that joins one of a kind to an asset. Each end is an id.
    pub fn add_association(&mut self, material: Material, record: &Value) {
        let end = |field: &str| references(record.get(field)).first().map(|end| end.id);
        if let (Some(asset), Some(id)) = (end(Material::Asset.end()), end(material.end())) {
            self.add(asset, material, id);
        }
    }

    fn add(&mut self, asset: &str, material: Material, id: &str) {
        self.0.entry(asset.to_owned()).or_default().push((material, id.to_owned()));
    }

    /// Returns what of this kind is linked to an asset.
    pub fn of(&self, asset: &str, material: Material) -> impl Iterator<Item = &str> {
        let links = self.0.get(asset).into_iter().flatten();
        links.filter(move |(kind, _)| *kind == material).map(|(_, id)| id.as_str())
    }
}
