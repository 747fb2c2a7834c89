//! `countersign review`: a person decides, and what is accepted is written.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use super::exit::Exit;
use super::review_args::{HowArgs, ReviewArgs};
use super::shared_args::ReportForm;
use super::{input, json_report, open_batch, output, screen};
use crate::app::autosave::{Autosave, Fate};
use crate::app::check_command::check;
use crate::app::rejections::{self, AcceptedChanges};
use crate::app::source::ReviewSource;
use crate::app::threads::{self, ThreadOrigin};
use crate::app::watch::{lock, watched};
use crate::app::{finished_reviews, model, model_questions, policy, thread_worker};
use crate::config::Config;
use crate::review::{RejectionRecord, Report, ReviewSession, Stance, Writing};
use crate::store::Root;
use crate::ui::Answers;
use crate::ui::{self, Ending, MatchThreshold, Services, Undecided};

/// Reviews edits, writes what was accepted, and reports.
pub(super) fn run(args: &ReviewArgs) -> anyhow::Result<Exit> {
    let mut batch = open_batch::open(&args.edits)?.for_a_person();
    let _only_reviewer = batch.lock()?;
    threads::take_replies(batch.root(), "agent", &batch.intent());
    let session = if args.edits.model {
        if let Some(prepare) = batch.preparation() {
            prepare(&AtomicBool::new(false));
        }
        let mut session = batch.place()?;
        model::all(&batch.config, &mut session)?;
        session
    } else if let Some(outline) = batch.outline() {
        outline
    } else {
        batch.place()?
    };
    let keeper = Autosave::open(&batch, args.how.decisions.as_deref());
    let config = batch.config.clone();
    let linear = args.how.linear.then(|| {
        if input::is_of_stdin(&args.edits.input) {
            Answers::Terminal
        } else {
            Answers::Input
        }
    });
    let how = How {
        resume: args.how.resume,
        linear,
    };
    let Some(reviewed) = carry_out(&mut batch, session, keeper, &config, how)? else {
        return Ok(json_report::interrupted(args.how.report));
    };
    Ok(reviewed.report(batch.root(), "review", args.how.report))
}

/// Course of a review, as far as the arguments determine it.
#[derive(Debug, Clone, Copy)]
pub(super) struct How {
    /// True if the decisions of other unfinished reviews are taken up.
    pub(super) resume: bool,
    /// Source of the answers of a line-by-line review.
    pub(super) linear: Option<Answers>,
}

impl How {
    /// The course of a review of existing changes: standard input is free for answers.
    pub(super) fn of(args: &HowArgs) -> Self {
        Self {
            resume: args.resume,
            linear: args.linear.then_some(Answers::Input),
        }
    }
}

/// A review that was finished.
pub(super) struct Reviewed {
    /// The decisions.
    pub(super) session: ReviewSession,
    /// The outcome of writing them.
    pub(super) writing: Writing,
    /// The changes that the person rejected.
    rejections: RejectionRecord,
}

impl Reviewed {
    /// Enters it in the log as a review by this command, and prints its report.
    pub(super) fn report(&self, root: &Root, command: &str, form: ReportForm) -> Exit {
        let report = Report::new(&self.session, &self.writing, &BTreeMap::new());
        let mut report = report.in_folder(root.path());
        if self.writing != Writing::Postponed {
            threads::finish(root, &self.session, ThreadOrigin::default(), &mut report);
        }
        finished_reviews::keep(root, command, &self.session, &report);
        rejections::keep(root, &self.rejections);
        output::print(&report, form)
    }
}

