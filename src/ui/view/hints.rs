//! The line at the bottom: what was just said, the line being filled in, or the keys that can be used now.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;

use super::{at_right, fill_line, fit};
use crate::review::{Direction, HunkReview, Outcome, Row, Side};
use crate::text::LineNo;
use crate::ui::app::{App, Tone};
use crate::ui::command::{ByHand, Command, Editing, Landmark, Reading, Scope};
use crate::ui::keymap::{Place, Sequence};
use crate::ui::mode::{Mode, Purpose};
use crate::ui::reader::Reader;
use crate::ui::update::can_ask;
use crate::ui::{paint, palette};

/// Below this there is no room for who is asked.
const NARROW: u16 = 70;
/// Hints that are left out last.
const ALWAYS: [&str; 3] = ["finish", "back", "help"];

/// Draws the line; where the text cursor stands in it, if it is there.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, app: &App) -> Option<Position> {
    let theme = &app.look.theme;
    if let Mode::Prompt(prompt) = &app.mode {
        let label = match prompt.purpose {
            Purpose::Search { .. } | Purpose::SearchReader => "/",
            Purpose::Filter => "files with: ",
            Purpose::HelpFilter => "keys with: ",
            Purpose::Palette { .. }
            | Purpose::Draft { .. }
            | Purpose::CommentLines { .. }
            | Purpose::CommentHunk(_)
            | Purpose::CommentFile(_)
            | Purpose::CommentBatch(_) => "",
        };
        if !label.is_empty() {
            let taken = found(buffer, area, app, prompt.purpose);
            let area = Rect {
                width: area.width - taken,
                ..area
            };
            return Some(fill_in(
                buffer,
                area,
                app,
                label,
                &prompt.editor.text(),
                prompt.editor.caret().byte,
            ));
        }
    }
    if let Some(notice) = &app.notice {
        let style = match notice.tone {
            Tone::Done => theme.accepted,
            Tone::Refused => theme.attention,
        };
        let text = fit::start(
            &app.look,
            &notice.text,
            usize::from(area.width).saturating_sub(2),
        );
        fill_line(
            buffer,
            area,
            vec![Span::styled(format!(" {text}"), style)],
            (" ", theme.text),
        );
        return None;
    }
    if !app.pending.chords.is_empty() {
        fill_line(buffer, area, continuations(app), (" ", theme.text));
        return None;
    }
    let right = match app.pending.count {
        Some(count) => vec![Span::styled(format!("{count} "), theme.key)],
        None => at_bottom_right(app),
    };
    let taken = at_right(buffer, area, right, 12);
    let pieces = keys(app, area.width - taken);
    fill_line(
        buffer,
        Rect {
            width: area.width - taken,
            ..area
        },
        pieces,
        (" ", theme.text),
    );
    None
}

/// What the keys that were begun can become.
fn continuations(app: &App) -> Vec<Span<'static>> {
    let theme = &app.look.theme;
    let begun = &app.pending.chords;
    let mut pieces = vec![Span::styled(format!(" {begun} "), theme.strong)];
    for bound in app.keymap.of(app.mode.place()) {
        let binding = bound.binding();
        for key in bound.keys.iter().map(Sequence::to_string) {
            let rest = key
                .strip_prefix(begun.as_str())
                .and_then(|rest| rest.strip_prefix(' '));
            if let Some(rest) = rest {
                let words = binding
                    .help
                    .split([',', ';', ':'])
                    .next()
                    .unwrap_or_default();
                pieces.push(Span::styled(format!(" {rest} "), theme.key));
                pieces.push(Span::styled(format!("{words} "), theme.quiet));
            }
        }
    }
    pieces
}

