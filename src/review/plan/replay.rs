//! Replays the edits of a file as their tools carry them out: each is an exact replacement in the text that the one before leaves.
//!
//! The hunks of a file are placed in the file as it is. That is what the tools do too, unless an edit makes or moves text that a
//! later one searches for: then the later one matches a second time, or somewhere else.

use memchr::memmem::Finder;
use rustc_hash::FxHashSet;

use crate::locate::{Confidence, Doubt, Index};
use crate::proposal::{Extent, Hunk};
use crate::review::session::file::FileReview;
use crate::review::session::hunk::{HunkReview, Outcome};
use crate::text::Document;

/// The most bytes that a replay may search.
const MOST_BYTES: usize = 1 << 28;

/// Effect of the edits of a file, one after the other.
pub(super) struct Replay {
    /// The text that they leave, with line feeds; `None` if one of them is no exact replacement there.
    pub(super) text: Option<String>,
    /// The positions of the hunks that match as often as they state in the file, and more often where the ones before are done.
    pub(super) doubled: Vec<usize>,
}

/// Returns the positions of the hunks that may have another match once the hunks before them are done: their text is in lines
/// that those add, or a line of it is elsewhere in the file, so that a removal may complete it.
pub(super) fn dependent(file: &FileReview) -> Vec<usize> {
    let keys: Vec<Option<&str>> = file.hunks.iter().map(key).collect();
    let mut added = String::new();
    let mut added_before = Vec::with_capacity(file.hunks.len());
    for hunk in &file.hunks {
        added_before.push(added.len());
        for line in hunk.proposed.iter().filter_map(|line| line.adds.as_deref()) {
            added.push_str(line);
            added.push('\n');
        }
    }
    let added = Document::from_text(added);
    let [added, base] = [&added, &*file.base].map(|document| {
        let index = Index::new(document);
        index.search_texts(keys.iter().copied().flatten());
        index
    });
    let mut dependent = Vec::new();
    for at in 1..file.hunks.len() {
        let Some(key) = keys[at] else {
            continue;
        };
        let first_added = added.find_text(key, 0);
        let twice = || base.find_text(key, base.find_text(key, 0)? + 1);
        if first_added.is_some_and(|found| found < added_before[at])
            || is_of_lines(&file.hunks[at]) && twice().is_some()
        {
            dependent.push(at);
        }
    }
    dependent
}

/// Returns the longest line of the text that a hunk searches for, unless it names the line where that is.
fn key(review: &HunkReview) -> Option<&str> {
    let hunk = review.asked.as_ref()?.hunk()?;
    let longest = hunk.body.preimage.iter().max_by_key(|line| line.len())?;
    // Without a word or a blank it is a text of line breaks.
    let key = if longest.is_empty() { "\n" } else { longest };
    hunk.hint.is_none().then_some(key)
}

/// Returns true if the text that a hunk searches for has several lines.
fn is_of_lines(review: &HunkReview) -> bool {
    let hunk = review.asked.as_ref().and_then(|asked| asked.hunk());
    hunk.is_some_and(|hunk| hunk.body.preimage.len() > 1)
}

/// Replays all hunks of a file; `None` if that would take too long.
pub(super) fn replay(file: &FileReview) -> Option<Replay> {
    let base = lined(&file.base);
    if file.hunks.len().saturating_mul(base.len()) > MOST_BYTES {
        return None;
    }
    let mut text = base.clone();
    let mut is_exact = true;
    let (mut doubled, mut sent) = (Vec::new(), FxHashSet::default());
    for (at, review) in file.hunks.iter().enumerate() {
        let is_applied = review.is_applied();
        let hunk = review.asked.as_ref().and_then(|asked| asked.hunk());
        let Some(edit) = hunk.and_then(TextReplacement::of) else {
            is_exact &= is_applied;
            continue;
        };
        // Another hunk may make the same changes of lines, but a tool carries out both unless they are the same edit.
        let is_same = !sent.insert((edit.old.clone(), edit.new.clone()));
        let places = edit.places(&text);
        if is_applied && (is_same || !edit.accepts(places.len())) {
            continue;
        }
        if edit.accepts(places.len()) {
            text = edit.carried_out(&text, &places);
        } else {
            is_exact = false;
            if !places.is_empty() && edit.accepts(edit.places(&base).len()) {
                doubled.push(at);
            }
        }
    }
    Some(Replay {
        text: is_exact.then_some(text),
        doubled,
    })
}

