//! Proofs, and the reasons why there is none.

use super::rules::Rule;
use crate::review::HunkId;

/// A proof that a hunk fulfils a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The rule.
    pub rule: Rule,
    /// The evidence, in a sentence.
    pub evidence: String,
}

/// The outcome of the rules for one hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The hunk.
    pub hunk: HunkId,
    /// The outcome.
    pub verdict: RuleVerdict,
}

/// The outcome of the rules for a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleVerdict {
    /// A rule decides it.
    Proven(Proof),
    /// No rule may decide it, whatever it changes.
    Barred(String),
    /// No rule is fulfilled: each with the reason.
    Unproven(Vec<(Rule, String)>),
}
