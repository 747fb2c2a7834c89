//! What is written unasked and what a person is asked about. Lines of a text are parted by `|`.

use countersign::locate::{Tolerance, place_all};
use countersign::proposal::HunkOrder;
use countersign::text::Document;

use crate::table::{hunk, lines, shown};

#[track_caller]
fn check(file: &str, edit: &str, expected: &str) {
    let document = Document::from_text(lines(file).join("\n") + "\n");
    let hunk = hunk(edit);
    let found = place_all(&[&hunk], HunkOrder::Any, &document, Tolerance::default());
    assert_eq!(shown(&found[0]), expected, "{file:?} {edit:?}");
}

#[test]
fn a_line_that_changes_must_be_the_files_word_by_word() {
    check(
        "fn a() {|  limit = 250;|  go(limit);|}",
        "fn a() {|  limit = 200;|  go(limit);|} => fn a() {|  limit = 300;|  go(limit);|}",
        "similar doubtful Changed 1-2:  limit = 300;",
    );
}

#[test]
fn another_word_beside_a_change_is_asked_about() {
    check(
        "on production|pool(10)|retry(3)",
        "on staging|pool(10)|retry(3) => on staging|pool(2)|retry(3)",
        "similar doubtful Words 1-2:pool(2)",
    );
}

/// In real code two words that differ in one letter are two names, unless the letter is inside of a longer one.
#[test]
fn a_misspelt_word_is_no_other_name() {
    let beside = |word: &str, confidence: &str| {
        let edit = format!("use {word}|start()|limit = 1");
        check(
            "use received|start()|limit = 1|stop()",
            &format!("{edit} => use {word}|start()|limit = 2"),
            &format!("similar {confidence} 2-3:limit = 2"),
        );
    };
    for misspelt in ["recieved", "receved", "receiveed"] {
        beside(misspelt, "fuzzy");
    }
    for other in [
        "receives",
        "received2",
        "receiver",
        "deceived",
        "relieved",
        "receive",
    ] {
        beside(other, "doubtful Words");
    }
    // In a short word only swapped letters are a misspelling.
    let beside = |word: &str, expected| {
        let edit = format!("{word}(device)|start()|limit = 1");
        let new = edit.replace('1', "2");
        check(
            "stat(device)|start()|limit = 1|stop()",
            &format!("{edit} => {new}"),
            expected,
        );
    };
    beside("satt", "similar fuzzy 2-3:limit = 2");
    beside("statt", "similar doubtful Words 2-3:limit = 2");
}

/// Without the lines that it removes, an escaped hunk has nothing that is escaped: that is no result of it.
#[test]
fn an_escaped_deletion_is_not_taken_for_made() {
    let block = |kind: &str| {
        let tags =
            "tags = merge(|lookup(defaults, \"tags\")|lookup(node, \"tags\")|{|Name = names|}|)";
        format!("spec {{|type = \"{kind}\"||{tags}|}}||")
    };
    let rest = "# Tag the rest|tags = merge(|var.tags,";
    let escaped = block("network").replace('"', "&quot;");
    check(
        &format!("{}{}{rest}|)", block("volume"), block("network")),
        &format!(")|# remaining|}}||{escaped}{rest} => )|# remaining|}}||{rest}"),
        "similar fuzzy 12-24:",
    );
}

/// Of two blocks that differ in a number, one may be gone.
#[test]
fn another_number_is_asked_about() {
    check(
        "read(file)|assert(count, 27)|free(request)|close(file)",
        "read(file)|assert(count, 12)|free(request) => read(file)|assert(count, 12)|free(request)|free(other)",
        "similar doubtful Words 3-3:free(other)",
    );
    // A line that is removed, and that the file has once, shows that the place is no sibling.
    let edit = "log 4|map 9|regex 8|path 1|lite 4 => log 4|map 9|regex 8|path 1|lite 5";
    check(
        "log 4|map 10|regex 8|path 1|lite 4",
        edit,
        "similar fuzzy 4-5:lite 5",
    );
    check(
        "log 4|map 10|regex 8|path 1|lite 4|end|lite 4",
        edit,
        "similar doubtful Words 4-5:lite 5",
    );
}

