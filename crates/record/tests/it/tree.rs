//! A small format made up here, to test trees without knowing a real one.

use meshwright_record::zerocopy::IntoBytes;
use meshwright_record::{
    Body, Chars, F32, Finding, Format, Framing, Inline, Kind, LEFTOVER, MAX_DIAGNOSTICS, Node, Severity,
    Slot, U32, Vec3, records,
};

records! {
    /// A head.
    pub struct Head: 24 {
        0 count: U32, "Number of points.";
        4 name: Chars<16>, "Name.";
        20 scale: F32, "Scale.";
    }
}

meshwright_record::open_flags! {
    /// A word of flags with a field in it and a value inside the field's mask.
    pub flags Word: u16 {
        0x1 ONE "a bit",
        0x100 & 0xFF00 FIELD "a value of a field",
        0x1000 OVERLAP "a bit inside the field",
    }
}

/// A tag byte and a length byte.
struct Small;

impl Framing for Small {
    fn word(&self) -> &'static str {
        "small"
    }
    fn header_len(&self) -> usize {
        2
    }
    fn write_header(&self, node: &Node<'_>, body_len: usize, header: &mut [u8]) -> Option<()> {
        header[0] = u8::try_from(node.id).ok()?;
        header[1] = u8::try_from(u32::try_from(body_len).ok()?.wrapping_add(node.size_delta)).ok()?;
        Some(())
    }
    fn explain_size_delta(&self, node: &Node<'_>) -> Option<Finding> {
        Some(("FRAME-001", Severity::Error, format!("{} more bytes declared than present", node.size_delta)))
    }
}

fn head_name(node: &Node<'_>) -> Option<String> {
    node.value::<Head>().map(|head| head.name.to_string())
}

static ROOT: Kind = Kind { branch: true, ..Kind::new("ROOT", &Inline) };
static BRANCH: Kind = Kind { branch: true, ..Kind::new("BRANCH", &Small) };
static POINTS: Kind = Kind {
    slots: &[
        Slot::one::<Head>("head"),
        Slot::by::<Vec3>("points", |body| body.first().copied().unwrap_or_default().into()),
        Slot::rest::<Word>("words"),
    ],
    label: Some(head_name),
    ..Kind::new("POINTS", &Small)
};
static TEXT: Kind = Kind { slots: &[Slot::text("text")], ..Kind::new("TEXT", &Small) };
static UNKNOWN: Kind = Kind::new("", &Small);

struct Toy;

impl Format for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }
    fn root(&self) -> &'static Kind {
        &ROOT
    }
    fn named(&self, _: &'static Kind, word: &str, name: &str) -> Option<(&[&'static Kind], u32)> {
        static KINDS: [&Kind; 5] = [&BRANCH, &POINTS, &TEXT, &LEFTOVER, &UNKNOWN];
        match (word, name) {
            ("small", "BRANCH") => Some((&KINDS[0..1], 1)),
            ("small", "POINTS") => Some((&KINDS[1..2], 2)),
            ("small", "TEXT") => Some((&KINDS[2..3], 3)),
            ("part", "LEFTOVER") => Some((&KINDS[3..4], 0)),
            ("small", id) => Some((&KINDS[4..5], u32::from_str_radix(id.strip_prefix("0x")?, 16).ok()?)),
            _ => None,
        }
    }
}

fn points() -> Node<'static> {
    let head =
        Head { count: 2.into(), name: Chars(*b"Ab\0\xcdjunk\0\0\0\0\0\0\0\0"), scale: F32::new(f32::NAN) };
    let mut bytes = head.as_bytes().to_vec();
    bytes.extend([Vec3::new(1.0, -0.0, f32::INFINITY), Vec3::new(1e-45, 3.4e38, 0.1)].as_bytes());
    bytes.extend([0x01, 0x01, 0x00, 0x11, 0x02, 0x20]);
    Node::leaf(&POINTS, 2, bytes)
}

fn document() -> Node<'static> {
    let mut short = Node::leaf(&TEXT, 3, b"caf\xe9 \"x\"\\\n\0".to_vec());
    short.size_delta = 5;
    Node::branch(
        &ROOT,
        0,
        vec![
            Node::branch(&BRANCH, 1, vec![points(), Node::leaf(&TEXT, 3, b"no nul".to_vec())]),
            Node::branch(&BRANCH, 1, vec![]),
            Node::leaf(&UNKNOWN, 0x77, vec![1, 2, 3]),
            Node::leaf(&POINTS, 2, vec![9; 7]),
            short,
            Node::leaf(&LEFTOVER, 0, vec![0xff; 40]),
        ],
    )
}

