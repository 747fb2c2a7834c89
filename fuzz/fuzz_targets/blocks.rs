//! Any text is read as search/replace blocks, and placed in any file. A NUL parts the file from the text.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| countersign_fuzz::family("blocks", data));
