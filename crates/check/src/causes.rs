//! Findings that follow from others: the cause is reported, its consequences are not.
//!
//! A finding is dropped only if the cause makes it unreliable. Independent damage stays: a part that ends before the
//! damaged part was read completely, and so was a part whose size field is only too small.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use record::{Diagnostic, Node, Severity};

/// The range of the consequences of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Scope {
    /// In the whole file.
    File,
    /// In the same chunk at the top of the file: the mesh, the animation.
    TopPart,
    /// In the same chunk at the top of the file, except in parts that end before the damaged one.
    Rest,
    /// In the same object: the first two steps of the path, such as a geoset or a light.
    Object,
    /// In the part that the finding is about.
    Part,
}

/// The findings that a finding explains. Codes may be prefixes.
struct Cause {
    codes: &'static [&'static str],
    /// Names of the parts that the finding has to be in; empty for any part.
    within: &'static [&'static str],
    scope: Scope,
    consequences: &'static [&'static str],
}

const ANYWHERE: &[&str] = &[];
/// A part is cut off, or could not be divided.
const W3D_CUT: &[&str] = &["W3D-FRAME-001", "W3D-PART-004"];
/// A leaf is too short, or has surplus bytes.
const W3D_LEAF: &[&str] = &["W3D-PART-002", "W3D-PART-003"];
const MDX_DAMAGE: &[&str] =
    &["MDX-FRAME-001", "MDX-FRAME-002", "MDX-FRAME-003", "MDX-PART-002", "MDX-PART-004"];

