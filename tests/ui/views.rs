//! What every view and every dialog looks like, in its colours. A mode that none of them shows does not compile, and a view
//! that its keys do not lead to fails.

use crate::script::Script;
use countersign::review::{
    Author, Compared, FileReview, Found, HunkReview, ReviewSession, Spot, Stance, Target, Thread,
    ThreadKind, ThreadMessage, compare, passage_at, place_threads,
};
use countersign::text::Document;
use countersign::ui::FilesShown;
use countersign::ui::ModelState;
use countersign::ui::services::check::{CheckEnd, CheckNews, CheckState, Checking, Undecided};
use countersign::ui::state::app::App;
use countersign::ui::state::empty_state::EmptyState;
use countersign::ui::state::known_threads::KnownThreads;
use countersign::ui::state::mode::{Mode, Prompt, PromptPurpose, Question, TextPurpose};
use countersign::ui::state::reader::{Reader, ReaderContent};
use insta::assert_snapshot;
use std::sync::Arc;
use std::time::Duration;

use crate::fixture::{Batch, sample};
use crate::looks::look;

/// The table: a view, the review that it is shown in, and the keys that lead to it.
macro_rules! views {
    ($($name:ident, $start:expr, $keys:expr;)*) => {
        /// Everything that can stand on the screen.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum View {
            $($name,)*
        }

        pub(crate) const VIEWS: &[(View, fn() -> Script, &str)] = &[$((View::$name, $start, $keys),)*];
    };
}

views! {
    TooSmall, || Script::new(sample(), 19, 5), "";
    Stream, small, "a ] c <why is this not in one place, where whoever comes next would look for it first?> Enter j j j j";
    OneFile, small, "o } ]";
    Empty, empty, "";
    EmptyState, idle, "";
    Outline, outline, "";
    Unplaced, small, ")";
    Lines, small, "] ] j j j v j j";
    Batch, batch, "t s Space j j j";
    Filtered, batch, "t f <no such file> Enter";
    Editor, small, "] ] j j j j i <x > S-Home";
    Placing, small, ") m";
    Result, small, "a [ p";
    WorseResult, worse, "";
    Plan, checked, "a ! G";
    Compare, small, "] ] i <very > Esc g p";
    Search, small, "/ <retr>";
    SearchEdit, small, "] ] j j j j i C-s <e>";
    SearchReader, small, "p / <c>";
    FilterFiles, batch, "t f <cli>";
    FilterKeys, small, "? / <undec>";
    Palette, small, ": <next> Down";
    CommentHunk, small, "c <first line> M-Enter <second>";
    CommentLines, small, "] ] j j j v j c <both>";
    CommentPassage, small, "] ] j v c <left as it is>";
    AskHunk, with_threads, "Q <why this?>";
    AskLines, with_threads, "] ] j j j v j Q <both?>";
    AskPassage, with_threads, "] ] j v Q <still needed?>";
    Reply, with_threads, "g j c <and now?>";
    CommentFile, small, "C <the file>";
    CommentBatch, small, "g c";
    Asking, asked, "";
    Draft, asking, "] ] j j j j j v j M <say it in English>";
    AskRest, small, "g a";
    AskFiles, batch, "t V a";
    AskFile, small, ") ] A";
    AskDrop, small, "i <x> C-c";
    Finish, small, "a r ] ] v j a q";
    Help, small, "?";
    Begun, small, "z";
    Counted, small, "1 2";
    Refused, small, "G m";
}

