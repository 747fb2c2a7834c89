//! Syntax check: compares unbalanced brackets and invalid tokens of the result with those of the file before.
//!
//! It is no compiler. It finds an opening bracket that was accepted without its closing one. Texts are only
//! compared with each other, and languages with unpaired brackets are not checked.

use std::sync::Arc;

use syntect::parsing::{ParseState, Scope, ScopeStack, ScopeStackOp, SyntaxReference, SyntaxSet};

use super::grammar::{LONGEST_LINE, find};
use crate::text::{Document, LineNo};

/// Texts with more lines are not judged.
const MOST_LINES: usize = 30_000;
/// Grammars with unpaired brackets.
const UNPAIRED: [&str; 5] = [
    "source.shell",
    "source.diff",
    "source.viml",
    "source.makefile",
    "source.perl",
];
/// Scopes in which a bracket is text.
const QUOTING: [&str; 4] = ["string", "comment", "constant.character", "invalid"];

/// Texts to be judged.
#[derive(Debug, Clone)]
pub struct SyntaxCheck {
    /// Number of the request; later ones are greater.
    pub number: u64,
    /// Name of the file; selects the grammar.
    pub path: String,
    /// The file as it is.
    pub base: Arc<Document>,
    /// The file with everything that is proposed.
    pub whole: Arc<Document>,
    /// The file as it would be written.
    pub result: Arc<Document>,
}

/// A syntax fault in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxFault {
    /// The line.
    pub line: LineNo,
    /// Description.
    pub what: String,
}

/// Result of a syntax check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxReport {
    /// The number of the case.
    pub number: u64,
    /// Number of faults before.
    pub before: usize,
    /// Number of faults if everything proposed were written.
    pub whole: usize,
    /// Faults of the result.
    pub result: Vec<SyntaxFault>,
}

impl SyntaxReport {
    /// Returns true if the result has more faults than the file before.
    pub fn is_worse(&self) -> bool {
        self.result.len() > self.before
    }
}

/// Judges a case; `None` if no grammar can.
pub fn check_syntax(case: &SyntaxCheck) -> Option<SyntaxReport> {
    let syntaxes = two_face::syntax::extra_newlines();
    let syntax = find(&syntaxes, &case.path, case.result.line(0))?;
    let name = syntax.scope.build_string();
    if name.starts_with("text.") || UNPAIRED.iter().any(|unpaired| name.starts_with(unpaired)) {
        return None;
    }
    let quoting: Vec<Scope> = QUOTING
        .iter()
        .filter_map(|name| Scope::new(name).ok())
        .collect();
    let faults_of = |text: &Document| faults(text, syntax, &syntaxes, &quoting);
    let result = faults_of(&case.result)?;
    // Most results are whole, and then the other texts do not matter.
    let (before, whole) = if result.is_empty() {
        (0, 0)
    } else {
        (faults_of(&case.base)?.len(), faults_of(&case.whole)?.len())
    };
    Some(SyntaxReport {
        number: case.number,
        before,
        whole,
        result,
    })
}

