//! The review as plain lines: the head of a file, and a hunk with the lines around it.

use std::collections::BTreeMap;

use crate::proposal::Problem;
use crate::review::{
    Decision, FileReview, HunkId, LineId, Mark, NoteKind, Row, Side, Subject,
    enclosing_definitions, heading_line, look_alikes, notes, said_of, whitespace_change,
};
use crate::text::{LineEnding, LineIdx, sanitize, sanitize_name};
use crate::ui::state::app::App;
use crate::ui::state::hunk_kind::{HunkKind, look_alike_words};
use crate::ui::state::placement_text;

/// Both sides of each changed line, by its position in the hunk.
type SidePairs = BTreeMap<usize, (Option<LineIdx>, Option<LineIdx>)>;

/// The name of a file, what becomes of it, and all there is to know before its first hunk.
pub(crate) fn head(app: &App, file: usize) -> Vec<String> {
    let review = &app.session.files[file];
    let summary = &app.summaries.files[file];
    let mut name = format!("{}: {}", review.path, review.kind.words());
    if summary.added + summary.removed > 0 {
        name = format!("{name}, +{} -{}", summary.added, summary.removed);
    }
    if app.summaries.is_unnamed(file) {
        name.push_str(", not named by the agent");
    }
    let rows = app.stream.rows.of_file(file);
    let rows = rows.filter_map(|idx| app.stream.rows.get(idx));
    let above = rows.take_while(|row| row.hunk().is_none() || matches!(row, Row::Note { .. }));
    let above = above.filter_map(|row| match row {
        Row::File { .. } => Some(name.clone()),
        Row::Note {
            file,
            hunk: None,
            line,
        } => note(&app.session.files[file], None, line),
        Row::Problem { problem, line, .. } => {
            let problem = app.session.problems.get(problem)?;
            match line.checked_sub(1) {
                None => Some(problem_words(problem, &review.path)),
                Some(line) => Some(format!("  {}", problem.text.get(line)?)),
            }
        }
        Row::Comment {
            file,
            about: about @ (Subject::File | Subject::Batch | Subject::Thread(_)),
            line,
        } => remark(app, file, about, line),
        Row::Note { .. }
        | Row::Comment { .. }
        | Row::Hunk { .. }
        | Row::Context { .. }
        | Row::Change { .. }
        | Row::Fold { .. }
        | Row::FoldedChange { .. }
        | Row::Elsewhere { .. }
        | Row::Purpose { .. }
        | Row::Gap { .. } => None,
    });
    above.collect()
}

/// Returns the first line of a part of the input that could not be read, with its file, unless that is the file of the heading.
fn problem_words(problem: &Problem, heading: &str) -> String {
    let path = problem.path.as_ref().map(ToString::to_string);
    match path.filter(|path| path != heading) {
        Some(path) => format!("! {path}, {problem}"),
        None => format!("! {problem}"),
    }
}

/// A line of a note, with the sign of what it is.
fn note(review: &FileReview, hunk: Option<usize>, line: usize) -> Option<String> {
    let note = notes(review, hunk).into_iter().nth(line)?;
    let is_dropped = hunk.is_some_and(|hunk| review.hunks[hunk].is_dropped());
    let sign = match note.kind {
        NoteKind::Headline if is_dropped => "x ",
        NoteKind::Headline => "! ",
        NoteKind::More => "  and ",
        NoteKind::Detail | NoteKind::Quiet | NoteKind::Settled => "  ",
        NoteKind::Found => "- ",
        NoteKind::Expected => "+ ",
    };
    Some(format!("{sign}{}", note.text))
}

/// A line of what the person says.
fn remark(app: &App, file: usize, about: Subject, line: usize) -> Option<String> {
    let said = said_of(&app.session, file, about)?.lines().nth(line)?;
    Some(format!("# {said}"))
}

/// A hunk: its head, its lines and those around it, and what is said of it.
pub(crate) fn hunk(app: &App, id: HunkId) -> Vec<String> {
    let mut lines = vec![headline(app, id)];
    let rows = rows_of(app, id);
    let pairs = pairs(&rows);
    for row in rows {
        body(app, row, &pairs, &mut lines);
    }
    lines
}

/// The rows of a hunk and of the unchanged lines around it, without folds at their ends.
fn rows_of(app: &App, id: HunkId) -> Vec<Row> {
    let mut own = Vec::new();
    let mut inside = false;
    for row in app.stream.rows.parts_of(id.file).flatten() {
        let Some(row) = app.stream.rows.get(row) else {
            continue;
        };
        match row {
            Row::Context { .. }
            | Row::Fold { .. }
            | Row::Comment {
                about: Subject::Thread(_),
                ..
            } => (),
            Row::File { .. }
            | Row::Purpose { .. }
            | Row::Elsewhere { .. }
            | Row::Gap { .. }
            | Row::Problem { .. } => {
                inside = false;
            }
            Row::Note { .. }
            | Row::Hunk { .. }
            | Row::Change { .. }
            | Row::FoldedChange { .. }
            | Row::Comment { .. } => {
                inside = row.hunk() == Some(id);
            }
        }
        if inside {
            own.push(row);
        }
    }
    let ends = |row: Option<&Row>| matches!(row, Some(Row::Fold { .. }));
    while ends(own.last()) {
        own.pop();
    }
    own
}