/// The first and the last line of a hunk are what tells it from its siblings.
#[test]
fn another_line_in_place_of_context_is_asked_about() {
    let replaced = |first: &str, file: &str, expected| {
        let kept = format!(
            "{first}|enabled: false|port: 6379|user: root|host: local|zone: west|path: srv|mode: fast"
        );
        check(
            file,
            &format!("{kept}|auth: no => {kept}|auth: yes"),
            expected,
        );
    };
    let file = "sidekiq:|enabled: false|port: 6379|user: root|host: local|zone: west|path: srv|mode: fast|auth: no";
    replaced("cache:", file, "similar doubtful Words 8-9:auth: yes");
    // A line that only the edit has is not in the place of another one.
    replaced("# now", file, "similar fuzzy 8-9:auth: yes");
    // A block that ends where another one goes on.
    check(
        "  wait(10)|  check(error)|  }|func next() {",
        "  wait(10)|  check(error)|  }|} =>   wait(27)|  check(error)|  }|}",
        "similar doubtful Words 0-1:  wait(27)",
    );
}

/// The place of the hunk has changed, and its sibling has not.
#[test]
fn a_sibling_does_not_hide_the_place_with_all_context() {
    check(
        "readiness:|enabled: maybe|probe: http|other: 1|liveness:|# old|enabled: false|probe: http",
        "readiness:|enabled: false|probe: http => readiness:|enabled: true|probe: http",
        "similar doubtful Changed 1-2:enabled: true",
    );
}

/// A table like it has the result, and the row at the line that the hunk names is as it was.
#[test]
fn a_result_elsewhere_does_not_hide_the_named_line() {
    let file = "name|aws 2.52|kube 1.11|tail|name|aws 2.55|kube 1.11|random 2.1";
    let edit = "name|aws 2.52|kube 1.11|random 2. => name|aws 2.55|kube 1.11|random 2.";
    check(
        file,
        &format!("1@{edit}"),
        "similar doubtful Done 1-2:aws 2.55",
    );
    check(file, edit, "applied at 5");
}

/// Of the lines that the deletion leaves, only one is there.
#[test]
fn a_deletion_without_its_context_is_not_found() {
    let path = "      path.join(tempScssFoldername, `${version.name}.${themeColor}.scss`),";
    let kept = format!("{path}|      {{|        outputStyle: \"compressed\",");
    check(
        &format!("        $parent-selector: \".pico\"|{path}"),
        &format!(
            "{kept}|        silenceDeprecations: [\"global-builtin\"],|      }}, => {kept}|      }},"
        ),
        "not found, near 2",
    );
}

/// The edit states how deep each line is, and the file is indented otherwise.
#[test]
fn a_change_of_blanks_alone_is_not_adapted() {
    check(
        "if a {|\tone()|\ttwo()|}",
        "if a {|  one()|  two()|} => if a {|    one()|    two()|}",
        "indent doubtful Indentation 1-3:    one()|    two()",
    );
}

#[test]
fn a_change_of_which_a_part_is_made_is_completed() {
    check(
        "use a|use b|x|run(a)",
        "use a|x|run(a) => use a|use b|x|run(a, b)",
        "exact exact 3-4:run(a, b)",
    );
}

/// Without a line that only this place has, it may be a sibling that always had the line in place of the one that is removed.
#[test]
fn a_part_that_replaces_a_line_needs_a_line_of_its_place() {
    let file = "[dev]|db = 'dev'|port = 5432|[prod]|db = 'prod'|port = 5433";
    check(
        file,
        "db = 'staging'|port = 5433 => db = 'prod'|port = 6543",
        "exact doubtful Changed 5-6:port = 6543",
    );
    check(
        "port = 5433|user = x|timeout = 30",
        "port = 5432|user = x|timeout = 30 => port = 5433|user = x|timeout = 60",
        "exact exact 2-3:timeout = 60",
    );
    check(
        "user = x|port = 5433|user = x|timeout = 30",
        "port = 5432|user = x|timeout = 30 => port = 5433|user = x|timeout = 60",
        "exact doubtful Changed 3-4:timeout = 60",
    );
}