/// How many lines are found of what is being typed; the cells that it takes.
fn found(buffer: &mut Buffer, area: Rect, app: &App, purpose: Purpose) -> u16 {
    if app.search.pattern.is_none() || !matches!(purpose, Purpose::Search { .. }) {
        return 0;
    }
    let theme = &app.look.theme;
    let words = app.search.words(app.stream.row(), &app.session);
    let (words, style) = match words {
        Some(words) => (words, theme.quiet),
        None => ("no match".to_owned(), theme.attention),
    };
    buffer.set_style(area, theme.text);
    at_right(
        buffer,
        area,
        vec![Span::styled(format!(" {words} "), style)],
        12,
    )
}

fn fill_in(
    buffer: &mut Buffer,
    area: Rect,
    app: &App,
    label: &str,
    text: &str,
    caret: usize,
) -> Position {
    let theme = &app.look.theme;
    let column = paint::column_of(text, caret);
    let room = usize::from(area.width).saturating_sub(label.len() + 1);
    let from = (column + 1).saturating_sub(room);
    let shown: String = paint::glyphs_from(text, from)
        .map(|glyph| glyph.text.into_owned())
        .collect();
    let pieces = vec![Span::styled(label.to_owned(), theme.key), Span::raw(shown)];
    fill_line(buffer, area, pieces, (" ", theme.text));
    let x = u16::try_from(label.len() + column - from).unwrap_or(u16::MAX);
    Position {
        x: area.x.saturating_add(x).min(area.right().saturating_sub(1)),
        y: area.y,
    }
}

/// What needs a look, in a number.
fn at_bottom_right(app: &App) -> Vec<Span<'static>> {
    let theme = &app.look.theme;
    if app.summaries.unread > 0 {
        let words = format!(
            "placing the edits of {} files {} ",
            app.summaries.unread, app.look.signs.cut
        );
        return vec![Span::styled(words, theme.attention)];
    }
    if let Some((host, time)) = asked(app) {
        let (give_up, seconds) = (app.key(Command::Back), time.as_secs());
        let words = if app.size.width < NARROW {
            format!("asking, {seconds} s ")
        } else {
            format!("asking {host}, {seconds} s: {give_up} gives up ")
        };
        return vec![Span::styled(words, theme.edited)];
    }
    if let Some(words) = moved_here(app) {
        return vec![Span::styled(format!("{words} "), theme.moved.sign)];
    }
    match (&app.mode, app.summaries.counts.attention) {
        (Mode::Lines { from }, _) => {
            let rows = from.abs_diff(app.stream.cursor) + 1;
            vec![Span::styled(format!("{rows} selected "), theme.key)]
        }
        (Mode::Place(placing), _) => {
            let nth = placing.near.iter().position(|&at| at == placing.at);
            let of = match (nth, placing.near.len()) {
                (_, 0) => String::new(),
                (Some(nth), all) => format!(", place {} of {all}", nth + 1),
                (None, 1) => ", 1 place comes near".to_owned(),
                (None, all) => format!(", {all} places come near"),
            };
            let line = LineNo::from_idx(placing.at);
            vec![Span::styled(format!("at line {line}{of} "), theme.key)]
        }
        (Mode::Edit(_), _) => vec![Span::styled("editing ", theme.edited)],
        (Mode::Read, _) | (_, 0) => Vec::new(),
        (_, 1) => vec![Span::styled("1 needs attention ", theme.attention)],
        (_, count) => vec![Span::styled(
            format!("{count} need attention "),
            theme.attention,
        )],
    }
}

/// Where the apply model is that is asked now, and for how long; in what is in front something else matters more.
fn asked(app: &App) -> Option<(&str, Duration)> {
    let model = app.model.as_ref()?;
    let (_, time) = model.open.as_ref()?;
    let free = matches!(app.mode, Mode::Review | Mode::Batch | Mode::Read);
    free.then_some((model.host.as_str(), *time))
}

/// Where the line of the cursor comes from or goes to, if it is moved.
fn moved_here(app: &App) -> Option<String> {
    let (
        Mode::Review,
        Some(Row::Change {
            id, line, old, new, ..
        }),
    ) = (&app.mode, app.stream.row())
    else {
        return None;
    };
    let words = |side| app.moves.words(&app.session, (id, line), side);
    let here = new.and_then(|_| words(Side::New));
    here.or_else(|| old.and_then(|_| words(Side::Old)))
}

