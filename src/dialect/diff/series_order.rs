//! The order of the patches in one input that change a file twice.
//!
//! `git log -p` lists the newest commit first, `git format-patch` the oldest, and a mailbox may have its mails in any order. What decides
//! is, in this order: the numbers `n/m` in the subjects of mails; the versions of a file (`index OLD..NEW`) and its names; the lines, which
//! the numbers of the hunks place in the version between two patches; and the dates. A change and its reversal are
//! the same in both orders: without numbers and dates nothing decides, and the changes are refused; so are those of a file that has a version twice,
//! if their dates contradict what the other files decide. Patches that somebody listed in
//! neither direction have the order that the versions of their files prove ([`super::version_chain`]).

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::change_order::{OrderSign, lines, moved_to, names_in_order, names_of, versions};
use super::patch_date;
use super::version_chain::VersionChains;
use crate::dialect::input::Input;
use crate::dialect::parse_error::ParseError;
use crate::proposal::{FileChange, Operation, Problem};
use crate::text::LineIdx;

/// The patches of an input, as it lists them.
pub(super) struct Patches<'a, 'i> {
    input: &'i Input<'a>,
    /// The patch of each change, counted from 0.
    of_change: Vec<usize>,
    /// The lines above the first change of each patch.
    headers: Vec<Range<LineIdx>>,
}

/// The order in which patches were made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PatchOrder {
    /// The one in which the input lists them.
    AsListed,
    /// The newest is listed first.
    NewestFirst,
    /// The place of each patch in the series.
    Numbered(Vec<usize>),
}

/// Changes that depend on an order which nothing shows, in the order of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unordered {
    pub(super) changes: Vec<usize>,
    found: &'static str,
}

impl Unordered {
    fn none() -> Self {
        Self::undone(Vec::new())
    }

    /// Changes of which one takes back the other.
    fn undone(changes: Vec<usize>) -> Self {
        let found = "one of two patches that undo each other, in an order that nothing shows";
        Self { changes, found }
    }

    /// Changes of files in patches that are listed neither from the oldest nor from the newest on.
    fn mixed(mut changes: Vec<usize>) -> Self {
        changes.sort_unstable();
        changes.dedup();
        let found = "one of several patches of a file, listed neither forwards nor backwards, whose order its versions do not prove";
        Self { changes, found }
    }
}

impl<'a, 'i> Patches<'a, 'i> {
    /// Cuts an input into patches: at the lines that begin one, and where a file is changed again.
    pub(super) fn of(input: &'i Input<'a>, files: &[FileChange], starts: &[usize]) -> Self {
        let mut patches = Self {
            input,
            of_change: Vec::with_capacity(files.len()),
            headers: Vec::new(),
        };
        let mut known: HashMap<&str, bool> = HashMap::new();
        // One patch that moves a file and changes it does both in one section.
        let mut moved: HashSet<&str> = HashSet::new();
        let (mut end, mut section) = (0, None);
        let start = input.number(0).idx();
        for file in files {
            let is_link = matches!(file.operation, Operation::Link { .. });
            // A link that becomes a file is a deletion and a creation in one patch.
            let is_known = known.get(file.path.first());
            let is_again = is_known.is_some_and(|was_link| !was_link && !is_link)
                || file.operation == Operation::Modify && moved.contains(file.path.first());
            let place = starts.partition_point(|start| *start <= file.span.first.get());
            let first = file.span.first.idx().saturating_sub(start);
            if is_again && file.dialect == "unified" || section != Some(place) {
                known.clear();
                moved.clear();
                patches.headers.push(end.min(first)..first);
            }
            section = Some(place);
            known.insert(file.path.first(), is_link);
            moved.extend(moved_to(file));
            patches.of_change.push(patches.headers.len() - 1);
            end = file.span.last.get().saturating_sub(start);
        }
        patches
    }

    /// Returns the number of patches.
    pub(super) fn len(&self) -> usize {
        self.headers.len()
    }

