//! Judges the hunks of a session by the rules.

#[cfg(feature = "syntax")]
use std::collections::BTreeMap;
#[cfg(feature = "syntax")]
use std::ops::Range;
use std::sync::Arc;

use ignore::gitignore::Gitignore;

use super::exclusions::bar;
#[cfg(feature = "syntax")]
use super::moves::moves;
use super::proof::{Judged, Proof, RuleVerdict};
use super::rules::{RULES, Rule, Rules};
#[cfg(feature = "syntax")]
use super::syntax;
use super::versions::raised;
use crate::proposal::FinalNewline;
#[cfg(feature = "syntax")]
use crate::review::{FileKind, HunkReview};
use crate::review::{FileReview, HunkId, ReviewSession};
use crate::text::plural;

/// Returns the bytes that a command makes of a file, by its name, or why they are not known.
pub type GeneratedBytes<'a> = dyn Fn(&str) -> Result<Arc<[u8]>, String> + 'a;

/// Knowledge about files beyond their texts.
#[derive(Clone, Copy)]
pub struct FileFacts<'a> {
    /// Returns the path that a name leads to without links; a file of which it knows none is in no folder that a pattern could name.
    pub real: &'a dyn Fn(&str) -> Option<String>,
    /// Returns the bytes that the command of [`Generated`](super::Generated) makes of a file, or why they are not known.
    pub made: &'a GeneratedBytes<'a>,
}

/// Judges every hunk about which nothing is decided yet.
pub fn judge(session: &ReviewSession, rules: &Rules, facts: FileFacts<'_>) -> Vec<Judged> {
    let mut judged = Vec::new();
    for (at, file) in session.files.iter().enumerate() {
        if file.outline().is_some() || !file.is_open() {
            continue;
        }
        let proofs = FileProofs::new(file, rules);
        for hunk in file.in_file_order() {
            let review = &file.hunks[hunk];
            if !review.is_decidable() || !review.is_fresh() {
                continue;
            }
            let verdict = match bar(file, review) {
                Some(why) => RuleVerdict::Barred(why),
                None => proofs.verdict(hunk, rules, facts),
            };
            let hunk = HunkId { file: at, hunk };
            judged.push(Judged { hunk, verdict });
        }
    }
    judged
}

/// Returns true if rules may decide a hunk.
#[cfg(feature = "syntax")]
fn may_decide(file: &FileReview, hunk: &HunkReview) -> bool {
    hunk.is_decidable() && hunk.is_fresh() && bar(file, hunk).is_none()
}

/// Evidence from a file about its hunks.
struct FileProofs<'a> {
    file: &'a FileReview,
    #[cfg(feature = "syntax")]
    versions: Option<Result<syntax::ParsedVersions<'a>, syntax::Unproven>>,
    #[cfg(feature = "syntax")]
    moves: BTreeMap<usize, Proof>,
}

impl<'a> FileProofs<'a> {
    #[cfg(feature = "syntax")]
    fn new(file: &'a FileReview, rules: &'a Rules) -> Self {
        let is_wanted = rules.has_syntax()
            && file.kind == FileKind::Modified
            && file.hunks.iter().any(HunkReview::is_decidable);
        let versions = is_wanted.then(|| {
            syntax::ParsedVersions::parse(
                &file.path,
                [file.base.text(), file.yours().text()],
                rules,
            )
        });
        let moves = if rules.moves && file.kind == FileKind::Modified {
            moves(file, rules, &|hunk| may_decide(file, &file.hunks[hunk]))
        } else {
            BTreeMap::new()
        };
        Self {
            file,
            versions,
            moves,
        }
    }

    #[cfg(not(feature = "syntax"))]
    fn new(file: &'a FileReview, _: &Rules) -> Self {
        Self { file }
    }

    /// Returns the first rule that a hunk fulfils, or why it fulfils none.
    fn verdict(&self, hunk: usize, rules: &Rules, facts: FileFacts<'_>) -> RuleVerdict {
        let mut unproven = Vec::new();
        for rule in RULES.into_iter().filter(|rule| rules.has(*rule)) {
            let proof = match rule {
                Rule::Formatting | Rule::Imports | Rule::Comments | Rule::Tests => {
                    self.by_syntax(rule, hunk)
                }
                Rule::Moves => self.by_moves(hunk),
                Rule::Generated => self.by_command(rules, facts),
                Rule::Versions => self.by_versions(hunk, rules, facts),
                Rule::Paths => self.by_path(rules, facts),
            };
            match proof {
                Ok(proof) => return RuleVerdict::Proven(proof),
                Err(why) => unproven.push((rule, why)),
            }
        }
        RuleVerdict::Unproven(unproven)
    }

    #[cfg(feature = "syntax")]
    fn by_syntax(&self, rule: Rule, hunk: usize) -> Result<Proof, String> {
        if self.file.hunks[hunk].final_newline != FinalNewline::Keep {
            return Err("it changes the end of the file".to_owned());
        }
        let versions = self
            .versions
            .as_ref()
            .ok_or_else(|| "the file is new".to_owned())?;
        let versions = versions.as_ref().map_err(ToString::to_string)?;
        versions
            .prove(rule, &changed_bytes(self.file, hunk))
            .map_err(|why| why.to_string())
    }

