//! The laws of the engine, on inputs of every kind: `PROPTEST_CASES` says how many. `fuzz/` holds them on any bytes.

#[path = "run.rs"]
mod engine;
mod inputs;
mod laws;

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
