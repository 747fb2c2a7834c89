//! The share of hunks that rules decide, and how many changes of meaning they let through, measured on the history of git repositories.
//!
//! `cargo bench --features syntax --bench policy -- [--commits=N] [--mutations=N] [--undecided=N] REPOSITORY...`. Every modified file of
//! every commit is a proposal; `--undecided` prints so many hunks that no rule decides, spread evenly over all. The command of the rule `generated` is not run, because what it would have made then depends on a registry at that time:
//! hunks in lock files are counted by themselves. Then each hunk that a rule proved is changed in its meaning in one place at a time:
//! another operator, digit or word, a word or a line less, a line more, lines swapped, a blank more in a text, a statement broken off, a
//! comment that tools read; for `versions`, one that is lower, longer or the next; for `generated`, beside a command that makes what was proposed; for `paths`, the name leads elsewhere or too
//! many lines change. None of these may be decided.

#![allow(clippy::print_stdout, reason = "the figures are for people")]

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use countersign::policy::{FileFacts, Generated, RULES, Rule, RuleVerdict, Rules, judge};
use countersign::review::{HunkId, ReviewSession};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rayon::prelude::*;
use regex::Regex;

use history::{Edit, edits, repositories};

mod history;

/// Commits that are read of one repository, unless `--commits` names another number.
const COMMITS: usize = 1_500;
/// Number of mutations to try, unless `--mutations` names another one.
const MUTATIONS: usize = 100_000;
/// Comments that hold a sentence, or four words of one, and no sign by which a tool could know them; and those without a word.
const PROSE: &str = r#"(///?|//!|#)( ([A-Z][A-Za-z0-9 ,.;'"`()*?!–—-]*|[A-Za-z0-9'"`(]+[,.;)'"`]*( [A-Za-z0-9'"`(]+[,.;)'"`]*){3}[A-Za-z0-9 ,.;'"`()<>{}&*?!–—-]*):?)?"#;

/// Files that package managers make.
const LOCKS: [&str; 10] = [
    "Cargo.lock",
    "Gemfile.lock",
    "Pipfile.lock",
    "bun.lock",
    "composer.lock",
    "go.sum",
    "package-lock.json",
    "pnpm-lock.yaml",
    "poetry.lock",
    "uv.lock",
];
/// Files with the versions of packages.
const VERSIONS: [&str; 9] = [
    ".pre-commit-config.yaml",
    "Cargo.toml",
    "Gemfile",
    "go.mod",
    "package.json",
    "pom.xml",
    "pyproject.toml",
    "requirements*.txt",
    "setup.py",
];
/// Files of words that a person may let through by their names: also pages of manuals.
const WORDS: [&str; 4] = ["*.1", "*.adoc", "*.md", "*.rst"];
/// The most changed lines of such a file.
const MOST_LINES: usize = 200;

/// A hunk that a rule proved: its file, and its lines in the new version.
struct Proven {
    edit: Arc<Edit>,
    rule: Rule,
    lines: Vec<usize>,
    /// The first line of the old version that it concerns.
    at: usize,
}

/// A hunk that a rule proved: the rule, its lines in the new version, and the first line of the old version that it concerns.
type ByRule = (Rule, Vec<usize>, usize);

/// The judgement of one edit.
struct Outcome {
    hunks: usize,
    proven: Vec<ByRule>,
    /// The reasons why rules do not prove the others.
    reasons: Vec<(Rule, String)>,
    /// The others as text.
    undecided: Vec<String>,
}

/// The file that a name leads to, and what a command makes of it.
#[derive(Clone, Copy)]
struct World<'a> {
    leads_to: &'a str,
    made: &'a str,
}

