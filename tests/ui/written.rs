//! What is written to the terminal, frame by frame, makes it show what a whole frame would.

use crate::script::Script;
use countersign::ui::terminal::output::{Output, TerminalCapability};
use countersign::ui::view;
use ratatui::layout::Rect;

use crate::fixture::{Batch, sample};

#[allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
#[path = "../../src/ui/terminal/output/test_terminal.rs"]
mod model;

/// A terminal that gets every frame.
pub(crate) struct Terminal {
    output: Output,
    skill: TerminalCapability,
    screen: (Rect, model::TestTerminal),
}

impl Terminal {
    pub(crate) fn new(skill: TerminalCapability) -> Self {
        Self {
            output: Output::new(skill),
            skill,
            screen: (Rect::ZERO, model::TestTerminal::new(Rect::ZERO)),
        }
    }

    /// Shows the screen of a review; the bytes that this took.
    pub(crate) fn show(&mut self, script: &Script) -> usize {
        let (frame, caret) = view::draw(&script.app);
        // Of another size, it is cleared by what is written.
        if frame.area != self.screen.0 {
            self.screen = (frame.area, model::TestTerminal::new(frame.area));
        }
        let bytes = self.output.show(frame, caret, view::scrolls(&script.app));
        self.screen.1.process(&bytes);
        bytes.len()
    }

    /// Whether it shows what a terminal does that gets this frame only.
    pub(crate) fn shows(&self, script: &Script) -> bool {
        let mut fresh = Self::new(TerminalCapability::Common);
        fresh.show(script);
        self.screen.0 != fresh.screen.0 || self.screen.1.seen() == fresh.screen.1.seen()
    }
}

#[track_caller]
fn check(mut script: Script, keys: &str) {
    let mut terminals =
        [TerminalCapability::Common, TerminalCapability::Margins].map(Terminal::new);
    for key in keys.split(' ') {
        script.press(key);
        script.app.prepare();
        for terminal in &mut terminals {
            terminal.show(&script);
            assert!(terminal.shows(&script), "after {key}, {:?}", terminal.skill);
        }
    }
}

#[test]
fn every_frame_of_a_walk_is_as_if_it_were_the_first() {
    for (width, height) in [(160, 24), (120, 16), (80, 16), (40, 10)] {
        let walk = "j j j j j j j j j j j j j k k k C-d C-d C-u ] ] a r } } { w C-d j j C-u l l t j j t G k k k";
        check(Script::new(sample(), width, height), walk);
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
fn a_step_writes_hundreds_of_bytes_and_the_list_beside_it_only_where_it_must_move() {
    let steps = |skill: TerminalCapability| {
        let mut script = Script::new(many().session(), 160, 30);
        let mut terminal = Terminal::new(skill);
        script.press("C-d C-d");
        terminal.show(&script);
        let mut step = || {
            script.press("j");
            terminal.show(&script)
        };
        let mut bytes: Vec<usize> = (0..40).map(|_| step()).collect();
        bytes.sort_unstable();
        bytes
    };
    let (margins, common) = (
        steps(TerminalCapability::Margins),
        steps(TerminalCapability::Common),
    );
    assert!(margins[20] < 500, "{margins:?}");
    assert!(common[20] < 1500, "{common:?}");
}
