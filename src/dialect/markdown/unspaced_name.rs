//! Names of files in sentences of languages that have no blanks between words.

use super::name_shape::is_path;
use crate::proposal::PathClaim;

/// A name in a word of a language that has no blanks between its words, as in `修改src/app.py如下`.
pub(super) struct UnspacedName<'a> {
    pub(super) name: &'a str,
    /// The word without the marks around it, which may be a name as well.
    whole: &'a str,
    /// True if words follow the name.
    has_tail: bool,
}

impl<'a> UnspacedName<'a> {
    /// Reads a word; `None` if it is not one of such a language, or has more names than one.
    pub(super) fn of(word: &'a str) -> Option<Self> {
        if word.is_ascii() || !word.contains(is_unspaced) || word.contains(char::is_whitespace) {
            return None;
        }
        let is_mark = |c: char| is_unspaced(c) && !c.is_alphanumeric();
        let whole = word.trim_matches(is_mark);
        let mut parts = word
            .split(is_unspaced)
            .filter(|part| part.contains(['.', '/', '\\']));
        let name = parts.next()?.trim_end_matches(['.', ':', ',', ';']);
        let is_part = name.starts_with(['/', '\\']) && !word.starts_with(name);
        let is_ending = name.starts_with('.') && !name.contains(['/', '\\']);
        if parts.next().is_some() || is_part || is_ending || name.ends_with('/') || !is_path(name) {
            return None;
        }
        let (_, tail) = whole.split_once(name)?;
        Some(Self {
            name,
            whole,
            has_tail: tail.contains(char::is_alphanumeric),
        })
    }

    /// Returns the name if nothing says that the word is a sentence.
    pub(super) fn alone(&self) -> Option<PathClaim> {
        match (self.has_tail, self.whole == self.name) {
            (true, _) => None,
            (false, true) => Some(PathClaim::plain(self.name)),
            (false, false) => Some(PathClaim::in_doubt(self.whole, self.name)),
        }
    }

    /// Returns the name, which may be the whole word instead.
    pub(super) fn in_sentence(&self) -> PathClaim {
        PathClaim::with_others(self.name, [self.whole.to_owned()])
    }
}

/// Returns `true` for a word of such a language with several whole names in it.
pub(super) fn names_several(word: &str) -> bool {
    let is_name = |part: &&str| is_path(part) && !part.starts_with('.') && !part.ends_with('/');
    word.split(is_unspaced).filter(is_name).count() > 1
}

/// Returns `true` for letters and marks of Chinese, Japanese, Korean and Thai, which have no blanks around a name.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0E00}'..='\u{0E7F}' | '\u{1100}'..='\u{11FF}' | '\u{3000}'..='\u{30FF}' | '\u{3130}'..='\u{318F}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF01}'..='\u{FFEF}')
}
