//! Materials and textures of W3D meshes: each mesh, and each prelit wrapper in it, has its own.

use record::{Node, U32};
use w3d::records::MaterialInfo;
use w3d::{Chunk, table};

use super::mark;
use crate::references::{gone, lessen, renumbered, renumbering, retain};

/// A list chunk, its elements, and the chunks of ids that refer to them.
pub(crate) struct List {
    pub(crate) list: &'static Chunk,
    pub(crate) element: &'static Chunk,
    references: &'static Chunk,
    count: Option<fn(&mut MaterialInfo) -> &mut U32>,
}

/// The lists of a mesh: vertex materials, shader materials, textures.
pub(crate) fn lists() -> [List; 3] {
    [
        List {
            list: &table::VERTEX_MATERIALS,
            element: &table::VERTEX_MATERIAL,
            references: &table::VERTEX_MATERIAL_IDS,
            count: Some(|info| &mut info.vertex_material_count),
        },
        List {
            list: &table::SHADER_MATERIALS,
            element: &table::SHADER_MATERIAL,
            references: &table::SHADER_MATERIAL_ID,
            count: None,
        },
        List {
            list: &table::TEXTURES,
            element: &table::TEXTURE,
            references: &table::TEXTURE_IDS,
            count: Some(|info| &mut info.texture_count),
        },
    ]
}

pub(crate) fn materials(root: &mut Node<'_>) -> usize {
    let [vertex, shader, _] = lists();
    vertex.strip_all(root) + shader.strip_all(root)
}

pub(crate) fn textures(root: &mut Node<'_>) -> usize {
    let [_, _, textures] = lists();
    textures.strip_all(root)
}

impl List {
    /// In every mesh and wrapper.
    fn strip_all(&self, node: &mut Node<'_>) -> usize {
        let here = if node.all(self.list).count() == 1 { self.strip(node) } else { 0 };
        let below =
            node.children_mut().map(|children| children.iter_mut().map(|child| self.strip_all(child)).sum());
        here + below.unwrap_or(0)
    }

    fn strip(&self, holder: &mut Node<'_>) -> usize {
        let used = self.used(holder);
        self.retain(holder, &used)
    }

    /// Whether a pass uses each element.
    pub(crate) fn used(&self, holder: &Node<'_>) -> Vec<bool> {
        let count = holder.child(self.list).map_or(0, |list| list.all(self.element).count());
        let mut used = vec![false; count];
        for pass in holder.all(&table::MATERIAL_PASS) {
            pass.walk(&mut |place| {
                if place.node.is(self.references) {
                    place.node.values::<U32>().iter().for_each(|number| mark(&mut used, number.get()));
                }
            });
        }
        used
    }

    /// Removes elements and renumbers references to the others.
    pub(crate) fn retain(&self, holder: &mut Node<'_>, stays: &[bool]) -> usize {
        let numbers = renumbering(stays);
        let gone = gone(&numbers);
        if gone == 0 {
            return 0;
        }
        if let Some(list) = holder.child_mut(self.list) {
            retain(list, self.element, &numbers);
        }
        if let Some(count) = self.count
            && let Some(info) =
                holder.child_mut(&table::MATERIAL_INFO).and_then(Node::value_mut::<MaterialInfo>)
        {
            lessen(count(info), gone);
        }
        let Some(children) = holder.children_mut() else { return gone };
        // Exporters do not write empty lists.
        children.retain(|child| !child.is(self.list) || !child.children().is_empty());
        for pass in children.iter_mut().filter(|child| child.is(&table::MATERIAL_PASS)) {
            self.renumber(pass, &numbers);
        }
        gone
    }

    fn renumber(&self, node: &mut Node<'_>, numbers: &[Option<u32>]) {
        self.change_ids(node, &|old| renumbered(numbers, old));
    }

    /// Changes the references of all passes.
    pub(crate) fn change(&self, holder: &mut Node<'_>, new: &dyn Fn(u32) -> u32) {
        let passes = holder.children_mut().into_iter().flatten();
        passes.filter(|child| child.is(&table::MATERIAL_PASS)).for_each(|pass| self.change_ids(pass, new));
    }

    fn change_ids(&self, node: &mut Node<'_>, new: &dyn Fn(u32) -> u32) {
        if node.is(self.references) {
            for number in node.values_mut::<U32>() {
                number.set(new(number.get()));
            }
        }
        if let Some(children) = node.children_mut() {
            children.iter_mut().for_each(|child| self.change_ids(child, new));
        }
    }
}
