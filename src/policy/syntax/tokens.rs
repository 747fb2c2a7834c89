//! A file as its tokens: their texts, their places in the syntax tree, and the blanks between them.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hash};
use std::ops::{ControlFlow, Range};

use regex::Regex;
use rustc_hash::{FxBuildHasher, FxHashSet};
use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::documentation::Documented;
use super::language::{Grammar, IgnoredComments};
use super::proof_error::Unproven;
use super::walk::go_on;
use super::{commas, directives, documentation, imports, items, new_tests};

/// Largest file that is parsed, in bytes.
const MOST_BYTES: usize = 1 << 20;
/// Steps of the parser that every file gets, beside those that its length gives it.
const LEAST_STEPS: usize = 10_000;

#[derive(Debug, Clone)]
pub(super) struct SyntaxToken<'a> {
    /// Its text; for declarations whose order has no meaning, these sorted.
    pub(super) text: Cow<'a, str>,
    /// Its bytes in the file.
    pub(super) bytes: Range<usize>,
    /// Its first and last line, counted from 0.
    pub(super) rows: (usize, usize),
    /// The kinds of its nodes up to the root, as a hash.
    path: u64,
    /// The number of nodes that it shares with the token before it.
    shared: usize,
    pub(super) is_comment: bool,
    /// The number of brackets around the blanks before it.
    pub(super) brackets: usize,
    /// True if a macro gets it, by an attribute or a derived trait of an item around it.
    pub(super) is_macro_input: bool,
    /// The blanks before it.
    pub(super) before: TokenGap,
}

/// The blanks between two tokens.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TokenGap {
    /// True if there are any.
    pub(super) is_blank: bool,
    /// The number of line breaks; more than two count as two.
    pub(super) breaks: u8,
    /// True if there is a line without anything.
    pub(super) has_blank_line: bool,
    /// The documentation that is left out.
    pub(super) documented: Documented,
    /// The blanks after the last line break.
    pub(super) indent: String,
    /// Everything between the tokens, if it is not all blanks.
    pub(super) other: Option<String>,
}

/// Parts of a file that a comparison leaves aside.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Aside<'a> {
    pub(super) import_order: bool,
    pub(super) item_order: bool,
    /// The comments that match are.
    pub(super) comments: Option<&'a Regex>,
    /// The tests that an older version does not have are.
    pub(super) new_tests: Option<OlderVersion<'a>>,
}

/// The file before its tests were added.
#[derive(Debug, Clone, Copy)]
pub(super) struct OlderVersion<'a> {
    pub(super) path: &'a str,
    pub(super) text: &'a str,
}

/// The tokens of a file.
pub(super) struct Tokens<'a> {
    /// The tokens in order.
    pub(super) all: Vec<SyntaxToken<'a>>,
    /// The blanks after the last one.
    pub(super) last: TokenGap,
    /// The lines to which a comment may speak: its own, and the next with a token.
    pub(super) spoken_to: FxHashSet<usize>,
    /// The bytes of the tests that are left aside.
    pub(super) tests: Vec<Range<usize>>,
}

impl SyntaxToken<'_> {
    /// Returns true if it is the same token in the same place of the tree.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.text == other.text && self.path == other.path && self.is_comment == other.is_comment
    }

    /// Returns true if it begins as many nodes after the token before it as the other does.
    pub(super) fn follows_alike(&self, other: &Self) -> bool {
        self.shared == other.shared
    }
}

/// Parses a file.
///
/// # Errors
///
/// [`Unproven`] if it is too large, or has any error.
pub(super) fn parse(grammar: &Grammar, text: &str) -> Result<Tree, Unproven> {
    if text.len() > MOST_BYTES {
        return Err(Unproven::Large);
    }
    let mut parser = Parser::new();
    if parser.set_language(&(grammar.parser)()).is_err() {
        return Err(Unproven::NoParser);
    }
    // The callback is called after a fixed number of steps, so that this is a bound that no clock decides.
    let mut steps = text.len() + LEAST_STEPS;
    let mut progress = |_: &_| {
        steps = steps.saturating_sub(1);
        if steps == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let read = &mut |at: usize, _| text.as_bytes().get(at..).unwrap_or_default();
    let tree = parser
        .parse_with_options(read, None, Some(options))
        .ok_or(Unproven::Large)?;
    match first_error(&tree) {
        Some(line) => Err(Unproven::Error { line }),
        None => Ok(tree),
    }
}

/// Returns the line of the first error of a tree, counted from 1.
fn first_error(tree: &Tree) -> Option<usize> {
    if !tree.root_node().has_error() {
        return None;
    }
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            break;
        }
        if (node.has_error() && cursor.goto_first_child()) || go_on(&mut cursor) {
            continue;
        }
        break;
    }
    Some(cursor.node().start_position().row + 1)
}

