//! Detects code that a whole-file write would lose.
//!
//! A tool that replaces a file states no preimage, so nothing proves that its author has seen the lines that it removes. A
//! write is a loss when a line of it only replaces omitted code, when the file loses more than half of its lines, or when it
//! puts conflict or edit markers into the file.

use super::edit_markers::notation;
use super::foreign_line::foreign_line;
use super::framed_text::Framed;
use super::omission::{omission, omitted};
use super::shrinkage::{lost_words, shrinkage};
use super::stub::Stubs;
use crate::locate::Confidence;
use crate::proposal::{FileChange, Guess};
use crate::review::session::hunk::{HunkReview, Loss, Outcome, Remark};
use crate::text::Document;

/// Finds what a file would lose if it got a new text.
pub(in crate::review) fn loss(path: &str, base: &Document, new: &[String]) -> Option<Loss> {
    let old: Vec<&str> = base.lines().collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    let notation = notation(path, &old, &new);
    if old.is_empty() {
        // Only marks of an edit can be wrong in a new file.
        return notation;
    }
    if notation.is_some() {
        return notation;
    }
    let framed = Framed::of(path, &old, &new);
    if let Some(loss) = omission(path, &old, &framed).or_else(|| shrinkage(&old, &new)) {
        return Some(loss);
    }
    let stubs = Stubs::of(path, &old, &framed.lines);
    (stubs.loss(&framed.lines))
        .or_else(|| {
            let (at, gap) = foreign_line(path, (&old, &framed.lines), &stubs)?;
            Some(omitted(new[at], &gap))
        })
        .or_else(|| lost_words(&old, &new))
}

/// Finds what a file would lose if it was deleted, and only the hunks that are placed state lines of it.
pub(in crate::review) fn unstated(base: &Document, hunks: &[HunkReview]) -> Option<Loss> {
    let mut stated = 0;
    for hunk in hunks {
        let Outcome::Placed(placement) = &hunk.outcome else {
            return None;
        };
        let changes = placement.changes.iter();
        stated += changes.map(|change| change.lines.len()).sum::<usize>();
    }
    let count = base.len().checked_sub(stated)?;
    (stated > 0 && count > 0).then_some(Loss::Unstated { count })
}

/// Finds what a file would lose if it was deleted by a diff that states none of its lines, but names another version of it.
pub(in crate::review) fn other_version(change: &FileChange, base: &Document) -> Option<Loss> {
    let blobs = change.blobs.as_ref()?;
    let is_it = (base.encode(base.text())).is_ok_and(|bytes| blobs.is_before(&bytes));
    let count = base.len();
    (!is_it).then_some(Loss::Unstated { count })
}