#[test]
fn writing_frames_what_is_inside() {
    let bytes = document().to_bytes().unwrap();
    // BRANCH: tag 1, then POINTS (2 + 24 + 24 + 6) and TEXT (2 + 6).
    assert_eq!(bytes[..4], [1, 64, 2, 54]);
    // The second BRANCH is empty; the unknown part follows with its own tag.
    assert_eq!(bytes[66..73], [1, 0, 0x77, 3, 1, 2, 3]);
    // The stored length is the true one plus the difference: 11 + 5.
    assert_eq!(bytes[82..84], [3, 16]);
}

#[test]
fn the_text_form_comes_back_to_the_same_bytes() {
    let document = document();
    let text = document.to_json(&Toy);
    let format: &dyn Format = &Toy;
    let back = format.read_json(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(back.to_bytes(), document.to_bytes(), "{text}");
    assert_eq!(back.to_json(&Toy), text);
    for expected in [
        r#"{"small": "TEXT", "size_delta": "0x5", "text": "café \"x\"\\\n"}"#,
        r#""name": {"text": "Ab", "tail": "00cd6a756e6b0000000000000000"}"#,
        r#""scale": "nan:7fc00000""#,
        "[1.0, -0.0, \"inf\"]",
        "[1e-45, 3.4e+38, 0.1]",
        // 0x0101: the bit and the field; 0x1100: the field has another value, its overlapping bit has a name.
        r#""words": [["ONE", "FIELD"], ["OVERLAP", "0x100"], ["0x2002"]]"#,
        r#"{"small": "TEXT", "text": {"text": "no nul", "tail": ""}}"#,
        r#"{"small": "0x00000077", "hex": "010203"}"#,
    ] {
        assert!(text.contains(expected), "{expected} is not in\n{text}");
    }
}

#[test]
fn the_older_name_of_the_size_delta_is_read() {
    let document = document();
    let text = document.to_json(&Toy).replace("size_delta", "size_quirk");
    assert!(text.contains("size_quirk"));
    let format: &dyn Format = &Toy;
    assert_eq!(format.read_json(&text).unwrap().to_bytes(), document.to_bytes());
}

#[test]
fn a_wrong_text_says_where() {
    let format: &dyn Format = &Toy;
    for (text, place, message) in [
        ("{\"format\": \"toy\",\n \"children\": [}", "line 2, column 15", "not JSON"),
        (r#"{"format": "w3d"}"#, "", "format \"w3d\""),
        (
            r#"{"format": "toy", "children": [{"small": "NOSUCH"}]}"#,
            "line 1, column 42",
            "there is no small \"NOSUCH\" below",
        ),
        (
            r#"{"format": "toy", "children": [{"small": "TEXT", "txt": ""}]}"#,
            "TEXT[0]: line 1, column 50",
            "did you mean \"text\"?",
        ),
        (
            r#"{"format": "toy", "children": [{"small": "TEXT", "text": "", "text": ""}]}"#,
            "column 62",
            "duplicate key \"text\"",
        ),
        (
            r#"{"format": "toy", "children": [{"small": "TEXT", "text": "", "children": []}]}"#,
            "TEXT[0]",
            "children or values, not both",
        ),
        (
            r#"{"format": "toy", "children": [{"small": "POINTS", "head": {"count": -5, "name": "", "scale": 0}}]}"#,
            "POINTS[0]: line 1, column 70: head.count",
            "does not fit",
        ),
        (
            r#"{"format": "toy", "children": [{"small": "POINTS", "head": {"count": 1, "name": "0123456789abcdefg", "scale": 0}}]}"#,
            "POINTS[0]: line 1, column 81: head.name",
            "does not fit its 16 bytes",
        ),
    ] {
        let error = format.read_json(text).unwrap_err().to_string();
        assert!(error.contains(place) && error.contains(message), "{error}");
    }
}

#[test]
fn diagnostics_say_what_where_and_by_which_path() {
    let found = document().diagnose("TOY");
    let lines: Vec<_> = found.iter().map(|d| (d.code.as_ref(), d.span.clone(), d.path.as_str())).collect();
    assert_eq!(
        lines,
        [
            ("TOY-PART-001", 68..73, "0x00000077[0]"),
            ("TOY-PART-002", 73..82, "POINTS[0]"),
            ("TOY-FRAME-001", 82..84, "TEXT[0]"),
            ("TOY-FRAME-010", 95..135, "LEFTOVER[0]"),
        ]
    );
}

#[test]
fn parts_are_found_by_path_and_edited_in_place() {
    let mut document = document();
    let before = document.to_bytes().unwrap();
    let path = "branch[0]/POINTS[0] \"Ab\"";
    assert_eq!(document.find(path).unwrap().values::<Vec3>()[0].x.get(), 1.0);
    let node = document.find_mut(path).unwrap();
    node.value_mut::<Head>().unwrap().count.set(1);
    node.values_mut::<Vec3>()[0].x.set(2.0);
    let after = document.to_bytes().unwrap();
    let changed: Vec<_> = (0..before.len()).filter(|index| before[*index] != after[*index]).collect();
    // The count at 4, and 1.0 -> 2.0 (0x3f800000 -> 0x40000000) at 4 + 24.
    assert_eq!(changed, [4, 30, 31]);
    let node = document.find_mut(path).unwrap();
    node.set_values(&[Vec3::default(); 3]).unwrap();
    node.value_mut::<Head>().unwrap().count.set(3);
    assert_eq!(document.find(path).unwrap().values::<Vec3>().len(), 3);
    assert_eq!(document.to_bytes().unwrap()[1], 64 + 24, "the parent's size follows");
    assert!(document.find("BRANCH[0]/POINTS[1]").is_none());
    assert!(matches!(document.find("BRANCH[1]").unwrap().body, Body::Branch(_)));
}

#[test]
fn a_part_too_long_for_its_size_word_is_an_error() {
    let node = Node::leaf(&TEXT, 3, vec![b'x'; 300]);
    assert!(node.to_bytes().unwrap_err().to_string().contains("300 bytes"));
}

/// The shortest decimal of this float lies so near the middle between two others that rounding it to `f64` first gives its
/// neighbour: the only one of all finite floats.
#[test]
fn floats_are_not_rounded_twice() {
    let float = f32::from_bits(0x15ae_43fd);
    let head = Head { scale: F32::new(float), ..Head::default() };
    let document = Node::branch(&ROOT, 0, vec![Node::leaf(&POINTS, 2, head.as_bytes().to_vec())]);
    let text = document.to_json(&Toy);
    assert!(text.contains("7.038531e-26"), "{text}");
    let format: &dyn Format = &Toy;
    let back = format.read_json(&text).unwrap();
    assert_eq!(back.find("POINTS").unwrap().value::<Head>().unwrap().scale.get().to_bits(), float.to_bits());
}

#[test]
fn a_count_larger_than_what_is_there_is_said() {
    let mut points = points();
    points.value_mut::<Head>().unwrap().count.set(7);
    let found = Node::branch(&ROOT, 0, vec![points]).diagnose("TOY");
    let lines: Vec<_> = found.iter().map(|d| (d.code.as_ref(), d.message.as_str())).collect();
    assert_eq!(lines, [("TOY-PART-005", "the header says 7 points, but there are 2")]);
}

#[test]
fn an_empty_array_can_be_filled() {
    let head = Head { count: 0.into(), ..Head::default() };
    let mut node = Node::leaf(&POINTS, 2, [head.as_bytes(), &[1, 0]].concat());
    node.set_values(&[Vec3::new(1.0, 2.0, 3.0)]).unwrap();
    node.value_mut::<Head>().unwrap().count.set(1);
    assert_eq!(node.values::<Vec3>(), [Vec3::new(1.0, 2.0, 3.0)]);
    assert_eq!(node.values::<Word>(), [Word::ONE], "what follows stays");
}

#[test]
fn a_million_findings_become_a_short_list_that_says_so() {
    let strangers = || vec![Node::leaf(&LEFTOVER, 0, b"x".to_vec()); 2 * MAX_DIAGNOSTICS];
    let worse = Node::leaf(&LEFTOVER, 0, b"more than eight".to_vec());
    let document = Node::branch(&ROOT, 0, [strangers(), vec![worse], strangers()].concat());
    let found = document.diagnose("TOY");
    assert_eq!(found.len(), MAX_DIAGNOSTICS);
    let last = found.last().unwrap();
    assert_eq!(last.severity, Severity::Error, "it is as bad as the worst of the rest");
    assert_eq!(last.message, "15 trailing bytes in the parent chunk; 30001 more findings are not listed");
    let whole = Node::branch(&ROOT, 0, strangers()[..MAX_DIAGNOSTICS].to_vec()).diagnose("TOY");
    assert_eq!(whole.len(), MAX_DIAGNOSTICS);
    assert_eq!(whole.last().unwrap().message, "1 trailing byte in the parent chunk");
}
