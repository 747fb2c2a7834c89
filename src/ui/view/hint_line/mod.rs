//! The line at the bottom: the message, the line being filled in, and the keys that can be used now.

mod keys;

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::cells::{at_right, fill_line};
use super::input_field;
use crate::review::{Row, Side};
use crate::text::{LineNo, plural};
use crate::ui::command::Command;
use crate::ui::glyphs;
use crate::ui::keymap::Sequence;
use crate::ui::state::app::{App, Tone};
use crate::ui::state::availability::is_available;
use crate::ui::state::edit_matches;
use crate::ui::state::mode::{Mode, PromptPurpose};
use crate::ui::state::shown_notice::ShownNotice;
use keys::{Hints, keys};

/// Draws the line, and returns the position of the text cursor.
pub(crate) fn draw(buffer: &mut Buffer, area: Rect, app: &App) -> Option<Position> {
    let theme = &app.display.theme;
    if let Mode::Prompt(prompt) = &app.mode {
        let label = match prompt.purpose {
            PromptPurpose::Search { .. }
            | PromptPurpose::SearchReader
            | PromptPurpose::SearchEdit { .. } => "/",
            PromptPurpose::Filter => "files with: ",
            PromptPurpose::HelpFilter => "keys with: ",
            PromptPurpose::Palette { .. }
            | PromptPurpose::Draft { .. }
            | PromptPurpose::Text(_) => "",
        };
        if !label.is_empty() {
            let left = found(buffer, area, app, &prompt.purpose);
            let ground = (theme.key, theme.text);
            return Some(input_field::draw(
                buffer,
                left,
                label,
                &prompt.editor,
                ground,
            ));
        }
    }
    match app.shown_notice() {
        None => (),
        Some(ShownNotice::Above(lines)) => draw_above(buffer, area, app, lines),
        Some(ShownNotice::Instead(line)) => {
            fill_line(buffer, area, &[notice_line(app, &line)], (" ", theme.text));
            return None;
        }
        Some(ShownNotice::Beside(line)) => {
            let line = notice_line(app, &format!("{line}  "));
            let room = usize::from(area.width).saturating_sub(glyphs::width(&line.content));
            let mut pieces = vec![line];
            pieces.extend(keys(app, u16::try_from(room).unwrap_or(u16::MAX), 0));
            fill_line(buffer, area, &pieces, (" ", theme.text));
            return None;
        }
    }
    if !app.pending.chords.is_empty() {
        let pieces = continuations(app, area.width);
        fill_line(buffer, area, &pieces, (" ", theme.text));
        return None;
    }
    let right = match app.pending.count {
        Some(count) => vec![Span::styled(format!("{count} "), theme.key)],
        None => beside_keys(app, area.width),
    };
    let left = at_right(buffer, area, &right, 12);
    let block = mode_block(app);
    let taken = u16::try_from(glyphs::width(&block.content)).unwrap_or(0);
    let room = left.width.saturating_sub(taken);
    let mut pieces = vec![block];
    pieces.extend(keys(app, room, area.width - left.width));
    fill_line(buffer, left, &pieces, (" ", theme.text));
    None
}

/// Draws lines of the message above the line at the bottom.
fn draw_above(buffer: &mut Buffer, area: Rect, app: &App, lines: Vec<String>) {
    let rows = (area
        .y
        .saturating_sub(u16::try_from(lines.len()).unwrap_or(u16::MAX)))..area.y;
    for (line, y) in lines.into_iter().zip(rows) {
        let row = Rect { y, ..area };
        let rest = (" ", app.display.theme.text);
        fill_line(buffer, row, &[notice_line(app, &line)], rest);
    }
}

fn notice_line(app: &App, line: &str) -> Span<'static> {
    let theme = &app.display.theme;
    let tone = app.notice.as_ref().map(|notice| notice.tone);
    let style = match tone {
        Some(Tone::Refused) => theme.attention,
        Some(Tone::Done) | None => theme.accepted,
    };
    Span::styled(format!(" {line}"), style)
}

/// Returns a sign for modes in which keys do something unusual: typing changes the file.
fn mode_block(app: &App) -> Span<'static> {
    let style = app.display.theme.edited;
    match app.mode {
        Mode::Edit(_) => Span::styled(
            " EDIT ",
            style.add_modifier(Modifier::REVERSED | Modifier::BOLD),
        ),
        Mode::Place(_) => Span::styled(
            " PLACE ",
            style.add_modifier(Modifier::REVERSED | Modifier::BOLD),
        ),
        Mode::Review
        | Mode::Lines { .. }
        | Mode::FileList
        | Mode::Read
        | Mode::Prompt(_)
        | Mode::Question(_)
        | Mode::Finish
        | Mode::Help { .. } => Span::raw(""),
    }
}

