//! Any text is read as a diff, and placed in any file. A NUL parts the file from the text.

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
    let cut = data.iter().position(|&byte| byte == 0).unwrap_or(0);
    let (file, text) = data.split_at(cut);
    let text = String::from_utf8_lossy(text);
    let text = text.strip_prefix('\0').unwrap_or(&text);
    laws::family(families::family("diffs"), file, text);
});
