//! Skins: vertices in the space of their bones, with as many bones as the game takes.

use glam::{Affine3A, Mat3A, Vec3, Vec3A, Vec4};
use record::{Node, U16, build};
use scene::Skin;
use w3d::records::{VertexInfluence, VertexInfluenceExtended};
use w3d::table;

use super::plan::Place;
use super::{Author, space};

/// The vertices of a mesh as they are stored.
#[derive(Default)]
pub(super) struct Bound {
    positions: Vec<record::Vec3>,
    normals: Vec<record::Vec3>,
    /// The same for the second bone; none if no vertex has one.
    second: Vec<(record::Vec3, record::Vec3)>,
    /// Along U and against V.
    tangents: Vec<(record::Vec3, record::Vec3)>,
    two: Vec<VertexInfluence>,
    four: Vec<VertexInfluenceExtended>,
}

/// The direction against V, and so the side that a tangent is on.
fn against_v(normal: Vec3, tangent: Vec4) -> Vec3 {
    normal.cross(tangent.truncate()) * if tangent.w < 0.0 { 1.0 } else { -1.0 }
}

impl Bound {
    /// A mesh on a bone.
    pub(super) fn rigid(positions: &[Vec3], normals: &[Vec3], tangents: &[Vec4]) -> Self {
        let stored = |values: &[Vec3]| values.iter().copied().map(space::vector).collect();
        let sides = normals.iter().zip(tangents);
        let tangents = sides.map(|(normal, tangent)| {
            (space::vector(tangent.truncate()), space::vector(against_v(*normal, *tangent)))
        });
        Self {
            positions: stored(positions),
            normals: stored(normals),
            tangents: tangents.collect(),
            ..Self::default()
        }
    }

    pub(super) fn is_skin(&self) -> bool {
        !self.two.is_empty()
    }

    /// The chunks of positions and directions.
    pub(super) fn vertices(&self, chunks: &mut Vec<Node<'static>>) {
        chunks.push(build(table::VERTICES, &self.positions));
        let (positions, normals): (Vec<_>, Vec<_>) = self.second.iter().copied().unzip();
        if !positions.is_empty() {
            chunks.push(build(table::SECONDARY_VERTICES, &positions));
        }
        chunks.push(build(table::VERTEX_NORMALS, &self.normals));
        if !normals.is_empty() {
            chunks.push(build(table::SECONDARY_VERTEX_NORMALS, &normals));
        }
        let (along, against): (Vec<_>, Vec<_>) = self.tangents.iter().copied().unzip();
        if !along.is_empty() {
            // In real files the two have each other's name (docs/formats/w3d/meshes.md#tangents).
            chunks.push(build(table::TANGENTS, &against));
            chunks.push(build(table::BITANGENTS, &along));
        }
    }

    /// The chunks of bones.
    pub(super) fn influences(&self, chunks: &mut Vec<Node<'static>>) {
        if !self.two.is_empty() {
            chunks.push(build(table::VERTEX_INFLUENCES, &self.two));
        }
        if !self.four.is_empty() {
            chunks.push(build(table::VERTEX_INFLUENCES_EXTENDED, &self.four));
        }
    }
}

/// The bones of a vertex, the one in whose space it is first.
type Bones = Vec<(usize, f32)>;

