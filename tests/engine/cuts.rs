//! Inputs that end too early: an edit that is not whole is never written unasked, and no edit is dropped without a word.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::thread;

use countersign::dialect::{Options, Parsed, Turns, named, parse};
use countersign::locate::Tolerance;
use countersign::proposal::{Body, FileChange, Hunk};
use countersign::review::{Decision, Target};

use crate::engine::{Tree, accept_all, review_changes, written};

/// An example of `tests/formats`.
struct Whole {
    name: String,
    text: String,
    before: Tree,
    /// The files after all of it.
    after: Tree,
    options: Options,
    /// The changes that it states.
    files: Vec<FileChange>,
    /// The same, as [`edits`] tells them apart.
    edits: BTreeSet<String>,
}

/// Examples whose last lines take back or change what the lines above ask for: calls that were denied, turns that are left out,
/// patches of a series that rename a file or remove it again, and a second fence for a file.
const TAKEN_BACK: &[&str] = &[
    "070_claude",
    "071_claude",
    "072_codex",
    "074_gemini",
    "076_aider",
    "078_swe",
    "091_openhands",
    "093_claude",
    "095_last",
    "140_heredoc",
    "170_session",
    "187_unknown",
    "294_a_tag",
    "316_a_series",
    "317_a_series",
    "328_an_edit",
    "275_ai_sdk",
    "276_cline",
    "277_roo",
    "393_claude",
    "394_codex",
    "396_two",
    "646_the",
];

/// The most bytes of an example; a longer one would make the test slow.
const MOST_BYTES: usize = 6_000;

/// Every example with an edit in it.
fn examples() -> Vec<Whole> {
    let folders = ["tests/formats", "tests/scenarios"];
    let folders = folders.map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let entries = folders
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut examples: Vec<Whole> = entries
        .filter_map(|entry| example(&entry.unwrap().path()))
        .chain(open_examples())
        .collect();
    examples.sort_by(|a, b| a.name.cmp(&b.name));
    examples
}

/// Edits without counts or end markers, of the file `f`, which has the lines from `one` to `nine`.
const OPEN: &[&str] = &[
    "--- a/f\n+++ b/f\n@@\n one\n-two\n+another two\n three\n@@ five\n six\n-seven\n+another seven\n",
    "--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n one\n-two\n+another two\n three\n four\n-five\n+another five\n six\n seven\n eight\n nine\n",
    "--- /dev/null\n+++ b/n\n@@\n+the first line\n+the second line\n",
    "```diff\n--- a/f\n+++ b/f\n@@ @@\n one\n-two\n+another two\n```\n",
    "> --- a/f\n> +++ b/f\n> @@\n>  one\n> -two\n> +another two\n",
    "git apply <<'EOF'\n--- a/f\n+++ b/f\n@@\n one\n-two\n+another two\nEOF\n",
    "cat > n <<'EOF'\nthe first line\nthe second line\nEOF\n",
    "*** Begin Patch\n*** Update File: f\n@@\n one\n-two\n+another two\n*** End Patch\n",
    "f\n<<<<<<< SEARCH\ntwo\n=======\nanother two\nand more\n>>>>>>> REPLACE\n",
    "f\n```\none\nanother two\nthree\nfour\nfive\nsix\nseven\neight\nnine\n```\n",
    "f:2-3\n```suggestion\nanother two\nanother three\n```\n",
    "<invoke name=\"Write\">\n<parameter name=\"file_path\">n</parameter>\n<parameter name=\"content\">the first line\nthe second line\n</parameter>\n</invoke>\n",
];

fn open_examples() -> impl Iterator<Item = Whole> {
    let lines = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";
    let before = Tree::from([("f".to_owned(), lines.as_bytes().to_vec())]);
    OPEN.iter().map(move |text| {
        let (name, text) = (text.lines().next().unwrap_or_default(), (*text).to_owned());
        Whole::new(name.to_owned(), text, before.clone(), Options::default())
    })
}

