//! Indentation of a hunk's new lines in the file, and its reliability.
//!
//! One shift of the whole block determines it. Two mistakes of agents look like a shift and are none: the preimage has lost its
//! indentation and the postimage has not, or only the context of a diff has a blank too many or too few. Then new lines are
//! right as they are. Where no one shift explains all lines, a new line follows those that are equally deep in the edit; if
//! these are not equally deep in the file, or if the file has as one level what the edit has as two, the indentation is not
//! known.

use rustc_hash::FxHashSet;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::locate::matching::edit_script::{EditStep, Script, changes_blanks_only, indent_pairs};
use crate::locate::matching::indent_shift::{IndentPair, Shift, has_room};
use crate::locate::matching::index::Index;
use crate::locate::matching::line_match::Match;
use crate::locate::matching::normalize::is_blank;
use crate::locate::placement::Rung;
use crate::proposal::Body;
use crate::text::{Document, columns, indent_of};

/// Tab width where only the order of levels counts, in columns.
const TAB: usize = 4;

/// The indentation of a hunk's new lines at a place.
#[derive(Debug)]
pub(crate) struct IndentLevels<'a> {
    /// The first line, if it alone has lost its indentation, as often happens, and its indentation in the file.
    lost: Option<(&'a str, &'a str)>,
    /// The preimage position of the first line whose new lines are asked for.
    first: usize,
    pairs: Vec<IndentPair<'a>>,
    /// The shift from the edit's indentation to the file's; `None` if they are equal.
    shift: Option<Shift>,
    pub(crate) sure: IndentConfidence,
}

/// Reliability of the computed indentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IndentConfidence {
    /// One rule explains all lines.
    Yes,
    /// No one rule explains all lines, or two do.
    Guess,
    /// There is no evidence.
    No,
}

/// An added line, with its step.
type AddedLine<'b> = (&'b EditStep, &'b str);