static CAUSES: &[Cause] = &[
    // Every size after the first inserted byte is wrong.
    Cause {
        codes: &["W3D-FILE-007", "W3D-FILE-008"],
        within: ANYWHERE,
        scope: Scope::File,
        consequences: &["W3D-"],
    },
    Cause {
        codes: &["MDX-FILE-001", "MDX-FILE-002"],
        within: ANYWHERE,
        scope: Scope::File,
        consequences: &["MDX-"],
    },
    // Both versions of a part are in the text.
    Cause { codes: &["MDL-TEXT-002"], within: ANYWHERE, scope: Scope::File, consequences: &["MDL-"] },
    // The game does not load the file at all.
    Cause {
        codes: &["MDX-GAME-001"],
        within: ANYWHERE,
        scope: Scope::File,
        consequences: &["MDX-MODEL-001", "MDX-GAME-002", "MDX-GEO-004"],
    },
    // Headers count, or announce, lost data.
    Cause {
        codes: W3D_CUT,
        within: ANYWHERE,
        scope: Scope::TopPart,
        consequences: &[
            "W3D-FRAME-010",
            "W3D-PART-005",
            "W3D-MESH-008",
            "W3D-MESH-013",
            "W3D-MAT-001",
            "W3D-MAT-005",
            "W3D-SKIN-001",
            "W3D-SKIN-004",
            "W3D-HIER-001",
            "W3D-HIER-004",
            "W3D-HLOD-002",
            "W3D-HLOD-003",
            "W3D-AGGR-001",
            "W3D-EMIT-002",
            "W3D-EMIT-003",
        ],
    },
    // Truncated arrays, and references to them. Exporters write an array before references to it.
    Cause {
        codes: W3D_CUT,
        within: ANYWHERE,
        scope: Scope::Rest,
        consequences: &[
            "W3D-PART-003",
            "W3D-MESH-003",
            "W3D-MESH-004",
            "W3D-MESH-005",
            "W3D-MESH-009",
            "W3D-MAT-006",
            "W3D-MAT-007",
            "W3D-PLANE-001",
            "W3D-PLANE-002",
            "W3D-AABT",
            "W3D-CHAN-004",
        ],
    },
    Cause {
        codes: W3D_LEAF,
        within: ANYWHERE,
        scope: Scope::Part,
        consequences: &[
            "W3D-PART-005",
            "W3D-MESH-003",
            "W3D-MESH-004",
            "W3D-MAT-006",
            "W3D-HIER-001",
            "W3D-HIER-004",
            "W3D-CHAN-004",
            "W3D-AABT-001",
            "W3D-AGGR-001",
            "W3D-EMIT-002",
            "W3D-EMIT-003",
        ],
    },
    Cause {
        codes: W3D_LEAF,
        within: &["VERTICES"],
        scope: Scope::TopPart,
        consequences: &["W3D-PLANE-001", "W3D-PLANE-002", "W3D-AABT-004"],
    },
    Cause {
        codes: W3D_LEAF,
        within: &["TRIANGLES", "AABTREE"],
        scope: Scope::TopPart,
        consequences: &["W3D-AABT"],
    },
    Cause {
        codes: W3D_LEAF,
        within: &["SHADERS", "VERTEX_MATERIALS", "TEXTURES"],
        scope: Scope::TopPart,
        consequences: &["W3D-MAT-005", "W3D-MAT-007"],
    },
    Cause {
        codes: W3D_LEAF,
        within: &["HIERARCHY"],
        scope: Scope::TopPart,
        consequences: &["W3D-HIER-001", "W3D-HIER-004"],
    },
    Cause {
        codes: W3D_LEAF,
        within: &["EMITTER", "AGGREGATE"],
        scope: Scope::TopPart,
        consequences: &["W3D-EMIT-002", "W3D-EMIT-003", "W3D-AGGR-001"],
    },
    // Parts of the damaged object.
    Cause {
        codes: MDX_DAMAGE,
        within: ANYWHERE,
        scope: Scope::Object,
        consequences: &[
            "MDX-FRAME-010",
            "MDX-PART-003",
            "MDX-GEO-003",
            "MDX-GEO-005",
            "MDX-GEO-006",
            "MDX-GEO-007",
            "MDX-GEO-012",
            "MDX-MAT-001",
            "MDX-MAT-007",
            "MDX-SKIN-001",
            "MDX-SKIN-002",
            "MDX-SKIN-003",
            "MDX-SKIN-004",
            "MDX-SKIN-011",
            "MDX-SKIN-012",
        ],
    },
    // References to lost elements of a damaged list.
    Cause {
        codes: MDX_DAMAGE,
        within: &["TEXS"],
        scope: Scope::File,
        consequences: &["MDX-TEX-001", "MDX-MAT-004", "MDX-PRE2-001"],
    },
    Cause {
        codes: MDX_DAMAGE,
        within: &["MTLS"],
        scope: Scope::File,
        consequences: &["MDX-MAT-009", "MDX-GEO-001", "MDX-RIBB-001"],
    },
    Cause { codes: MDX_DAMAGE, within: &["TXAN"], scope: Scope::File, consequences: &["MDX-MAT-005"] },
    Cause { codes: MDX_DAMAGE, within: &["GLBS"], scope: Scope::File, consequences: &["MDX-TRACK-001"] },
    Cause {
        codes: MDX_DAMAGE,
        within: &["SEQS"],
        scope: Scope::File,
        consequences: &["MDX-SEQ-001", "MDX-TRACK-003", "MDX-PRE2-009", "MDX-GEO-004"],
    },
    Cause {
        codes: MDX_DAMAGE,
        within: &["GEOS", "GEOA"],
        scope: Scope::File,
        consequences: &["MDX-GEOA-001", "MDX-NODE-006"],
    },
    Cause {
        codes: MDX_DAMAGE,
        within: &[
            "BONE", "LITE", "HELP", "ATCH", "PREM", "PRE2", "RIBB", "EVTS", "CLID", "CORN", "HTST", "PIVT",
        ],
        scope: Scope::File,
        consequences: &[
            "MDX-NODE-001",
            "MDX-NODE-002",
            "MDX-NODE-003",
            "MDX-NODE-005",
            "MDX-NODE-008",
            "MDX-SKIN-005",
            "MDX-SKIN-006",
        ],
    },
    // These bytes may have been any chunk.
    Cause {
        codes: &["MDX-FRAME-003"],
        within: ANYWHERE,
        scope: Scope::File,
        consequences: &[
            "MDX-FRAME-010",
            "MDX-MODEL-002",
            "MDX-TEX-001",
            "MDX-MAT-004",
            "MDX-MAT-005",
            "MDX-MAT-009",
            "MDX-GEO-001",
            "MDX-GEOA-001",
            "MDX-NODE-001",
            "MDX-NODE-003",
            "MDX-NODE-005",
            "MDX-NODE-006",
            "MDX-PRE2-001",
            "MDX-RIBB-001",
            "MDX-SKIN-005",
            "MDX-SKIN-006",
            "MDX-TRACK-001",
        ],
    },
    Cause { codes: &["W3D-ANIM-002"], within: ANYWHERE, scope: Scope::Part, consequences: &["W3D-CHAN-002"] },
    // The header's counts are zero.
    Cause {
        codes: &["W3D-MESH-002"],
        within: ANYWHERE,
        scope: Scope::Part,
        consequences: &[
            "W3D-MESH-003",
            "W3D-MESH-004",
            "W3D-MESH-013",
            "W3D-AABT",
            "W3D-PLANE",
            "W3D-MAT-006",
        ],
    },
    // The header's count of vertices, or of triangles, is wrong.
    Cause {
        codes: &["W3D-MESH-003"],
        within: &["VERTICES", "SHDSUBMESH_VERTICES"],
        scope: Scope::TopPart,
        consequences: &["W3D-MESH-005", "W3D-MESH-009", "W3D-AABT-004"],
    },
    Cause {
        codes: &["W3D-MESH-004"],
        within: &["TRIANGLES"],
        scope: Scope::TopPart,
        consequences: &["W3D-AABT", "W3D-MAT-006"],
    },
    Cause {
        codes: &["W3D-NAME-011"],
        within: ANYWHERE,
        scope: Scope::TopPart,
        consequences: &["W3D-PLANE", "W3D-AABT-004", "W3D-SKIN-005"],
    },
    Cause {
        codes: &["W3D-AABT-001"],
        within: ANYWHERE,
        scope: Scope::Part,
        consequences: &["W3D-AABT-002", "W3D-AABT-003"],
    },
    Cause {
        codes: &["MDX-TEX-001"],
        within: ANYWHERE,
        scope: Scope::File,
        consequences: &["MDX-MAT-004", "MDX-PRE2-001"],
    },
    Cause {
        codes: &["MDX-MAT-009"],
        within: ANYWHERE,
        scope: Scope::File,
        consequences: &["MDX-GEO-001", "MDX-RIBB-001"],
    },
    Cause {
        codes: &["MDX-MODEL-008"],
        within: ANYWHERE,
        scope: Scope::Object,
        consequences: &[
            "MDX-GEO-008",
            "MDX-GEO-012",
            "MDX-GEO-013",
            "MDX-GEO-014",
            "MDX-MODEL-005",
            "MDX-CAMS-001",
            "MDX-CAMS-003",
            "MDX-CLID-001",
            "MDX-PRE2-004",
        ],
    },
    Cause {
        codes: &["MDX-MODEL-008"],
        within: ANYWHERE,
        scope: Scope::Part,
        consequences: &["MDX-TRACK-013"],
    },
    Cause { codes: &["MDX-GEO-008"], within: ANYWHERE, scope: Scope::Object, consequences: &["MDX-GEO-014"] },
];

