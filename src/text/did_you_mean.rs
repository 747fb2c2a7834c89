//! "Did you mean …?" suggestions.

/// Minimum similarity of a suggestion, from 0 to 1 (Damerau-Levenshtein).
const LIKENESS: f64 = 0.6;

/// Returns the known word that is most similar to `word`; `None` if none is similar enough.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let rated = known.into_iter().map(|known| {
        let likeness = strsim::normalized_damerau_levenshtein(&word, &known.to_lowercase());
        (likeness, known)
    });
    rated
        .filter(|(likeness, _)| *likeness >= LIKENESS)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_wrong_letters_are_understood() {
        let check =
            |word, expected| assert_eq!(did_you_mean(word, ["wrap", "layout", "list"]), expected);
        check("warp", Some("wrap"));
        check("Layuot", Some("layout"));
        check("colour", None);
    }
}
