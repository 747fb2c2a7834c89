//! Going to the next thing of a kind.

use crate::review::{Direction, HunkId, Row};
use crate::ui::command::{Command, Landmark, Leaving};
use crate::ui::state::app::{App, Tone};
use crate::ui::stream::search::{MatchPosition, OpenedFold};

pub(crate) fn jump(app: &mut App, landmark: Landmark, direction: Direction, count: Option<usize>) {
    for _ in 0..count.unwrap_or(1) {
        let gone = match landmark {
            Landmark::Found => found(app, direction),
            Landmark::Undecided => undecided(app, direction),
            Landmark::Hunk => hunk(app, direction),
            Landmark::File => row(app, direction, |_, row| matches!(row, Row::File { .. })),
            Landmark::Attention => row(app, direction, needs_attention),
            Landmark::Comment => row(app, direction, |_, row| {
                matches!(row, Row::Comment { line: 0, .. })
            }),
        };
        if !gone {
            let nothing = nothing(app, landmark, direction);
            let nothing = nothing + &app.and_hidden();
            app.notify(Tone::Refused, nothing);
            return;
        }
    }
}

/// Explains that there is no such target in that direction, and offers another key.
fn nothing(app: &App, landmark: Landmark, direction: Direction) -> String {
    match (landmark, direction) {
        (Landmark::Found, _) if app.search.pattern.is_none() => {
            format!(
                "nothing to search for: press {} first",
                app.key(Command::Search)
            )
        }
        (Landmark::Found, _) => "not found".to_owned(),
        (Landmark::Undecided, Direction::Forward) => {
            let here = app
                .stream
                .hunk()
                .is_some_and(|id| app.summaries.hunk(id).waits);
            let waiting = app.summaries.waiting - app.hidden_waiting();
            let before = waiting - usize::from(here);
            let finish = app.key(Command::Leave(Leaving::Ask));
            let words = only_before(app, landmark, before);
            if app.hidden_waiting() > 0 {
                return words;
            }
            format!("{words}, {finish} finishes")
        }
        (Landmark::Undecided, Direction::Backward) => "nothing undecided before this".to_owned(),
        (Landmark::Attention, Direction::Forward) => {
            let above = (0..app.stream.cursor).filter_map(|row| app.stream.rows.get(row));
            let before = above.filter(|row| needs_attention(app, *row)).count();
            only_before(app, landmark, before)
        }
        (Landmark::Attention, Direction::Backward) => {
            "nothing needs attention before this".to_owned()
        }
        (Landmark::Hunk | Landmark::File | Landmark::Comment, Direction::Forward) => {
            format!("no {} after this", noun(landmark))
        }
        (Landmark::Hunk | Landmark::File | Landmark::Comment, Direction::Backward) => {
            format!("no {} before this", noun(landmark))
        }
    }
}

fn noun(landmark: Landmark) -> &'static str {
    match landmark {
        Landmark::Hunk => "hunk",
        Landmark::File => "file",
        Landmark::Comment => "comment",
        Landmark::Found => "match",
        Landmark::Undecided => "undecided hunk",
        Landmark::Attention => "hunk that needs attention",
    }
}

/// Says that nothing of a kind comes after the cursor, how many there are before it, and the key that goes there.
pub(crate) fn only_before(app: &App, landmark: Landmark, before: usize) -> String {
    let nothing = match landmark {
        Landmark::Attention => "nothing needs attention after this".to_owned(),
        Landmark::Undecided => "nothing undecided after this".to_owned(),
        Landmark::Found | Landmark::Hunk | Landmark::File | Landmark::Comment => {
            format!("no {} after this", noun(landmark))
        }
    };
    if before == 0 {
        return nothing;
    }
    let back = app.key(Command::Jump(landmark, Direction::Backward));
    format!("{nothing}; {before} before it: {back} goes there")
}

/// Goes to the nearest row beyond the cursor that a test picks.
fn row(app: &mut App, direction: Direction, test: impl Fn(&App, Row) -> bool) -> bool {
    let rows = &app.stream.rows;
    let here = app.stream.cursor;
    let (range, backward) = match direction {
        Direction::Forward => ((here + 1).min(rows.len())..rows.len(), false),
        Direction::Backward => (0..here, true),
    };
    let found = rows.find(range, backward, |row| test(app, row));
    if let Some(row) = found {
        app.jump(row);
    }
    found.is_some()
}

/// Goes to the nearest hunk. A closed file is opened for it: no hunk is passed over. Before the next hunk come the differences
/// of this one that are cut off.
fn hunk(app: &mut App, direction: Direction) -> bool {
    let is_shown = match direction {
        Direction::Forward => app.show_next_difference(),
        Direction::Backward => app.show_previous_difference(),
    };
    if is_shown {
        return true;
    }
    let has_hunk = |app: &App, row: Row| starts_hunk(app, row) || closed_hunks(app, row).is_some();
    let closed_here = |app: &App| app.stream.row().and_then(|row| closed_hunks(app, row));
    let is_inside = direction == Direction::Forward && closed_here(app).is_some();
    let before = app.stream.hunk();
    if !is_inside && !row(app, direction, has_hunk) {
        return false;
    }
    if let Some((file, count)) = closed_here(app) {
        let hunk = match direction {
            Direction::Forward => 0,
            Direction::Backward => count - 1,
        };
        app.go_to_hunk(HunkId { file, hunk });
    }
    if direction == Direction::Backward
        && let Some(id) = app.stream.hunk().filter(|id| Some(*id) != before)
    {
        app.show_end_of(id);
    }
    true
}

