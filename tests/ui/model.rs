//! The apply model is asked, and answers while the person goes on.

use std::time::Duration;

use crate::script::Script;
use countersign::proposal::{Body, Hunk, InputSpan};
use countersign::text::LineNo;
use countersign::ui::action::Effect;
use countersign::ui::state::mode::Mode;
use countersign::ui::{ModelAnswer, ModelNews, ModelState, Task};
use insta::assert_snapshot;

use crate::fixture::{Batch, sample};

/// The sample, on the hunk that has no place.
fn script() -> Script {
    let mut script = Script::new(sample(), 100, 20);
    script.app.model = Some(ModelState::new("models.example".to_owned()));
    script.press(")");
    script
}

/// What makes the file of that hunk read otherwise.
fn placed(number: u64) -> ModelNews {
    let body = Body {
        preimage: vec!["fn main() {}".to_owned()],
        postimage: vec!["fn main() {}".to_owned(), "fn here() {}".to_owned()],
    };
    let hunk = Hunk {
        hint: LineNo::new(1),
        ..Hunk::new(body, InputSpan::of(0..1))
    };
    ModelNews {
        number,
        answer: Ok(ModelAnswer::Hunk(Box::new(hunk))),
    }
}

fn notice(script: &Script) -> &str {
    (script.app.notice.as_ref()).map_or("", |notice| notice.text.as_str())
}

fn last_line(script: &mut Script) -> String {
    script
        .screen()
        .lines()
        .last()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn a_hunk_without_a_place_is_asked_about_and_placed_while_the_person_goes_on() {
    let mut script = script();
    assert!(last_line(&mut script).contains("M ask the model"));
    script.press("M");
    assert_eq!(script.effects(), [Effect::AskModel]);
    script.wait(Duration::from_secs(2));
    let line = last_line(&mut script);
    assert!(
        line.ends_with("asking models.example, 2 s: Esc cancels"),
        "{line}"
    );
    assert!(!line.contains("M ask"), "{line}");
    script.resize(40, 12);
    let narrow = last_line(&mut script);
    assert!(narrow.ends_with("asking, 2 s"), "{narrow}");
    script.resize(100, 20).press("M");
    assert_eq!(
        notice(&script),
        "one question at a time: Esc cancels the open one"
    );
    // A comment that is being written is not disturbed.
    script.press("c <wh>");
    script.answer(placed(1));
    assert!(script.app.session.files[3].hunks[0].placement().is_none());
    script.press("<y> Enter");
    assert!(script.app.session.files[3].hunks[0].is_by_model());
    assert!(script.app.stream.hunk().is_some_and(|id| id.file == 3));
    assert_snapshot!(script.screen());
    script.press("u");
    assert!(
        script
            .app
            .session
            .question(script.app.stream.hunk().expect("a hunk"))
            .is_some()
    );
}

#[test]
fn what_is_given_up_or_fails_changes_nothing() {
    let mut script = script();
    script.press("M Esc");
    assert_eq!(script.effects(), [Effect::AskModel, Effect::GiveUpModel]);
    script.answer(placed(1));
    assert_eq!(
        notice(&script),
        "the question to the apply model is cancelled"
    );
    script.press("M");
    let answer = Err("it is asleep; wake it".to_owned());
    script.answer(ModelNews { number: 2, answer });
    assert_eq!(notice(&script), "tests/api.rs: it is asleep; wake it");
    script.press("M m Enter");
    script.answer(placed(3));
    assert!(
        notice(&script).contains("has its place by now"),
        "{}",
        notice(&script)
    );
    assert!(script.app.session.files[3].hunks[0].is_by_hand());
    script.press("a");
    assert!(script.app.session.files[3].hunks[0].is_by_hand());
}

#[test]
fn lines_are_changed_as_the_person_says() {
    let mut script = script();
    script.press("| | g g } ] ] j j j v M");
    assert!(matches!(script.app.mode, Mode::Prompt(_)));
    assert_snapshot!(script.screen());
    script.press("<call it twice> Enter");
    assert_eq!(script.effects(), [Effect::AskModel]);
    let open = script
        .app
        .model
        .as_ref()
        .and_then(|model| model.open.as_ref());
    let (lines, said) = match open.map(|(inquiry, _)| &inquiry.task) {
        Some(Task::Draft { lines, instruction }) => (lines.clone(), instruction.clone()),
        other => panic!("{other:?}"),
    };
    assert_eq!((lines, said.as_str()), (12..13, "call it twice"));
    let answer = Ok(ModelAnswer::Lines(vec!["        twice();".to_owned()]));
    script.answer(ModelNews { number: 1, answer });
    assert_eq!(
        notice(&script),
        "src/client.rs:12: the apply model has changed your lines: look at it, a accepts it, u takes it back"
    );
    let hunk = &script.app.session.files[1].hunks[1];
    assert!(hunk.state.edited);
    assert!(
        script.app.session.files[1]
            .yours()
            .text()
            .contains("twice();\n")
    );
    script.press("g g M");
    assert_eq!(notice(&script), "nothing here to ask the apply model about");
}

#[test]
fn without_a_model_nothing_is_asked() {
    let session = Batch::new("").modify("one", "a\n", &[("b", "c")]).session();
    let mut script = Script::new(session, 100, 10);
    assert!(!last_line(&mut script).contains("M ask"));
    script.press("M");
    assert!(
        notice(&script).contains("set `model.endpoint`"),
        "{}",
        notice(&script)
    );
    assert!(script.effects().is_empty());
}
