//! What the stream and the plan show as things go on.

use std::time::Duration;

use crate::script::Script;
use countersign::review::Row;
use countersign::ui::SessionChange;
use countersign::ui::services::check::{CheckEnd, CheckNews, CheckState, Checking, Undecided};

use crate::fixture::{Batch, sample};

#[test]
fn a_fold_opens_by_steps() {
    let lines: Vec<String> = (0..100).map(|n| format!("line {n}\n")).collect();
    let base = lines.concat();
    let session = Batch::new("")
        .modify("a", &base, &[("line 50", "LINE")])
        .session();
    let mut script = Script::new(session, 80, 24);
    let folded = |script: &Script| -> Vec<usize> {
        let rows = (0..script.app.stream.rows.len()).map(|row| script.app.stream.rows.get(row));
        let folds = rows.filter_map(|row| {
            let Some(Row::Fold { start, end, .. }) = row else {
                return None;
            };
            Some(end - start)
        });
        folds.collect()
    };
    assert_eq!(folded(&script), [47, 46]);
    script.press("g g j +");
    assert_eq!(
        folded(&script),
        [37, 46],
        "the file's start is far from the change"
    );
    script.press("G +");
    assert_eq!(folded(&script), [37, 36]);
}

#[test]
fn one_file_is_shown_until_something_leads_to_another() {
    let session = Batch::new("")
        .modify("one.rs", "a\nb\nc\n", &[("b", "B")])
        .modify("two.rs", "a\nb\nneedle\n", &[("b", "BB")])
        .create("three.rs", "new\n")
        .session();
    let mut script = Script::new(session, 80, 24);
    script.press("o");
    // Keys, and the only file that is to be seen after them.
    for (keys, seen) in [
        ("j", "one"),
        ("G", "one"),
        ("C-f C-d", "one"),
        ("2 0 j", "one"),
        ("g g k", "one"),
        ("}", "two"),
        ("G g g", "two"),
        ("Tab Tab", "three"),
        ("j C-f", "three"),
        ("S-Tab", "two"),
        ("{ {", "one"),
        ("/ <needle> Enter", "two"),
        ("Esc a", "three"),
        ("u", "two"),
        ("t g g Enter", "one"),
        ("v G", "one"),
        ("r", "one"),
    ] {
        script.press(keys);
        let screen = script.screen();
        let found: Vec<&str> = ["one", "two", "three"]
            .into_iter()
            .filter(|name| screen.contains(&format!("{name}.rs")))
            .collect();
        assert_eq!(found, [seen], "{keys}\n{screen}");
    }
    script.press("o");
    let screen = script.screen();
    assert!(screen.contains("three.rs"), "{screen}");
}

#[test]
fn moved_lines_say_so_until_they_are_others() {
    let body = "    let total = price * count;\n    let rebate = total / 10;\n";
    let old = format!("fn old() {{\n{body}}}\n");
    let new = format!("fn new() {{\n{body}}}");
    let session = Batch::new("")
        .modify("a.rs", &old, &[(body.trim_end_matches('\n'), "    todo()")])
        .create("b.rs", &new)
        .session();
    let mut script = Script::new(session, 100, 30);
    let screen = script.screen();
    assert_eq!(screen.matches("−◂").count(), 2, "{screen}");
    assert_eq!(screen.matches("+▸").count(), 2, "{screen}");
    assert!(
        !screen.contains("+▸}"),
        "a bracket is never moved\n{screen}"
    );
    script.press("} j j j");
    assert!(
        script.screen().contains("moved from a.rs, line 2"),
        "{}",
        script.screen()
    );
    script.press("{ { j j j");
    assert!(
        script.screen().contains("moved to b.rs, hunk 1"),
        "{}",
        script.screen()
    );
    // Edited lines are not those that went; undone, they are again.
    script.press("} ] i M-a <x> Esc");
    let screen = script.screen();
    assert!(!screen.contains('◂'), "{screen}");
    script.press("u");
    assert_eq!(
        script.screen().matches('◂').count(),
        2,
        "{}",
        script.screen()
    );
}

