//! Whether a name is another one, mistyped.

/// How many letters a name has for each that may be mistyped.
const LETTERS_A_SLIP: usize = 2;
/// Slips in one name, however long it is.
const SLIPS_A_NAME: usize = 3;
/// Names of so many letters are known with one of them replaced.
const LONG: usize = 5;

/// Whether two names are one, mistyped: nearly the same letters, and the same digits. In short names a letter in the place of
/// another makes another name (`get`, `set`); there letters are only lost, doubled or swapped. A name with more at its end is
/// another one too (`module`, `moduleId`), and so is one that is told apart as people do it ([`are_kin`]).
pub(super) fn is_typo(a: &str, b: &str) -> bool {
    let digits = |name: &str| -> String { name.chars().filter(char::is_ascii_digit).collect() };
    let sorted = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    let (own, other) = (sorted(a), sorted(b));
    let is_substituted = own.len() == other.len() && own.len() < LONG && own != other;
    let slips = strsim::osa_distance(a, b);
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let is_derived = slips > 1 && (long.starts_with(short) || long.ends_with(short));
    !is_substituted
        && !is_derived
        && !are_kin(a, b)
        && digits(a) == digits(b)
        && slips <= SLIPS_A_NAME
        && slips * LETTERS_A_SLIP <= own.len().max(other.len())
}

/// Whether two names are like each other because they were meant to be: `Open` and `open`, `_name` and `name`, `item` and `items`,
/// `posX` and `posY`, `minimum` and `maximum`, `encode` and `decode`. A hand slips otherwise: it replaces one letter at most.
fn are_kin(a: &str, b: &str) -> bool {
    let outer = |name: &str| {
        let from = name.len() - name.trim_start_matches('_').len();
        (from, name.len() - name.trim_end_matches('_').len())
    };
    if a.to_lowercase() == b.to_lowercase() || outer(a) != outer(b) {
        return true;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let difference = Difference::of(&a, &b);
    difference.is_plural() || difference.is_word_of_one_letter() || difference.is_syllable()
}

/// What two names do not share between how both begin and how both end.
struct Difference<'n> {
    own: &'n [char],
    other: &'n [char],
    /// What both begin with.
    head: &'n [char],
    /// What both end with.
    tail: &'n [char],
}

impl<'n> Difference<'n> {
    fn of(a: &'n [char], b: &'n [char]) -> Self {
        let equal = |(x, y): &(&char, &char)| x == y;
        let head = a.iter().zip(b).take_while(equal).count();
        let (own, other) = (&a[head..], &b[head..]);
        let ends = own.iter().rev().zip(other.iter().rev());
        let tail = ends.take_while(equal).count();
        Self {
            own: &own[..own.len() - tail],
            other: &other[..other.len() - tail],
            head: &a[..head],
            tail: &own[own.len() - tail..],
        }
    }

    fn is_plural(&self) -> bool {
        self.tail.is_empty() && matches!((self.own, self.other), ([], ['s']) | (['s'], []))
    }

    /// Whether letters stand for others: two and more anywhere, or one of a pair.
    fn is_syllable(&self) -> bool {
        let lost = self.own.iter().filter(|c| !self.other.contains(c)).count();
        let gained = self.other.iter().filter(|c| !self.own.contains(c)).count();
        let replaced = lost.min(gained);
        replaced > 1 || (replaced > 0 && self.own.len() == 2 && self.other.len() == 2)
    }

    fn is_word_of_one_letter(&self) -> bool {
        match (self.own, self.other) {
            ([letter], []) | ([], [letter]) => letter.is_uppercase() && self.is_word(*letter),
            ([letter], [instead]) => self.is_word(*letter) && self.is_word(*instead),
            _ => false,
        }
    }

    /// Whether a letter in this place is a word of its own, as in `x_offset`, `xOffset` and `offsetX`; a capital is also where
    /// it was put to a name.
    fn is_word(&self, letter: char) -> bool {
        let begins = |c: char| !c.is_alphabetic() || (letter.is_uppercase() && c.is_lowercase());
        let beyond = self.tail.get(1).copied();
        let is_head = |c: char| c.is_uppercase() && beyond.is_some_and(char::is_lowercase);
        let ends = |c: char| {
            !c.is_alphabetic() || (letter.is_lowercase() && c.is_uppercase()) || is_head(c)
        };
        self.head.last().copied().is_none_or(begins) && self.tail.first().copied().is_none_or(ends)
    }
}
