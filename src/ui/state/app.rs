//! The whole state of the screen.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use ratatui::layout::{Rect, Size};

use super::column_index::ColumnIndexes;
use super::empty_state::EmptyState;
use super::heading_cache::HeadingCache;
use super::known_threads::KnownThreads;
use super::mode::Mode;
use super::moved_lines::MovedLines;
use super::prompt_draft::Drafts;
use super::reader::Reader;
use super::threshold_history::ThresholdHistory;
use super::waiting_agents::WaitingAgents;
use crate::review::{Call, Direction, HunkId, Layout, ReviewSession};
use crate::ui::command::Command;
use crate::ui::file_list::{FileList, FileListRow, Sort};
use crate::ui::glyphs::{terminal_width, wrap};
use crate::ui::highlight::token_cache::{TokenCache, WordCache};
use crate::ui::keymap::key_sequence::PendingKeys;
use crate::ui::keymap::{KeyContext, Keymap};
use crate::ui::layout::areas::{FileListAreas, ScreenAreas};
use crate::ui::layout::display_settings::DisplaySettings;
use crate::ui::options::ScreenOptions;
use crate::ui::outcome::Ending;
use crate::ui::services::apply_model::ModelState;
use crate::ui::services::background::{Placed, SessionChange};
use crate::ui::services::check::Checking;
use crate::ui::stream::Stream;
use crate::ui::stream::search::Search;
use crate::ui::summary::Summaries;

/// The most lines of the agent's prose that are shown.
const INTENT: usize = 6;

/// The whole state of the screen. [`crate::ui::update`] changes it, [`crate::ui::view`] shows it.
pub struct App {
    /// The review: files, hunks, decisions.
    pub session: ReviewSession,
    /// It in numbers.
    pub summaries: Summaries,
    /// It as rows.
    pub stream: Stream,
    /// It as a list of files.
    pub file_list: FileList,
    /// Current mode.
    pub mode: Mode,
    /// Mode that the help was opened from; `None` if that was the review.
    pub behind_help: Option<Box<Mode>>,
    /// Last search.
    pub search: Search,
    /// Display settings.
    pub display: DisplaySettings,
    /// The keys that hold.
    pub keymap: Keymap,
    /// The tokens of lines.
    pub tokens: TokenCache,
    /// The words that differ.
    pub changed_words: WordCache,
    /// The lines that were moved.
    pub moved_lines: MovedLines,
    /// Contents of the headings of the hunks on the screen.
    pub headings: HeadingCache,
    /// Column indexes of long lines.
    pub column_indexes: ColumnIndexes,
    /// Current drag target of the mouse.
    pub drag: DragTarget,
    /// Status-bar message, cleared on the next key press.
    pub notice: Option<Notice>,
    /// The screen's size.
    pub size: Size,
    /// Keys of an unfinished sequence, for display.
    pub pending: PendingKeys,
    /// Refreshed session that waits until the person is not busy.
    pub placed: Option<Placed>,
    /// Proposals that arrived or left and wait until the person is not busy.
    pub changes: VecDeque<SessionChange>,
    /// Screen of the resident reviewer while there is nothing to review.
    pub empty_state: Option<EmptyState>,
    /// Agents that wait for an answer, in the resident reviewer.
    pub waiting: WaitingAgents,
    /// Files that have been laid out before, so that those among them which were opened stay open.
    pub arrived: BTreeSet<usize>,
    /// Full-screen reader: a result, the plan or a comparison.
    pub reader: Option<Reader>,
    /// Match threshold in hundredths, if it can be changed.
    pub precision: Option<u8>,
    /// Changes of the match threshold.
    pub thresholds: ThresholdHistory,
    /// The check command, if there is one.
    pub check: Option<Checking>,
    /// The apply model, if one is configured.
    pub model: Option<ModelState>,
    /// Texts of boxes that were left without sending them.
    pub drafts: Drafts,
    /// The threads with agents, where they can be kept.
    pub threads: Option<KnownThreads>,
    /// Another number whenever anything was decided, edited or said.
    pub revision: u64,
    /// Number of syntax checks requested.
    pub syntax_checks: u64,
    /// True if there are changes that autosave has not seen.
    pub(crate) changed: bool,
}

/// Drag target of the mouse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DragTarget {
    /// Nothing that moves along.
    #[default]
    Nothing,
    /// The line between the list and the stream.
    Divider,
}

/// Something to be said at the bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Text.
    pub text: String,
    /// Tone.
    pub tone: Tone,
}

/// Tones of a status-bar message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Something was done.
    Done,
    /// Something could not be done.
    Refused,
}

