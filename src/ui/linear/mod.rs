//! A review line by line: one hunk at a time as plain text, and a prompt that takes a word.
//!
//! For screen readers, for terminals that cannot move their cursor, and for a pipe in the place of a terminal. Every line is
//! printed once and stays; nothing is drawn. The state is the screen's own [`App`], and what is answered does what a key of the screen
//! does, so that decisions, edits and comments come about by the same rules. A prompt is answered before anything else happens to what
//! it asks about: files that have changed on disk meanwhile are told after it.

mod answer;
mod finish;
mod lines;
mod obey;
mod place;
mod talk;
mod text;

use std::convert::Infallible;
use std::io;
use std::mem;
use std::ops::ControlFlow;

use ratatui::layout::Size;

use super::action::Action;
use super::app::App;
use super::beside::{self, Beside, Placed};
use super::check::{Check, CheckState, RunCheck};
use super::command::{Command, Landmark};
use super::input::Message;
use super::plan;
use super::update::{abort, update};
use super::{Ending, Options, Outcome};
use crate::review::{Direction, HunkId, Layout, ReviewSession};
use crate::text::counted;
pub use answer::{ANSWERS, Answer, Deed, ENDINGS};
use talk::{Heard, Talk};

/// Where answers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// From the terminal itself, whatever standard input is.
    Terminal,
    /// From standard input: that is not where the edits come from.
    Input,
}

/// The size that the screen would have; nothing is drawn on it.
const SIZE: Size = Size {
    width: 80,
    height: 24,
};
/// The most letters of answers that a prompt lists; `?` has all.
const OFFERED: &str = "y,n,a,d,e,s,l,c,u,j,k,q,?";
/// What is offered for a hunk that cannot be decided.
const OFFERED_WITHOUT_PLACE: &str = "m,c,j,J,k,K,q,?";

/// Reviews a session line by line.
pub(super) fn run(
    session: ReviewSession,
    options: Options,
    answers: Answers,
    beside: Beside<'_>,
) -> io::Result<Outcome> {
    let talk = Talk::open(answers)?;
    beside::forward(beside.placed, talk.sender.clone(), Message::Placed)?;
    let options = Options {
        layout: Some(Layout::Unified),
        list: Some(false),
        advance: true,
        keymap: answer::keymap(),
        ..options
    };
    let mut app = App::new(session, &options, SIZE);
    let connected = |check: Check| check.connect(&mut app, talk.sender.clone());
    let check = beside.check.map(connected).transpose()?;
    let precision = (beside.precision).map(|precision| precision.connect(&mut app));
    let mut linear = Linear {
        app,
        talk,
        changed: beside.changed,
        editor: options.editor,
        precision,
        check,
        placed: Vec::new(),
        shown: None,
        ended_at: None,
    };
    let ending = match linear.review(beside.notice) {
        ControlFlow::Break(ending) => ending,
        ControlFlow::Continue(never) => match never {},
    };
    linear.tell_changes();
    Ok(Outcome {
        session: linear.app.session,
        ending,
    })
}

/// What was printed last: the hunk, the state of the review, and the lines around it.
type Shown = (HunkId, u64, usize);

struct Linear<'a> {
    app: App,
    talk: Talk,
    changed: &'a mut dyn FnMut(&ReviewSession),
    editor: Option<String>,
    precision: Option<&'a mut dyn FnMut(Option<u64>, u8)>,
    check: Option<RunCheck>,
    /// What was placed anew and is not told yet.
    placed: Vec<Placed>,
    shown: Option<Shown>,
    /// The state of the review at which its end was asked for by itself.
    ended_at: Option<u64>,
}

