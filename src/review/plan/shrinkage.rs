//! Texts of which a new version keeps less than half.

use super::gap::{counts, take, words};
use crate::review::session::hunk::Loss;

/// A file of fewer lines may lose any number of them.
const LEAST_LINES: usize = 20;
/// A file of fewer bytes may lose any number of its words: as many lines of usual length.
const LEAST_BYTES: usize = LEAST_LINES * 100;

/// Returns the loss of a text that keeps less than half of the lines of another one.
pub(super) fn shrinkage(old: &[&str], new: &[&str]) -> Option<Loss> {
    let old = || visible_lines(old);
    let of = old().filter(|line| !line.is_empty()).count();
    let empties = of > 0 && new.iter().all(|line| line.trim().is_empty());
    if !empties && old().take(LEAST_LINES).count() < LEAST_LINES {
        return None;
    }
    let mut left = counts(visible_lines(new));
    let lost = old()
        .filter(|line| !line.is_empty())
        .filter(|line| !take(&mut left, line))
        .count();
    (lost * 2 > of).then_some(Loss::Shrinks { lost, of })
}

/// Lines as an editor shows them: other characters than a newline end a line too.
fn visible_lines<'a>(lines: &[&'a str]) -> impl Iterator<Item = &'a str> {
    let parts = lines.iter().flat_map(|line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        line.split(['\r', '\u{85}', '\u{2028}', '\u{2029}'])
    });
    parts.map(str::trim)
}

/// Returns the loss of a text that keeps less than half of the words of another one, by their length. Lines may be of any length, so
/// their number does not measure a text.
pub(super) fn lost_words(old: &[&str], new: &[&str]) -> Option<Loss> {
    let bytes: usize = old.iter().map(|line| line.len() + 1).sum();
    if bytes < LEAST_BYTES {
        return None;
    }
    let mut left = counts(new.iter().copied().flat_map(words));
    let (mut of, mut lost) = (0, 0);
    for word in old.iter().copied().flat_map(words) {
        of += word.len();
        if !take(&mut left, word) {
            lost += word.len();
        }
    }
    (lost * 2 > of).then(|| Loss::LosesWords {
        percent: lost * 100 / of,
    })
}
