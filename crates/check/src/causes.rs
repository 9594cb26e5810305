//! Findings that follow from others: the cause is reported, its consequences are not.

use record::Diagnostic;

/// Where the consequences of a finding are.
#[derive(Clone, Copy, Debug)]
enum Scope {
    /// In the whole file.
    File,
    /// In the same chunk at the top of the file: the mesh, the animation, the list of geosets.
    TopPart,
    /// In the part that the finding is about.
    Part,
}

/// What a finding explains. Codes may be prefixes.
struct Cause {
    codes: &'static [&'static str],
    scope: Scope,
    consequences: &'static [&'static str],
}

static CAUSES: &[Cause] = &[
    // Every size after the first inserted byte is wrong.
    Cause { codes: &["W3D-FILE-007", "W3D-FILE-008"], scope: Scope::File, consequences: &["W3D-"] },
    Cause { codes: &["MDX-FILE-001", "MDX-FILE-002"], scope: Scope::File, consequences: &["MDX-"] },
    // Both versions of a part are in the text.
    Cause { codes: &["MDL-TEXT-002"], scope: Scope::File, consequences: &["MDL-"] },
    // The game does not load the file at all.
    Cause {
        codes: &["MDX-GAME-001"],
        scope: Scope::File,
        consequences: &["MDX-MODEL-001", "MDX-GAME-002", "MDX-GEO-004"],
    },
    // What is missing of a damaged part.
    Cause {
        codes: &["W3D-FRAME-001", "W3D-PART-002", "W3D-PART-003", "W3D-PART-004"],
        scope: Scope::TopPart,
        consequences: &[
            "W3D-FRAME-010",
            "W3D-PART-005",
            "W3D-MESH-003",
            "W3D-MESH-004",
            "W3D-MESH-005",
            "W3D-MESH-009",
            "W3D-MESH-013",
            "W3D-MAT-001",
            "W3D-MAT-005",
            "W3D-MAT-006",
            "W3D-MAT-007",
            "W3D-AABT",
            "W3D-PLANE-001",
            "W3D-PLANE-002",
            "W3D-PLANE-003",
            "W3D-SKIN",
            "W3D-HIER-001",
            "W3D-HIER-004",
            "W3D-HLOD-002",
            "W3D-HLOD-003",
            "W3D-CHAN-004",
            "W3D-AGGR-001",
            "W3D-EMIT",
        ],
    },
    Cause {
        codes: &["MDX-FRAME-001", "MDX-FRAME-002", "MDX-FRAME-003", "MDX-PART-002", "MDX-PART-004"],
        scope: Scope::File,
        consequences: &[
            "MDX-GEO-001",
            "MDX-GEO-003",
            "MDX-GEO-005",
            "MDX-GEO-007",
            "MDX-GEO-012",
            "MDX-GEOA-001",
            "MDX-MAT-004",
            "MDX-MAT-005",
            "MDX-MAT-009",
            "MDX-TEX-001",
            "MDX-NODE-001",
            "MDX-NODE-003",
            "MDX-NODE-005",
            "MDX-NODE-006",
            "MDX-PRE2-001",
            "MDX-RIBB-001",
            "MDX-SKIN-001",
            "MDX-SKIN-003",
            "MDX-SKIN-004",
            "MDX-SKIN-005",
            "MDX-SKIN-006",
            "MDX-SKIN-011",
            "MDX-TRACK-001",
            "MDX-FRAME-010",
            "MDX-PART-003",
        ],
    },
    Cause { codes: &["W3D-FRAME-001"], scope: Scope::Part, consequences: &["W3D-PART-003"] },
    Cause { codes: &["W3D-ANIM-002"], scope: Scope::Part, consequences: &["W3D-CHAN-002"] },
    Cause {
        codes: &["W3D-MESH-002"],
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
    Cause {
        codes: &["W3D-MESH-003"],
        scope: Scope::TopPart,
        consequences: &["W3D-MESH-005", "W3D-MESH-009", "W3D-AABT-004", "W3D-PLANE-003"],
    },
    Cause { codes: &["W3D-MESH-004"], scope: Scope::TopPart, consequences: &["W3D-AABT", "W3D-MAT-006"] },
    Cause {
        codes: &["W3D-NAME-011"],
        scope: Scope::TopPart,
        consequences: &["W3D-PLANE", "W3D-AABT-004", "W3D-SKIN-005", "W3D-MESH-014"],
    },
    Cause { codes: &["W3D-AABT-001"], scope: Scope::Part, consequences: &["W3D-AABT-002", "W3D-AABT-003"] },
    Cause { codes: &["MDX-TEX-001"], scope: Scope::File, consequences: &["MDX-MAT-004", "MDX-PRE2-001"] },
    Cause { codes: &["MDX-MAT-009"], scope: Scope::File, consequences: &["MDX-GEO-001", "MDX-RIBB-001"] },
    Cause {
        codes: &["MDX-MODEL-008"],
        scope: Scope::TopPart,
        consequences: &[
            "MDX-GEO-008",
            "MDX-GEO-012",
            "MDX-GEO-013",
            "MDX-GEO-014",
            "MDX-MODEL-005",
            "MDX-TRACK-013",
            "MDX-CAMS-001",
            "MDX-CAMS-003",
            "MDX-CLID-001",
            "MDX-PRE2-004",
        ],
    },
    Cause { codes: &["MDX-GEO-008"], scope: Scope::File, consequences: &["MDX-GEO-014"] },
];

fn is_one(code: &str, codes: &[&str]) -> bool {
    codes.iter().any(|prefix| code.starts_with(prefix))
}

/// The first step of a path. Labels may contain slashes.
fn top(path: &str) -> &str {
    let mut quoted = false;
    let mut escaped = false;
    for (at, letter) in path.char_indices() {
        match letter {
            '"' if !escaped => quoted = !quoted,
            '/' if !quoted => return &path[..at],
            _ => {}
        }
        escaped = letter == '\\' && !escaped;
    }
    path
}

/// Whether a path is another one or leads below it.
fn is_within(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Scope {
    fn has(self, cause: &str, other: &str) -> bool {
        match self {
            Self::File => true,
            // What is about the whole file has no part.
            Self::TopPart => !cause.is_empty() && top(cause) == top(other),
            Self::Part => is_within(other, cause),
        }
    }
}

/// Removes findings that follow from others. A finding explains only those that are not worse than itself.
pub(crate) fn remove_consequences(found: &mut Vec<Diagnostic>) {
    let causes: Vec<(&Cause, Diagnostic)> = found
        .iter()
        .flat_map(|finding| {
            let of = CAUSES.iter().filter(|cause| cause.codes.contains(&&*finding.code));
            of.map(|cause| (cause, Diagnostic { message: String::new(), ..finding.clone() }))
        })
        .collect();
    if causes.is_empty() {
        return;
    }
    found.retain(|finding| {
        !causes.iter().any(|(cause, by)| {
            is_one(&finding.code, cause.consequences)
                && !cause.codes.contains(&&*finding.code)
                && by.severity >= finding.severity
                && cause.scope.has(&by.path, &finding.path)
        })
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(code: &'static str, path: &str) -> Diagnostic {
        Diagnostic { path: path.to_owned(), ..record::Error::new(code, 0..0, "").into() }
    }

    fn left(found: &[(&'static str, &str)]) -> Vec<String> {
        let mut found = found.iter().map(|(code, path)| finding(code, path)).collect();
        remove_consequences(&mut found);
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
                ("W3D-PART-002", "MESH[0] \"A/B\"/VERTICES[0]"),
                ("W3D-MESH-003", "MESH[0] \"A/B\""),
                ("W3D-MESH-003", "MESH[1] \"A/C\"")
            ]),
            ["W3D-PART-002 MESH[0] \"A/B\"/VERTICES[0]", "W3D-MESH-003 MESH[1] \"A/C\""]
        );
        assert_eq!(left(&[("W3D-FILE-007", ""), ("W3D-MESH-003", "MESH[1]")]), ["W3D-FILE-007 "]);
    }

    #[test]
    fn what_is_worse_than_its_cause_stays() {
        let mut mild = finding("W3D-ANIM-002", "ANIMATION[0]");
        mild.severity = record::Severity::Warning;
        let mut found = vec![mild, finding("W3D-CHAN-002", "ANIMATION[0]/ANIMATION_CHANNEL[0]")];
        remove_consequences(&mut found);
        assert_eq!(found.len(), 2);
    }
}