    /// Returns the patch of a change.
    pub(super) fn of_change(&self, change: usize) -> usize {
        self.of_change[change]
    }

    /// Finds the order of the patches, and the changes that it leaves open.
    pub(super) fn order(&self, files: &[FileChange]) -> (PatchOrder, Unordered) {
        if let Some(numbers) = self.numbers() {
            return (PatchOrder::Numbered(numbers), Unordered::none());
        }
        let chains = VersionChains::of(files, &self.of_change, names_of);
        let (order, open) = self.direction(files, &chains.returning);
        let is_proven = match order {
            PatchOrder::NewestFirst => chains.agree(|patch| self.len() - patch),
            PatchOrder::AsListed | PatchOrder::Numbered(_) => chains.agree(|patch| patch),
        };
        if is_proven && (open.changes.is_empty() || chains.is_empty()) {
            return (order, open);
        }
        let mut refused = chains.unproven.clone();
        let places = chains.places(self.len()).unwrap_or_else(|| {
            refused.extend(&chains.chained);
            (1..=self.len()).collect()
        });
        (PatchOrder::Numbered(places), Unordered::mixed(refused))
    }

    /// Finds the direction in which the patches are listed, and the changes that take back each other where nothing shows it. The versions
    /// of `returning` changes fit more than one order.
    fn direction(&self, files: &[FileChange], returning: &[usize]) -> (PatchOrder, Unordered) {
        let known = |order| (order, Unordered::none());
        let (mut by_versions, mut by_lines) = (Votes::default(), Votes::default());
        let mut open = Vec::new();
        let mut latest: HashMap<&str, usize> = HashMap::new();
        for (at, file) in files.iter().enumerate() {
            if file.dialect != "unified" {
                continue;
            }
            let mut above: Vec<usize> = names_of(file)
                .filter_map(|name| latest.insert(name, at))
                .collect();
            above.dedup();
            for above in above {
                if self.of_change[above] == self.of_change[at] {
                    continue;
                }
                let (above_file, pair) = (&files[above], [above, at]);
                let by_names = names_in_order(above_file, file);
                if by_names != OrderSign::Either {
                    by_versions.add(by_names);
                    continue;
                }
                match versions(above_file, file) {
                    OrderSign::Unknown => (),
                    OrderSign::Either => {
                        open.push(pair);
                        continue;
                    }
                    direction @ (OrderSign::AsListed | OrderSign::NewestFirst) => {
                        by_versions.add(direction);
                        continue;
                    }
                }
                match lines(above_file, file) {
                    OrderSign::Either => open.push(pair),
                    direction @ (OrderSign::AsListed
                    | OrderSign::NewestFirst
                    | OrderSign::Unknown) => {
                        by_lines.add(direction);
                    }
                }
            }
        }
        let mut voted = PatchOrder::AsListed;
        let mut is_voted = open.is_empty();
        for votes in [&by_versions, &by_lines] {
            match (votes.as_listed, votes.newest_first) {
                (0, 0) => continue,
                (_, 0) => is_voted = true,
                (0, _) => (voted, is_voted) = (PatchOrder::NewestFirst, true),
                (_, _) => (),
            }
            break;
        }
        let undone: HashSet<&str> = (open.iter().flatten().chain(returning))
            .map(|change| files[*change].path.first())
            .collect();
        let undoing: Vec<usize> = (0..files.len())
            .filter(|at| names_of(&files[*at]).any(|name| undone.contains(name)))
            .collect();
        if is_voted && !self.dates_contradict(&voted, files, &undoing) {
            return known(voted);
        }
        match self.by_dates() {
            Some(order) => known(order),
            None => (PatchOrder::AsListed, Unordered::undone(undoing)),
        }
    }

