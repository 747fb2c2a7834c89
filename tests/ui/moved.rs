//! Moved blocks, of which only what differs inside is shown.

use std::fmt::Write as _;

use countersign::review::ReviewSession;

use crate::fixture::Batch;
use crate::script::Script;

/// A function of 22 lines, in which the lines of these numbers are other ones.
fn function(changed: &[usize]) -> String {
    let mut text = "fn settle(order: &Order) {\n".to_owned();
    for n in 1..=20 {
        let word = if changed.contains(&n) {
            "after"
        } else {
            "before"
        };
        writeln!(text, "    step_{n}(order, {word}_payment);").expect("a text grows");
    }
    text + "}\n"
}

/// The function moves from one file to another and is changed in two lines.
fn moves() -> ReviewSession {
    let old = format!("use order;\n\n{}\nfn keep() {{}}\n", function(&[]));
    Batch::new("")
        .modify("from.rs", &old, &[(function(&[]).trim_end(), "// gone")])
        .create("to.rs", function(&[7, 14]).trim_end())
        .session()
}

#[test]
fn a_moved_block_shows_its_first_and_last_lines_and_what_differs_inside() {
    let mut script = Script::new(moves(), 100, 50);
    let screen = script.screen();
    let shown = |word: &str| {
        let lines = screen.lines().filter(|line| line.contains(word));
        let steps = lines.filter_map(|line| line.split_once("step_")?.1.split_once('('));
        steps.map(|(step, _)| step).collect::<Vec<&str>>()
    };
    assert_eq!(shown("after_payment"), ["7", "14"], "{screen}");
    // Next to each edit, and at the ends of the parts that are the same.
    let around = ["6", "8", "13", "15"];
    let seen: Vec<&str> = shown("before_payment");
    assert!(around.iter().all(|step| seen.contains(step)), "{screen}");
    assert!(!seen.contains(&"3"), "{screen}");
    for fold in [
        "⋯ 5 lines moved from from.rs, line 4, unchanged",
        "⋯ 4 lines moved from from.rs, line 12, unchanged",
        "⋯ 5 lines moved from from.rs, line 19, unchanged",
        "⋯ 4 lines moved to to.rs, hunk 1, unchanged",
    ] {
        assert!(screen.contains(fold), "{fold}\n{screen}");
    }
    script.press("/ <after_payment> Enter j k");
    let screen = script.screen();
    let words = "moved from from.rs, line 10 and changed: `step_7(order, before_payment);` there";
    assert!(screen.contains(words), "{screen}");
}

/// The function moves from one file to another, where it is these lines among others.
fn moves_as(there: &str) -> Script {
    let old = format!("use order;\n\n{}\nfn keep() {{}}\n", function(&[]));
    let session = Batch::new("")
        .modify("from.rs", &old, &[(function(&[]).trim_end(), "// gone")])
        .create("to.rs", there)
        .session();
    Script::new(session, 110, 60)
}

#[test]
fn a_moved_block_with_another_indentation_is_folded_and_says_so() {
    let text = function(&[]).trim_end().replace('\n', "\n    ");
    let mut script = moves_as(&format!("impl Order {{\n    {text}\n}}\n"));
    let screen = script.screen();
    assert!(!screen.contains("step_3("), "{screen}");
    let fold = "⋯ 20 lines moved from from.rs, line 4, indented otherwise";
    assert!(screen.contains(fold), "{screen}");
    let heading = "22 of 24 lines moved, indented otherwise";
    assert!(screen.contains(heading), "{screen}");
    // Not by the same blanks in each line: tabs for blanks.
    let tabs = function(&[]).trim_end().replace("    step", "\tstep");
    let screen = moves_as(&tabs.replace('\n', "\n   ")).screen();
    assert!(screen.contains("step_3("), "{screen}");
}

#[test]
fn a_fold_of_moved_lines_opens_and_is_decided_with_its_hunk() {
    let mut script = Script::new(moves(), 100, 60);
    script.screen();
    script.press("/ <step_3\\b> Enter");
    let screen = script.screen();
    assert!(screen.contains("step_3("), "{screen}");
    script.press("z M g g } j j j");
    let screen = script.screen();
    assert!(screen.contains("⋯ 5 lines moved"), "{screen}");
    script.press("Enter");
    let opened = script.screen();
    let folds = |screen: &str| screen.matches("⋯ ").count();
    assert_eq!(folds(&opened) + 1, folds(&screen), "{opened}");
    script.press("z R");
    let all = script.screen();
    assert_eq!(folds(&all), 3, "one file is open\n{opened}\n{all}");
    script.press("z M g g } j j v G a");
    let file = &script.app.session.files[1];
    assert!(file.hunks[0].is_decided(), "{}", script.screen());
}

#[test]
fn lines_in_wrong_pairs_are_laid_out_apart() {
    let session = Batch::new("")
        .modify("a.rs", "one\ntwo\n", &[("one\ntwo", "uno\ndos")])
        .session();
    let mut script = Script::new(session, 120, 20);
    let rows = |screen: &str| {
        let words = ["one", "two", "uno", "dos"];
        let rows = words.map(|word| screen.lines().position(|line| line.contains(word)));
        rows.map(|row| row.unwrap_or(usize::MAX))
    };
    let [one, two, uno, dos] = rows(&script.screen());
    assert_eq!((one, two), (uno, dos), "{}", script.screen());
    script.press("] j z p");
    let [one, two, uno, dos] = rows(&script.screen());
    assert!(one < two && two < uno && uno < dos, "{}", script.screen());
    script.press("z p");
    let [one, _, uno, _] = rows(&script.screen());
    assert_eq!(one, uno, "{}", script.screen());
}
