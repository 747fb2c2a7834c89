//! Prefixes of a block found in a sequence, item by item, with the algorithm of Knuth, Morris and Pratt (KMP) in linear time.

/// A block to search for, with its KMP failure table.
pub(crate) struct Prefixes<'b, T> {
    block: &'b [T],
    /// At `n - 1`: the length of the longest proper prefix of the first `n` items that is also a suffix of them.
    shorter: Vec<usize>,
}

impl<'b, T: PartialEq> Prefixes<'b, T> {
    pub(crate) fn of(block: &'b [T]) -> Self {
        let shorter = vec![0; block.len()];
        let mut prefixes = Self { block, shorter };
        for (i, item) in block.iter().enumerate().skip(1) {
            prefixes.shorter[i] = prefixes.after(prefixes.shorter[i - 1], item);
        }
        prefixes
    }

    /// Returns the length of the longest prefix of the block that a sequence ends with, once `item` follows; `length` is that
    /// length before it.
    pub(crate) fn after(&self, mut length: usize, item: &T) -> usize {
        while length > 0 && self.block.get(length) != Some(item) {
            length = self.shorter[length - 1];
        }
        length + usize::from(self.block.get(length) == Some(item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_as_has_come_along_counts() {
        let check = |block: &str, sequence: &str, expected: &[usize]| {
            let block: Vec<char> = block.chars().collect();
            let prefixes = Prefixes::of(&block);
            let mut length = 0;
            let lengths = sequence.chars().map(|item| {
                length = prefixes.after(length, &item);
                length
            });
            let lengths: Vec<usize> = lengths.collect();
            assert_eq!(lengths, expected, "{block:?} {sequence:?}");
        };
        check("ab", "abab", &[1, 2, 1, 2]);
        check("aab", "aaab", &[1, 2, 2, 3]);
        check("abac", "ababac", &[1, 2, 3, 2, 3, 4]);
        check("aa", "aaa", &[1, 2, 2]);
        check("ab", "ba", &[0, 1]);
        check("", "a", &[0]);
    }
}
