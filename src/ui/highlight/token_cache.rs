//! The tokens of the lines that were seen, and the words that differ in them: caches that drawing reads.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::request::{Half, HighlightRequest, HighlightedLines, LineTokens, TextSource};
use super::token::TokenKind;
use crate::review::{HunkId, LineDifference, LineId, Moved, ReviewSession, Side};
use crate::text::{Document, LineIdx};
use crate::ui::glyphs;

/// Lines between two visible lines that are asked for in one request.
const GAP: usize = 64;
/// More lines than this of one text, or changed lines of the batch, are not remembered: what is seen is made again quickly.
const MOST: usize = 20_000;
/// Lines around the visible ones that are asked for with them.
const AROUND: usize = 48;

/// The tokens of lines.
#[derive(Debug, Default)]
pub struct TokenCache {
    texts: FxHashMap<TextSource, CachedText>,
    /// The last request, so that it is not repeated.
    asked: Vec<(TextSource, u64, Range<LineIdx>)>,
}

/// The tokens of one text.
#[derive(Debug, Default)]
struct CachedText {
    version: u64,
    lines: FxHashMap<LineIdx, LineTokens>,
    /// Lines whose tokens are from this version and from the true state.
    exact: FxHashSet<LineIdx>,
}

impl TokenCache {
    /// The tokens of a line, if they are known; older ones while the new ones are being made.
    pub fn line(&self, source: TextSource, line: LineIdx) -> Option<&LineTokens> {
        self.texts.get(&source)?.lines.get(&line)
    }

    /// Returns true if everything in a line but blanks is known to be of one kind.
    pub fn is_only(&self, source: TextSource, line: LineIdx, text: &str, token: TokenKind) -> bool {
        let known = self.texts.get(&source);
        let tokens = known.filter(|known| known.exact.contains(&line));
        let Some(LineTokens(runs)) = tokens.and_then(|known| known.lines.get(&line)) else {
            return false;
        };
        let mut start = 0;
        runs.iter().all(|run| {
            let part = text.get(std::mem::replace(&mut start, run.end)..run.end);
            run.token == token || part.is_some_and(|part| part.trim().is_empty())
        }) && text.get(start..).is_some_and(|rest| rest.trim().is_empty())
    }

    /// Takes an answer; one for an older text is dropped.
    pub fn take(&mut self, painted: HighlightedLines) {
        let text = self.texts.entry(painted.source).or_default();
        if text.version != painted.version {
            return;
        }
        if text.lines.len() > MOST {
            text.lines.clear();
            text.exact.clear();
        }
        for (idx, tokens) in (painted.first..).zip(painted.lines) {
            if painted.exact {
                text.exact.insert(idx);
            } else if text.exact.contains(&idx) {
                continue;
            }
            text.lines.insert(idx, tokens);
        }
    }

    /// Says that a file's right side is another text now. Lines from `from` on may have moved by `shift`: they keep their
    /// tokens until the new ones come.
    pub fn changed(&mut self, file: usize, from: LineIdx, shift: isize) {
        let text = self
            .texts
            .entry(TextSource {
                file,
                half: Half::Proposed,
            })
            .or_default();
        text.version += 1;
        text.exact.retain(|&idx| idx < from);
        if shift != 0 {
            let old = std::mem::take(&mut text.lines).into_iter();
            let moved = old.filter_map(|(idx, tokens)| {
                let by = if idx > from { shift } else { 0 };
                Some((idx.checked_add_signed(by)?, tokens))
            });
            text.lines = moved.collect();
        }
    }

    /// Says that both texts of a file are others now. Their lines keep their tokens until the new ones come.
    pub fn replaced(&mut self, file: usize) {
        for half in [Half::Base, Half::Proposed] {
            let text = self.texts.entry(TextSource { file, half }).or_default();
            text.version += 1;
            text.exact.clear();
        }
    }

    /// Drops the tokens of a file that has left.
    pub fn forget(&mut self, file: usize) {
        self.replaced(file);
        for half in [Half::Base, Half::Proposed] {
            if let Some(text) = self.texts.get_mut(&TextSource { file, half }) {
                text.lines = FxHashMap::default();
            }
        }
    }

    /// Invalidates the cached tokens of a text.
    pub fn renewed(&mut self, source: TextSource) {
        let text = self.texts.entry(source).or_default();
        text.version += 1;
        text.exact.clear();
        text.lines.clear();
    }

    /// Returns the request for the missing tokens of these lines, or `None` if nothing is missing or
    /// everything is requested already. `result` is the file as it would be written.
    pub fn wants(
        &mut self,
        session: &ReviewSession,
        result: Option<&Arc<Document>>,
        visible: &[(TextSource, LineIdx)],
    ) -> Option<Vec<HighlightRequest>> {
        let mut missing: Vec<(TextSource, LineIdx)> = visible
            .iter()
            .filter(|(source, line)| {
                self.texts
                    .get(source)
                    .is_none_or(|text| !text.exact.contains(line))
            })
            .copied()
            .collect();
        missing.sort_by_key(|(source, line)| (source.file, source.half == Half::Base, *line));
        let mut asks: Vec<(TextSource, u64, Range<LineIdx>)> = Vec::new();
        for (source, line) in missing {
            match asks.last_mut() {
                Some((of, _, lines)) if *of == source && line < lines.end + GAP => {
                    lines.end = line + 1;
                }
                Some(_) | None => {
                    let version = self.texts.get(&source).map_or(0, |text| text.version);
                    asks.push((source, version, line..line + 1));
                }
            }
        }
        if asks.is_empty() || asks.iter().all(|ask| self.is_asked(ask)) {
            return None;
        }
        let mut wants = Vec::with_capacity(asks.len());
        for (source, version, lines) in &mut asks {
            let review = session.files.get(source.file)?;
            let text = match source.half {
                Half::Base => &review.base,
                Half::Proposed => review.yours(),
                Half::Result => result?,
            };
            let path = match source.half {
                Half::Base => &review.path,
                Half::Proposed | Half::Result => review.new_path(),
            };
            *lines = lines.start.saturating_sub(AROUND)..(lines.end + AROUND).min(text.len());
            wants.push(HighlightRequest {
                source: *source,
                version: *version,
                path: path.to_owned(),
                text: text.clone(),
                lines: lines.clone(),
            });
        }
        self.asked = asks;
        Some(wants)
    }

