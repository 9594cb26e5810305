//! Changes of `edit` that work on parts.

use meshwright::edit::{self, Addition, ClipAddition, PartKind, Recompute, Removal, Selector, Smoothing};
use meshwright::record::Node;

use super::part_args::{AddArgs, KeepArgs, RecomputeArgs, RemoveArgs};
use super::script::Context;
use super::{Sought, run};
use crate::exit::{self, Failure, Outcome};
use crate::{input, report};

pub(super) fn remove(args: &RemoveArgs, common: Context<'_>) -> exit::Result {
    let wanted: Vec<&Option<Selector>> =
        std::iter::once(&args.part).chain(&args.and).map(|wanted| &wanted.0).collect();
    let removal = Removal {
        parts: wanted.iter().copied().flatten().cloned().collect(),
        unused: wanted.iter().any(|wanted| wanted.is_none()),
        children: args.children.into(),
    };
    let apply = |root: &mut Node<'_>| edit::remove(root, &removal);
    let sought = removal.parts.first().filter(|_| !removal.unused);
    with_hint(sought, |sought| run(&args.files, &[], common, &apply, sought))
}

pub(super) fn keep(args: &KeepArgs, common: Context<'_>) -> exit::Result {
    let kept: Vec<Selector> = std::iter::once(&args.part).chain(&args.and).cloned().collect();
    let apply = |root: &mut Node<'_>| edit::keep(root, &kept, args.children.into());
    run(&args.files, &[], common, &apply, None)
}

pub(super) fn recompute(args: &RecomputeArgs, common: Context<'_>) -> exit::Result {
    let normals = args.angle.map_or(Smoothing::Kept, Smoothing::Angle);
    let what = Recompute::of(std::iter::once(args.what).chain(args.and.iter().copied()), normals);
    if args.angle.is_some() && what.normals.is_none() {
        return Err(Failure::Usage("--angle is for normals; add --and normals".to_owned()));
    }
    run(&args.files, &[], common, &|root| edit::recompute(root, &what), None)
}

pub(super) fn add(args: &AddArgs, common: Context<'_>) -> exit::Result {
    let Some(other) = other_model(&args.from, &args.files, common)? else { return Ok(Outcome::Unreadable) };
    if let Some(clip) = &args.clip {
        let selector = format!("{}:{clip}", PartKind::Clip.word()).parse();
        let addition = ClipAddition {
            clip: selector.map_err(|error: edit::Error| Failure::Usage(error.to_string()))?,
            name: args.name.clone(),
            map: args.map.clone(),
            like: args.like.clone(),
        };
        return run(&args.files, &[], common, &|root| edit::add_clip(root, &other, &addition), None);
    }
    let Some(part) = args.part.clone() else { return Ok(Outcome::Fine) };
    let addition =
        Addition { part, to: args.to.clone(), like: args.like.clone(), keep_position: args.keep_position };
    run(&args.files, &[], common, &|root| edit::add(root, &other, &addition), None)
}

/// The model that an option names; `None` if it cannot be read, which is reported.
pub(super) fn other_model(
    path: &std::path::Path,
    files: &super::args::Files,
    context: Context<'_>,
) -> exit::Result<Option<Node<'static>>> {
    let path = context.path(path);
    let (mut sources, problems) = input::sources(std::slice::from_ref(&path), files.inputs.forced);
    problems.iter().for_each(report::problem);
    if !problems.is_empty() {
        return Ok(None);
    }
    let Some(source) = sources.pop().filter(|_| sources.is_empty()) else {
        return Err(Failure::Usage(format!("--from takes one model: {}", path.display())));
    };
    let Ok(bytes) = source.bytes().inspect_err(report::problem) else { return Ok(None) };
    let parsed = source.parse(&bytes, files.inputs.forced).inspect_err(report::problem);
    Ok(parsed.ok().map(|mut parsed| parsed.document.root_mut().clone().into_owned()))
}

/// Runs a change that looks for a part by name, with what to say if no file has it.
pub(super) fn with_hint(
    selector: Option<&Selector>,
    run: impl FnOnce(Option<Sought<'_>>) -> exit::Result,
) -> exit::Result {
    let Some(Selector::Named(kind, name)) = selector.filter(|selector| selector.is_exact()) else {
        return run(None);
    };
    let names = |root: &mut Node<'_>| {
        let all = edit::select(root, &Selector::All(*kind))?;
        Ok(all.into_iter().map(|part| part.name).filter(|name| !name.is_empty()).collect())
    };
    run(Some(Sought { what: kind.word(), name, names: &names }))
}
