//! The whole state of the screen.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use ratatui::layout::{Rect, Size};

use super::Options;
use super::batch::Batch;
use super::beside::{Change, Placed};
use super::check::Checking;
use super::colours::{Colours, Emphasis};
use super::command::Command;
use super::highlight::{Case, Half, Source, Want};
use super::idle::Idle;
use super::keymap::{Keymap, Place};
use super::keys::Pending;
use super::look::Look;
use super::measure;
use super::mode::Mode;
use super::model::Asker;
use super::moves::Moves;
use super::reader::{Reader, What};
use super::ruler::Rulers;
use super::screen::{BatchScreen, Screen};
use super::search::Search;
use super::stream::Stream;
use super::summary::Summaries;
use super::wrap;
use crate::review::{Call, ChangedLines, Direction, HunkId, ReviewSession, Row};
use crate::text::{Document, LineIdx};

/// The most lines of the agent's prose that are shown.
const INTENT: usize = 6;

/// The whole state of the screen. [`super::update`] changes it, [`super::view`] shows it.
pub struct App {
    /// What is reviewed.
    pub session: ReviewSession,
    /// It in numbers.
    pub summaries: Summaries,
    /// It as rows.
    pub stream: Stream,
    /// It as a list of files.
    pub batch: Batch,
    /// What the person is doing.
    pub mode: Mode,
    /// What was searched for.
    pub search: Search,
    /// What is shown and in which style.
    pub look: Look,
    /// The keys that hold.
    pub keymap: Keymap,
    /// The tokens of lines.
    pub colours: Colours,
    /// The words that differ.
    pub emphasis: Emphasis,
    /// The lines that were moved.
    pub moves: Moves,
    /// Where the columns of long lines are.
    pub rulers: Rulers,
    /// What the mouse holds.
    pub held: Held,
    /// What is to be said at the bottom until the next key.
    pub notice: Option<Notice>,
    /// The screen's size.
    pub size: Size,
    /// What is being typed that has not led to anything yet, to be shown.
    pub pending: Pending,
    /// What was placed anew and waits for its moment.
    pub placed: Option<Placed>,
    /// What has joined and left and waits for its moment.
    pub changes: VecDeque<Change>,
    /// What is shown while there is nothing to review, in a review that stays open.
    pub idle: Option<Idle>,
    /// What is read over the whole screen, if anything is.
    pub reader: Option<Reader>,
    /// How alike a reworded place must be, in hundredths, if that can be changed.
    pub precision: Option<u8>,
    /// The check command, if there is one.
    pub check: Option<Checking>,
    /// The apply model, if one is configured.
    pub model: Option<Asker>,
    /// Another number whenever anything was decided, edited or said.
    pub stamp: u64,
    /// How many results a grammar was asked to judge.
    pub cases: u64,
    /// Whether anything was decided, edited or said that nobody has been told of.
    changed: bool,
}

/// What the mouse holds while it moves with its button down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Held {
    /// Nothing that moves along.
    #[default]
    Nothing,
    /// The line between the list and the stream.
    Divider,
}

/// Something to be said at the bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What.
    pub text: String,
    /// How it is meant.
    pub tone: Tone,
}

/// How a notice is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Something was done.
    Done,
    /// Something could not be done.
    Refused,
}

impl App {
    /// The screen of a session, at a size.
    pub fn new(session: ReviewSession, options: &Options, size: Size) -> Self {
        measure::set(options.ambiguous);
        let look = options.look();
        let summaries = Summaries::new(&session);
        let mut app = Self {
            stream: Stream::new(&session, &look),
            batch: Batch::default(),
            mode: Mode::Review,
            search: Search::default(),
            colours: Colours::default(),
            emphasis: Emphasis::default(),
            moves: Moves::default(),
            rulers: Rulers::default(),
            held: Held::default(),
            notice: None,
            pending: Pending::default(),
            placed: None,
            changes: VecDeque::new(),
            idle: None,
            keymap: options.keymap.clone(),
            reader: None,
            precision: None,
            check: None,
            model: None,
            stamp: 0,
            cases: 0,
            changed: false,
            summaries,
            session,
            look,
            size: Size::ZERO,
        };
        app.batch.arrange(&app.session, &app.summaries);
        app.resize(size);
        if let Some(id) = app.summaries.next_undecided(None, Direction::Forward) {
            app.go_to_hunk(id);
        }
        app
    }

    /// The areas of the screen; `None` if it is too small.
    pub fn screen(&self) -> Option<Screen> {
        Screen::new(self.size, self.look.list_width_at(self.size.width))
    }

