//! Finds the lines of a thread that a review moves from one file to another.

use super::passage::Passage;

/// A file before and after a review.
pub(super) struct FileAfter<'a> {
    /// Its name afterwards.
    pub(super) path: &'a str,
    /// Its lines before.
    pub(super) base: Vec<&'a str>,
    /// Its lines afterwards.
    pub(super) lines: Vec<&'a str>,
}

/// Lines that show that some of them are those of a thread.
struct MoveEvidence<'a> {
    lines: Vec<&'a str>,
    /// The number of lines above those of the thread.
    above: usize,
}

/// Returns the only place in other files where the lines of a thread are new: the position of the file, and the first line. They are
/// the same lines, between the same ones or next to the same one; lines alone may be in many places for other reasons.
pub(super) fn moved_to(
    files: &[FileAfter<'_>],
    own: &str,
    passage: &Passage,
) -> Option<(usize, usize)> {
    for evidence in MoveEvidence::of(passage) {
        let others = files
            .iter()
            .enumerate()
            .filter(|(_, file)| file.path != own);
        let places = others.flat_map(|(nth, file)| {
            let first = move |at| (nth, at + evidence.above);
            file.new_places(&evidence.lines).into_iter().map(first)
        });
        let places: Vec<(usize, usize)> = places.collect();
        match places[..] {
            [] => (),
            [place] => return Some(place),
            [..] => return None,
        }
    }
    None
}

impl<'a> MoveEvidence<'a> {
    /// Returns what there is for a thread, the surest first.
    fn of(passage: &'a Passage) -> Vec<Self> {
        let (above, below) = (&passage.before[..], &passage.after[..]);
        let says_something = |line: &String| !line.trim().is_empty();
        let is_below = above.last().is_some_and(says_something);
        let is_above = below.first().is_some_and(says_something);
        let with = |above, below| Self::between(above, &passage.lines, below);
        let mut all = Vec::new();
        if passage.lines.is_empty() {
            return all;
        }
        if is_below && is_above {
            all.push(with(above, below));
        }
        if is_below {
            all.push(with(&above[above.len() - 1..], &[]));
        }
        if is_above {
            all.push(with(&[], &below[..1]));
        }
        all
    }
}

impl<'a> MoveEvidence<'a> {
    /// Lines with some above and below them.
    fn between(above: &'a [String], lines: &'a [String], below: &'a [String]) -> Self {
        let all = above.iter().chain(lines).chain(below);
        Self {
            lines: all.map(String::as_str).collect(),
            above: above.len(),
        }
    }
}

impl FileAfter<'_> {
    /// Returns the positions of lines that the file did not have before.
    fn new_places(&self, lines: &[&str]) -> Vec<usize> {
        if places(&self.base, lines).next().is_some() {
            return Vec::new();
        }
        places(&self.lines, lines).collect()
    }
}

fn places<'a>(text: &'a [&str], lines: &'a [&str]) -> impl Iterator<Item = usize> + 'a {
    let windows = text.windows(lines.len()).enumerate();
    let same = windows.filter(move |(_, window)| *window == lines);
    same.map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves line `c` between `b` and `d`. Texts are `before>after`, with `|` between lines.
    #[track_caller]
    fn check(texts: &[&str], expected: Option<(usize, usize)>) {
        let files = texts.iter().map(|text| {
            let (base, lines) = text.split_once('>').unwrap();
            FileAfter {
                path: "other",
                base: base.split('|').collect(),
                lines: lines.split('|').collect(),
            }
        });
        let files: Vec<FileAfter<'_>> = files.collect();
        let passage = Passage {
            lines: vec!["c".to_owned()],
            before: vec!["a".to_owned(), "b".to_owned()],
            after: vec!["d".to_owned()],
            ..Passage::default()
        };
        assert_eq!(moved_to(&files, "own", &passage), expected, "{texts:?}");
        assert_eq!(moved_to(&files, "other", &passage), None);
    }

    #[test]
    fn lines_are_found_at_the_only_place_that_shows_that_they_moved() {
        check(&["x>x|a|b|c|d"], Some((0, 3)));
        check(&["x>x", "x>b|c|x"], Some((1, 1)));
        check(&["x>c|d|x"], Some((0, 0)));
        // Alone they say nothing, and nothing in two places.
        check(&["x>x|c|x"], None);
        check(&["x>b|c|y|b|c"], None);
        check(&["x>b|c", "x>b|c"], None);
        // They were there before.
        check(&["b|c>b|c|x"], None);
        check(&["x>x"], None);
    }
}