#[test]
fn a_heading_says_what_a_hunk_is_made_of() {
    #[track_caller]
    fn check(base: &str, hunks: &[(&str, &str)], expected: &str) {
        let session = Batch::new("").modify("a.rs", base, hunks).session();
        let mut script = Script::new(session, 100, 30);
        script.wait_for_colours();
        let screen = script.screen();
        let headings = screen
            .lines()
            .filter_map(|line| line.split_once("· ── hunk "));
        let kinds = headings.map(|(_, heading)| heading.split(" · ").nth(2).unwrap_or_default());
        let kinds: Vec<&str> = kinds
            .map(|kind| kind.trim_end_matches([' ', '─']))
            .collect();
        assert_eq!(kinds.join(" | "), expected, "{screen}");
    }
    let whitespace = "only whitespace";
    check("f(a,b)\n", &[("f(a,b)", "    f(a, b)")], whitespace);
    check(
        "f(a,b)\ng()\n",
        &[("f(a,b)", "f(\n    a,\n    b\n)")],
        "only whitespace and line breaks",
    );
    check(
        "f();\ng();\n",
        &[("f();\ng();", "f();\n\n\ng();")],
        whitespace,
    );
    check("f(a,b)\n", &[("f(a,b)", "f(a,c)")], "");
    // Lines that are swapped around another one.
    check(
        "a();\nb();\nc();\n",
        &[("a();\nb();\nc();", "b();\na();\nc();")],
        "",
    );
    let comments = "only comments";
    check(
        "// a\nf();\n",
        &[("// a\nf();", "// b\n\n// c\nf();")],
        comments,
    );
    check("/* a\nb\n*/\n", &[("b", "c")], comments);
    check("f();\n", &[("f();", "// f();")], "");
    check("f();\n", &[("f();", "f(); // why")], "");
    check("let a = \"\n// a\n\";\n", &[("// a", "// b")], "");
    let line = "    let total = price_of_one * count;";
    let other = "    let rebate = total / 10;\n}";
    let base = format!("{line}\n{other}\nf();\ng();\nh();\n");
    let end = |lines: &str| format!("h();\n{lines}");
    let both = format!("{line}\n{other}");
    check(
        &base,
        &[(&format!("{both}\nf();"), "f();"), ("h();", &end(&both))],
        "only moved lines | only moved lines",
    );
    let deeper = both.replace("    ", "        ").replace('}', "    }");
    check(
        &base,
        &[(&format!("{both}\nf();"), "f();"), ("h();", &end(&deeper))],
        "only moved lines, indented otherwise | only moved lines, indented otherwise",
    );
    // A brace more is no moved line.
    let changed = format!("{line}\n}}");
    check(
        &base,
        &[
            (&format!("{line}\n{other}\nf();"), "f();"),
            ("h();", &end(&changed)),
        ],
        " | 1 of 2 lines moved",
    );
}

#[test]
fn files_that_the_agent_does_not_name_are_marked() {
    #[track_caller]
    fn check(prose: &str, width: u16, expected: &[&str], plan: &str) {
        let batch = Batch::new(prose).modify("src/a.rs", "a\n", &[("a", "if b + 1 > 2 {")]);
        let session = batch.modify("src/b.rs", "a\n", &[("a", "b")]).session();
        let mut script = Script::new(session, width, 24);
        let screen = script.screen();
        let headings = screen
            .lines()
            .skip(2)
            .filter_map(|line| line.split_once(".rs  +1 −1"));
        let remarks: Vec<&str> = headings.map(|(_, remark)| remark.trim()).collect();
        assert_eq!(remarks, expected, "{screen}");
        for key in ["!", "q"] {
            script.press(key);
            let screen = script.screen();
            let words = "named by the agent, but not changed: ";
            let named = screen.lines().find_map(|line| line.split_once(words));
            let named = named.map_or("", |(_, names)| names.trim_end_matches(['│', ' ']));
            assert_eq!(named, plan, "{screen}");
            script.press("Esc");
        }
    }
    let unnamed = "· not named by the agent";
    check("Makes b faster", 120, &["", ""], "");
    check("Changes a.rs and src/b.rs.", 120, &["", ""], "");
    check("Changes a.rs.", 120, &["", unnamed], "");
    check("Changes c.rs, too.", 120, &["", ""], "c.rs");
    check(
        "a.rs, 1.rs 2.rs 3.rs 4.rs 5.rs 6.rs",
        120,
        &["", unnamed],
        "1.rs, 2.rs, 3.rs, 4.rs and 2 more",
    );
    check(
        "1.rs 2.rs 3.rs 4.rs",
        120,
        &["", ""],
        "1.rs, 2.rs, 3.rs, 4.rs",
    );
}

#[test]
fn an_empty_batch_is_a_screen_too() {
    let mut script = Script::new(Batch::new("nothing").session(), 80, 24);
    script.press("o j k a r x Space i e c v Esc t j Esc / <x> Enter g a u ] } Tab G z a w | q");
    assert!(script.screen().contains("Finish"));
}