    #[cfg(not(feature = "syntax"))]
    #[expect(
        clippy::unused_self,
        reason = "it is the same call with parsers built in"
    )]
    fn by_syntax(&self, _: Rule, _: usize) -> Result<Proof, String> {
        Err("this program was built without parsers (`--features syntax`)".to_owned())
    }

    #[cfg(feature = "syntax")]
    fn by_moves(&self, hunk: usize) -> Result<Proof, String> {
        let proof = self.moves.get(&hunk).cloned();
        proof.ok_or_else(|| "it does not only move items that may be in any order".to_owned())
    }

    #[cfg(not(feature = "syntax"))]
    fn by_moves(&self, hunk: usize) -> Result<Proof, String> {
        self.by_syntax(Rule::Moves, hunk)
    }

    /// Compares the proposed file with the one that the command makes.
    fn by_command(&self, rules: &Rules, facts: FileFacts<'_>) -> Result<Proof, String> {
        let generated = rules.generated.as_ref().ok_or("there is no command")?;
        self.matching(&generated.files, facts)?;
        let made = (facts.made)(&self.file.path)?;
        let yours = self.file.yours();
        let proposed = (yours.encode(yours.text())).map_err(|error| error.to_string())?;
        if *proposed != *made {
            let line = 1
                + (proposed.iter().zip(&*made))
                    .take_while(|(proposed, made)| proposed == made)
                    .filter(|(byte, _)| **byte == b'\n')
                    .count();
            return Err(format!(
                "line {line}: `{}` makes another text",
                generated.command
            ));
        }
        let evidence = format!(
            "`{}` makes this file: {} are equal",
            generated.command,
            plural(made.len(), "byte")
        );
        Ok(Proof {
            rule: Rule::Generated,
            evidence,
        })
    }

    /// Returns the path that the name of the file leads to and the pattern that matches it, if patterns match both.
    fn matching(
        &self,
        patterns: &Gitignore,
        facts: FileFacts<'_>,
    ) -> Result<(String, String), String> {
        let path = &self.file.path;
        let real = (facts.real)(path).ok_or("it is not known where its name leads")?;
        match (pattern(patterns, path), pattern(patterns, &real)) {
            (Some(found), Some(_)) => Ok((real, found)),
            (None, _) | (_, None) => Err(format!("`{real}` matches no pattern")),
        }
    }

    fn by_versions(
        &self,
        hunk: usize,
        rules: &Rules,
        facts: FileFacts<'_>,
    ) -> Result<Proof, String> {
        let patterns = rules.versions.as_ref().ok_or("there is no pattern")?;
        let (real, found) = self.matching(patterns, facts)?;
        if self.file.hunks[hunk].final_newline != FinalNewline::Keep {
            return Err("it changes the end of the file".to_owned());
        }
        let raised = raised(self.file, hunk)?;
        let evidence = format!(
            "`{real}` matches your pattern `{found}`, and nothing but these versions changes: {}",
            raised.join(", ")
        );
        Ok(Proof {
            rule: Rule::Versions,
            evidence,
        })
    }

    fn by_path(&self, rules: &Rules, facts: FileFacts<'_>) -> Result<Proof, String> {
        let patterns = rules.paths.as_ref().ok_or("there is no pattern")?;
        let (real, found) = self.matching(patterns, facts)?;
        let (added, removed) = self.file.counts();
        let changed = added + removed;
        if changed > rules.most_lines {
            return Err(format!(
                "{changed} lines of the file change, and the limit is {}",
                rules.most_lines
            ));
        }
        let evidence = format!(
            "`{real}` matches your pattern `{found}`; {changed} of at most {} lines change",
            rules.most_lines
        );
        Ok(Proof {
            rule: Rule::Paths,
            evidence,
        })
    }
}

/// Returns the pattern that matches a path.
fn pattern(patterns: &Gitignore, path: &str) -> Option<String> {
    let matched = patterns.matched_path_or_any_parents(path, false);
    let glob = matched.is_ignore().then(|| matched.inner())??;
    Some(glob.original().to_owned())
}

/// Returns the bytes from the first to the last line that a hunk changes, and those of the base that other hunks change. What is
/// between its changes belongs to them: a line may have moved from one to the other.
#[cfg(feature = "syntax")]
fn changed_bytes(file: &FileReview, hunk: usize) -> syntax::ChangedBytes {
    let mut shift = 0_isize;
    let mut lines: Option<[Range<usize>; 2]> = None;
    let mut others = Vec::new();
    for group in &file.groups {
        let start = group.base.start.saturating_add_signed(shift);
        if group.hunk == hunk {
            let [was, is] = lines.get_or_insert_with(|| [group.base.clone(), start..start]);
            (was.end, is.end) = (group.base.end, start + group.adds);
        } else {
            others.push(file.base.bytes_of(group.base.clone()));
        }
        shift += group.adds.cast_signed() - group.base.len().cast_signed();
    }
    let [was, is] = lines.unwrap_or_default();
    syntax::ChangedBytes {
        bytes: [file.base.bytes_of(was), file.yours().bytes_of(is)],
        others,
    }
}
