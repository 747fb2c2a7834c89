//! The laws of the engine, on inputs of every kind: `PROPTEST_CASES` says how many. `fuzz/` holds them on any bytes.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod cuts;
#[path = "run.rs"]
mod engine;
mod examples;
mod families;
#[path = "../git/program.rs"]
mod git_program;
mod inputs;
mod laws;
mod plain_strings;
mod round_trips;
mod written_json;

use std::fs;

use countersign::dialect::DIALECTS;
use families::{FAMILIES, Family, family};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #[test]
    fn any_text_is_read(text in ".*", bytes in vec(any::<u8>(), 0..200)) {
        laws::reading(&text);
        laws::reading(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_mixture_of_markers_is_read(text in inputs::markers()) {
        laws::reading(&text);
    }

    #[test]
    fn any_file_comes_back(bytes in vec(any::<u8>(), 0..200), text in inputs::file()) {
        laws::decoding(&bytes);
        laws::decoding(text.as_bytes());
        let wide = text.encode_utf16().flat_map(u16::to_le_bytes);
        laws::decoding(&[0xff, 0xfe].into_iter().chain(wide).collect::<Vec<u8>>());
    }

    #[test]
    fn any_mixture_of_markers_is_placed(file in inputs::file(), edit in inputs::markers()) {
        laws::placing(file.as_bytes(), &edit);
    }

    #[test]
    fn any_edit_is_placed(file in inputs::file(), edit in inputs::edit()) {
        laws::placing(file.as_bytes(), &edit);
    }
}

/// Tries the laws on changed examples of a family.
fn try_family(name: &str) {
    let family = family(name);
    assert!(examples::of(family).len() > 5, "{name}");
    let cases = ProptestConfig::default().cases / 4;
    let config = ProptestConfig {
        cases,
        ..ProptestConfig::default()
    };
    proptest!(config, |(example in examples::changed(family))| {
        laws::family(family, example.file.as_bytes(), &example.text);
    });
}

#[test]
fn any_block_is_read_and_placed() {
    try_family("blocks");
}

#[test]
fn any_diff_is_read_and_placed() {
    try_family("diffs");
}

#[test]
fn any_envelope_is_read_and_placed() {
    try_family("envelopes");
}

#[test]
fn any_call_is_read_and_placed() {
    try_family("calls");
}

#[test]
fn any_stream_is_read_and_placed() {
    try_family("streams");
}

#[test]
fn any_mail_is_read_and_placed() {
    try_family("mails");
}

#[test]
fn any_reply_is_read_and_placed() {
    try_family("replies");
}

#[test]
fn every_dialect_has_a_family_and_every_family_a_fuzz_target() {
    for dialect in DIALECTS {
        let families = FAMILIES.iter();
        let count = families.filter(|family| family.dialects.contains(&dialect.name()));
        assert_eq!(count.count(), 1, "{}", dialect.name());
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let (manifest, script) = (read("Cargo.toml"), read("run"));
    for Family { name, .. } in &FAMILIES {
        let target = read(&format!("fuzz_targets/{name}.rs"));
        assert!(target.contains(&format!("family(\"{name}\",")), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
        assert!(script.contains(&format!(" {name}")), "{name}");
    }
}
