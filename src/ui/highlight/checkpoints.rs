//! Checkpoints of the highlighter: the grammar's state at every 128th line of a text.

use std::ops::Range;
use std::sync::Arc;

use syntect::highlighting::Highlighter;
use syntect::parsing::{SyntaxReference, SyntaxSet};

use super::grammar::{GrammarState, find};
use super::request::{HighlightRequest, LineTokens};
use crate::text::{Document, LineIdx};

/// The number of lines between two states kept.
const STEP: usize = 128;
/// A window this near after a state is read from it at once; one further off gets a guess first.
const NEAR: usize = 4 * STEP;

/// The grammars, and how their scopes become tokens.
pub(crate) struct GrammarTools<'a> {
    pub(crate) syntaxes: &'a SyntaxSet,
    pub(crate) highlighter: Highlighter<'a>,
}

/// Checkpoints of one text.
pub(crate) struct TextCheckpoints<'a> {
    pub(crate) version: u64,
    text: Arc<Document>,
    syntax: Option<&'a SyntaxReference>,
    /// The state before line `i * STEP`; never empty unless the text is plain.
    states: Vec<GrammarState>,
}

/// Lines that were read, and whether from the true state.
pub(crate) struct TokenizedLines {
    pub(crate) lines: Vec<LineTokens>,
    pub(crate) exact: bool,
}

impl<'a> TextCheckpoints<'a> {
    pub(crate) fn begin(want: &HighlightRequest, tools: &GrammarTools<'a>) -> Self {
        let syntax = find(tools.syntaxes, &want.path, want.text.line(0));
        Self {
            version: want.version,
            text: Arc::clone(&want.text),
            syntax,
            states: syntax
                .map(|syntax| GrammarState::fresh(syntax, &tools.highlighter))
                .into_iter()
                .collect(),
        }
    }

    /// Takes a newer text. What was read before its first changed line stays.
    pub(crate) fn renew(&mut self, want: &HighlightRequest) {
        if self.version == want.version {
            return;
        }
        let same = common_lines(&self.text, &want.text);
        self.states.truncate(same / STEP + 1);
        self.version = want.version;
        self.text = Arc::clone(&want.text);
    }

    /// The tokens of a window: true ones if a state is near, else a guess that begins at the window.
    pub(crate) fn read(&mut self, window: Range<LineIdx>, tools: &GrammarTools) -> TokenizedLines {
        let Some(syntax) = self.syntax else {
            return TokenizedLines {
                lines: vec![LineTokens::default(); window.len()],
                exact: true,
            };
        };
        let nearest = self.nearest(window.start);
        if self.is_near(window.start) {
            let state = self.states[nearest].clone();
            let lines = self.walk(state, nearest * STEP, window, tools);
            TokenizedLines { lines, exact: true }
        } else {
            let state = GrammarState::fresh(syntax, &tools.highlighter);
            let lines = self.walk(state, window.start, window, tools);
            TokenizedLines {
                lines,
                exact: false,
            }
        }
    }

    /// Returns true if a checkpoint is near enough before a line to read from it.
    pub(crate) fn is_near(&self, line: LineIdx) -> bool {
        self.syntax.is_none() || line - self.nearest(line) * STEP <= NEAR
    }

    /// The last state kept at or before a line.
    fn nearest(&self, line: LineIdx) -> usize {
        (line / STEP).min(self.states.len().saturating_sub(1))
    }

    /// Reads on from the last state kept to the next.
    pub(crate) fn step(&mut self, tools: &GrammarTools) {
        if let Some(state) = self.states.last() {
            let from = (self.states.len() - 1) * STEP;
            let state = state.clone();
            self.walk(state, from, from + STEP..from + STEP, tools);
        }
    }

    /// Reads from line `from`, at the grammar state `state`, to the end of `window`, and returns the window's
    /// tokens.
    fn walk(
        &mut self,
        mut state: GrammarState,
        from: LineIdx,
        window: Range<LineIdx>,
        tools: &GrammarTools,
    ) -> Vec<LineTokens> {
        let exact = from.is_multiple_of(STEP) && self.states.get(from / STEP) == Some(&state);
        let text = Arc::clone(&self.text);
        let mut tokens = Vec::with_capacity(window.len());
        for idx in from..window.end {
            let line = state.read(text.line(idx), tools.syntaxes, &tools.highlighter);
            if window.contains(&idx) {
                tokens.push(line);
            }
            let next = idx + 1;
            if exact && next.is_multiple_of(STEP) && next / STEP == self.states.len() {
                self.states.push(state.clone());
            }
        }
        tokens
    }
}

/// The number of lines that two texts begin with alike.
fn common_lines(a: &Document, b: &Document) -> usize {
    let same = a
        .text()
        .bytes()
        .zip(b.text().bytes())
        .take_while(|(x, y)| x == y)
        .count();
    memchr::memchr_iter(b'\n', &a.text().as_bytes()[..same]).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::highlight::TokenKind;
    use crate::ui::highlight::token::theme;
    use crate::ui::highlight::{Half, TextSource};

    fn want(text: String, version: u64) -> HighlightRequest {
        HighlightRequest {
            source: TextSource {
                file: 0,
                half: Half::Base,
            },
            version,
            path: "long.rs".to_owned(),
            text: Arc::new(Document::from_text(text)),
            lines: 0..0,
        }
    }

    fn is_comment(answer: &TokenizedLines) -> bool {
        answer
            .lines
            .iter()
            .all(|LineTokens(runs)| runs.iter().all(|run| run.token == TokenKind::Comment))
    }

    #[test]
    fn a_far_window_is_guessed_until_the_text_before_it_has_been_read() {
        let syntaxes = two_face::syntax::extra_newlines();
        let theme = theme();
        let tools = GrammarTools {
            syntaxes: &syntaxes,
            highlighter: Highlighter::new(&theme),
        };
        let text = format!(
            "/* begins\n{}*/ fn end() {{}}\n",
            "let x = 1;\n".repeat(2000)
        );
        let first = want(text.clone(), 0);
        let mut progress = TextCheckpoints::begin(&first, &tools);
        let guess = progress.read(1500..1510, &tools);
        assert!(!guess.exact && !is_comment(&guess));
        while !progress.is_near(1500) {
            progress.step(&tools);
        }
        let truth = progress.read(1500..1510, &tools);
        assert!(truth.exact && is_comment(&truth));

        // A change at the very start undoes all of it, one near the end nothing before it.
        let states = progress.states.len();
        progress.renew(&want(text.replace("fn end", "fn last"), 1));
        assert_eq!(progress.states.len(), states);
        progress.renew(&want(text.replace("/* begins", "// begins"), 2));
        assert_eq!(progress.states.len(), 1);
        let after = progress.read(10..12, &tools);
        assert!(after.exact && !is_comment(&after));
    }
}
