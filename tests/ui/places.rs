//! What the keys do that hold in many places, in each of them. The screen is low, so that everything scrolls.

use crate::script::Script;
use countersign::review::{Layout, Row};
use countersign::ui::Ending;
use countersign::ui::LongLines;
use countersign::ui::action::Effect;
use countersign::ui::state::mode::Mode;

use crate::fixture::sample;
use crate::flows::{Flow, hunk_rows, marks, row, text};

/// The size of the screen.
pub(crate) const SIZE: (u16, u16) = (80, 12);

/// Every flow begins on the first hunk of the sample.
pub(crate) const FLOWS: &[Flow] = &[
    // While lines are selected.
    ("a [ j j j j v x", |s| marks(s) == ".....!.."),
    ("j j j j v Space", |s| marks(s) == "a....!.."),
    ("v Tab", |s| selects(s) && hunk_rows(s, 1)),
    ("v Tab S-Tab", |s| selects(s) && hunk_rows(s, 0)),
    ("v ]", |s| selects(s) && hunk_rows(s, 1)),
    ("v ] ] [", |s| selects(s) && hunk_rows(s, 1)),
    ("v }", |s| {
        selects(s) && row(s).contains("File { file: 1, part: 0 }")
    }),
    ("v } } {", |s| {
        selects(s) && row(s).contains("File { file: 1, part: 0 }")
    }),
    ("v )", |s| selects(s) && hunk_rows(s, 5)),
    ("} v ) (", |s| selects(s) && hunk_rows(s, 5)),
    ("] c <why> Enter g g v g j", |s| {
        selects(s) && hunk_rows(s, 1)
    }),
    ("c <why> Enter G v g k", |s| selects(s) && hunk_rows(s, 0)),
    ("g g 3 j v k", |s| s.app.stream.cursor == 2),
    ("g g v C-d", |s| s.app.stream.cursor > 2),
    ("G v C-u", |s| selects(s) && left_below(s) > 2),
    ("g g v C-f", |s| s.app.stream.cursor > 6),
    ("G v C-b", |s| selects(s) && left_below(s) > 4),
    ("G v g g", |s| selects(s) && s.app.stream.cursor == 0),
    ("v G", |s| selects(s) && left_below(s) == 0),
    ("4 ] v z t", |s| s.app.stream.top == s.app.stream.cursor),
    ("4 ] v z z", |s| {
        (3..6).contains(&(s.app.stream.cursor - s.app.stream.top))
    }),
    ("4 ] v z t z b", |s| {
        s.app.stream.top + 7 < s.app.stream.cursor
    }),
    ("v l", |s| s.app.stream.left == 8),
    ("3 ] v l l h", |s| s.app.stream.left == 8),
    ("3 ] v l l 0", |s| s.app.stream.left == 0),
    ("3 ] v j j j j j $", |s| s.app.stream.left > 20),
    ("/ <pub> Enter v n", |s| distance(s) > 0),
    ("/ <pub> Enter n n v N", |s| distance(s) < 0),
    ("j j j j v y", |s| {
        s.effects() == [Effect::Copy("backoff = \"0.4\"\n".into())]
    }),
    ("v M", |s| s.screen().contains("set `model.endpoint`")),
    ("v b", |s| s.app.display.list == Some(true)),
    ("v |", |s| s.app.stream.layout == Layout::Split),
    ("v w", |s| s.app.stream.long_lines == LongLines::Wrap),
    ("j j j j v z p", |s| s.app.stream.folds.apart.len() == 1),
    ("v W", |s| s.app.display.blanks),
    ("v D", |s| !s.app.display.words),
    ("k v z a", |s| !row(s).contains("Fold")),
    ("} v z R", |s| !s.app.stream.folds.opened.is_empty()),
    ("} z R v z M", |s| s.app.stream.folds.opened.is_empty()),
    ("v +", |s| s.app.stream.folds.context == 6),
    ("v -", |s| s.app.stream.folds.context == 0),
    ("v ?", |s| matches!(s.app.mode, Mode::Help { .. })),
    ("v C-l", |s| s.effects() == [Effect::Redraw]),
    ("v q", |s| matches!(s.app.mode, Mode::Finish)),
    ("v C-z", |s| s.effects() == [Effect::Suspend]),
    ("! C-z", |s| s.effects() == [Effect::Suspend]),
    ("/ C-z", |s| s.effects() == [Effect::Suspend]),
    ("g a C-z", |s| s.effects() == [Effect::Suspend]),
    ("q C-z", |s| s.effects() == [Effect::Suspend]),
    ("? C-z", |s| s.effects() == [Effect::Suspend]),
    ("g g ) m C-z", |s| {
        s.effects() == [Effect::Suspend] && matches!(s.app.mode, Mode::Place(_))
    }),
    // In the list of all files.
    ("t g a y", |s| marks(s) == "aaaaa!.a"),
    ("t g r y", |s| marks(s) == "rrrrr!rr"),
    ("t a u C-r", |s| marks(s) == "a....!.."),
    ("t g <", |s| {
        s.screen().contains("so there is no match threshold")
    }),
    ("t g >", |s| {
        s.screen().contains("so there is no match threshold")
    }),
    ("t C-d", |s| s.app.file_list.cursor > 2),
    ("t G C-u", |s| s.app.file_list.cursor < 4),
    ("t C-f", |s| s.app.file_list.cursor == 6),
    ("t G C-b", |s| s.app.file_list.cursor == 0),
    ("t G g g", |s| s.app.file_list.cursor == 0),
    ("t G", |s| s.app.file_list.cursor == 6),
    ("t / <impl> Enter", |s| s.app.search.pattern.is_some()),
    ("t f <cli> Enter", |s| s.app.file_list.files == [1]),
    ("t j j C <it> Enter", |s| {
        s.app.session.files[1].comment.as_deref() == Some("it")
    }),
    ("t g c <all> Enter", |s| {
        s.app.session.comment.as_deref() == Some("all")
    }),
    ("t a !", |s| s.screen().contains("1 file will be written")),
    ("t ?", |s| matches!(s.app.mode, Mode::Help { .. })),
    ("t C-l", |s| s.effects() == [Effect::Redraw]),
    ("t q", |s| matches!(s.app.mode, Mode::Finish)),
    ("t Z Z", |s| matches!(s.app.mode, Mode::Finish)),
    ("t Z Q", |s| s.ending() == Some(Ending::Discard)),
    ("t C-c C-c", |s| s.ending() == Some(Ending::Aborted)),
    ("t C-z", |s| s.effects() == [Effect::Suspend]),
    // In the help.
    ("? j j k", |s| help(s) == 1),
    ("? C-d", |s| help(s) > 3),
    ("? C-d C-d C-u", |s| (1..7).contains(&help(s))),
    ("? C-f", |s| help(s) > 6),
    ("? G C-b", |s| help(s) > 50),
    ("? G g g", |s| help(s) == 0),
    ("? G", |s| help(s) > 80),
    // Where a hunk is placed by hand: in a file of one line.
    (") m C-d", |s| place(s) == 1),
    (") m j C-u", |s| place(s) == 0),
    (") m C-f", |s| place(s) == 1),
    (") m j C-b", |s| place(s) == 0),
    (") m j g g", |s| place(s) == 0),
    // In what is read.
    ("p } g g j", |s| read(s) == (1, 0)),
    ("p } g g j j k", |s| read(s) == (1, 0)),
    ("p } g g C-d", |s| (3..6).contains(&read(s).0)),
    ("p } G C-u", |s| (10..20).contains(&read(s).0)),
    ("p } g g C-f", |s| (6..10).contains(&read(s).0)),
    ("p } G C-b", |s| (6..16).contains(&read(s).0)),
    ("p } G g g", |s| read(s) == (0, 0)),
    ("p } g g G", |s| read(s).0 > 15),
    ("p } l", |s| read(s).1 == 8),
    ("p } l l h", |s| read(s).1 == 8),
    ("p } l l 0", |s| read(s).1 == 0),
    ("} A [ p G $", |s| read(s).1 > 20),
    // In a text.
    ("j i C-z", |s| s.effects() == [Effect::Suspend]),
    ("c <ab> Backspace", |s| text(s) == "a"),
    ("c <ab> Left Del", |s| text(s) == "a"),
    ("c <one two> C-w", |s| text(s) == "one "),
    ("c <one two> Home M-d", |s| text(s) == " two"),
    ("c <one two> Home C-k", |s| text(s).is_empty()),
    ("c <ab> Left <x>", |s| text(s) == "axb"),
    ("c <ab> Home Right <x>", |s| text(s) == "axb"),
    ("c <one two> C-Left <x>", |s| text(s) == "one xtwo"),
    ("c <one two> Home C-Right <x>", |s| text(s) == "onex two"),
    ("c <ab> Home <x> End <y>", |s| text(s) == "xaby"),
    ("c <abc> S-Left <x>", |s| text(s) == "abx"),
    ("c <abc> Home S-Right <x>", |s| text(s) == "xbc"),
    ("c <ab> C-j <cd> S-Up <x>", |s| text(s) == "abx"),
    ("c <ab> C-j <cd> Home Up S-Down <x>", |s| text(s) == "xcd"),
    ("c <ab> M-a <x>", |s| text(s) == "x"),
    ("c <one two> C-S-Left <x>", |s| text(s) == "one x"),
    ("c <one two> Home C-S-Right <x>", |s| text(s) == "x two"),
    ("c <one two> S-Home <x>", |s| text(s) == "x"),
    ("c <one two> Home S-End <x>", |s| text(s) == "x"),
    ("c <abc> S-Left C-x", |s| {
        s.effects() == [Effect::Copy("c".into())] && text(s) == "ab"
    }),
    ("c <abc> S-Left M-w", |s| {
        s.effects() == [Effect::Copy("c".into())]
    }),
    ("c <abc> S-Left C-x C-v C-v", |s| text(s) == "abcc"),
];

