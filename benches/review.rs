//! A review of 100,000 changed lines: opened, laid out, decided and composed, and what one key costs in it.

#![allow(missing_docs, reason = "the macros make functions without")]

mod sample;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use countersign::locate::Tolerance;
use countersign::proposal::{FileChange, Hunk, HunkOrder, InputSpan, Operation, PathClaim};
use countersign::review::{
    Decision, Folds, Found, HunkId, Intake, Layout, ReviewSession, Rows, Target, compose, intake,
};
use countersign::text::Document;
use countersign::ui::script::Script;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

const FILES: usize = 100;
const HUNKS: usize = 200;
/// Lines that each hunk changes.
const CHANGED: usize = 5;
/// Lines from one hunk to the next.
const APART: usize = 20;

fn change(file: usize, lines: &[String]) -> FileChange {
    let hunks = (0..HUNKS).map(|n| {
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
        hunks,
        blobs: None,
        dialect: "unified",
        span: InputSpan::of(0..1),
    }
}

fn files() -> Vec<Intake> {
    let lines = sample::lines(HUNKS * APART);
    let document: Arc<Document> = Arc::new(sample::document(&lines));
    let intake = |file| Intake {
        change: Arc::new(change(file, &lines)),
        order: HunkOrder::Ascending,
        path: format!("src/f{file}.rs"),
        rename: None,
        source: None,
        found: Found::Text {
            document: Arc::clone(&document),
            executable: false,
        },
        protected: None,
    };
    (0..FILES).map(intake).collect()
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
    for (width, height) in [(80, 24), (200, 60)] {
        let mut script = Script::new(session.clone(), width, height);
        for key in ["j", "x", "Tab"] {
            group.bench_function(format!("{key} and the frame, {width} × {height}"), |b| {
                b.iter(|| {
                    script.press(key);
                    script.screen()
                });
            });
        }
    }
}

criterion_group! {
    name = review;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = batch, keys
}
criterion_main!(review);
