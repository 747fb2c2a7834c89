//! What every key does, from the first press to the session at the end.

use std::collections::BTreeSet;

use crate::script::Script;
use countersign::review::{FileGroup, Layout, Mark};
use countersign::ui::Ending;
use countersign::ui::action::Effect;
use countersign::ui::file_list::{FileListRow, ListGroup};
use countersign::ui::keymap::KEYS;
use countersign::ui::keymap::key_sequence::{KeyReader, Pressed};
use countersign::ui::state::mode::Mode;
use countersign::ui::{FilesShown, LongLines};

use crate::fixture::sample;
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
        | Mode::FileList
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
    // Enter opens folds and never edits.
    ("Enter", |s| {
        matches!(s.app.mode, Mode::Review) && s.screen().contains("no fold here")
    }),
    ("j Enter", |s| matches!(s.app.mode, Mode::Review)),
    ("z a Enter", |s| s.app.stream.folds.closed.is_empty()),
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
        matches!(s.app.mode, Mode::Place(_)) && s.screen().contains("not placed yet")
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
    // The nearest place is offered.
    (") m Tab n ]", |s| !matches!(s.app.mode, Mode::Review)),
    (") m S-Tab N [", |s| !matches!(s.app.mode, Mode::Review)),
    ("m", |s| {
        s.app.notice.is_some() && matches!(s.app.mode, Mode::Review)
    }),
    ("] ] j j j j S", |s| {
        marks(s) == "....!...." || s.app.session.files[1].hunks.len() == 4
    }),
    ("] ] j j j j S a", |s| {
        let hunks = &s.app.session.files[1].hunks;
        hunks[1].mark() == Some(Mark::Undecided) && hunks[3].mark() == Some(Mark::Accepted)
    }),
    ("] ] j j j j S u", |s| {
        s.app.session.files[1].hunks.len() == 3
    }),
    ("] ] S", |s| {
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
    ("a ! w", |s| matches!(s.app.mode, Mode::Finish)),
    ("! Enter", |s| matches!(s.app.mode, Mode::Review)),
    ("p q", |s| {
        matches!(s.app.mode, Mode::Review) && s.app.reader.is_none()
    }),
    ("t p Esc", |s| matches!(s.app.mode, Mode::FileList)),
    ("p } / <close> Enter n N", |s| {
        matches!(s.app.mode, Mode::Read)
            && s.app.reader.as_ref().is_some_and(|r| r.found == Some(15))
    }),
    ("p / <close> Esc", |s| matches!(s.app.mode, Mode::Read)),
    ("a !", |s| {
        s.screen().contains("1 file will be written, +1 −0")
    }),
    ("g <", |s| {
        s.screen().contains("so there is no match threshold")
    }),
    ("g >", |s| {
        s.screen().contains("so there is no match threshold")
    }),
    ("! r", |s| {
        s.screen().contains("no check command is configured")
    }),
    ("! b", |s| {
        s.screen().contains("no check command is configured")
    }),
    ("g p", |s| s.screen().contains("hunk 1 in three texts")),
    (") g p ] [", |s| {
        s.screen().contains("this hunk has no place: compared at")
    }),
    // Go to.
    ("Tab", |s| hunk_rows(s, 1)),
    ("3 Tab", |s| hunk_rows(s, 3)),
    ("Tab S-Tab", |s| hunk_rows(s, 0)),
    ("]", |s| hunk_rows(s, 1)),
    ("] ] [", |s| hunk_rows(s, 1)),
    ("}", |s| row(s).contains("File { file: 1, part: 0 }")),
    ("} } {", |s| row(s).contains("File { file: 1, part: 0 }")),
    (")", |s| hunk_rows(s, 5)),
    (") ) (", |s| hunk_rows(s, 5)),
    ("] c <why> Enter g g g j", |s| hunk_rows(s, 1)),
    ("Q", |s| {
        s.screen().contains("questions cannot be kept here")
    }),
    ("j v Q", |s| {
        s.screen().contains("questions cannot be kept here")
    }),
    ("T", |s| s.screen().contains("no thread here")),
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
    ("| | 3 ] j j j j $", |s| s.app.stream.left > 50),
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
        s.app.file_list.files == [1] && matches!(s.app.mode, Mode::FileList)
    }),
    ("f <cli> Esc", |s| s.app.file_list.files.len() == 6),
    // Say.
    ("c <why?> Enter", |s| {
        s.app.session.files[0].hunks[0].state.comment.as_deref() == Some("why?")
    }),
    ("c <why?> C-u <how?> Enter", |s| {
        s.app.session.files[0].hunks[0].state.comment.as_deref() == Some("how?")
    }),
    ("f <cli> Enter Esc", |s| s.app.file_list.files.len() == 6),
    ("f <cli> Enter Enter Esc", |s| {
        s.app.file_list.files.len() == 6
    }),
    ("f <cli> Enter Enter", |s| {
        s.screen().contains("1 of 6 with `cli`") && row(s).contains("File { file: 1, part: 0 }")
    }),
    ("f <!> Enter", |s| s.app.file_list.files == [3, 4]),
    // A comment is wrapped while it is typed.
    (
        "c <begins------------------------------------------------------------------------------------------ends>",
        |s| {
            let screen = s.screen();
            screen.contains("begins-") && screen.contains("-ends")
        },
    ),
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
    ("| | ] ] j j j v c <one> Enter j c", |s| text(s) == "one"),
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
    ("t", |s| matches!(s.app.mode, Mode::FileList)),
    ("t t", |s| matches!(s.app.mode, Mode::Review)),
    ("t Esc", |s| matches!(s.app.mode, Mode::Review)),
    ("t j j j Enter", |s| {
        row(s).contains("File { file: 2, part: 0 }")
    }),
    ("t j j a r", |s| marks(s) == ".aaar!.."),
    ("s", |s| s.app.summaries.files_in_order()[..2] == [3, 4]),
    ("t s s", |s| s.app.file_list.files[..2] == [4, 3]),
    ("t s s s s", |s| {
        s.app.file_list.rows[0] == FileListRow::Group(ListGroup::Kind(FileGroup::Source))
    }),
    ("t s s s s s", |s| s.app.file_list.files[1] == 4),
    ("t s", |s| {
        s.app.file_list.rows[..3]
            == [
                FileListRow::Group(ListGroup::Attention),
                FileListRow::File(3),
                FileListRow::File(4),
            ]
            && s.app.file_list.rows[3] == FileListRow::Group(ListGroup::Undecided)
    }),
    ("t s k a y", |s| marks(s) == "aaaaa!.a"),
    ("t s k a n", |s| {
        marks(s) == ".....!.." && matches!(s.app.mode, Mode::FileList)
    }),
    ("t Space j j Space a y", |s| marks(s) == "a...a!.."),
    ("t Space j Space r y", |s| marks(s) == "rrrr.!.."),
    ("t Space j Space Esc r", |s| marks(s) == "....r!.."),
    ("t v j j r y", |s| marks(s) == "rrrr.!.."),
    ("t v j j v j r y u", |s| marks(s) == ".....!.."),
    ("t V a y", |s| marks(s) == "aaaaa!.a"),
    ("t V V j j x a", |s| marks(s) == "....a!.."),
    ("t j Enter", |s| s.app.file_list.rows.len() == 5),
    ("t j Enter Enter", |s| s.app.file_list.rows.len() == 7),
    ("t j j z a", |s| {
        s.app.file_list.rows.len() == 5 && s.app.file_list.cursor == 1
    }),
    ("t z a", |s| s.screen().contains("no folder here")),
    // What is protected is asked about by itself.
    ("t j j j j j a n", |s| marks(s) == ".....!.."),
    ("t j j j j j a y", |s| marks(s) == ".....!a."),
    ("b", |s| {
        s.app.screen().is_some_and(|screen| screen.list.is_none())
    }),
    ("|", |s| s.app.stream.layout == Layout::Unified),
    ("w", |s| s.app.stream.long_lines == LongLines::Wrap),
    ("W", |s| s.app.display.blanks && s.screen().contains('␊')),
    ("D", |s| !s.app.display.words),
    ("j j j j z p", |s| s.app.stream.folds.apart.len() == 1),
    ("j j j j z p z p", |s| s.app.stream.folds.apart.is_empty()),
    ("z p", |s| s.screen().contains("no changed line here")),
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
    ("j i F1", |s| matches!(s.app.mode, Mode::Help { .. })),
    ("c F1", |s| matches!(s.app.mode, Mode::Help { .. })),
    (") m ?", |s| matches!(s.app.mode, Mode::Help { .. })),
    ("! ?", |s| matches!(s.app.mode, Mode::Help { .. })),
    ("g a ?", |s| matches!(s.app.mode, Mode::Help { .. })),
    ("a q ?", |s| matches!(s.app.mode, Mode::Help { .. })),
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
        matches!(s.app.mode, Mode::FileList) && marks(s).starts_with("a.")
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
    // With undecided hunks it asks.
    ("Z Z", |s| {
        matches!(s.app.mode, Mode::Finish) && s.ending().is_none()
    }),
    ("j i PgDn Home C-k <x = 1> Esc Z Z a", |s| {
        matches!(s.app.mode, Mode::Finish) && s.app.session.counts().accepted == 1
    }),
    ("Z Z w", |s| s.ending() == Some(Ending::Write)),
    ("g r y Z Z", |s| matches!(s.app.mode, Mode::Finish)),
    ("g r y ) r Z Z", |s| s.ending() == Some(Ending::Write)),
    ("Z Q", |s| s.ending() == Some(Ending::Discard)),
    ("C-c C-c", |s| s.ending() == Some(Ending::Aborted)),
    ("i <x> C-c C-c", |s| {
        matches!(s.app.mode, Mode::Review)
            && s.app.session.hunks().any(|(_, hunk)| hunk.state.edited)
    }),
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
    let (mut keys, mut begun, mut given) = (KeyReader::default(), Vec::new(), Vec::new());
    let mut rest = flow.trim_start();
    while !rest.is_empty() {
        if let Some((text, after)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
            script.press(&format!("<{text}>"));
            rest = after.trim_start();
            continue;
        }
        let (key, after) = rest.split_once(' ').unwrap_or((rest, ""));
        let place = script.app.mode.key_context();
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
