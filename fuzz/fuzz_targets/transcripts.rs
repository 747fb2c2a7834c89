//! Any text is read as the log of a session, whole and from its last turn on.

#![no_main]

use countersign::dialect::{Options, Turns, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let read = |turns| {
        let options = Options {
            turns,
            ..Options::default()
        };
        parse(&text, &options)
    };
    let (all, last) = (read(Turns::All), read(Turns::Last));
    assert!(last.proposal.files.len() <= all.proposal.files.len());
});