    fn is_asked(&self, (source, version, lines): &(TextSource, u64, Range<LineIdx>)) -> bool {
        self.asked.iter().any(|(of, at, asked)| {
            of == source && at == version && asked.start <= lines.start && lines.end <= asked.end
        })
    }
}

/// The words that differ within changed lines, and the widths of these.
#[derive(Debug, Default)]
pub struct WordCache {
    lines: FxHashMap<LineId, KnownLine>,
}

#[derive(Debug)]
struct KnownLine {
    difference: LineDifference,
    /// The columns of the longer side.
    width: usize,
}

impl WordCache {
    /// Returns the words of one side of a changed line that the other side lacks, as far as they are known.
    pub(crate) fn words(&self, line: LineId, side: Side) -> &[Range<usize>] {
        let known = self.lines.get(&line);
        known.map_or(&[], |known| &known.difference.of(side).words)
    }

    /// Returns the blanks of one side of a changed line that the other side lacks, as far as they are known.
    pub(crate) fn blanks(&self, line: LineId, side: Side) -> &[Range<usize>] {
        let known = self.lines.get(&line);
        known.map_or(&[], |known| &known.difference.of(side).blanks)
    }

    /// Returns the columns of the longer side of a changed line, if they are known.
    pub(crate) fn width(&self, line: LineId) -> Option<usize> {
        Some(self.lines.get(&line)?.width)
    }

    /// Compares the two sides of a changed line, unless they are known. A line that was changed inside of a moved block is compared with
    /// its other end.
    pub fn prepare(&mut self, session: &ReviewSession, moved: &Moved, hunk: HunkId, line: usize) {
        if self.lines.contains_key(&(hunk, line)) {
            return;
        }
        if self.lines.len() > MOST {
            self.lines.clear();
        }
        let Some(file) = session.files.get(hunk.file) else {
            return;
        };
        let Some(changed) = session
            .hunk(hunk)
            .and_then(|review| review.state.lines.get(line))
        else {
            return;
        };
        let own = changed.removes.then(|| file.base.line(changed.at));
        let other_end = |side: Side| moved.edited((hunk, line), side).map(|end| (end, side));
        let other_text = |(end, side): (_, Side)| session.line_text(end, side.opposite());
        let [old, new] = match (own, changed.adds.as_deref()) {
            (None, new) => [other_end(Side::New).and_then(other_text), new],
            (old, None) => [old, other_end(Side::Old).and_then(other_text)],
            sides => sides.into(),
        };
        let difference = old.zip(new).map(|(old, new)| LineDifference::new(old, new));
        let known = KnownLine {
            difference: difference.unwrap_or_default(),
            width: widest_side(session, (hunk, line)),
        };
        self.lines.insert((hunk, line), known);
    }

    /// Forgets a line, which is compared with another one now.
    pub fn forget_line(&mut self, line: (HunkId, usize)) {
        self.lines.remove(&line);
    }

    /// Forgets a file, whose lines are others now.
    pub fn forget(&mut self, file: usize) {
        self.lines.retain(|(hunk, _), _| hunk.file != file);
    }
}

/// Measures the longer side of a changed line, in columns.
pub(crate) fn widest_side(session: &ReviewSession, line: LineId) -> usize {
    let sides = [Side::Old, Side::New].into_iter();
    let texts = sides.filter_map(|side| session.line_text(line, side));
    texts.map(glyphs::width).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::highlight::TokenRun;

    const SOURCE: TextSource = TextSource {
        file: 0,
        half: Half::Proposed,
    };

    fn painted(version: u64, first: LineIdx, ends: &[usize]) -> HighlightedLines {
        let line = |end: usize| {
            let token = TokenKind::Text;
            LineTokens(Arc::new([TokenRun { end, token }]))
        };
        HighlightedLines {
            source: SOURCE,
            version,
            first,
            lines: ends.iter().map(|&end| line(end)).collect(),
            exact: true,
        }
    }

    fn ends(colours: &TokenCache) -> Vec<Option<usize>> {
        let end = |line| {
            colours
                .line(SOURCE, line)
                .map(|LineTokens(runs)| runs[0].end)
        };
        (0..5).map(end).collect()
    }

    #[test]
    fn tokens_move_with_their_lines_and_late_ones_are_dropped() {
        let mut colours = TokenCache::default();
        colours.take(painted(0, 0, &[10, 11, 12]));
        assert_eq!(ends(&colours), [Some(10), Some(11), Some(12), None, None]);
        // A line came after the second one.
        colours.changed(0, 1, 1);
        assert_eq!(ends(&colours), [Some(10), Some(11), None, Some(12), None]);
        colours.take(painted(0, 0, &[90, 91]));
        assert_eq!(ends(&colours)[0], Some(10));
        colours.take(painted(1, 1, &[21, 22, 23]));
        assert_eq!(
            ends(&colours),
            [Some(10), Some(21), Some(22), Some(23), None]
        );
    }
}
