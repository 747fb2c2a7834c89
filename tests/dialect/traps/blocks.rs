//! Search/replace blocks: Roo Code, Cline, Aider.

use super::{becomes, block, refused, stands};
use crate::outcome::check;

/// The numbers up to one, each on a line, but 0 for some of them.
fn numbers(last: usize, is_zero: fn(usize) -> bool) -> String {
    let number = |n| if is_zero(n) { 0 } else { n };
    let lines: Vec<String> = (1..=last).map(|n| number(n).to_string()).collect();
    lines.join("\n") + "\n"
}

#[test]
fn blank_lines_at_the_edges_are_lines() {
    becomes("a\n\nb\n", &block("\nb\n", "\nc\n"), "a\n\nc\n");
    becomes("a\nb\n", &block("b\n", "\nc\n"), "a\n\nc\n");
    becomes("a\nb\nc\n", &block("b\n", "\n"), "a\n\nc\n");
    becomes("a\nb\nc\n", &block("b\n", "\n\n"), "a\n\n\nc\n");
    becomes("a\nb\nc\n", &block("b\n", ""), "a\nc\n");
    becomes("a\nb\nc\n", &block("b\n", "b\n\n"), "a\nb\n\nc\n");
}

#[test]
fn blanks_at_line_ends_are_kept_and_added() {
    becomes("a  \nb\n", &block("a  \nb\n", "a  \nc\n"), "a  \nc\n");
    becomes("a\nb\n", &block("b\n", "b  \n"), "a\nb  \n");
    becomes(
        "    a\n",
        &block("    a\n", "    a\n\n    b\n"),
        "    a\n\n    b\n",
    );
    becomes("x\u{c}\ny\n", &block("y\n", "z\u{c}\n"), "x\u{c}\nz\u{c}\n");
}

#[test]
fn markers_are_never_written() {
    let two = block("a\n", "1\n") + &block("b\n", "2\n");
    becomes("a\nb\n", &two.replace('\n', "\r\n"), "1\n2\n");
    becomes("a\nb\n", &two.replace("REPLACE\n", "REPLACE \n"), "1\n2\n");
    becomes(
        "a\nb\n",
        &two.replace("<<<<<<< SEARCH", "<<<<<<< SEARCH>"),
        "1\n2\n",
    );
    let indented = format!("  {}", two.trim_end().replace('\n', "\n  "));
    becomes("a\nb\n", &indented, "1\n2\n");
    becomes(
        "a\nb\n",
        &two.replace("<<<<<<<", "<<<<<<<<")
            .replace(">>>>>>>", ">>>>>>>>"),
        "1\n2\n",
    );
    becomes("a\nb\n", two.trim_end(), "1\n2\n");
}

#[test]
fn a_block_that_is_not_whole_costs_itself_alone() {
    let whole = block("a\n", "1\n");
    let rest = |bad: &str| format!("{whole}{bad}");
    for (bad, said) in [
        ("<<<<<<< SEARCH\nb\n", "expected '======='"),
        (
            "<<<<<<< SEARCH\nb\n=======\n2\n",
            "expected '>>>>>>> REPLACE'",
        ),
        ("<<<<<<< SEARCH\nb\n>>>>>>> REPLACE\n", "expected '======='"),
        (
            "b\n>>>>>>> REPLACE\n",
            "expected '<<<<<<< SEARCH' before it",
        ),
        (
            "<<<<<<< SEARCH\nb\n=======\n:start_line:2\n2\n>>>>>>> REPLACE\n",
            ":start_line:2",
        ),
    ] {
        let files = [("f.py", "a\nb\n")];
        check(&files, &rest(bad), &[("f.py", "1\nb\n")], &[said]);
    }
}