fn is_one(code: &str, codes: &[&str]) -> bool {
    codes.iter().any(|prefix| code.starts_with(prefix))
}

/// The end of each step of a path. Labels may contain slashes.
fn ends(path: &str) -> impl Iterator<Item = usize> {
    let (mut quoted, mut escaped) = (false, false);
    let slashes = path.char_indices().filter(move |(_, letter)| {
        let ends = *letter == '/' && !quoted;
        quoted ^= *letter == '"' && !escaped;
        escaped = *letter == '\\' && !escaped;
        ends
    });
    slashes.map(|(at, _)| at).chain([path.len()])
}

/// The first steps of a path, or all if it has no more.
fn first_steps(path: &str, count: usize) -> &str {
    &path[..ends(path).take(count).last().unwrap_or(0)]
}

/// Whether a path leads through a part of one of these names.
fn is_in(path: &str, names: &[&str]) -> bool {
    let mut start = 0;
    names.is_empty()
        || ends(path).any(|end| {
            let step = &path[start..end];
            start = end + 1;
            // The text before the index and the label.
            names.contains(&step.split(['[', ' ']).next().unwrap_or(step))
        })
}

/// A cause that is in the file.
struct Present {
    cause: &'static Cause,
    severity: Severity,
    start: u64,
}

impl Present {
    /// Whether it explains a finding at its place. It explains only findings that are not more severe than itself.
    fn explains(&self, finding: &Diagnostic) -> bool {
        is_one(&finding.code, self.cause.consequences)
            && !self.cause.codes.contains(&&*finding.code)
            && self.severity >= finding.severity
            && (self.cause.scope != Scope::Rest || finding.span.end > self.start)
    }
}

