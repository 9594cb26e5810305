//! Custom properties: what people typed into `extras`.

use super::json::{Document, Extras};
use super::names::without_number;
use super::tree::{Place, Tree};
use scene::{Clip, ClipId, MaterialId, Property, PropertyOwner, PropertyValue};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// Longest list of numbers that a property may have.
const MAX_NUMBERS: usize = 4096;

/// The properties of nodes, of the meshes on them, of materials and of clips. Ours are not among them.
pub(crate) fn collect(
    document: &Document<'_>,
    tree: &Tree,
    materials: &[MaterialId],
    clips: &[Clip],
) -> Vec<Property> {
    let mut found = Vec::new();
    let mut add = |owner: PropertyOwner, extras: Extras<'_>| {
        for (name, value) in fields(extras) {
            if let Some(value) = property(&value) {
                found.push(Property { owner, name, value });
            }
        }
    };
    for (node, place) in document.nodes.iter().zip(&tree.places) {
        if let Place::Node(id) | Place::Part(Some(id)) = place {
            add(PropertyOwner::Node(*id), node.extras);
            let mesh = node.mesh.and_then(|mesh| document.meshes.get(mesh as usize));
            if let Some(mesh) = mesh {
                add(PropertyOwner::Node(*id), mesh.extras);
            }
        }
    }
    for (material, id) in document.materials.iter().zip(materials) {
        add(PropertyOwner::Material(*id), material.extras);
    }
    for animation in document.animations.iter() {
        let names = [&*animation.name, without_number(&animation.name)];
        let clip = names.into_iter().find_map(|name| clips.iter().position(|clip| clip.name == name));
        if let Some(clip) = clip {
            add(PropertyOwner::Clip(ClipId::from(clip)), animation.extras);
        }
    }
    found
}

/// The fields of some extras without ours, which may be large; none if they are not an object.
pub(crate) fn fields(extras: Extras<'_>) -> Map<String, Value> {
    let fields = extras.text().and_then(|text| serde_json::from_str(text).ok());
    fields.map_or_else(Map::new, |Fields(fields)| fields)
}

struct Fields(Map<String, Value>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Fields, A::Error> {
                let mut fields = Map::new();
                while let Some(name) = entries.next_key::<Cow<'de, str>>()? {
                    if name == "meshwright" {
                        entries.next_value::<IgnoredAny>()?;
                    } else {
                        fields.insert(name.into_owned(), entries.next_value()?);
                    }
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

fn property(value: &Value) -> Option<PropertyValue> {
    Some(match value {
        Value::Bool(flag) => PropertyValue::Flag(*flag),
        Value::Number(_) => PropertyValue::Number(number(value)?),
        Value::String(text) => PropertyValue::Text(text.clone()),
        Value::Array(_) => PropertyValue::Numbers(numbers(value)?),
        Value::Object(lists) => {
            let lists = lists.iter().map(|(name, list)| Some((name.clone(), numbers(list)?)));
            PropertyValue::Lists(lists.collect::<Option<_>>()?)
        }
        Value::Null => return None,
    })
}

/// A list of numbers; a single one is a list, too.
fn numbers(value: &Value) -> Option<Vec<f32>> {
    match value {
        Value::Array(all) if all.len() <= MAX_NUMBERS => all.iter().map(number).collect(),
        Value::Number(_) => Some(vec![number(value)?]),
        _ => None,
    }
}

fn number(value: &Value) -> Option<f32> {
    value.as_f64().map(|value| value as f32).filter(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_of_every_kind() {
        assert_eq!(property(&json!(true)), Some(PropertyValue::Flag(true)));
        assert_eq!(property(&json!(2)), Some(PropertyValue::Number(2.0)));
        assert_eq!(property(&json!("lock_z")), Some(PropertyValue::Text("lock_z".into())));
        assert_eq!(property(&json!([0.5, 1])), Some(PropertyValue::Numbers(vec![0.5, 1.0])));
        let events = json!({ "SNDxDHLB": [0.25, 0.5], "FPTxABCD": 1 });
        let Some(PropertyValue::Lists(mut lists)) = property(&events) else { panic!("{events}") };
        lists.sort_by(|a, b| a.0.cmp(&b.0));
        assert_eq!(lists, [("FPTxABCD".to_owned(), vec![1.0]), ("SNDxDHLB".to_owned(), vec![0.25, 0.5])]);
        assert_eq!(property(&json!(null)), None);
        assert_eq!(property(&json!(["a"])), None);
    }
}