impl Linear<'_> {
    fn review(&mut self, notice: Option<String>) -> ControlFlow<Ending, Infallible> {
        self.await_places()?;
        self.begin(notice)?;
        loop {
            self.settle()?;
            if self.is_all_decided() && self.ended_at != Some(self.app.stamp) {
                self.ended_at = Some(self.app.stamp);
                self.finish()?;
                continue;
            }
            self.show()?;
            let question = self.question();
            let word = self.ask(&question)?;
            self.answer(&word)?;
        }
    }

    /// Waits until everything has its place, if it was shown in outline.
    fn await_places(&mut self) -> ControlFlow<Ending> {
        match self.app.summaries.unread {
            0 => return ControlFlow::Continue(()),
            n => self.say(&format!("{n} files are being placed"))?,
        }
        while self.app.summaries.unread > 0 {
            match self.talk.hear() {
                Heard::News(Message::Placed(placed)) => {
                    update(&mut self.app, Action::Placed(placed));
                    self.tell_notice()?;
                }
                Heard::Line(_) | Heard::News(Message::Stop | Message::Interrupt) => {
                    return self.abort();
                }
                Heard::News(_) => (),
            }
        }
        ControlFlow::Continue(())
    }

    /// Says what there is to review.
    fn begin(&mut self, notice: Option<String>) -> ControlFlow<Ending> {
        let intent = self.app.intent().collect::<Vec<_>>().join("\n");
        if !intent.is_empty() {
            self.say(&intent)?;
            self.say("")?;
        }
        let counts = self.app.summaries.counts;
        let mut words = format!(
            "{}, {}",
            counted(counts.files, "file"),
            counted(counts.hunks, "hunk")
        );
        if counts.attention > 0 {
            words = format!(
                "{words}; {} without a place or not understood",
                counts.attention
            );
        }
        self.say(&format!("{words}; ? prints what can be answered"))?;
        if counts.hunks == 0 && counts.attention > 0 {
            let there = Command::Jump(Landmark::Attention, Direction::Forward);
            update(&mut self.app, Action::Command(there, None));
            self.app.notice = None;
        }
        match notice {
            Some(notice) => self.say(&notice),
            None => ControlFlow::Continue(()),
        }
    }

    /// Takes note of what has happened beside the review.
    fn settle(&mut self) -> ControlFlow<Ending> {
        for heard in self.talk.heard() {
            self.news(heard)?;
        }
        for placed in mem::take(&mut self.placed) {
            update(&mut self.app, Action::Placed(Box::new(placed)));
            self.tell_notice()?;
        }
        self.tell_changes();
        ControlFlow::Continue(())
    }

    /// Takes what has happened while nothing was decided by it; whether it was said.
    fn news(&mut self, heard: Heard) -> ControlFlow<Ending, bool> {
        match heard {
            Heard::Line(_) | Heard::News(Message::Stop | Message::Interrupt) => self.abort()?,
            Heard::News(Message::Placed(placed)) => self.placed.push(*placed),
            Heard::News(Message::Checked(news)) => {
                let ended = matches!(news.what, CheckState::Ended { .. });
                update(&mut self.app, Action::Checked(*news));
                if ended {
                    let lines = plan::check(&self.app);
                    self.print_plan(&lines)?;
                }
                return ControlFlow::Continue(ended);
            }
            Heard::News(Message::Continued) => return ControlFlow::Continue(true),
            Heard::News(
                Message::Input(_)
                | Message::Resized
                | Message::Painted(_)
                | Message::Changed(_)
                | Message::Judged(_)
                | Message::Answered(_)
                | Message::Moved(..)
                | Message::Seen,
            ) => (),
        }
        ControlFlow::Continue(false)
    }

    /// Has decisions, edits and comments written down.
    fn tell_changes(&mut self) {
        if self.app.has_changed() {
            (self.changed)(&self.app.session);
        }
    }

    /// Prints the hunk of the cursor, unless that is what was printed last.
    fn show(&mut self) -> ControlFlow<Ending> {
        let Some(id) = self.app.stream.hunk() else {
            return ControlFlow::Continue(());
        };
        let now = self.now(id);
        if self.shown == Some(now) {
            return ControlFlow::Continue(());
        }
        if let Some((number, lines)) = self.app.wanted_moves() {
            update(&mut self.app, Action::Moved(number, lines.moved()));
        }
        self.say("")?;
        if self.shown.is_none_or(|(shown, _, _)| shown.file != id.file) {
            for line in text::head(&self.app, id.file) {
                self.say(&line)?;
            }
        }
        let lines = text::hunk(&self.app, id).join("\n");
        self.shown = Some(now);
        self.say(&lines)
    }

    /// Whether nothing is left to decide, and there was something: what has no place may get one.
    fn is_all_decided(&self) -> bool {
        let counts = &self.app.summaries.counts;
        counts.undecided + counts.mixed == 0 && (counts.hunks > 0 || counts.attention == 0)
    }

    /// What would be printed of a hunk now.
    fn now(&self, id: HunkId) -> Shown {
        (id, self.app.stamp, self.app.stream.folds.context)
    }

    /// What the prompt says: which hunk it is about, and what can be answered.
    fn question(&self) -> String {
        let Some(id) = self.app.stream.hunk() else {
            return "There is no hunk [!,q,?]?".to_owned();
        };
        let of = self.app.summaries.counts.hunks;
        let hunks = self.app.session.hunks();
        let mut decidable = hunks.filter(|(_, hunk)| hunk.is_decidable());
        match decidable.position(|(other, _)| other == id) {
            Some(at) => format!("({}/{of}) Accept this hunk [{OFFERED}]?", at + 1),
            None => format!("This hunk has no place [{OFFERED_WITHOUT_PLACE}]?"),
        }
    }

    /// Asks for one line, and takes note of what happens until it is there.
    fn ask(&mut self, question: &str) -> ControlFlow<Ending, String> {
        self.lost_or(Talk::ask, question)?;
        self.talk.listen();
        loop {
            match self.talk.hear() {
                Heard::Line(Some(line)) => return ControlFlow::Continue(line),
                heard @ (Heard::Line(None) | Heard::News(_)) => {
                    if self.news(heard)? {
                        self.lost_or(Talk::ask, question)?;
                    }
                }
            }
        }
    }

    /// Asks a question that only `y` answers with yes.
    fn is_sure(&mut self, question: &str) -> ControlFlow<Ending, bool> {
        let word = self.ask(&format!("{question} [y,n]?"))?;
        ControlFlow::Continue(word.trim() == "y")
    }

    /// Says what came of the last command, if there is something to say.
    fn tell_notice(&mut self) -> ControlFlow<Ending> {
        match self.app.notice.take() {
            Some(notice) => self.say(&notice.text),
            None => ControlFlow::Continue(()),
        }
    }

    fn abort(&mut self) -> ControlFlow<Ending> {
        // Whether that is still seen does not matter.
        let _ = self.talk.say("");
        let effect = abort(&mut self.app);
        self.effect(effect)
    }

    fn say(&mut self, text: &str) -> ControlFlow<Ending> {
        self.lost_or(Talk::say, text)
    }

    /// Who can no longer be talked to has left, and nothing is accepted by that.
    fn lost_or(
        &mut self,
        talk: fn(&mut Talk, &str) -> io::Result<()>,
        text: &str,
    ) -> ControlFlow<Ending> {
        if talk(&mut self.talk, text).is_err() {
            return ControlFlow::Break(Ending::Aborted);
        }
        ControlFlow::Continue(())
    }
}
