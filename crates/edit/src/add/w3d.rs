//! Objects and bones of another W3D model.

use record::{Node, U16, U32};
use w3d::Hierarchy;
use w3d::records::*;
use w3d::table;

use super::{Addition, names};
use crate::Error;
use crate::references::increase;
use crate::references::w3d as references;
use crate::report::Report;
use crate::select::{Part, PartKind, node_at, object_name, require_one, short_name};
use crate::skeletons::rest;
use crate::space::Placement;

pub(super) fn add(root: &mut Node<'_>, from: &Node<'_>, addition: &Addition) -> Result<Report, Error> {
    let part = require_one(from, &addition.part)?;
    match part.kind {
        PartKind::Bone => add_bone(root, from, &part, addition),
        PartKind::Mesh | PartKind::Collision | PartKind::Emitter => add_object(root, from, &part, addition),
        PartKind::Clip => Err(Error::new("a clip is added as a clip")),
        kind => Err(Error::new(format!("a {} of W3D cannot be added", kind.word()))),
    }
}

/// The skeleton of a file.
pub(super) struct Skeleton {
    pub(super) name: String,
    pub(super) pivots: Vec<Pivot>,
}

impl Skeleton {
    /// The skeleton of a name, or the only one.
    pub(super) fn of(root: &Node<'_>, name: Option<&str>) -> Option<Self> {
        let mut all = root.children().iter().filter_map(Hierarchy::new);
        let found = match name {
            Some(name) => all.find(|hierarchy| hierarchy.name().eq_ignore_ascii_case(name)),
            None => all.next(),
        }?;
        Some(Self { name: found.name(), pivots: found.pivots().to_vec() })
    }

    pub(super) fn index(&self, name: &str) -> Option<usize> {
        self.pivots.iter().position(|pivot| pivot.name.is(name))
    }
}

/// The bone of an object in the models of a file.
fn bone_of(root: &Node<'_>, object: &str) -> Option<(String, usize)> {
    for model in root.children().iter().filter(|chunk| chunk.is(&table::HLOD)) {
        let mut found = None;
        model.walk(&mut |place| {
            if let Some(entry) = place.node.value::<HlodSubObject>()
                && entry.name.is(object)
            {
                found = found.or(usize::try_from(entry.bone_index.get()).ok());
            }
        });
        if let Some(bone) = found {
            return Some((references::skeleton_of(model).unwrap_or_default(), bone));
        }
    }
    None
}

/// The bone that `to` chooses.
fn target(root: &Node<'_>, skeleton: &Skeleton, addition: &Addition) -> Result<Option<usize>, Error> {
    let Some(selector) = &addition.to else { return Ok(None) };
    let part = require_one(root, selector)?;
    let bone = part.element.filter(|index| part.kind == PartKind::Bone && *index < skeleton.pivots.len());
    bone.map(Some).ok_or_else(|| Error::new(format!("{} is not a bone of the model", part.title())))
}

/// A new pivot for a bone of another skeleton.
fn pivot_for(
    own: &Skeleton,
    theirs: &Skeleton,
    bone: usize,
    parent: usize,
    keep_position: bool,
) -> Result<Pivot, Error> {
    let mut pivot =
        *theirs.pivots.get(bone).ok_or_else(|| Error::new("the bone of the part does not exist"))?;
    if keep_position {
        let worlds = (rest(&own.pivots), rest(&theirs.pivots));
        let world = |worlds: &[Placement], at: usize| worlds.get(at).copied().unwrap_or(Placement::IDENTITY);
        world(&worlds.0, parent).inverse().then(world(&worlds.1, bone)).write(&mut pivot);
    }
    pivot.parent_idx = U32::new(u32::try_from(parent).unwrap_or_default());
    Ok(pivot)
}

/// Adds a pivot at the end of a skeleton, so that no other changes its number.
fn append_pivot(root: &mut Node<'_>, skeleton: &Skeleton, pivot: Pivot) -> Result<usize, Error> {
    if skeleton.index(&pivot.name.to_string()).is_some() {
        let name = pivot.name.to_string();
        return Err(Error::new(format!("there is already a bone {:?}", record::printable(&name))));
    }
    let chunks = root.children_mut().into_iter().flatten();
    let mut own = chunks.filter(|chunk| {
        Hierarchy::new(chunk).is_some_and(|own| own.name().eq_ignore_ascii_case(&skeleton.name))
    });
    let hierarchy = own.next().ok_or_else(|| Error::new("the skeleton is in another file"))?;
    if let Some(list) = hierarchy.child_mut(&table::PIVOTS) {
        let pivots = [&skeleton.pivots[..], &[pivot]].concat();
        list.set_values(&pivots);
    }
    if let Some(list) = hierarchy.child_mut(&table::PIVOT_FIXUPS) {
        let mut fixups = list.values::<PivotFixup>().to_vec();
        let mut fixup = PivotFixup::default();
        for axis in 0..3 {
            fixup.tm[axis][axis].set(1.0);
        }
        fixups.push(fixup);
        list.set_values(&fixups);
    }
    if let Some(header) = hierarchy.get_mut(table::HIERARCHY_HEADER) {
        increase(&mut header.num_pivots, 1);
    }
    Ok(skeleton.pivots.len())
}