#[test]
fn wrapped_lines_are_seen_whole() {
    let mut script = Script::new(sample(), 60, 40);
    script.press("3 ] w");
    let screen = script.screen();
    let words = screen.split_whitespace().filter(|word| *word != "↳");
    let letters: String = words.collect();
    assert!(letters.contains("withoutourhavingbeentold"), "{screen}");
    script
        .resize(160, 50)
        .resize(40, 12)
        .press("G g g C-f C-f C-b");
}

#[test]
fn what_a_check_says_is_told_in_the_plan() {
    let mut script = Script::new(sample(), 100, 60);
    script.app.check = Some(Checking::new("make".to_owned(), Undecided::LeftOut));
    script.press("!");
    let news = |what| CheckNews { run: 1, what };
    for line in ["one thing", "another"] {
        script.checked(news(CheckState::Runs(line.to_owned())));
    }
    let screen = script.screen();
    assert!(screen.contains("  another"), "{screen}");
    assert!(!screen.contains("one thing"), "{screen}");
    script.checked(news(CheckState::Ended {
        how: CheckEnd::Failed(Some(2)),
        took: Duration::ZERO,
        tail: vec!["what".to_owned(), "why".to_owned()],
    }));
    let told = script.screen();
    assert!(told.contains("failed with exit code 2"), "{told}");
    script.press("Esc !");
    assert_eq!(script.screen(), told, "as if written anew");
}

#[test]
fn a_heading_names_the_definitions_around_new_lines() {
    let base = "mod m {\n    impl A {\n        fn f() {\n            one();\n        }\n    }\n}\n";
    let session = Batch::new("")
        .modify(
            "a.rs",
            base,
            &[(
                "            one();",
                "            one();\n            two();",
            )],
        )
        .session();
    let mut script = Script::new(session, 100, 24);
    let screen = script.screen();
    assert!(screen.contains("in impl A ▸ fn f()"), "{screen}");
    // An edit may change where the hunk begins.
    script.press("i Up M-d <x> Esc");
    let screen = script.screen();
    assert!(screen.contains("in impl A ▸ fn f()"), "{screen}");
}

#[test]
fn a_heading_names_lines_that_look_the_same() {
    let heading = |new: &str| {
        let old = "let naïve = scope;\nlet other = 1;\n";
        let session = Batch::new("").modify("a.rs", old, &[(old, new)]).session();
        let screen = Script::new(session, 120, 20).screen();
        let line = screen.lines().find(|line| line.contains("hunk 1/1 · line"));
        line.unwrap_or_default().to_owned()
    };
    let decomposed = heading("let nai\u{308}ve = scope;\nlet other = 1;\n");
    let words = "· differs only in characters that look the same";
    assert!(decomposed.contains(words), "{decomposed}");
    let among_others = heading("let naïve = s\u{441}ope;\nlet other = 2;\n");
    let words = "· 1 line differs only in characters that look the same";
    assert!(among_others.contains(words), "{among_others}");
    let none = heading("let naïve = scape;\nlet other = 1;\n");
    assert!(!none.contains("look the same"), "{none}");
}

#[test]
fn the_legend_explains_characters_that_are_shown_by_a_sign_or_a_number() {
    let mut script = Script::new(sample(), 120, 20);
    script.press("? / <not visible> Enter");
    let screen = script.screen();
    assert!(screen.contains("<200B>"), "{screen}");
    script.press("/ <not a space> Enter");
    let screen = script.screen();
    assert!(screen.contains("␣"), "{screen}");
}

#[test]
fn a_message_hides_no_keys_and_is_read_on_a_narrow_screen() {
    let long =
        "claude, src/lib.rs and 2 more: 3 hunks applied, 1 rejected; 1 thread is not resolved: t12";
    let check = |width: u16, keys: &str, rows: &[&str]| {
        let mut script = Script::new(sample(), width, 12);
        script.press(keys);
        script.change(SessionChange::Said(long.to_owned()));
        let screen = script.screen();
        let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
        assert_eq!(lines[12 - rows.len()..], *rows, "{screen}");
    };
    check(
        40,
        "",
        &[
            " claude, src/lib.rs and 2 more: 3 hunks",
            " applied, 1 rejected; 1 thread is not",
            " resolved: t12",
            " a accept  r reject  q finish  ? help",
        ],
    );
    let whole = format!(" {long}   q finish  ? help");
    check(115, "", &[whole.as_str()]);
    // What it covers was not shown.
    let question = |message: Option<&str>| {
        let mut script = Script::new(sample(), 40, 12);
        if let Some(text) = message {
            script.change(SessionChange::Said(text.to_owned()));
        }
        script.screen();
        script.press("g a").screen()
    };
    assert!(question(Some(long)).contains("never shown"));
    assert_ne!(question(Some(long)), question(None));
}