    /// Returns `true` if the dates of two changes of one file show the opposite of an order.
    fn dates_contradict(
        &self,
        order: &PatchOrder,
        files: &[FileChange],
        changes: &[usize],
    ) -> bool {
        let mut latest: HashMap<&str, i64> = HashMap::new();
        for &change in changes {
            let Some(date) = self.date(&self.headers[self.of_change[change]]) else {
                continue;
            };
            for name in names_of(&files[change]) {
                let above = latest.insert(name, date).unwrap_or(date);
                let is_opposite = match order {
                    PatchOrder::NewestFirst => above < date,
                    PatchOrder::AsListed | PatchOrder::Numbered(_) => above > date,
                };
                if is_opposite {
                    return true;
                }
            }
        }
        false
    }

    /// Returns a problem for a change whose place in the series is unknown.
    pub(super) fn problem(&self, unordered: &Unordered, change: &FileChange) -> Problem {
        let start = self.input.number(0).idx();
        let first = change.span.first.idx().saturating_sub(start);
        let expected = "numbers `1/2` in the subjects, or dates that differ; `git log --reverse -p` and `git format-patch` list the oldest first";
        let lines = first..change.span.last.get().saturating_sub(start);
        let error = ParseError::new(first, unordered.found, expected);
        error.into_problem(self.input, lines, change.dialect, Some(change.path.clone()))
    }

    /// Reads the number `n/m` in the last subject above a patch.
    fn number(&self, header: &Range<LineIdx>) -> Option<(usize, usize)> {
        let mut lines = self.input.lines(header.clone()).iter().rev();
        lines.find_map(|line| series_number(line.strip_prefix("Subject: ")?))
    }

    /// Reads the last date above a patch.
    fn date(&self, header: &Range<LineIdx>) -> Option<i64> {
        let mut lines = self.input.lines(header.clone()).iter().rev();
        lines.find_map(|line| patch_date::in_line(line))
    }

    /// Returns the place of each patch by the numbers `n/m` in their subjects, if all have one and of the same series.
    fn numbers(&self) -> Option<Vec<usize>> {
        let numbers: Option<Vec<(usize, usize)>> = self
            .headers
            .iter()
            .map(|header| self.number(header))
            .collect();
        let numbers = numbers.filter(|numbers| numbers.len() > 1)?;
        let is_one_series = numbers.iter().all(|(_, of)| *of == numbers[0].1);
        let places: HashSet<usize> = numbers.iter().map(|(number, _)| *number).collect();
        (is_one_series && places.len() == numbers.len())
            .then(|| numbers.into_iter().map(|(number, _)| number).collect())
    }

    /// Returns the order by the dates above the patches, if none is earlier or none is later than the one before. Commits of one second
    /// have the same date.
    fn by_dates(&self) -> Option<PatchOrder> {
        let dates: Option<Vec<i64>> = self
            .headers
            .iter()
            .map(|header| self.date(header))
            .collect();
        let dates = dates?;
        match (
            dates.is_sorted(),
            dates.is_sorted_by(|date, next| date >= next),
        ) {
            (true, false) => Some(PatchOrder::AsListed),
            (false, true) => Some(PatchOrder::NewestFirst),
            // All are equal, or they go back and forth.
            (true, true) | (false, false) => None,
        }
    }
}

#[derive(Debug, Default)]
struct Votes {
    as_listed: usize,
    newest_first: usize,
}

impl Votes {
    fn add(&mut self, direction: OrderSign) {
        match direction {
            OrderSign::AsListed => self.as_listed += 1,
            OrderSign::NewestFirst => self.newest_first += 1,
            OrderSign::Either | OrderSign::Unknown => (),
        }
    }
}