/// An added line that is equal to the line beside it: the file of before looks like one where the line was added.
#[test]
fn a_part_that_may_be_made_is_asked_about() {
    let check =
        |file, edit: &str, expected| check(file, &format!("{edit} => a|a|x|b|new"), expected);
    check("k|a|a|x|b|old", "a|x|b|old", "ambiguous 2 3");
    check("k|a|a|x|b|old", "3@a|x|b|old", "exact hinted 3-3:a 5-6:new");
    check("k|a|x|b|old", "a|x|b|old", "exact exact 2-2:a 4-5:new");
}

/// No line around the hunk shows if the line that it adds was there before.
#[test]
fn a_part_at_the_edge_of_a_hunk_that_may_be_made_is_asked_about() {
    check(
        "head|tab|indent",
        "indent => tab|indent|end",
        "ambiguous 2 3",
    );
}

/// The file matches as it was before the edit and as it is after it.
#[test]
fn an_edit_that_may_be_applied_is_asked_about() {
    let doubled = |file, hint: &str, expected| {
        check(file, &format!("{hint}a|x|b => a|a|x|b"), expected);
    };
    doubled("k|a|a|x|b", "", "ambiguous 3");
    doubled("k|a|a|x|b", "3@", "exact hinted 3-3:a");
    doubled("k|a|a|x|b", "2@", "applied at 2");
    let in_a_run = |hint: &str, expected| {
        check("0|0|0|0", &format!("{hint}0|0 => 0|0|0"), expected);
    };
    in_a_run("", "ambiguous 1 2 3");
    in_a_run("2@", "ambiguous 1 2 3");
    // One line shows that it was made, and another one that it was not.
    check("a|new|a|x|x", "a|x|x => a|new|a|x", "ambiguous 3");
    check("a|new|z", "a => a|new", "applied at 1");
    check("a|x|x|z", "a|x|x => a|x", "exact exact 2-3:");
}

/// The edit lost a line between what it removes and what it leaves.
#[test]
fn a_deletion_is_not_taken_for_made_where_its_lines_are_still_there() {
    let edit = "fn end()|// error|int error();|// address|int address(); => fn end()|// address|int address();";
    check(
        "fn end()|// error|int error();|/*|// address|int address();",
        edit,
        "similar doubtful Foreign 1-3:",
    );
    check("fn end()|// address|int address();", edit, "applied at 1");
}

/// The edit lost a line of its place, and its twin has a line more: neither is nearer, whatever the words of these lines are.
#[test]
fn places_that_lack_as_many_lines_are_rivals() {
    let lines = |open: &str, extra: &str| {
        let head = "begin(request)|check(session)|banner(site)";
        format!("{head}|{open}|if bad {{|{extra}fail|}}|hide()|log(address)|finish(request)")
    };
    let edit = format!(
        "{} => {}",
        lines("open(port)", ""),
        lines("listen(port)", "")
    );
    let twin = lines("open(port)", "unlock()|");
    check(&twin, &edit, "similar fuzzy 3-4:listen(port)");
    let more = "check(session)|if configuration_of_security_is_absent {";
    let target = lines("open(port)", "").replace("check(session)", more);
    check(&format!("{target}|{twin}"), &edit, "ambiguous 1 12");
}

#[test]
fn overlapping_places_are_ambiguous() {
    check("a|a|a", "a|a => b", "ambiguous 1 2");
}

#[test]
fn one_line_that_was_changed_is_known_by_its_likeness() {
    check("log(done)|x", "log(f done) => log(done)", "applied at 1");
    check("y|x", "log(f done) => y", "not found, near");
}

