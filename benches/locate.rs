//! Where blocks stand: in large files, on every rung, and in files made to be slow.
//!
//! Every figure holds what a caller waits for: the file's index is made anew each time.

#![allow(missing_docs, reason = "the macros make functions without")]

mod sample;

use std::hint::black_box;
use std::time::Duration;

use countersign::locate::{Location, Tolerance, place_all};
use countersign::proposal::{Hunk, HunkOrder};
use countersign::text::Document;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// The lines of a block.
const BLOCK: usize = 20;

/// How an edit remembers a block that the file has.
type Memory = fn(Vec<String>) -> Vec<String>;

/// The rungs, each with a memory of a block that needs it.
const MEMORIES: [(&str, Memory); 7] = [
    ("exact", |lines| lines),
    ("trailing-blanks", |lines| {
        each(&lines, |line| format!("{line}  "))
    }),
    ("indent", |lines| each(&lines, |line| format!("  {line}"))),
    ("blanks", |lines| {
        each(&lines, |line| line.replace(" = ", "  =  "))
    }),
    ("punctuation", |lines| {
        each(&lines, |line| line.replace('"', "\u{201d}"))
    }),
    ("blank-lines", |lines| {
        // Between the lines: at an edge the file must have one, too.
        let mut lines: Vec<String> = lines
            .into_iter()
            .flat_map(|line| [line, String::new()])
            .collect();
        lines.pop();
        lines
    }),
    ("similar", |lines| {
        let mut lines = lines;
        lines[2].push_str(" // as before");
        lines[16].push_str(" // as before");
        lines
    }),
];

fn each(lines: &[String], change: impl Fn(&String) -> String) -> Vec<String> {
    lines.iter().map(change).collect()
}

/// A block from the middle of a file.
fn middle(lines: &[String]) -> Vec<String> {
    let start = lines.len() / 20 * 10;
    lines[start..start + BLOCK].to_vec()
}

/// A block that the file has nothing of.
fn absent() -> Vec<String> {
    (0..BLOCK).map(|n| format!("    absent({n})?;")).collect()
}

fn place(hunks: &[&Hunk], document: &Document) -> Vec<Location> {
    place_all(hunks, HunkOrder::Any, document, Tolerance::default())
}

fn rung(location: &Location) -> &'static str {
    match location {
        Location::Placed(placement) => placement.rung.name(),
        Location::AlreadyApplied { .. } => "already applied",
        Location::Follows { .. } => "follows",
        Location::Unplaced(_) => "absent",
    }
}

fn rungs(criterion: &mut Criterion) {
    let lines = sample::lines(100_000);
    let document = sample::document(&lines);
    let mut group = criterion.benchmark_group("20 lines in 100,000");
    for (name, memory) in MEMORIES {
        let hunk = sample::hunk(memory(middle(&lines)));
        assert_eq!(rung(&place(&[&hunk], &document)[0]), name);
        group.bench_function(name, |b| {
            b.iter(|| place(black_box(&[&hunk]), black_box(&document)));
        });
    }
    let hunk = sample::hunk(absent());
    assert_eq!(rung(&place(&[&hunk], &document)[0]), "absent");
    group.bench_function("absent", |b| {
        b.iter(|| place(black_box(&[&hunk]), black_box(&document)));
    });
}

fn growth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("growth");
    for count in [1_000, 10_000, 100_000, 1_000_000] {
        let lines = sample::lines(count);
        let document = sample::document(&lines);
        group.throughput(Throughput::Elements(count as u64));
        for (name, memory) in [MEMORIES[0], MEMORIES[6]] {
            let hunk = sample::hunk(memory(middle(&lines)));
            group.bench_function(BenchmarkId::new(name, count), |b| {
                b.iter(|| place(black_box(&[&hunk]), black_box(&document)));
            });
        }
    }
}

fn many(criterion: &mut Criterion) {
    let lines = sample::lines(100_000);
    let document = sample::document(&lines);
    let blocks = lines.chunks(100).map(|chunk| chunk[40..60].to_vec());
    let hunks: Vec<Hunk> = blocks.map(sample::hunk).collect();
    let hunks: Vec<&Hunk> = hunks.iter().collect();
    criterion.bench_function("1,000 blocks in 100,000 lines", |b| {
        b.iter(|| place(black_box(&hunks), black_box(&document)));
    });
}

fn hostile(criterion: &mut Criterion) {
    let equal = vec!["    x += 1;".to_owned(); 100_000];
    let short: Vec<String> = sample::lines(1_000);
    let mut gappy = sample::lines(50_000);
    gappy.extend(vec![String::new(); 50_000]);
    let one_line = vec![sample::lines(400_000).concat()[..10 << 20].to_owned()];
    let cases = [
        ("100,000 equal lines", &equal, equal[..BLOCK].to_vec()),
        ("100,000 equal lines, absent", &equal, absent()),
        (
            "one line of 10 MB",
            &one_line,
            vec!["    absent();".to_owned()],
        ),
        (
            "one line of 10 MB, reworded",
            &one_line,
            vec![one_line[0].replacen("width", "breadth", 1)],
        ),
        ("a block of blank lines", &gappy, vec![String::new(); BLOCK]),
        (
            "a block larger than the file",
            &short,
            sample::lines(100_000),
        ),
    ];
    let mut group = criterion.benchmark_group("hostile");
    for (name, file, block) in cases {
        let document = sample::document(file);
        let hunk = sample::hunk(block);
        group.bench_function(name, |b| {
            b.iter(|| place(black_box(&[&hunk]), black_box(&document)));
        });
    }
    let edges = || ["fn first() {", "fn last() {"].map(str::to_owned).to_vec();
    let document = sample::document(&[edges(), sample::lines(100_000)].concat());
    let mut hunk = sample::hunk(edges());
    hunk.body.postimage = edges();
    let gone = (0..100_000).map(|n| format!("    gone({n});"));
    hunk.body.preimage.splice(1..1, gone);
    group.bench_function("100,000 lines that are gone already", |b| {
        b.iter(|| place(black_box(&[&hunk]), black_box(&document)));
    });
}

criterion_group! {
    name = locate;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = rungs, growth, many, hostile
}
criterion_main!(locate);