impl Author<'_> {
    /// The bones of each vertex, as many as the game takes.
    fn bones_of_vertices(&mut self, skin: &Skin, vertices: &[u32], model: usize, path: &str) -> Vec<Bones> {
        let mut strays = 0;
        let bones_of_joints: Vec<usize> = skin
            .joints
            .iter()
            .map(|joint| match self.plan.nodes.get(joint.node.index()) {
                Some(Place::Pivot(of, pivot)) if *of == model => *pivot,
                _ => {
                    strays += 1;
                    0
                }
            })
            .collect();
        if strays > 0 {
            self.lost(path, "joints that belong to another model; their vertices are bound to the root");
        }
        let most = self.limits.bones;
        let mut worst = 0.0_f32;
        let all: Vec<Bones> = vertices
            .iter()
            .map(|vertex| {
                let mut bones: Bones = Vec::new();
                for influence in skin.of(*vertex as usize).iter().filter(|influence| influence.weight > 0.0) {
                    let Some(bone) = bones_of_joints.get(influence.joint as usize) else { continue };
                    match bones.iter_mut().find(|(known, _)| known == bone) {
                        Some((_, weight)) => *weight += influence.weight,
                        None => bones.push((*bone, influence.weight)),
                    }
                }
                if bones.len() > most {
                    let sum: f32 = bones.iter().map(|(_, weight)| weight).sum();
                    bones.sort_by(|a, b| b.1.total_cmp(&a.1));
                    bones.truncate(most);
                    let kept: f32 = bones.iter().map(|(_, weight)| weight).sum();
                    worst = worst.max(1.0 - kept / sum);
                    bones.iter_mut().for_each(|(_, weight)| *weight /= kept);
                }
                if bones.is_empty() {
                    bones.push((0, 1.0));
                }
                bones
            })
            .collect();
        if worst > 0.0 {
            let noun = if most == 1 { "bone" } else { "bones" };
            let message = format!(
                "the game has {most} {noun} per vertex: the strongest were kept, and up to {:.0} % of the weight was lost",
                worst * 100.0
            );
            self.lost(path, message);
        }
        all
    }

    #[expect(clippy::too_many_arguments, reason = "each is an array of the same vertices")]
    pub(super) fn bind(
        &mut self,
        skin: &Skin,
        vertices: &[u32],
        positions: &[Vec3],
        normals: &[Vec3],
        tangents: &[Vec4],
        place: Place,
        path: &str,
    ) -> Bound {
        let model = match place {
            Place::Pivot(model, _) => model,
            _ => skin
                .joints
                .iter()
                .find_map(|joint| match self.plan.nodes.get(joint.node.index()) {
                    Some(Place::Pivot(model, _)) => Some(*model),
                    _ => None,
                })
                .unwrap_or(0),
        };
        let all = self.bones_of_vertices(skin, vertices, model, path);
        let most = self.limits.bones;
        let pairs: Option<Vec<[u16; 2]>> = all
            .iter()
            .map(|bones| match bones[..] {
                [_] => Some([0, 0]),
                [(_, a), (_, b)] => Some(percent(a, b, most < 4, self.options.faithful)?),
                _ => None,
            })
            .collect();
        // A scene that was read from W3D is written back bit by bit; for other scenes rounding does not matter.
        let exact = self.options.faithful;
        let spaces: Vec<Space> =
            self.plan.models[model].pivots.iter().map(|pivot| Space::new(pivot.world, exact)).collect();
        let mut bound = Bound::default();
        let number = |bone: usize| U16::new(u16::try_from(bone).unwrap_or(u16::MAX));
        for (index, bones) in all.iter().enumerate() {
            let (first, share) = bones[0];
            let bone = &spaces[first];
            let position = bone.point(positions[index]);
            bound.positions.push(space::vector(position));
            let normal = normals.get(index).copied().unwrap_or(Vec3::Y);
            let stored_normal = bone.direction(normal);
            bound.normals.push(space::vector(stored_normal));
            if let Some(tangent) = tangents.get(index) {
                let along = bone.direction(tangent.truncate());
                let against = against_v(stored_normal, along.extend(tangent.w));
                bound.tangents.push((space::vector(along), space::vector(against)));
            }
            if let (Some(pairs), Some((second, weight))) = (&pairs, bones.get(1)) {
                // Readers blend both copies by their weights.
                let other = &spaces[*second];
                let [a, b] = pairs[index].map(f32::from);
                let (a, b) = if b == 0.0 { (share, *weight) } else { (a / (a + b), b / (a + b)) };
                let own = bone.world.transform_point3(position);
                let (world, inverse) = (other.world, other.inverse);
                let copy = space::solve(
                    inverse.transform_point3(positions[index]),
                    positions[index],
                    exact,
                    |point| own * a + world.transform_point3(point) * b,
                    |miss| inverse.transform_vector3(miss / b),
                );
                bound.second.push((space::vector(copy), space::vector(other.direction(normal))));
            } else {
                bound.second.push((space::vector(position), space::vector(stored_normal)));
            }
            let second = pairs.as_ref().and(bones.get(1)).map_or(0, |(bone, _)| *bone);
            bound.two.push(VertexInfluence {
                bone_idx: [number(first), number(second)],
                weight: pairs.as_ref().map_or([0, 0], |pairs| pairs[index]).map(U16::new),
            });
            if pairs.is_none() {
                bound.four.push(four(bones, number));
            }
        }
        let has_second = pairs.is_some() && all.iter().any(|bones| bones.len() > 1);
        if !has_second {
            bound.second.clear();
        }
        bound
    }
}

/// Four bones: the fourth has what the other three leave.
fn four(bones: &[(usize, f32)], number: impl Fn(usize) -> U16) -> VertexInfluenceExtended {
    let sum: f32 = bones.iter().map(|(_, weight)| weight).sum();
    let mut record = VertexInfluenceExtended::default();
    let mut rest = 65535_u16;
    for (index, (bone, weight)) in bones.iter().take(4).enumerate() {
        record.bone_idx[index] = number(*bone);
        if index < 3 {
            let share = if index + 1 == bones.len() {
                rest
            } else {
                ((weight / sum * 65535.0).round() as u16).min(rest)
            };
            record.weight[index] = U16::new(share);
            rest -= share;
        }
    }
    record
}

/// Two weights in percent that are read as exactly these; with `near`, the nearest ones if there are none. With `any_sum` they need not
/// add up to 100, which games expect.
fn percent(a: f32, b: f32, near: bool, any_sum: bool) -> Option<[u16; 2]> {
    let sum = a + b;
    let share = |whole: u16| {
        let first = (a / sum * f32::from(whole)).round().clamp(1.0, f32::from(whole) - 1.0) as u16;
        [first, whole - first]
    };
    let is_exact = |[x, y]: &[u16; 2]| {
        let (x, y) = (f32::from(*x), f32::from(*y));
        x / (x + y) == a && y / (x + y) == b
    };
    std::iter::once(100)
        .chain((2..200).filter(|_| any_sum))
        .map(share)
        .find(is_exact)
        .or(near.then(|| share(100)))
}

/// The space of a bone at rest.
struct Space {
    world: Affine3A,
    inverse: Affine3A,
    /// Whether its points and directions are found to the last bit.
    exact: bool,
}

impl Space {
    fn new(world: Affine3A, exact: bool) -> Self {
        Self { world, inverse: world.inverse(), exact }
    }

    /// The point that the bone takes here.
    fn point(&self, wanted: Vec3) -> Vec3 {
        let Self { world, inverse, exact } = self;
        space::solve(
            inverse.transform_point3(wanted),
            wanted,
            *exact,
            |point| world.transform_point3(point),
            |miss| inverse.transform_vector3(miss),
        )
    }

    /// The direction that the bone turns here.
    fn direction(&self, wanted: Vec3) -> Vec3 {
        let turn = |matrix: Mat3A, direction: Vec3| -> Vec3 { (matrix * Vec3A::from(direction)).into() };
        let (world, inverse) = (self.world.matrix3, self.inverse.matrix3);
        space::solve(
            turn(inverse, wanted),
            wanted,
            self.exact,
            |each| turn(world, each),
            |miss| turn(inverse, miss),
        )
    }
}