/// Judges an edit.
fn proven(edit: &Edit, rules: &Rules, world: World<'_>) -> Outcome {
    let session = edit.session();
    let hunks = session.hunks().count();
    let (mut proven, mut reasons, mut undecided) = (Vec::new(), Vec::new(), Vec::new());
    let facts = FileFacts {
        real: &|_| Some(world.leads_to.to_owned()),
        made: &|_| Ok(world.made.as_bytes().into()),
    };
    for judged in judge(&session, rules, facts) {
        match judged.verdict {
            RuleVerdict::Proven(proof) => {
                let file = &session.files[judged.hunk.file];
                let hunk = judged.hunk.hunk;
                let lines = 0..file.hunks[hunk].state.lines.len();
                let lines = lines.filter(|&line| file.hunks[hunk].state.lines[line].adds.is_some());
                let lines = lines.filter_map(|line| file.new_line(hunk, line)).collect();
                proven.push((proof.rule, lines, file.hunks[hunk].first_line()));
            }
            RuleVerdict::Unproven(why) => {
                undecided.push(printed(&session, judged.hunk, &why));
                reasons.extend(why);
            }
            RuleVerdict::Barred(why) => {
                undecided.push(printed(&session, judged.hunk, &[]) + &format!("  barred: {why}\n"));
            }
        }
    }
    Outcome {
        hunks,
        proven,
        reasons,
        undecided,
    }
}

/// Returns a hunk as a diff without context, with the reasons of the rules.
fn printed(session: &ReviewSession, id: HunkId, why: &[(Rule, String)]) -> String {
    let file = &session.files[id.file];
    let hunk = &file.hunks[id.hunk];
    let mut text = format!("{}:{}\n", file.path, hunk.first_line() + 1);
    for line in hunk.state.lines.iter().filter(|line| line.removes) {
        let _ = writeln!(text, "-{}", file.base.line(line.at));
    }
    for line in hunk
        .state
        .lines
        .iter()
        .filter_map(|line| line.adds.as_deref())
    {
        let _ = writeln!(text, "+{line}");
    }
    for (rule, why) in why {
        let _ = writeln!(text, "  {}: {why}", rule.name());
    }
    text
}

fn extension(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default()
}

/// Returns a line with one change of meaning each, with the name of the change. Lines with comments are left out: a change of prose is
/// none of meaning.
fn mutations(path: &str, line: &str) -> Vec<(&'static str, String)> {
    let mark = comment_mark(path);
    let is_comment =
        line.contains(mark) || line.contains("/*") || line.trim_start().starts_with('*');
    // Where a text ends behind a backslash is not clear from one line.
    if is_comment || line.trim().is_empty() || line.contains('\\') {
        return Vec::new();
    }
    let mut all = Vec::new();
    let mut put = |name, from: usize, to: usize, text: &str| {
        all.push((name, format!("{}{text}{}", &line[..from], &line[to..])));
    };
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let chars: Vec<(usize, char)> = line.char_indices().collect();
    let mut is_text = false;
    for (i, &(at, c)) in chars.iter().enumerate() {
        let before = i.checked_sub(1).map(|i| chars[i].1);
        match c {
            '"' if before != Some('\\') => is_text = !is_text,
            '+' | '-' | '*' | '/' | '<' | '>' | '=' | '!' | '&' | '|' | '%' => {
                for other in ["+", "-", "*", "<", ">", "&", "|"] {
                    if !other.starts_with(c) {
                        put("operator", at, at + 1, other);
                    }
                }
            }
            '0'..='9' => {
                let digit = char::from(b'0' + (c as u8 - b'0' + 1) % 10);
                put("literal", at, at + 1, &digit.to_string());
            }
            _ => (),
        }
        let begins = is_word(c) && !before.is_some_and(is_word);
        if begins {
            let rest = &line[at..];
            let end = at + rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            put("word deleted", at, end, "");
            put("word changed", at, end, &format!("{}q", &line[at..end]));
        }
        if is_text && line[at + c.len_utf8()..].contains('"') {
            put("blank in a text", at + c.len_utf8(), at + c.len_utf8(), " ");
        }
    }
    if extension(path) != "rs"
        && let Some(at) = line.find("return ")
    {
        put("broken off", at, at + 7, "return\n");
    }
    put(
        "directive",
        line.len(),
        line.len(),
        &format!(" {mark} tool:ignore"),
    );
    put("tag", line.len(), line.len(), &format!(" {mark} nolint"));
    all
}

