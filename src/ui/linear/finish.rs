//! The end of a review: what would be written is said, and nothing is written before that is answered.

use std::ops::ControlFlow;

use super::Linear;
use super::answers::{self, AnswerAction, ENDINGS, LinearAnswer};
use crate::ui::command::{Command, Editing};
use crate::ui::outcome::Ending;
use crate::ui::state::availability::is_available;
use crate::ui::state::finish_notes::finish_notes;
use crate::ui::state::mode::Mode;
use crate::ui::state::outcome_counts::outcome_counts;
use crate::ui::state::plan;
use crate::ui::state::reader::{PlanKind, PlanLine};

impl Linear<'_> {
    /// Says what would be written, and asks for the end.
    pub(crate) fn finish(&mut self) -> ControlFlow<Ending> {
        self.print_outcome()?;
        loop {
            let accepts = Command::Edit(Editing::AcceptAll);
            let edits = if is_available(&self.app, accepts) {
                (", accept edits", ",a")
            } else {
                ("", "")
            };
            let (edits, letter) = edits;
            let question =
                format!("Write{edits}, keep for later, discard, or back [w{letter},k,d,b,?]?");
            let word = self.ask(&question)?;
            match answers::of(&word, &ENDINGS) {
                Some(AnswerAction::Command(Command::Back)) => {
                    self.shown = None;
                    return ControlFlow::Continue(());
                }
                Some(AnswerAction::Command(command)) if command == accepts => {
                    self.obey(command)?;
                    self.print_outcome()?;
                }
                Some(AnswerAction::Command(command)) => {
                    self.app.mode = Mode::Finish;
                    return self.obey(command);
                }
                Some(
                    AnswerAction::Help
                    | AnswerAction::Print
                    | AnswerAction::Number
                    | AnswerAction::Onward(_),
                ) => {
                    self.help(&ENDINGS)?;
                }
                None if word.trim().is_empty() => (),
                None => self.say(&format!(
                    "`{}` is no answer here; ? prints them",
                    word.trim()
                ))?,
            }
        }
    }

    /// Prints what would be written, and what else there is to know.
    fn print_outcome(&mut self) -> ControlFlow<Ending> {
        self.say("")?;
        let counts: Vec<_> = outcome_counts(&self.app.session, &self.app.summaries).collect();
        for outcome in counts {
            self.say(&format!("{} {}", outcome.count, outcome.words))?;
        }
        for words in finish_notes(&self.app) {
            self.say(&words)?;
        }
        let mut lines = plan::written(&self.app.session);
        lines.retain(|line| line.kind != PlanKind::Quiet);
        self.print_plan(&lines)
    }

    /// Prints what can be answered.
    pub(crate) fn help(&mut self, answers: &[LinearAnswer]) -> ControlFlow<Ending> {
        let lines = answers
            .iter()
            .map(|answer| format!("{:<3}{}\n", answer.word, answer.help));
        let lines: String = lines.collect();
        self.say(&lines)
    }

    /// Prints lines of the plan.
    pub(crate) fn print_plan(&mut self, lines: &[PlanLine]) -> ControlFlow<Ending> {
        self.say("")?;
        let lines = lines.iter().map(|line| line.text.as_str());
        self.say(&lines.collect::<Vec<_>>().join("\n"))
    }
}
