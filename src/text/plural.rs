//! Counts in words: `1 hunk`, `2 hunks`.

/// Returns a number and its noun: `1 hunk`, `2 hunks`.
pub fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        let told = [0, 1, 2].map(|count| plural(count, "hunk"));
        assert_eq!(told, ["0 hunks", "1 hunk", "2 hunks"]);
    }
}
