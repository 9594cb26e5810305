//! `pack`: a folder as an archive.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use meshwright::archive;
use meshwright::archive::{Content, Kind, NewMember};

use super::args::{PackArgs, PackKind};
use crate::args::Common;
use crate::exit::{self, Failure, Outcome};
use crate::input::{Problem, path_text};
use crate::report;

pub(crate) fn pack(args: &PackArgs, common: Common) -> exit::Result {
    let kind = kind(args)?;
    match pack_folder(args, kind) {
        Ok(count) => {
            if !common.quiet {
                let mut out = report::stdout();
                let name = path_text(&args.archive);
                writeln!(out, "{name}: {}, {}", kind.name(), report::counted(count, "member", "members"))?;
                out.flush()?;
            }
            Ok(Outcome::Fine)
        }
        Err(problem) => {
            report::problem(&problem);
            Ok(Outcome::Unreadable)
        }
    }
}

fn kind(args: &PackArgs) -> Result<Kind, Failure> {
    let by_name = || args.archive.file_name().and_then(|name| Kind::of_name(&name.to_string_lossy()));
    match args.to {
        Some(PackKind::Big) => Ok(Kind::Bigf),
        Some(PackKind::Big4) => Ok(Kind::Big4),
        Some(PackKind::Mix) => Ok(Kind::Mix),
        Some(PackKind::Mpq) => Ok(Kind::Mpq),
        None => by_name().filter(|kind| *kind != Kind::Zip).ok_or_else(|| {
            let name = args.archive.display();
            Failure::Usage(format!(
                "cannot pack {name}; supported: .big, .mix, .mpq, .w3x, .w3m, .w3n; or give --to KIND"
            ))
        }),
    }
}

fn pack_folder(args: &PackArgs, kind: Kind) -> Result<usize, Problem> {
    if !args.folder.is_dir() {
        return Err(Problem::system(&args.folder, "no such folder", None));
    }
    if args.archive.exists() && !args.force {
        return Err(Problem::system(&args.archive, "the file exists", Some("use --force to overwrite it")));
    }
    let mut members = Vec::new();
    // An archive in the folder that is packed does not contain itself.
    let own = fs::canonicalize(&args.archive).ok();
    collect(&args.folder, "", &own, &mut members)?;
    members.sort_by_cached_key(|member| archive::key(&member.path));
    archive::save(&args.archive, |out| archive::create(kind, &members, out))
        .map_err(|error| Problem::system(&args.archive, format!("cannot write: {error}"), None))?;
    Ok(members.len())
}

fn collect(
    folder: &Path,
    above: &str,
    own: &Option<PathBuf>,
    members: &mut Vec<NewMember>,
) -> Result<(), Problem> {
    let failed = |error: std::io::Error| Problem::system(folder, error.to_string(), None);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_err(failed)?;
        let path = entry.path();
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            return Err(Problem::system(
                &path,
                "the file name is not valid Unicode",
                Some("rename the file"),
            ));
        };
        let inner = if above.is_empty() { name } else { format!("{above}/{name}") };
        if kind.is_dir() {
            collect(&path, &inner, own, members)?;
        } else if kind.is_file() && (own.is_none() || fs::canonicalize(&path).ok() != *own) {
            members.push(NewMember { path: inner, content: Content::File(path) });
        }
    }
    Ok(())
}