    /// Takes another size, or another choice of what is shown.
    pub fn resize(&mut self, size: Size) {
        self.size = size;
        let body = self
            .screen()
            .map_or(Rect::ZERO, |screen| screen.stream.body);
        let layout = self.look.layout_at(size.width);
        self.stream.body = body;
        if self.stream.layout == layout {
            self.stream.show_cursor(&self.session);
        } else {
            self.stream.layout = layout;
            self.stream.lay_out(&self.session);
        }
        self.batch.show_cursor(self.batch_page());
        if let Some(reader) = &mut self.reader {
            reader.fit(size.width);
        }
    }

    /// The areas of the list of all files.
    pub fn batch_screen(&self) -> BatchScreen {
        let problems = self.problem_lines(usize::from(self.size.height));
        BatchScreen::new(self.size, self.intent_lines().len(), problems.len())
    }

    /// What the agent says it wants, in lines that a screen of this width shows whole.
    pub fn intent_lines(&self) -> Vec<&str> {
        let width = usize::from(self.size.width).saturating_sub(2);
        let lines = self.intent().flat_map(|line| wrap::words(line, width));
        lines.take(INTENT).collect()
    }

    /// What could not be read of the input, in lines that a screen of this width shows whole; of many, so many. With each
    /// the position of its problem, and whether it begins there.
    pub fn problem_lines(&self, most: usize) -> Vec<(usize, bool, String)> {
        let width = usize::from(self.size.width).saturating_sub(4);
        let told = (self.session.problems.iter().enumerate()).flat_map(|(at, problem)| {
            let path = problem.path.as_ref().map(|path| format!("{path}: "));
            let text = format!("{}input {problem}", path.unwrap_or_default());
            let lines = wrap::words(&text, width).into_iter().enumerate();
            let lines = lines.map(|(nth, line)| (at, nth == 0, line.to_owned()));
            lines.collect::<Vec<_>>()
        });
        told.take(most).collect()
    }

    /// Who asks for the file of the cursor, in a review that stays open.
    pub fn call(&self) -> Option<&Call> {
        self.session.files.get(self.stream.file()?)?.call.as_deref()
    }

    /// What the agent says it wants, as far as there is room for it.
    pub fn intent(&self) -> impl Iterator<Item = &str> {
        let call = self.call().map(|call| call.intent.as_str());
        let intent = call.unwrap_or(&self.session.intent);
        let lines = intent.lines().map(str::trim_end);
        lines.filter(|line| !line.is_empty()).take(INTENT)
    }

    /// The lines that the list of all files has.
    pub fn batch_page(&self) -> usize {
        usize::from(self.batch_screen().list.body.height)
    }

    /// The first file that the list at the side shows, so that the one of the cursor is in sight. It stays while the cursor
    /// goes from file to file, and moves on by half a page.
    pub fn list_top(&self, page: usize) -> usize {
        let current = self.stream.file();
        let at = self
            .batch
            .files
            .iter()
            .position(|&file| Some(file) == current)
            .unwrap_or(0);
        let most = self.batch.files.len().saturating_sub(page);
        let step = (page / 2).max(1);
        let before = at.saturating_sub(page / 4) / step * step;
        before.min(most)
    }

    /// The file of the cursor: in the list of all files while that is shown, else in the stream.
    pub fn file(&self) -> Option<usize> {
        if matches!(self.mode, Mode::Batch) {
            self.batch.file()
        } else {
            self.stream.file()
        }
    }

    /// The rows that are selected, while rows are.
    pub fn selected(&self) -> Option<Range<usize>> {
        let Mode::Lines { from } = self.mode else {
            return None;
        };
        let here = self.stream.cursor;
        Some(from.min(here)..from.max(here) + 1)
    }

    /// Puts the cursor on a hunk.
    pub fn go_to_hunk(&mut self, id: HunkId) {
        if self.stream.folds.closed.contains(&id.file) {
            self.stream.open(&self.session, id.file, 0..0);
        }
        if let Some(row) = self.stream.rows.of_hunk(id) {
            self.stream.jump(&self.session, row);
        }
    }

