//! Levenshtein distance of two lines.
//!
//! A large batch compares lines by the hundred thousand, so lines of ASCII of which the shorter fits in a machine word are
//! compared by Myers' bit vectors (in Hyyrö's form), a column of the table in a few instructions.

/// Least number of characters to insert, remove or replace to make one text the other.
pub(in crate::review) fn distance(a: &str, b: &str) -> usize {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if (1..=64).contains(&short.len()) && short.is_ascii() && long.is_ascii() {
        by_bits(short.as_bytes(), long.as_bytes())
    } else {
        strsim::levenshtein(a, b)
    }
}

/// The same for ASCII, the shorter text having 1 to 64 characters.
fn by_bits(short: &[u8], long: &[u8]) -> usize {
    // For each character a bit mask of its positions in the shorter text.
    let mut places = [0_u64; 128];
    for (i, &byte) in short.iter().enumerate() {
        places[usize::from(byte)] |= 1 << i;
    }
    let last = 1 << (short.len() - 1);
    // Where a cell of the column is one more, or one less, than the cell above it.
    let (mut more, mut less) = (u64::MAX, 0);
    let mut distance = short.len();
    for &byte in long {
        let equal = places[usize::from(byte)];
        let diagonal = ((equal & more).wrapping_add(more) ^ more) | equal | less;
        let grown = less | !(diagonal | more);
        let shrunk = more & diagonal;
        distance += usize::from(grown & last != 0);
        distance -= usize::from(shrunk & last != 0);
        let grown = grown << 1 | 1;
        more = shrunk << 1 | !(diagonal | grown);
        less = grown & diagonal;
    }
    distance
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn both_ways_agree(a in "[a-c ]{0,70}", b in "[a-cé ]{0,70}") {
            prop_assert_eq!(distance(&a, &b), strsim::levenshtein(&a, &b));
        }

        #[test]
        fn bits_agree(a in "[ -~]{1,64}", b in "[ -~]{1,200}") {
            prop_assert_eq!(distance(&a, &b), strsim::levenshtein(&a, &b));
        }
    }
}