impl View {
    /// What stands on the screen. The arms name every mode, so that a new one has to be given a view here and a row above.
    fn of(app: &App) -> Self {
        if app.screen().is_none() {
            return Self::TooSmall;
        }
        let nothing = app.stream.rows.is_empty();
        match &app.mode {
            Mode::Review if app.summaries.unread > 0 => Self::Outline,
            Mode::Review if nothing && app.empty_state.is_some() => Self::EmptyState,
            Mode::Review if nothing => Self::Empty,
            Mode::Review if app.stream.files == FilesShown::One => Self::OneFile,
            Mode::Review if app.is_asking() => Self::Asking,
            Mode::Review if app.pending.count.is_some() => Self::Counted,
            Mode::Review if !app.pending.chords.is_empty() => Self::Begun,
            Mode::Review if app.notice.is_some() => Self::Refused,
            Mode::Review
                if app
                    .stream
                    .row()
                    .is_some_and(|row| format!("{row:?}").starts_with("Note")) =>
            {
                Self::Unplaced
            }
            Mode::Review => Self::Stream,
            Mode::Lines { .. } => Self::Lines,
            Mode::FileList if app.file_list.rows.is_empty() => Self::Filtered,
            Mode::FileList => Self::Batch,
            Mode::Edit(_) => Self::Editor,
            Mode::Place(_) => Self::Placing,
            Mode::Read => app.reader.as_ref().map_or(Self::Stream, Self::of_reader),
            Mode::Prompt(prompt) => Self::of_prompt(prompt),
            Mode::Question(Question::Drop(_)) => Self::AskDrop,
            Mode::Question(Question::Rest { target, .. }) => match target {
                Target::Files(_) | Target::Hunks(_) => Self::AskFiles,
                Target::File(_) => Self::AskFile,
                Target::Rest | Target::RestOf(_) | Target::Hunk(_) | Target::Lines { .. } => {
                    Self::AskRest
                }
            },
            Mode::Finish => Self::Finish,
            Mode::Help { .. } => Self::Help,
        }
    }

    fn of_reader(reader: &Reader) -> Self {
        match &reader.what {
            ReaderContent::Result(result) if result.judgement.is_some() => Self::WorseResult,
            ReaderContent::Result(_) => Self::Result,
            ReaderContent::Plan(_) => Self::Plan,
            ReaderContent::Compare(_) => Self::Compare,
        }
    }

    fn of_prompt(prompt: &Prompt) -> Self {
        match &prompt.purpose {
            PromptPurpose::Search { .. } => Self::Search,
            PromptPurpose::SearchReader => Self::SearchReader,
            PromptPurpose::SearchEdit { .. } => Self::SearchEdit,
            PromptPurpose::Filter => Self::FilterFiles,
            PromptPurpose::HelpFilter => Self::FilterKeys,
            PromptPurpose::Palette { .. } => Self::Palette,
            PromptPurpose::Text(TextPurpose::Comment(_, spot)) => match spot {
                Spot::Hunk(_) => Self::CommentHunk,
                Spot::Lines { .. } => Self::CommentLines,
                Spot::Base(_) => Self::CommentPassage,
            },
            PromptPurpose::Text(TextPurpose::Ask(_, spot)) => match spot {
                Spot::Hunk(_) => Self::AskHunk,
                Spot::Lines { .. } => Self::AskLines,
                Spot::Base(_) => Self::AskPassage,
            },
            PromptPurpose::Text(TextPurpose::Reply(_)) => Self::Reply,
            PromptPurpose::Text(TextPurpose::CommentFile(_)) => Self::CommentFile,
            PromptPurpose::Text(TextPurpose::CommentBatch(_)) => Self::CommentBatch,
            PromptPurpose::Draft { .. } => Self::Draft,
        }
    }
}

fn small() -> Script {
    Script::new(sample(), 80, 18)
}

/// A review in which an agent has answered a thread at the first hunk.
fn with_threads() -> Script {
    let mut session = sample();
    let is_placed = |file: &FileReview| file.hunks.iter().position(HunkReview::is_decidable);
    let (file, hunk) = (session.files.iter())
        .find_map(|file| Some((file, is_placed(file)?)))
        .expect("a hunk with a place");
    let passage = passage_at(file, &Spot::Hunk(hunk));
    let mut thread = Thread::opened(&file.path, passage, ThreadKind::Question, "why not 5?", 0)
        .expect("a thread");
    "t1".clone_into(&mut thread.id);
    let answer = ThreadMessage {
        author: Author::Agent("claude".to_owned()),
        text: "3 is what the server allows".to_owned(),
        time: 0,
        proposes_resolution: false,
    };
    thread.add(answer).expect("room for a message");
    place_threads(&mut session, &[thread]);
    let mut script = Script::new(session, 80, 18);
    script.app.threads = Some(KnownThreads::default());
    script
}

fn empty() -> Script {
    Script::new(Batch::new("nothing").session(), 80, 6)
}

