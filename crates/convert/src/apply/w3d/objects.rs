//! Changed and removed objects on pivots: emitters, collision boxes, primitives, dazzles.

use super::super::objects::alone;
use super::super::{ObjectEdit, fields};
use super::Author;
use crate::author::w3d::{Options, to_w3d};
use record::Node;
use scene::Scene;
use w3d::{W3d, table};

impl Author<'_, '_, '_> {
    pub(super) fn change_object(&mut self, edit: &ObjectEdit) -> Result<(), String> {
        let inputs = self.inputs;
        let before = edit.before.ok_or("new objects cannot be added to the original")?;
        let place = self.origins.objects.get(&(edit.kind, before)).copied();
        let place = place.ok_or("objects of this kind cannot be changed in place")?;
        let users = self.origins.objects.values().filter(|other| **other == place).count();
        if users > 1 {
            return Err("several parts of the model share this object".to_owned());
        }
        let Some(now) = edit.now else {
            self.chunk(place)?;
            self.removed.push(place);
            return Ok(());
        };
        let (old, new) = (inputs.original, inputs.edited.scene);
        let written = |from: &Scene, index: usize| -> Result<W3d<'static>, String> {
            let options = Options { faithful: true, ..Options::default() };
            let (files, _) =
                to_w3d(&alone(old, from, edit.kind, index), &options).map_err(|error| error.to_string())?;
            Ok(files.into_iter().next().ok_or("it was not written")?.document)
        };
        let (old, new) = (written(old, before)?, written(new, now)?);
        let (old, new) = (only(&old).ok_or("it was not written")?, only(&new).ok_or("it was not written")?);
        fields::merge(self.chunk(place)?, old, new, is_name).result()
    }
}

/// Chunks that only name an object. Names are changed with the node.
fn is_name(node: &Node<'_>) -> bool {
    node.is(&table::EMITTER_HEADER) || node.is(&table::DAZZLE_NAME)
}

/// The only object of a file.
fn only<'d>(document: &'d W3d<'_>) -> Option<&'d Node<'d>> {
    let kinds = [&table::EMITTER, table::BOX.row, &table::DAZZLE, &table::SPHERE, &table::RING];
    document.root.children().iter().find(|node| kinds.into_iter().any(|kind| node.is(kind)))
}
