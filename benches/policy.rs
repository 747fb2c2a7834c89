//! The share of hunks that rules decide, and how many changes of meaning they let through, measured on the history of git repositories.
//!
//! `cargo bench --features syntax --bench policy -- [--commits=N] [--mutations=N] REPOSITORY...`. Every modified file of every commit is a proposal. Then each hunk that
//! a rule proved is changed in its meaning in one place at a time: another operator, another digit, a word less, another word, a blank
//! more in a text, a statement broken off, a comment that tools read. None of these may be proven.

#![allow(clippy::print_stdout, reason = "the figures are for people")]

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::sync::Arc;

use countersign::policy::{RULES, Rule, Rules, Verdict, judge};
use regex::Regex;

use history::{Edit, edits, repositories};

mod history;

/// Commits that are read of one repository, unless `--commits` names another number.
const COMMITS: usize = 1_500;
/// Number of mutations to try, unless `--mutations` names another one.
const MUTATIONS: usize = 100_000;
/// Comments that hold words and no sign by which a tool could know them.
const PROSE: &str = r"(//|#) [A-Z][A-Za-z0-9 ,.'`()]*";

/// A hunk that a rule proved: its file, and its lines in the new version.
struct Proven {
    edit: Arc<Edit>,
    rule: Rule,
    lines: Vec<usize>,
}

/// The number of hunks, the proven ones with their new lines, and why rules do not prove the others.
type Outcome = (usize, Vec<(Rule, Vec<usize>)>, Vec<(Rule, String)>);

/// Judges an edit: the rule of each hunk that one proves, with the new lines of the hunk.
fn proven(edit: &Edit, rules: &Rules) -> Outcome {
    let session = edit.session();
    let hunks = session.hunks().count();
    let (mut proven, mut reasons) = (Vec::new(), Vec::new());
    for judged in judge(&session, rules, &|path| Some(path.to_owned())) {
        match judged.verdict {
            Verdict::Proven(proof) => {
                let file = &session.files[judged.hunk.file];
                let hunk = judged.hunk.hunk;
                let lines = 0..file.hunks[hunk].state.lines.len();
                let lines = lines.filter(|&line| file.hunks[hunk].state.lines[line].adds.is_some());
                let lines = lines.filter_map(|line| file.new_line(hunk, line)).collect();
                proven.push((proof.rule, lines));
            }
            Verdict::Unproven(why) => reasons.extend(why),
            Verdict::Barred(_) => (),
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

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Rules {
        formatting: true,
        imports: true,
        comments: Some(Regex::new(&format!("^(?:{PROSE})$"))?),
        ..Rules::default()
    };
    let mut all_proven = Vec::new();
    for repository in repositories() {
        let (mut hunks, mut in_languages) = (0, 0);
        let mut counts: BTreeMap<Rule, usize> = BTreeMap::new();
        let mut reasons: BTreeMap<(Rule, String), usize> = BTreeMap::new();
        let edits = edits(&repository, number("--commits=", COMMITS))?;
        for edit in &edits {
            let (count, of_edit, why) = proven(edit, &rules);
            hunks += count;
            let is_known = [".rs", ".py", ".pyi", ".go"]
                .iter()
                .any(|end| edit.path.ends_with(end));
            in_languages += if is_known { count } else { 0 };
            for (rule, why) in why {
                // The reasons without their lines and tokens.
                let why: String = why
                    .split_once(": ")
                    .map_or(why.clone(), |(_, why)| why.to_owned());
                let why = if why.starts_with('`') {
                    "another token".to_owned()
                } else {
                    why
                };
                *reasons.entry((rule, why)).or_default() += 1;
            }
            let edit = Arc::new(edit.clone());
            for (rule, lines) in of_edit {
                *counts.entry(rule).or_default() += 1;
                all_proven.push(Proven {
                    edit: Arc::clone(&edit),
                    rule,
                    lines,
                });
            }
        }
        println!(
            "{}: {} modified files, {hunks} hunks, {in_languages} of them in files that are parsed",
            repository.display(),
            edits.len()
        );
        let sum: usize = counts.values().sum();
        for rule in RULES {
            let count = counts.get(&rule).copied().unwrap_or(0);
            println!(
                "  {:<12} {count:>6} hunks  {:5.1} % of all  {:5.1} % of those parsed",
                rule.name(),
                share(count, hunks),
                share(count, in_languages)
            );
        }
        println!(
            "  {:<12} {sum:>6} hunks  {:5.1} % of all  {:5.1} % of those parsed",
            "together",
            share(sum, hunks),
            share(sum, in_languages)
        );
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for ((rule, why), count) in reasons.iter().take(12) {
            println!("    {count:>6} not by {}: {why}", rule.name());
        }
    }
    mutate(&mut all_proven, &rules, number("--mutations=", MUTATIONS));
    Ok(())
}

/// Changes the meaning of proven hunks in one place at a time, those of the smallest files first, and counts what is proven still.
fn mutate(all: &mut [Proven], rules: &Rules, most: usize) {
    all.sort_by_key(|proven| proven.edit.after.len());
    let mut kinds: BTreeMap<(Rule, &str), usize> = BTreeMap::new();
    let (mut tried, mut wrong, mut hunks) = (0, 0, 0);
    for Proven { edit, rule, lines } in all.iter() {
        if tried >= most {
            break;
        }
        hunks += 1;
        for &number in lines {
            let Some(line) = edit.after.split('\n').nth(number) else {
                continue;
            };
            for (kind, mutated) in mutations(&edit.path, line) {
                let after = with_line(&edit.after, number, &mutated);
                let edit = Edit {
                    after,
                    ..edit.as_ref().clone()
                };
                let (_, proven, _) = proven(&edit, rules);
                tried += 1;
                *kinds.entry((*rule, kind)).or_default() += 1;
                if let Some((by, _)) = proven.iter().find(|(_, lines)| lines.contains(&number)) {
                    wrong += 1;
                    println!(
                        "WRONG by {}: {kind} in {}:\n  {line}\n  {mutated}",
                        by.name(),
                        edit.path
                    );
                }
            }
        }
    }
    println!(
        "mutations of {hunks} of {} decided hunks: {tried} tried, {wrong} decided falsely",
        all.len()
    );
    for ((rule, kind), count) in kinds {
        println!("  {count:>6} {kind}, in a hunk of {}", rule.name());
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share for people")]
fn share(part: usize, of: usize) -> f64 {
    if of == 0 {
        0.0
    } else {
        100.0 * part as f64 / of as f64
    }
}