fn comment_mark(path: &str) -> &'static str {
    if matches!(extension(path), "py" | "pyi" | "toml" | "txt" | "yaml") {
        "#"
    } else {
        "//"
    }
}

/// Returns what a line that is a comment may become that tools, or a compiler, read.
fn comment_mutations(path: &str, line: &str) -> Vec<(&'static str, String)> {
    let mark = comment_mark(path);
    let (indent, comment) = line.split_at(line.len() - line.trim_start().len());
    let Some(words) = comment.strip_prefix(mark) else {
        return Vec::new();
    };
    let mut all: Vec<(&'static str, String)> = vec![
        (
            "comment that is a directive",
            format!("{indent}{mark} tool:ignore"),
        ),
        ("comment with a directive", format!("{line} tool: ignore")),
        ("comment that is a tag", format!("{indent}{mark} nolint")),
        ("comment with another", format!("{line} {mark} nolint")),
        (
            "comment that names a compiler",
            format!("{indent}{mark}go:noinline"),
        ),
    ];
    let words = words.trim_start_matches(['/', '!']).trim();
    if words.contains(char::is_alphanumeric) {
        all.push(("comment that is code", format!("{indent}{words}")));
    }
    if comment.starts_with("///") {
        all.push((
            "documentation of nothing",
            format!("{indent}//! Some words of it."),
        ));
        all.push((
            "documentation with an example",
            format!("{line}\n{indent}/// ```"),
        ));
        all.push((
            "documentation with an example",
            format!("{line}\n{indent}///     f();"),
        ));
    }
    all
}

/// Returns a line with versions that are not compatible with those before.
fn version_mutations(line: &str) -> Vec<(&'static str, String)> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let mut all = Vec::new();
    for (at, _) in line.match_indices('.') {
        let start = line[..at]
            .rfind(|c| !is_part(c))
            .map_or(0, |before| before + 1);
        let number = line[start..at].parse::<u64>();
        if let Ok(first) = number {
            let (before, after) = (&line[..start], &line[at..]);
            all.push(("next version", format!("{before}{}{after}", first + 1)));
            all.push(("longer version", format!("{before}{first}.0{after}")));
        }
    }
    all
}

/// Returns a file with one of its lines replaced.
fn with_line(text: &str, number: usize, line: &str) -> String {
    let lines = text.split('\n').enumerate();
    let lines: Vec<&str> = lines
        .map(|(at, own)| if at == number { line } else { own })
        .collect();
    lines.join("\n")
}

/// Returns the number in an argument.
fn number(name: &str, otherwise: usize) -> usize {
    let argument = env::args().find_map(|arg| arg.strip_prefix(name)?.parse().ok());
    argument.unwrap_or(otherwise)
}

/// Returns a file with one change of its lines each, with the name of the change and the lines that it concerns.
fn line_mutations(edit: &Edit, rule: Rule, lines: &[usize]) -> Vec<(&'static str, usize, String)> {
    let all: Vec<&str> = edit.after.split('\n').collect();
    let joined = |lines: Vec<&str>| lines.join("\n");
    // A line without a word may be blank, or a comma that is not needed.
    let is_telling = |at: usize| {
        let line = all.get(at).copied().unwrap_or_default();
        !mutations(&edit.path, line).is_empty() && line.contains(char::is_alphanumeric)
    };
    let mut mutated = Vec::new();
    for &at in lines.iter().filter(|at| is_telling(**at)) {
        let mut less = all.clone();
        less.remove(at);
        mutated.push(("line deleted", at, joined(less)));
        let mut twice = all.clone();
        twice.insert(at, all[at]);
        mutated.push(("line doubled", at, joined(twice)));
        let indent = &all[at][..all[at].len() - all[at].trim_start().len()];
        let added = format!(
            "{indent}{}",
            if extension(&edit.path) == "py" {
                "q()"
            } else {
                "q();"
            }
        );
        let mut more = all.clone();
        more.insert(at, &added);
        mutated.push(("line added", at, joined(more)));
        // Imports and items may be in any order.
        let is_swapped = is_telling(at + 1) && lines.contains(&(at + 1)) && all[at] != all[at + 1];
        if is_swapped && !matches!(rule, Rule::Imports | Rule::Moves) {
            let mut swapped = all.clone();
            swapped.swap(at, at + 1);
            mutated.push(("lines swapped", at, joined(swapped)));
        }
    }
    mutated
}