impl<'a> IndentLevels<'a> {
    pub(crate) fn of(
        script: &Script,
        body: &'a Body,
        matched: &Match,
        rung: Rung,
        index: &'a Index<'_>,
    ) -> Self {
        if rung <= Rung::TrailingBlanks {
            return Self::literal(Vec::new(), IndentConfidence::Yes);
        }
        let pairs = indent_pairs(body, matched, index.document);
        let added: Vec<AddedLine<'_>> = added_lines(script, body).collect();
        if pairs.is_empty() || added.is_empty() {
            return Self::literal(pairs, IndentConfidence::Yes);
        }
        if changes_blanks_only(body) {
            return Self::literal(pairs, IndentConfidence::No);
        }
        let unit = index.unit();
        let new_lines: Vec<&str> = added.iter().map(|(_, line)| *line).collect();
        let found = Shift::explaining(&pairs, &new_lines, unit);
        if let [(_, "", first), rest @ ..] = pairs.as_slice()
            && is_first_lost(first, rest, found.as_ref())
            && let Some(shift) = Shift::explaining(rest, &new_lines, unit)
        {
            let line = body.postimage.iter().find(|line| !is_blank(line));
            return Self {
                lost: line.map(|line| (line.as_str(), *first)),
                first: 0,
                pairs: rest.to_vec(),
                shift: Some(shift),
                sure: IndentConfidence::Guess,
            };
        }
        let Some(shift) = found else {
            let is_known = |line: &AddedLine<'_>| is_known(*line, added.len(), &pairs);
            let sure = if added.iter().all(is_known) {
                IndentConfidence::Guess
            } else {
                IndentConfidence::No
            };
            return Self {
                lost: None,
                first: 0,
                pairs,
                shift: Some(Shift::uneven(unit)),
                sure,
            };
        };
        let lines = || added.iter().map(|(step, line)| (step.removed.start, *line));
        if !lines().all(|(_, line)| shift.is_whole(line, &pairs) && has_room(line, &pairs)) {
            return Self::literal(pairs, IndentConfidence::No);
        }
        if shift.is_one_blank() {
            let is_level = |indent: &str| unit.is_some_and(|unit| unit.divides(indent));
            // A line of a block comment is one blank further in.
            let is_starred = |line: &str| {
                let rest = line.trim_start().strip_prefix('*');
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/']))
            };
            let begins = |line: &String| line.trim_start().starts_with("/*");
            let is_off = |(i, _, file): &IndentPair<'_>| {
                is_starred(&body.preimage[*i]) && file.strip_suffix(' ').is_some_and(is_level)
            };
            let has_comment = body.postimage.iter().any(begins) || pairs.iter().any(is_off);
            let stands_in = |line: &str| has_comment && is_starred(line);
            let code = pairs
                .iter()
                .filter(|(i, ..)| !stands_in(&body.preimage[*i]));
            let known: FxHashSet<&str> = code.map(|(_, _, file)| *file).collect();
            let is_in_block = |line: &str| indent_of(line).strip_suffix(' ').is_some_and(is_level);
            let is_in_code =
                |line: &str| is_level(indent_of(line)) || known.contains(indent_of(line));
            let fits = |line: &str| {
                (!stands_in(line) && is_in_code(line)) || (stands_in(line) && is_in_block(line))
            };
            let shifted = |(near, line)| shift.reindent(line, near, &pairs);
            if lines().all(|(_, line)| fits(line)) && !lines().all(|line| fits(&shifted(line))) {
                return Self::literal(pairs, IndentConfidence::Guess);
            }
        }
        let is_other = shift.otherwise(&pairs, unit).is_some_and(|other| {
            let differs = |(near, line)| {
                shift.reindent(line, near, &pairs) != other.reindent(line, near, &pairs)
            };
            lines().all(|(_, line)| other.is_level(line)) && lines().any(differs)
        });
        Self {
            lost: None,
            first: 0,
            pairs,
            shift: Some(shift),
            sure: if is_other {
                IndentConfidence::Guess
            } else {
                IndentConfidence::Yes
            },
        }
    }

    /// Returns the same for a part of the hunk that begins at a preimage position.
    pub(crate) fn from(self, first: usize) -> Self {
        Self { first, ..self }
    }

    /// Returns a new line as it should be in the file. `near` is the preimage position where it belongs, in the part of the hunk.
    pub(crate) fn reindent(&self, line: &str, near: usize) -> String {
        if let Some((first, indent)) = self.lost
            && first == line
            && indent_of(line).is_empty()
        {
            return format!("{indent}{line}");
        }
        match &self.shift {
            Some(shift) => shift.reindent(line, self.first + near, &self.pairs),
            None => line.to_owned(),
        }
    }
}

/// Returns the added lines that are not blank.
fn added_lines<'b>(script: &'b Script, body: &'b Body) -> impl Iterator<Item = AddedLine<'b>> {
    script.steps().iter().flat_map(|step| {
        let lines = body.postimage[step.added.clone()].iter();
        let solid = lines.filter(|line| !is_blank(line));
        solid.map(move |line| (step, line.as_str()))
    })
}

