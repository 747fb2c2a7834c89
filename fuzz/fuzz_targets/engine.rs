//! Any edit is placed in any file. A NUL parts the file from the edit.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| countersign_fuzz::place(data));
