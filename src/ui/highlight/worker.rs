//! The thread that highlights.

use std::sync::mpsc::{Receiver, RecvError, Sender, TryRecvError, channel};
use std::thread;

use rustc_hash::FxHashMap;

use super::checkpoints::{GrammarTools, TextCheckpoints};
use super::request::{HighlightRequest, HighlightedLines, TextSource};
use super::token::theme;
use crate::ui::threads::WORKER;

/// The number of texts whose progress is kept.
const KEPT: usize = 64;

/// Asks the highlighting thread for tokens.
pub struct Highlighter {
    wants: Sender<Vec<HighlightRequest>>,
}

impl Highlighter {
    /// Starts the thread; it ends when the highlighter is dropped. Each answer is given to `answer`, which says whether
    /// anyone still listens. Where no thread can be started everything stays plain.
    pub fn start(answer: impl Fn(HighlightedLines) -> bool + Send + 'static) -> Self {
        let (wants, requests) = channel();
        thread::Builder::new()
            .name(format!("{WORKER}highlight"))
            .spawn(move || work(&requests, &answer))
            .ok();
        Self { wants }
    }

    /// Asks for what is on the screen now. What was asked before and is not answered yet is forgotten.
    pub fn ask(&self, wants: Vec<HighlightRequest>) {
        // Without a thread nobody answers, and the text stays plain.
        self.wants.send(wants).ok();
    }
}

fn work(requests: &Receiver<Vec<HighlightRequest>>, answer: &dyn Fn(HighlightedLines) -> bool) {
    let syntaxes = two_face::syntax::extra_newlines();
    let theme = theme();
    let tools = GrammarTools {
        syntaxes: &syntaxes,
        highlighter: syntect::highlighting::Highlighter::new(&theme),
    };
    let mut desk = HighlightScheduler::new(&tools);
    while let Ok(newest) = next(requests, desk.is_idle()) {
        if let Some(wants) = newest {
            desk.take(wants);
        }
        if desk.work().is_some_and(|painted| !answer(painted)) {
            return;
        }
    }
}

/// The newest request, if there is one; waits for it when there is nothing else to do.
fn next(
    requests: &Receiver<Vec<HighlightRequest>>,
    idle: bool,
) -> Result<Option<Vec<HighlightRequest>>, RecvError> {
    let mut newest = if idle { Some(requests.recv()?) } else { None };
    loop {
        match requests.try_recv() {
            Ok(wants) => newest = Some(wants),
            Err(TryRecvError::Empty) => return Ok(newest),
            Err(TryRecvError::Disconnected) => return Err(RecvError),
        }
    }
}

/// Open requests, and the checkpoints of each text.
struct HighlightScheduler<'a> {
    tools: &'a GrammarTools<'a>,
    texts: FxHashMap<TextSource, TextCheckpoints<'a>>,
    /// Not answered at all, the last one first.
    open: Vec<HighlightRequest>,
    /// Answered by a guess.
    guessed: Vec<HighlightRequest>,
}

impl<'a> HighlightScheduler<'a> {
    fn new(tools: &'a GrammarTools<'a>) -> Self {
        Self {
            tools,
            texts: FxHashMap::default(),
            open: Vec::new(),
            guessed: Vec::new(),
        }
    }

    fn is_idle(&self) -> bool {
        self.open.is_empty() && self.guessed.is_empty()
    }

    fn take(&mut self, mut wants: Vec<HighlightRequest>) {
        if self.texts.len() > KEPT {
            self.texts
                .retain(|source, _| wants.iter().any(|want| want.source == *source));
        }
        for want in &wants {
            if let Some(progress) = self.texts.get_mut(&want.source) {
                progress.renew(want);
            } else {
                let progress = TextCheckpoints::begin(want, self.tools);
                self.texts.insert(want.source, progress);
            }
        }
        wants.reverse();
        self.open = wants;
        self.guessed.clear();
    }

    /// Does one small piece of work: a window, or a step towards one that was guessed.
    fn work(&mut self) -> Option<HighlightedLines> {
        if let Some(want) = self.open.pop() {
            let painted = self.read(&want)?;
            if !painted.exact {
                self.guessed.push(want);
            }
            return Some(painted);
        }
        let want = self.guessed.pop()?;
        self.texts.get_mut(&want.source)?.step(self.tools);
        let painted = self.read_if_near(&want);
        if painted.is_none() {
            self.guessed.push(want);
        }
        painted
    }

    fn read(&mut self, want: &HighlightRequest) -> Option<HighlightedLines> {
        let progress = self.texts.get_mut(&want.source)?;
        let answer = progress.read(want.lines.clone(), self.tools);
        Some(HighlightedLines {
            source: want.source,
            version: progress.version,
            first: want.lines.start,
            lines: answer.lines,
            exact: answer.exact,
        })
    }

    fn read_if_near(&mut self, want: &HighlightRequest) -> Option<HighlightedLines> {
        let progress = self.texts.get(&want.source)?;
        if progress.is_near(want.lines.start) {
            self.read(want)
        } else {
            None
        }
    }
}