/// Collects the tokens of a parsed file.
pub(super) fn tokens<'a>(
    grammar: &Grammar,
    text: &'a str,
    tree: &Tree,
    aside: Aside<'_>,
) -> Tokens<'a> {
    let mut collected = Collected {
        grammar,
        text,
        aside,
        tokens: Tokens {
            all: Vec::new(),
            last: TokenGap::default(),
            spoken_to: FxHashSet::default(),
            tests: Vec::new(),
        },
        gap: TokenGap::default(),
        done: 0,
        brackets: 0,
        lowest: 0,
        spoken_before: false,
        is_given: false,
        given_to: 0,
        has_prose: grammar.prose != IgnoredComments::Spaced
            || aside.comments.is_some() && !directives::has_read_comments(text),
    };
    let mut cursor = tree.walk();
    let mut paths = vec![0_u64];
    'nodes: loop {
        let node = cursor.node();
        let depth = cursor.depth() as usize;
        paths.truncate(depth + 1);
        let path = hash_of(&(paths[depth], node.kind_id()));
        collected.lowest = collected.lowest.min(depth);
        collected.follow_macros(node);
        if aside.import_order
            && !collected.is_macro_input(node.start_byte())
            && let Some(run) = imports::run(&cursor, text)
        {
            collected.push(
                run.bytes.clone(),
                run.rows,
                Cow::Owned(run.sorted),
                (path, depth),
                false,
            );
            for _ in 1..run.count {
                cursor.goto_next_sibling();
            }
        } else if let Some(older) = aside.new_tests
            && let Some(test) =
                new_tests::new_test(grammar, older.path, &cursor, [older.text, text])
        {
            collected.skip_to(test.bytes.start);
            collected.done = test.bytes.end;
            collected.tokens.tests.push(test.bytes);
            for _ in 1..test.nodes {
                cursor.goto_next_sibling();
            }
        } else if aside.item_order
            && let Some(run) = items::run(grammar, &cursor, text)
        {
            collected.is_given = false;
            collected.push(
                run.bytes.clone(),
                run.rows,
                Cow::Owned(run.sorted),
                (hash_of(&(paths[depth], "items")), depth),
                false,
            );
            for _ in 1..run.nodes {
                cursor.goto_next_sibling();
            }
        } else {
            let is_whole = grammar.verbatim.contains(&node.kind());
            if !is_whole && cursor.goto_first_child() {
                paths.push(path);
                continue 'nodes;
            }
            collected.push_node(node, (path, depth));
        }
        if !go_on(&mut cursor) {
            break;
        }
    }
    collected.skip_to(text.len());
    collected.tokens.last = collected.gap;
    collected.tokens
}

struct Collected<'t, 'a, 'b> {
    grammar: &'t Grammar,
    text: &'a str,
    aside: Aside<'b>,
    tokens: Tokens<'a>,
    gap: TokenGap,
    /// The end of what was read.
    done: usize,
    brackets: usize,
    /// The least depth since the last token.
    lowest: usize,
    /// True if the next token is on a line to which a comment speaks.
    spoken_before: bool,
    /// True if an attribute gives the next item to a macro.
    is_given: bool,
    /// The end of the last item that a macro gets.
    given_to: usize,
    /// True if comments may be prose in this file.
    has_prose: bool,
}

impl<'a> Collected<'_, 'a, '_> {
    /// Notes the attributes that may be macros, and the item below them.
    fn follow_macros(&mut self, node: Node<'_>) {
        if node.kind() == items::ATTRIBUTE {
            self.is_given |= !documentation::is_built_in(node, self.text);
        } else if self.is_given && !self.grammar.comments.contains(&node.kind()) {
            self.is_given = false;
            self.given_to = self.given_to.max(node.end_byte());
        }
    }

    fn is_macro_input(&self, at: usize) -> bool {
        at < self.given_to
    }