fn idle() -> Script {
    let mut script = Script::new(ReviewSession::default(), 60, 14);
    let lines = [
        "This review is open for the agents that work below /home/dev/pigeon, and shows what they propose.",
    ];
    let mut idle = EmptyState {
        lines: lines.map(str::to_owned).into(),
        ..EmptyState::default()
    };
    idle.note("claude: 2 hunks written in src/client.rs".to_owned());
    script.app.empty_state = Some(idle);
    script
}

fn outline() -> Script {
    let files = Batch::new("Louder.")
        .modify("first", "one\ntwo\n", &[("two", "TWO")])
        .modify("second", "one\n", &[("one", "ONE")]);
    Script::new(files.outline(), 60, 8)
}

/// With everything that is said below and above the list.
fn batch() -> Script {
    let mut session = Batch::new(
        "Be louder, in every file that there is and in some that are yet to come.\nSee the notes.",
    )
    .modify("src/client.rs", "one\ntwo\n", &[("two", "TWO")])
    .modify("src/cli.rs", "one\n", &[("three", "THREE")])
    .create("src/new.rs", "one\n")
    .delete("src/old.rs", "one\n")
    .problem("b.txt", 12)
    .session();
    session.files[0].comment = Some("why?".to_owned());
    Script::new(session, 72, 20)
}

/// A result that a grammar finds fault with.
fn worse() -> Script {
    let session = Batch::new("")
        .modify(
            "a.rs",
            "fn a() {\n    b();\n}\n",
            &[("    b();\n}", "    b(\n}")],
        )
        .session();
    let mut script = Script::new(session, 60, 8);
    script.press("a p").check_syntax();
    script
}

/// With an apply model, which is slow.
fn asking() -> Script {
    let mut script = small();
    script.app.model = Some(ModelState::new("models.example".to_owned()));
    script
}

fn asked() -> Script {
    let mut script = asking();
    script.press(") M").wait(Duration::from_secs(2));
    script
}

/// A plan with a check that has failed.
fn checked() -> Script {
    let mut script = small();
    script.app.check = Some(Checking::new("make".to_owned(), Undecided::LeftOut));
    script.press("!");
    script.checked(CheckNews {
        run: 1,
        what: CheckState::Ended {
            how: CheckEnd::Failed(Some(2)),
            took: Duration::from_millis(1500),
            tail: vec!["error: no rule".to_owned()],
        },
    });
    script.press("Esc");
    script
}

#[test]
fn every_view_in_its_colours() {
    for (view, start, keys) in VIEWS {
        let mut script = start();
        script.press(keys);
        script.wait_for_colours();
        let found = View::of(&script.app);
        assert_eq!(found, *view, "{keys}\n{}", script.screen());
        assert_snapshot!(format!("view_{view:?}"), look(&mut script));
    }
}

/// Hints are whole or not there, and what is at the right is not cut.
#[test]
fn no_hint_is_cut_at_any_width() {
    for (view, start, keys) in VIEWS {
        for width in (20..130).step_by(3) {
            let mut script = start();
            let height = script.app.size.height.max(8);
            script.press(keys).resize(width, height);
            let screen = script.screen();
            let bottom = screen.lines().last().unwrap_or_default();
            let last = |line: &str| {
                let apart = |c: char| !c.is_alphanumeric() && c != '…';
                let words = line.split(apart).map(str::to_owned);
                words.filter(|word| !word.is_empty()).collect::<Vec<_>>()
            };
            let words = last(bottom).pop().unwrap_or_default();
            let whole = |script: &mut Script| {
                let wide = script.resize(400, height).screen();
                let bottom = wide.lines().last().unwrap_or_default().to_owned();
                last(&bottom).contains(&words)
            };
            let typed = matches!(script.app.mode, Mode::Prompt(_)) || script.app.notice.is_some();
            assert!(
                words.is_empty()
                    || typed
                    || words.ends_with('…')
                    || words.chars().all(|c| c.is_ascii_digit())
                    || whole(&mut script),
                "{view:?} at {width}: `{words}` in\n{screen}"
            );
        }
    }
}