/// The causes in a file, by the range of their consequences. A damaged file may have thousands of both, so they are not
/// compared pair by pair.
#[derive(Default)]
struct Causes<'f>(HashMap<(Scope, &'f str), Vec<Present>>);

impl<'f> Causes<'f> {
    fn add(&mut self, cause: &'static Cause, finding: &'f Diagnostic) {
        // A finding about the whole file is in no part.
        if cause.scope != Scope::File && finding.path.is_empty() {
            return;
        }
        let place = match cause.scope {
            Scope::File => "",
            Scope::TopPart | Scope::Rest => first_steps(&finding.path, 1),
            Scope::Object => first_steps(&finding.path, 2),
            Scope::Part => &finding.path,
        };
        let (severity, start) = (finding.severity, finding.span.start);
        let present = self.0.entry((cause.scope, place)).or_default();
        let same =
            present.iter_mut().find(|other| std::ptr::eq(other.cause, cause) && other.severity == severity);
        match same {
            Some(same) => same.start = same.start.min(start),
            None => present.push(Present { cause, severity, start }),
        }
    }

    fn explain(&self, finding: &Diagnostic) -> bool {
        let path = &*finding.path;
        let top = first_steps(path, 1);
        let places = [
            (Scope::File, ""),
            (Scope::TopPart, top),
            (Scope::Rest, top),
            (Scope::Object, first_steps(path, 2)),
        ];
        let parts = ends(path).map(|end| (Scope::Part, &path[..end]));
        let mut present = places.into_iter().chain(parts).filter_map(|place| self.0.get(&place)).flatten();
        present.any(|present| present.explains(finding))
    }
}

/// Removes findings that follow from others.
pub(crate) fn remove_consequences(found: &mut Vec<Diagnostic>, root: &Node<'_>) {
    let mut causes = Causes::default();
    let complete = OnceCell::new();
    for finding in &*found {
        for cause in CAUSES.iter().filter(|cause| cause.codes.contains(&&*finding.code)) {
            let is_complete = || {
                finding.code.contains("-FRAME-00")
                    && complete.get_or_init(|| complete_parts(root)).contains(&finding.path)
            };
            if is_in(&finding.path, cause.within) && !is_complete() {
                causes.add(cause, finding);
            }
        }
    }
    if causes.0.is_empty() {
        return;
    }
    let kept: Vec<bool> = found.iter().map(|finding| !causes.explain(finding)).collect();
    let mut kept = kept.into_iter();
    found.retain(|_| kept.next().unwrap_or(true));
}

