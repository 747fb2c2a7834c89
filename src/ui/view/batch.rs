//! The list of all files, over the whole screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::{at_right, fill_line, fit, marks, put};
use crate::review::FileKind;
use crate::ui::app::App;

pub(super) fn draw(buffer: &mut Buffer, app: &App) {
    let screen = app.batch_screen();
    intent(buffer, screen.intent, app);
    title(buffer, screen.list.title, app);
    let files = app.batch.files.iter().enumerate().skip(app.batch.top);
    let body = screen.list.body;
    for ((at, file), y) in files.zip(body.y..body.bottom()) {
        let row = Rect {
            y,
            height: 1,
            ..body
        };
        draw_file(buffer, row, app, *file, at == app.batch.cursor);
    }
    problems(buffer, screen.problems, app);
}

/// What the agent says it wants.
fn intent(buffer: &mut Buffer, area: Rect, app: &App) {
    for (line, y) in app.intent().zip(area.y..area.bottom()) {
        let text = fit::start(&app.look, line, usize::from(area.width).saturating_sub(2));
        let pieces = vec![Span::styled(format!(" {text}"), app.look.theme.quiet)];
        fill_line(
            buffer,
            Rect {
                y,
                height: 1,
                ..area
            },
            pieces,
            (" ", Style::new()),
        );
    }
}

fn title(buffer: &mut Buffer, area: Rect, app: &App) {
    let theme = &app.look.theme;
    let (rule, dot) = (app.look.signs.horizontal, app.look.signs.dot);
    let mut pieces = vec![
        Span::styled(rule.repeat(2), theme.border),
        Span::styled(" All files ", theme.strong),
        Span::styled(format!("{dot} {} ", app.batch.sort.name()), theme.quiet),
    ];
    let filter = &app.batch.filter;
    if !filter.is_empty() {
        let (shown, all) = (app.batch.files.len(), app.session.files.len());
        pieces.push(Span::styled(
            format!("{dot} {shown} of {all} with `{filter}` "),
            theme.edited,
        ));
    }
    fill_line(buffer, area, pieces, (rule, theme.border));
}

/// What could not be read of the input: it is not among the files, and nothing of it can be accepted.
fn problems(buffer: &mut Buffer, area: Rect, app: &App) {
    if area.is_empty() {
        return;
    }
    let (signs, theme) = (&app.look.signs, &app.look.theme);
    let head = vec![
        Span::styled(signs.horizontal.repeat(2), theme.border),
        Span::styled(" Not understood ", theme.attention),
    ];
    fill_line(
        buffer,
        Rect { height: 1, ..area },
        head,
        (signs.horizontal, theme.border),
    );
    for (problem, y) in app.session.problems.iter().zip(area.y + 1..area.bottom()) {
        let file = problem
            .path
            .as_ref()
            .map(|path| format!("{path}: "))
            .unwrap_or_default();
        let text = fit::start(
            &app.look,
            &format!("{file}input {problem}"),
            usize::from(area.width).saturating_sub(4),
        );
        let pieces = vec![Span::styled(
            format!(" {} {text}", signs.attention),
            theme.attention,
        )];
        fill_line(
            buffer,
            Rect {
                y,
                height: 1,
                ..area
            },
            pieces,
            (" ", Style::new()),
        );
    }
}

fn draw_file(buffer: &mut Buffer, area: Rect, app: &App, file: usize, here: bool) {
    let theme = &app.look.theme;
    let (review, summary) = (&app.session.files[file], &app.summaries.files[file]);
    let base = if here { theme.cursor } else { Style::new() };
    let facts = facts(app, file);
    let taken = at_right(buffer, area, facts, 24);
    let (sign, style) = marks::file(&app.look, summary);
    let kind = match review.kind {
        FileKind::Modified => ("modified", theme.quiet),
        FileKind::Created => ("new     ", theme.accepted),
        FileKind::Deleted => ("deleted ", theme.rejected),
        FileKind::Renamed { .. } => ("renamed ", theme.edited),
        FileKind::Copied { .. } => ("copied  ", theme.accepted),
    };
    let left = Rect {
        width: area.width - taken,
        ..area
    };
    let mut pieces = vec![Span::raw(" "), Span::styled(sign, style), Span::raw(" ")];
    let mut room = usize::from(left.width).saturating_sub(4);
    if area.width >= 60 {
        pieces.push(Span::styled(kind.0, kind.1));
        pieces.push(Span::raw("  "));
        room = room.saturating_sub(10);
    }
    let name = if here { theme.strong } else { theme.text };
    let path = match &review.kind {
        FileKind::Renamed { to } => format!("{} {} {to}", review.path, app.look.signs.becomes),
        FileKind::Modified | FileKind::Created | FileKind::Deleted | FileKind::Copied { .. } => {
            review.path.clone()
        }
    };
    pieces.push(Span::styled(fit::end(&app.look, &path, room), name));
    fill_line(buffer, left, pieces, (" ", base));
    buffer.set_style(area, base);
    if here {
        put(buffer, area.as_position(), app.look.signs.here, theme.key);
    }
}

/// What there is to know about a file beside its name.
fn facts(app: &App, file: usize) -> Vec<Span<'static>> {
    let (signs, theme) = (&app.look.signs, &app.look.theme);
    let (review, summary) = (&app.session.files[file], &app.summaries.files[file]);
    let mut pieces = Vec::new();
    if let Some(call) = review.call.as_ref().filter(|_| app.size.width >= 80) {
        pieces.push(Span::styled(format!("  {}", call.agent), theme.quiet));
    }
    if summary.attention > 0 {
        pieces.push(Span::styled(
            format!("  {} {} unplaced", signs.attention, summary.attention),
            theme.attention,
        ));
    }
    if review.protected.is_some() {
        pieces.push(Span::styled(
            format!("  {} protected", signs.protected),
            theme.attention,
        ));
    }
    if let Some(loose) = summary.loose {
        pieces.push(Span::styled(format!("  {loose}"), theme.attention));
    }
    if summary.edited {
        pieces.push(Span::styled(
            format!("  {} edited", signs.edited),
            theme.edited,
        ));
    }
    if summary.commented {
        pieces.push(Span::styled(format!("  {}", signs.comment), theme.comment));
    }
    let hunks = summary.hunks.len();
    let noun = if hunks == 1 { "hunk " } else { "hunks" };
    pieces.push(Span::styled(format!("  {hunks:>3} {noun}"), theme.quiet));
    let count = |sign: &str, lines: usize| {
        if lines > 0 {
            format!("{sign}{lines}")
        } else {
            String::new()
        }
    };
    pieces.push(Span::styled(
        format!("  {:>6}", count("+", summary.added)),
        theme.accepted,
    ));
    pieces.push(Span::styled(
        format!(" {:>6} ", count(signs.minus, summary.removed)),
        theme.rejected,
    ));
    pieces
}
