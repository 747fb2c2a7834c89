//! Whatever is pressed: nothing panics, nothing is written by accident, and everything can be taken back.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::script::Script;
use countersign::review::{Decision, Direction, FilePart, HunkId, ReviewSession};
use countersign::ui::action::Mouse;
use countersign::ui::keymap::keystroke::{Keystroke, parse_sequence};
use countersign::ui::keymap::{KEYS, KeyContext, Keymap, Preset};
use countersign::ui::services::check::{CheckEnd, CheckNews, CheckState, Checking, Undecided};
use countersign::ui::state::mode::Mode;
use countersign::ui::{Ending, Placed, ScreenOptions, view};
use proptest::prelude::*;
use ratatui::layout::{Rect, Size};

use crate::fixture::{Batch, sample};
use crate::written::Terminal;

/// One thing that a person may do, or that may happen to them.
#[derive(Debug, Clone)]
enum AnswerAction {
    KeyReader(&'static str),
    Type(char),
    Mouse(Mouse, u16, u16),
    Resize(u16, u16),
    Paste(&'static str),
    /// The files have changed on disk.
    Placed,
    /// A check says something.
    Checked(bool),
    /// A grammar has an answer.
    Judged,
    /// What was done last is taken back and done again.
    ThereAndBack,
}

fn deed() -> impl Strategy<Value = AnswerAction> {
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
    // What leads into dialogs, more often than by chance.
    let flows = vec![
        ") m j",
        ") m Enter",
        "c x",
        "C x Enter",
        "g c x Enter",
        "v j j c x Enter",
        "v j a",
        "i x Esc",
        "i x C-c y",
        "s",
        "S",
        "t Space j Space a y",
        "t v j r y",
        "t s s s V",
        "t f c Enter",
        "! j",
        "p } j",
        "g p }",
        ": a c Enter",
        "? / z",
        "/ a",
        "g a y",
        "g r y",
        "A",
        "R y",
        "u u",
        "C-r C-r",
        "e",
        "< >",
        "z R i x Esc",
        "z p",
        "q",
        "q Esc",
    ];
    prop_oneof![
        12 => proptest::sample::select(keys).prop_map(AnswerAction::KeyReader),
        6 => proptest::sample::select(flows).prop_map(AnswerAction::KeyReader),
        3 => proptest::sample::select(vec!['a', 'é', '日', '\u{301}', '(', '5', 'y', 'n', ' ']).prop_map(AnswerAction::Type),
        2 => (mouse, 0..170_u16, 0..52_u16).prop_map(|(mouse, x, y)| AnswerAction::Mouse(mouse, x, y)),
        1 => (1..170_u16, 1..52_u16).prop_map(|(width, height)| AnswerAction::Resize(width, height)),
        1 => proptest::sample::select(vec!["", "a\nb\n", "x\r\ny", "\u{202e}👩‍👩‍👧"]).prop_map(AnswerAction::Paste),
        1 => Just(AnswerAction::Placed),
        1 => any::<bool>().prop_map(AnswerAction::Checked),
        1 => Just(AnswerAction::Judged),
        3 => Just(AnswerAction::ThereAndBack),
    ]
}

/// What is reviewed, and how the screen looks at first.
fn start() -> impl Strategy<Value = (usize, (u16, u16), Preset)> {
    let sizes = vec![(160, 50), (80, 24), (40, 12), (20, 5), (101, 30)];
    let presets = vec![
        Preset::Default,
        Preset::Default,
        Preset::Vim,
        Preset::GitAddP,
    ];
    (
        0..SESSIONS.len(),
        proptest::sample::select(sizes),
        proptest::sample::select(presets),
    )
}

/// Reviews of every kind.
const SESSIONS: [fn() -> ReviewSession; 4] = [
    sample,
    || Batch::new("").session(),
    || {
        let lines = ["one", "two", "three", "four", "five"];
        let rows: Vec<String> = (0..200)
            .map(|n| format!("{} {n}\n", lines[n % 5]))
            .collect();
        let base = rows.concat();
        let hunks: Vec<(String, String)> = (5..190)
            .step_by(9)
            .map(|n| {
                (
                    format!("{} {n}", lines[n % 5]),
                    format!("{} {n}\nmore", lines[n % 4]),
                )
            })
            .collect();
        let hunks: Vec<(&str, &str)> = hunks
            .iter()
            .map(|(old, new)| (old.as_str(), new.as_str()))
            .collect();
        Batch::new("Many.").modify("a.txt", &base, &hunks).session()
    },
    || {
        let long = format!("{}日本{}\n", "wide ".repeat(90), "\t🎉".repeat(90));
        Batch::new("Strange.")
            .modify("bidi.c", "a\nb\n", &[("b", "\u{202e}b\u{2066}\n\u{e0041}")])
            .modify("long", &format!("{long}x\n"), &[("x", long.trim_end())])
            .create("new", "")
            .delete("old", "a\n")
            .modify("gone", "a\n", &[("b", "c"), ("d", "e")])
            .problem("what", 3)
            .session()
    },
];

fn is(chord: Keystroke, text: &str) -> bool {
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
    let said =
        (session.files.iter()).map(|file| format!("{:?} {:?}\n", file.comment, file.passages));
    let batch = format!("{:?}", session.comment);
    hunks.chain(said).chain([batch]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_keys_panic_or_write_by_accident(
        (reviewed, (width, height), preset) in start(),
        deeds in prop::collection::vec(deed(), 0..60),
    ) {
        let options = ScreenOptions {
            keymap: Keymap::new(preset, &[]).0,
            ..ScreenOptions::default()
        };
        let session = SESSIONS[reviewed]();
        let mut script = Script::with_options(session, Size { width, height }, &options);
        script.app.check = Some(Checking::new("make".to_owned(), Undecided::LeftOut));
        script.app.precision = Some(85);
        let before = state(&script.app.session);
        let mut terminal = Terminal::default();
        for deed in deeds {
            if script.ending().is_some() {
                break;
            }
            match deed {
                AnswerAction::KeyReader(keys) => {
                    for chord in parse_sequence(keys).unwrap() {
                        let by_name = matches!(script.app.mode, Mode::Prompt(_)) && is(chord, "Enter");
                        let in_dialog = matches!(script.app.mode, Mode::Finish) && is(chord, "w");
                        let by_key = script.app.pending.chords == "Z" && is(chord, "Z");
                        let session = &script.app.session;
                        let counts = session.counts();
                        let is_decided = counts.undecided + counts.mixed == 0;
                        let is_settled = is_decided && session.attention().next().is_none();
                        let by_end = is_settled && is(chord, "q");
                        let asked = by_name || in_dialog || by_key || by_end;
                        let ended = script.ending().is_some();
                        script.press_chord(chord);
                        prop_assert!(ended || asked || script.ending() != Some(Ending::Write));
                    }
                }
                AnswerAction::Type(c) => script.press_chord(Keystroke::char(c)),
                AnswerAction::Mouse(mouse, x, y) => {
                    script.mouse(mouse, x, y);
                }
                AnswerAction::Resize(width, height) => {
                    script.resize(width, height);
                }
                AnswerAction::Paste(text) => {
                    script.paste(text);
                }
                AnswerAction::Placed => {
                    let session = SESSIONS[reviewed]();
                    script.place(Placed { session, changed: Vec::new(), precision: None, notice: None });
                }
                AnswerAction::Checked(passed) => {
                    let how = if passed { CheckEnd::Passed } else { CheckEnd::Failed(None) };
                    let (took, tail) = (Duration::ZERO, vec!["said".to_owned()]);
                    let what = CheckState::Ended { how, took, tail };
                    script.checked(CheckNews { run: 1, what });
                }
                AnswerAction::Judged => {
                    script.check_syntax();
                }
                AnswerAction::ThereAndBack => {
                    let idle = script.app.screen().is_some()
                        && script.app.mode.key_context() == KeyContext::Stream && script.app.pending.chords.is_empty();
                    let history = script.app.session.history_len();
                    // Another threshold changes nothing until everything is placed with it.
                    let idle = idle && !script.app.thresholds.can_undo(history);
                    if idle && preset == Preset::Default && script.app.session.can_undo() {
                        script.press_chord("Esc".parse().unwrap());
                        let now = state(&script.app.session);
                        script.press("u");
                        prop_assert_ne!(&state(&script.app.session), &now);
                        script.press("C-r");
                        prop_assert_eq!(&state(&script.app.session), &now);
                    }
                }
            }
            script.end_editor(Ok("[package]\nall\nnew\n".to_owned().into()));
            script.app.prepare();
            let (buffer, caret) = view::draw(&script.app);
            let screen = Rect { x: 0, y: 0, width: script.app.size.width, height: script.app.size.height };
            prop_assert_eq!(buffer.area, screen);
            prop_assert!(caret.is_none_or(|caret| screen.contains(caret)));
            terminal.show(&script);
            // A place that is only tried is not counted.
            if !script.app.session.is_placing() {
                prop_assert_eq!(script.app.summaries.counts, script.app.session.counts());
            }
            for direction in [Direction::Forward, Direction::Backward] {
                let from = script.app.stream.hunk();
                let known = script.app.summaries.next_undecided(&script.app.session, &BTreeSet::new(), from, direction);
                prop_assert_eq!(known, next_undecided(&script, from, direction));
            }
            let rows = script.app.stream.rows.len().max(1);
            prop_assert!(script.app.stream.cursor < rows && script.app.stream.top < rows);
        }
        prop_assert!(terminal.shows(&script), "not what should be shown");
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

/// Returns the nearest hunk in the order of the stream that is not wholly decided.
fn next_undecided(script: &Script, from: Option<HunkId>, direction: Direction) -> Option<HunkId> {
    let session = &script.app.session;
    let of_part = |part: &FilePart| {
        let part = part.clone();
        let own =
            move |id: HunkId| id.file == part.file && part.has(&session.files[id.file], id.hunk);
        session.hunks().filter(move |(id, _)| own(*id))
    };
    let mut hunks: Vec<_> = script
        .app
        .stream
        .rows
        .order()
        .iter()
        .flat_map(of_part)
        .collect();
    if direction == Direction::Backward {
        hunks.reverse();
    }
    let here = from.and_then(|from| hunks.iter().position(|(id, _)| *id == from));
    let after = here.map_or(0, |here| here + 1);
    let open = hunks[after..].iter().find(|(id, hunk)| {
        let waits = hunk.is_open() || hunk.can_be_dropped() && !hunk.is_dropped();
        session.files[id.file].is_open() && waits
    });
    open.map(|(id, _)| *id)
}