/// Returns a file in which new tests are no tests, or reach beyond themselves, or something beside them changes, with the name of the change
/// and the line that it concerns.
fn test_mutations(edit: &Edit, lines: &[usize]) -> Vec<(&'static str, usize, String)> {
    let all: Vec<&str> = edit.after.split('\n').collect();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let known = edit.before.split(|c| !is_word(c));
    let known = known
        .into_iter()
        .find(|word| word.len() > 3 && word.starts_with(char::is_alphabetic));
    let mut mutated = Vec::new();
    let mut put = |kind: &'static str, at: usize, line: String| {
        mutated.push((kind, at, with_line(&edit.after, at, &line)));
    };
    for &at in lines {
        let line = all.get(at).copied().unwrap_or_default();
        if line.trim() == "#[test]" {
            put("no test", at, line.replace("#[test]", ""));
            put("test of a macro", at, line.replace("test", "tokio::test"));
            put("another macro", at, format!("{line}\n#[case(1)]"));
        }
        let name = ["fn ", "func "].iter().find_map(|mark| {
            let rest = line.trim_start().strip_prefix(mark)?;
            rest.split(|c| !is_word(c)).next()
        });
        // A function of another name is one in a text of the test.
        let is_test = |name: &&str| !line.starts_with("func ") || name.starts_with("Test");
        let name = name.filter(|_| line.trim_end().ends_with('{'));
        let Some(name) = name.filter(is_test) else {
            continue;
        };
        if let Some(known) = known {
            put("known name", at, line.replace(name, known));
        }
        if line.trim_start().starts_with("func ") {
            put("no test", at, line.replace(name, "helper"));
            put("test that runs all", at, line.replace(name, "TestMain"));
            for directive in ["//go:generate x", "//line a.go:1", "/*line a.go:1*/"] {
                put("test with a directive", at, format!("{directive}\n{line}"));
                put("test with a directive", at, format!("{line}\n{directive}"));
            }
        } else {
            for beyond in [
                "impl A for B {}",
                "use a::b;",
                "a!();",
                "println!(\"{}\", b!());",
                "mod a {}",
            ] {
                put("something beyond the test", at, format!("{line}\n{beyond}"));
            }
        }
    }
    // An attribute or a comment above the added lines is that of the new test, where a diff begins below it.
    let is_of_test = |at: &usize| {
        let line = all.get(*at).map_or("", |line| line.trim_start());
        line.starts_with("#[") || line.starts_with("//")
    };
    let above = lines.first().and_then(|first| first.checked_sub(1));
    let above = above.filter(|at| !is_of_test(at));
    let below = lines.last().map(|last| last + 1);
    for at in [above, below].into_iter().flatten() {
        let line = all.get(at).copied().unwrap_or_default();
        for (_, line) in mutations(&edit.path, line) {
            put("another line", at, line);
        }
    }
    mutated
}

/// Returns an edit that adds nothing but a blank in some lines of a file, and the other way round.
fn neutral(edit: &Edit) -> Edit {
    let mut since = 0;
    let blank = |line: &str| {
        since += 1;
        if since < 9 || !line.contains(", ") || line.contains(['"', '\'', '#', '/', '!']) {
            return line.to_owned();
        }
        since = 0;
        line.replacen(", ", ",  ", 1)
    };
    let before: Vec<String> = edit.after.split('\n').map(blank).collect();
    Edit {
        before: before.join("\n"),
        ..edit.clone()
    }
}