    fn push_node(&mut self, node: Node<'_>, at: (u64, usize)) {
        let mut bytes = node.byte_range();
        let is_comment = self.grammar.comments.contains(&node.kind());
        let mut text = &self.text[bytes.clone()];
        if is_comment {
            // Some grammars count the end of the line among the comment.
            text = text.trim_end_matches(['\n', '\r']);
            bytes.end = bytes.start + text.len();
        } else if text.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
            // Line breaks that the grammar has as tokens are blanks here; their meaning is checked between the tokens.
            return;
        }
        let rows = (
            node.start_position().row,
            node.start_position().row + text.matches('\n').count(),
        );
        if !self.is_macro_input(bytes.start) && commas::is_trailing_comma(self.grammar, node) {
            self.skip_to(bytes.start);
            self.done = bytes.end;
            return;
        }
        if is_comment && self.is_prose(node, text) {
            self.skip_to(bytes.start);
            self.gap.is_blank = true;
            if self.grammar.prose == IgnoredComments::Documented {
                self.gap.documented.add(node, text);
            }
            self.done = bytes.end;
            return;
        }
        let text = if self.grammar.quoted == Some(node.kind()) {
            in_one_quotes(text)
        } else {
            Cow::Borrowed(text)
        };
        let is_line_of_documentation = self.grammar.prose == IgnoredComments::Documented
            && node.kind() == "line_comment"
            && documentation::documentation(&text).is_some();
        self.push(
            bytes,
            rows,
            text,
            at,
            is_comment && !is_line_of_documentation,
        );
    }

    fn push(
        &mut self,
        bytes: Range<usize>,
        rows: (usize, usize),
        text: Cow<'a, str>,
        (path, depth): (u64, usize),
        is_comment: bool,
    ) {
        self.skip_to(bytes.start);
        if is_comment || self.spoken_before {
            self.tokens.spoken_to.extend(rows.0..=rows.1);
        }
        self.spoken_before = is_comment;
        let brackets = self.brackets;
        let is_macro_input = self.is_macro_input(bytes.start);
        if matches!(&*text, ")" | "]" | "}") {
            self.brackets = self.brackets.saturating_sub(1);
        }
        if matches!(&*text, "(" | "[" | "{") {
            self.brackets += 1;
        }
        self.done = bytes.end;
        self.tokens.all.push(SyntaxToken {
            text,
            bytes,
            rows,
            path,
            shared: self.lowest,
            is_comment,
            brackets,
            is_macro_input,
            before: std::mem::take(&mut self.gap),
        });
        self.lowest = depth;
    }

    /// Adds what is between the end of what was read and a position to the blanks.
    fn skip_to(&mut self, start: usize) {
        let between = self.text.get(self.done..start).unwrap_or_default();
        let gap = &mut self.gap;
        gap.is_blank |= !between.is_empty();
        let breaks = between.matches('\n').count();
        gap.breaks = gap
            .breaks
            .saturating_add(u8::try_from(breaks).unwrap_or(2))
            .min(2);
        gap.has_blank_line |= breaks > 1;
        match between.rsplit_once('\n') {
            Some((_, indent)) => indent.clone_into(&mut gap.indent),
            None => gap.indent.push_str(between),
        }
        let has_lone_return = between.matches('\r').count() != between.matches("\r\n").count();
        if has_lone_return || !between.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
            gap.other.get_or_insert_default().push_str(between);
        }
        self.done = start.max(self.done);
    }

    /// Returns true if a comment is left aside: the person declared it to be prose, and the language has no use for it.
    fn is_prose(&self, node: Node<'_>, text: &str) -> bool {
        let Some(prose) = self.aside.comments else {
            return false;
        };
        if !self.has_prose || !prose.is_match(text) {
            return false;
        }
        match self.grammar.prose {
            IgnoredComments::Documented => {
                documentation::documentation(text).is_none()
                    || documentation::is_for_people(node, self.text)
            }
            IgnoredComments::BelowTheHead => node.start_position().row > 1,
            IgnoredComments::Spaced => {
                text.starts_with("// ") && !directives::may_be_directive(text)
            }
        }
    }
}

/// Returns a text of Python in double quotes, if it means the same in them: no quotes are in it.
fn in_one_quotes(text: &str) -> Cow<'_, str> {
    let (prefix, quoted) = text.split_at(text.find('\'').unwrap_or(text.len()));
    let is_prefix = prefix.chars().all(|c| c.is_ascii_alphabetic());
    for (single, double) in [("'''", "\"\"\""), ("'", "\"")] {
        let inner = quoted.strip_prefix(single);
        let inner = inner.and_then(|text| text.strip_suffix(single));
        if let Some(inner) = inner.filter(|inner| is_prefix && !inner.contains(['\'', '"'])) {
            return Cow::Owned(format!("{prefix}{double}{inner}{double}"));
        }
    }
    Cow::Borrowed(text)
}

fn hash_of(value: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}
