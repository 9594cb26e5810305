//! Names that fit a format: a limited number of bytes in Windows-1252.

use std::collections::HashSet;

/// Cuts names to a length. A name that was cut is unlike all others.
pub(super) struct Names {
    limit: usize,
    used: HashSet<String>,
}

impl Names {
    /// For fields that hold `limit` bytes of text, and a list of all names that will be asked for.
    pub(super) fn new<'n>(limit: usize, all: impl IntoIterator<Item = &'n str>) -> Self {
        let whole = all.into_iter().filter(|name| is_fit(name, limit));
        Self { limit, used: whole.map(str::to_owned).collect() }
    }

    /// The name as the format can hold it.
    pub(super) fn fit(&mut self, name: &str) -> String {
        if is_fit(name, self.limit) {
            return name.to_owned();
        }
        let known: String = name.chars().map(|letter| if is_known(letter) { letter } else { '_' }).collect();
        let cut = |length: usize| known.chars().take(length).collect::<String>();
        let mut fit = cut(self.limit);
        let mut number = 2;
        while !self.used.insert(fit.clone()) {
            let suffix = format!("~{number}");
            fit = cut(self.limit.saturating_sub(suffix.len())) + &suffix;
            number += 1;
        }
        fit
    }
}

/// A single name or path as a field of `limit` bytes can hold it.
pub(super) fn fit(name: &str, limit: usize) -> String {
    Names::new(limit, []).fit(name)
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
