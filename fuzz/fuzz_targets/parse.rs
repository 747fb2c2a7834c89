//! Any text is read, by every dialect.

#![no_main]

#[allow(dead_code, reason = "another target uses the rest")]
#[path = "../../tests/engine/run.rs"]
mod engine;
#[allow(dead_code, reason = "another target uses the rest")]
#[path = "../../tests/engine/families.rs"]
mod families;
#[allow(dead_code, reason = "another target uses the rest")]
#[path = "../../tests/engine/laws.rs"]
mod laws;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    laws::reading(&String::from_utf8_lossy(data));
});