#[test]
fn a_divider_that_is_content_is_told_by_the_file() {
    let heading = "Tides\n=======\n\nlow\n";
    becomes(
        heading,
        &block("Tides\n=======\n", "Tide\n=======\n"),
        "Tide\n=======\n\nlow\n",
    );
    // A divider that only the new text has is as likely a block that was parted too early.
    let said = "one of its delimiters could be content";
    refused(heading, &block("low\n", "Ebb\n=======\n"), said);
    let escaped = block("low\n", "Ebb\n\\=======\n");
    becomes(heading, &escaped, "Tides\n=======\n\nEbb\n=======\n");
    becomes(
        "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n",
        &block("<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n", "b\n"),
        "a\nb\n",
    );
    becomes("a\n\\=======\n", &block("\\=======\n", "b\n"), "a\nb\n");
}

#[test]
fn a_line_number_is_read_however_it_is_written() {
    let twice = "x\na\ny\na\n";
    let at = |hint: &str| format!("<<<<<<< SEARCH\n{hint}a\n=======\nb\n>>>>>>> REPLACE\n");
    for hint in [
        ":start_line:4\n-------\n",
        ":start_line: 4 \n",
        ":start_line:4\n:end_line:4\n-------\n",
        ":end_line:4\n:start_line:4\n-------\n",
        ":start_line=4\n-------\n",
        ":start_line>4\n-------\n",
        "4 | ",
    ] {
        becomes(twice, &at(hint), "x\na\ny\nb\n");
    }
    refused(
        twice,
        &at(":start_line:0\n-------\n"),
        "ambiguous: its lines match 2 places",
    );
    // A rule may be the first line of the text.
    becomes(
        "-------\na\n",
        &block("-------\na\n", "-------\nb\n"),
        "-------\nb\n",
    );
}

#[test]
fn line_numbers_before_the_lines_are_left_out_only_if_all_have_one() {
    becomes(
        "a\nb\n",
        &block("1 | a\n2 | b\n", "1 | a\n2 | c\n"),
        "a\nc\n",
    );
    becomes("a\nb\n", &block("1 | a\n2 | b\n", "a\nc\n"), "a\nc\n");
    becomes("a\nb\n", &block("1|a\n2|b\n", "1|a\n2|c\n"), "a\nc\n");
    becomes(
        "| a |\n| b |\n",
        &block("| b |\n", "| c |\n"),
        "| a |\n| c |\n",
    );
    becomes(
        " 1 | x\n 2 | y\n",
        &block(" 2 | y\n", " 2 | z\n"),
        " 1 | x\n 2 | z\n",
    );
    refused(
        "a\nb\n",
        &block("1 | a\nb\n", "c\n"),
        "no match in the file",
    );
}

#[test]
fn equal_places_are_never_guessed() {
    let twins = "def a():\n    go()\n\ndef b():\n    go()\n";
    refused(twins, &block("    go()\n", "    stay()\n"), "ambiguous");
    // Equal but for blanks, and one of them exactly.
    becomes(
        "  go()\n    go()\n",
        &block("    go()\n", "    stay()\n"),
        "  go()\n    stay()\n",
    );
    becomes(
        "x = \"a  b\"\nx = \"a b\"\n",
        &block("x = \"a b\"\n", "x = 1\n"),
        "x = \"a  b\"\nx = 1\n",
    );
    becomes("a — b\na - b\n", &block("a - b\n", "c\n"), "a — b\nc\n");
    // One of two equal blocks, by its number: the exact line, not the middle of a window.
    let lines = numbers(100, |n| n == 2 || n == 20);
    let hinted = "<<<<<<< SEARCH\n:start_line:2\n-------\n0\n=======\nx\n>>>>>>> REPLACE\n";
    becomes(&lines, hinted, &lines.replacen("\n0\n", "\nx\n", 1));
}

