//! Sketches: the new text of a file with `... existing code ...` for the lines that stay.
//!
//! A stretch between two elisions replaces the lines of the file from its own first line to its own last one, which must both
//! be there. Where a sketch begins or ends without an elision, the file's own edge is the anchor. A stretch without a place
//! leaves the whole sketch without one: the lines that it leaves out would be a guess.
//!
//! The lines of each stretch are found by [`mod@region`]. A sketch that is indented otherwise than the file is read once more
//! without its indentation, and then one shift must explain all of its lines.

mod chain;
mod omitted_part;
mod region;
mod similar_lines;
mod spans;
mod stretch;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::locate::matching::edit_script::Script;
use crate::locate::matching::indent_shift::Shift;
use crate::locate::matching::index::Index;
use crate::locate::matching::line_cost::EXTRA_LINE;
use crate::locate::matching::line_match::Match;
use crate::locate::matching::normalize::is_blank;
use crate::locate::placement::{Change, Confidence, Doubt, Location, Placement, Rung, Unplaced};
use crate::proposal::{Body, Hunk, is_elision};
use crate::text::{Document, IndentUnit, LineIdx, LineNo, indent_of};
use region::{Region, RegionSearch};
use stretch::{Stretch, stretches};

/// Rungs on which a sketch is read, strictest first. One that indents with tabs where the file does with spaces, or the other
/// way round, is read on the last one only: the others would match the lines at the margin too.
const READINGS: [Rung; 2] = [Rung::TrailingBlanks, Rung::Indent];

/// Maximum number of stretches without a sure place before the first that has one, and for each that has one. A sketch with more is
/// made of lines that the file repeats, and each of them would be compared with all places.
const MAX_UNSURE: usize = 64;

/// Places a sketch. A line of the file may look like the mark of an elision; if the sketch has other marks, it may mean either, and if
/// it has a place in both readings, a person decides.
pub(crate) fn place(index: &Index<'_>, hunk: &Hunk) -> Location {
    let lines = &hunk.body.postimage;
    let marked = place_stretches(index, &stretches(lines, is_elision));
    let is_of_file = |line: &String| is_elision(line) && index.has_line(line);
    let is_mark = |line: &str| is_elision(line) && !index.has_line(line);
    if !lines.iter().any(is_of_file) || !lines.iter().any(|line| is_mark(line)) {
        return marked;
    }
    let quoted = place_stretches(index, &stretches(lines, is_mark));
    match (marked, quoted) {
        (Location::Unplaced(_), only) | (only, Location::Unplaced(_)) => only,
        (Location::Placed(one), Location::Placed(other)) if one.changes == other.changes => {
            Location::Placed(one)
        }
        (_, Location::Placed(placement)) | (Location::Placed(placement), _) => {
            Location::Placed(Placement {
                confidence: Confidence::Doubtful,
                doubt: Some(Doubt::Rival),
                ..placement
            })
        }
        (same, _) => same,
    }
}

fn place_stretches(index: &Index<'_>, stretches: &[Stretch<'_>]) -> Location {
    let readings = if indents_otherwise(index, stretches) {
        &READINGS[1..]
    } else {
        &READINGS[..]
    };
    let mut refused = Unplaced::Nowhere;
    for &rung in readings {
        let reading = SketchReading { index, rung };
        match reading
            .regions(stretches)
            .and_then(|regions| reading.placed(stretches, &regions))
        {
            Ok(location) => return location,
            // Several places in one reading say more than none in the next.
            Err(_) if matches!(refused, Unplaced::Ambiguous { .. }) => (),
            Err(unplaced) => refused = unplaced,
        }
    }
    Location::Unplaced(refused)
}

/// Returns true if a sketch is indented by blanks of another kind than the file.
fn indents_otherwise(index: &Index<'_>, stretches: &[Stretch<'_>]) -> bool {
    let blank = match index.unit() {
        Some(IndentUnit::Tab) => '\t',
        Some(IndentUnit::Spaces(_)) => ' ',
        None => return false,
    };
    let lines = stretches.iter().flat_map(|stretch| stretch.lines);
    let mut indents = lines
        .map(|line| indent_of(line))
        .filter(|indent| indent.len() > 1 || *indent == "\t")
        .peekable();
    indents.peek().is_some() && indents.all(|indent| !indent.starts_with(blank))
}

/// A sketch read on one rung.
struct SketchReading<'i, 'd> {
    index: &'i Index<'d>,
    rung: Rung,
}