fn patterns(lines: &[&str]) -> Result<Gitignore, ignore::Error> {
    let mut builder = GitignoreBuilder::new("");
    for line in lines {
        builder.add_line(None, line)?;
    }
    builder.build()
}

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Rules {
        formatting: true,
        imports: true,
        comments: Some(Regex::new(&format!("^(?:{PROSE})$"))?),
        moves: true,
        tests: true,
        generated: Some(Generated {
            files: patterns(&LOCKS)?,
            from: Gitignore::empty(),
            command: "lock".to_owned(),
        }),
        versions: Some(patterns(&VERSIONS)?),
        paths: Some(patterns(&WORDS)?),
        most_lines: MOST_LINES,
    };
    let (mut all_proven, mut neutral_edits, mut undecided) = (Vec::new(), Vec::new(), Vec::new());
    let mut totals = Tally::default();
    for repository in repositories() {
        let edits = edits(&repository, number("--commits=", COMMITS))?;
        let mut tally = Tally::default();
        let judged: Vec<Outcome> = edits
            .par_iter()
            .map(|edit| proven(edit, &rules, of_itself(edit)))
            .collect();
        for (edit, outcome) in edits.iter().zip(judged) {
            let of_edit = outcome.proven;
            tally.add(edit, outcome.hunks, &of_edit, outcome.reasons);
            undecided.extend(outcome.undecided);
            let edit = Arc::new(edit.clone());
            all_proven.extend(of_edit.into_iter().map(|(rule, lines, at)| Proven {
                edit: Arc::clone(&edit),
                rule,
                lines,
                at,
            }));
        }
        let parsed = edits.iter().filter(|edit| is_parsed(&edit.path));
        neutral_edits.extend(parsed.map(neutral));
        println!("{}: {} modified files", repository.display(), edits.len());
        tally.print();
        totals.join(tally);
    }
    println!("all repositories");
    totals.print();
    let wanted = number("--undecided=", 0);
    for text in (undecided.iter())
        .step_by((undecided.len() / wanted.max(1)).max(1))
        .take(wanted)
    {
        println!("{text}");
    }
    let most = number("--mutations=", MUTATIONS);
    let tried = mutate("decided hunks", all_proven, &rules, most);
    neutral_edits.sort_by_key(|edit| edit.after.len());
    let mut neutral_proven = Vec::new();
    for edit in neutral_edits {
        let proven = proven(&edit, &rules, of_itself(&edit)).proven;
        let edit = Arc::new(edit);
        neutral_proven.extend(proven.into_iter().map(|(rule, lines, at)| Proven {
            edit: Arc::clone(&edit),
            rule,
            lines,
            at,
        }));
        // Each has more than ten mutations.
        if neutral_proven.len() * 10 > most - tried {
            break;
        }
    }
    let rest = most - tried;
    let more = mutate(
        "hunks that add or remove a blank",
        neutral_proven,
        &rules,
        rest,
    );
    println!("{} mutations tried", tried + more);
    Ok(())
}

/// Returns a world in which a name leads to itself, and the command makes what was proposed.
fn of_itself(edit: &Edit) -> World<'_> {
    World {
        leads_to: &edit.path,
        made: &edit.after,
    }
}

fn is_parsed(path: &str) -> bool {
    matches!(extension(path), "rs" | "py" | "pyi" | "go")
}

/// Counts of hunks.
#[derive(Default)]
struct Tally {
    hunks: usize,
    parsed: usize,
    by_rule: BTreeMap<Rule, usize>,
    reasons: BTreeMap<(Rule, String), usize>,
}

