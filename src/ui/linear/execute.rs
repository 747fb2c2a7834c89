//! Doing what is answered to a hunk.

use std::ops::ControlFlow;

use super::Linear;
use super::answers::{self, ANSWERS, AnswerAction};
use super::line_io::LineEvent;
use crate::review::{Decision, Direction, HunkId, Mark, Spot, Target, left_out};
use crate::text::plural;
use crate::ui::action::{Action, Effect};
use crate::ui::command::{About, Command, DecideAction, Landmark, Leaving, Scope};
use crate::ui::event_loop::message::Message;
use crate::ui::outcome::Ending;
use crate::ui::services::external_editor::ExternalEdit;
use crate::ui::state::mode::{Mode, Question};
use crate::ui::state::reader::ReaderContent;
use crate::ui::state::shown_lines::never_shown;
use crate::ui::update::{ask_about, update};

impl Linear<'_> {
    /// Does what a word at the prompt means.
    pub(crate) fn answer(&mut self, word: &str) -> ControlFlow<Ending> {
        match answers::of_lines(word) {
            Some(Ok((verdict, ranges))) => return self.decide_lines(verdict, &ranges),
            Some(Err(part)) => {
                let words = format!("`{part}` names no lines; as in y 1-3 5, and l prints them");
                return self.say(&words);
            }
            None => (),
        }
        let deed = match answers::of(word, &ANSWERS) {
            Some(deed) => deed,
            None if word.trim().is_empty() => return ControlFlow::Continue(()),
            None => {
                return self.say(&format!(
                    "`{}` is no answer here; ? prints them",
                    word.trim()
                ));
            }
        };
        match deed {
            AnswerAction::Help => self.help(&ANSWERS),
            AnswerAction::Print => {
                self.shown = None;
                ControlFlow::Continue(())
            }
            AnswerAction::Number => self.number_lines(),
            AnswerAction::Onward(verdict) => self.onward(verdict),
            AnswerAction::Command(Command::Leave(Leaving::Ask)) => self.finish(),
            AnswerAction::Command(Command::Comment(about)) => self.comment(about),
            AnswerAction::Command(Command::AskAgent) => self.ask_agent(),
            AnswerAction::Command(Command::Place(_)) => self.place(),
            AnswerAction::Command(Command::Split) if !self.has_gap() => {
                self.say("this hunk has no unchanged line in it to split at")
            }
            AnswerAction::Command(command) => self.obey(command),
        }
    }

    /// Returns true if the hunk has unchanged lines between its changed ones.
    fn has_gap(&self) -> bool {
        let hunk = self
            .app
            .stream
            .hunk()
            .and_then(|id| self.app.session.hunk(id));
        hunk.is_some_and(|hunk| hunk.state.runs().len() > 1)
    }

    /// Does what a key of the screen does, and says what came of it.
    pub(crate) fn obey(&mut self, command: Command) -> ControlFlow<Ending> {
        let effect = update(&mut self.app, Action::Command(command, None));
        self.effect(effect)?;
        if matches!(command, Command::Decide(Scope::Here, _)) && self.is_all_decided() {
            // The end is asked for by itself.
            self.app.notice = None;
        }
        self.tell_notice()?;
        match &self.app.mode {
            Mode::Question(Question::Rest {
                decision,
                changed,
                left,
                seen,
                ..
            }) => {
                let verb = decision.verb();
                let but = match left {
                    0 => String::new(),
                    n => format!("; {}", left_out(*n)),
                };
                let hunks = plural(*changed, "hunk");
                let lines = never_shown(*seen, "line");
                let lines = lines.map_or_else(String::new, |lines| format!(" ({lines})"));
                self.ask_rest(&format!("{verb} the remaining {hunks}{lines}{but}"))
            }
            Mode::Read => {
                let plan = self
                    .app
                    .reader
                    .as_ref()
                    .and_then(|reader| match &reader.what {
                        ReaderContent::Plan(plan) => Some(plan.lines.clone()),
                        ReaderContent::Result(_) | ReaderContent::Compare(_) => None,
                    });
                update(&mut self.app, Action::Command(Command::Back, None));
                self.print_plan(&plan.unwrap_or_default())
            }
            Mode::Review
            | Mode::Lines { .. }
            | Mode::FileList
            | Mode::Edit(_)
            | Mode::Place(_)
            | Mode::Prompt(_)
            | Mode::Question(Question::Drop(_))
            | Mode::Finish
            | Mode::Help { .. } => ControlFlow::Continue(()),
        }
    }

    /// Asks whether to decide all the rest.
    fn ask_rest(&mut self, question: &str) -> ControlFlow<Ending> {
        let answer = if self.is_sure(question)? {
            Command::Yes
        } else {
            Command::Back
        };
        update(&mut self.app, Action::Command(answer, None));
        self.tell_notice()
    }

    pub(crate) fn effect(&mut self, effect: Effect) -> ControlFlow<Ending> {
        match effect {
            Effect::End(ending) => return ControlFlow::Break(ending),
            Effect::OpenEditor(errand) => return self.edit(errand),
            Effect::Check => {
                if let (Some(run), Some(check)) = (&mut self.check, &self.app.check) {
                    run(check.run, check.task, &self.app.session);
                }
            }
            Effect::Match { call, percent } => {
                if let Some(set) = &mut self.precision {
                    set(call, percent);
                    return self.await_match(percent);
                }
            }
            Effect::Thread(request) => {
                if let Some(threads) = &self.threads {
                    // A worker that has ended keeps nothing more.
                    let _ = threads.send(*request);
                }
            }
            // Nothing that can be answered leads to these.
            Effect::None
            | Effect::Suspend
            | Effect::Copy(_)
            | Effect::Redraw
            | Effect::Judge
            | Effect::AskModel
            | Effect::GiveUpModel => (),
        }
        ControlFlow::Continue(())
    }

    /// Waits until everything is placed with another precision: what is answered next is about that.
    fn await_match(&mut self, percent: u8) -> ControlFlow<Ending> {
        self.tell_notice()?;
        loop {
            let heard = self.talk.hear();
            let done = matches!(&heard, LineEvent::News(Message::Placed(placed)) if placed.precision == Some(percent));
            self.news(heard)?;
            if done {
                return ControlFlow::Continue(());
            }
        }
    }

    /// Lets an editor have the terminal.
    fn edit(&mut self, errand: ExternalEdit) -> ControlFlow<Ending> {
        let result = errand.run(self.editor.as_deref());
        // An interrupt was meant for the editor.
        for heard in self.talk.pending_events() {
            if !matches!(heard, LineEvent::News(Message::Interrupt)) {
                self.news(heard)?;
            }
        }
        update(&mut self.app, Action::EditorEnded(errand, result));
        self.tell_notice()
    }

    /// Decides on the hunk of the cursor and on what is undecided after it in its file. Of what comes after, only what needs no
    /// look of its own is accepted.
    fn onward(&mut self, verdict: DecideAction) -> ControlFlow<Ending> {
        let decision = match verdict {
            DecideAction::Accept => Decision::Accepted,
            DecideAction::Reject | DecideAction::Clear | DecideAction::Toggle => Decision::Rejected,
        };
        let Some(id) = self.app.stream.hunk() else {
            return self.say("there is no hunk here");
        };
        let review = &self.app.session.files[id.file];
        let order = review.in_file_order().into_iter();
        let later = order.skip_while(|&hunk| hunk != id.hunk).skip(1);
        let open = later.filter(|&hunk| review.hunks[hunk].mark() == Some(Mark::Undecided));
        let (taken, left): (Vec<usize>, Vec<usize>) = open.partition(|&hunk| {
            decision == Decision::Rejected || review.may_be_swept(&review.hunks[hunk])
        });
        let all = [id.hunk].into_iter().chain(taken);
        let target = |hunk| Target::Hunk(HunkId { hunk, ..id });
        let targets: Vec<Target> = all.map(target).collect();
        let accepted = |target| {
            let accepts = decision == Decision::Accepted;
            accepts.then(|| self.app.session.seen_of(target)).flatten()
        };
        let seen = targets.iter().filter_map(accepted).sum();
        let decided = self.app.session.decide_all(&targets, decision);
        self.app.decisions_changed(Some(id.file));
        let word = decision.name();
        let mut words = format!("{} {word}", plural(decided.changed, "hunk"));
        if let Some(lines) = never_shown(Some(seen), "line") {
            words = format!("{words}: {lines}");
        }
        if !left.is_empty() {
            words = format!("{words}; {}", left_out(left.len()));
        }
        self.say(&words)?;
        if self.is_all_decided() {
            return ControlFlow::Continue(());
        }
        self.obey(Command::Jump(Landmark::Undecided, Direction::Forward))
    }

    /// Asks for a question to the agent about the hunk.
    fn ask_agent(&mut self) -> ControlFlow<Ending> {
        let Some(id) = self.app.stream.hunk().filter(|_| self.threads.is_some()) else {
            return self.say("there is no hunk here, or questions cannot be kept");
        };
        let line = self.ask("Ask the agent about this hunk (nothing asks nothing):")?;
        let line = line.replace(|c: char| c.is_control() && c != '\t', "");
        let text = Some(line.trim().to_owned()).filter(|text| !text.is_empty());
        let effect = ask_about(&mut self.app, id.file, &Spot::Hunk(id.hunk), text);
        self.effect(effect)?;
        self.tell_notice()
    }

    /// Asks for a comment.
    fn comment(&mut self, about: About) -> ControlFlow<Ending> {
        let Some(id) = self.app.stream.hunk() else {
            return self.say("there is no hunk here");
        };
        let session = &self.app.session;
        let (what, said) = match about {
            About::Hunk => {
                let said = session
                    .hunk(id)
                    .and_then(|hunk| hunk.state.comment.as_deref());
                ("this hunk", said)
            }
            About::File => ("this file", session.files[id.file].comment.as_deref()),
            About::Batch => ("the whole batch", session.said_of_batch(Some(id.file))),
        };
        let keeps = if said.is_some() {
            "nothing keeps what is said, a single - takes it away"
        } else {
            "nothing says nothing"
        };
        let question = format!("Comment on {what}, for the agent ({keeps}):");
        let line = self.ask(&question)?;
        let line = line.replace(|c: char| c.is_control() && c != '\t', "");
        let said = match line.trim() {
            "" => return ControlFlow::Continue(()),
            "-" => None,
            text => Some(text.to_owned()),
        };
        let done = if said.is_some() {
            "the agent gets the comment"
        } else {
            "the comment is gone"
        };
        let session = &mut self.app.session;
        match about {
            About::Hunk => session.comment(id, said),
            About::File => session.comment_file(id.file, said),
            About::Batch => session.say_of_batch(Some(id.file), said),
        }
        self.app.comments_changed(id.file);
        self.shown = Some(self.now(id));
        self.say(done)
    }
}
