//! `manifests`: the files of package managers, filled with the version and the checksums of a release.

use std::fs;
use std::path::Path;

use super::{sha256, version};
use crate::report::{Outcome, Report, StepResult};
use crate::shell::{program, root, target, works};

/// Templates in `packaging`, and the names of the files that are made of them.
const TEMPLATES: [(&str, &str); 6] = [
    ("homebrew/meshwright.rb", "meshwright.rb"),
    ("scoop/meshwright.json", "meshwright.json"),
    ("aur/PKGBUILD", "PKGBUILD"),
    ("winget/Meshwright.Meshwright.yaml", "Meshwright.Meshwright.yaml"),
    ("winget/Meshwright.Meshwright.installer.yaml", "Meshwright.Meshwright.installer.yaml"),
    ("winget/Meshwright.Meshwright.locale.en-US.yaml", "Meshwright.Meshwright.locale.en-US.yaml"),
];

/// Writes `SHA256SUMS` and the manifests into a folder with all archives of a release.
pub(crate) fn manifests(mut report: Report, folder: &Path) -> Report {
    report.step("checksums", || {
        let sums = checksums(folder)?;
        let text: String = sums.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
        write(&folder.join("SHA256SUMS"), &text)?;
        Ok(Outcome::Passed(format!("{} files", sums.len())))
    });
    report.step("manifests", || {
        let sums = checksums(folder)?;
        for (template, name) in TEMPLATES {
            write(&folder.join(name), &filled(template, &sums)?)?;
        }
        Ok(Outcome::Passed(format!("{} files", TEMPLATES.len())))
    });
    report
}

/// The templates are valid for the programs that read them.
pub(crate) fn check() -> StepResult {
    let sums: Vec<(String, String)> = targets().map(|(_, name)| (name, "0".repeat(64))).to_vec();
    let folder = target()?.join("manifests");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut checked = Vec::new();
    for (template, name) in TEMPLATES {
        let path = folder.join(name);
        write(&path, &filled(template, &sums)?)?;
        let parsers: &[&[&str]] = match Path::new(name).extension().and_then(|it| it.to_str()) {
            Some("rb") => &[&["ruby", "-c"]],
            Some("json") => &[&["python3", "-m", "json.tool"]],
            Some("yaml") => &[&["ruby", "-ryaml", "-e", "YAML.load_file(ARGV[0])"]],
            _ => &[&["bash", "-n"]],
        };
        for parser in parsers.iter().filter(|parser| works(program(parser[0]).arg("--version"))) {
            if !works(program(parser[0]).args(&parser[1..]).arg(&path)) {
                return Err(format!("packaging/{template}: `{}` rejects it", parser.join(" ")));
            }
            checked.push(name);
        }
    }
    Ok(Outcome::Passed(checked.join(", ")))
}

/// The placeholders of checksums, and the archives that they belong to.
fn targets() -> [(&'static str, String); 5] {
    let version = version();
    [
        ("x86_64-unknown-linux-musl", "tar.gz"),
        ("aarch64-unknown-linux-musl", "tar.gz"),
        ("x86_64-apple-darwin", "tar.gz"),
        ("aarch64-apple-darwin", "tar.gz"),
        ("x86_64-pc-windows-msvc", "zip"),
    ]
    .map(|(triple, extension)| (triple, format!("meshwright-{version}-{triple}.{extension}")))
}

/// A template with the version and the checksums in it.
fn filled(template: &str, sums: &[(String, String)]) -> Result<String, String> {
    let path = root().join("packaging").join(template);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut text = text.replace("@VERSION@", &version());
    for (triple, archive) in targets() {
        let placeholder = format!("@SHA256:{triple}@");
        if !text.contains(&placeholder) {
            continue;
        }
        let sum = sums.iter().find(|(name, _)| *name == archive).map(|(_, sum)| sum);
        let sum = sum.ok_or_else(|| format!("packaging/{template} needs {archive}, which is missing"))?;
        text = text.replace(&placeholder, sum);
    }
    match text
        .find('@')
        .filter(|at| text[*at..].starts_with("@SHA256") || text[*at..].starts_with("@VERSION"))
    {
        Some(_) => Err(format!("packaging/{template} has an unknown placeholder")),
        None => Ok(text),
    }
}

/// The archives in a folder with their checksums, sorted by name.
fn checksums(folder: &Path) -> Result<Vec<(String, String)>, String> {
    let list = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = list.flatten().map(|file| file.file_name().to_string_lossy().into_owned());
    let is_archive = |name: &String| [".tar.gz", ".zip", ".deb"].iter().any(|it| name.ends_with(it));
    let mut names: Vec<String> = names.filter(is_archive).collect();
    names.sort();
    names
        .into_iter()
        .map(|name| {
            let path = folder.join(&name);
            let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            Ok((name, sha256(&bytes)))
        })
        .collect()
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_filled() {
        let sums = targets().map(|(_, name)| (name.clone(), sha256(name.as_bytes())));
        for (template, _) in TEMPLATES {
            let text = filled(template, &sums).expect(template);
            assert!(text.contains(&version()), "{template}");
            assert!(!text.contains("@SHA256") && !text.contains("@VERSION"), "{template}: {text}");
        }
    }

    #[test]
    fn a_missing_archive_is_reported() {
        let error = filled("scoop/meshwright.json", &[]).expect_err("there is no archive");
        assert!(error.contains("x86_64-pc-windows-msvc.zip, which is missing"), "{error}");
    }
}
