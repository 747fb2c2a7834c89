//! `countersign policy`: what the rules of the person would accept in advance, and by which proof.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use anyhow::ensure;
use serde::Serialize;

use super::edit_args::{RuleArgs, RuleQuestion};
use super::exit::Exit;
use super::shared_args::ReportForm;
use super::{open_batch, output, settings};
use crate::app::look::protection;
use crate::app::policy::Policy;
use crate::app::recovery;
use crate::app::source::ReviewSource;
use crate::policy::{FileFacts, Judged, RULES, RuleVerdict, Rules, judge};
use crate::review::{
    Compared, Found, HunkId, HunkReview, Report, ReviewSession, Stance, Writing, compare,
};
use crate::store::Root;
use crate::text::{Document, LineNo, plural, sanitize, sanitize_name};

/// The name and version of the form of the answer.
const SCHEMA: &str = "countersign-policy/1";

/// Why no command is run for what was written before.
const NOT_MADE_AGAIN: &str = "the files that it was made from are no longer there";

#[derive(Debug, Serialize)]
struct PolicyAnswer {
    schema: &'static str,
    rules: Vec<&'static str>,
    /// The hunks that would be accepted.
    accepted: usize,
    /// Every hunk that is judged.
    hunks: Vec<Explained>,
    /// The others, and the parts of the input that could not be read.
    not_judged: Vec<NotJudged>,
}

/// A part of the edits about which no rule is asked.
#[derive(Debug, Serialize)]
struct NotJudged {
    /// Its file, if it names one.
    path: Option<String>,
    /// Its position among the hunks of the file; `None` for a part that could not be read.
    hunk: Option<usize>,
    reason: String,
}

/// The outcome of one hunk.
#[derive(Debug, Serialize)]
struct Explained {
    path: String,
    hunk: usize,
    line: LineNo,
    /// The rule that accepts it.
    rule: Option<&'static str>,
    /// The evidence, if a rule accepts it.
    proof: Option<String>,
    /// The reason why no rule may accept it, whatever it changes.
    barred: Option<String>,
    /// The reason for each rule that does not accept it.
    unproven: Vec<WhyNot>,
}

#[derive(Debug, Serialize)]
struct WhyNot {
    rule: &'static str,
    reason: String,
}

/// Judges edits, or what was written before, and prints the outcome.
pub(super) fn run(args: &RuleArgs) -> anyhow::Result<Exit> {
    let answer = match args.question {
        RuleQuestion::Explain => {
            let mut batch = open_batch::open(&args.edits)?;
            let session = batch.place()?;
            let policy = Policy::new(&batch.config.settings, batch.root().path());
            if let Some(prepare) = policy.preparation(&session) {
                prepare(&AtomicBool::new(false));
            }
            let judged = policy.judged(batch.placings(), &session);
            answer(&policy.rules, [(session, judged)])
        }
        RuleQuestion::Try => {
            ensure!(
                args.edits.input.edits.is_empty(),
                "`policy try` reads what was written before, and no edits; `policy explain` reads edits"
            );
            let root = Root::open(&args.edits.root)?;
            let config = settings::load(&args.edits.settings, &args.edits.root)?;
            let root = settings::guarded(root, &config);
            recovery::run(&root)?;
            let rules = Policy::new(&config.settings, root.path()).rules;
            answer(&rules, written(&root, &rules)?)
        }
    };
    let text = match args.report {
        ReportForm::Json => serde_json::to_string_pretty(&answer)? + "\n",
        ReportForm::Text | ReportForm::Agent => answer.text(),
    };
    output::write(&text)?;
    Ok(Exit::Done)
}

/// Judges every file of every batch that is kept, from what it held before to what was written.
fn written(root: &Root, rules: &Rules) -> anyhow::Result<Vec<(ReviewSession, Vec<Judged>)>> {
    let log = root.log()?;
    let files = log.entries.iter().flat_map(|entry| &entry.files);
    let paths: BTreeSet<String> = files.map(|file| file.path.to_string()).collect();
    let versions = root.previous_versions();
    let mut all = Vec::new();
    for path in paths {
        for bytes in versions.rewrites(&path, None) {
            let [Ok(old), Ok(new)] = bytes.map(Document::decode) else {
                continue;
            };
            let [old, new] = [old, new].map(|document| Found::Text {
                document: document.into(),
                executable: false,
            });
            let compared = Compared {
                path: path.clone(),
                rename: None,
                old,
                new,
                stance: Stance::Proposed,
                doubtful: Vec::new(),
                protected: protection(root, &path),
                origin: "log",
            };
            let session = compare(String::new(), &[compared]);
            let facts = FileFacts {
                real: &|path| Some(path.to_owned()),
                made: &|_| Err(NOT_MADE_AGAIN.to_owned()),
            };
            let judged = judge(&session, rules, facts);
            all.push((session, judged));
        }
    }
    Ok(all)
}

