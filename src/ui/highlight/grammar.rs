//! Choice of the grammar for a file, and its state while reading.

use syntect::highlighting::{HighlightIterator, HighlightState, Highlighter};
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

use super::request::{LineTokens, TokenRun};
use super::token::TokenKind;

/// Longer lines stay plain, and texts with such are not judged: a grammar cannot be interrupted within a line, and minified
/// text takes seconds.
pub(crate) const LONGEST_LINE: usize = 4096;

/// Names that a grammar under another name reads.
const ALIASES: [(&str, &str); 6] = [
    ("jsx", "tsx"),
    ("mjs", "js"),
    ("cjs", "js"),
    ("jsonc", "json"),
    ("json5", "json"),
    ("mdx", "md"),
];

/// State of a grammar at the end of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GrammarState {
    parse: ParseState,
    highlight: HighlightState,
}

impl GrammarState {
    /// Returns the state before the first line.
    pub(crate) fn fresh(syntax: &SyntaxReference, highlighter: &Highlighter) -> Self {
        Self {
            parse: ParseState::new(syntax),
            highlight: HighlightState::new(highlighter, ScopeStack::new()),
        }
    }

    /// Reads the next line. A line that the grammar cannot read stays plain.
    pub(crate) fn read(
        &mut self,
        line: &str,
        syntaxes: &SyntaxSet,
        highlighter: &Highlighter,
    ) -> LineTokens {
        if line.len() > LONGEST_LINE {
            return LineTokens::default();
        }
        let ended = format!("{line}\n");
        let Ok(steps) = self.parse.parse_line(&ended, syntaxes) else {
            return LineTokens::default();
        };
        let pieces = HighlightIterator::new(&mut self.highlight, &steps, &ended, highlighter);
        let mut runs: Vec<TokenRun> = Vec::new();
        let mut end = 0;
        for (style, piece) in pieces {
            end = (end + piece.len()).min(line.len());
            if runs.last().map_or(0, |last| last.end) == end {
                continue;
            }
            let token = TokenKind::of(style.foreground);
            match runs.last_mut() {
                Some(last) if last.token == token => last.end = end,
                Some(_) | None => runs.push(TokenRun { end, token }),
            }
        }
        LineTokens(runs.into())
    }
}

/// The grammar for a file, by its name, else by its first line. `None` for plain text.
pub(crate) fn find<'a>(
    syntaxes: &'a SyntaxSet,
    path: &str,
    first_line: &str,
) -> Option<&'a SyntaxReference> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let by_name = syntaxes.find_syntax_by_extension(name);
    by_name
        .or_else(|| {
            let extension = extension?.to_ascii_lowercase();
            let alias = ALIASES.iter().find(|(from, _)| *from == extension);
            let exact = syntaxes.find_syntax_by_extension(&extension);
            exact.or_else(|| syntaxes.find_syntax_by_extension(alias?.1))
        })
        .or_else(|| syntaxes.find_syntax_by_first_line(first_line))
        .filter(|syntax| syntax.name != "Plain Text")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::highlight::token::theme;

    #[test]
    fn grammars_are_found_by_every_kind_of_name() {
        let syntaxes = two_face::syntax::extra_newlines();
        let name = |path, first| find(&syntaxes, path, first).map(|syntax| syntax.name.as_str());
        assert_eq!(name("src/main.rs", ""), Some("Rust"));
        assert_eq!(name("a/b.TSX", ""), Some("TypeScriptReact"));
        assert_eq!(name("Makefile", ""), Some("Makefile"));
        assert_eq!(name("tsconfig.jsonc", ""), Some("JSON"));
        assert_eq!(name("page.mdx", ""), Some("Markdown"));
        assert_eq!(name("run", "#!/usr/bin/env python3"), Some("Python"));
        assert_eq!(name("LICENSE.txt", ""), None);
        for (_, grammar) in ALIASES {
            assert!(
                syntaxes.find_syntax_by_extension(grammar).is_some(),
                "{grammar}"
            );
        }
    }

    #[test]
    fn a_line_is_read_in_the_state_of_the_lines_before_it() {
        let syntaxes = two_face::syntax::extra_newlines();
        let theme = theme();
        let highlighter = Highlighter::new(&theme);
        let rust = syntaxes.find_syntax_by_extension("rs").unwrap();
        let mut state = GrammarState::fresh(rust, &highlighter);
        let mut tokens = |line: &str| {
            let LineTokens(runs) = state.read(line, &syntaxes, &highlighter);
            runs.iter()
                .map(|run| (run.end, run.token))
                .collect::<Vec<_>>()
        };
        assert_eq!(tokens("/* a"), [(4, TokenKind::Comment)]);
        assert_eq!(
            tokens("b */ let"),
            [
                (4, TokenKind::Comment),
                (5, TokenKind::Text),
                (8, TokenKind::Keyword)
            ]
        );
    }
}