/// Returns a text with line feeds.
pub(super) fn lined(document: &Document) -> String {
    let mut text: String = document.lines().flat_map(|line| [line, "\n"]).collect();
    if !document.has_final_newline() {
        text.pop();
    }
    text
}

/// Marks hunks as doubtful because of the hunks before them. One that is a part of other hunks makes those doubtful.
pub(super) fn doubt(file: &mut FileReview, hunks: &[usize]) {
    let mut doubtful = Vec::new();
    for &at in hunks {
        if let Some(Outcome::Follows { hunks }) = file.hunks.get(at).map(|hunk| &hunk.outcome) {
            doubtful.extend(hunks.clone());
        } else {
            doubtful.push(at);
        }
    }
    for at in doubtful {
        if let Some(Outcome::Placed(placement)) =
            file.hunks.get_mut(at).map(|hunk| &mut hunk.outcome)
        {
            placement.confidence = Confidence::Doubtful;
            placement.doubt.get_or_insert(Doubt::Sequence);
        }
    }
}

/// The replacement of a text by another.
struct TextReplacement {
    old: String,
    new: String,
    /// True if it begins at the beginning of a line.
    is_of_lines: bool,
    /// The number of occurrences that it replaces; `None` for all, if there is one.
    count: Option<usize>,
}

impl TextReplacement {
    /// Reads a hunk; `None` for one that does not search for a text.
    fn of(hunk: &Hunk) -> Option<Self> {
        let (is_of_lines, count) = match hunk.extent {
            Extent::Lines => (true, Some(1)),
            Extent::Text => (false, Some(1)),
            Extent::Texts(count) => (false, Some(count)),
            Extent::EveryText => (false, None),
            Extent::Insertion
            | Extent::Span { .. }
            | Extent::Numbered(_)
            | Extent::Sketch
            | Extent::Cell { .. }
            | Extent::Hashed(_)
            | Extent::JsonPatch
            | Extent::Pattern { .. } => return None,
        };
        let ends_line = is_of_lines || hunk.ends_line;
        let [old, new] = [&hunk.body.preimage, &hunk.body.postimage].map(|lines| {
            let end = if ends_line && !lines.is_empty() {
                "\n"
            } else {
                ""
            };
            lines.join("\n") + end
        });
        (!old.is_empty()).then_some(Self {
            old,
            new,
            is_of_lines,
            count,
        })
    }

    /// Returns true if the tool carries it out where its text occurs so many times.
    fn accepts(&self, places: usize) -> bool {
        self.count.map_or(places > 0, |count| places == count)
    }

    /// Returns the positions of its text. Those of a text that must be there once may overlap, and two are enough.
    fn places(&self, text: &str) -> Vec<usize> {
        let finder = Finder::new(&self.old);
        let (step, most) = match self.count {
            Some(1) => (1, 2),
            Some(_) | None => (self.old.len(), usize::MAX),
        };
        let mut from = 0;
        let found = std::iter::from_fn(|| {
            let at = from + finder.find(text.as_bytes().get(from..)?)?;
            from = at + step;
            Some(at)
        });
        let begins_line = |at: &usize| *at == 0 || text.as_bytes()[*at - 1] == b'\n';
        let places = found.filter(|at| !self.is_of_lines || begins_line(at));
        places.take(most).collect()
    }

    /// Returns a text in which it is carried out at places that do not overlap.
    fn carried_out(&self, text: &str, places: &[usize]) -> String {
        let mut result = String::with_capacity(text.len() + places.len() * self.new.len());
        let mut done = 0;
        for &at in places {
            result.push_str(&text[done..at]);
            result.push_str(&self.new);
            done = at + self.old.len();
        }
        result + &text[done..]
    }
}