/// The sides of every changed line among some rows.
fn pairs(rows: &[Row]) -> SidePairs {
    let mut pairs = SidePairs::new();
    for row in rows {
        if let Row::Change { line, old, new, .. } = *row {
            let pair = pairs.entry(line).or_default();
            *pair = (pair.0.or(old), pair.1.or(new));
        }
    }
    pairs
}

/// The words above a hunk.
fn headline(app: &App, id: HunkId) -> String {
    let review = &app.session.files[id.file];
    let path = &review.path;
    let (number, count) = review.number_of(id.hunk);
    let summary = app.summaries.hunk(id);
    let path = sanitize_name(path);
    let mut words = vec![format!("Hunk {number} of {count} in {path}")];
    let around = heading_line(review, id.hunk).map(|line| enclosing_definitions(review, line));
    let inner = around.and_then(|around| around.last().copied());
    words.extend(inner.map(|inner| format!("inside `{}`", sanitize(inner))));
    let placed = placement_text::placement(&app.session, id).into_iter();
    words.extend(placed.map(|(words, _)| words));
    if summary.added + summary.removed > 0 {
        words.push(format!("+{} -{}", summary.added, summary.removed));
    }
    let whitespace = whitespace_change(review, id.hunk).map(HunkKind::Whitespace);
    words.extend(look_alike_words(look_alikes(review, id.hunk)));
    words.extend((whitespace.or_else(|| app.moved_kind(id))).map(HunkKind::words));
    let unmarked = if summary.waits {
        "no place"
    } else {
        "nothing to decide"
    };
    words.push((summary.mark.map_or(unmarked, Mark::name)).to_owned());
    if app.session.hunk(id).is_some_and(|hunk| hunk.state.edited) {
        words.push("edited".to_owned());
    }
    words.join(", ")
}

/// A row as lines of text.
fn body(app: &App, row: Row, pairs: &SidePairs, lines: &mut Vec<String>) {
    let session = &app.session;
    match row {
        Row::Context { file, new, .. } => {
            lines.push(format!(" {}", session.files[file].yours().line(new)));
        }
        Row::Change {
            id, line, old, new, ..
        } => {
            let review = &session.files[id.file];
            let (base, yours) = (&review.base, review.yours());
            let (other_old, other_new) = pairs.get(&line).copied().unwrap_or_default();
            if let Some(old) = old {
                lines.push(format!("-{}", base.line(old)));
                let other = other_new.map(|new| review.right_ending(new));
                lines.extend(ending(base.ending(old), other));
                lines.extend(moved(app, (id, line), Side::Old));
            }
            if let Some(new) = new {
                let text = yours.line(new);
                lines.push(format!("+{text}"));
                let other = other_old.map(|old| base.ending(old));
                lines.extend(ending(review.right_ending(new), other));
                lines.extend(blanks(text));
                if review.hunks[id.hunk].is_new_since_rejected(line) {
                    lines.push(
                        "\\ this line is new since you rejected the earlier version".to_owned(),
                    );
                }
                lines.extend(moved(app, (id, line), Side::New));
            }
        }
        Row::Fold { start, end, .. } => lines.push(format!("  ({} unchanged lines)", end - start)),
        Row::Comment { file, about, line } => lines.extend(remark(app, file, about, line)),
        Row::Note { file, hunk, line } => lines.extend(note(&session.files[file], hunk, line)),
        // Changed lines are not folded line by line.
        Row::File { .. }
        | Row::Hunk { .. }
        | Row::FoldedChange { .. }
        | Row::Elsewhere { .. }
        | Row::Purpose { .. }
        | Row::Problem { .. }
        | Row::Gap { .. } => (),
    }
}

/// A changed line that a row shows, with what was decided about it.
pub(crate) fn changed_line(app: &App, row: Row) -> Option<String> {
    let Row::Change {
        id, line, old, new, ..
    } = row
    else {
        return None;
    };
    let review = &app.session.files[id.file];
    let marks = review.hunks[id.hunk].state.marks.get(line)?;
    let (decision, text) = match (old, new) {
        (Some(old), _) => (marks.removed, format!("-{}", review.base.line(old))),
        (None, Some(new)) => (marks.added, format!("+{}", review.yours().line(new))),
        (None, None) => return None,
    };
    Some(match decision {
        Decision::Undecided => text,
        Decision::Accepted => format!("{text}\n\\ this line is accepted"),
        Decision::Rejected => format!("{text}\n\\ this line is rejected"),
    })
}

/// Describes the ending of a line if it differs from the other side.
fn ending(own: LineEnding, other: Option<LineEnding>) -> Option<String> {
    let words = match own {
        _ if other.is_none_or(|other| other == own) => return None,
        LineEnding::Lf => "ends in LF",
        LineEnding::CrLf => "ends in CR LF",
        LineEnding::None => "has no newline at its end",
    };
    Some(format!("\\ this line {words}"))
}

/// Describes a moved block, at its first line.
fn moved(app: &App, (hunk, line): LineId, side: Side) -> Option<String> {
    let words = app.moved_lines.words(&app.session, (hunk, line), side)?;
    let above = line.checked_sub(1);
    let goes_on = above.is_some_and(|above| app.moved_lines.is_moved((hunk, above), side));
    (!goes_on).then(|| format!("\\ from this line on: {words}"))
}

/// Describes trailing blanks of an added line.
fn blanks(text: &str) -> Option<String> {
    let kept = text.trim_end_matches([' ', '\t']);
    match text[kept.len()..].chars().count() {
        0 => None,
        1 => Some("\\ this line ends in a blank".to_owned()),
        n => Some(format!("\\ this line ends in {n} blanks")),
    }
}
