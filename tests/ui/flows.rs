//! What every key does, from the first press to the session at the end.

use std::collections::BTreeSet;
use std::time::Duration;

use countersign::review::{Layout, Mark, Row};
use countersign::ui::Ending;
use countersign::ui::action::{Effect, Mouse};
use countersign::ui::batch::{BatchRow, Group};
use countersign::ui::check::{CheckEnd, CheckNews, CheckState, Checking, Undecided};
use countersign::ui::external::EditorError;
use countersign::ui::keymap::KEYS;
use countersign::ui::keys::{Keys, Pressed};
use countersign::ui::mode::Mode;
use countersign::ui::script::Script;
use countersign::ui::stream::{FilesShown, LongLines};

use crate::fixture::{Batch, sample};
use crate::places;

/// A flow: the keys, and what must hold then.
pub(crate) type Flow = (&'static str, fn(&mut Script) -> bool);

pub(crate) fn marks(script: &Script) -> String {
    let sign = |mark: Option<Mark>| match mark {
        Some(Mark::Undecided) => '.',
        Some(Mark::Accepted) => 'a',
        Some(Mark::Rejected) => 'r',
        Some(Mark::Mixed) => 'm',
        None => '!',
    };
    script
        .app
        .session
        .hunks()
        .map(|(_, hunk)| sign(hunk.mark()))
        .collect()
}

/// The row of the cursor, in words.
pub(crate) fn row(script: &Script) -> String {
    format!("{:?}", script.app.stream.row())
}

pub(crate) fn text(script: &Script) -> String {
    match &script.app.mode {
        Mode::Edit(edit) => edit.editor.text(),
        Mode::Prompt(prompt) => prompt.editor.text(),
        Mode::Review
        | Mode::Lines { .. }
        | Mode::Batch
        | Mode::Question(_)
        | Mode::Finish
        | Mode::Place(_)
        | Mode::Read
        | Mode::Help { .. } => String::new(),
    }
}

pub(crate) fn hunk_rows(script: &Script, nth: usize) -> bool {
    script.app.stream.hunk().map(|id| (id.file, id.hunk))
        == script
            .app
            .session
            .hunks()
            .nth(nth)
            .map(|(id, _)| (id.file, id.hunk))
}

/// Every flow begins on the first hunk of the sample: 8 hunks in 6 files, of which the sixth has no place.
const FLOWS: &[Flow] = &[
    // Decide.
    ("a", |s| marks(s) == "a....!.." && hunk_rows(s, 1)),
    ("r", |s| marks(s) == "r....!.."),
    ("a [ x", |s| marks(s) == ".....!.."),
    ("Space", |s| marks(s) == "a....!.."),
    ("Space [ Space", |s| marks(s) == "r....!.."),
    ("Space [ Space [ Space", |s| marks(s) == ".....!.."),
    ("} A", |s| marks(s) == ".aaa.!.."),
    ("} R", |s| marks(s) == ".rrr.!.."),
    ("g a n", |s| marks(s) == ".....!.."),
    ("g a y", |s| marks(s) == "aaaaa!.a"),
    ("g r y", |s| marks(s) == "rrrrr!rr"),
    ("a a u", |s| marks(s) == "a....!.."),
    ("a a 2 u 2 C-r", |s| marks(s) == "aa...!.."),
    ("] ] j j j v a", |s| {
        marks(s) == "..m..!.." && matches!(s.app.mode, Mode::Review)
    }),
    ("] ] j j j v j j r u", |s| marks(s) == ".....!.."),
    ("v Esc", |s| matches!(s.app.mode, Mode::Review)),
    ("v C-c", |s| matches!(s.app.mode, Mode::Review)),
    // Edit.
    ("j i", |s| text(s).contains("backoff")),
    ("Enter", |s| text(s).contains("backoff")),
    ("k Enter", |s| {
        !row(s).contains("Fold")
            && s.app.stream.rows.len() > 60
            && matches!(s.app.mode, Mode::Review)
    }),
    ("j i <x> Esc", |s| {
        s.app.session.files[0].hunks[0].state.edited && matches!(s.app.mode, Mode::Review)
    }),
    ("j i <x> C-c y", |s| {
        !s.app.session.files[0].hunks[0].state.edited
    }),
    ("j i <x> C-c n", |s| text(s).starts_with('x')),
    ("j i C-c", |s| matches!(s.app.mode, Mode::Review)),
    ("j i <x> Esc g =", |s| {
        !s.app.session.files[0].hunks[0].state.edited
    }),
    ("j i <one two> C-u", |s| {
        text(s).starts_with("one") && !text(s).contains("two")
    }),
    ("j i <one> C-u C-r", |s| text(s).starts_with("one")),
    ("j i <one> Enter", |s| text(s).starts_with("one\n")),
    ("j i Tab", |s| text(s).starts_with("    ")),
    ("j i Tab S-Tab", |s| !text(s).starts_with(' ')),
    ("j i <ab> Backspace", |s| {
        text(s).starts_with('a') && !text(s).starts_with("ab")
    }),
    ("j i <ab> C-h", |s| !text(s).starts_with("ab")),
    ("j i <ab> Left Del", |s| {
        text(s).starts_with('a') && !text(s).starts_with("ab")
    }),
    ("j i <ab> Left C-d", |s| !text(s).starts_with("ab")),
    ("j i <one two> C-w", |s| {
        text(s).starts_with("one ") && !text(s).contains("two")
    }),
    ("j i <one two> M-Backspace", |s| !text(s).contains("two")),
    ("j i <one two> Home M-d", |s| text(s).starts_with(" two")),
    ("j i <one two> Home C-Del", |s| text(s).starts_with(" two")),
    ("j i <one two> C-a C-k", |s| !text(s).contains("one")),
    ("j i <ab> C-b <x>", |s| text(s).starts_with("axb")),
    ("j i <ab> Home Right <x>", |s| text(s).starts_with("axb")),
    ("j i <ab> Home C-f <x>", |s| text(s).starts_with("axb")),
    ("j i Down Up <x>", |s| text(s).starts_with('x')),
    ("j i C-n C-p <x>", |s| text(s).starts_with('x')),
    ("j i <one two> C-Left <x>", |s| {
        text(s).starts_with("one xtwo")
    }),
    ("j i <one two> M-b <x>", |s| text(s).starts_with("one xtwo")),
    ("j i <one two> Home C-Right <x>", |s| {
        text(s).starts_with("onex two")
    }),
    ("j i <one two> Home M-f <x>", |s| {
        text(s).starts_with("onex two")
    }),
    ("j i <ab> C-e <x>", |s| text(s).starts_with("abx")),
    ("j i <ab> Home End <x>", |s| text(s).starts_with("abx")),
    ("j i PgDn <x>", |s| {
        text(s)
            .lines()
            .last()
            .is_some_and(|line| line.starts_with('x'))
    }),
    ("j i PgDn PgUp <x>", |s| text(s).starts_with('x')),
    ("j i C-End <x> C-Home <y>", |s| {
        text(s).starts_with('y') && text(s).ends_with('x')
    }),
    ("j i M-> <x> M-< <y>", |s| {
        text(s).starts_with('y') && text(s).ends_with('x')
    }),
    ("j i <abc> S-Left S-Left <x>", |s| text(s).starts_with("ax")),
    ("j i <abc> Home S-Right S-Right <x>", |s| {
        text(s).starts_with("xc")
    }),
    ("j i S-Down <x>", |s| text(s).starts_with("x[dep")),
    ("j i Down S-Up <x>", |s| text(s).starts_with("x[dep")),
    ("j i M-a <x>", |s| text(s) == "x"),
    ("j i <abc> S-Left S-Left C-x", |s| {
        s.effects() == [Effect::Copy("bc".into())] && text(s).starts_with('a')
    }),
    ("j i <abc> S-Left M-w", |s| {
        s.effects() == [Effect::Copy("c".into())]
    }),
    ("j i <abc> S-Left M-c", |s| {
        s.effects() == [Effect::Copy("c".into())]
    }),
    ("j i <abc> S-Left M-w C-v", |s| text(s).starts_with("abc")),
    ("j i <abc> S-Left C-x C-y C-y", |s| {
        text(s).starts_with("abcc")
    }),
    ("j i C-s <e> Enter <x>", |s| text(s).contains("[dxe")),
    ("j i C-s <serd> Enter <x>", |s| text(s).contains("\nxserde")),
    ("j i C-s <serd> Esc <x>", |s| text(s).starts_with('x')),
    ("j i C-s <gone> Enter <x>", |s| text(s).starts_with('x')),
    ("j i C-s <[a-z]+ = > Enter M-n <x>", |s| {
        text(s).contains("\nxbackoff")
    }),
    ("j i C-s <[a-z]+ = > Enter F3 F3 M-p S-F3 <x>", |s| {
        text(s).contains("\nxserde")
    }),
    ("j i M-n", |s| s.screen().contains("press C-s first")),
    ("j i <one two> C-S-Left <x>", |s| {
        text(s).starts_with("one x")
    }),
    ("j i <one two> Home C-S-Right <x>", |s| {
        text(s).starts_with("x two")
    }),
    ("j i <one two> S-Home <x>", |s| text(s).starts_with('x')),
    ("j i <one two> Home S-End <x>", |s| text(s).starts_with('x')),
    (
        "e",
        |s| matches!(s.effects().as_slice(), [Effect::OpenEditor(errand)] if errand.name == "Cargo.toml" && errand.line.get() == 7),
    ),
    // Place by hand, split.
    (") m", |s| {
        matches!(s.app.mode, Mode::Place(_)) && s.screen().contains("placed by hand")
    }),
    (") m Enter", |s| {
        marks(s) == "........" && s.app.session.files[3].hunks[0].is_by_hand()
    }),
    (") m Enter u", |s| marks(s) == ".....!.." && hunk_rows(s, 5)),
    (") m Enter a", |s| marks(s) == ".....a.."),
    (") m Enter m j Enter", |s| {
        s.app.session.files[3].hunks[0].first_line() == 1
    }),
    (") m j Esc", |s| {
        marks(s) == ".....!.." && matches!(s.app.mode, Mode::Review)
    }),
    (") m C-c", |s| matches!(s.app.mode, Mode::Review)),
    (") m j k 2 G Enter", |s| {
        s.app.session.files[3].hunks[0].first_line() == 1
    }),
    (") m Tab n ]", |s| s.app.notice.is_some()),
    (") m S-Tab N [", |s| s.app.notice.is_some()),
    ("m", |s| {
        s.app.notice.is_some() && matches!(s.app.mode, Mode::Review)
    }),
    ("] ] j j j j s", |s| {
        marks(s) == "....!...." || s.app.session.files[1].hunks.len() == 4
    }),
    ("] ] j j j j s a", |s| {
        let hunks = &s.app.session.files[1].hunks;
        hunks[1].mark() == Some(Mark::Undecided) && hunks[3].mark() == Some(Mark::Accepted)
    }),
    ("] ] j j j j s u", |s| {
        s.app.session.files[1].hunks.len() == 3
    }),
    ("] ] s", |s| {
        s.app.notice.is_some() && s.app.session.files[1].hunks.len() == 3
    }),
    ("M", |s| s.screen().contains("set `model.endpoint`")),
    // Read.
    ("a [ p", |s| {
        s.screen().contains("+ backoff") && matches!(s.app.mode, Mode::Read)
    }),
    ("p", |s| s.screen().contains("stays as it is")),
    ("p }", |s| s.screen().contains("src/client.rs")),
    ("p Tab S-Tab", |s| s.screen().contains("Cargo.toml stays")),
    ("p } {", |s| s.screen().contains("Cargo.toml stays")),
    ("p q", |s| {
        matches!(s.app.mode, Mode::Review) && s.app.reader.is_none()
    }),
    ("t p Esc", |s| matches!(s.app.mode, Mode::Batch)),
    ("p } / <close> Enter n N", |s| {
        matches!(s.app.mode, Mode::Read)
            && s.app.reader.as_ref().is_some_and(|r| r.found == Some(15))
    }),
    ("p / <close> Esc", |s| matches!(s.app.mode, Mode::Read)),
    ("a !", |s| {
        s.screen().contains("1 file will be written, +1 -0")
    }),
    ("<", |s| {
        s.screen().contains("so there is no match precision")
    }),
    (">", |s| {
        s.screen().contains("so there is no match precision")
    }),
    ("! r", |s| {
        s.screen().contains("no check command is configured")
    }),
    ("g p", |s| s.screen().contains("as you have it")),
    // Go to.
    ("Tab", |s| hunk_rows(s, 1)),
    ("3 Tab", |s| hunk_rows(s, 3)),
    ("Tab S-Tab", |s| hunk_rows(s, 0)),
    ("]", |s| hunk_rows(s, 1)),
    ("] ] [", |s| hunk_rows(s, 1)),
    ("}", |s| row(s).contains("File { file: 1 }")),
    ("} } {", |s| row(s).contains("File { file: 1 }")),
    (")", |s| hunk_rows(s, 5)),
    (") ) (", |s| hunk_rows(s, 5)),
    ("] c <why> Enter g g g j", |s| hunk_rows(s, 1)),
    ("c <why> Enter G g k", |s| hunk_rows(s, 0)),
    // Move.
    ("g g j", |s| s.app.stream.cursor == 1),
    ("g g Down", |s| s.app.stream.cursor == 1),
    ("g g 3 j k", |s| s.app.stream.cursor == 2),
    ("g g 3 j Up", |s| s.app.stream.cursor == 2),
    ("g g C-d", |s| s.app.stream.cursor > 5),
    ("G C-u", |s| {
        s.app.stream.cursor + 5 < s.app.stream.rows.len()
    }),
    ("g g C-f", |s| s.app.stream.cursor > 10),
    ("g g PgDn", |s| s.app.stream.cursor > 10),
    ("G C-b", |s| {
        s.app.stream.cursor + 10 < s.app.stream.rows.len()
    }),
    ("G PgUp", |s| {
        s.app.stream.cursor + 10 < s.app.stream.rows.len()
    }),
    ("G g g", |s| s.app.stream.cursor == 0),
    ("G Home", |s| s.app.stream.cursor == 0),
    ("G", |s| s.app.stream.cursor + 1 == s.app.stream.rows.len()),
    ("End", |s| {
        s.app.stream.cursor + 1 == s.app.stream.rows.len()
    }),
    ("} 2 1 G", |s| row(s).contains("new: 20")),
    ("4 ] z t", |s| s.app.stream.top == s.app.stream.cursor),
    ("4 ] z z", |s| s.app.stream.top + 10 < s.app.stream.cursor),
    ("4 ] z t z b", |s| {
        s.app.stream.top + 20 < s.app.stream.cursor
    }),
    ("l", |s| s.app.stream.left == 8),
    ("Right", |s| s.app.stream.left == 8),
    ("l l h", |s| s.app.stream.left == 8),
    ("l l Left", |s| s.app.stream.left == 8),
    ("l l 0", |s| s.app.stream.left == 0),
    ("3 ] j j j j $", |s| s.app.stream.left > 50),
    // Find.
    ("/ <is_stale> Enter", |s| row(s).contains("Change")),
    ("/ <is_stale> Esc", |s| {
        hunk_rows(s, 0) && s.app.search.pattern.is_none()
    }),
    ("/ <is_stale> C-c", |s| hunk_rows(s, 0)),
    ("/ <impl> Enter n", |s| row(s).contains("Change")),
    ("/ <impl> Enter n N", |s| row(s).contains("Context")),
    ("/ <impl> Enter Esc", |s| s.app.search.pattern.is_none()),
    ("/ <close.&mut> Enter", |s| row(s).contains("Context")),
    ("f <cli> Enter", |s| {
        s.app.batch.files == [1] && matches!(s.app.mode, Mode::Batch)
    }),
    ("f <cli> Esc", |s| s.app.batch.files.len() == 6),
    // Say.
    ("c <why?> Enter", |s| {
        s.app.session.files[0].hunks[0].state.comment.as_deref() == Some("why?")
    }),
    ("c <one> M-Enter <two> Enter", |s| {
        s.app.session.files[0].hunks[0].state.comment.as_deref() == Some("one\ntwo")
    }),
    ("c <one> C-j <two> Enter", |s| {
        s.app.session.files[0].hunks[0].state.comment.as_deref() == Some("one\ntwo")
    }),
    ("] ] j j j v j j c <both> Enter", |s| {
        let said = &s.app.session.files[1].hunks[1].state.line_comments;
        said.len() == 1 && said[0].lines == (0..2) && said[0].text == "both"
    }),
    ("] ] j j j v c <one> Enter j c", |s| text(s) == "one"),
    ("] ] j v j c <both stay> Enter", |s| {
        let said = &s.app.session.files[1].passages;
        said.len() == 1 && said[0].lines == (9..11) && said[0].text == "both stay"
    }),
    ("] ] j v c <stays> Enter j c", |s| text(s) == "stays"),
    ("] ] j v c <stays> Enter u", |s| {
        s.app.session.files[1].passages.is_empty()
    }),
    ("c <why?> Enter u", |s| {
        s.app.session.files[0].hunks[0].state.comment.is_none()
    }),
    ("C <whole> Enter u C-r", |s| {
        s.app.session.files[0].comment.as_deref() == Some("whole")
    }),
    ("g c <all> Enter u", |s| s.app.session.comment.is_none()),
    ("C <whole> Enter", |s| {
        s.app.session.files[0].comment.as_deref() == Some("whole")
    }),
    ("g c <all> Enter", |s| {
        s.app.session.comment.as_deref() == Some("all")
    }),
    ("j j j j y", |s| {
        s.effects() == [Effect::Copy("backoff = \"0.4\"\n".into())]
    }),
    // View.
    ("t", |s| matches!(s.app.mode, Mode::Batch)),
    ("t t", |s| matches!(s.app.mode, Mode::Review)),
    ("t Esc", |s| matches!(s.app.mode, Mode::Review)),
    ("t j j Enter", |s| row(s).contains("File { file: 2 }")),
    ("t j a r", |s| marks(s) == ".aaar!.."),
    ("t s", |s| s.app.batch.files[1] == 4),
    ("t s s", |s| s.app.batch.files[..2] == [3, 4]),
    ("t s s s", |s| {
        s.app.batch.rows[..3]
            == [
                BatchRow::Group(Group::Attention),
                BatchRow::File(3),
                BatchRow::Group(Group::Undecided),
            ]
    }),
    ("t s s s k a y", |s| marks(s) == "aaaaa!.a"),
    ("t s s s k a n", |s| {
        marks(s) == ".....!.." && matches!(s.app.mode, Mode::Batch)
    }),
    ("t Space j Space a y", |s| marks(s) == "a...a!.."),
    ("t Space Space r y", |s| marks(s) == "rrrr.!.."),
    ("t Space Space Esc r", |s| marks(s) == "....r!.."),
    ("t v j r y", |s| marks(s) == "rrrr.!.."),
    ("t v j v j r y u", |s| marks(s) == ".....!.."),
    ("t V a y", |s| marks(s) == "aaaaa!.a"),
    ("t V V j x a", |s| marks(s) == "....a!.."),
    // What is protected is asked about by itself.
    ("t j j j j a n", |s| marks(s) == ".....!.."),
    ("t j j j j a y", |s| marks(s) == ".....!a."),
    ("b", |s| {
        s.app.screen().is_some_and(|screen| screen.list.is_none())
    }),
    ("|", |s| s.app.stream.layout == Layout::Unified),
    ("w", |s| s.app.stream.long_lines == LongLines::Wrap),
    ("W", |s| s.app.look.blanks && s.screen().contains('␊')),
    ("D", |s| !s.app.look.words),
    ("o", |s| s.app.stream.files == FilesShown::One),
    ("o o", |s| s.app.stream.files == FilesShown::All),
    ("k z a", |s| {
        !row(s).contains("Fold") && s.app.stream.folds.closed.is_empty()
    }),
    ("z a", |s| s.app.stream.folds.closed == [0]),
    ("z a z a", |s| s.app.stream.folds.closed.is_empty()),
    ("} z R", |s| !s.app.stream.folds.opened.is_empty()),
    ("} z R z M", |s| s.app.stream.folds.opened.is_empty()),
    ("+", |s| s.app.stream.folds.context == 6),
    ("=", |s| s.app.stream.folds.context == 6),
    ("-", |s| s.app.stream.folds.context == 0),
    ("?", |s| matches!(s.app.mode, Mode::Help { .. })),
    ("F1 F1", |s| matches!(s.app.mode, Mode::Review)),
    ("? ?", |s| matches!(s.app.mode, Mode::Review)),
    ("? q", |s| matches!(s.app.mode, Mode::Review)),
    (": <accept-file> Enter", |s| marks(s).starts_with("a.")),
    ("C-p <rej> Enter", |s| marks(s).starts_with('r')),
    (": <q!> Enter", |s| s.ending() == Some(Ending::Discard)),
    (": <9> Enter", |s| s.app.stream.cursor > 0),
    (": <reje> Down Up Enter", |s| marks(s).starts_with('r')),
    (": Enter", |s| {
        marks(s).starts_with('.') && matches!(s.app.mode, Mode::Review)
    }),
    (": <zzz> Enter", |s| {
        matches!(s.app.mode, Mode::Review) && s.app.notice.is_some()
    }),
    ("v : <accept> Esc", |s| {
        matches!(s.app.mode, Mode::Lines { .. })
    }),
    ("t : <accept> Enter", |s| {
        matches!(s.app.mode, Mode::Batch) && marks(s).starts_with("a.")
    }),
    (
        "? / <fold> Enter",
        |s| matches!(&s.app.mode, Mode::Help { filter, .. } if filter == "fold"),
    ),
    (
        "? / <fold> Esc",
        |s| matches!(&s.app.mode, Mode::Help { filter, .. } if filter.is_empty()),
    ),
    ("? j", |s| matches!(s.app.mode, Mode::Help { top: 1, .. })),
    ("C-l", |s| s.effects() == [Effect::Redraw]),
    // Leave.
    ("q", |s| matches!(s.app.mode, Mode::Finish)),
    ("q q", |s| matches!(s.app.mode, Mode::Review)),
    ("q w", |s| s.ending() == Some(Ending::Write)),
    ("q k", |s| s.ending() == Some(Ending::Keep)),
    ("q d", |s| s.ending() == Some(Ending::Discard)),
    ("Z Z", |s| s.ending() == Some(Ending::Write)),
    ("Z Q", |s| s.ending() == Some(Ending::Discard)),
    ("C-c C-c", |s| s.ending() == Some(Ending::Aborted)),
    ("C-z", |s| s.effects() == [Effect::Suspend]),
];

#[test]
fn every_flow_leads_where_it_should() {
    let mut wrong = Vec::new();
    for (keys, holds) in FLOWS {
        let mut script = Script::new(sample(), 160, 30);
        script.press(keys);
        if !holds(&mut script) {
            let (marks, row, screen) = (marks(&script), row(&script), script.screen());
            wrong.push(format!("{keys}: {marks} at {row}\n{screen}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every key is pressed for what it is bound to, and every command is given in every place where the table has it.
#[test]
fn every_key_of_the_table_has_a_flow_in_every_place() {
    let mut given = BTreeSet::new();
    for (flows, size) in [(FLOWS, (160, 30)), (places::FLOWS, places::SIZE)] {
        for (keys, _) in flows {
            given.extend(commands(keys, size));
        }
    }
    let mut missing = Vec::new();
    for binding in KEYS {
        let command = format!("{:?}", binding.command);
        for key in binding.keys {
            let pressed =
                |(_, keys, what): &(String, String, String)| keys == key && *what == command;
            if !given.iter().any(pressed) {
                missing.push(format!("no flow presses `{key}` for {command}"));
            }
        }
        for place in binding.places {
            let there = |(at, _, what): &(String, String, String)| {
                *at == format!("{place:?}") && *what == command
            };
            if !given.iter().any(there) {
                missing.push(format!(
                    "no flow gives {command} ({:?}) in {place:?}",
                    binding.keys
                ));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// The commands that a flow gives: where, by which keys, and what.
fn commands(flow: &str, (width, height): (u16, u16)) -> Vec<(String, String, String)> {
    let mut script = Script::new(sample(), width, height);
    let (mut keys, mut begun, mut given) = (Keys::default(), Vec::new(), Vec::new());
    let mut rest = flow.trim_start();
    while !rest.is_empty() {
        if let Some((text, after)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
            script.press(&format!("<{text}>"));
            rest = after.trim_start();
            continue;
        }
        let (key, after) = rest.split_once(' ').unwrap_or((rest, ""));
        let place = script.app.mode.place();
        begun.push(key);
        let Ok(chord) = key.parse() else {
            panic!("{key} is no key");
        };
        match keys.press(&script.app.keymap, place, chord) {
            Pressed::Command(command, _) => {
                let all = std::mem::take(&mut begun);
                let digit = |key: &&&str| key.chars().all(|c| c.is_ascii_digit());
                let digits = all.iter().take_while(digit).count();
                // A zero is a key of its own where no number was begun.
                let from = digits.min(all.len() - 1);
                given.push((
                    format!("{place:?}"),
                    all[from..].join(" "),
                    format!("{command:?}"),
                ));
            }
            Pressed::Pending => (),
            Pressed::Text(_) | Pressed::Unbound => begun.clear(),
        }
        script.press(key);
        rest = after.trim_start();
    }
    given
}

#[test]
fn text_for_one_place_decides_nothing_in_another() {
    let mut script = Script::new(sample(), 160, 30);
    script.paste("aaaa");
    assert_eq!(marks(&script), ".....!..");
    script.press("/ <a> Enter");
    assert_eq!(marks(&script), ".....!..");
}

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
fn both_sides_of_selected_lines_are_one_step() {
    let mut script = Script::new(sample(), 80, 40);
    script.press("] ] j j j v j j j a");
    assert_eq!(marks(&script), "..a..!..");
    script.press("u");
    assert_eq!(marks(&script), ".....!..");
    // Only what goes of one line and what comes of another: two steps, and a hunk of two minds.
    script.press("j j j j v j a");
    assert_eq!(marks(&script), "..m..!..");
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
    script.press("] e").end_editor(Ok(text));
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
fn the_mouse_points_scrolls_and_decides() {
    let mut script = Script::new(sample(), 160, 30);
    script.press("b");
    // The mark of the added line of the first hunk is at the start of the right half.
    let screen = script.screen();
    let y = screen
        .lines()
        .position(|line| line.contains("+ backoff"))
        .unwrap();
    let column = script.app.stream.columns(&script.app.session, 0).new.mark;
    script.mouse(Mouse::Press, column, u16::try_from(y).unwrap());
    assert_eq!(marks(&script), "a....!..");
    script
        .mouse(Mouse::Wheel(3), 5, 5)
        .mouse(Mouse::Wheel(3), 5, 5);
    assert_eq!(script.app.stream.top, 6);
    script
        .mouse(Mouse::Press, 20, 10)
        .mouse(Mouse::Drag, 20, 13)
        .press("r");
    assert!(matches!(script.app.mode, Mode::Review));
}

#[test]
fn a_click_in_an_edit_puts_the_text_cursor() {
    let mut script = Script::new(sample(), 160, 30);
    script.press("i");
    let y = script
        .screen()
        .lines()
        .position(|line| line.contains("+ backoff"))
        .unwrap();
    let x = script.app.stream.columns(&script.app.session, 0).new.text;
    script
        .mouse(Mouse::Press, x + 4, u16::try_from(y).unwrap())
        .press("<X>");
    assert!(text(&script).contains("backXoff"), "{}", text(&script));
}

#[test]
fn a_drag_in_an_edit_selects() {
    let mut script = Script::new(sample(), 160, 30);
    script.press("i");
    let screen = script.screen();
    let y = screen.lines().position(|line| line.contains("+ backoff"));
    let y = u16::try_from(y.unwrap()).unwrap();
    let x = script.app.stream.columns(&script.app.session, 0).new.text;
    script
        .mouse(Mouse::Press, x, y)
        .mouse(Mouse::Drag, x + 4, y)
        .press("<X>");
    assert!(text(&script).contains("Xoff = "), "{}", text(&script));
}

#[test]
fn the_divider_is_dragged() {
    let mut script = Script::new(sample(), 160, 30);
    let list = |script: &Script| script.app.screen().unwrap().list.unwrap().body.width;
    assert_eq!(list(&script), 40);
    script
        .mouse(Mouse::Press, 40, 9)
        .mouse(Mouse::Drag, 55, 9)
        .mouse(Mouse::Drag, 60, 20);
    assert_eq!(list(&script), 60);
    script.mouse(Mouse::Drag, 1, 9);
    assert_eq!(list(&script), 12);
    script.mouse(Mouse::Press, 80, 9).mouse(Mouse::Drag, 80, 11);
    assert!(matches!(script.app.mode, Mode::Lines { .. }));
    assert_eq!(list(&script), 12);
}

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
    let letters: String = screen.split_whitespace().collect();
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
