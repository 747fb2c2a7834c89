//! The rules of the person's configuration, applied to a proposal that was placed.

use std::collections::BTreeMap;
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::app::generated::Generator;
use crate::app::snapshots::Snapshots;
use crate::app::source::Preparation;
use crate::config::Settings;
use crate::policy::{FileFacts, Generated, Judged, Rule, RuleVerdict, Rules, judge, recheck};
use crate::review::{ByPolicy, HunkId, ReviewSession, Writing};
use crate::text::plural;

/// The rules of the person for proposals below a root.
#[derive(Default)]
pub(crate) struct Policy {
    /// The rules that are switched on.
    pub(crate) rules: Rules,
    generator: Option<Generator>,
}

impl Policy {
    /// The rules that the person has switched on.
    pub(crate) fn new(settings: &Settings, root: &Path) -> Self {
        let policy = &settings.policy;
        let rules = Rules {
            formatting: policy.formatting,
            imports: policy.imports,
            comments: policy.comments.compiled(),
            moves: policy.moves,
            tests: policy.tests,
            generated: generated(settings),
            versions: patterns(&policy.versions.0),
            paths: patterns(&policy.paths.0),
            most_lines: policy.most_lines.0,
        };
        let generator = rules.generated.clone();
        let generator = generator.map(|rule| Generator::new(rule, root.to_owned()));
        Self { rules, generator }
    }

    /// Returns true if a command may have to run before a proposal with files of these names is placed.
    pub(crate) fn runs_for<'a>(&self, mut names: impl Iterator<Item = &'a str>) -> bool {
        let generator = self.generator.as_ref();
        generator.is_some_and(|generator| names.any(|name| generator.makes(name)))
    }

    /// Returns the run of the command that a session needs whose outcome is not known yet.
    pub(crate) fn preparation(&self, session: &ReviewSession) -> Option<Preparation> {
        let generator = self.generator.as_ref()?;
        generator.preparation(generator.inputs_of_all(session)?.ok()?)
    }

    /// Judges the hunks of a session that was placed in files as they were read.
    pub(crate) fn judged(&self, placings: &Snapshots, session: &ReviewSession) -> Vec<Judged> {
        if self.rules.is_empty() {
            return Vec::new();
        }
        let generator = (self.generator.as_ref())
            .and_then(|generator| Some((generator, generator.inputs_of_all(session)?)));
        let facts = FileFacts {
            real: &|path| Some(placings.known(path)?.target.to_string()),
            made: &|path| {
                let (generator, inputs) = generator.as_ref().ok_or("it has no command")?;
                generator.generated_bytes(inputs.as_ref().map_err(Clone::clone)?, path)
            },
        };
        judge(session, &self.rules, facts)
    }

    /// Accepts the hunks of a session that a rule decides.
    pub(crate) fn decide(&self, placings: &Snapshots, session: &mut ReviewSession) {
        let judged = self.judged(placings, session);
        let proven = judged
            .into_iter()
            .filter_map(|Judged { hunk, verdict }| match verdict {
                RuleVerdict::Proven(proof) => {
                    let (rule, proof) = (proof.rule.name().to_owned(), proof.evidence);
                    Some((hunk, ByPolicy { rule, proof }))
                }
                RuleVerdict::Barred(_) | RuleVerdict::Unproven(_) => None,
            });
        let proven: Vec<(HunkId, ByPolicy)> = proven.collect();
        session.accept_by_policy(proven);
    }

    /// Returns why a session cannot be written: a proof does not hold beside what the person decided.
    pub(crate) fn refused(&self, session: &ReviewSession) -> Option<Writing> {
        if self.rules.is_empty() {
            return None;
        }
        let (file, why) = session.files.iter().find_map(|file| {
            let is_made = |rule: &str| rule == Rule::Generated.name();
            let mut by_rules = file.hunks.iter().filter_map(|hunk| hunk.by_policy());
            let generator =
                (self.generator.as_ref()).filter(|_| by_rules.any(|by| is_made(&by.rule)));
            let why = generator
                .and_then(|generator| generator.refutes(session, file))
                .or_else(|| recheck(file, &self.rules));
            Some((file, why?))
        })?;
        Some(Writing::Refused {
            path: file.path.clone(),
            error: format!(
                "what your policy accepted is not proven beside your other decisions: {why}"
            ),
            hint: "decide the hunks of this file yourself, or switch the rule off",
        })
    }
}

/// Returns the rule for generated files, if its files and its command are set.
fn generated(settings: &Settings) -> Option<Generated> {
    let policy = &settings.policy;
    let command = policy.generate.clone();
    Some(Generated {
        files: patterns(&policy.generated.0)?,
        from: patterns(&policy.generated_from.0).unwrap_or_else(Gitignore::empty),
        command: command.filter(|command| !command.trim().is_empty())?,
    })
}

/// Compiles patterns of files; `None` if there are none, or one of them cannot be compiled.
fn patterns(patterns: &[String]) -> Option<Gitignore> {
    if patterns.is_empty() {
        return None;
    }
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns {
        builder.add_line(None, pattern).ok()?;
    }
    builder.build().ok()
}

/// Says how many hunks were accepted in advance, by rules or as in an earlier review; `None` if none were.
pub(crate) fn summary(session: &ReviewSession) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, hunk) in session.hunks() {
        if let Some(by) = hunk.by_policy() {
            *counts.entry(&by.rule).or_default() += 1;
        }
    }
    let all: usize = counts.values().sum();
    let of_each: Vec<String> = (counts.iter())
        .map(|(rule, count)| format!("{count} {rule}"))
        .collect();
    let by_rules = (all > 0).then(|| {
        format!(
            "your policy accepted {} ({}); undo takes that back",
            plural(all, "hunk"),
            of_each.join(", ")
        )
    });
    let again = session
        .hunks()
        .filter(|(_, hunk)| hunk.is_accepted_before());
    let again = again.count();
    let again = (again > 0).then(|| {
        let (hunks, are) = (plural(again, "hunk"), if again == 1 { "is" } else { "are" });
        format!("{hunks} {are} accepted as in an earlier review; undo takes that back")
    });
    let said: Vec<String> = again.into_iter().chain(by_rules).collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// Appends to a notice how many hunks were accepted in advance.
pub(crate) fn with_summary(notice: Option<String>, session: &ReviewSession) -> Option<String> {
    let parts: Vec<String> = notice.into_iter().chain(summary(session)).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}
