//! Review line by line: one hunk at a time as plain text, and a prompt for a word.
//!
//! For screen readers, for terminals that cannot move their cursor, and for pipes. Every line is printed
//! once; nothing is drawn. The state is the screen's own [`App`], and answers run the same commands as keys
//! on the screen, so the same rules apply. Only the loop is its own: it waits for a whole line and prints once,
//! where the screen's takes keys and draws frames. Files that change on disk while a prompt is open are reported
//! after its answer.

mod answers;
mod execute;
mod finish;
mod hunk_text;
mod line_decisions;
mod line_io;
mod manual_placement;

use std::convert::Infallible;
use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::sync::mpsc::Sender;

use ratatui::layout::Size;
use rustc_hash::FxHashSet;

use crate::review::{Direction, HunkId, Layout, ReviewSession};
use crate::text::plural;
use crate::ui::action::Action;
use crate::ui::command::{Command, Landmark};
use crate::ui::event_loop::connect::forward;
use crate::ui::event_loop::message::Message;
use crate::ui::file_list::Sort;
use crate::ui::options::{Answers, ScreenOptions};
use crate::ui::outcome::{Ending, ReviewOutcome};
use crate::ui::services::background::{Placed, Services};
use crate::ui::services::check::{Check, CheckState, RunCheck};
use crate::ui::services::threads::{ThreadRequest, ThreadService};
use crate::ui::state::app::App;
use crate::ui::state::plan;
use crate::ui::update::{abort, update};
pub use answers::{ANSWERS, AnswerAction, ENDINGS, LinearAnswer};
use line_io::{LineEvent, LineIo};

/// The size that the screen would have; nothing is drawn on it.
const SIZE: Size = Size {
    width: 80,
    height: 24,
};
/// The most letters of answers that a prompt lists; `?` has all.
const OFFERED: &str = "y,n,a,d,e,s,l,c,u,j,k,q,?";
/// Answers offered for a hunk without a place.
const OFFERED_WITHOUT_PLACE: &str = "n,m,c,u,j,k,q,?";

/// Reviews a session line by line.
pub(crate) fn run(
    session: ReviewSession,
    options: ScreenOptions,
    answers: Answers,
    services: Services<'_>,
) -> io::Result<ReviewOutcome> {
    let talk = LineIo::open(answers)?;
    forward(services.placed, talk.sender.clone(), Message::Placed)?;
    let options = ScreenOptions {
        layout: Some(Layout::Unified),
        list: Some(false),
        advance: true,
        order: Sort::Proposal,
        keymap: answers::keymap(),
        ..options
    };
    let mut app = App::new(session, &options, SIZE);
    app.stream.folds.shows_all_changes = true;
    app.stream.lay_out(&app.session);
    let connected = |check: Check| check.connect(&mut app, talk.sender.clone());
    let check = services.check.map(connected).transpose()?;
    let precision = (services.precision).map(|precision| precision.connect(&mut app));
    let connected = |threads: ThreadService| threads.connect(&mut app, talk.sender.clone());
    let threads = services.threads.map(connected).transpose()?;
    let mut linear = Linear {
        app,
        talk,
        changed: services.changed,
        editor: options.editor,
        precision,
        check,
        threads,
        placed: Vec::new(),
        shown: None,
        visited: FxHashSet::default(),
        ended_at: None,
    };
    let ending = match linear.review(services.notice) {
        ControlFlow::Break(ending) => ending,
        ControlFlow::Continue(never) => match never {},
    };
    linear.tell_changes();
    linear.await_stored_at_end();
    let unsent = linear.app.unsent(ending);
    Ok(ReviewOutcome {
        session: linear.app.session,
        ending,
        unsent,
    })
}

/// The last printed hunk, with the revision of the review and the lines of context.
type PrintedHunk = (HunkId, u64, usize);

struct Linear<'a> {
    app: App,
    talk: LineIo,
    changed: &'a mut dyn FnMut(&ReviewSession),
    editor: Option<String>,
    precision: Option<&'a mut dyn FnMut(Option<u64>, u8)>,
    check: Option<RunCheck>,
    threads: Option<Sender<ThreadRequest>>,
    /// Refreshed sessions that are not shown yet.
    placed: Vec<Placed>,
    shown: Option<PrintedHunk>,
    /// The hunks that were printed.
    visited: FxHashSet<HunkId>,
    /// The state of the review at which its end was asked for by itself.
    ended_at: Option<u64>,
}

