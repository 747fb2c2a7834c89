//! Counts in words: `no hunks`, `1 hunk`, `2 hunks`.

/// Returns a number and its noun: `no hunks`, `1 hunk`, `2 hunks`.
pub fn plural(count: usize, noun: &str) -> String {
    match count {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        let told = [0, 1, 2].map(|count| plural(count, "hunk"));
        assert_eq!(told, ["no hunks", "1 hunk", "2 hunks"]);
    }
}