/// The paths of parts whose size field is only too small: they were read completely.
fn complete_parts(root: &Node<'_>) -> HashSet<String> {
    let mut paths = HashSet::new();
    root.walk(&mut |place| {
        if place.depth() > 0 && place.node.size_delta.cast_signed() < 0 {
            paths.insert(place.path());
        }
    });
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(code: &'static str, path: &str) -> Diagnostic {
        Diagnostic { path: path.to_owned(), ..record::Error::new(code, 0..1, "").into() }
    }

    fn remove(found: &mut Vec<Diagnostic>) {
        remove_consequences(found, &Node::branch(&w3d::table::FILE, 0, vec![]));
    }

    fn left(found: &[(&'static str, &str)]) -> Vec<String> {
        let mut found = found.iter().map(|(code, path)| finding(code, path)).collect();
        remove(&mut found);
        found.into_iter().map(|finding| format!("{} {}", finding.code, finding.path)).collect()
    }

    #[test]
    fn consequences_are_removed_where_their_cause_is() {
        assert_eq!(
            left(&[
                ("W3D-ANIM-002", "ANIMATION[0] \"A/B.C\""),
                ("W3D-CHAN-002", "ANIMATION[0] \"A/B.C\"/ANIMATION_CHANNEL[1]"),
                ("W3D-CHAN-002", "ANIMATION[1] \"A.D\"/ANIMATION_CHANNEL[1]"),
            ]),
            ["W3D-ANIM-002 ANIMATION[0] \"A/B.C\"", "W3D-CHAN-002 ANIMATION[1] \"A.D\"/ANIMATION_CHANNEL[1]"]
        );
        assert_eq!(
            left(&[
                ("W3D-FRAME-001", "MESH[0] \"A/B\"/VERTICES[0]"),
                ("W3D-MESH-003", "MESH[0] \"A/B\""),
                ("W3D-MESH-003", "MESH[1] \"A/C\"")
            ]),
            ["W3D-FRAME-001 MESH[0] \"A/B\"/VERTICES[0]", "W3D-MESH-003 MESH[1] \"A/C\""]
        );
        assert_eq!(left(&[("W3D-FILE-007", ""), ("W3D-MESH-003", "MESH[1]")]), ["W3D-FILE-007 "]);
    }

    /// A chunk that ends before the damage is complete, and so are all geosets except the damaged one.
    #[test]
    fn independent_damage_stays() {
        let at = |code: &'static str, path: &str, span: std::ops::Range<u64>| {
            let mut finding = finding(code, path);
            finding.span = span;
            finding
        };
        let mut found = vec![
            at("W3D-MESH-005", "MESH[0] \"A.B\"/TRIANGLES[0]", 100..200),
            at("W3D-FRAME-001", "MESH[0] \"A.B\"/MATERIAL_PASS[0]", 200..300),
            at("W3D-MAT-007", "MESH[0] \"A.B\"/MATERIAL_PASS[0]/SHADER_IDS[0]", 220..230),
            at("W3D-SKIN-002", "MESH[0] \"A.B\"/VERTEX_INFLUENCES[0]", 50..100),
        ];
        remove(&mut found);
        let codes: Vec<&str> = found.iter().map(|finding| &*finding.code).collect();
        assert_eq!(codes, ["W3D-MESH-005", "W3D-FRAME-001", "W3D-SKIN-002"]);
        assert_eq!(
            left(&[
                ("MDX-PART-002", "GEOS[0]/Geoset[1]/GeosetHeader[0]"),
                ("MDX-GEO-006", "GEOS[0]/Geoset[1]/PVTX[0]"),
                ("MDX-GEO-006", "GEOS[0]/Geoset[2]/PVTX[0]"),
                ("MDX-MAT-004", "MTLS[0]/Material[0]/LAYS[0]/Layer[0]"),
            ]),
            [
                "MDX-PART-002 GEOS[0]/Geoset[1]/GeosetHeader[0]",
                "MDX-GEO-006 GEOS[0]/Geoset[2]/PVTX[0]",
                "MDX-MAT-004 MTLS[0]/Material[0]/LAYS[0]/Layer[0]"
            ]
        );
        // The normals are too few; that says nothing about the vertices.
        let normals = [
            ("W3D-MESH-003", "MESH[0] \"A.B\"/VERTEX_NORMALS[0]"),
            ("W3D-MESH-005", "MESH[0] \"A.B\"/TRIANGLES[0]"),
        ];
        assert_eq!(left(&normals).len(), 2);
        assert_eq!(left(&[("W3D-MESH-003", "MESH[0] \"A.B\"/VERTICES[0]"), normals[1]]).len(), 1);
    }

    #[test]
    fn a_size_that_is_too_small_explains_nothing() {
        let sample = mdx::build::samples().into_iter().find(|(name, _)| *name == "warcraft-800").unwrap();
        let mut file = mdx::Document::parse(&sample.1).unwrap().into_owned();
        file.root.find_mut("LITE/Light").unwrap().size_delta = 0_u32.wrapping_sub(4);
        let mut found = vec![
            finding("MDX-FRAME-001", "LITE[0]/Light[0] \"Lamp\""),
            finding("MDX-NODE-003", "BONE[0]/Bone[1]/Node[0]"),
        ];
        remove_consequences(&mut found, &file.root);
        assert_eq!(found.len(), 2, "the light was read completely");
        file.root.find_mut("LITE/Light").unwrap().size_delta = 4;
        remove_consequences(&mut found, &file.root);
        assert_eq!(found.len(), 1, "the light is cut off");
    }

    #[test]
    fn what_is_worse_than_its_cause_stays() {
        let mut mild = finding("W3D-ANIM-002", "ANIMATION[0]");
        mild.severity = record::Severity::Warning;
        let mut found = vec![mild, finding("W3D-CHAN-002", "ANIMATION[0]/ANIMATION_CHANNEL[0]")];
        remove(&mut found);
        assert_eq!(found.len(), 2);
    }
}
