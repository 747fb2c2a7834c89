//! Edits of proposed lines: in place, and in the editor outside.

use crate::script::Script;
use countersign::review::{Decision, HunkId, Side, Target};
use countersign::ui::services::external_editor::EditorError;
use countersign::ui::state::mode::Mode;

use crate::fixture::{Batch, sample};
use crate::flows::text;

#[test]
fn an_edit_is_followed_by_the_diff() {
    let mut script = Script::new(sample(), 160, 30);
    script.press("j i PgDn Home C-k <serde_json = \"1\"> Esc");
    let screen = script.screen();
    assert!(screen.contains("+ serde_json = \"1\""), "{screen}");
    assert!(screen.contains("✎ edited"), "{screen}");
    script.press("u");
    assert!(script.screen().contains("+ backoff = \"0.4\""));
}

#[test]
fn an_edit_begins_where_the_cursor_is() {
    let mut script = Script::new(sample(), 160, 40);
    script.press("i <x>");
    assert!(text(&script).contains("\nxbackoff"), "{}", text(&script));
    script.press("C-c y ] ] j j j i <x>");
    assert!(
        text(&script).contains("        xlet name"),
        "{}",
        text(&script)
    );
}

#[test]
fn an_edit_reaches_as_far_as_lines_are_shown() {
    let mut script = Script::new(sample(), 160, 40);
    script.press("z R j i");
    assert!(text(&script).starts_with("[package]"), "{}", text(&script));
}

#[test]
fn everything_can_be_deleted_in_an_edit() {
    let mut script = Script::new(sample(), 160, 30);
    script.press("j i M-a Backspace").screen();
    script.press("Esc u");
    assert!(script.screen().contains("+ backoff = \"0.4\""));
}

#[test]
fn a_hunk_that_is_edited_away_can_be_edited_again() {
    let mut script = Script::new(sample(), 160, 30);
    script.press("j i PgDn Home C-k Backspace");
    let screen = script.screen();
    assert!(screen.contains("[dependencies]"), "{screen}");
    script.press("Esc");
    let screen = script.screen();
    assert!(
        screen.contains("hunk 1/1") && !screen.contains("+ backoff"),
        "{screen}"
    );
    script.press("a");
    assert!(script.screen().contains("nothing is left of this hunk"));
    script.press("i C-End Enter <more = 1> Esc");
    assert!(script.screen().contains("+ more = 1"));
    script.press("g =");
    assert!(script.screen().contains("+ backoff"));
}

#[test]
fn what_the_editor_leaves_becomes_an_edit() {
    let mut script = Script::new(sample(), 160, 30);
    script.press("e").end_editor(Ok(
        "[package]\nname = \"client\"\nversion = \"0.2.0\"\n\n[dependencies]\nserde = \"1\"\n"
            .to_owned()
            .into(),
    ));
    let screen = script.screen();
    assert!(screen.contains("+ version = \"0.2.0\""), "{screen}");
    assert!(!screen.contains("+ backoff"), "{screen}");
}

#[test]
fn what_the_editor_changes_goes_to_the_hunks_that_it_is_near() {
    let mut script = Script::new(sample(), 160, 60);
    let text = script.app.session.files[1].yours().text().to_owned();
    let text = text
        .replace("retries: u32,", "retries: u64,")
        .replace("is_stale()", "is_old()");
    script.press("] e").end_editor(Ok(text.into()));
    let edited: Vec<bool> = script.app.session.files[1]
        .hunks
        .iter()
        .map(|hunk| hunk.state.edited)
        .collect();
    assert_eq!(edited, [true, false, true]);
    let screen = script.screen();
    assert!(
        screen.contains("+     retries: u64,") && screen.contains("is_old()"),
        "{screen}"
    );
    script.press("u u");
    assert!(
        script.app.session.files[1]
            .yours()
            .text()
            .contains("is_stale()")
    );
}

#[test]
fn an_editor_that_fails_changes_nothing() {
    let mut script = Script::new(sample(), 160, 30);
    script
        .press("e")
        .end_editor(Err(EditorError::Failed("vi".into())));
    assert!(script.screen().contains("`vi` failed"));
    assert!(!script.app.session.files[0].hunks[0].state.edited);
}

#[test]
fn a_line_too_long_to_be_edited_is_left_to_another_editor() {
    let long = "x".repeat(70_000);
    let edit = [("short", "a line"), (long.as_str(), "another")];
    let batch = Batch::new("").modify("a.txt", &format!("short\n{long}\n"), &edit[..1]);
    let mut script = Script::new(batch.session(), 140, 20);
    let screen = script.press("i").screen();
    let words = "line 2 has more than 65535 characters, too many to edit in place: e opens it";
    assert!(screen.contains(words), "{screen}");
    assert!(matches!(script.app.mode, Mode::Review));
}

#[test]
fn no_line_grows_too_long_to_be_edited() {
    let mut script = Script::new(sample(), 160, 30);
    script.press("j i PgDn End");
    let before = text(&script);
    script.paste(&"x".repeat(65_000));
    assert_eq!(text(&script).len(), before.len() + 65_000);
    let screen = script.paste(&"y".repeat(1_000)).screen();
    let words = "nothing was changed: no more than 65535 lines, and characters in a line";
    assert!(screen.contains(words), "{screen}");
    assert_eq!(text(&script).len(), before.len() + 65_000);
    script.press("C-u");
    assert_eq!(text(&script), before);
    script.paste(&"y\n".repeat(70_000));
    assert_eq!(text(&script), before);
}

#[test]
fn an_edit_that_is_not_accepted_is_not_dropped_without_a_word() {
    let mut script = Script::new(sample(), 160, 30);
    script.press("j i PgDn Home C-k <serde_json = \"1\"> Esc Z Z");
    let screen = script.screen();
    let dropped = "your edit of hunk 1 in Cargo.toml is not accepted: its text would be";
    assert!(screen.contains(dropped), "{screen}");
    assert!(screen.contains("a accept edits"), "{screen}");
    script.press("a");
    let screen = script.screen();
    assert!(
        screen.contains("1 accepted: will be written") && !screen.contains("accept edits"),
        "{screen}"
    );
    script.press("q u");
    assert!(script.screen().contains("undone: decision about"));
    script.press("a q");
    let screen = script.screen();
    assert!(!screen.contains("would be dropped"), "{screen}");
}

#[test]
fn the_lines_of_an_edit_that_are_decided_stay_so_where_the_others_are_accepted() {
    let mut session = sample();
    let id = HunkId { file: 0, hunk: 0 };
    let region = session.begin_edit(id, 0).unwrap();
    let lines = ["one".to_owned(), "two".to_owned()];
    session.edit(&region, &lines);
    session.finish_edit();
    let rejected = Target::Lines {
        hunk: id,
        lines: 0..1,
        side: Side::New,
    };
    session.decide(&rejected, Decision::Rejected);
    assert_eq!(session.dropped_edits().collect::<Vec<_>>(), [id]);
    assert!(session.accept_dropped_edits());
    let hunk = session.hunk(id).unwrap();
    assert_eq!(hunk.state.marks[0].added, Decision::Rejected);
    assert!(!hunk.has_decision(Decision::Undecided));
    assert_eq!(session.dropped_edits().count(), 0);
}
