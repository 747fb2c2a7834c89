//! How fast every dialect is read: a megabyte of edits, by name and unnamed.

#![allow(missing_docs, reason = "the macros make functions without")]

mod sample;

use std::hint::black_box;
use std::time::Duration;

use countersign::dialect::{DIALECTS, Dialect, Options, parse};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const MEGABYTE: usize = 1 << 20;

/// The n-th edit in a dialect: ten lines, of which one changes.
fn edit(dialect: &str, n: usize) -> String {
    let old: Vec<String> = (10 * n..10 * n + 10).map(sample::line).collect();
    let mut new = old.clone();
    "    countersigned();".clone_into(&mut new[5]);
    let (search, replace) = (old.join("\n"), new.join("\n"));
    let block = format!("<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n");
    let signed = |sign: &str, lines: &[String]| {
        let signed = lines.iter().map(|line| format!("{sign}{line}\n"));
        signed.collect::<String>()
    };
    let middle = signed("-", &old[5..6]) + &signed("+", &new[5..6]);
    let body = signed(" ", &old[..5]) + &middle + &signed(" ", &old[6..]);
    let (line, last) = (10 * n + 1, 10 * n + 10);
    match dialect {
        "tool-call" => {
            let call = serde_json::json!({
                "file_path": format!("src/f{n}.rs"),
                "old_string": search,
                "new_string": replace,
            });
            format!("{call}\n")
        }
        "roo-xml" => format!(
            "<apply_diff>\n<path>src/f{n}.rs</path>\n<diff>\n{block}</diff>\n</apply_diff>\n"
        ),
        "envelope" => {
            format!("*** Begin Patch\n*** Update File: src/f{n}.rs\n@@\n{body}*** End Patch\n")
        }
        "unified" => {
            format!("--- a/src/f{n}.rs\n+++ b/src/f{n}.rs\n@@ -{line},10 +{line},10 @@\n{body}")
        }
        "context" => {
            let half = |lines: &[String]| {
                signed("  ", &lines[..5]) + &signed("! ", &lines[5..6]) + &signed("  ", &lines[6..])
            };
            format!(
                "*** src/f{n}.rs\n--- src/f{n}.rs\n***************\n*** {line},{last} ****\n{}--- {line},{last} ----\n{}",
                half(&old),
                half(&new)
            )
        }
        "normal" => format!("{line}c{line}\n< {}\n---\n> {}\n", old[5], new[5]),
        "aider" => format!("src/f{n}.rs\n```rust\n{block}```\n\n"),
        "search-replace" => block,
        "sketch" => format!(
            "src/f{n}.rs\n```rust\n// ... existing code ...\n{replace}\n// ... existing code ...\n```\n\n"
        ),
        "whole" => format!("src/f{n}.rs\n```rust\n{replace}\n```\n\n"),
        // Edits by line number go from the end to the start.
        "ed" => format!("{}c\n{}\n.\n", 1_000_000 - n, new[5]),
        "rcs" => format!("d{line} 1\na{line} 1\n{}\n", new[5]),
        _ => String::new(),
    }
}

fn megabyte(dialect: &str) -> String {
    let mut text = String::with_capacity(MEGABYTE + 4096);
    for n in 0.. {
        let next = edit(dialect, n);
        if next.is_empty() || text.len() >= MEGABYTE {
            break;
        }
        text.push_str(&next);
    }
    text
}

fn dialects(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse a megabyte");
    for dialect in DIALECTS {
        let text = megabyte(dialect.name());
        let by_name = Options {
            dialect: Some(dialect),
            path: Some("src/f.rs".to_owned()),
            ..Options::default()
        };
        assert_whole(dialect, &text, &by_name);
        let unnamed = Options {
            dialect: None,
            ..by_name.clone()
        };
        group.throughput(Throughput::Bytes(text.len() as u64));
        for (how, options) in [("by name", by_name), ("unnamed", unnamed)] {
            group.bench_function(BenchmarkId::new(dialect.name(), how), |b| {
                b.iter(|| parse(black_box(&text), &options));
            });
        }
    }
}

/// What is measured is the reading of edits, not of problems.
fn assert_whole(dialect: &dyn Dialect, text: &str, options: &Options) {
    let parsed = parse(text, options);
    assert_eq!(parsed.problems, [], "{}", dialect.name());
    assert!(!parsed.proposal.files.is_empty(), "{}", dialect.name());
}

criterion_group! {
    name = dialects_by_the_megabyte;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = dialects
}
criterion_main!(dialects_by_the_megabyte);