/// Returns the file whose closed head a row is, and the number of its hunks if it has any.
fn closed_hunks(app: &App, row: Row) -> Option<(usize, usize)> {
    let Row::File { file, .. } = row else {
        return None;
    };
    let count = app.session.files[file].hunks.len();
    let is_closed = app.stream.folds.closed.contains(&file);
    (is_closed && count > 0).then_some((file, count))
}

fn starts_hunk(app: &App, row: Row) -> bool {
    started_hunk(app, row).is_some()
}

/// Returns the hunk that a row is the first one of: its heading, or the first note of one that has no heading.
fn started_hunk(app: &App, row: Row) -> Option<HunkId> {
    match row {
        Row::Hunk { id } => Some(id),
        Row::Note {
            file,
            hunk: Some(hunk),
            line: 0,
        } => {
            let id = HunkId { file, hunk };
            let is_placed = app.session.hunk(id)?.is_decidable();
            (!is_placed).then_some(id)
        }
        Row::Note { .. }
        | Row::Problem { .. }
        | Row::File { .. }
        | Row::Context { .. }
        | Row::Change { .. }
        | Row::Fold { .. }
        | Row::FoldedChange { .. }
        | Row::Elsewhere { .. }
        | Row::Purpose { .. }
        | Row::Comment { .. }
        | Row::Gap { .. } => None,
    }
}

fn needs_attention(app: &App, row: Row) -> bool {
    if let Some(id) = started_hunk(app, row) {
        let file = &app.session.files[id.file];
        return file.attention(&file.hunks[id.hunk]).is_some();
    }
    if let Row::Note {
        file,
        hunk: None,
        line: 0,
    } = row
    {
        return app.session.files[file].needs_attention_itself();
    }
    matches!(row, Row::Problem { line: 0, .. })
}

/// Goes to the nearest hunk that waits for a decision.
pub(crate) fn undecided(app: &mut App, direction: Direction) -> bool {
    let from = app.stream.hunk().or_else(|| nearest_hunk(app, direction));
    let found = app.next_undecided(from, direction);
    if let Some(id) = found {
        app.go_to_hunk(id);
    }
    found.is_some()
}

/// For a cursor in no hunk: the nearest hunk on the side that is not looked at.
fn nearest_hunk(app: &App, direction: Direction) -> Option<HunkId> {
    let rows = &app.stream.rows;
    let here = app.stream.cursor;
    let of_hunk = |row: Row| row.hunk().is_some();
    let idx = match direction {
        Direction::Forward => rows.find(0..here, true, of_hunk),
        Direction::Backward => rows.find(here..rows.len(), false, of_hunk),
    };
    rows.get(idx?)?.hunk()
}

/// Goes to the nearest match of the search, round the ends.
pub(crate) fn found(app: &mut App, direction: Direction) -> bool {
    let here = app.stream.cursor;
    let from = here + usize::from(direction == Direction::Forward);
    let found = found_from(app, from, direction);
    if !found {
        return false;
    }
    app.search
        .count(&app.session, &app.stream.rows, app.stream.row());
    let words = app.search.words(app.stream.row());
    let round = match direction {
        Direction::Forward if app.stream.cursor <= here => Some("wrapped to the start"),
        Direction::Backward if app.stream.cursor >= here => Some("wrapped to the end"),
        Direction::Forward | Direction::Backward => None,
    };
    let told: Vec<String> = words.into_iter().chain(round.map(str::to_owned)).collect();
    if !told.is_empty() {
        app.notify(Tone::Done, told.join(", "));
    }
    true
}

/// Stays if the row of the cursor matches, or goes to the next match.
pub(crate) fn found_here(app: &mut App) -> bool {
    found_from(app, app.stream.cursor, Direction::Forward)
}

/// Folds away again what was opened for a match of the search that is being typed.
pub(crate) fn fold_found(app: &mut App) {
    let folds = &mut app.stream.folds;
    let file = match app.search.opened.take() {
        Some(OpenedFold::Lines { file, lines }) => {
            let own = (file, lines);
            let at = folds.opened.iter().rposition(|opened| *opened == own);
            at.map(|at| folds.opened.remove(at));
            file
        }
        Some(OpenedFold::Changed { id, lines }) => {
            let own = (id, lines);
            let at = (folds.opened_changes.iter()).rposition(|opened| *opened == own);
            at.map(|at| folds.opened_changes.remove(at));
            id.file
        }
        None => return,
    };
    app.stream.lay_out_file(&app.session, file);
}

/// Goes to the match nearest to a row.
pub(crate) fn found_from(app: &mut App, from: usize, direction: Direction) -> bool {
    match app
        .search
        .find(&app.session, &app.stream.rows, from, direction)
    {
        Some(MatchPosition::Row(row)) => app.stream.jump(&app.session, row),
        Some(MatchPosition::Folded { file, line }) => {
            let lines = line.saturating_sub(5)..line + 6;
            app.stream.open(&app.session, file, lines.clone());
            app.search.opened = Some(OpenedFold::Lines { file, lines });
            let shown = app.stream.rows.find_in_file(
                file,
                |row| matches!(row, Row::Context { old, .. } if old == line),
            );
            if let Some(row) = shown {
                app.stream.jump(&app.session, row);
            }
        }
        Some(MatchPosition::FoldedChange { id, line }) => {
            let lines = line..line + 1;
            app.stream.open_changes(&app.session, id, lines.clone());
            app.search.opened = Some(OpenedFold::Changed { id, lines });
            let rows = &app.stream.rows;
            let shown = rows.find_in_file(
                id.file,
                |row| matches!(row, Row::Change { id: of, line: at, .. } if of == id && at == line),
            );
            if let Some(row) = shown {
                app.stream.jump(&app.session, row);
            }
        }
        None => return false,
    }
    app.reveal_match();
    true
}
