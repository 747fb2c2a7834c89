//! Detects a diff among the lines of a file of code, in which its result is meant.
//!
//! Code that reads or makes diffs has them in texts of several lines, and so has a comment that explains them.

/// Extensions of code in which a text of several lines has quotes that nothing else has.
const CODE: [&str; 28] = [
    "c", "cc", "cpp", "cs", "css", "cxx", "dart", "ex", "exs", "go", "h", "hpp", "java", "js",
    "jsx", "kt", "lua", "m", "mjs", "py", "rs", "scala", "scss", "sql", "swift", "ts", "tsx",
    "zig",
];
/// Extensions of code in which any quote may begin a text of several lines.
const SCRIPTS: [&str; 8] = ["bash", "fish", "php", "pl", "pm", "ps1", "rb", "sh"];
/// Brackets of comments and texts of several lines.
const BRACKETS: [(&str, &str); 2] = [("/*", "*/"), ("[[", "]]")];

/// Finds the first line of a diff at the margin of a new text, outside of strings and comments, if the old one has none.
pub(super) fn stray_diff<'t>(path: &str, old: &[&str], new: &[&'t str]) -> Option<&'t str> {
    let (_, extension) = path.rsplit_once('.')?;
    let is_in = |known: &[&str]| known.iter().any(|it| extension.eq_ignore_ascii_case(it));
    let is_script = is_in(&SCRIPTS);
    if !is_script && !is_in(&CODE) {
        return None;
    }
    let at = first_of_diff(new)?;
    let is_stray = first_of_diff(old).is_none() && !is_in_text(&new[..at], is_script);
    is_stray.then_some(new[at])
}

/// Returns the first line of a diff: the names of both files, or the head of a hunk.
fn first_of_diff(lines: &[&str]) -> Option<usize> {
    lines.windows(2).position(|pair| {
        let names = pair[0].starts_with("--- ") && pair[1].starts_with("+++ ");
        names || is_hunk_head(pair[0]) && pair[1].starts_with([' ', '+', '-'])
    })
}

/// Returns true for `@@ -1,2 +1,3 @@`.
fn is_hunk_head(line: &str) -> bool {
    let inner = line
        .strip_prefix("@@ -")
        .and_then(|rest| rest.split_once(" @@"));
    let ranges = inner.and_then(|(ranges, _)| ranges.split_once(" +"));
    ranges.is_some_and(|(old, new)| {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        [old, new]
            .iter()
            .all(|range| range.splitn(2, ',').all(is_number))
    })
}

/// Returns true if a text or a comment may be open below some lines.
fn is_in_text(above: &[&str], is_script: bool) -> bool {
    ["\"", "'''", "`"]
        .iter()
        .any(|quote| may_be_open(above, quote))
        || BRACKETS.iter().any(|pair| is_left_open(above, *pair))
        || is_script && (may_be_open(above, "'") || has_here_document(above))
}

/// Returns true if the number of quotes, or that in the nearest line with one, is odd.
fn may_be_open(above: &[&str], quote: &str) -> bool {
    let counts = above.iter().map(|line| line.matches(quote).count());
    let nearest = counts.clone().rfind(|count| *count > 0);
    nearest.is_some_and(|count| count % 2 == 1) || counts.sum::<usize>() % 2 == 1
}

/// Returns true if the last one of a pair of brackets is the opening one.
fn is_left_open(above: &[&str], (open, close): (&str, &str)) -> bool {
    last_of(above, open) > last_of(above, close)
}

/// Returns the place of the last sign of a kind: its line, and its position there.
fn last_of(lines: &[&str], sign: &str) -> Option<(usize, usize)> {
    let mut lines = lines.iter().enumerate().rev();
    lines.find_map(|(at, line)| Some((at, line.rfind(sign)?)))
}

/// Returns true if the closing word of a here-document is missing.
fn has_here_document(above: &[&str]) -> bool {
    above.iter().enumerate().any(|(at, line)| {
        let is_end = |below: &&str| Some(below.trim()) == here_word(line);
        here_word(line).is_some() && !above[at + 1..].iter().any(is_end)
    })
}

/// Returns the word that closes a here-document which a line opens.
fn here_word(line: &str) -> Option<&str> {
    let word = line
        .split("<<")
        .nth(1)?
        .trim_start_matches(['-', '~', '<', '\'', '"']);
    let end = word.find(|c: char| !c.is_alphanumeric() && c != '_');
    let word = &word[..end.unwrap_or(word.len())];
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, old: &str, new: &str, expected: &str) {
        let [old, new] = [old, new].map(|text| text.split('|').collect::<Vec<_>>());
        let found = stray_diff(path, &old, &new).unwrap_or_default();
        assert_eq!(found, expected, "{path}: {old:?} => {new:?}");
    }

    const HUNK: &str = "@@ -4,2 +4,3 @@|-int k;|+long k;|+long l;";

    #[test]
    fn a_diff_is_no_code() {
        for above in [
            "int a;",
            "x = \"y\"|b = 'c'",
            "/* note */",
            "a << b;",
            "s = `t`",
        ] {
            let new = format!("{above}|{HUNK}");
            check("f.c", "int a;", &new, "@@ -4,2 +4,3 @@");
        }
        check("f.py", "", "--- a/f.py|+++ b/f.py|x", "--- a/f.py");
        check(
            "f.rs",
            "a",
            "@@ -1 +1 @@ fn f()| a|-b",
            "@@ -1 +1 @@ fn f()",
        );
        check(
            "f.sh",
            "",
            "cat <<END|x|END|@@ -1 +1 @@|-a|+b",
            "@@ -1 +1 @@",
        );
    }

    #[test]
    fn a_diff_in_a_text_is_content() {
        for above in [
            "let patch = \"\\",
            "s = r#\"|--- title",
            "x = '''",
            "const s = `",
            "c = '\"'|d(\"\"\"",
            "/* An example:",
            "s = [[",
        ] {
            check("f.rs", "a", &format!("{above}|{HUNK}"), "");
        }
        for above in ["cat <<'END'", "echo '", "patch <<-EOF|index 1"] {
            check("f.sh", "a", &format!("{above}|{HUNK}"), "");
        }
        // The file has one, no hunk follows, it is within a line, or the file is no code.
        check("f.c", "@@ -1 +1 @@|-x|+y", HUNK, "");
        check("f.c", "a", "@@ -4,2 +4,3 @@|int k;", "");
        check("f.c", "a", "  @@ -4,2 +4,3 @@|  -int k;", "");
        check("f.c", "a", "@@ -4,2 @@|-int k;", "");
        check("f.lua", "a", "--- a/b|--- c", "");
        for path in ["f.diff", "f.md", "f.txt", "f", "f.snap"] {
            check(path, "a", HUNK, "");
        }
    }
}
