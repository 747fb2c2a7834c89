//! Whole runs of the real program on random trees, compared with a simple model of what must stand on disk.
//!
//! A run lays out a tree with odd names, forms and links, writes an edit of it in some dialect, and lets the program apply it, or
//! review it in a real terminal: decisions, edits, comments, undo and redo, kills and resumed reviews, to any ending. Then
//! the tree must be what the model says to the byte, sending the edit again must change nothing, and `countersign undo` must
//! bring the tree back.
//!
//! `SOAK_SECONDS` says how long it goes on, `SOAK_SEED` which run is the first (each has a number of its own, and the next
//! one has the next). A run that fails is made smaller while it still fails, and printed with its number. `tests/soak/run`
//! does all this by hand.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
#![allow(clippy::print_stdout, reason = "it says what it has done")]

mod drive;
mod form;
mod model;
mod plan;
#[path = "../terminal/pty.rs"]
#[allow(dead_code, reason = "another test uses the rest")]
mod pty;
mod tree;
mod written;

use std::time::{Duration, Instant};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

/// How long it goes on if nobody says.
const SECONDS: u64 = 4;

/// Reads a number from a variable.
fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{variable} is no number: {text:?}")))
}

#[test]
fn the_disk_is_always_as_a_simple_model_says() {
    let first = number("SOAK_SEED").unwrap_or(1);
    let lasts = Duration::from_secs(number("SOAK_SECONDS").unwrap_or(SECONDS));
    let begun = Instant::now();
    let mut done = drive::Done::default();
    for seed in first.. {
        if begun.elapsed() >= lasts {
            break;
        }
        if let Err(failure) = run(seed, &mut done) {
            panic!("run {seed} fails: SOAK_SEED={seed} shows it again\n{failure}");
        }
    }
    println!(
        "from seed {first}: {done} in {} s",
        begun.elapsed().as_secs()
    );
}

/// One run, made smaller if it fails.
fn run(seed: u64, done: &mut drive::Done) -> Result<(), String> {
    let config = Config {
        cases: 1,
        failure_persistence: None,
        max_shrink_iters: 400,
        max_shrink_time: 60_000,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let counted = std::cell::RefCell::new(done);
    let plans = plan::case().prop_map(plan::Case::of);
    let ran = runner.run(&plans, |case| {
        drive::run(&case, &mut counted.borrow_mut()).map_err(TestCaseError::fail)
    });
    ran.map_err(|error| match error {
        TestError::Fail(why, case) => {
            format!("{why}\n\n{case}\n\nThe edit:\n{}", written::edit(&case))
        }
        TestError::Abort(why) => format!("{why}"),
    })
}
