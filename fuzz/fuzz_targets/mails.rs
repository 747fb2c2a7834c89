//! Any text is read as a mail or a mailbox, of which the patches are taken, and placed in any file. A NUL parts the file from the text.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| countersign_fuzz::family("mails", data));