/// All faults of a text, in the order of its lines.
fn faults(
    text: &Document,
    syntax: &SyntaxReference,
    syntaxes: &SyntaxSet,
    quoting: &[Scope],
) -> Option<Vec<SyntaxFault>> {
    if text.len() > MOST_LINES {
        return None;
    }
    let illegal = Scope::new("invalid.illegal").ok()?;
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut open: Vec<(char, LineNo)> = Vec::new();
    let mut faults: Vec<SyntaxFault> = Vec::new();
    for (idx, line) in text.lines().enumerate() {
        if line.len() > LONGEST_LINE {
            return None;
        }
        let number = LineNo::from_idx(idx);
        let ended = format!("{line}\n");
        let steps = state.parse_line(&ended, syntaxes).ok()?;
        let mut from = 0;
        let end = (ended.len(), ScopeStackOp::Noop);
        for (at, step) in steps.iter().chain([&end]) {
            let piece = ended.get(from..*at).unwrap_or_default();
            from = from.max(*at);
            let invalid = is_within(&stack, &[illegal]);
            if piece.contains(['(', ')', '[', ']', '{', '}']) {
                if invalid || !is_within(&stack, quoting) {
                    brackets(piece, number, &mut open, &mut faults);
                }
            } else if invalid && !piece.trim().is_empty() {
                faults.push(SyntaxFault {
                    line: number,
                    what: format!("unexpected `{}`", piece.trim()),
                });
            }
            stack.apply(step).ok()?;
        }
    }
    faults.extend(open.into_iter().map(|(bracket, line)| SyntaxFault {
        line,
        what: format!("`{bracket}` is never closed"),
    }));
    faults.sort_by_key(|fault| fault.line);
    Some(faults)
}

/// Pairs the brackets of a piece of code with those that are open.
fn brackets(
    piece: &str,
    line: LineNo,
    open: &mut Vec<(char, LineNo)>,
    faults: &mut Vec<SyntaxFault>,
) {
    for c in piece.chars() {
        let opening = match c {
            '(' | '[' | '{' => {
                open.push((c, line));
                continue;
            }
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => continue,
        };
        // What was opened after the partner is never closed.
        match open.iter().rposition(|(bracket, _)| *bracket == opening) {
            Some(at) => {
                let unclosed = open.drain(at..).skip(1);
                faults.extend(unclosed.map(|(bracket, line)| SyntaxFault {
                    line,
                    what: format!("`{bracket}` is never closed"),
                }));
            }
            None => faults.push(SyntaxFault {
                line,
                what: format!("`{c}` has no opening bracket"),
            }),
        }
    }
}

/// Returns true if a scope of the stack is of one of these kinds.
fn is_within(stack: &ScopeStack, kinds: &[Scope]) -> bool {
    let is_one = |scope: &Scope| kinds.iter().any(|kind| kind.is_prefix_of(*scope));
    stack.as_slice().iter().any(is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, base: &str, result: &str, expected: &str) {
        let text = |text: &str| Arc::new(Document::from_text(text));
        let case = SyntaxCheck {
            number: 1,
            path: path.to_owned(),
            base: text(base),
            whole: text(base),
            result: text(result),
        };
        let told = match check_syntax(&case) {
            None => "not judged".to_owned(),
            Some(judgement) if !judgement.is_worse() => "no worse".to_owned(),
            Some(judgement) => {
                let told = |fault: &SyntaxFault| format!("{}: {}", fault.line, fault.what);
                let told = judgement.result.iter().map(told);
                told.collect::<Vec<_>>().join("; ")
            }
        };
        assert_eq!(told, expected, "{result}");
    }

    #[test]
    fn a_result_is_judged_against_the_file_as_it_is() {
        let whole = "fn a() {\n    b(\"(\", '{'); // (\n}\n";
        check("a.rs", whole, whole, "no worse");
        check(
            "a.rs",
            whole,
            "fn a() {\n    b(1);\n",
            "1: `{` is never closed",
        );
        check(
            "a.rs",
            whole,
            "fn a() {\n    b(1;\n}\n",
            "2: `(` is never closed",
        );
        check(
            "a.rs",
            whole,
            "fn a() {\n}\n}\n",
            "3: `}` has no opening bracket",
        );
        check("a.rs", "fn a() {\n", "fn b() {\n", "no worse");
        check("a.py", "f(1)\n", "f(1\n", "1: `(` is never closed");
        check("a.json", "{}\n", "{\"a\": [1}\n", "1: `[` is never closed");
        check("a.sh", "x\n", "case x in a) b;; esac\n", "not judged");
        check("a.md", "x\n", ":)\n", "not judged");
        check("a.unknown", "x\n", "(\n", "not judged");
    }
}
