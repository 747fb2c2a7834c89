//! The share of hunks that rules decide, and how many changes of meaning they let through, measured on the history of git repositories.
//!
//! `cargo bench --features syntax --bench policy -- [--commits=N] [--mutations=N] REPOSITORY...`. Every modified file of every commit is a
//! proposal. The command of the rule `generated` is not run, because what it would have made then depends on a registry at that time:
//! hunks in lock files are counted by themselves. Then each hunk that a rule proved is changed in its meaning in one place at a time:
//! another operator, digit or word, a word or a line less, a line more, lines swapped, a blank more in a text, a statement broken off, a
//! comment that tools read; for `generated`, beside a command that makes what was proposed; for `paths`, the name leads elsewhere or too
//! many lines change. None of these may be decided.

#![allow(clippy::print_stdout, reason = "the figures are for people")]

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use countersign::policy::{FileFacts, Generated, RULES, Rule, RuleVerdict, Rules, judge};
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rayon::prelude::*;
use regex::Regex;

use history::{Edit, edits, repositories};

mod history;

/// Commits that are read of one repository, unless `--commits` names another number.
const COMMITS: usize = 1_500;
/// Number of mutations to try, unless `--mutations` names another one.
const MUTATIONS: usize = 100_000;
/// Comments that hold a sentence, or four words of one, and no sign by which a tool could know them.
const PROSE: &str =
    r"(//|#) ([A-Z][A-Za-z0-9 ,.'`()]*|[a-z0-9'`(]+[,.)'`]*( [A-Za-z0-9'`(]+[,.)'`]*){3,})";

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
/// Files of words that a person may let through by their names.
const WORDS: [&str; 3] = ["*.adoc", "*.md", "*.rst"];
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

/// The number of hunks, the proven ones, and why rules do not prove the others.
type Outcome = (usize, Vec<ByRule>, Vec<(Rule, String)>);

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
    let (mut proven, mut reasons) = (Vec::new(), Vec::new());
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
            RuleVerdict::Unproven(why) => reasons.extend(why),
            RuleVerdict::Barred(_) => (),
        }
    }
    (hunks, proven, reasons)
}

fn extension(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default()
}

/// Returns a line with one change of meaning each, with the name of the change. Lines with comments are left out: a change of prose is
/// none of meaning.
fn mutations(path: &str, line: &str) -> Vec<(&'static str, String)> {
    let mark = if matches!(extension(path), "py" | "pyi") {
        "#"
    } else {
        "//"
    };
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
        generated: Some(Generated {
            files: patterns(&LOCKS)?,
            from: Gitignore::empty(),
            command: "lock".to_owned(),
        }),
        paths: Some(patterns(&WORDS)?),
        most_lines: MOST_LINES,
    };
    let (mut all_proven, mut neutral_edits) = (Vec::new(), Vec::new());
    let mut totals = Tally::default();
    for repository in repositories() {
        let edits = edits(&repository, number("--commits=", COMMITS))?;
        let mut tally = Tally::default();
        let judged: Vec<Outcome> = edits
            .par_iter()
            .map(|edit| proven(edit, &rules, of_itself(edit)))
            .collect();
        for (edit, (count, of_edit, why)) in edits.iter().zip(judged) {
            tally.add(edit, count, &of_edit, why);
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
    let most = number("--mutations=", MUTATIONS);
    let tried = mutate("decided hunks", all_proven, &rules, most);
    neutral_edits.sort_by_key(|edit| edit.after.len());
    let mut neutral_proven = Vec::new();
    for edit in neutral_edits {
        let (_, proven, _) = proven(&edit, &rules, of_itself(&edit));
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
                Rule::Paths => "  by permission: files of words",
                Rule::Formatting | Rule::Imports | Rule::Comments | Rule::Moves => "",
            };
            line(rule.name(), of(rule), note);
        }
        let by_syntax = (RULES.into_iter())
            .filter(|rule| !matches!(rule, Rule::Generated | Rule::Paths))
            .map(of)
            .sum();
        line("by syntax", by_syntax, "");
        line("by syntax and paths", by_syntax + of(Rule::Paths), "");
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
            let (_, proven, _) = proven(edit, &rules, world);
            let found = proven.iter().find(|found| is_own(found));
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
    let mut texts = line_mutations(edit, *rule, lines);
    for &number in lines {
        let line = edit.after.split('\n').nth(number).unwrap_or_default();
        let mutated = mutations(&edit.path, line).into_iter();
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