fn example(folder: &Path) -> Option<Whole> {
    let is_input = |name: &str| name == "input" || name.starts_with("edit.");
    let mut entries = fs::read_dir(folder)
        .ok()?
        .map(|entry| entry.unwrap().path());
    let input = entries.find(|path| is_input(&path.file_name().unwrap().to_string_lossy()))?;
    let text = fs::read_to_string(input).ok()?;
    if text.len() > MOST_BYTES {
        return None;
    }
    let mut before = Tree::new();
    collect(&folder.join("before"), "", &mut before);
    let said = ["options", "run"].map(|name| fs::read_to_string(folder.join(name)));
    let said = said.into_iter().flatten().collect::<String>();
    let mut words = said.split_whitespace();
    let mut options = Options::default();
    while let Some(word) = words.next() {
        match word {
            "--path" => options.path = words.next().map(str::to_owned),
            "--format" => options.dialect = named(words.next()?),
            "--last" => options.turns = Turns::Last,
            _ => (),
        }
    }
    let name = folder.file_name()?.to_string_lossy().into_owned();
    if TAKEN_BACK.iter().any(|number| name.starts_with(number)) {
        return None;
    }
    Some(Whole::new(name, text, before, options))
}

impl Whole {
    fn new(name: String, text: String, before: Tree, options: Options) -> Self {
        let files = parse(&text, &options).proposal.files;
        let edits = files.iter().flat_map(edits).collect();
        let mut session = review_changes(&before, files.clone(), Tolerance::default());
        accept_all(&mut session);
        let after = written(&before, &session).unwrap_or_default();
        Self {
            name,
            text,
            before,
            after,
            options,
            files,
            edits,
        }
    }
}

fn collect(folder: &Path, prefix: &str, tree: &mut Tree) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), tree);
        } else if path.exists() {
            tree.insert(format!("{prefix}{name}"), fs::read(&path).unwrap());
        }
    }
}

/// The edits of a file change, each as a text that is equal only for equal ones.
fn edits(change: &FileChange) -> Vec<String> {
    let edit = |body: Option<&Body>| {
        let changed = body.map(changed);
        format!("{} {:?} {changed:?}", change.path, change.operation)
    };
    if change.hunks.is_empty() {
        vec![edit(None)]
    } else {
        let hunks = change.hunks.iter();
        hunks.map(|hunk| edit(Some(&hunk.body))).collect()
    }
}

/// The lines of both halves without the context around them.
fn changed(body: &Body) -> (&[String], &[String]) {
    let (old, new) = (&body.preimage, &body.postimage);
    let same = |(old, new): &(&String, &String)| old == new;
    let above = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[above..], &new[above..]);
    let below = (old.iter().rev().zip(new.iter().rev()))
        .take_while(same)
        .count();
    (&old[..old.len() - below], &new[..new.len() - below])
}

/// Returns true if a text has all lines that the last hunk of its diff counts: then its last line is taken for whole.
fn is_counted(whole: &Whole, end: usize) -> bool {
    let rest = &whole.text[end..];
    let line = rest.find('\n').unwrap_or(rest.len());
    let line = &whole.text[..end + line];
    let files = |text: &str| parse(text, &whole.options).proposal.files;
    let last = |files: &[FileChange]| files.last()?.hunks.last().cloned();
    let is_known = |file: &FileChange| edits(file).iter().all(|edit| whole.edits.contains(edit));
    let ways = [line, line.trim_end_matches('\r')];
    let full = ways
        .map(files)
        .into_iter()
        .find(|files| files.iter().all(is_known));
    let (cut, Some(full)) = (files(&whole.text[..end]), full) else {
        return false;
    };
    let mut headers = whole.text[..end].lines().rev();
    let header = headers.find_map(|line| line.trim_start_matches(['>', ' ']).strip_prefix("@@"));
    let is_unified = cut.last().is_some_and(|file| file.dialect == "unified");
    let has_counts = !is_unified || header.is_some_and(|header| header.starts_with(" -"));
    last(&cut).zip(last(&full)).is_some_and(|(cut, full)| {
        has_counts && cut.miscount.is_none() && cut.body.counts() == full.body.counts()
    })
}