impl App {
    /// The screen of a session, at a size.
    pub fn new(session: ReviewSession, options: &ScreenOptions, size: Size) -> Self {
        terminal_width::set_ambiguous(options.ambiguous);
        let display = options.display_settings();
        let summaries = Summaries::new(&session);
        let mut app = Self {
            stream: Stream::new(&session, &display),
            file_list: FileList::default(),
            mode: Mode::Review,
            behind_help: None,
            search: Search::default(),
            tokens: TokenCache::default(),
            changed_words: WordCache::default(),
            moved_lines: MovedLines::default(),
            headings: HeadingCache::default(),
            column_indexes: ColumnIndexes::default(),
            drag: DragTarget::default(),
            notice: None,
            pending: PendingKeys::default(),
            placed: None,
            changes: VecDeque::new(),
            empty_state: None,
            waiting: WaitingAgents::default(),
            keymap: options.keymap.clone(),
            reader: None,
            arrived: BTreeSet::new(),
            precision: None,
            thresholds: ThresholdHistory::default(),
            check: None,
            model: None,
            drafts: Drafts::default(),
            threads: None,
            revision: 0,
            syntax_checks: 0,
            changed: false,
            summaries,
            session,
            display,
            size: Size::ZERO,
        };
        app.file_list.sort = options.order;
        app.arrange();
        app.close_new_quiet_files();
        app.resize(size);
        if app.file_list.sort != Sort::Proposal {
            app.stream.lay_out(&app.session);
        }
        if let Some(id) = app.next_undecided(None, Direction::Forward) {
            app.go_to_hunk(id);
        }
        app
    }

    /// Puts the files of the stream and of the list in their order.
    pub fn arrange(&mut self) {
        if matches!(self.file_list.sort, Sort::Risk | Sort::Kind) {
            self.summaries.judge(&self.session);
        }
        self.summaries.compare_prose(&self.session);
        let order = self.file_list.sort.parts(&self.session, &self.summaries);
        self.stream.set_order(&order.parts);
        if order.parts != self.summaries.order {
            self.file_list.forget_parts();
        }
        self.summaries.order = order.parts;
        self.summaries.purposes = order.purposes;
        self.file_list.arrange(&self.session, &self.summaries);
        self.hide_filtered();
    }

    /// The areas of the screen; `None` if it is too small.
    pub fn screen(&self) -> Option<ScreenAreas> {
        let list = self.display.list_width_at(self.size.width);
        let areas = ScreenAreas::new(self.size, list)?;
        Some(areas.with_waiting(self.waiting.rows().len()))
    }

    /// Makes the list at the side as wide as its rows need.
    pub(crate) fn fit_list(&mut self) {
        if self.display.list_needed != self.file_list.needed {
            self.resize(self.size);
        }
    }

    /// Takes another size, or another choice of what is shown.
    pub fn resize(&mut self, size: Size) {
        self.size = size;
        self.display.list_needed = self.file_list.needed;
        let body = self
            .screen()
            .map_or(Rect::ZERO, |screen| screen.stream.body);
        let layout = self.display.layout_at(size.width);
        let width = self.stream.body.width;
        self.stream.body = body;
        let fits = self.display.fits_layout();
        let same = (self.stream.layout, self.stream.fits) == (layout, fits);
        (self.stream.layout, self.stream.fits) = (layout, fits);
        // In a narrower body other files fit side by side.
        if same && (layout == Layout::Unified || body.width == width) {
            self.stream.show_cursor(&self.session);
        } else {
            self.stream.lay_out(&self.session);
        }
        self.file_list.show_cursor(self.file_list_page());
        if let Some(reader) = &mut self.reader {
            reader.fit(size.width);
        }
    }

    /// The areas of the list of all files.
    pub fn file_list_areas(&self) -> FileListAreas {
        let problems = self.problem_lines(usize::from(self.size.height));
        FileListAreas::new(
            self.size,
            self.intent_lines().len().min(INTENT),
            problems.len(),
        )
    }

    /// Returns the agent's intent, wrapped to the screen. Its plan holds what there is no room for.
    pub fn intent_lines(&self) -> Vec<String> {
        let width = usize::from(self.size.width).saturating_sub(2);
        let lines = self.intent().flat_map(|line| wrap::words(line, width));
        lines.take(INTENT + 1).map(str::to_owned).collect()
    }

    /// Returns the problems of the input, wrapped to the screen, at most `most` lines: the index of the
    /// problem, true for its first line, and the text.
    pub fn problem_lines(&self, most: usize) -> Vec<(usize, bool, String)> {
        let width = usize::from(self.size.width).saturating_sub(4);
        let told = (self.session.problems.iter().enumerate()).flat_map(|(at, problem)| {
            let path = problem.path.as_ref().map(|path| format!("{path}: "));
            let text = format!("{}{problem}", path.unwrap_or_default());
            let lines = wrap::words(&text, width).into_iter().enumerate();
            let lines = lines.map(|(nth, line)| (at, nth == 0, line.to_owned()));
            lines.collect::<Vec<_>>()
        });
        told.take(most).collect()
    }