impl Linear<'_> {
    fn review(&mut self, notice: Option<String>) -> ControlFlow<Ending, Infallible> {
        self.await_places()?;
        self.app.session.count_seen();
        self.begin(notice)?;
        loop {
            self.settle()?;
            if self.is_all_decided() && self.ended_at != Some(self.app.revision) {
                self.ended_at = Some(self.app.revision);
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
                LineEvent::News(Message::Placed(placed)) => {
                    update(&mut self.app, Action::Placed(placed));
                    self.tell_notice()?;
                }
                LineEvent::Line(_) | LineEvent::News(Message::Stop | Message::Interrupt) => {
                    return self.abort();
                }
                LineEvent::News(_) => (),
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
            plural(counts.files, "file"),
            plural(counts.hunks, "hunk")
        );
        match self.app.summaries.needs_attention {
            0 => (),
            1 => words.push_str("; 1 needs attention"),
            n => words = format!("{words}; {n} need attention"),
        }
        self.say(&format!("{words}; ? prints what can be answered"))?;
        if counts.hunks == 0 && counts.unplaced > 0 {
            let there = Command::Jump(Landmark::Attention, Direction::Forward);
            update(&mut self.app, Action::Command(there, None));
            self.app.notice = None;
        }
        match notice {
            Some(notice) => self.say(&notice),
            None => ControlFlow::Continue(()),
        }
    }

    /// Takes note of what has happened services the review.
    fn settle(&mut self) -> ControlFlow<Ending> {
        for heard in self.talk.pending_events() {
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
    fn news(&mut self, heard: LineEvent) -> ControlFlow<Ending, bool> {
        match heard {
            LineEvent::Line(_) | LineEvent::News(Message::Stop | Message::Interrupt) => {
                self.abort()?;
            }
            LineEvent::News(Message::Placed(placed)) => self.placed.push(*placed),
            LineEvent::News(Message::CheckNews(news)) => {
                let ended = matches!(news.what, CheckState::Ended { .. });
                update(&mut self.app, Action::CheckNews(*news));
                if ended {
                    let lines = plan::check(&self.app);
                    self.print_plan(&lines)?;
                }
                return ControlFlow::Continue(ended);
            }
            LineEvent::News(Message::ThreadNews(news)) => {
                update(&mut self.app, Action::ThreadNews(*news));
                let is_told = self.app.notice.is_some();
                self.tell_notice()?;
                return ControlFlow::Continue(is_told);
            }
            LineEvent::News(Message::Continued) => return ControlFlow::Continue(true),
            LineEvent::News(
                Message::Input(_)
                | Message::Resized
                | Message::Highlighted(_)
                | Message::Changed(_)
                | Message::SyntaxChecked(_)
                | Message::ModelNews(_)
                | Message::MovedLinesFound(..)
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
            update(
                &mut self.app,
                Action::MovedLinesFound(number, lines.moved()),
            );
        }
        self.say("")?;
        if self.shown.is_none_or(|(shown, _, _)| shown.file != id.file) {
            for line in hunk_text::head(&self.app, id.file) {
                self.say(&line)?;
            }
        }
        let lines = hunk_text::hunk(&self.app, id).join("\n");
        self.app.session.mark_hunk_seen(id);
        self.shown = Some(now);
        self.visited.insert(id);
        self.say(&lines)
    }

    /// Returns true if nothing is left to decide, and there was something; hunks without a place that were printed may still
    /// get one.
    fn is_all_decided(&self) -> bool {
        let counts = &self.app.summaries.counts;
        let mut hunks = self.app.session.hunks().map(|(id, _)| id);
        let is_unvisited = |id| self.app.summaries.hunk(id).waits && !self.visited.contains(&id);
        let is_decided = counts.undecided + counts.mixed == 0 && !hunks.any(is_unvisited);
        is_decided && (counts.hunks > 0 || counts.unplaced == 0)
    }

    /// Identifies the current printing of a hunk.
    fn now(&self, id: HunkId) -> PrintedHunk {
        (id, self.app.revision, self.app.stream.folds.context)
    }

    /// Returns the prompt: the number of the hunk and the possible answers.
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
        self.lost_or(LineIo::ask, question)?;
        self.talk.listen();
        loop {
            match self.talk.hear() {
                LineEvent::Line(Some(line)) => return ControlFlow::Continue(line),
                heard @ (LineEvent::Line(None) | LineEvent::News(_)) => {
                    if self.news(heard)? {
                        self.lost_or(LineIo::ask, question)?;
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
        self.lost_or(LineIo::say, text)
    }

    /// Ends the review as aborted if the terminal is lost; nothing is accepted then.
    fn lost_or(
        &mut self,
        talk: fn(&mut LineIo, &str) -> io::Result<()>,
        text: &str,
    ) -> ControlFlow<Ending> {
        if talk(&mut self.talk, text).is_err() {
            return ControlFlow::Break(Ending::Aborted);
        }
        ControlFlow::Continue(())
    }
}