/// Returns what is wrong about an example of which only the beginning is there.
fn fault(whole: &Whole, end: usize) -> Option<String> {
    let text = &whole.text[..end];
    let parsed = parse(text, &whole.options);
    let mut others = parsed.proposal.files.clone();
    for change in &mut others {
        let own = change.clone();
        change.hunks.retain(|hunk| {
            let alone = FileChange {
                hunks: vec![hunk.clone()],
                ..own.clone()
            };
            edits(&alone).iter().all(|edit| whole.edits.contains(edit))
        });
    }
    others.retain(|change| edits(change).iter().all(|edit| whole.edits.contains(edit)));
    let unasked = |files: Vec<FileChange>| {
        let mut session = review_changes(&whole.before, files, Tolerance::default());
        session.decide(&Target::Rest, Decision::Accepted);
        (written(&whole.before, &session), session)
    };
    if others == parsed.proposal.files || is_counted(whole, end) {
        return None;
    }
    let (all, session) = unasked(parsed.proposal.files.clone());
    let (known, _) = unasked(others);
    let (all, known) = (all.unwrap_or_default(), known.unwrap_or_default());
    let is_known = |(name, text): (&String, &Vec<u8>)| {
        [&whole.before, &known, &whole.after]
            .iter()
            .any(|tree| tree.get(name) == Some(text))
    };
    let is_wrong = !all.iter().all(is_known);
    is_wrong.then(|| {
        let mut said = String::new();
        let _ = writeln!(
            said,
            "{} cut at {end}: ...{:?}",
            whole.name,
            &text[text.floor_char_boundary(end.saturating_sub(60))..]
        );
        for (_, hunk) in session.hunks() {
            let _ = writeln!(said, "   {} {:?}", hunk.dialect, hunk.outcome);
        }
        for problem in &parsed.problems {
            let _ = writeln!(said, "   problem {problem}");
        }
        said
    })
}

/// Returns true for a hunk about which something is said.
fn is_remarked(hunk: &Hunk) -> bool {
    hunk.guess.is_some() || hunk.miscount.is_some()
}

/// Returns the edit of which there is only a part and about which nothing is said.
fn dropped(whole: &Whole, end: usize) -> Option<String> {
    let text = &whole.text[..end];
    let Parsed {
        proposal, problems, ..
    } = parse(text, &whole.options);
    let read = || proposal.files.iter().flat_map(|file| &file.hunks);
    if !problems.is_empty() || read().count() == 0 || read().any(is_remarked) {
        return None;
    }
    let line = text.lines().count();
    let last = text.lines().last().unwrap_or_default().trim();
    let is_begun = |hunk: &&Hunk| {
        let (first, last_line) = (hunk.span.first.get(), hunk.span.last.get());
        let is_read = read().any(|read| read.span.first == hunk.span.first);
        (first < line || first == line && last.len() > 2) && line <= last_line && !is_read
    };
    // The commands of these have nothing but numbers.
    let is_numbers = |file: &&FileChange| matches!(file.dialect, "normal" | "ed" | "rcs");
    let files = whole.files.iter().filter(|file| !is_numbers(file));
    let mut hunks = files.flat_map(|file| &file.hunks);
    let edit = hunks.find(is_begun)?;
    let beginning = &text[text.floor_char_boundary(end.saturating_sub(60))..];
    Some(format!(
        "{} cut at {end}: the edit from line {} on is dropped: ...{beginning:?}\n",
        whole.name, edit.span.first
    ))
}

/// Returns where an example is cut off: at each end of a line, and within the first bytes of the next, where a line is not yet known for
/// what it is.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let starts = text.match_indices('\n').map(|(at, _)| at + 1);
    let starts = std::iter::once(0).chain(starts);
    let ends = starts.flat_map(|start| [start.saturating_sub(1), start, start + 1, start + 3]);
    ends.map(|end| text.floor_char_boundary(end.min(text.len())))
}

#[test]
fn an_edit_that_is_cut_off_is_neither_written_unasked_nor_dropped() {
    let examples = examples();
    let (even, odd): (Vec<_>, Vec<_>) =
        (examples.iter().enumerate()).partition(|(at, _)| at % 2 == 0);
    let check = |examples: Vec<(usize, &Whole)>| {
        for (_, whole) in examples {
            for end in ends(&whole.text) {
                let found = fault(whole, end).or_else(|| dropped(whole, end));
                assert!(found.is_none(), "{}", found.unwrap_or_default());
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| check(even));
        check(odd);
    });
}