fn answer(
    rules: &Rules,
    judged: impl IntoIterator<Item = (ReviewSession, Vec<Judged>)>,
) -> PolicyAnswer {
    let (mut hunks, mut rest) = (Vec::new(), Vec::new());
    for (session, judged) in judged {
        if !rules.is_empty() {
            rest.extend(not_judged(&session, &judged));
        }
        hunks.extend(judged.into_iter().map(|judged| explained(&session, judged)));
    }
    PolicyAnswer {
        schema: SCHEMA,
        rules: (RULES.iter())
            .filter(|rule| rules.has(**rule))
            .map(|rule| rule.name())
            .collect(),
        accepted: hunks.iter().filter(|hunk| hunk.rule.is_some()).count(),
        hunks,
        not_judged: rest,
    }
}

/// Returns the hunks of a session that are not judged, and what could not be read, each with the reason that `check` gives.
fn not_judged(session: &ReviewSession, judged: &[Judged]) -> Vec<NotJudged> {
    let judged = judged.iter().map(|judged| {
        let HunkId { file, hunk } = judged.hunk;
        (session.files[file].path.as_str(), hunk + 1)
    });
    let judged: BTreeSet<(&str, usize)> = judged.collect();
    let report = Report::new(session, &Writing::Rehearsed, &BTreeMap::new());
    let hunks = report.hunks.into_iter();
    let hunks = hunks.filter(|hunk| !judged.contains(&(hunk.path.as_str(), hunk.hunk)));
    let hunks = hunks.map(|hunk| NotJudged {
        path: Some(hunk.path),
        hunk: Some(hunk.hunk),
        reason: hunk.reason.unwrap_or_else(|| hunk.status.name().to_owned()),
    });
    let problems = report.problems.into_iter().map(|problem| NotJudged {
        path: problem.path,
        hunk: None,
        reason: problem.message,
    });
    hunks.chain(problems).collect()
}

fn explained(session: &ReviewSession, Judged { hunk, verdict }: Judged) -> Explained {
    let HunkId { file, hunk: number } = hunk;
    let line = session.hunk(hunk).map_or(0, HunkReview::first_line);
    let mut explained = Explained {
        path: session.files[file].path.clone(),
        hunk: number + 1,
        line: LineNo::from_idx(line),
        rule: None,
        proof: None,
        barred: None,
        unproven: Vec::new(),
    };
    match verdict {
        RuleVerdict::Proven(proof) => {
            explained.rule = Some(proof.rule.name());
            explained.proof = Some(proof.evidence);
        }
        RuleVerdict::Barred(why) => explained.barred = Some(why),
        RuleVerdict::Unproven(reasons) => {
            let reasons = reasons.into_iter().map(|(rule, reason)| WhyNot {
                rule: rule.name(),
                reason,
            });
            explained.unproven = reasons.collect();
        }
    }
    explained
}

impl PolicyAnswer {
    fn text(&self) -> String {
        if self.rules.is_empty() {
            return "no rule of `[policy]` is on; `countersign config` lists them\n".to_owned();
        }
        let mut text = String::new();
        for hunk in &self.hunks {
            let outcome = hunk.rule.map_or("asks", |_| "accepts");
            let path = sanitize_name(&hunk.path);
            let _ = writeln!(
                text,
                "{outcome:<8} {path}:{}  hunk {}",
                hunk.line, hunk.hunk
            );
            if let (Some(rule), Some(proof)) = (hunk.rule, &hunk.proof) {
                let _ = writeln!(text, "    {rule}: {}", sanitize(proof));
            }
            if let Some(why) = &hunk.barred {
                let _ = writeln!(text, "    no rule may: {}", sanitize(why));
            }
            for why in &hunk.unproven {
                let _ = writeln!(text, "    {}: {}", why.rule, sanitize(&why.reason));
            }
        }
        for part in &self.not_judged {
            let path = sanitize_name(part.path.as_deref().unwrap_or("the input"));
            let hunk = part.hunk.map(|hunk| format!("  hunk {hunk}"));
            let _ = writeln!(text, "asks     {path}{}", hunk.unwrap_or_default());
            let _ = writeln!(text, "    not judged: {}", sanitize(&part.reason));
        }
        let all = plural(self.hunks.len() + self.not_judged.len(), "hunk");
        let _ = writeln!(
            text,
            "{} of {all} accepted by {}",
            self.accepted,
            self.rules.join(", ")
        );
        text
    }
}
