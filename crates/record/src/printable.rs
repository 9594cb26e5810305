//! Text from files, made safe to print.

use std::borrow::Cow;

/// The text without anything that a terminal or a log takes for a command.
///
/// Names in a file may be anything: escape sequences that clear the screen or set its title, line breaks that start a line of
/// their own, marks that reverse the order of letters, and the commands of CI logs (`::error::`, `##[group]`). Such characters are
/// printed as escapes. All other text is returned as it is.
///
/// ```
/// use meshwright_record::printable;
/// assert_eq!(printable("Hull Ärmel 兵"), "Hull Ärmel 兵");
/// assert_eq!(printable("a\x1b[2J\nb"), r"a\x1b[2J\nb");
/// assert_eq!(printable("::error::x"), r"\x3a:error::x");
/// assert_eq!(printable("safe\u{202e}gpj.exe"), r"safe\u{202e}gpj.exe");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_plain = |byte: &u8| (0x20..0x7f).contains(byte);
    let is_command = starts_command(text) || text.contains(OLD_COMMAND);
    if text.as_bytes().iter().all(is_plain) && !is_command {
        return Cow::Borrowed(text);
    }
    if !is_command && !text.chars().any(is_active) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    if starts_command(text) {
        let start = text.find(COMMAND).unwrap_or(0);
        text[..start].chars().for_each(|character| push(&mut out, character));
        out.push_str(r"\x3a");
        rest = &text[start + 1..];
    }
    for (at, character) in rest.char_indices() {
        if character == '[' && rest[..at].ends_with("##") {
            out.push_str(r"\x5b");
        } else {
            push(&mut out, character);
        }
    }
    Cow::Owned(out)
}

/// Starts a workflow command in a GitHub log, at the start of a line.
const COMMAND: &str = "::";
/// Starts a command for older runners, anywhere in a line.
const OLD_COMMAND: &str = "##[";

fn starts_command(text: &str) -> bool {
    text.trim_start().starts_with(COMMAND)
}

/// Whether a character is a control or formatting character.
fn is_active(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

fn push(out: &mut String, character: char) {
    match character {
        '\n' => out.push_str(r"\n"),
        '\r' => out.push_str(r"\r"),
        '\t' => out.push_str(r"\t"),
        active if is_active(active) && active.is_ascii() => {
            out.push_str(&format!(r"\x{:02x}", u32::from(active)));
        }
        active if is_active(active) => out.push_str(&format!(r"\u{{{:x}}}", u32::from(active))),
        plain => out.push(plain),
    }
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn nothing_active_is_left() {
        for code in (0..0x3000).chain(0xe0000..0xe0100).chain([0xfeff]) {
            let Some(character) = char::from_u32(code) else { continue };
            let text = format!("a{character}b");
            let shown = printable(&text);
            assert!(!shown.chars().any(super::is_active), "{code:#x}");
            assert_eq!(shown == text, !super::is_active(character), "{code:#x}");
        }
    }

    #[test]
    fn commands_of_logs_are_broken() {
        for (text, shown) in [
            ("  ::error::x", r"  \x3a:error::x"),
            ("\t::error::x", r"\t\x3a:error::x"),
            ("a ##[error]x", r"a ##\x5berror]x"),
            ("MESH::SUB", "MESH::SUB"),
            ("::", r"\x3a:"),
        ] {
            assert_eq!(printable(text), shown);
        }
    }
}
