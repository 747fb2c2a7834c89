//! Replacements that leave lines out: `// ... rest of the function ...` in place of lines that the search half has.
//!
//! An [elision](is_elision) is in both halves. In the replace half alone it cannot be written as it is, for the lines
//! that it replaces would be lost.

use crate::proposal::{Body, is_elision};

/// The text expected there.
pub(in crate::dialect) const EXPECTED: &str =
    "the lines that it stands for, or the same line in the search half";

/// Returns the position in the postimage of a line that replaces others, if the edit removes lines and its preimage has no
/// such line.
pub(in crate::dialect) fn mark(body: &Body) -> Option<usize> {
    if body.preimage.iter().any(|line| is_elision(line)) {
        return None;
    }
    let at = body.postimage.iter().position(|line| is_mark(line))?;
    let is_taken = |line: &&String| !line.trim().is_empty() && !body.postimage.contains(line);
    let taken = body.preimage.iter().filter(is_taken).count();
    let stands_for = if is_dots(&body.postimage[at]) { 2 } else { 1 };
    (taken >= stands_for).then_some(at)
}

/// Returns `true` for a line that replaces others. Indented dots may be a statement.
fn is_mark(line: &str) -> bool {
    is_elision(line) && !(is_dots(line) && line.starts_with([' ', '\t']))
}

fn is_dots(line: &str) -> bool {
    matches!(line.trim(), "..." | "…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_without_its_partner_takes_lines_away() {
        let check = |preimage: &str, postimage: &str, expected: Option<usize>| {
            let lines = |text: &str| text.split('|').map(str::to_owned).collect();
            let body = Body {
                preimage: lines(preimage),
                postimage: lines(postimage),
            };
            assert_eq!(mark(&body), expected, "{preimage} => {postimage}");
        };
        check("a|b|c", "x|// ... existing code ...", Some(1));
        check("a|b|c", "# ... rest of the function ...|x", Some(0));
        check("a|b|c", "...", Some(0));
        check("a", "a|// ... existing code ...", None);
        check("a|// ...|b", "x|// ...|b", None);
        check("pass", "...", None);
        check("def f():|    a|    b", "def f():|    ...", None);
        check("a|b", "x|call(...)", None);
    }
}
