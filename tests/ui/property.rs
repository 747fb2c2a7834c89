//! Whatever is pressed: nothing panics, nothing is written by accident, and everything can be taken back.

use countersign::review::{Decision, Direction, ReviewSession};
use countersign::ui::Ending;
use countersign::ui::action::Mouse;
use countersign::ui::chord::{Chord, parse_sequence};
use countersign::ui::keymap::KEYS;
use countersign::ui::mode::Mode;
use countersign::ui::script::Script;
use proptest::prelude::*;

use crate::fixture::sample;

/// One thing that a person may do.
#[derive(Debug, Clone)]
enum Deed {
    Keys(&'static str),
    Type(char),
    Mouse(Mouse, u16, u16),
    Resize(u16, u16),
    Paste(&'static str),
}

fn deed() -> impl Strategy<Value = Deed> {
    let keys: Vec<&'static str> = KEYS
        .iter()
        .flat_map(|binding| binding.keys.iter().copied())
        .collect();
    let mouse = prop_oneof![
        Just(Mouse::Press),
        Just(Mouse::Drag),
        Just(Mouse::Wheel(3)),
        Just(Mouse::Wheel(-3))
    ];
    prop_oneof![
        12 => proptest::sample::select(keys).prop_map(Deed::Keys),
        3 => proptest::sample::select(vec!['a', 'é', '日', '\u{301}', '(', '5', 'y', 'n', ' ']).prop_map(Deed::Type),
        2 => (mouse, 0..170_u16, 0..52_u16).prop_map(|(mouse, x, y)| Deed::Mouse(mouse, x, y)),
        1 => (1..170_u16, 1..52_u16).prop_map(|(width, height)| Deed::Resize(width, height)),
        1 => proptest::sample::select(vec!["", "a\nb\n", "x\r\ny", "\u{202e}👩‍👩‍👧"]).prop_map(Deed::Paste),
    ]
}

fn is(chord: Chord, text: &str) -> bool {
    text.parse() == Ok(chord)
}

/// Everything that a person can change in a session, to compare.
fn state(session: &ReviewSession) -> String {
    let hunks = session.hunks().map(|(id, hunk)| {
        format!(
            "{id:?} {:?} {:?} {:?}\n",
            hunk.state, hunk.outcome, hunk.part
        )
    });
    let said = (session.files.iter()).map(|file| format!("{:?}\n", file.comment));
    let batch = format!("{:?}", session.comment);
    hunks.chain(said).chain([batch]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_keys_panic_or_write_by_accident(deeds in prop::collection::vec(deed(), 0..60)) {
        let mut script = Script::new(sample(), 160, 50);
        let before = state(&script.app.session);
        for deed in deeds {
            if script.ending().is_some() {
                break;
            }
            match deed {
                Deed::Keys(keys) => {
                    for chord in parse_sequence(keys).unwrap() {
                        let in_dialog = matches!(script.app.mode, Mode::Finish);
                        let after_z = script.app.pending.chords == "Z";
                        let ended = script.ending().is_some();
                        script.press_chord(chord);
                        if script.ending() == Some(Ending::Write) && !ended {
                            prop_assert!(in_dialog && is(chord, "w") || after_z && is(chord, "Z"));
                        }
                    }
                }
                Deed::Type(c) => script.press_chord(Chord::char(c)),
                Deed::Mouse(mouse, x, y) => {
                    script.mouse(mouse, x, y);
                }
                Deed::Resize(width, height) => {
                    script.resize(width, height);
                }
                Deed::Paste(text) => {
                    script.paste(text);
                }
            }
            script.end_editor(Ok("[package]\nall\nnew\n".to_owned()));
            script.buffer();
            prop_assert_eq!(script.app.summaries.counts, script.app.session.counts());
            for direction in [Direction::Forward, Direction::Backward] {
                let from = script.app.stream.hunk();
                let known = script.app.summaries.next_undecided(from, direction);
                prop_assert_eq!(known, script.app.session.next_undecided(from, direction));
            }
            let rows = script.app.stream.rows.len();
            prop_assert!(script.app.stream.cursor < rows && script.app.stream.top < rows);
        }
        let mut session = script.outcome().session;
        session.cancel_edit();
        session.cancel_place();
        while session.undo().is_some() {}
        prop_assert_eq!(state(&session), before);
    }
}

#[test]
fn nothing_is_accepted_without_a_key_that_accepts() {
    let mut script = Script::new(sample(), 160, 50);
    for binding in KEYS {
        for key in binding.keys {
            let accepts = matches!(*key, "a" | "A" | "Space" | "g a" | "y");
            if !accepts && script.ending().is_none() {
                script.press(key).press("Esc Esc");
            }
        }
    }
    let session = script.outcome().session;
    let accepted = |hunk: &countersign::review::HunkReview| {
        hunk.state
            .marks
            .iter()
            .any(|marks| marks.added == Decision::Accepted || marks.removed == Decision::Accepted)
    };
    assert!(session.hunks().all(|(_, hunk)| !accepted(hunk)));
}