/// Returns the edit with the file's own lines as its preimage, if only the preimage has another indentation than the file: the
/// postimage is as deep as the file, and of the lines that both halves have apart from their indentation most are in the
/// postimage as in the file, or none is as in the preimage.
pub(crate) fn with_its_own_search(
    body: &Body,
    matched: &Match,
    rung: Rung,
    document: &Document,
) -> Option<Body> {
    if !matches!(rung, Rung::Indent | Rung::Blanks) {
        return None;
    }
    let there = |i: usize| matched.line_of(i).map(|line| document.line(line));
    let own: Vec<&str> = (0..body.preimage.len()).map(there).collect::<Option<_>>()?;
    let least = |lines: &mut dyn Iterator<Item = &str>| -> Option<usize> {
        let solid = lines.filter(|line| !is_blank(line));
        solid.map(|line| columns(indent_of(line), TAB)).min()
    };
    let least_there = least(&mut own.iter().copied());
    let least_sought = least(&mut body.preimage.iter().map(String::as_str));
    if least_sought == least_there {
        return None;
    }
    let is_as_deep = least(&mut body.postimage.iter().map(String::as_str)) == least_there;
    let trimmed = |lines: &[String]| lines.iter().map(|line| line.trim().to_owned()).collect();
    let (old, new): (Vec<String>, Vec<String>) =
        (trimmed(&body.preimage), trimmed(&body.postimage));
    let (mut shared, mut as_there, mut as_sought) = (0_usize, 0_usize, 0_usize);
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if op.tag() == DiffTag::Equal {
            let both = op.old_range().zip(op.new_range());
            for (i, j) in both.filter(|(i, _)| !old[*i].is_empty()) {
                let new = indent_of(&body.postimage[j]);
                shared += 1;
                as_there += usize::from(new == indent_of(own[i]));
                as_sought += usize::from(new == indent_of(&body.preimage[i]));
            }
        }
    }
    let solid = |line: &&String| !is_blank(line);
    let first_new = body
        .postimage
        .iter()
        .find(solid)
        .map(|line| indent_of(line));
    let first_there = own
        .iter()
        .find(|line| !is_blank(line))
        .map(|line| indent_of(line));
    let begins_there = first_new.is_some() && first_new == first_there;
    let are_most = as_there * 2 > shared;
    let is_right = match (shared, as_sought) {
        (0, _) => is_as_deep && begins_there,
        (_, 0) => as_there > 0 && (is_as_deep || (are_most && begins_there)),
        _ => is_as_deep && are_most && as_there > as_sought,
    };
    is_right.then(|| Body {
        preimage: own.into_iter().map(str::to_owned).collect(),
        postimage: body.postimage.clone(),
    })
}

/// Returns true if the first line alone has lost its indentation: the others have no shift in common with it, or are indented as
/// in the file.
fn is_first_lost(first: &str, rest: &[IndentPair<'_>], of_all: Option<&Shift>) -> bool {
    match of_all {
        None => !rest.is_empty(),
        Some(shift) => {
            let are_there = rest.iter().all(|(_, edit, file)| edit == file);
            shift.is_scaled() && !first.is_empty() && are_there
        }
    }
}

/// Returns true if the indentation of an added line is known though no one shift explains all lines.
fn is_known((step, line): AddedLine<'_>, added_lines: usize, pairs: &[IndentPair<'_>]) -> bool {
    let wide = |indent: &str| columns(indent, TAB);
    let own = indent_of(line);
    let by = |edit: &str, file: &str| wide(file).cast_signed() - wide(edit).cast_signed();
    let is_usual = |edit: &str, file: &str| {
        let usual = pairs.iter().filter(|(_, e, f)| by(e, f) == by(edit, file));
        usual.count() * 2 > pairs.len()
    };
    let alike = || pairs.iter().filter(|(_, edit, _)| *edit == own);
    let Some((_, _, file)) = alike().next() else {
        // It is as far from the nearest line as in the edit, so that line must have the usual shift.
        let nearest = pairs
            .iter()
            .min_by_key(|(i, ..)| i.abs_diff(step.removed.start));
        return nearest.is_none_or(|(_, edit, file)| is_usual(edit, file));
    };
    let replaced = pairs.iter().find(|(i, ..)| *i == step.removed.start);
    if step.removed.len() == 1
        && step.added.len() == 1
        && replaced.is_some_and(|(_, edit, _)| *edit == own)
    {
        return true;
    }
    if alike().any(|(_, _, other)| other != file) {
        let before = pairs.iter().rev().find(|(i, ..)| *i < step.removed.start);
        let after = pairs.iter().find(|(i, ..)| *i >= step.removed.end);
        return added_lines == 1
            && matches!((before, after), (Some((_, a, x)), Some((_, b, y))) if x == y && *a == own && *b == own);
    }
    let crosses = |(_, edit, there): &IndentPair<'_>| {
        *edit != own && wide(edit).cmp(&wide(own)) != wide(there).cmp(&wide(file))
    };
    is_usual(own, file) || !pairs.iter().any(crosses)
}

impl<'a> IndentLevels<'a> {
    /// Returns the levels of added lines whose indentation is taken as it is.
    fn literal(pairs: Vec<IndentPair<'a>>, sure: IndentConfidence) -> Self {
        Self {
            lost: None,
            first: 0,
            pairs,
            shift: None,
            sure,
        }
    }
}