/// Records what a file would lose, and lowers the confidence of the placement.
pub(in crate::review) fn withhold(review: &mut HunkReview, loss: Option<Loss>) {
    if let Outcome::Placed(placement) = &mut review.outcome
        && let Some(loss) = loss
    {
        let is_doubtful = matches!(
            loss,
            Loss::Guess {
                guess: Guess::End(_) | Guess::Outcome(..),
                ..
            }
        );
        let least = if is_doubtful {
            Confidence::Doubtful
        } else {
            Confidence::Fuzzy
        };
        placement.confidence = placement.confidence.max(least);
        review.remarks.push(Remark::Loss(loss));
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    fn shown(path: &str, old: &str, new: &str) -> String {
        let document = Document::from_text(old.replace('|', "\n") + "\n");
        let new: Vec<String> = new.split('|').map(str::to_owned).collect();
        match loss(path, &document, &new) {
            None => String::new(),
            Some(Loss::Omission { mark, lines, count }) => {
                format!("{mark} for {count} in {}-{}", lines.0, lines.1)
            }
            Some(Loss::Shrinks { lost, of }) => format!("{lost} of {of}"),
            Some(Loss::LosesWords { percent }) => format!("{percent} %"),
            Some(Loss::Markers { mark }) => mark,
            Some(Loss::Guess { path, .. }) => path,
            Some(Loss::Count { found: lines, .. } | Loss::Unstated { count: lines }) => {
                lines.to_string()
            }
        }
    }

    #[track_caller]
    fn check(old: &str, new: &str, expected: &str) {
        assert_eq!(shown("a.py", old, new), expected, "{old:?} => {new:?}");
    }

    const FILE: &str =
        "import os||def a():|    return 1||def b():|    return 2||def c():|    return 3";

    #[test]
    fn a_mark_in_place_of_lines_is_an_omission() {
        for mark in [
            "# ...",
            "...",
            "# rest unchanged",
            "# alles andere bleibt",
            "# 其余不变",
            "[snip]",
        ] {
            let new = format!("import os||def a():|    return 10||{mark}");
            check(FILE, &new, &format!("{mark} for 5 in 4-10"));
        }
        check(
            FILE,
            "# ... existing code ...||def c():|    return 4",
            "# ... existing code ... for 5 in 1-7",
        );
        check(
            FILE,
            "import os||# unverändert||def c():|    return 3",
            "# unverändert for 4 in 3-7",
        );
    }

    #[test]
    fn a_mark_in_place_of_one_line_of_code_is_an_omission() {
        let file = "def f(x):|    return compute(x) + 1||def g(x):|    return x";
        for mark in [
            "# ... existing code ...",
            "# ...",
            "# unchanged",
            "# same as before",
        ] {
            let new = file.replace("return compute(x) + 1", mark);
            check(file, &new, &format!("{mark} for 1 in 2-2"));
        }
        // A stub, and a comment above a new version of the line.
        check(file, &file.replace("return compute(x) + 1", "..."), "");
        let version = "# unchanged for now...|    return compute(x) + 2";
        check(file, &file.replace("return compute(x) + 1", version), "");
    }

    #[test]
    fn a_mark_that_the_file_has_elsewhere_is_an_omission_too() {
        let file =
            "def f():|    # ...|    x = 0||def g(a):|    b = a + 1|    c = b * 2|    return c";
        let new = "def f():|    # ...|    x = 1||def g(a):|    # ...";
        check(file, new, "# ... for 3 in 6-8");
        check(file, &file.replace("x = 0", "x = 1"), "");
    }

    #[test]
    fn signs_and_words_that_do_nothing_are_marks_too() {
        for mark in [
            "* * *",
            "- - -",
            "# ***",
            "#",
            "pass  # rest unchanged",
            "// (no changes below)",
        ] {
            let new = format!("import os||def a():|    return 10||{mark}");
            check(FILE, &new, &format!("{mark} for 5 in 4-10"));
        }
        // A mark in place of two lines, with nothing else that is new there.
        let one = FILE.replace("def b():|    return 2|", "# wie bisher|");
        check(FILE, &one, "# wie bisher for 2 in 6-7");
        // The same by signs, and by a line that shares no word with the text around it.
        for mark in ["- - -", "{}", "b: d", "b = ..."] {
            let one = FILE.replace("def b():|    return 2|", &format!("{mark}|"));
            check(FILE, &one, &format!("{mark} for 2 in 6-7"));
        }
        // Signs beside as many new lines as are lost, or in a file that loses nothing.
        check(
            FILE,
            "import os||def d():|    x()|    y()|    return 4||---",
            "",
        );
        check(FILE, &format!("{FILE}|---"), "");
        // A function becomes a stub.
        check(FILE, &FILE.replace("    return 2", "    pass"), "");
    }

    #[test]
    fn a_mark_within_brackets_of_its_own_is_an_omission() {
        for (opening, mark, closing) in [
            ("--[[", "rest unchanged", "]]"),
            ("if 0:", "nothing else changes", "endif"),
            ("=skip", "alles andere bleibt", "=cut"),
            ("<skip>", "other functions", "</skip>"),
        ] {
            let new = format!("import os||def a():|    return 10||{opening}|{mark}|{closing}");
            check(FILE, &new, &format!("{mark} for 5 in 4-10"));
            // Nothing is lost.
            check(FILE, &format!("{FILE}|{opening}|{mark}|{closing}"), "");
        }
        // Code within them, and a comment that documents code.
        check(
            FILE,
            "import os||def a():|    return 10||=skip|x = os.getpid()|=cut",
            "",
        );
        check(
            FILE,
            "import os||def a():|    return 1||def d():|    # both in one|    return 5",
            "",
        );
    }

    #[test]
    fn lines_that_are_added_beside_a_mark_replace_others() {
        let rewritten = "import os||def a():|    x = os.getpid()|    y = x + 1|    z = y + 1|    return x + y + z|";
        for mark in [
            "# rest of the file unchanged",
            "# snip",
            "// truncated",
            "[remaining functions unchanged]",
            "# und so weiter wie bisher",
        ] {
            let new = format!("{rewritten}|{mark}");
            check(FILE, &new, &format!("{mark} for 5 in 4-10"));
        }
        // The same within the file, and at the end of a block.
        let new = format!("{rewritten}|# remaining functions unchanged||def c():|    return 3");
        check(FILE, &new, "# remaining functions unchanged for 3 in 4-7");
        let new = format!("{rewritten}    # the rest is unchanged||def c():|    return 3");
        check(FILE, &new, "# the rest is unchanged for 3 in 4-7");
        // A comment that documents the line below it, and words at the end of code.
        let new = format!("{rewritten}|# as before, the last one|def c():|    return 3");
        check(FILE, &new, "");
        let new = format!("{rewritten}|def d():|    return everything");
        check(FILE, &new, "");
    }

    #[test]
    fn equal_closing_lines_do_not_hide_what_is_gone() {
        let block = |n: usize, line: &str| format!("sub f{n}|  {line}|end|");
        let old: String = (0..5).map(|n| block(n, &format!("go {n}"))).collect();
        for mark in [
            "-- 其余代码省略",
            "/* see above */",
            "* rest",
            "{ abridged }",
            "*(Rest bleibt)*",
        ] {
            let new = block(4, "go 44") + mark;
            check(&old, &new, &format!("{mark} for 13 in 1-15"));
        }
        // New lines that share no word with the lost ones do not replace them.
        let lost = "sub f1|  go 1|end|sub f2|  go 2|end|";
        let new = old.replace(lost, "x = a|y = b|z = c|-- as it was|");
        check(&old, &new, "-- as it was for 6 in 4-9");
        // The comment is above code, or nothing is gone.
        check(&old, "-- it has one part|sub all|  go 0|end", "");
        check(
            &old,
            &(old.replace("go 3", "go 33") + "-- 其余代码省略"),
            "",
        );
    }

    #[test]
    fn a_block_is_lost_with_its_closing_line() {
        let block = |n: usize| format!("fn f{n}()|{{|    go({n});|}}||");
        let old: String = (0..9).map(block).collect();
        let lost = block(4);
        for mark in [
            "// nothing else changes",
            "{{!-- rest --}}",
            "#[ the others ]#",
        ] {
            let new = old.replace(&lost, &format!("let a = b;|{mark}|"));
            check(&old, &new, &format!("{mark} for 2 in 21-23"));
        }
    }

    #[test]
    fn a_complete_file_may_hold_any_comment() {
        check(FILE, &FILE.replace("return 1", "return 1  # ..."), "");
        check(FILE, &format!("{FILE}|# rest unchanged"), "");
        check(FILE, &format!("# the rest is unchanged|{FILE}"), "");
        // A comment above new code documents it.
        check(
            FILE,
            "import os||def a():|    return 1||# both in one|def d():|    return 5",
            "",
        );
        // The file has the line.
        let old = format!("{FILE}|# ... and so on ...");
        check(&old, &old.replace("return 2", "return 20"), "");
        // A function becomes a stub.
        check(FILE, &FILE.replace("    return 2", "    ..."), "");
        // Comments in place of comments.
        check("# a b|# c d|# e f|# g h|x", "# one line|x", "");
    }

    #[test]
    fn a_file_that_keeps_half_of_its_lines_may_lose_the_rest() {
        let lines = |range: Range<usize>| {
            let lines: Vec<String> = range.map(|n| format!("line {n}")).collect();
            lines.join("|")
        };
        check(&lines(0..20), &lines(0..10), "");
        check(&lines(0..20), &lines(0..9), "11 of 20");
        check(&lines(0..19), &lines(0..1), "");
        check("a|b", "", "2 of 2");
    }

    #[test]
    fn many_marks_in_one_gap_cost_little() {
        let lines =
            |line: &dyn Fn(usize) -> String| (0..30_000).map(line).collect::<Vec<_>>().join("|");
        let old = lines(&|n| format!("line {n}"));
        let new = lines(&|n| format!("# note {n}"));
        check(&old, &new, "# note 0 for 30000 in 1-30000");
        check(&old, &lines(&|_| ";".to_owned()), "30000 of 30000");
    }

    #[test]
    fn only_comments_in_place_of_code_are_an_omission() {
        let b = "def b():|    x = 2|    return x|";
        let file = FILE.replace("def b():|    return 2|", b);
        let long = "# The implementation of this function is identical to the original one, and it is therefore not \
            repeated here, to keep this short";
        let rows = "# b is not changed|# so its body|# is left out";
        for mark in [long, rows] {
            let first = mark.split('|').next().unwrap();
            let new = file.replace(b, &format!("{mark}|"));
            check(&file, &new, &format!("{first} for 3 in 6-8"));
            // Comments elsewhere, and beside code that replaces the lost one.
            check(
                &file,
                &file.replace("import os", &format!("import os|{mark}")),
                "",
            );
            let new = file.replace(b, &format!("{mark}|def d():|    return os.getpid()|"));
            check(&file, &new, "");
        }
    }

    #[test]
    fn code_that_is_commented_out_is_not_lost() {
        let off = "# def b():|#     return 2|";
        let new = |mark: &str| FILE.replace("def b():|    return 2|", mark);
        check(FILE, &new(off), "");
        check(FILE, &new(&format!("# It is slow|{off}")), "");
        check(
            FILE,
            &new("# def b():|# the same|"),
            "# the same for 1 in 7-7",
        );
        let old = FILE.replace("    return 2|", "    x = 2|    return x|");
        let new = old.replace("def b():|    x = 2|    return x|", "# def b():|# the same|");
        check(&old, &new, "# def b(): for 2 in 7-8");
    }

    #[test]
    fn a_line_with_a_comment_about_the_lost_ones_is_an_omission() {
        let b = "def b():|    x = 2|    y = 3|    return x|";
        let file = FILE.replace("def b():|    return 2|", b);
        for mark in [
            "def b(): ...  # unchanged",
            "def b(): return 0 # as in the existing file",
            "pass # b()",
        ] {
            let new = file.replace(b, &format!("{mark}|"));
            check(&file, &new, &format!("{mark} for 4 in 6-9"));
        }
        // The comment has something else to say, or the line is beside other new ones.
        for line in [
            "def b(): return os.getpid()  # twice",
            "def b():  # the existing one|    return os.getpid()",
        ] {
            check(&file, &file.replace(b, &format!("{line}|")), "");
        }
    }

    #[test]
    fn long_lines_are_measured_by_their_words() {
        let text = |names: Range<usize>| {
            let words: Vec<String> = names.map(|n| format!("name{n:04}")).collect();
            words.join("();")
        };
        let old = text(0..1000);
        check(&old, "x", "100 %");
        check(&old, &old[..300], "97 %");
        check(&old, &text(0..499), "50 %");
        check(&old, &text(0..501), "");
        check(&text(0..100), "x", "");
        // The same words in other lines.
        check(&old, &old.replace(';', ";|"), "");
        // Other ends of lines.
        let rows: Vec<String> = (0..30).map(|n| format!("a {n}")).collect();
        for end in ["\r", "\u{2028}", "\u{85}"] {
            check(&rows.join(end), &rows[..9].join(end), "21 of 30");
            check(&rows.join(end), &rows[..20].join(end), "");
        }
    }

    #[test]
    fn pairs_about_the_rest_are_marks() {
        let old = "a: 1|b:|  c: 2|  d: 3|  e: 4|f: 5";
        for mark in [
            "  _: unchanged",
            "  rest: unchanged",
            "  others: ~",
            "  etc: true",
            "  _rest: []",
        ] {
            let new = format!("a: 1|b:|  c: 2|{mark}|f: 5");
            check(old, &new, &format!("{} for 2 in 4-5", mark.trim()));
        }
        // A pair of other words, and one beside a new version of what is lost.
        check(old, "a: 1|b:|  c: 2|  g: all|f: 5", "");
        check(old, "a: 1|b:|  c: 2|  d: 4|  e: 6|  keep: true|f: 5", "");
        let json = old.replace(": ", "\": ").replace("  ", "  \"");
        let new = json.replace("  \"d\": 3|  \"e\": 4|", "  \"etc\": true|");
        assert_eq!(shown("a.json", &json, &new), "\"etc\": true for 2 in 4-5");
    }

    #[test]
    fn a_comment_in_other_lines_is_no_mark() {
        let old = "a = 1|# The rest of the words are read|# before the others, as they are|# kept in the same order.|b = 2";
        let new = "a = 1|# The rest of the words are|# read before the others, as|# they are kept in the same order.|b = 2";
        check(old, new, "");
        let two = "a = 1|# The rest of the words are read before|# the others, kept in the same order.|b = 2";
        check(old, two, "");
        // Comments in place of comments, and of code.
        let new = "a = 1|# Sorted; everything is unchanged.|b = 2";
        check("a = 1|# It is slow.|# Not read.|b = 2", new, "");
        check(
            "a = 1|# By A.|# For B.|# In C.|b = 2",
            new,
            "# Sorted; everything is unchanged. for 3 in 2-4",
        );
        check(
            "a = 1|go(a)|run(a)|b = 2",
            new,
            "# Sorted; everything is unchanged. for 2 in 2-3",
        );
        let title = |rule: &str| format!("Title|=====||One|{rule}||last");
        let old = title("~~~").replace("||last", "||a b|c d||last");
        assert_eq!(shown("a.rst", &old, &title("---")), "");
        assert_eq!(shown("a.rst", &old, &title("||---")), "--- for 2 in 7-8");
    }

    #[test]
    fn markers_are_never_content() {
        let conflict = "a|<<<<<<< HEAD|b|=======|c|>>>>>>> agent";
        check("a|b", conflict, "<<<<<<< HEAD");
        check(conflict, &conflict.replace("|c|", "|d|"), "");
        check(
            "a",
            "<<<<<<< SEARCH|a|=======|b|>>>>>>> REPLACE",
            "<<<<<<< SEARCH",
        );
        check("a", "*** Begin Patch|*** End Patch", "*** Begin Patch");
        check(
            "a",
            ">>>> ORIGINAL //d/f#1|a|==== THEIRS //d/f#2|b|==== YOURS //w/f|c|<<<<",
            ">>>> ORIGINAL //d/f#1",
        );
        check(
            "a",
            "==== THEIRS //d/f#2|b|==== YOURS //w/f|c",
            "==== THEIRS //d/f#2",
        );
        check("a", "a|<<<<", "");
        check("a", "a|  <<<<<<< HEAD|  b|  >>>>>>> agent", "<<<<<<< HEAD");
        check("a", "a|<<<<<<< HEAD|b", "<<<<<<< HEAD");
        check("a", "a|>>>>>>> feature/x", ">>>>>>> feature/x");
        check("a", "a|||||||| base", "");
        check("Title|a", "Title|=======|a", "");
        check("a", "a|  >>>>>>> quoted seven times", "");
        check("a", "a|>>>>>>>", ">>>>>>>");
        check("a", "--- a/a.py|+++ b/a.py|@@ -1 +1 @@|-a|+b", "--- a/a.py");
        check(
            "a",
            "diff --git a/a.py b/a.py|-a|+b",
            "diff --git a/a.py b/a.py",
        );
        check("a", "--- a|+ b", "");
        assert_eq!(shown("a.diff", "a", "--- a|+++ b"), "");
        assert_eq!(shown("a.patch", "a", conflict), "");
    }
}
