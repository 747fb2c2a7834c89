//! A review without a terminal: keys go in as text, screens come out as text.

use std::sync::mpsc::channel;
use std::time::Duration;

use countersign::review::ReviewSession;
use countersign::ui::action::{Action, Effect, Mouse};
use countersign::ui::highlight::{Highlighter, check_syntax};
use countersign::ui::keymap::key_sequence::KeyReader;
use countersign::ui::keymap::keystroke::Keystroke;
use countersign::ui::services::external_editor::{EditedText, EditorError};
use countersign::ui::state::app::App;
use countersign::ui::update::update;
use countersign::ui::{
    CheckNews, Ending, ModelNews, Placed, ReviewOutcome, ScreenOptions, SessionChange, ThreadNews,
    ThreadRequest, dispatch, glyphs, view,
};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Size};

/// The longest that colours are waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// A review driven by a script.
pub(crate) struct Script {
    /// The state.
    pub app: App,
    keys: KeyReader,
    ending: Option<Ending>,
    effects: Vec<Effect>,
}

impl Script {
    /// A review on a dark screen of true colours.
    pub(crate) fn new(session: ReviewSession, width: u16, height: u16) -> Self {
        Self::with_options(session, Size { width, height }, &ScreenOptions::default())
    }

    /// A review on a screen of any kind.
    pub(crate) fn with_options(
        session: ReviewSession,
        size: Size,
        options: &ScreenOptions,
    ) -> Self {
        let app = App::new(session, options, size);
        Self {
            app,
            keys: KeyReader::default(),
            ending: None,
            effects: Vec::new(),
        }
    }