fn add_bone(root: &mut Node<'_>, from: &Node<'_>, part: &Part, addition: &Addition) -> Result<Report, Error> {
    let theirs = node_at(from, &part.trail[..1]).and_then(Hierarchy::new);
    let theirs = theirs.map(|theirs| Skeleton { name: theirs.name(), pivots: theirs.pivots().to_vec() });
    let theirs = theirs.ok_or_else(|| Error::new("the other model has no skeleton"))?;
    let own =
        Skeleton::of(root, None).ok_or_else(|| Error::new("the skeleton of the model is in another file"))?;
    let bone = part.element.unwrap_or_default();
    let parent = match target(root, &own, addition)? {
        Some(parent) => parent,
        None => parent_by_name(&own, &theirs, bone)?,
    };
    let pivot = pivot_for(&own, &theirs, bone, parent, addition.keep_position)?;
    append_pivot(root, &own, pivot)?;
    Ok(Report::of(1))
}

/// The bone with the name of the parent of another one.
fn parent_by_name(own: &Skeleton, theirs: &Skeleton, bone: usize) -> Result<usize, Error> {
    let parent =
        theirs.pivots.get(bone).and_then(Pivot::parent).and_then(|parent| usize::try_from(parent).ok());
    let Some(parent) = parent.filter(|parent| *parent > 0) else { return Ok(0) };
    let name = theirs.pivots.get(parent).map(|parent| parent.name.to_string()).unwrap_or_default();
    own.index(&name).ok_or_else(|| {
        Error::new(format!("the model has no bone {:?}, which the part is on", record::printable(&name)))
            .with_note("choose the bone to attach it to")
    })
}

fn add_object(
    root: &mut Node<'_>,
    from: &Node<'_>,
    part: &Part,
    addition: &Addition,
) -> Result<Report, Error> {
    let mut report = Report::of(1);
    let object = node_at(from, &part.trail).ok_or_else(|| Error::new("the part does not exist"))?;
    let old_name = object_name(object).unwrap_or_default();
    let model = root.children().iter().find(|chunk| chunk.is(&table::HLOD));
    let model =
        model.ok_or_else(|| Error::new("the file has no HLOD, which lists the objects of a model"))?;
    let (model_name, skeleton_name) = model
        .get(table::HLOD_HEADER)
        .map(|header| (header.name.to_string(), header.hierarchy_name.to_string()))
        .unwrap_or_default();
    let own = Skeleton::of(root, Some(&skeleton_name))
        .ok_or_else(|| Error::new(format!("the skeleton {skeleton_name:?} is in another file")))?;
    let (their_skeleton, bone) = bone_of(from, &old_name)
        .ok_or_else(|| Error::new("no model of the other file refers to the part"))?;
    let theirs = Skeleton::of(from, Some(&their_skeleton));
    let mut chunk = object.clone().into_owned();
    let is_named_whole = !chunk.is(&table::MESH);
    let name = if chunk.is(&table::EMITTER) {
        old_name.clone()
    } else {
        format!("{model_name}.{}", short_name(&old_name))
    };
    let taken = root.children().iter().filter_map(object_name).any(|known| known.eq_ignore_ascii_case(&name));
    if taken {
        return Err(Error::new(format!("there is already an object {:?}", record::printable(&name)))
            .with_note("rename one of them first"));
    }
    set_object_name(&mut chunk, &model_name, &name, is_named_whole)?;
    let is_skin = chunk.get(table::MESH_HEADER3).is_some_and(MeshHeader3::is_skin);
    let to = target(root, &own, addition)?;
    let index = if is_skin {
        if to.is_some() {
            return Err(Error::new("a skin is bound to several bones and cannot be attached to one"));
        }
        let theirs = theirs.ok_or_else(|| Error::new("the skeleton of the skin is in another file"))?;
        rebind(&mut chunk, &own, &theirs)?;
        0
    } else {
        let theirs = theirs.ok_or_else(|| Error::new("the skeleton of the part is in another file"))?;
        let bone_name = theirs.pivots.get(bone).map(|pivot| pivot.name.to_string()).unwrap_or_default();
        match own.index(&bone_name).filter(|_| to.is_none()) {
            Some(known) => known,
            None => {
                let parent = match to {
                    Some(to) => to,
                    None => parent_by_name(&own, &theirs, bone)?,
                };
                let pivot = pivot_for(&own, &theirs, bone, parent, addition.keep_position)?;
                append_pivot(root, &own, pivot)?
            }
        }
    };
    warn_of_motion(from, &their_skeleton, bone, &mut report);
    insert_object(root, chunk, &name, index, &mut report)?;
    Ok(report)
}

