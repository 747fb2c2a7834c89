//! Compares some lines of two versions of a file, token by token.

use std::ops::Range;

use super::documentation::Documented;
use super::language::{Breaks, Grammar};
use super::proof_error::Unproven;
use super::tokens::{SyntaxToken, TokenGap, Tokens};

/// One version of a file, and the bytes of it that are compared.
pub(super) struct ComparedVersion<'t, 'a> {
    pub(super) tokens: &'t Tokens<'a>,
    pub(super) bytes: Range<usize>,
}

impl<'t, 'a> ComparedVersion<'t, 'a> {
    /// Returns the positions of the tokens that touch the bytes.
    fn touched(&self) -> Range<usize> {
        let all = &self.tokens.all;
        let from = all.partition_point(|token| token.bytes.end <= self.bytes.start);
        let to = all.partition_point(|token| token.bytes.start < self.bytes.end);
        // An insertion touches only the token that it is inside of.
        let inside = all
            .get(from)
            .is_some_and(|token| token.bytes.start < self.bytes.start);
        from..to.max(from + usize::from(inside))
    }

    /// Returns the bytes, with those of the tokens that they cut.
    pub(super) fn span(&self) -> Range<usize> {
        let touched = &self.tokens.all[self.touched()];
        let start = touched.first().map(|token| token.bytes.start);
        let end = touched.last().map(|token| token.bytes.end);
        let start = start.map_or(self.bytes.start, |start| start.min(self.bytes.start));
        start..end.map_or(self.bytes.end, |end| end.max(self.bytes.end))
    }

    fn token(&self, at: Option<usize>) -> Option<&'t SyntaxToken<'a>> {
        self.tokens.all.get(at?)
    }

    fn gap(&self, at: usize) -> &'t TokenGap {
        self.token(Some(at))
            .map_or(&self.tokens.last, |token| &token.before)
    }

    /// Returns the documentation before a token that is left out, with that in the tokens beside it.
    fn documented(&self, at: usize) -> Documented {
        let around = [self.token(at.checked_sub(1)), self.token(Some(at))];
        let beside = around.into_iter().flatten();
        beside.fold(self.gap(at).documented, |documented, token| {
            documented.beside(&token.text)
        })
    }

    /// The line of a token, or of the end, counted from 1.
    fn line(&self, at: usize) -> usize {
        let last = || self.tokens.all.last().map_or(0, |token| token.rows.1);
        self.token(Some(at)).map_or_else(last, |token| token.rows.0) + 1
    }

    fn is_spoken_to(&self, tokens: [Option<&SyntaxToken<'_>>; 2]) -> bool {
        let [before, after] = tokens;
        let rows = before
            .map(|token| token.rows.1)
            .into_iter()
            .chain(after.map(|token| token.rows.0));
        rows.into_iter()
            .any(|row| self.tokens.spoken_to.contains(&row))
    }
}

/// Compares the tokens in some bytes of two versions, and the blanks between and around them. Returns the number of tokens.
///
/// # Errors
///
/// [`Unproven`] if a token differs, or a blank that may have a meaning.
pub(super) fn compare(
    grammar: &Grammar,
    old: &ComparedVersion<'_, '_>,
    new: &ComparedVersion<'_, '_>,
) -> Result<usize, Unproven> {
    let (was, is) = (old.touched(), new.touched());
    let differing = was.clone().zip(is.clone()).find(|&(was, is)| {
        let (was, is) = (&old.tokens.all[was], &new.tokens.all[is]);
        !was.is_same(is) || !was.follows_alike(is)
    });
    let differing = differing.map(|(_, is)| is);
    if let Some(at) =
        differing.or((was.len() != is.len()).then(|| is.start + was.len().min(is.len())))
    {
        let token = new.token(Some(at)).filter(|_| at < is.end);
        let token = token.map(|token| token.text.clone().into_owned());
        return Err(Unproven::Token {
            line: new.line(at),
            token,
        });
    }
    // The token after them must be in the same place of the tree, seen from the last of them.
    if let (Some(was), Some(is)) = (old.token(Some(was.end)), new.token(Some(is.end)))
        && !was.follows_alike(is)
    {
        return Err(Unproven::Token {
            line: is.rows.0 + 1,
            token: Some(is.text.clone().into_owned()),
        });
    }
    for (was, is) in (was.start..=was.end).zip(is.start..=is.end) {
        compare_gap(grammar, [(old, was), (new, is)])?;
    }
    Ok(is.len())
}