/// The keys that can be used now, as many as there is room for; `?` always.
fn keys(app: &App, width: u16) -> Vec<Span<'static>> {
    let theme = &app.look.theme;
    let place = app.mode.place();
    let mut hints: Vec<(String, &str)> = (app.keymap.of(place))
        .filter(|bound| !bound.binding().hint.is_empty())
        .filter(|bound| is_of_use(app, bound.binding().command))
        .filter_map(|bound| Some((bound.keys.first()?.shown(), bound.binding().hint)))
        .collect();
    let length = |(key, hint): &(String, &str)| paint::width(key) + paint::width(hint) + 3;
    // The ways out and to the other keys come last and are left out last.
    let always = |(_, hint): &(String, &str)| ALWAYS.iter().position(|always| always == hint);
    let mut last: Vec<(String, &str)> = hints
        .extract_if(.., |hint| always(hint).is_some())
        .collect();
    last.sort_by_key(always);
    let mut room = usize::from(width).saturating_sub(last.iter().map(length).sum::<usize>() + 1);
    hints.retain(|hint| {
        let fits = length(hint) <= room;
        room = if fits { room - length(hint) } else { room };
        fits
    });
    hints.extend(last);
    let mut pieces = vec![Span::raw(" ")];
    for (key, hint) in hints {
        pieces.push(Span::styled(key, theme.key));
        pieces.push(Span::styled(format!(" {hint}  "), theme.quiet));
    }
    pieces
}

/// Whether a command would do anything now.
pub(in crate::ui) fn is_of_use(app: &App, command: Command) -> bool {
    let counts = &app.summaries.counts;
    let stream = matches!(palette::place(&app.mode), Place::Stream);
    let hunk = || app.stream.hunk().and_then(|id| app.session.hunk(id));
    match command {
        Command::Decide(Scope::Here, _) if stream => {
            hunk().is_some_and(HunkReview::is_decidable)
                || matches!(app.stream.row(), Some(Row::File { .. }))
        }
        Command::Edit(Editing::Begin) => {
            matches!(app.stream.row(), Some(Row::Fold { .. }))
                || hunk().is_some_and(|hunk| hunk.is_decidable() && hunk.step.is_none())
        }
        Command::Edit(Editing::Restore) => hunk().is_some_and(|hunk| hunk.state.edited),
        Command::SelectLines => matches!(app.stream.row(), Some(Row::Change { .. })),
        Command::Jump(Landmark::Undecided, Direction::Forward) => {
            counts.undecided + counts.mixed > 0
        }
        Command::AskModel => can_ask(app),
        Command::Undo => app.session.can_undo(),
        Command::Redo => app.session.can_redo(),
        Command::Place(ByHand::Begin) => hunk()
            .is_some_and(|hunk| matches!(hunk.outcome, Outcome::Unplaced(_)) || hunk.is_by_hand()),
        Command::Read(Reading::Check) => {
            app.check.is_some() && app.reader.as_ref().is_some_and(Reader::is_plan)
        }
        Command::Type(_) => {
            app.mode.edit().is_some_and(|edit| edit.changed) || matches!(app.mode, Mode::Prompt(_))
        }
        Command::Move(_)
        | Command::Scroll(_)
        | Command::Jump(..)
        | Command::Decide(..)
        | Command::Edit(_)
        | Command::Place(_)
        | Command::Split
        | Command::Match(_)
        | Command::Read(_)
        | Command::Comment(_)
        | Command::View(_)
        | Command::List(_)
        | Command::Search
        | Command::Copy
        | Command::Help
        | Command::Palette
        | Command::Suspend
        | Command::Redraw
        | Command::Leave(_)
        | Command::Back
        | Command::Submit
        | Command::Yes => true,
    }
}