fn warn_of_motion(from: &Node<'_>, skeleton: &str, bone: usize, report: &mut Report) {
    let is_own = |chunk: &&Node<'_>| {
        references::skeleton_of(chunk).is_some_and(|name| name.eq_ignore_ascii_case(skeleton))
    };
    let channels =
        from.children().iter().filter(is_own).flat_map(Node::children).filter_map(w3d::codec::decode);
    if bone > 0 && channels.into_iter().any(|channel| usize::from(channel.pivot) == bone) {
        report.note("the other model animates the bone of the part; clips are added on their own");
    }
}

fn set_object_name(chunk: &mut Node<'_>, model: &str, name: &str, whole: bool) -> Result<(), Error> {
    let failed = |error: record::Error| Error::new(error.to_string());
    if let Some(header) = chunk.get_mut(table::MESH_HEADER3) {
        return header.container_name.set(model).map_err(failed);
    }
    if let Some(shape) = chunk.value_mut::<CollisionBox>() {
        return shape.name.set(name).map_err(failed);
    }
    if let Some(object) = chunk.value_mut::<NullObject>() {
        return object.name.set(name).map_err(failed);
    }
    if chunk.is(&table::DAZZLE) {
        chunk.set(table::DAZZLE_NAME, name);
        return Ok(());
    }
    if chunk.is(&table::EMITTER) || !whole {
        return Ok(());
    }
    Err(Error::new("objects of this sort cannot be added"))
}

/// Gives the vertices of a skin the numbers of the bones of the same names.
fn rebind(chunk: &mut Node<'_>, own: &Skeleton, theirs: &Skeleton) -> Result<(), Error> {
    let mut missing: Vec<String> = Vec::new();
    let mut new = |old: u16| {
        let name =
            theirs.pivots.get(usize::from(old)).map(|pivot| pivot.name.to_string()).unwrap_or_default();
        match own.index(&name).and_then(|index| u16::try_from(index).ok()) {
            Some(index) => index,
            None => {
                if !missing.contains(&name) {
                    missing.push(name);
                }
                old
            }
        }
    };
    crate::references::each(chunk, &mut |node| {
        for influence in node.values_mut::<VertexInfluence>() {
            let used = if influence.weight[1].get() > 0 { 2 } else { 1 };
            for bone in influence.bone_idx.iter_mut().take(used) {
                *bone = U16::new(new(bone.get()));
            }
        }
        for influence in node.values_mut::<VertexInfluenceExtended>() {
            for bone in &mut influence.bone_idx {
                *bone = U16::new(new(bone.get()));
            }
        }
    });
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::new(format!("the model lacks bones of the skin: {}", names(&missing))))
}

/// Adds an object after the others and to the finest level of the model.
fn insert_object<'a>(
    root: &mut Node<'a>,
    chunk: Node<'a>,
    name: &str,
    bone: usize,
    report: &mut Report,
) -> Result<(), Error> {
    let mut entry =
        HlodSubObject { bone_index: U32::new(u32::try_from(bone).unwrap_or_default()), ..Default::default() };
    entry.name.set(name).map_err(|error| Error::new(error.to_string()))?;
    let Some(chunks) = root.children_mut() else { return Ok(()) };
    if let Some(model) = chunks.iter_mut().find(|chunk| chunk.is(&table::HLOD)) {
        let levels = model.all(&table::HLOD_LOD_ARRAY).count();
        if levels > 1 {
            report.note("the part is only in the finest level of detail");
        }
        let arrays =
            model.children_mut().into_iter().flatten().filter(|child| child.is(&table::HLOD_LOD_ARRAY));
        if let Some(level) = arrays.last() {
            if let Some(header) = level.get_mut(table::HLOD_SUB_OBJECT_ARRAY_HEADER) {
                increase(&mut header.model_count, 1);
            }
            level.children_mut().into_iter().for_each(|children| {
                children.push(record::build(table::HLOD_SUB_OBJECT, &entry));
            });
        }
    }
    let place = chunks.iter().rposition(|other| object_name(other).is_some()).map_or(0, |last| last + 1);
    chunks.insert(place, chunk);
    Ok(())
}
