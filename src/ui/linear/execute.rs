//! Doing what is answered to a hunk.

use std::ops::ControlFlow;

use super::Linear;
use super::answers::{self, ANSWERS, AnswerAction};
use super::line_io::LineEvent;
use crate::review::{Decision, Direction, HunkId, Mark, Target, left_out};
use crate::text::plural;
use crate::ui::action::{Action, Effect};
use crate::ui::command::{Command, DecideAction, Landmark, Leaving, Scope};
use crate::ui::editor::Editor;
use crate::ui::event_loop::message::Message;
use crate::ui::outcome::Ending;
use crate::ui::services::external_editor::ExternalEdit;
use crate::ui::services::threads::ThreadNews;
use crate::ui::state::mode::{Mode, PromptPurpose, Question, TextPurpose};
use crate::ui::state::reader::ReaderContent;
use crate::ui::state::shown_lines::never_shown;
use crate::ui::update::update;

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
            AnswerAction::Command(Command::Place(_)) => self.place(),
            AnswerAction::Command(to @ Command::Jump(Landmark::Attention, Direction::Forward)) => {
                self.next_attention(to)
            }
            AnswerAction::Command(Command::Split) if !self.has_gap() => {
                self.say("this hunk has no unchanged line in it to split at")
            }
            AnswerAction::Command(Command::Split) => self.split(),
            AnswerAction::Command(command) => self.obey(command),
        }
    }

    /// Splits the hunk, and shows the first part: on the screen both are in sight, and the cursor goes to the second.
    fn split(&mut self) -> ControlFlow<Ending> {
        let first = self.app.stream.hunk();
        let answered = self.obey(Command::Split);
        if let Some(first) = first {
            self.app.go_to_hunk(first);
        }
        answered
    }

    /// Goes to the next thing that needs attention; after the last one, to the first.
    fn next_attention(&mut self, to: Command) -> ControlFlow<Ending> {
        let here = self.app.stream.cursor;
        update(&mut self.app, Action::Command(to, None));
        if self.app.stream.cursor != here {
            return self.tell_notice();
        }
        self.app.stream.cursor = 0;
        update(&mut self.app, Action::Command(to, None));
        if self.app.notice.is_some() {
            self.app.stream.cursor = here;
            return self.tell_notice();
        }
        if self.app.stream.cursor == here {
            return self.say("nothing else needs attention");
        }
        self.say("wrapped to the start")
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
            Mode::Prompt(prompt) => {
                let PromptPurpose::Text(purpose) = &prompt.purpose else {
                    return ControlFlow::Continue(());
                };
                let is_comment = !matches!(purpose, TextPurpose::Ask(..) | TextPurpose::Reply(_));
                self.fill_prompt(purpose.title(), is_comment)
            }
            Mode::Review
            | Mode::Lines { .. }
            | Mode::FileList
            | Mode::Edit(_)
            | Mode::Place(_)
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
                let threads = self.threads.as_ref();
                let is_sent = threads.is_some_and(|threads| threads.send(*request).is_ok());
                if is_sent {
                    return self.await_stored();
                }
                let news = ThreadNews::without_worker();
                update(&mut self.app, Action::ThreadNews(news));
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

    /// Waits until a request about threads has its outcome: nothing is printed of it before.
    fn await_stored(&mut self) -> ControlFlow<Ending> {
        while self.app.is_storing() {
            let heard = self.talk.hear();
            self.news(heard)?;
        }
        ControlFlow::Continue(())
    }

    /// Waits for the outcome of a request that was open when the review was broken off, until it is broken off again.
    pub(crate) fn await_stored_at_end(&mut self) {
        while self.app.is_storing() {
            match self.talk.hear() {
                LineEvent::News(Message::ThreadNews(news)) => {
                    update(&mut self.app, Action::ThreadNews(*news));
                }
                LineEvent::News(Message::Stop | Message::Interrupt) => return,
                LineEvent::Line(_) | LineEvent::News(_) => (),
            }
        }
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
        let (taken, left): (Vec<usize>, Vec<usize>) = open
            .partition(|&hunk| review.may_be_decided_with_others(&review.hunks[hunk], decision));
        let all = [id.hunk].into_iter().chain(taken);
        let target = |hunk| Target::Hunk(HunkId { hunk, ..id });
        let targets: Vec<Target> = all.map(target).collect();
        let accepted = targets.iter().filter(|_| decision == Decision::Accepted);
        let seen = accepted
            .filter_map(|target| self.app.session.seen_of(target))
            .sum();
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

    /// Asks for the line that fills a prompt, and takes it as the screen does.
    fn fill_prompt(&mut self, title: &str, is_comment: bool) -> ControlFlow<Ending> {
        let Mode::Prompt(prompt) = &self.app.mode else {
            return ControlFlow::Continue(());
        };
        let purpose = prompt.purpose.clone();
        let draft = Some(prompt.editor.text()).filter(|text| !text.is_empty());
        let keeps = match (is_comment, draft.is_none()) {
            (false, true) => "an empty line cancels",
            (false, false) => "an empty line sends the text from before, a single - drops it",
            (true, true) => "an empty line adds no comment",
            (true, false) => "an empty line keeps the comment, a single - removes it",
        };
        let line = self.ask(&format!("{title} ({keeps}):"))?;
        let line = line.replace(|c: char| c.is_control() && c != '\t', "");
        let draft = draft.filter(|_| !is_comment);
        let (text, done) = match (line.trim(), &draft) {
            ("", Some(draft)) => (draft.as_str(), ""),
            ("-", Some(_)) => ("", ""),
            ("", None) => {
                update(&mut self.app, Action::Command(Command::Back, None));
                return ControlFlow::Continue(());
            }
            ("-", None) if is_comment => ("", "the comment is removed"),
            (text, _) => (text, "the agent gets the comment"),
        };
        if let Mode::Prompt(prompt) = &mut self.app.mode {
            prompt.editor = Editor::prompt(text);
        }
        let effect = update(&mut self.app, Action::Command(Command::Submit, None));
        self.effect(effect)?;
        if matches!(self.app.mode, Mode::Prompt(_)) {
            // It was refused. The text stays for the next time.
            let (app, text) = (&mut self.app, text.to_owned());
            app.drafts.keep(&app.session, &purpose, text);
            app.mode = Mode::Review;
            return self.tell_notice();
        }
        if !is_comment {
            return self.tell_notice();
        }
        self.shown = self.app.stream.hunk().map(|id| self.now(id));
        self.say(done)
    }
}