/// Reads `n/m` in the brackets of a subject, as in `[PATCH v2 1/3]`.
pub(in crate::dialect) fn series_number(subject: &str) -> Option<(usize, usize)> {
    let (inner, _) = subject.trim_start().strip_prefix('[')?.split_once(']')?;
    let (number, of) = inner.rsplit(' ').next()?.split_once('/')?;
    Some((number.parse().ok()?, of.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    /// A change of line 2 of a file, with the lines around it.
    fn change(blobs: &str, old: &str, new: &str) -> String {
        let index = match blobs {
            "" => String::new(),
            blobs => format!("index {blobs} 100644\n"),
        };
        format!(
            "diff --git a/f b/f\n{index}--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-{old}\n+{new}\n c\n"
        )
    }

    /// The added lines in the order in which they are applied; `?` for a refusal of both.
    fn added(text: &str) -> String {
        let parsed = parse(text, &Options::default());
        if parsed.proposal.files.is_empty() && parsed.problems.len() == 2 {
            return "?".to_owned();
        }
        assert!(parsed.problems.is_empty(), "{text}\n{:?}", parsed.problems);
        let hunks = parsed.proposal.files.iter().flat_map(|file| &file.hunks);
        let lines = hunks.map(|hunk| hunk.body.postimage[1].as_str());
        lines.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn versions_numbers_lines_and_dates_decide_the_order() {
        let hash = |digit: &str| digit.repeat(40);
        let log = |digit: &str, date: &str| {
            format!(
                "commit {}\nAuthor: A <a@b>\nDate:   {date}\n\n    M\n\n",
                hash(digit)
            )
        };
        let mail = |digit: &str, number: &str| {
            format!(
                "From {} Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nSubject: [PATCH {number}] M\n\n---\n",
                hash(digit)
            )
        };
        let (day, next) = (
            "Thu Nov 26 12:02:05 2026 +0000",
            "Thu Nov 26 14:02:06 2026 +0200",
        );
        let one = |head: &str| format!("{head}{}", change("aaaaaaa..bbbbbbb", "x", "y"));
        let two = |head: &str| format!("{head}{}", change("bbbbbbb..ccccccc", "y", "z"));
        let back = |head: &str| format!("{head}{}", change("bbbbbbb..aaaaaaa", "y", "x"));
        let bare_one = |head: &str| format!("{head}{}", change("", "x", "y"));
        let bare_two = |head: &str| format!("{head}{}", change("", "y", "z"));
        let bare_back = |head: &str| format!("{head}{}", change("", "y", "x"));
        for (text, expected) in [
            // Versions, whatever is above the diffs.
            (one("") + &two(""), "y z"),
            (two("") + &one(""), "y z"),
            (two("8d9703d two\n") + &one("dfbf4a4 one\n"), "y z"),
            (
                two("60bd052 (two, 2026-11-26)\n\n") + &one("92925d9 (one, 2026-11-26)\n\n"),
                "y z",
            ),
            // Lines.
            (bare_one("") + &bare_two(""), "y z"),
            (bare_two("") + &bare_one(""), "y z"),
            // Neither: a change and its reversal.
            (one("") + &back(""), "?"),
            (back("8d9703d two\n") + &one("dfbf4a4 one\n"), "?"),
            (bare_back("8d9703d two\n") + &bare_one("dfbf4a4 one\n"), "?"),
            (back(&log("2", day)) + &one(&log("1", day)), "?"),
            // Dates.
            (back(&log("2", next)) + &one(&log("1", day)), "y x"),
            (one(&log("1", day)) + &back(&log("2", next)), "y x"),
            (
                bare_back(&log("2", next)) + &bare_one(&log("1", day)),
                "y x",
            ),
            // Numbers.
            (back(&mail("2", "2/2")) + &one(&mail("1", "1/2")), "y x"),
            (
                one(&mail("1", "v2 1/2")) + &back(&mail("2", "v2 2/2")),
                "y x",
            ),
            (back(&mail("2", "2/2")) + &one(&mail("1", "2/2")), "?"),
        ] {
            assert_eq!(added(&text), expected, "{text}");
        }
    }

    #[test]
    fn a_direction_that_the_dates_contradict_orders_no_reversal() {
        let log = |hour: u32, patch: &str| {
            let digit = hour.to_string().repeat(40);
            format!(
                "commit {digit}\nAuthor: A <a@b>\nDate:   Thu Nov 26 0{hour}:00:00 2026 +0000\n\n    M\n\n{patch}\n"
            )
        };
        let one = change("aaaaaaa..bbbbbbb", "x", "y");
        let back = change("bbbbbbb..aaaaaaa", "y", "x");
        let other = |blobs: &str| {
            change(blobs, "x", "y")
                .replace("a/f", "a/g")
                .replace("b/f", "b/g")
        };
        let (first, second) = (other("1111111..2222222"), other("2222222..3333333"));
        let check = |patches: [String; 4], expected: &[&str]| {
            let parsed = parse(&patches.concat(), &Options::default());
            let files = parsed.proposal.files.iter();
            let found: Vec<&str> = files.map(|file| file.path.first()).collect();
            assert_eq!(found, expected);
            assert_eq!(parsed.problems.len(), 4 - expected.len());
        };
        // The versions of `g` are listed forwards.
        let (one_at, back_at) = (|hour| log(hour, &one), |hour| log(hour, &back));
        let (first, second) = (log(1, &first), log(4, &second));
        let in_order = [first.clone(), one_at(2), back_at(3), second.clone()];
        check(in_order, &["g", "f", "f", "g"]);
        check([first, back_at(3), one_at(2), second.clone()], &["g", "g"]);
        // The versions of `f` go round, and fit each order that begins somewhere else.
        let one = log(1, &change("aaaaaaa..bbbbbbb", "x", "y"));
        let two = log(2, &change("bbbbbbb..ccccccc", "y", "z"));
        let three = log(3, &change("ccccccc..aaaaaaa", "z", "x"));
        let round = [one.clone(), two.clone(), three.clone(), second.clone()];
        check(round, &["f", "f", "f", "g"]);
        check([two, three, one, second], &["g"]);
    }

    #[test]
    fn a_file_is_changed_between_the_patches_that_give_it_its_name_and_take_it() {
        let moved = "diff --git a/e b/f\nsimilarity index 100%\nrename from e\nrename to f\n";
        let made = "diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1,3 @@\n+a\n+x\n+c\n";
        let edit = change("", "x", "y");
        let old_edit = edit.replace("a/f", "a/e").replace("b/f", "b/e");
        let operations = |patches: [&str; 2]| {
            let log = |(at, patch): (usize, &&str)| {
                let hash = at.to_string().repeat(40);
                format!("commit {hash}\nAuthor: A <a@b>\n\n    M\n\n{patch}\n")
            };
            let log: String = patches.iter().enumerate().map(log).collect();
            let parsed = parse(&log, &Options::default());
            assert!(parsed.problems.is_empty(), "{log}\n{:?}", parsed.problems);
            let files = parsed.proposal.files;
            files
                .iter()
                .map(|file| file.span.first.get() > 8)
                .collect::<Vec<_>>()
        };
        let (newest_first, as_listed) = ([true, false], [false, true]);
        assert_eq!(operations([&edit, moved]), newest_first);
        assert_eq!(operations([moved, &edit]), as_listed);
        assert_eq!(operations([moved, &old_edit]), newest_first);
        assert_eq!(operations([&old_edit, moved]), as_listed);
        assert_eq!(operations([&edit, made]), newest_first);
        assert_eq!(operations([made, &edit]), as_listed);
    }

    #[test]
    fn diffs_of_other_lines_need_no_order() {
        let at = |line: usize, old: &str, new: &str| {
            format!("--- a/f\n+++ b/f\n@@ -{line},3 +{line},3 @@\n a\n-{old}\n+{new}\n c\n")
        };
        let both = at(1, "x", "y") + "Then:\n\n" + &at(9, "y", "x");
        assert_eq!(added(&both), "y x");
        // Both are for the file as it is.
        let both = at(1, "x", "y") + "Or:\n\n" + &at(1, "x", "z");
        assert_eq!(added(&both), "y z");
    }
}
