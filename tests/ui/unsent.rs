//! Texts that were typed into a box and not sent.

use countersign::ui::Ending;

use crate::fixture::Batch;
use crate::script::Script;

fn script() -> Script {
    let text = "one\ntwo\nthree\n";
    let batch = Batch::new("").modify("a.txt", text, &[("one", "1")]);
    let batch = batch.modify("b.txt", text, &[("two", "2")]);
    Script::new(batch.session(), 100, 30)
}

#[test]
fn a_box_that_is_left_keeps_its_text_for_the_next_time() {
    for leave in ["Esc", "C-c"] {
        let mut script = script();
        script.press("c <half a thought>").press(leave);
        let screen = script.screen();
        let words = "not sent: the same key opens the text again";
        assert!(screen.contains(words), "{screen}");
        // Another hunk has another box.
        let screen = script.press("Tab c").screen();
        assert!(!screen.contains("half a thought"), "{screen}");
        let screen = script.press("Esc S-Tab c").screen();
        assert!(screen.contains("half a thought"), "{screen}");
        script.press("< and more> Enter");
        let said = script.app.session.files[0].hunks[0]
            .state
            .comment
            .as_deref();
        assert_eq!(said, Some("half a thought and more"));
        let screen = script.press("q").screen();
        assert!(!screen.contains("not sent"), "{screen}");
    }
}

#[test]
fn a_text_that_was_not_sent_is_counted_at_the_end() {
    let mut script = script();
    script.screen();
    script.press("C <about the file> Esc a a q");
    assert_eq!(script.ending(), None::<Ending>);
    let screen = script.screen();
    assert!(screen.contains("1 draft not sent"), "{screen}");
    // An emptied box keeps nothing.
    script.press("Esc g g C C-u Esc q");
    assert_eq!(script.ending(), Some(Ending::Write));
}
