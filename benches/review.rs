//! A review of 100,000 changed lines: opened, laid out, decided and composed, and what one key costs in it.

#![allow(missing_docs, reason = "the macros make functions without")]

mod sample;

#[path = "../tests/ui/script.rs"]
#[allow(dead_code, reason = "shared with the tests, which use more of it")]
mod script;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use countersign::locate::Tolerance;
use countersign::proposal::{Body, FileChange, Hunk, HunkOrder, InputSpan, Operation, PathClaim};
use countersign::review::{
    Decision, Folds, Found, HunkId, Intake, Layout, ReviewSession, Rows, Target, compose, intake,
    outline,
};
use countersign::text::Document;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use script::Script;

const FILES: usize = 100;
const HUNKS: usize = 200;
/// The files of a long list.
const MANY: usize = 10_000;
/// Lines that each hunk changes.
const CHANGED: usize = 5;
/// Lines from one hunk to the next.
const APART: usize = 20;

fn change(file: usize, lines: &[String]) -> FileChange {
    let hunks = (0..lines.len() / APART).map(|n| {
        let start = n * APART;
        let mut hunk = sample::hinted(lines[start..start + CHANGED + 6].to_vec(), start);
        hunk.body.postimage.clone_from(&hunk.body.preimage);
        for line in &mut hunk.body.postimage[3..3 + CHANGED] {
            line.push_str(" // countersigned");
        }
        hunk
    });
    let hunks: Vec<Hunk> = hunks.collect();
    FileChange {
        path: PathClaim::plain(format!("src/f{file}.rs")),
        operation: Operation::Modify,
        executable: None,
        is_regular: false,
        hunks,
        blobs: None,
        binary: None,
        dialect: "unified",
        span: InputSpan::of(0..1),
        patch: 0,
    }
}

fn files() -> Vec<Intake> {
    many_files(FILES)
}

fn many_files(count: usize) -> Vec<Intake> {
    let lines = sample::lines(HUNKS * APART);
    let document: Arc<Document> = Arc::new(sample::document(&lines));
    let intake = |file| Intake {
        change: Arc::new(change(file, &lines)),
        order: HunkOrder::Ascending,
        path: format!("src/f{file}.rs"),
        other: countersign::review::OtherFile::None,
        found: Found::Text {
            document: Arc::clone(&document),
            executable: false,
        },
        protected: None,
        bytes: None,
        reading: countersign::review::NewTextEncoding::default(),
    };
    (0..count).map(intake).collect()
}

fn open(files: Vec<Intake>) -> ReviewSession {
    intake(String::new(), Vec::new(), files, Tolerance::default())
}

fn batch(criterion: &mut Criterion) {
    let files = files();
    let undecided = open(files.clone());
    assert_eq!(undecided.counts().undecided, FILES * HUNKS);
    let mut accepted = undecided.clone();
    accepted.decide(&Target::Rest, Decision::Accepted);
    let mut group = criterion.benchmark_group("100,000 changed lines");
    group.bench_function("place", |b| {
        b.iter_batched(|| files.clone(), open, BatchSize::PerIteration);
    });
    for layout in [Layout::Split, Layout::Unified] {
        let folds = Folds {
            context: 3,
            ..Folds::default()
        };
        group.bench_function(format!("lay out, {layout:?}").to_lowercase(), |b| {
            b.iter(|| Rows::lay_out(black_box(&undecided), layout, &folds));
        });
    }
    group.bench_function("accept the rest", |b| {
        b.iter_batched(
            || undecided.clone(),
            |mut session| {
                session.decide(&Target::Rest, Decision::Accepted);
                session
            },
            BatchSize::PerIteration,
        );
    });
    group.bench_function("compose", |b| {
        b.iter(|| accepted.files.iter().map(compose).collect::<Vec<_>>());
    });
    group.bench_function("count", |b| b.iter(|| black_box(&undecided).counts()));
}

