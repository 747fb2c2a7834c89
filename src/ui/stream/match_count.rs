//! Number of matches of a search, and the rank of the current one: the stops of the search, in the order of the stream.
//!
//! Stops are stored by what they show, so that they stay valid when a fold is opened. Counting stops after [`BUDGET`].

use std::time::{Duration, Instant};

use regex::Regex;

use super::stops::{Stop, stops};
use crate::review::{ReviewSession, Row, Rows};

/// The longest that counting takes.
const BUDGET: Duration = Duration::from_millis(20);

/// The stops of a search.
#[derive(Debug, Clone, Default)]
pub(crate) struct MatchCount {
    /// In the order of the stream.
    stops: Vec<Stop>,
    /// True if counting stopped early.
    more: bool,
}

impl MatchCount {
    /// Counts the stops in the rows of a session.
    pub(crate) fn new(session: &ReviewSession, rows: &Rows, pattern: &Regex) -> Self {
        let begun = Instant::now();
        let mut found = Self::default();
        rows.find(0..rows.len(), false, |row| {
            found.stops.extend(stops(session, rows, row, pattern));
            found.more = begun.elapsed() > BUDGET;
            found.more
        });
        found
    }

    /// Returns true if a row is none of the stops that were counted, though it may be one.
    pub(crate) fn lacks(&self, row: Option<Row>) -> bool {
        let stop = row.and_then(Stop::of);
        !self.more && stop.is_some_and(|stop| !self.stops.contains(&stop))
    }

    /// Returns the rank of a row and the number of stops, or `None` without a match.
    pub(crate) fn words(&self, row: Option<Row>) -> Option<String> {
        let all = self.stops.len();
        if all == 0 {
            return None;
        }
        let more = if self.more { "+" } else { "" };
        let here = row.and_then(Stop::of);
        let rank = here.and_then(|here| self.stops.iter().position(|stop| *stop == here));
        Some(match rank {
            Some(rank) => format!("{} of {all}{more}", rank + 1),
            None => format!("{all}{more} found"),
        })
    }
}