#[test]
fn lines_that_were_not_removed_are_not_taken_for_removed() {
    check(
        "cut here|use input|end",
        "cut here|use inptu|end => use input|end",
        "ambiguous 2",
    );
}

#[test]
fn a_line_that_its_scope_has_once_is_not_added_again_unasked() {
    let edit = "    name: main =>     port: 80|    name: main";
    check(
        "web:|    port: 80|    host: a|    name: main",
        edit,
        "exact doubtful Repeats 3-3:    port: 80",
    );
    check(
        "import (|    \"fmt\"|    \"os\"|)",
        "    \"os\"|) =>     \"os\"|    \"fmt\"|)",
        "exact doubtful Repeats 3-3:    \"fmt\"",
    );
    // A letter or a number says too little.
    check("x|1|b", "b => x|b", "exact exact 2-2:x");
    // In another mapping, and where the file repeats it, it may well be new.
    check(
        "db:|    port: 80|web:|    host: a|    name: main",
        edit,
        "exact exact 4-4:    port: 80",
    );
    check(
        "web:|    port: 80|    host: a|    port: 80|    path: b|    name: main",
        edit,
        "exact exact 5-5:    port: 80",
    );
}

#[test]
fn a_similar_block_at_the_indentation_of_the_edit_is_a_rival() {
    // The target was renamed; its twin is one level further out.
    check(
        "  content {|    max = limit.max|  }|    content {|      max = limit_next.max|    }",
        "    content {|      max = limit.max|    } =>     content {|      max = 2|    }",
        "indent doubtful Rival 1-2:    max = 2",
    );
    // A single line elsewhere is none.
    check(
        "  content {|    max = limit.max|  }|x|    content {|y",
        "    content {|      max = limit.max|    } =>     content {|      max = 2|    }",
        "indent safe 1-2:    max = 2",
    );
}

#[test]
fn a_result_that_shares_one_line_with_a_match_elsewhere_is_not_hidden_by_it() {
    check(
        "a|new|a|b|a|z|b|a",
        "a|z||b|a => a|new|a|b|a",
        "blank-lines doubtful Done 5-6:new|a",
    );
}

/// One of the two blank lines is missing, and nothing tells which one: the removed one, or the one that stays.
#[test]
fn a_blank_line_of_a_change_that_is_missing_is_asked_about() {
    check(
        "tags = merge(|  own_tags,|)|life {|  ignore = [routes]|}|end",
        "tags = merge(|  own_tags,|)||life {|  ignore = [routes]|}| => tags = merge(|  own_tags,|)|",
        "similar doubtful Foreign 3-6:",
    );
}

/// The lines that a deletion leaves are in its twin as well, beside a line that resembles the removed one.
#[test]
fn a_deletion_is_not_made_where_its_line_has_another_word() {
    let check = |beside: &str, expected| {
        check(
            &format!("x = 1|{beside}|fn arg_method(self, arg) {{|  return arg * 10;|}}|y = 2"),
            "#[hook(first, plugin = two)]|fn arg_method(self, arg) {|  return arg * 10;|} => fn arg_method(self, arg) {|  return arg * 10;|}",
            expected,
        );
    };
    check(
        "#[hook(first, plugin = one)]",
        "similar doubtful Changed 1-2:",
    );
    check("#[test]", "applied at 3");
}

/// The words of lines that only the file has say nothing about the edit.
#[test]
fn extra_lines_of_the_file_are_counted_and_not_weighed() {
    check(
        "start(server)|bind(socket)|accept(client)|trace(alpha, beta, gamma)|listen(port)|retry = 10|stop(server)|close(socket)",
        "start(server)|bind(socket)|accept(client)|listen(port)|retry = 10|stop(server)|close(socket) => start(server)|bind(socket)|accept(client)|listen(port)|retry = 20|stop(server)|close(socket)",
        "similar fuzzy 5-6:retry = 20",
    );
}