/// Opens the review, and writes what was decided when it is finished; `None` if it was broken off. Files that changed on disk
/// bring it back placed again, with every decision that still fits: while the review is open, and again if that is found only
/// when writing. A session in outline is placed in the background.
pub(super) fn carry_out<S: ReviewSource + Send>(
    source: &mut S,
    mut session: ReviewSession,
    keeper: Autosave,
    config: &Config,
    how: How,
) -> anyhow::Result<Option<Reviewed>> {
    let mut options = screen::options(config);
    options.linear = how.linear.or(options.linear);
    let mut outlined = None;
    let mut notice = None;
    if session.unread() > 0 {
        outlined = Some(keeper.earlier(how.resume)?);
    } else {
        let told = keeper.resume(&mut session, how.resume)?;
        // It was said already, where lines stay in sight.
        notice = told.filter(|_| options.linear.is_none());
        let by_policy = policy::summary(&session);
        match (&by_policy, options.linear) {
            (Some(accepted), Some(_)) => output::say(accepted),
            (Some(_), None) => notice = policy::with_summary(notice, &session),
            (None, _) => (),
        }
    }
    let root = source.root().path().to_owned();
    if options.linear.is_some() {
        name_folder(&root);
    }
    let source = Mutex::new(source);
    loop {
        let percent = lock(&source).precision();
        let ground = lock(&source).check_tree();
        // The source is locked while an outline is placed: what the first screen needs of it is taken before.
        let root_of_threads = lock(&source).root().anew().ok();
        let mut threads =
            root_of_threads.and_then(|root| thread_worker::start(root, &config.settings).ok());
        let outcome = watched(&source, outlined.take(), |placed, place_with| {
            let mut set = |_, percent| place_with(percent);
            let precision = percent.map(|_| MatchThreshold {
                percent,
                set: &mut set,
            });
            let services = Services {
                notice: notice.take(),
                changed: &mut |session| keeper.keep(session),
                placed,
                resident: None,
                precision,
                check: check(config, &root, ground, Undecided::LeftOut),
                model: model_questions::model(config),
                threads: threads.take(),
            };
            ui::run(session, options.clone(), services)
        })?;
        output::name_unsent(&outcome.unsent);
        session = outcome.session;
        if session.unread() == 0 {
            keeper.keep(&session);
        }
        let done = finished(&mut **lock(&source), &mut session, outcome.ending);
        let Some((writing, rejections)) = done else {
            keeper.finish(Fate::Stays);
            return Ok(None);
        };
        if let Writing::Conflict { paths, .. } = &writing {
            let before = session;
            session = lock(&source).place()?;
            session.carry_over(&before);
            notice = Some(format!(
                "nothing is written yet: changed on disk since the review: {}; placed again",
                paths.join(", ")
            ));
            continue;
        }
        let is_written = matches!(writing, Writing::Done { .. });
        keeper.finish(if is_written || outcome.ending == Ending::Discard {
            Fate::Served
        } else {
            Fate::Stays
        });
        return Ok(Some(Reviewed {
            session,
            writing,
            rejections,
        }));
    }
}

/// Names the root on standard error if the names of files are relative to another folder than the current one, in the form of `make`,
/// which editors understand.
fn name_folder(root: &Path) {
    let here = Path::new(".").canonicalize();
    if !here.is_ok_and(|here| here == root) {
        output::say(&format!("Entering directory '{}'", root.display()));
    }
}

/// Writes what was decided as the review ended, and collects what was rejected; `None` if it was broken off.
fn finished(
    source: &mut impl ReviewSource,
    session: &mut ReviewSession,
    ending: Ending,
) -> Option<(Writing, RejectionRecord)> {
    let is_proposed = session.stance() == Stance::Proposed;
    Some(match ending {
        Ending::Write => {
            let writing = source.write(session);
            let record = recorded(source, session, AcceptedChanges::after(&writing));
            (writing, record)
        }
        Ending::Keep if is_proposed => (Writing::Postponed, RejectionRecord::default()),
        Ending::Keep => (Writing::Rehearsed, RejectionRecord::default()),
        Ending::Discard => {
            let record = recorded(source, session, AcceptedChanges::Discarded);
            if is_proposed {
                session.reject_all();
            }
            (Writing::Rehearsed, record)
        }
        Ending::Aborted => return None,
    })
}

/// Collects what the decisions reject and accept, if the source records that.
fn recorded(
    source: &impl ReviewSource,
    session: &ReviewSession,
    accepted: AcceptedChanges,
) -> RejectionRecord {
    if source.records_rejections() {
        rejections::collected(session, accepted)
    } else {
        RejectionRecord::default()
    }
}
