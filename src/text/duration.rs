//! Durations in words: `12 s`, `4 min`, `2 h`, `3 d`.

/// Returns a duration in its largest unit, rounded down.
pub fn duration(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_one_unit() {
        let cases = [0, 59, 60, 3_599, 3_600, 86_399, 86_400, 259_200];
        let words = cases.map(duration);
        let expected = [
            "0 s", "59 s", "1 min", "59 min", "1 h", "23 h", "1 d", "3 d",
        ];
        assert_eq!(words, expected);
    }
}