    /// Returns the call that the file of the cursor belongs to, in the resident reviewer.
    pub fn call(&self) -> Option<&Call> {
        self.session.files.get(self.stream.file()?)?.call.as_deref()
    }

    /// Returns the lines of the agent's intent.
    pub fn intent(&self) -> impl Iterator<Item = &str> {
        let call = self.call().map(|call| call.intent.as_str());
        let intent = call.unwrap_or(&self.session.intent);
        let lines = intent.lines().map(str::trim_end);
        lines.filter(|line| !line.is_empty())
    }

    /// The lines that the list of all files has.
    pub fn file_list_page(&self) -> usize {
        usize::from(self.file_list_areas().list.body.height)
    }

    /// The first file that the list at the side shows, so that the one of the cursor is in sight. It stays while the cursor
    /// goes from file to file, and moves on by half a page.
    pub fn list_top(&self, page: usize) -> usize {
        let list = &self.file_list;
        let at = self.listed_here().unwrap_or(0);
        let most = list.rows.len().saturating_sub(page);
        let step = (page / 2).max(1);
        let before = at.saturating_sub(page / 4) / step * step;
        before.min(most)
    }

    /// Returns the row of the list that shows the place of the cursor in the stream.
    pub fn listed_here(&self) -> Option<usize> {
        let rows = &self.file_list.rows;
        if let Some(problem) = self.unread_part() {
            let of_problem = FileListRow::Problem(problem);
            return rows.iter().position(|&row| row == of_problem);
        }
        let part = self.stream.rows.part_of(self.stream.cursor);
        self.file_list.row_of(self.stream.file()?, part)
    }

    /// The file of the cursor: in the list of all files while that is shown, else in the stream.
    pub fn file(&self) -> Option<usize> {
        if matches!(self.mode, Mode::FileList) {
            self.file_list.file()
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
        self.show_hidden(id.file);
        if self.stream.folds.closed.contains(&id.file) {
            self.stream.open(&self.session, id.file, 0..0);
        }
        if let Some(row) = self.stream.rows.of_hunk(id) {
            self.jump(row);
        }
    }

    /// Puts the cursor on a row that may be far away. The first difference of the row or of the hunk that it heads is in sight.
    pub fn jump(&mut self, row: usize) {
        self.stream.left_by_hand = false;
        self.stream.left_of = None;
        self.stream.jump(&self.session, row);
        self.follow_sideways();
    }

    /// Says something at the bottom.
    pub fn notify(&mut self, tone: Tone, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            tone,
        });
    }

    /// Returns true while a request to the apply model is open.
    pub fn is_asking(&self) -> bool {
        self.model
            .as_ref()
            .is_some_and(|model| model.open.is_some())
    }

    /// Returns the key of a command in the review, for a message.
    pub fn key(&self, command: Command) -> String {
        self.keymap.key_for(KeyContext::Stream, command)
    }

    /// Returns the numbers of steps that can be undone: of the session, and of the match threshold.
    pub(crate) fn undo_steps(&self) -> (usize, usize) {
        (self.session.history_len().0, self.thresholds.undo_len())
    }

    /// Returns true if the resident reviewer has nothing to review.
    pub fn is_idle(&self) -> bool {
        self.empty_state.is_some() && self.session.files.is_empty()
    }

    /// Returns true if nothing should interrupt the person, be it behind the help.
    pub(crate) fn is_busy(&self) -> bool {
        self.mode.is_busy() || self.behind_help.as_ref().is_some_and(|mode| mode.is_busy())
    }

    /// Returns true while a request about threads has no outcome.
    pub(crate) fn is_storing(&self) -> bool {
        let threads = self.threads.as_ref();
        threads.is_some_and(KnownThreads::is_storing)
    }

    /// Returns true while the end of the review waits for requests about threads.
    pub(crate) fn is_leaving(&self) -> bool {
        let threads = self.threads.as_ref();
        threads.is_some_and(|threads| threads.leaving.is_some())
    }

    /// Returns the texts for agents that are not stored at the end of the review. The last dialog has named the drafts, unless the review
    /// is broken off.
    pub(crate) fn unsent(&self, ending: Ending) -> Vec<String> {
        let requests = self.threads.iter().flat_map(KnownThreads::unstored);
        let is_aborted = ending == Ending::Aborted;
        let drafts = self.drafts.texts().filter(|_| is_aborted);
        requests.chain(drafts).map(str::to_owned).collect()
    }

    /// Returns the context that the help is about.
    pub(crate) fn helped_context(&self) -> KeyContext {
        let behind = self.behind_help.as_ref();
        behind.map_or(KeyContext::Stream, |mode| mode.key_context())
    }
}