/// The cost of a hunk, however many there are.
fn growth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("growth");
    for count in [1_000, 10_000, 100_000] {
        let files = many_files(count / HUNKS);
        let mut session = open(files.clone());
        session.decide(&Target::Rest, Decision::Accepted);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::new("place", count), |b| {
            b.iter_batched(|| files.clone(), open, BatchSize::PerIteration);
        });
        group.bench_function(BenchmarkId::new("compose", count), |b| {
            b.iter(|| session.files.iter().map(compose).collect::<Vec<_>>());
        });
    }
}

fn keys(criterion: &mut Criterion) {
    let mut session = open(files());
    let mut group = criterion.benchmark_group("a key in 100,000 changed lines");
    let hunk = Target::Hunk(HunkId {
        file: FILES / 2,
        hunk: HUNKS / 2,
    });
    group.bench_function("decide a hunk and take it back, without a screen", |b| {
        b.iter(|| {
            session.decide(&hunk, Decision::Accepted);
            session.undo()
        });
    });
    for (width, height, long_lines) in [(80, 24, ""), (200, 60, ""), (200, 60, ", wrapped")] {
        let mut script = Script::new(session.clone(), width, height);
        if !long_lines.is_empty() {
            script.press("w");
        }
        for key in ["j", "x", "Tab"] {
            let name = format!("{key} and the frame, {width} × {height}{long_lines}");
            group.bench_function(name, |b| {
                b.iter(|| {
                    script.press(key);
                    script.buffer()
                });
            });
        }
    }
}

/// What a person sees first, while the files are still to be read.
fn first(criterion: &mut Criterion) {
    let files = files();
    let changes: Vec<Arc<FileChange>> = (files.iter())
        .map(|file| Arc::clone(&file.change))
        .collect();
    criterion.bench_function("100,000 changed lines in outline, and the frame", |b| {
        b.iter(|| {
            let session = outline(String::new(), Vec::new(), black_box(&changes));
            Script::new(session, 160, 50).buffer()
        });
    });
}

/// The list of all files, where there are many.
fn list(criterion: &mut Criterion) {
    let lines = sample::lines(APART);
    let changes = (0..MANY).map(|file| Arc::new(change(file, &lines)));
    let changes: Vec<Arc<FileChange>> = changes.collect();
    let mut script = Script::new(outline(String::new(), Vec::new(), &changes), 160, 50);
    script.press("t");
    for key in ["j", "V"] {
        let name = format!("{key} in a list of 10,000 files, and the frame");
        criterion.bench_function(&name, |b| {
            b.iter(|| {
                script.press(key);
                script.buffer()
            });
        });
    }
}

/// Lines of 390 KB of wide characters, far to the right.
fn long_lines(criterion: &mut Criterion) {
    let long = "日本語テキスト".repeat(18_572);
    let texts = [format!("{long}前\n"), format!("{long}後\n")];
    let lines = |text: &str| text.lines().map(str::to_owned).collect();
    let span = InputSpan::of(0..1);
    let body = Body {
        preimage: lines(&texts[0]),
        postimage: lines(&texts[1]),
    };
    let change = FileChange {
        hunks: vec![Hunk::new(body, span)],
        ..change(0, &sample::lines(HUNKS * APART))
    };
    let file = Intake {
        change: Arc::new(change),
        found: Found::Text {
            document: Arc::new(Document::from_text(texts[0].clone())),
            executable: false,
        },
        ..files().swap_remove(0)
    };
    let mut script = Script::new(open(vec![file]), 200, 60);
    script.press("j j $");
    criterion.bench_function(
        "a step sideways in 390 KB of wide characters, and the frame",
        |b| {
            b.iter(|| {
                script.press("h");
                script.buffer()
            });
        },
    );
}

criterion_group! {
    name = review;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = batch, growth, keys, first, list, long_lines
}
criterion_main!(review);