impl Tally {
    fn add(&mut self, edit: &Edit, count: usize, proven: &[ByRule], why: Vec<(Rule, String)>) {
        self.hunks += count;
        self.parsed += if is_parsed(&edit.path) { count } else { 0 };
        for (rule, ..) in proven {
            *self.by_rule.entry(*rule).or_default() += 1;
        }
        for (rule, why) in why.into_iter().filter(|_| is_parsed(&edit.path)) {
            // The reasons without their lines and tokens.
            let why: String = why
                .split_once(": ")
                .map_or(why.clone(), |(_, why)| why.to_owned());
            let why = if why.starts_with('`') {
                "another token".to_owned()
            } else {
                why
            };
            *self.reasons.entry((rule, why)).or_default() += 1;
        }
    }

    fn join(&mut self, other: Self) {
        self.hunks += other.hunks;
        self.parsed += other.parsed;
        for (rule, count) in other.by_rule {
            *self.by_rule.entry(rule).or_default() += count;
        }
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
    }

    fn print(&self) {
        let (hunks, parsed) = (self.hunks, self.parsed);
        println!("  {hunks} hunks, {parsed} of them in files that are parsed");
        let of = |rule: Rule| self.by_rule.get(&rule).copied().unwrap_or(0);
        let line = |name: &str, count: usize, note: &str| {
            println!(
                "  {name:<24} {count:>6} hunks  {:5.1} %{note}",
                share(count, hunks)
            );
        };
        for rule in RULES {
            let note = match rule {
                Rule::Generated => "  if the command makes them: lock files",
                Rule::Versions => "  by permission: versions that rise",
                Rule::Paths => "  by permission: files of words",
                Rule::Tests => "  by permission: new tests",
                Rule::Formatting | Rule::Imports | Rule::Comments | Rule::Moves => "",
            };
            line(rule.name(), of(rule), note);
        }
        let by_syntax = (RULES.into_iter())
            .filter(|rule| {
                !matches!(
                    rule,
                    Rule::Tests | Rule::Generated | Rule::Versions | Rule::Paths
                )
            })
            .map(of)
            .sum();
        line("by syntax", by_syntax, "");
        let permitted = of(Rule::Tests) + of(Rule::Versions) + of(Rule::Paths);
        line("by syntax and permission", by_syntax + permitted, "");
        line("all, with lock files", self.by_rule.values().sum(), "");
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for ((rule, why), count) in reasons.into_iter().take(12) {
            println!("    {count:>6} not by {}: {why}", rule.name());
        }
    }
}

/// Changes the meaning of proven hunks in one place at a time, those of the smallest files first, and counts what is proven still.
/// Every rule gets the same number of mutations, if it has as many. Returns the number of mutations.
fn mutate(name: &str, mut all: Vec<Proven>, rules: &Rules, most: usize) -> usize {
    all.sort_by_key(|proven| proven.edit.after.len());
    let mut by_rule: BTreeMap<Rule, Vec<&Proven>> = BTreeMap::new();
    for proven in &all {
        by_rule.entry(proven.rule).or_default().push(proven);
    }
    let mut rules_left: Vec<(Rule, Vec<&Proven>)> = by_rule.into_iter().collect();
    rules_left.sort_by_key(|(_, proven)| proven.len());
    let (mut tried, mut wrong) = (0, 0);
    let mut kinds: BTreeMap<(Rule, &str), usize> = BTreeMap::new();
    let count = rules_left.len();
    for (at, (_, proven)) in rules_left.into_iter().enumerate() {
        let budget = AtomicUsize::new((most - tried) / (count - at));
        let outcomes: Vec<_> = proven
            .par_iter()
            .map(|proven| mutate_one(proven, rules, &budget))
            .collect();
        for (kind, is_wrong) in outcomes.into_iter().flatten() {
            tried += 1;
            wrong += usize::from(is_wrong);
            *kinds.entry(kind).or_default() += 1;
        }
    }
    println!(
        "mutations of {} {name}: {tried} tried, {wrong} decided falsely",
        all.len()
    );
    for ((rule, kind), count) in kinds {
        println!("  {count:>6} {kind}, in a hunk of {}", rule.name());
    }
    tried
}