fn selects(script: &Script) -> bool {
    matches!(script.app.mode, Mode::Lines { .. })
}

/// How far the cursor is below the row where the selection began.
fn distance(script: &Script) -> isize {
    let Mode::Lines { from } = script.app.mode else {
        return 0;
    };
    script.app.stream.cursor.cast_signed() - from.cast_signed()
}

/// The rows below the cursor.
fn left_below(script: &Script) -> usize {
    let rows = &script.app.stream.rows;
    let gap = |row| matches!(rows.get(row), Some(Row::Gap { .. }));
    (script.app.stream.cursor + 1..rows.len())
        .filter(|row| !gap(*row))
        .count()
}

/// The first line of the help in sight.
fn help(script: &Script) -> usize {
    let Mode::Help { top, .. } = script.app.mode else {
        return usize::MAX;
    };
    top
}

/// The line that a hunk would be placed at.
fn place(script: &Script) -> usize {
    let Mode::Place(placing) = &script.app.mode else {
        return usize::MAX;
    };
    placing.at
}

/// The first line and column in sight of what is read.
fn read(script: &Script) -> (usize, usize) {
    let reader = script.app.reader.as_ref();
    reader.map_or((usize::MAX, 0), |reader| (reader.top, reader.left))
}

#[test]
fn every_flow_leads_where_it_should() {
    let mut wrong = Vec::new();
    for (keys, holds) in FLOWS {
        let mut script = Script::new(sample(), SIZE.0, SIZE.1);
        script.press(keys);
        if !holds(&mut script) {
            let (marks, row) = (marks(&script), row(&script));
            let (help, place, read) = (help(&script), place(&script), read(&script));
            wrong.push(format!(
                "{keys}: {marks} at {row}, {help} {place} {read:?}\n{}",
                script.screen()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_narrow_screen_has_the_numbers_and_no_title_cut_in_its_middle() {
    let mut script = Script::new(sample(), 20, 5);
    let top = |script: &mut Script| script.screen().lines().next().unwrap().trim().to_owned();
    assert_eq!(top(&mut script), "7 ·  2 !");
    let shown = script.press("t").screen();
    assert!(
        shown
            .lines()
            .any(|line| line.trim_end() == "── All files ───────"),
        "{shown}"
    );
    let shown = script.press("Esc q").screen();
    assert!(shown.contains("Finish the re… ╮"), "{shown}");
}
