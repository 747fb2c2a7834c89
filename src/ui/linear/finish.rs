//! The end of a review: what would be written is said, and nothing is written before that is answered.

use std::ops::ControlFlow;

use super::Linear;
use super::answer::{self, Answer, Deed, ENDINGS};
use crate::ui::Ending;
use crate::ui::command::Command;
use crate::ui::fates::fates;
use crate::ui::plan;
use crate::ui::reader::{PlanKind, PlanLine};

impl Linear<'_> {
    /// Says what would be written, and asks for the end.
    pub(super) fn finish(&mut self) -> ControlFlow<Ending> {
        self.say("")?;
        let counts = self.app.summaries.counts;
        let fates: Vec<_> = fates(&self.app.session, &counts).collect();
        for fate in fates {
            self.say(&format!("{} {}", fate.count, fate.words))?;
        }
        let mut lines = plan::written(&self.app.session);
        lines.retain(|line| line.kind != PlanKind::Quiet);
        self.print_plan(&lines)?;
        loop {
            let word = self.ask("Write, keep for later, discard, or back [w,k,d,b,?]?")?;
            match answer::of(&word, &ENDINGS) {
                Some(Deed::Command(Command::Back)) => {
                    self.shown = None;
                    return ControlFlow::Continue(());
                }
                Some(Deed::Command(command)) => return self.obey(command),
                Some(Deed::Help | Deed::Print | Deed::Number | Deed::Onward(_)) => {
                    self.help(&ENDINGS)?;
                }
                None => (),
            }
        }
    }

    /// Prints what can be answered.
    pub(super) fn help(&mut self, answers: &[Answer]) -> ControlFlow<Ending> {
        let lines = answers
            .iter()
            .map(|answer| format!("{:<3}{}\n", answer.word, answer.help));
        let lines: String = lines.collect();
        self.say(&lines)
    }

    /// Prints lines of the plan.
    pub(super) fn print_plan(&mut self, lines: &[PlanLine]) -> ControlFlow<Ending> {
        self.say("")?;
        let lines = lines.iter().map(|line| line.text.as_str());
        self.say(&lines.collect::<Vec<_>>().join("\n"))
    }
}
