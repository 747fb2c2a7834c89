//! The definitions that enclose a hunk, for its heading.

use crate::locate::{depth_of, enclosing};
use crate::review::session::file::FileReview;
use crate::text::{Document, LineIdx};

/// Number of definitions that are shown.
const SHOWN: usize = 2;
/// Number of lines that are searched for the heading of a section.
const FARTHEST: usize = 5000;

/// Words with which a statement begins that defines nothing, in the usual programming languages.
pub(super) const CONTROL: [&str; 24] = [
    "if", "else", "elif", "elsif", "for", "foreach", "while", "loop", "do", "switch", "match",
    "case", "default", "when", "unless", "until", "try", "catch", "except", "finally", "with",
    "using", "select", "return",
];

/// Returns the base line whose enclosing definitions the heading of a hunk names; `None` for a hunk that changes no lines.
///
/// New lines at the end of a block belong to it, and so do those at its beginning: of the two lines around them, the deeper.
pub fn heading_line(file: &FileReview, hunk: usize) -> Option<LineIdx> {
    let review = file.hunks.get(hunk)?;
    let (document, at) = (&*file.base, review.first_line());
    if at > document.len() || review.step.is_some() {
        return None;
    }
    let inserts = review.state.lines.first().is_some_and(|line| !line.removes);
    let above = at.checked_sub(1).filter(|_| inserts);
    let deeper = above.filter(|&above| depth_of(document, above) > depth_of(document, at));
    Some(deeper.unwrap_or(at))
}

/// Returns the first lines of the innermost definitions or sections around a base line, the outer one first, without indentation
/// and opening bracket: `impl Client`, `pub fn send(&self)`. Empty at the top level of a file.
pub fn enclosing_definitions(file: &FileReview, line: LineIdx) -> Vec<&str> {
    let document = &*file.base;
    match file.path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("md" | "mdx" | "markdown") => sections(document, line),
        Some("toml" | "ini" | "cfg") => table(document, line).into_iter().collect(),
        Some(_) | None => definitions(document, line),
    }
}

fn definitions(document: &Document, line: LineIdx) -> Vec<&str> {
    let mut found: Vec<&str> = enclosing(document, line)
        .map(|line| shortened(document.line(line)))
        .filter(|text| is_definition(text))
        .take(SHOWN)
        .collect();
    found.reverse();
    found
}

/// Returns a line without its indentation and the bracket that it opens.
fn shortened(line: &str) -> &str {
    line.trim()
        .trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '{' | '(' | '[' | ':'))
}

fn is_definition(text: &str) -> bool {
    let begins =
        |c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '@' | '"' | '\'' | '<' | '-');
    let word: &str = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .unwrap_or_default();
    text.starts_with(begins) && !CONTROL.contains(&word)
}

/// Returns the header of the table that a line is in.
fn table(document: &Document, line: LineIdx) -> Option<&str> {
    let mut above = (line.saturating_sub(FARTHEST)..line).rev();
    above.find_map(|above| {
        let text = document.line(above);
        text.starts_with('[').then(|| text.trim_end())
    })
}

/// Returns the headings of the sections that a line is in.
fn sections(document: &Document, line: LineIdx) -> Vec<&str> {
    let mut found = Vec::new();
    let mut deepest = usize::MAX;
    for above in (line.saturating_sub(FARTHEST)..line).rev() {
        let text = document.line(above);
        let level = text.bytes().take_while(|byte| *byte == b'#').count();
        if (1..=6).contains(&level) && level < deepest && text[level..].starts_with(' ') {
            found.push(text.trim());
            deepest = level;
        }
        if found.len() == SHOWN || deepest == 1 {
            break;
        }
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, line: LineIdx, expected: &[&str]) {
        let document = Document::from_text(text.replace('|', "\n") + "\n");
        assert_eq!(definitions(&document, line), expected, "{text:?} {line}");
    }

    #[test]
    fn definitions_enclose_a_line_and_statements_do_not() {
        let text = "impl Client {|    fn send(&self) {|        if ready {|            go()|        }|    }|}";
        check(text, 3, &["impl Client", "fn send(&self)"]);
        check(text, 1, &["impl Client"]);
        check(text, 0, &[]);
        check(
            "class A:|    def b(|        self,|    ) -> int:|        return 1",
            4,
            &["class A", "def b"],
        );
        check("services:|  web:|    image: x", 2, &["services", "web"]);
        check(
            "namespace a {|  class B {|    void c() {|      d();",
            3,
            &["class B", "void c()"],
        );
    }

    #[test]
    fn sections_enclose_a_line() {
        let document = Document::from_text("# A\ntext\n## B\n### C\nx\n## D\ny\n");
        assert_eq!(sections(&document, 4), ["## B", "### C"]);
        assert_eq!(sections(&document, 6), ["# A", "## D"]);
        assert!(sections(&document, 0).is_empty());
        let document = Document::from_text("a = 1\n[b]\nc = 2\n[[d]]\ne = 3\n");
        assert_eq!(table(&document, 0), None);
        assert_eq!(table(&document, 4), Some("[[d]]"));
    }
}