    /// Presses keys, blanks between them, as the key table writes them. Text to type stands between `<` and `>`, and may
    /// hold blanks. What comes after the end of the review is not pressed.
    ///
    /// # Panics
    ///
    /// On a word that is no key.
    pub(crate) fn press(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys.trim_start();
        while !rest.is_empty() && self.ending.is_none() {
            if let Some((text, after)) =
                rest.strip_prefix('<').and_then(|rest| rest.split_once('>'))
            {
                for c in text.chars() {
                    self.press_chord(Keystroke::char(c));
                }
                rest = after.trim_start();
                continue;
            }
            let (key, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            match key.parse() {
                Ok(chord) => self.press_chord(chord),
                Err(error) => panic!("{error}"),
            }
            rest = after.trim_start();
        }
        self
    }

    /// Presses one key.
    pub(crate) fn press_chord(&mut self, chord: Keystroke) {
        if self.ending.is_none() {
            let effect = dispatch::press(&mut self.app, &mut self.keys, chord);
            self.keep(effect);
        }
    }

    /// Pastes text.
    pub(crate) fn paste(&mut self, text: &str) -> &mut Self {
        self.act(Action::Paste(text.to_owned()))
    }

    /// Does something with the mouse.
    pub(crate) fn mouse(&mut self, mouse: Mouse, x: u16, y: u16) -> &mut Self {
        self.act(Action::Mouse(mouse, Position { x, y }))
    }

    /// Gives the screen another size.
    pub(crate) fn resize(&mut self, width: u16, height: u16) -> &mut Self {
        self.act(Action::Resize(Size { width, height }))
    }

    /// Brings the proposal as it is placed in files that have changed on disk.
    pub(crate) fn place(&mut self, placed: Placed) -> &mut Self {
        self.act(Action::Placed(Box::new(placed)))
    }

    /// Lets something join or leave.
    pub(crate) fn change(&mut self, change: SessionChange) -> &mut Self {
        self.act(Action::Changed(Box::new(change)))
    }

    /// Lets threads change.
    pub(crate) fn threads(&mut self, news: ThreadNews) -> &mut Self {
        self.act(Action::ThreadNews(news))
    }

    /// Returns what was asked for about threads since the last time.
    pub(crate) fn thread_requests(&mut self) -> Vec<ThreadRequest> {
        let (requests, others) = std::mem::take(&mut self.effects)
            .into_iter()
            .partition::<Vec<Effect>, _>(|effect| matches!(effect, Effect::Thread(_)));
        self.effects = others;
        let requests = requests.into_iter().filter_map(|effect| {
            let Effect::Thread(request) = effect else {
                return None;
            };
            Some(*request)
        });
        requests.collect()
    }

    /// Ends the external editor, if it was asked for.
    pub(crate) fn end_editor(&mut self, result: Result<EditedText, EditorError>) -> &mut Self {
        let asked = self
            .effects
            .iter()
            .position(|effect| matches!(effect, Effect::OpenEditor(_)));
        match asked.map(|at| self.effects.remove(at)) {
            Some(Effect::OpenEditor(errand)) => self.act(Action::EditorEnded(errand, result)),
            Some(_) | None => self,
        }
    }

    /// Lets a grammar judge the result that is read.
    pub(crate) fn check_syntax(&mut self) -> &mut Self {
        let judged = self.app.case().and_then(|case| check_syntax(&case));
        self.act(Action::SyntaxChecked(judged))
    }

    /// Tells what came of the check command.
    pub(crate) fn checked(&mut self, news: CheckNews) -> &mut Self {
        self.act(Action::CheckNews(news))
    }

    /// Lets the apply model answer.
    pub(crate) fn answer(&mut self, news: ModelNews) -> &mut Self {
        self.act(Action::ModelNews(news))
    }

    /// Lets some time go by while the apply model is asked.
    pub(crate) fn wait(&mut self, time: Duration) -> &mut Self {
        self.act(Action::ModelWaited(time))
    }

    /// How the review ended, if it has.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// What was asked of the outside since it was last asked for, the end aside.
    pub(crate) fn effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// What the review came to; one that has not ended was aborted.
    pub(crate) fn outcome(self) -> ReviewOutcome {
        ReviewOutcome {
            session: self.app.session,
            ending: self.ending.unwrap_or(Ending::Aborted),
            unsent: Vec::new(),
        }
    }

    /// Waits until everything on the screen has its colours.
    pub(crate) fn wait_for_colours(&mut self) -> &mut Self {
        let (sender, answers) = channel();
        let highlighter = Highlighter::start(move |painted| sender.send(painted).is_ok());
        while let Some(wants) = self.app.prepare() {
            let mut open = wants.len();
            highlighter.ask(wants);
            while open > 0 {
                let Ok(painted) = answers.recv_timeout(PATIENCE) else {
                    return self;
                };
                open -= usize::from(painted.exact);
                update(&mut self.app, Action::Highlighted(painted));
            }
        }
        self
    }

    /// The cells of the screen.
    pub(crate) fn buffer(&mut self) -> Buffer {
        self.app.prepare();
        if let Some((number, lines)) = self.app.wanted_moves() {
            update(
                &mut self.app,
                Action::MovedLinesFound(number, lines.moved()),
            );
        }
        let buffer = view::draw(&self.app).0;
        self.app.count_shown();
        buffer
    }

    /// The screen as text, without blanks at the ends of its lines.
    pub(crate) fn screen(&mut self) -> String {
        let buffer = self.buffer();
        let mut text = String::new();
        for y in 0..buffer.area.height {
            let mut line = String::new();
            let mut x = 0;
            while x < buffer.area.width {
                let symbol = buffer[(x, y)].symbol();
                line.push_str(symbol);
                x += u16::try_from(glyphs::width(symbol)).unwrap_or(1).max(1);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    fn act(&mut self, action: Action) -> &mut Self {
        if self.ending.is_none() {
            let effect = update(&mut self.app, action);
            self.keep(effect);
        }
        self
    }

    fn keep(&mut self, effect: Effect) {
        match effect {
            Effect::None => (),
            Effect::End(ending) => self.ending = Some(ending),
            Effect::OpenEditor(_)
            | Effect::Suspend
            | Effect::Copy(_)
            | Effect::Redraw
            | Effect::Judge
            | Effect::Match { .. }
            | Effect::Check
            | Effect::AskModel
            | Effect::Thread(_)
            | Effect::GiveUpModel => {
                self.effects.push(effect);
            }
        }
    }
}

/// Fails unless the screen has all of these texts.
#[track_caller]
pub(crate) fn shows(script: &mut Script, texts: &[&str]) {
    let screen = script.screen();
    for text in texts {
        assert!(screen.contains(text), "`{text}`\n{screen}");
    }
}