#[test]
fn what_an_earlier_block_puts_there_is_not_what_a_later_one_means() {
    // A swap: both stand in the file as it is.
    let swap = block("a\n", "b\n") + &block("b\n", "a\n");
    becomes("a\nx\nb\n", &swap, "b\nx\na\n");
    // A far block without a number does not shift the number of the next.
    let lines = numbers(60, |n| n % 10 == 0);
    let far = block("59\n", "1\n2\n3\n59\n");
    let near = "<<<<<<< SEARCH\n:start_line:30\n-------\n0\n=======\nx\n>>>>>>> REPLACE\n";
    let after = lines
        .replace("29\n0\n", "29\nx\n")
        .replace("59\n", "1\n2\n3\n59\n");
    becomes(&lines, &(far + near), &after);
    // Text that only the earlier one made.
    becomes(
        "a\n",
        &(block("a\n", "b\nc\n") + &block("c\n", "d\n")),
        "b\nd\n",
    );
}

#[test]
fn a_stale_line_is_another_line() {
    let file = "def limit():\n    # at most\n    return 10\n";
    refused(
        file,
        &block(
            "def limit():\n    # at most\n    return 12\n",
            "def limit():\n    return 14\n",
        ),
        "a line that it changes is not the same in the file",
    );
    refused(
        "delete_user(id)\nlog(id)\n",
        &block(
            "create_user(id)\nlog(id)\n",
            "create_user(id, now)\nlog(id)\n",
        ),
        "a line that it changes is not the same in the file",
    );
    refused(
        "Go(x)\n",
        &block("go(x)\n", "stay(x)\n"),
        "no match in the file",
    );
}

#[test]
fn indentation_follows_the_file() {
    becomes(
        "\tif a:\n\t\tb()\n",
        &block("if a:\n    b()\n", "if a:\n    c()\n"),
        "\tif a:\n\t\tc()\n",
    );
    becomes("    foo()\n", &block("    foo()\n", "foo()\n"), "foo()\n");
    becomes(
        "\tfoo()\n",
        &block("\tfoo()\n", "    foo()\n"),
        "    foo()\n",
    );
    // Deeper in the edit than in the file.
    becomes(
        "a:\n  foo()\n",
        &block("        foo()\n", "        foo(bar())\n"),
        "a:\n  foo(bar())\n",
    );
    becomes(
        "    if a:\n        b()\n",
        &block("  if a:\n    b()\n", "  if a:\n    b()\n    c()\n"),
        "    if a:\n        b()\n        c()\n",
    );
}

#[test]
fn what_changes_nothing_says_so() {
    stands("a\nb\n", &block("a\n", "a\n"));
    stands("a\nb\n", &block("x\nb\n", "a\nb\n"));
    // One that looks for nothing makes a file.
    refused(
        "a\n",
        &block("", "b\n"),
        "the file exists already, with another text",
    );
}

#[test]
fn half_a_line_is_not_a_line() {
    refused(
        "max = 10\n",
        &block("x = 10\n", "x = 11\n"),
        "no match in the file",
    );
    becomes(
        "call(f.py)\nx\n",
        &block("call(f.py)\n", "call(g)\n"),
        "call(g)\nx\n",
    );
    becomes("a\u{2028}b\nc\n", &block("c\n", "d\n"), "a\u{2028}b\nd\n");
}

#[test]
fn entities_are_read_as_they_stand_first() {
    becomes(
        "a &amp; b\n",
        &block("a &amp; b\n", "a &lt; b\n"),
        "a &lt; b\n",
    );
    becomes(
        "if a < b && c:\n",
        &block("if a &lt; b &amp;&amp; c:\n", "if a &gt; b:\n"),
        "if a > b:\n",
    );
    becomes(
        "x = '$1'\n",
        &block("x = '$1'\n", "x = '$& $$ \\1'\n"),
        "x = '$& $$ \\1'\n",
    );
}

#[test]
fn a_line_that_goes_between_two_removed_lines_overlaps() {
    let edit = [
        block("x = 1\n", "a\nx = 1\n"),
        block("}\n  \nx = 1\n", "  \n"),
    ];
    let file = [("f.py", "}\nx = 1\nx = 2\n")];
    let said = [
        "overlap: hunk 2 changes line 2 too",
        "overlap: hunk 1 changes line 2 too",
    ];
    check(&file, &edit.concat(), &file, &said);
}