/// Returns the possible continuations of a key sequence, with a sign if not all fit.
fn continuations(app: &App, width: u16) -> Vec<Span<'static>> {
    let theme = &app.display.theme;
    let begun = &app.pending.chords;
    let mut pieces = vec![Span::styled(format!(" {begun} "), theme.strong)];
    let more = app.display.signs.cut;
    let mut room = usize::from(width).saturating_sub(glyphs::width(begun) + 2);
    let bounds = app.keymap.of(app.mode.key_context());
    let of_use = bounds.filter(|bound| is_available(app, bound.binding().command));
    let ways = of_use.flat_map(|bound| {
        let binding = bound.binding();
        let word = if binding.begun.is_empty() {
            let first = binding.help.split([',', ';', ':']).next();
            first.unwrap_or_default()
        } else {
            binding.begun
        };
        let keys = bound.keys.iter().map(Sequence::to_string);
        let rests = keys.filter_map(|key| {
            let rest = key.strip_prefix(begun.as_str())?.strip_prefix(' ')?;
            Some((rest.to_owned(), word))
        });
        rests.collect::<Vec<_>>()
    });
    let ways: Vec<(String, &str)> = ways.collect();
    if ways.is_empty() {
        let words = "no key here begins with it";
        pieces.push(Span::styled(words, theme.quiet));
    }
    // What follows a word is two blanks, of which the last may be cut.
    let taken = |(rest, word): &(String, &str)| glyphs::width(rest) + glyphs::width(word) + 3;
    let all: usize = ways.iter().map(taken).sum();
    let fits_all = all <= room + 2;
    if !fits_all {
        room = room.saturating_sub(glyphs::width(more));
    }
    for way in &ways {
        let wide = taken(way);
        if !fits_all && wide > room {
            pieces.push(Span::styled(more, theme.quiet));
            break;
        }
        room = room.saturating_sub(wide);
        pieces.push(Span::styled(format!("{} ", way.0), theme.key));
        pieces.push(Span::styled(format!("{}  ", way.1), theme.quiet));
    }
    pieces
}

/// Says how many lines are found of what is being typed; what is left of the line.
fn found(buffer: &mut Buffer, area: Rect, app: &App, purpose: &PromptPurpose) -> Rect {
    let searches = matches!(
        purpose,
        PromptPurpose::Search { .. } | PromptPurpose::SearchEdit { .. }
    );
    if app.search.pattern.is_none() || !searches {
        return area;
    }
    let theme = &app.display.theme;
    let words = match app.mode.edit() {
        Some(edit) => edit_matches::words(app, edit),
        None => app.search.words(app.stream.row()),
    };
    let (words, style) = match words {
        Some(words) => (words, theme.quiet),
        None => ("no match".to_owned(), theme.attention),
    };
    buffer.set_style(area, theme.text);
    at_right(
        buffer,
        area,
        &[Span::styled(format!(" {words} "), style)],
        12,
    )
}

/// Returns the status beside the hints, in the longest form that fits; a running task is always shown.
fn beside_keys(app: &App, width: u16) -> Vec<Span<'static>> {
    let needed = Hints::new(app).needed();
    let (mut forms, style) = status_forms(app);
    let room = usize::from(width).saturating_sub(needed + 1);
    let form = forms.iter().position(|form| glyphs::width(form) < room);
    let form = form.or(is_under_way(app).then(|| forms.len().saturating_sub(1)));
    let form = form.filter(|form| *form < forms.len());
    let words = form.map(|form| Span::styled(format!("{} ", forms.swap_remove(form)), style));
    words.into_iter().collect()
}

/// Returns true if the status is about a running task.
fn is_under_way(app: &App) -> bool {
    let waits =
        app.summaries.unread > 0 || model_request(app).is_some() || moved_here(app).is_some();
    waits || matches!(app.mode, Mode::Lines { .. } | Mode::Edit(_))
}

/// Returns the status in longer and shorter forms: attention, or a running task.
fn status_forms(app: &App) -> (Vec<String>, Style) {
    let theme = &app.display.theme;
    if app.summaries.unread > 0 {
        let (files, dots) = (plural(app.summaries.unread, "file"), app.display.signs.cut);
        let forms = [
            format!("placing the edits of {files} {dots}"),
            format!("placing {dots}"),
        ];
        return (forms.into(), theme.attention);
    }
    if let Some((host, time)) = model_request(app) {
        let (give_up, seconds) = (app.key(Command::Back), time.as_secs());
        let forms = [
            format!("asking {host}, {seconds} s: {give_up} cancels"),
            format!("asking, {seconds} s: {give_up} cancels"),
            format!("asking, {seconds} s"),
        ];
        return (forms.into(), theme.edited);
    }
    if let Some(words) = moved_here(app) {
        return (vec![words], theme.moved.sign);
    }
    match (&app.mode, app.summaries.needs_attention) {
        (Mode::Lines { from }, _) => {
            let rows = from.abs_diff(app.stream.cursor) + 1;
            (
                vec![format!("{rows} selected"), rows.to_string()],
                theme.key,
            )
        }
        (Mode::Place(placing), _) => {
            let nth = placing.near.iter().position(|&at| at == placing.at);
            let of = match (nth, placing.near.len()) {
                (_, 0) => String::new(),
                (Some(nth), all) => format!(", place {} of {all}", nth + 1),
                (None, 1) => ", 1 similar place".to_owned(),
                (None, all) => format!(", {all} similar places"),
            };
            let at = format!("line {}", LineNo::from_idx(placing.at));
            (vec![format!("at {at}{of}"), at], theme.key)
        }
        (Mode::Edit(_), _) => (vec!["editing".to_owned()], theme.edited),
        (Mode::Read, _) | (_, 0) => (Vec::new(), theme.text),
        (_, 1) => (vec!["1 needs attention".to_owned()], theme.attention),
        (_, count) => (vec![format!("{count} need attention")], theme.attention),
    }
}

/// Returns the host and duration of an open request to the apply model, unless something in front matters
/// more.
fn model_request(app: &App) -> Option<(&str, Duration)> {
    let model = app.model.as_ref()?;
    let (_, time) = model.open.as_ref()?;
    let free = matches!(app.mode, Mode::Review | Mode::FileList | Mode::Read);
    free.then_some((model.host.as_str(), *time))
}

/// Describes the move of the line at the cursor, if it was moved.
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
    let words = |side| app.moved_lines.words(&app.session, (id, line), side);
    let here = new.and_then(|_| words(Side::New));
    here.or_else(|| old.and_then(|_| words(Side::Old)))
}
