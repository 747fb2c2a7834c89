//! Lines of a hunk, each decided by itself: they are printed with numbers, and named by them.

use std::ops::{ControlFlow, RangeInclusive};

use super::{Linear, hunk_text};
use crate::review::{Direction, Row};
use crate::text::plural;
use crate::ui::command::{Command, DecideAction, Landmark};
use crate::ui::outcome::Ending;
use crate::ui::update::decide_picked;

impl Linear<'_> {
    /// Prints the changed lines of the hunk with their numbers, and what was decided about them.
    pub(crate) fn number_lines(&mut self) -> ControlFlow<Ending> {
        let rows = self.changed_rows();
        if rows.is_empty() {
            return self.say("this hunk has no lines to decide");
        }
        let wide = rows.len().to_string().len();
        let lines = rows.iter().zip(1..).filter_map(|(&row, number)| {
            let line = hunk_text::changed_line(&self.app, self.app.stream.rows.get(row)?)?;
            Some(format!("{number:>wide$} {line}"))
        });
        let lines: Vec<String> = lines.collect();
        self.say(&lines.join("\n"))
    }

    /// Decides some of the lines, and goes on if that was the last that was open.
    pub(crate) fn decide_lines(
        &mut self,
        verdict: DecideAction,
        ranges: &[RangeInclusive<usize>],
    ) -> ControlFlow<Ending> {
        let rows = self.changed_rows();
        let beyond =
            |range: &&RangeInclusive<usize>| *range.start() == 0 || *range.end() > rows.len();
        if let Some(range) = ranges.iter().find(beyond) {
            let number = if *range.start() == 0 { 0 } else { *range.end() };
            return self.say(&format!(
                "there is no line {number}: this hunk has {}; l prints them",
                plural(rows.len(), "changed line")
            ));
        }
        let named = |number: usize| ranges.iter().any(|range| range.contains(&number));
        let picked = rows
            .into_iter()
            .zip(1..)
            .filter(|(_, number)| named(*number));
        let picked: Vec<usize> = picked.map(|(row, _)| row).collect();
        let id = self.app.stream.hunk();
        decide_picked(&mut self.app, &picked, verdict);
        self.tell_notice()?;
        let hunk = id.and_then(|id| self.app.session.hunk(id));
        if hunk.is_some_and(|hunk| hunk.state.is_open()) || self.is_all_decided() {
            self.shown = id.map(|id| self.now(id));
            return ControlFlow::Continue(());
        }
        self.obey(Command::Jump(Landmark::Undecided, Direction::Forward))
    }

    /// The rows of the changed lines of the hunk, by their positions.
    fn changed_rows(&self) -> Vec<usize> {
        let Some(id) = self.app.stream.hunk() else {
            return Vec::new();
        };
        let rows = &self.app.stream.rows;
        let own =
            |idx: &usize| matches!(rows.get(*idx), Some(Row::Change { id: of, .. }) if of == id);
        rows.parts_of(id.file).flatten().filter(own).collect()
    }
}
