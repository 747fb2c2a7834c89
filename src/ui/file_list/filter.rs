//! Fuzzy filter for file names.

use std::borrow::Cow;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use rustc_hash::FxHashMap;

use crate::ui::file_name::ShownName;

/// Sign between an old and a new name that letters are looked for in.
const BECOMES: &str = "→";

/// Files that match the filter.
#[derive(Debug, Default)]
pub(crate) struct NameMatches {
    files: FxHashMap<usize, FileNameMatch>,
}

/// Match of one file name.
#[derive(Debug)]
struct FileNameMatch {
    score: u32,
    /// Characters of the name, in order; between an old and a new name there are three.
    at: Vec<u32>,
}

impl NameMatches {
    /// Looks for letters in names: words in any order, each with its letters in order, capitals if it has any.
    pub(crate) fn new<'a>(
        letters: &str,
        names: impl Iterator<Item = (usize, ShownName<'a>)>,
    ) -> Self {
        let pattern = Pattern::parse(letters, CaseMatching::Smart, Normalization::Smart);
        let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
        let mut characters = Vec::new();
        let mut files = FxHashMap::default();
        for (file, name) in names {
            let mut at = Vec::new();
            let name = match &name.new {
                Some(_) => Cow::Owned(name.shown(BECOMES).to_string()),
                None => Cow::Borrowed(name.old),
            };
            let name = Utf32Str::new(&name, &mut characters);
            if let Some(score) = pattern.indices(name, &mut matcher, &mut at) {
                at.sort_unstable();
                at.dedup();
                files.insert(file, FileNameMatch { score, at });
            }
        }
        Self { files }
    }

    /// Returns the score of a file's match, or `None` if it does not match.
    pub(crate) fn score(&self, file: usize) -> Option<u32> {
        Some(self.files.get(&file)?.score)
    }

    /// The characters of a file's name that were asked for.
    pub(crate) fn at(&self, file: usize) -> &[u32] {
        self.files.get(&file).map_or(&[], |hit| &hit.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that hold the letters, the best first.
    #[track_caller]
    fn check(letters: &str, expected: &str) {
        let names = ["src/ui/app.rs", "README.md", "src/app/ui.rs", "Cargo.toml"];
        let hits = NameMatches::new(letters, names.map(ShownName::plain).into_iter().enumerate());
        let mut found: Vec<usize> = (0..names.len())
            .filter(|&n| hits.score(n).is_some())
            .collect();
        found.sort_by_key(|&n| std::cmp::Reverse(hits.score(n)));
        let found: Vec<&str> = found.into_iter().map(|n| names[n]).collect();
        assert_eq!(found.join(" "), expected, "{letters}");
    }

    #[test]
    fn letters_are_found_in_order_words_in_any() {
        check("uiap", "src/ui/app.rs");
        check("app ui", "src/ui/app.rs src/app/ui.rs");
        check("read", "README.md");
        check("Toml", "");
        check("", "src/ui/app.rs README.md src/app/ui.rs Cargo.toml");
    }
}
