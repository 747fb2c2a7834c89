//! Any edit is placed in any file. A NUL parts the file from the edit.

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
    let cut = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
    let (file, edit) = data.split_at(cut);
    let edit = String::from_utf8_lossy(edit.get(1..).unwrap_or_default());
    laws::placing(file, &edit);
});
