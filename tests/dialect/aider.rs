//! Aider's edit blocks.

use crate::show::{check, read_as};

const BLOCK: &str = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE";

#[test]
fn the_name_stands_above_the_fence_or_in_it() {
    let named = |before: &str| check(&format!("{before}\n{BLOCK}\n```\n"), "M src/a.py [a;=>b;]");
    named("src/a.py\n```python");
    named("```python\nsrc/a.py");
    named("Here it is:\n\nsrc/a.py\n\n```python");
    named("**src/a.py**:\n```python");
    named("### `src/a.py`\n\n```python");
    named("# src/a.py\n```");
    named("```python\n# src/a.py");
    named("// src/a.py\n```");
    named("```src/a.py");
    named("```python src/a.py");
    named("src/a.py");
    named("Now change `src/a.py`:\n```python");
    named("src/a.py\n<source>");
    named("src/a.py\n<source>python");
}

#[test]
fn a_block_without_a_name_is_for_the_file_before() {
    check(
        &format!("a.py\n{BLOCK}\n\n{BLOCK}"),
        "M a.py [a;=>b;] [a;=>b;]",
    );
    check(
        &format!("a.py\n{BLOCK}\nb.py\n{BLOCK}"),
        "M a.py [a;=>b;]\nM b.py [a;=>b;]",
    );
    assert_eq!(
        read_as("aider", None, BLOCK),
        "! line 1 of the input: found a block that names no file, expected a file name above it"
    );
    // A name in prose is not a name above the block.
    assert_eq!(
        read_as("auto", Some("f"), &format!("Done.\n{BLOCK}")),
        "M f [a;=>b;]"
    );
}

#[test]
fn a_lone_word_above_a_block_may_be_a_file() {
    let before = format!("a.py\n{BLOCK}\n");
    check(
        &format!("{before}\ngradlew\n```\n{BLOCK}\n```\n"),
        "M a.py [a;=>b;]\nM gradlew [a;=>b;]",
    );
    check(
        &format!("{before}\nThen:\n```\n{BLOCK}\n```\n"),
        "M a.py [a;=>b;] [a;=>b;]",
    );
    check(
        &format!("{before}\ngradlew\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n"),
        "M a.py [a;=>b;]\n! line 9 of the input: found a block that is for `gradlew` or for the file before it, expected `./gradlew` above it, or nothing",
    );
}

#[test]
fn a_lone_word_above_the_first_block_may_be_a_file() {
    let of_word = |above: &str, expected: &str| check(&format!("{above}\n{BLOCK}\n"), expected);
    of_word("gradlew", "M gradlew? [a;=>b;]");
    of_word("gradlew\n```", "M gradlew? [a;=>b;]");
    let nameless = "! line 2 of the input: found a block that names no file, expected a file name above it, or `--path FILE`";
    of_word("Then:", nameless);
    of_word("Done.", nameless);
    check(
        "gradlew\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n",
        "! line 2 of the input: found a block that names no file, expected a file name above it, such as `./gradlew`",
    );
    check(
        "gradlew\n<<<<<<< SEARCH\na\n=======\nx\n",
        "! line 5 of the input: found the end of the input, expected '>>>>>>> REPLACE' for the SEARCH on line 2",
    );
}

#[test]
fn a_cut_off_block_does_not_take_the_next_ones_name() {
    check(
        &format!("a.py\n```\n<<<<<<< SEARCH\na\n=======\nb\n```\n\nb.py\n```\n{BLOCK}\n```"),
        "M b.py [a;=>b;]\n! line 11 of the input: found '<<<<<<< SEARCH', expected '>>>>>>> REPLACE' for the SEARCH on line 3",
    );
}

#[test]
fn an_empty_search_creates_or_appends() {
    check(
        "a.py\n<<<<<<< SEARCH\n=======\nx\n\ny\n>>>>>>> REPLACE",
        "A a.py $ [=>x;;y;]",
    );
    check(
        "a.py\n<<<<<<< SEARCH\n\n=======\nx\n>>>>>>> REPLACE",
        "A a.py $ [=>x;]",
    );
}

#[test]
fn fences_in_the_text_are_content() {
    check(
        "README.md\n````markdown\n<<<<<<< SEARCH\n```bash\nmake\n```\n=======\n```sh\nmake all\n```\n>>>>>>> REPLACE\n````",
        "M README.md [```bash;make;```;=>```sh;make all;```;]",
    );
}

#[test]
fn an_elision_stays_in_both_halves() {
    check(
        "a.py\n<<<<<<< SEARCH\na\n...\nb\n=======\na\n...\nc\n>>>>>>> REPLACE",
        "M a.py [a;...;b;=>a;...;c;]",
    );
}
