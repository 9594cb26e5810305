//! Names that fit a format: a limited number of bytes in Windows-1252.

use std::collections::{HashMap, HashSet};

/// Cuts names to a length. A name that was cut is unlike all others.
pub(super) struct Names {
    limit: usize,
    used: Unique,
}

impl Names {
    /// For fields that hold `limit` bytes of text, and a list of all names that will be asked for.
    pub(super) fn new<'n>(limit: usize, all: impl IntoIterator<Item = &'n str>) -> Self {
        Self { limit, used: Unique::new(all.into_iter().filter(|name| is_fit(name, limit))) }
    }

    /// The name as the format can hold it.
    pub(super) fn fit(&mut self, name: &str) -> String {
        if is_fit(name, self.limit) {
            return name.to_owned();
        }
        self.used.take(&fit(name, self.limit), "~", self.limit)
    }
}

/// Names that are used, compared without regard to case and to spaces at the end.
#[derive(Default)]
pub(super) struct Unique {
    used: HashSet<String>,
    /// The number to try next after the beginning of a name. Those before it are used.
    next: HashMap<String, u32>,
}

impl Unique {
    pub(super) fn new(used: impl IntoIterator<Item: AsRef<str>>) -> Self {
        let used = used.into_iter().map(|name| key(name.as_ref())).collect();
        Self { used, next: HashMap::new() }
    }

    /// The name if it is new; otherwise its beginning, the separator and a number, within the limit.
    pub(super) fn take(&mut self, name: &str, separator: &str, limit: usize) -> String {
        if self.used.insert(key(name)) {
            return name.to_owned();
        }
        for digits in 1..10 {
            let room = limit.saturating_sub(separator.len() + digits as usize);
            let stem = name.chars().take(room).collect::<String>() + separator;
            let next = self.next.entry(stem.to_ascii_lowercase()).or_insert(2);
            *next = (*next).max(10_u32.pow(digits - 1));
            while *next < 10_u32.pow(digits) {
                let numbered = format!("{stem}{next}");
                *next += 1;
                if self.used.insert(key(&numbered)) {
                    return numbered;
                }
            }
        }
        name.to_owned()
    }
}

fn key(name: &str) -> String {
    name.trim_end().to_ascii_lowercase()
}

/// A single name or path as a field of `limit` bytes can hold it.
pub(super) fn fit(name: &str, limit: usize) -> String {
    if is_fit(name, limit) {
        return name.to_owned();
    }
    let known = name.chars().map(|letter| if is_known(letter) { letter } else { '_' });
    known.take(limit).collect::<String>().trim_end().to_owned()
}

/// Whether a name needs no change. One letter is one byte.
fn is_fit(name: &str, limit: usize) -> bool {
    name.len() <= limit && name.is_ascii() && !name.contains('\0')
        || name.chars().count() <= limit && name.chars().all(is_known)
}

fn is_known(letter: char) -> bool {
    let mut bytes = [0; 4];
    letter != '\0' && record::encode_name(letter.encode_utf8(&mut bytes)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_cut_stay_unlike_each_other() {
        let all = ["short", "a long name 1", "a long name 2", "a long n"];
        let mut names = Names::new(8, all);
        assert_eq!(all.map(|name| names.fit(name)), ["short", "a long~2", "a long~3", "a long n"]);
    }

    #[test]
    fn letters_that_the_format_lacks_are_replaced() {
        assert_eq!(fit("Fackel ü 火", 79), "Fackel ü _");
        assert_eq!(fit("end\0", 79), "end_");
    }
}
