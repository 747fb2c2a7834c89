//! The whole state of the screen.

mod follow;
mod frame;

use std::collections::VecDeque;
use std::ops::Range;

use ratatui::layout::{Rect, Size};

use super::Options;
use super::batch::Batch;
use super::beside::{Change, Placed};
use super::check::Checking;
use super::colours::{Colours, Emphasis};
use super::command::Command;
use super::idle::Idle;
use super::keymap::{Keymap, Place};
use super::keys::Pending;
use super::look::Look;
use super::measure;
use super::mode::Mode;
use super::model::Asker;
use super::moves::Moves;
use super::reader::Reader;
use super::ruler::Rulers;
use super::screen::{BatchScreen, Screen};
use super::search::Search;
use super::stream::Stream;
use super::summary::Summaries;
use super::wrap;
use crate::review::{Call, Direction, HunkId, ReviewSession};

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
}