    /// Says something at the bottom.
    pub fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            tone,
        });
    }

    /// Whether the apply model is asked something.
    pub fn is_asking(&self) -> bool {
        self.model
            .as_ref()
            .is_some_and(|model| model.open.is_some())
    }

    /// How a command is given in the review, for a sentence.
    pub fn key(&self, command: Command) -> String {
        self.keymap.told(Place::Stream, command)
    }

    /// Whether the review stays open and has nothing to review.
    pub fn is_idle(&self) -> bool {
        self.idle.is_some() && self.session.files.is_empty()
    }

    /// Takes note that decisions or comments changed: in one file, or anywhere.
    pub fn decided(&mut self, file: Option<usize>) {
        self.changed = true;
        self.stamp += 1;
        match file {
            Some(file) => self.summaries.renew(&self.session, file),
            None => self.summaries = Summaries::new(&self.session),
        }
    }

    /// Whether decisions, edits or comments have changed since this was asked last. An edit in progress counts at every key.
    pub fn has_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// Takes note that the session is another one on the same proposal; `before` is what it was.
    pub fn replaced(&mut self, before: &ReviewSession) {
        for file in 0..self.session.files.len() {
            self.colours.replaced(file);
        }
        self.emphasis = Emphasis::default();
        self.rulers.forget();
        self.search.recount();
        self.rearranged(before);
    }

    /// Takes note that files have come or gone; `before` is what the session was.
    pub fn rearranged(&mut self, before: &ReviewSession) {
        self.moves.changed(None);
        self.stream.replace(before, &self.session);
        self.decided(None);
        self.batch.arrange(&self.session, &self.summaries);
        self.batch.show_cursor(self.batch_page());
    }

    /// Takes note that a file's lines are others, wherever.
    pub fn rewritten(&mut self, file: usize) {
        self.search.recount();
        self.colours.replaced(file);
        self.emphasis.forget(file);
        self.moves.changed(Some(file));
        self.stream.lay_out_file(&self.session, file);
        self.decided(Some(file));
    }

    /// Takes note that the comments of a file are others, and so its rows.
    pub fn said(&mut self, file: usize) {
        self.stream.lay_out_file(&self.session, file);
        self.decided(Some(file));
    }

    /// Takes note that a file's lines may have changed, from a line of its right side on. `before` is what the right side
    /// was.
    pub fn edited(&mut self, file: usize, from: LineIdx, before: &Arc<Document>) {
        let Some(review) = self.session.files.get(file) else {
            return;
        };
        if !Arc::ptr_eq(review.yours(), before) {
            let shift = review.yours().len().cast_signed() - before.len().cast_signed();
            self.colours.changed(file, from, shift);
            self.emphasis.forget(file);
            self.moves.changed(Some(file));
            self.search.recount();
            self.stream.lay_out_file(&self.session, file);
        }
        self.decided(Some(file));
    }

    /// What a grammar is to judge: the result being read.
    pub fn case(&self) -> Option<Case> {
        let What::Result(result) = &self.reader.as_ref()?.what else {
            return None;
        };
        let review = self.session.files.get(result.file)?;
        Some(Case {
            number: self.cases,
            path: review.path.clone(),
            base: Arc::clone(&review.base),
            whole: Arc::clone(review.yours()),
            result: Arc::clone(&result.text),
        })
    }

    /// What is missing for the colours of the result being read.
    fn prepare_result(&mut self) -> Option<Vec<Want>> {
        let reader = self.reader.as_ref()?;
        let What::Result(result) = &reader.what else {
            return None;
        };
        let source = Source {
            file: result.file,
            half: Half::Result,
        };
        let end = (reader.top + usize::from(self.size.height)).min(result.text.len());
        let lines: Vec<_> = (reader.top..end).map(|line| (source, line)).collect();
        let text = Arc::clone(&result.text);
        self.colours.wants(&self.session, Some(&text), &lines)
    }

    /// What is to be looked through for moved lines, with the number that the answer needs; not while lines are being typed.
    pub fn wanted_moves(&mut self) -> Option<(u64, ChangedLines)> {
        if self.mode.edit().is_some() || self.summaries.unread > 0 {
            return None;
        }
        self.moves.wanted(&self.session)
    }

    /// Computes what the next frame needs for the rows on the screen; what is missing for their colours.
    pub fn prepare(&mut self) -> Option<Vec<Want>> {
        if self.reader.is_some() {
            return self.prepare_result();
        }
        let mut lines = Vec::new();
        for (idx, _) in self.stream.visible(&self.session) {
            let Some(row) = self.stream.rows.get(idx) else {
                continue;
            };
            let file = row.file();
            let source = |half| Source { file, half };
            let (old, new) = row.lines();
            lines.extend(old.map(|old| (source(Half::Base), old)));
            lines.extend(new.map(|new| (source(Half::Proposed), new)));
            if let Row::Change { id, line, .. } = row
                && self.look.words
            {
                self.emphasis.prepare(&self.session, id, line);
            }
        }
        for (source, line) in &lines {
            self.rulers.prepare(&self.session, *source, *line);
        }
        self.colours.wants(&self.session, None, &lines)
    }
}