impl SketchReading<'_, '_> {
    /// Returns the regions of all stretches, in their order. Stretches that their own lines alone can place are placed first,
    /// and bound the others; only then those that are in doubt.
    fn regions(&self, stretches: &[Stretch<'_>]) -> Result<Vec<Region>, Unplaced> {
        let search = |stretch| RegionSearch::new(self.index, self.rung, stretch);
        let searches: Vec<RegionSearch<'_, '_>> = stretches.iter().map(search).collect();
        // A place that is indented otherwise may be the target as well.
        let looser = |stretch| RegionSearch::new(self.index, Rung::Indent, stretch);
        let looser: Vec<RegionSearch<'_, '_>> = if self.rung == Rung::Indent {
            Vec::new()
        } else {
            stretches.iter().map(looser).collect()
        };
        let words = self.index.words();
        let lines = 0..self.index.document.len();
        let removed: Vec<f64> = lines
            .map(|line| words.line_bits(line).min(EXTRA_LINE))
            .collect();
        let mut regions: Vec<Option<Region>> = vec![None; stretches.len()];
        let mut takes_doubtful = false;
        loop {
            let mut refused = None;
            let (mut settled, mut unsure, mut doubtful) = (0, 0, false);
            let mut start = 0;
            let ends = ends(&regions, removed.len());
            for (nth, (search, end)) in searches.iter().zip(ends).enumerate() {
                let region = &mut regions[nth];
                if region.is_none() {
                    let within = start..end;
                    let mut found = search.region(&removed, &within);
                    if let (Ok(found), Some(looser)) = (&mut found, looser.get(nth))
                        && found.doubt.is_none()
                        && looser.has_rival(found, &removed, &within)
                    {
                        found.doubt = Some(Doubt::Rival);
                    }
                    match found {
                        Ok(found) if found.doubt.is_none() || takes_doubtful => {
                            *region = Some(found);
                            settled += 1;
                        }
                        Ok(_) => {
                            unsure += 1;
                            doubtful = true;
                        }
                        Err(unplaced) => {
                            unsure += 1;
                            refused = refused.or(Some(unplaced));
                        }
                    }
                    if unsure > MAX_UNSURE * (settled + 1) {
                        return Err(refused.unwrap_or(Unplaced::NotFound {
                            nearest: Vec::new(),
                        }));
                    }
                }
                start = region.as_ref().map_or(start, |region| region.lines.end);
            }
            match refused {
                _ if settled > 0 && (doubtful || refused.is_some()) => (),
                Some(unplaced) => return Err(unplaced),
                None if doubtful => takes_doubtful = true,
                None => return Ok(regions.into_iter().flatten().collect()),
            }
        }
    }

    /// Returns the location of the sketch with these regions.
    fn placed(&self, stretches: &[Stretch<'_>], regions: &[Region]) -> Result<Location, Unplaced> {
        let document = self.index.document;
        let indents: Vec<_> = stretches
            .iter()
            .zip(regions)
            .flat_map(|(stretch, region)| {
                let pair = |&(line, idx): &(usize, LineIdx)| {
                    let (own, file) = (&stretch.lines[line], document.line(idx));
                    (stretch.first + line, indent_of(own), indent_of(file))
                };
                region
                    .pairs
                    .iter()
                    .filter(|(line, _)| !is_blank(&stretch.lines[*line]))
                    .map(pair)
            })
            .collect();
        let shift = if self.rung == Rung::Indent {
            let lines = stretches.iter().flat_map(|stretch| stretch.lines);
            let lines: Vec<&str> = lines.map(String::as_str).collect();
            let shift = Shift::explaining(&indents, &lines, self.index.unit());
            // Two levels alone do not decide between several scales.
            let levels: BTreeSet<_> = indents.iter().map(|pair| pair.1).collect();
            let shift = shift.filter(|shift| !shift.is_scaled() || levels.len() > 2);
            Some(shift.ok_or(Unplaced::NotFound {
                nearest: Vec::new(),
            })?)
        } else {
            None
        };
        let mut changes: Vec<Change> = Vec::new();
        for (stretch, region) in stretches.iter().zip(regions) {
            let mut postimage: Vec<String> = stretch
                .lines
                .iter()
                .enumerate()
                .map(|(i, line)| match &shift {
                    Some(shift) => shift.reindent(line, stretch.first + i, &indents),
                    None => line.clone(),
                })
                .collect();
            for &(line, idx) in &region.pairs {
                document.line(idx).clone_into(&mut postimage[line]);
            }
            changes.extend(replaced(self.index, region.lines.clone(), postimage));
        }
        let (Some(first), Some(end)) = (changes.first(), changes.last()) else {
            if self.rung == Rung::Indent {
                return Err(Unplaced::NoChange);
            }
            return Ok(Location::AlreadyApplied {
                at: LineNo::from_idx(regions.first().map_or(0, |region| region.lines.start)),
            });
        };
        let mut all = stretches.iter().zip(regions);
        let is_exact = self.rung == Rung::TrailingBlanks
            && all.all(|(stretch, region)| {
                let mut pairs = region.pairs.iter();
                pairs.all(|&(line, idx)| stretch.lines[line] == document.line(idx))
            });
        let shown: Vec<Range<LineIdx>> =
            regions.iter().map(|region| region.lines.clone()).collect();
        let mut added = changes.iter().map(|change| &change.with);
        let only_blanks =
            (changes.iter().all(|change| is_of_blanks(change, document))).then_some(Doubt::Blanks);
        let doubt = (regions.iter().find_map(|region| region.doubt))
            .or(only_blanks)
            .or_else(|| {
                let mut parts = stretches.iter().zip(regions);
                let is_repeated = added
                    .any(|lines| omitted_part::has_added_lines(self.index, lines, &shown))
                    || parts.any(|(stretch, region)| {
                        omitted_part::has_version_beside(self.index, stretch, region)
                    });
                is_repeated.then_some(Doubt::Repeats)
            });
        Ok(Location::Placed(Placement {
            rung: if is_exact { Rung::Exact } else { self.rung },
            confidence: if doubt.is_none() {
                Confidence::Fuzzy
            } else {
                Confidence::Doubtful
            },
            doubt,
            ..Placement::exact(first.lines.start..end.lines.end, changes)
        }))
    }
}

/// Returns true if a change removes and adds nothing but blank lines.
fn is_of_blanks(change: &Change, document: &Document) -> bool {
    let removed = change.lines.clone().map(|at| document.line(at));
    let mut lines = removed.chain(change.with.iter().map(String::as_str));
    lines.all(is_blank)
}

/// Returns the line at which the next region that is known begins, after each one.
fn ends(regions: &[Option<Region>], len: usize) -> Vec<LineIdx> {
    let mut ends = vec![len; regions.len()];
    for nth in (1..regions.len()).rev() {
        ends[nth - 1] = (regions[nth].as_ref()).map_or(ends[nth], |region| region.lines.start);
    }
    ends
}

/// Returns the changes that replace a region by other lines.
fn replaced(index: &Index<'_>, region: Range<LineIdx>, postimage: Vec<String>) -> Vec<Change> {
    let preimage = region
        .clone()
        .map(|idx| index.document.line(idx).to_owned())
        .collect();
    let body = Body {
        preimage,
        postimage,
    };
    Script::of(&body).changes(&body, &Match::straight(region), Rung::Exact, index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::shown;
    use crate::proposal::Extent;

    #[track_caller]
    fn check(file: &str, sketch: &str, expected: &str) {
        let document = Document::from_text(file.replace('|', "\n") + "\n");
        let hunk = shown::hunk(Extent::Sketch, "", sketch);
        let shown = shown::location(&place(&Index::new(&document), &hunk));
        assert_eq!(shown, expected, "{file:?} {sketch:?}");
    }

    #[test]
    fn code_may_have_moved_out_of_the_omitted_part() {
        let setup = "log = open_log()|    server = start(log)|    server.listen(port)";
        let file = format!("def a():|    {setup}|    loop()|def b():|    first()|    last()");
        let sketch = |added: &str| format!("...|def b():|    first()|    {added}|    last()");
        let moved = "log = open_log()|        server = start(log)|        server.listen(port)";
        for (added, is_doubtful) in [
            (setup, true),
            // Deeper, and with a line more.
            (moved, true),
            (&format!("other()|    {setup}|    more()"), true),
            // Two lines of it, and another order.
            ("log = open_log()|    server = start(log)", false),
            (
                "server.listen(port)|    server = start(log)|    log = open_log()",
                false,
            ),
        ] {
            let document = Document::from_text(file.replace('|', "\n") + "\n");
            let hunk = shown::hunk(Extent::Sketch, "", &sketch(added));
            let Location::Placed(placement) = place(&Index::new(&document), &hunk) else {
                panic!("{added}");
            };
            let expected = is_doubtful.then_some(Doubt::Repeats);
            assert_eq!(placement.doubt, expected, "{added}");
        }
        // A region shows it where it was: it is removed there.
        let document = Document::from_text(file.replace('|', "\n") + "\n");
        let added: Vec<String> = setup.split('|').map(str::to_owned).collect();
        let is_moved = |regions: &[Range<LineIdx>]| {
            omitted_part::has_added_lines(&Index::new(&document), &added, regions)
        };
        assert!(is_moved(&[4..5, 5..8]));
        assert!(!is_moved(&[0..2, 5..8]));
    }

    #[test]
    fn the_line_beside_a_changed_edge_may_be_an_old_version() {
        let check = |added: &str, next: &str, expected: Option<Doubt>| {
            let calls = "x = WalkStep(_WalkBack, _walk_all)|y = WalkError(_walkback, x)|".repeat(9);
            let above =
                "import checks||from graph import _walk_all, _walkback, WalkStep, WalkError";
            let file = format!("{above}|from graph.steps import _WalkBack|{next}|{calls}");
            let document = Document::from_text(file.replace('|', "\n"));
            let below = "from graph.walks import WalkStep|from graph.steps import _walk_all, _walkback, _WalkBack";
            let sketch = format!("import checks||{added}|{below}|...");
            let hunk = shown::hunk(Extent::Sketch, "", &sketch);
            let Location::Placed(placement) = place(&Index::new(&document), &hunk) else {
                panic!("{added}");
            };
            assert_eq!(placement.doubt, expected, "{added} {next}");
        };
        let more = "from graph import WalkError, FirstMarker, SecondMarker";
        let next = "from graph import FirstMarker, SecondMarker";
        check(more, next, Some(Doubt::Repeats));
        check(more, &format!("|{next}"), Some(Doubt::Repeats));
        // The added line lacks a name, the other line has few, or it is not beside the edge.
        check("from graph import WalkError, FirstMarker", next, None);
        check(more, "from graph import FirstMarker", None);
        check(more, &format!("start()|{next}"), None);
    }

    #[test]
    fn a_stretch_is_placed_by_its_edges() {
        let file = "fn a|  1|end a|fn b|  2|end b|fn c|  3|end c";
        check(file, "...|fn b|  20|end b|...", "4-5:  20");
        check(file, "...|fn b|  2|  more|end b|...", "5-5:  more");
        check(file, "fn a|  10|end a|...", "1-2:  10");
        check(file, "...|fn c|  30|end c", "7-8:  30");
        check(
            file,
            "...|fn a|  10|end a|...|fn c|  30|end c|...",
            "1-2:  10 7-8:  30",
        );
        check(
            file,
            "...|fn c|  30|end c|...|fn a|  10|end a|...",
            "not found",
        );
        check(file, "...|fn z|  1|end z|...", "not found");
        check("fn b |  2|end b", "...|fn b|  20|end b|...", "1-2:  20");
        check(file, "...|fn b|  2|end b|...", "applied at 4");
        check("x|1|x|2", "...|x|3|x|...", "not found");
        check("a|{|1|}|b|{|1|}", "...|{|2|}|...", "not found");
    }

    #[test]
    fn a_stretch_takes_as_little_as_it_can() {
        let file = "fn a|{|  1|}|fn b|{|  2|}";
        check(file, "...|fn a|{|  10|}|...", "2-3:  10");
        check(file, "...|fn a|{|  1|  3|}|...", "3-3:  3");
        // What follows `/**` may be the old comment, or what comes after it.
        let file = "f|/**|a|*/|g|/**|b|*/|h";
        check(file, "...|f|/**|c|*/|x|/**|...", "Rival");
    }

    #[test]
    fn no_region_reaches_into_another_block() {
        let file = "class A|  x|  y|class B|  pass|class C";
        check(file, "...|class A|  pass|...", "not found");
        check(file, "...|class A|  z|class C|...", "1-5:  z");
        check(file, "...|class A|  z|  y|...", "1-2:  z");
        // A blank line between two changes bounds no scope.
        let file = "fn a|  b = 1|  c = 2||  while x|    m(1)||    k(3)|end";
        check(
            file,
            "...|  b = 1||  while y|    m(2)||    k(3)|...",
            "2-3: 4-6:  while y|    m(2)",
        );
    }

    #[test]
    fn what_stands_once_does_not_come_anew() {
        let file = "}|//|// Parts|//|fn a|}|//|fn b";
        // The file has the first line of its region twice.
        check(file, "...|}|//|// Parts|//|fn b|...", "Rival");
        check(file, "...|fn b|// Parts|fn c|...", "not found");
    }

    #[test]
    fn a_stretch_may_change_its_edges() {
        let file = "one(1)|two(2)|three(3)||four(4)|five(5)";
        check(file, "...|one(1, 2)|two(2)|three(3)|...", "0-1:one(1, 2)");
        check(file, "...|one(10)|two(2)|three(3)|...", "0-1:one(10)");
        // Another name may be the name of another function, whose lines are gone.
        check(file, "...|uno(1)|two(2)|three(3)|...", "Words");
        check(file, "...|four(4)|five(5, 0)|...", "5-6:five(5, 0)");
        check(file, "...|zero|two(2)|three(3)|...", "Foreign");
        // The edge may replace the whole statement, of which the file's line is the end.
        let file = "kind(a) =|    x(a)|    | (a or b ? 1 : 0)|same(a)|more(b)";
        let sketch = "...|kind(a) = (a or b ? 1 : 0)|same(a)|more(b)|...";
        check(file, sketch, "Words");
    }

    #[test]
    fn a_place_that_is_indented_otherwise_is_a_rival() {
        let file =
            "on(e)|join(pa)|  num(more)|where|  t = 1|order|  |  on(e)|  where|    t = 1|  order";
        check(file, "...|on(e)|where|  t = 1|  new()|order|...", "Rival");
    }

    #[test]
    fn lines_that_nothing_replaces_are_asked_about() {
        let file = "fn a|use b|if c {|  d(1)|  e(2)|  f(3)|}|g(4)|end a";
        check(file, "...|use b|g(4)|...", "Lines");
        check(file, "...|use b|h(5)|g(4)|...", "2-7:h(5)");
    }

    #[test]
    fn a_change_of_blank_lines_alone_is_asked_about() {
        let file = "fn a|  1||end a|fn b";
        check(file, "...|fn a|  1|end a|...", "Blanks");
        check(file, "...|fn a|  2|end a|...", "1-3:  2");
    }

    #[test]
    fn a_line_of_the_file_may_look_like_a_mark() {
        let file = "def a():|    ...|def b():|    ...|def c():|    return 1";
        check(file, "# ...|def c():|    return 2", "5-6:    return 2");
        let same = "5-6:    return 2";
        check(file, "# ...|def b():|    ...|def c():|    return 2", same);
        check(
            file,
            "# ...|def a():|    ...|def c():|    return 2",
            "Rival",
        );
        check(file, "...|def b():|    pass|def c():|...", "3-4:    pass");
    }

    #[test]
    fn what_would_be_lost_is_asked_about() {
        // A test is added before another one, or the one before it is replaced: nothing tells.
        let file = "}|test|fn first() {|  let a = 1;|  check(a, 1);|}|test|fn last() {|}";
        check(
            file,
            "...|}|test|fn second() {|  let a = 1;|  check(a, 2);|}|test|fn last() {|...",
            "Rival",
        );
        // Lists repeat their first lines; only one of them loses nothing but a version.
        let file = ")|var (|  a|)|var (|  version = 10|  name|  other|)|var (|  b|)";
        check(
            file,
            "...|)|var (|  version = 11|  name|  other|...",
            "5-6:  version = 11",
        );
        // A longer region would keep more lines and lose more.
        let file = "if a {|  b();|}|if c {|  d();|  e();|}|f();";
        check(file, "...|}|g();|d();|f();|...", "7-7:g();|d();");
    }

    #[test]
    fn a_sketch_takes_the_indentation_of_the_file() {
        let file = "fn a {|\tx|\ty|}|fn b {|\tz|}";
        check(file, "...|fn a {|    x|    w|}|...", "2-3:\tw");
        check(
            file,
            "...|    x|    if w {|        v|    }|    y|...",
            "2-2:\tif w {|\t\tv|\t}",
        );
        check(
            file,
            "...|fn a {|\tif x {|\t\tx|\t}|\ty|}|...",
            "1-2:\tif x {|\t\tx|\t}",
        );
        check("    x|    y", "...|x|w|y|...", "1-1:    w");
    }
}
