//! Proofs by syntax: two versions of some lines are the same tokens in the same tree, so that only their layout differs.
//!
//! The whole file is parsed as it is and as it is proposed, without any error. The tokens of the changed lines must be equal to the
//! byte, texts included, and must be in the same place of the tree. Blanks between them may differ where they have no meaning: where
//! the two tokens cannot be read as one, where a line break neither ends a statement nor makes a block, and where no comment speaks to
//! the line, as directives to tools do.
//!
//! A proof is about the program, not about its positions: line numbers in messages, and macros that read the source around them, may
//! notice a new line break.

mod commas;
mod compare;
mod directives;
mod documentation;
mod imports;
mod items;
mod language;
mod new_tests;
mod proof_error;
#[cfg(test)]
mod tests;
mod tokens;
mod walk;

use std::cell::OnceCell;
use std::ops::Range;

use regex::Regex;
use tree_sitter::Tree;

use self::compare::{ComparedVersion, compare};
use self::language::{Grammar, language};
pub(super) use self::proof_error::Unproven;
use self::tokens::{Aside, OlderVersion, Tokens, parse, tokens};
use super::proof::Proof;
use super::rules::{Rule, Rules};
use crate::text::plural;

/// The change of a hunk.
pub(super) struct ChangedBytes {
    /// The bytes that it changes, in both versions.
    pub(super) bytes: [Range<usize>; 2],
    /// The bytes of the old version that other hunks change.
    pub(super) others: Vec<Range<usize>>,
}

/// Two versions of a file, parsed.
pub(super) struct ParsedVersions<'a> {
    path: &'a str,
    grammar: &'static Grammar,
    texts: [&'a str; 2],
    trees: [Tree; 2],
    prose: Option<&'a Regex>,
    compared: [OnceCell<[Tokens<'a>; 2]>; 4],
}

impl<'a> ParsedVersions<'a> {
    /// Parses both versions of a file.
    ///
    /// # Errors
    ///
    /// [`Unproven`] if there is no parser, or one of them has an error.
    pub(super) fn parse(
        path: &'a str,
        texts: [&'a str; 2],
        rules: &'a Rules,
    ) -> Result<Self, Unproven> {
        let grammar = language(path).ok_or(Unproven::Language)?;
        let trees = [parse(grammar, texts[0])?, parse(grammar, texts[1])?];
        let prose = rules.comments.as_ref();
        Ok(Self {
            path,
            grammar,
            texts,
            trees,
            prose,
            compared: Default::default(),
        })
    }

    /// Proves that some bytes of both versions mean the same, by one rule.
    pub(super) fn prove(&self, rule: Rule, change: &ChangedBytes) -> Result<Proof, Unproven> {
        let slot = match rule {
            Rule::Imports => 1,
            Rule::Comments => 2,
            Rule::Tests => 3,
            Rule::Formatting | Rule::Moves | Rule::Generated | Rule::Versions | Rule::Paths => 0,
        };
        let [old, new] = self.compared[slot].get_or_init(|| self.tokens(&[rule]));
        let [was, is] = with_whole_tests(new, &change.bytes);
        let old = ComparedVersion {
            tokens: old,
            bytes: was,
        };
        let new = ComparedVersion {
            tokens: new,
            bytes: is,
        };
        let count = compare(self.grammar, &old, &new)?;
        // What two hunks do to the same tokens may cancel out; one of them alone does not.
        let span = old.span();
        if (change.others.iter()).any(|other| other.start < span.end && span.start < other.end) {
            return Err(Unproven::Shared);
        }
        let name = self.grammar.name;
        let tokens = plural(count, "token");
        let evidence = match rule {
            Rule::Imports => format!(
                "{name}: the same imports in another order, and nothing else: {tokens} compared"
            ),
            Rule::Tests => {
                format!("{name}: new tests, and nothing else outside of them: {tokens} compared")
            }
            Rule::Comments => {
                format!("{name}: only comments differ that match your pattern: {tokens} compared")
            }
            Rule::Formatting | Rule::Moves | Rule::Generated | Rule::Versions | Rule::Paths => {
                format!(
                    "{name}: the same syntax, only blanks and line breaks differ: {tokens} compared"
                )
            }
        };
        Ok(Proof { rule, evidence })
    }

    /// Proves that both versions mean the same as a whole, by several rules.
    pub(super) fn prove_all(
        &self,
        rules: &[Rule],
        [was, is]: &[Range<usize>; 2],
    ) -> Result<usize, Unproven> {
        let [old, new] = &self.tokens(rules);
        let old = ComparedVersion {
            tokens: old,
            bytes: was.clone(),
        };
        let new = ComparedVersion {
            tokens: new,
            bytes: is.clone(),
        };
        compare(self.grammar, &old, &new)
    }

    /// The tokens of both versions without what some rules leave aside.
    fn tokens(&self, rules: &[Rule]) -> [Tokens<'a>; 2] {
        let aside = Aside {
            import_order: rules.contains(&Rule::Imports),
            item_order: rules.contains(&Rule::Moves),
            comments: self.prose.filter(|_| rules.contains(&Rule::Comments)),
            new_tests: None,
        };
        let older = OlderVersion {
            path: self.path,
            text: self.texts[0],
        };
        let new_tests = Some(older).filter(|_| rules.contains(&Rule::Tests));
        let of = |side: usize, aside: Aside<'_>| {
            tokens(self.grammar, self.texts[side], &self.trees[side], aside)
        };
        [of(0, aside), of(1, Aside { new_tests, ..aside })]
    }
}

/// Returns the bytes of a change with those of the tests that it cuts: where a test ends as the one before it does, a diff may begin
/// between them. What is added is the same in both versions.
fn with_whole_tests(new: &Tokens<'_>, [was, is]: &[Range<usize>; 2]) -> [Range<usize>; 2] {
    let cut = (new.tests.iter()).filter(|test| test.start < is.end && is.start < test.end);
    let cut = cut.cloned().reduce(|all, test| all.start..test.end);
    let cut = cut.unwrap_or_else(|| is.clone());
    let above = is.start.saturating_sub(cut.start);
    let below = cut.end.saturating_sub(is.end);
    [was, is].map(|bytes| bytes.start.saturating_sub(above)..bytes.end + below)
}