/// A mutation: the rule and the kind, and whether it was decided.
type Tried = ((Rule, &'static str), bool);

fn mutate_one(own: &Proven, rules: &Rules, budget: &AtomicUsize) -> Vec<Tried> {
    let Proven {
        edit,
        rule,
        lines,
        at,
    } = own;
    // What a permission lets through is no proof.
    let permits = *rule == Rule::Paths;
    let rules = Rules {
        paths: rules.paths.clone().filter(|_| permits),
        ..rules.clone()
    };
    let mut tried = Vec::new();
    let mut attempt =
        |kind: &'static str, edit: &Edit, world: World<'_>, is_own: &dyn Fn(&ByRule) -> bool| {
            let spend = |left: usize| left.checked_sub(1);
            if budget
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend)
                .is_err()
            {
                return;
            }
            let proven = proven(edit, &rules, world).proven;
            // Imports in another order mean the same, in a hunk of any rule.
            let means_the_same = |by: Rule| matches!((kind, by), ("lines swapped", Rule::Imports));
            let mut found = proven.iter().filter(|found| is_own(found));
            let found = found.find(|(by, ..)| !means_the_same(*by));
            if let Some((by, ..)) = found {
                println!(
                    "WRONG by {}: {kind} in {}\n{}",
                    by.name(),
                    edit.path,
                    edit.after
                );
            }
            tried.push(((*rule, kind), found.is_some()));
        };
    if permits {
        let elsewhere = World {
            leads_to: "src/main.rs",
            ..of_itself(edit)
        };
        attempt("leads elsewhere", edit, elsewhere, &|_| true);
        let after = format!("{}{}", "more\n".repeat(MOST_LINES), edit.after);
        let long = Edit {
            after,
            ..edit.as_ref().clone()
        };
        attempt("too many lines", &long, of_itself(&long), &|_| true);
        return tried;
    }
    if *rule == Rule::Versions {
        let back = Edit {
            before: edit.after.clone(),
            after: edit.before.clone(),
            ..edit.as_ref().clone()
        };
        let is_own = |(_, _, first): &ByRule| lines.first() == Some(first);
        attempt("lower version", &back, of_itself(&back), &is_own);
    }
    let mut texts = match rule {
        Rule::Tests => test_mutations(edit, lines),
        Rule::Formatting
        | Rule::Imports
        | Rule::Comments
        | Rule::Moves
        | Rule::Generated
        | Rule::Versions
        | Rule::Paths => line_mutations(edit, *rule, lines),
    };
    // What a test does is left to the person.
    let inside = lines.iter().filter(|_| *rule != Rule::Tests);
    for &number in inside {
        let line = edit.after.split('\n').nth(number).unwrap_or_default();
        let mut mutated = mutations(&edit.path, line);
        match rule {
            Rule::Comments => mutated.extend(comment_mutations(&edit.path, line)),
            Rule::Versions => {
                // Another digit may be another version that is compatible.
                mutated.retain(|(kind, _)| *kind != "literal");
                mutated.extend(version_mutations(line));
            }
            Rule::Formatting
            | Rule::Imports
            | Rule::Moves
            | Rule::Tests
            | Rule::Generated
            | Rule::Paths => (),
        }
        let mutated = mutated.into_iter();
        texts.extend(
            mutated.map(|(kind, line)| (kind, number, with_line(&edit.after, number, &line))),
        );
    }
    for (kind, number, after) in texts {
        let mutated = Edit {
            after,
            ..edit.as_ref().clone()
        };
        // The command still makes what was proposed before.
        attempt(kind, &mutated, of_itself(edit), &|(_, lines, first)| {
            lines.contains(&number) || lines.is_empty() && first == at
        });
    }
    tried
}

#[expect(clippy::cast_precision_loss, reason = "a share for people")]
fn share(part: usize, of: usize) -> f64 {
    if of == 0 {
        0.0
    } else {
        100.0 * part as f64 / of as f64
    }
}
