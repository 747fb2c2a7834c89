//! The text of a file that is written as a whole, and the other ways to read it.
//!
//! Models copy what tools put around a file when they show it: numbers before its lines, a code fence around it. Whether that
//! is so is left to the file: one that has the same now means them.

use crate::dialect::markdown::fence::Fence;
use crate::proposal::{Body, Hunk, Miscount, numbered_line};

/// Returns the ways to read the contents of a file: unchanged, and without the code fence and line numbers around them, if they
/// have any.
pub(in crate::dialect) fn readings(path: &str, lines: Vec<String>) -> (Body, Vec<Body>) {
    let unfenced = without_fence(path, &lines);
    let inner = unfenced.unwrap_or(&lines);
    let bare = without_numbers(inner).or_else(|| unfenced.map(<[String]>::to_vec));
    let whole = |postimage| Body {
        preimage: Vec::new(),
        postimage,
    };
    let others = bare.into_iter().map(whole).collect();
    (whole(lines), others)
}

/// Records in the one hunk of a text that its call states another number of lines. A newline at the end may count as a line more.
pub(in crate::dialect) fn counted(mut hunk: Hunk, stated: Option<usize>) -> Hunk {
    let bodies = [&hunk.body].into_iter().chain(&hunk.other_readings);
    let counts: Vec<usize> = bodies.map(|body| body.postimage.len()).collect();
    if let Some(stated) = stated
        && !counts
            .iter()
            .any(|&count| stated == count || stated == count + 1)
    {
        let found = hunk.body.postimage.len();
        hunk.miscount = Some(Miscount {
            said: (0, stated),
            found: (0, found),
        });
    }
    hunk
}

/// The lines between a fence on the first line and its end on the last. A Markdown file may well be nothing but a fence.
fn without_fence<'a>(path: &str, lines: &'a [String]) -> Option<&'a [String]> {
    let name = path.to_ascii_lowercase();
    if [".md", ".mdx", ".markdown", ".qmd", ".rmd"]
        .iter()
        .any(|ending| name.ends_with(ending))
    {
        return None;
    }
    let [first, inner @ .., last] = lines else {
        return None;
    };
    let open = Fence::of(first).filter(|_| first.starts_with(['`', '~']))?;
    let closes = |line: &String| Fence::of(line).is_some_and(|fence| fence.closes(&open));
    (closes(last) && !inner.iter().any(closes)).then_some(inner)
}

/// The lines without the numbers before them, if all have one and they run from 1.
fn without_numbers(lines: &[String]) -> Option<Vec<String>> {
    let bare: Option<Vec<String>> = lines
        .iter()
        .enumerate()
        .map(|(i, line)| {
            let (number, rest) = numbered_line(line)?;
            (number == i + 1).then(|| rest.to_owned())
        })
        .collect();
    // One line alone may well begin with `1 |`.
    bare.filter(|bare| bare.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stated_number_of_lines_is_compared() {
        let check = |text: &str, stated: usize, expected: bool| {
            let (body, other_readings) =
                readings("f.rs", text.split(';').map(str::to_owned).collect());
            let hunk = Hunk {
                other_readings,
                ..Hunk::new(body, crate::proposal::InputSpan::of(0..1))
            };
            let counted = counted(hunk, Some(stated));
            assert_eq!(counted.miscount.is_none(), expected, "{text} {stated}");
        };
        check("a;b", 2, true);
        check("a;b", 3, true);
        check("a;b", 4, false);
        check("a;b", 1, false);
        check("```;a;```", 1, true);
        check("```;a;```", 3, true);
        check("```;a;```", 5, false);
    }

    #[test]
    fn numbers_and_fences_are_told_from_text() {
        let check = |path: &str, text: &str, expected: Option<&str>| {
            let lines = text.split(';').map(str::to_owned).collect();
            let (body, others) = readings(path, lines);
            assert_eq!(body.postimage.join(";"), text);
            let others: Vec<String> = others.iter().map(|body| body.postimage.join(";")).collect();
            assert_eq!(others, Vec::from_iter(expected), "{path} {text}");
        };
        check("f.rs", "a;b", None);
        check("f.rs", "1 | a;2 |   b;3 |", Some("a;  b;"));
        check("f.rs", "     1→a;     2→", Some("a;"));
        check("f.rs", "```rust;a;```", Some("a"));
        check("f.rs", "```rust;1 | a;2 | b;```", Some("a;b"));
        // The numbers do not run from 1, not all lines have one, or there is one line only.
        check("f.rs", "2 | a;3 | b", None);
        check("f.rs", "1 | a;b", None);
        check("f.rs", "1 | a;1 | b", None);
        check("f.rs", "1 | a", None);
        // The fence is the text, or not one around all of it.
        check("f.md", "```rust;a;```", None);
        check("f.rs", "```rust;a", None);
        check("f.rs", "```;a;```;b;```", None);
        check("f.rs", "````;```;a;````", Some("```;a"));
    }
}
