//! Rows of the parts of an input that could not be read.

use super::row::Row;
use crate::review::session::review_session::ReviewSession;

/// The rows of the problems that name a file: the message, and the lines of the input.
pub(super) fn problem_rows<'a>(
    session: &'a ReviewSession,
    file: usize,
    path: Option<&'a str>,
) -> impl Iterator<Item = Row> + 'a {
    problems(session, path).flat_map(move |problem| {
        let lines = 0..=session.problems[problem].text.len();
        lines.map(move |line| Row::Problem {
            file,
            problem,
            line,
        })
    })
}

/// The problems that name a file; those that name no file of the session for `None`.
fn problems<'a>(
    session: &'a ReviewSession,
    path: Option<&'a str>,
) -> impl Iterator<Item = usize> + 'a {
    let known = |named: &String| session.files.iter().any(|file| file.path == *named);
    let all = session.problems.iter().enumerate();
    let named = all.filter(move |(_, problem)| {
        let named = problem.path.as_ref().map(ToString::to_string);
        match path {
            Some(path) => named.as_deref() == Some(path),
            None => named.is_none_or(|named| !known(&named)),
        }
    });
    named.map(|(at, _)| at)
}