#[test]
fn the_help_shows_the_keys_of_the_mode_first_and_goes_back_to_it() {
    for (keys, help, title, back) in [
        ("j i <new>", "F1", "Editing the proposed lines", "EDIT"),
        (") m", "?", "Choosing the place of a hunk", "PLACE"),
        ("!", "?", "Reading a plan, a result or three texts", "Plan"),
        ("v j", "?", "While lines are selected", "selected"),
        ("g a", "?", "Answering a question", "Accept several hunks"),
        ("a q", "?", "Finishing", "Finish the review"),
        (
            "c <why>",
            "F1",
            "Typing a comment, a search or a filter",
            "why",
        ),
    ] {
        let mut script = Script::new(sample(), 120, 30);
        let shown = script.press(keys).press(help).screen();
        assert_eq!(
            shown.lines().nth(2).unwrap().trim(),
            title,
            "{keys}: {shown}"
        );
        // Filtering it and scrolling in it leave what is behind it as it is.
        let shown = script.press("/ <key> Enter j Esc").screen();
        assert!(shown.contains(back), "{keys}: {shown}");
        assert!(script.app.behind_help.is_none());
    }
    let mut script = Script::new(sample(), 120, 30);
    let shown = script.press("j i <new> F1 Esc <er> Esc").screen();
    assert!(shown.contains("newer"), "{shown}");
}

#[test]
fn a_tab_in_a_name_is_shown_by_its_sign() {
    let name = "a\tb.txt";
    let batch = Batch::new("").modify(name, "one\n", &[("one", "two")]);
    let mut script = Script::new(batch.session(), 120, 20);
    for keys in ["g g", "t", "f <b> Enter", "Esc Esc p", "Esc a !"] {
        let shown = script.press(keys).screen();
        assert!(shown.contains("a␉b.txt"), "{keys}: {shown}");
        assert!(
            !shown.contains("a   b.txt") && !shown.contains("a  b.txt"),
            "{keys}: {shown}"
        );
    }
}

#[test]
fn a_hunk_with_rejected_and_undecided_lines_is_not_said_to_be_written() {
    let hunks = [("one", "1\n2"), ("three", "3\n4")];
    let batch = Batch::new("").modify("a.txt", "one\ntwo\nthree\n", &hunks);
    let mut script = Script::new(batch.session(), 120, 36);
    script.press("j v r");
    let shown = script.press("q").screen();
    assert!(
        shown.contains("1 decided in part: only accepted lines will be written"),
        "{shown}"
    );
    let shown = script.press("Esc !").screen();
    assert!(shown.contains("Nothing will be written"), "{shown}");
    assert!(shown.contains("hunk 1 (line 1): rejected"), "{shown}");
    // A hunk like it is not among those that are written.
    let shown = script.press("Esc ] a !").screen();
    assert!(
        shown.contains("modify a.txt  +2 −1  1 of 2 hunks"),
        "{shown}"
    );
    assert!(!shown.contains("hunks, in part"), "{shown}");
    // The parts of a hunk that was split are one hunk.
    let mut script = Script::new(
        Batch::new("")
            .modify("a.txt", "one\ntwo\n", &[("one\ntwo", "1\n2")])
            .session(),
        120,
        36,
    );
    let shown = script.press("] j j S a !").screen();
    assert!(
        shown.contains("modify a.txt  +1 −1  1 of 1 hunk, in part"),
        "{shown}"
    );
}

#[test]
fn the_list_names_a_change_of_the_mode() {
    let found = |executable| Found::Text {
        document: Arc::new(Document::from_text("x\n")),
        executable,
    };
    let file = Compared {
        path: "run.sh".to_owned(),
        rename: None,
        old: found(false),
        new: found(true),
        stance: Stance::Proposed,
        doubtful: Vec::new(),
        protected: None,
        origin: "test",
    };
    let mut script = Script::new(compare(String::new(), &[file]), 100, 20);
    let shown = script.press("t").screen();
    assert!(shown.contains("mode      run.sh"), "{shown}");
}

#[test]
fn a_dialog_counts_the_lines_that_a_low_screen_leaves_out() {
    let mut script = Script::new(sample(), 40, 24);
    let whole = script.press("a a q").screen();
    let count = |screen: &str| screen.lines().filter(|line| line.contains('│')).count();
    let shown = script.resize(40, 9).screen();
    assert!(count(&shown) < count(&whole));
    assert!(shown.contains("more lines in a higher window"), "{shown}");
    assert!(shown.contains("Esc back"), "{shown}");
}