/// Compares the blanks before a token of each version.
fn compare_gap(
    grammar: &Grammar,
    sides: [(&ComparedVersion<'_, '_>, usize); 2],
) -> Result<(), Unproven> {
    let [was, is] = sides.map(|(side, at)| side.gap(at));
    let line = sides[1].0.line(sides[1].1);
    if was == is {
        return Ok(());
    }
    if was.other != is.other {
        return Err(Unproven::Between { line });
    }
    let [had, has] = sides.map(|(side, at)| side.documented(at));
    if !had.may_become(has) {
        return Err(Unproven::Documentation { line });
    }
    let around = sides.map(|(side, at)| [side.token(at.checked_sub(1)), side.token(Some(at))]);
    let is_read_by_macro = around.iter().all(are_read_by_macro);
    if was.is_blank != is.is_blank && (is_read_by_macro || !around.iter().all(are_apart)) {
        return Err(Unproven::Joined { line });
    }
    if !are_lines_alike([(was, &around[0]), (is, &around[1])]) {
        return Err(Unproven::Break { line });
    }
    let has_brackets =
        |around: &[Option<&SyntaxToken<'_>>; 2]| around[1].is_some_and(|token| token.brackets > 0);
    let is_bracketed = around.iter().all(has_brackets);
    if (was.breaks == 0) != (is.breaks == 0) {
        if sides
            .iter()
            .zip(around)
            .any(|((side, _), around)| side.is_spoken_to(around))
        {
            return Err(Unproven::SpokenTo { line });
        }
        let opens = |around: &[Option<&SyntaxToken<'_>>; 2]| {
            around[0].is_some_and(|token| matches!(&*token.text, "(" | "[" | "{" | ","))
        };
        let is_blank = match grammar.breaks {
            Breaks::Blank => true,
            Breaks::EndStatements => around.iter().all(opens),
            Breaks::MakeBlocks => is_bracketed,
        };
        if !is_blank {
            return Err(Unproven::Break { line });
        }
    }
    let is_indented = was.breaks > 0 && is.breaks > 0 && was.indent != is.indent;
    let is_end = around.iter().any(|around| around[1].is_none());
    if grammar.breaks == Breaks::MakeBlocks && is_indented && !is_bracketed && !is_end {
        return Err(Unproven::Break { line });
    }
    Ok(())
}

/// Two blanks with the tokens around them.
type Gaps<'g> = [(&'g TokenGap, &'g [Option<&'g SyntaxToken<'g>>; 2]); 2];

/// Returns true if the lines between tokens mean the same to those who read lines and not tokens: the system, which looks for an
/// interpreter at the first byte of a file, and readers of comments.
fn are_lines_alike(gaps: Gaps<'_>) -> bool {
    let [(was, _), (is, _)] = gaps;
    let is_first = |around: &[Option<&SyntaxToken<'_>>; 2]| around[0].is_none();
    // An attribute of Rust begins alike.
    let names_interpreter = gaps.iter().any(|(_, around)| {
        let names =
            |own: &SyntaxToken<'_>| own.text.starts_with("#!") && !own.text.starts_with("#![");
        is_first(around) && around[1].is_some_and(names)
    });
    let is_comment = |token: Option<&SyntaxToken<'_>>| token.is_some_and(|own| own.is_comment);
    let is_beside_comment = gaps
        .iter()
        .any(|(_, around)| around.iter().copied().any(is_comment));
    let is_before_comment = gaps.iter().any(|(_, around)| is_comment(around[1]));
    // A comment may be a directive where it begins a line, and none where a blank is before it.
    let [began, begins] =
        gaps.map(|(gap, around)| gap.indent.is_empty() && (gap.breaks > 0 || is_first(around)));
    let has_same_breaks = (was.breaks, was.has_blank_line) == (is.breaks, is.has_blank_line);
    !names_interpreter
        && (!is_beside_comment || has_same_breaks)
        && (!is_before_comment || began == begins)
}

/// The part of a sign in the border between two tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Border {
    /// It is a token by itself, whatever is beside it.
    Single,
    /// It may be a part of a longer sign.
    Sign,
    /// It begins or ends a text or a character.
    Quote,
    /// It may be a part of a name or number.
    Word,
    /// The dot of a field, or of a number.
    Dot,
    /// Anything else.
    Other,
}

fn border(c: char) -> Border {
    match c {
        ',' | ';' | '(' | ')' | '[' | ']' | '{' | '}' | '?' => Border::Single,
        '+' | '-' | '*' | '/' | '%' | '=' | '<' | '>' | '&' | '|' | '^' | '!' | ':' => Border::Sign,
        '"' => Border::Quote,
        '.' => Border::Dot,
        c if c.is_alphanumeric() || c == '_' => Border::Word,
        _ => Border::Other,
    }
}

/// Returns true if two tokens are two tokens with and without a blank between them.
fn are_apart(around: &[Option<&SyntaxToken<'_>>; 2]) -> bool {
    let [Some(before), Some(after)] = around else {
        return true;
    };
    let ends = before.text.chars().next_back().map(border);
    let begins = after.text.chars().next().map(border);
    let is_number = |token: &SyntaxToken<'_>| token.text.starts_with(|c: char| c.is_ascii_digit());
    match (ends, begins) {
        (Some(Border::Single), Some(begins)) => begins != Border::Other,
        (Some(ends), Some(Border::Single)) => ends != Border::Other,
        (Some(Border::Sign), Some(Border::Word | Border::Quote))
        | (Some(Border::Word | Border::Quote), Some(Border::Sign)) => true,
        (Some(Border::Word), Some(Border::Dot)) => !is_number(before) && &*before.text != "_",
        (Some(Border::Dot), Some(Border::Word)) => !is_number(after) && &*before.text == ".",
        (Some(_) | None, _) => false,
    }
}

/// Returns true if a macro gets two signs, and with them whether a blank is between them.
fn are_read_by_macro(around: &[Option<&SyntaxToken<'_>>; 2]) -> bool {
    let is_sign =
        |c: Option<char>| c.is_some_and(|c| c.is_ascii_punctuation() && !"()[]{}\"_".contains(c));
    let [Some(before), Some(after)] = around else {
        return false;
    };
    before.is_macro_input
        && after.is_macro_input
        && is_sign(before.text.chars().next_back())
        && is_sign(after.text.chars().next())
}
