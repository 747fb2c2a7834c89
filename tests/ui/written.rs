//! What is written to the terminal, frame by frame, makes it show what a whole frame would.

use std::num::NonZeroU16;

use crate::script::Script;
use countersign::ui::terminal::output::Output;
use countersign::ui::view;
use ratatui::layout::{Position, Rect};

use crate::fixture::{Batch, sample};

/// A terminal that gets every frame.
#[derive(Default)]
pub(crate) struct Terminal {
    output: Output,
    screen: Option<(Rect, vt100::Parser)>,
}

impl Terminal {
    /// Shows the screen of a review; the bytes that this took.
    pub(crate) fn show(&mut self, script: &Script) -> usize {
        let (frame, caret) = view::draw(&script.app);
        let area = frame.area;
        // Of another size, it is cleared by what is written.
        let at_least_one = |n| NonZeroU16::new(n).unwrap_or(NonZeroU16::MIN);
        let screen = self.screen.take().filter(|(shown, _)| *shown == area);
        let (_, parser) = self.screen.insert(screen.unwrap_or_else(|| {
            (
                area,
                vt100::Parser::new(at_least_one(area.height), at_least_one(area.width), 0),
            )
        }));
        let bytes = self
            .output
            .show(frame, caret, view::scrolls(&script.app))
            .expect("a frame is written into memory");
        parser.process(&bytes);
        bytes.len()
    }

    /// The cells of the screen; of a blank only what shows of it.
    fn cells(&self) -> Vec<String> {
        let Some((area, parser)) = &self.screen else {
            return Vec::new();
        };
        let cell = |at: Position| {
            let cell = parser
                .screen()
                .cell(at.y, at.x)
                .expect("the screen has the size of the area");
            let text = cell.contents().trim();
            if text.is_empty() && !cell.inverse() && !cell.underline() {
                return format!("{:?}", cell.bgcolor());
            }
            let colours = (cell.fgcolor(), cell.bgcolor());
            let attributes = (cell.bold(), cell.dim(), cell.inverse(), cell.underline());
            format!("{text}{colours:?}{attributes:?}")
        };
        area.positions().map(cell).collect()
    }

    /// Returns true if it shows what a terminal does that gets this frame only, or if it was not shown at this size.
    pub(crate) fn shows(&self, script: &Script) -> bool {
        let mut fresh = Self::default();
        fresh.show(script);
        let area = |terminal: &Self| terminal.screen.as_ref().map(|(area, _)| *area);
        area(self) != area(&fresh) || self.cells() == fresh.cells()
    }
}

#[track_caller]
fn check(mut script: Script, keys: &str) {
    let mut terminal = Terminal::default();
    for key in keys.split(' ') {
        script.press(key);
        script.app.prepare();
        terminal.show(&script);
        assert!(terminal.shows(&script), "after {key}");
    }
}

#[test]
fn every_frame_of_a_walk_is_as_if_it_were_the_first() {
    for (width, height) in [(160, 24), (120, 16), (80, 16), (40, 10)] {
        let walk = "j j j j j j j j j j j j j k k k C-d C-d C-u ] ] a r } } { w C-d j j C-u l l t j j t G k k k";
        check(Script::new(sample(), width, height), walk);
    }
}

#[test]
fn an_emoji_that_wraps_in_the_terminal_leaves_nothing_in_the_next_row() {
    let session = Batch::new("")
        .modify("a", "one\n", &[("one", "two")])
        .session();
    let mut script = Script::new(session, 20, 5);
    let mut terminal = Terminal::default();
    script.press("i").paste("<202E>👩\u{200d}👩\u{200d}👧");
    for _ in 0..8 {
        script.app.prepare();
        terminal.show(&script);
        assert!(terminal.shows(&script), "{}", script.screen());
        script.press("Home").paste(" ");
    }
}

#[test]
fn an_emoji_at_the_end_of_the_last_row_does_not_scroll() {
    for (width, text) in [
        (20, "<202E>👩\u{200d}👩\u{200d}👧"),
        (20, "\u{202e}👩\u{200d}👩\u{200d}👧"),
    ] {
        let mut script = Script::new(sample(), width, 5);
        let mut terminal = Terminal::default();
        for key in ["Down", "e", "?", "/", "z"] {
            script.press(key);
            script.app.prepare();
            terminal.show(&script);
        }
        for _ in 0..12 {
            script.paste(text);
            script.app.prepare();
            terminal.show(&script);
            assert!(terminal.shows(&script), "{}", script.screen());
            script.paste(" ");
        }
    }
}

/// Many files, so that the list at the side is full, of lines that differ.
fn many() -> Batch {
    (0..30).fold(Batch::new("Many."), |batch, n: usize| {
        let line = |at: usize| {
            format!(
                "    let value_{at} = Some({}); // {}\n",
                at * 7919 % 1000,
                at * n
            )
        };
        let base: String = (0..20).map(line).collect();
        let hunk = (line(9), line(n + 40));
        batch.modify(
            &format!("src/part_{}/file_{n}.rs", n * 31 % 7),
            &base,
            &[(hunk.0.trim_end(), hunk.1.trim_end())],
        )
    })
}

#[test]
fn a_step_writes_hundreds_of_bytes() {
    let mut script = Script::new(many().session(), 160, 30);
    let mut terminal = Terminal::default();
    script.press("C-d C-d");
    terminal.show(&script);
    let mut step = || {
        script.press("j");
        terminal.show(&script)
    };
    let mut bytes: Vec<usize> = (0..40).map(|_| step()).collect();
    bytes.sort_unstable();
    assert!(bytes[20] < 1500, "{bytes:?}");
}
