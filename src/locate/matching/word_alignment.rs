//! The cheapest alignment of the words of two lines.

use crate::locate::matching::words::{WordId, Words};

/// Cost of a typo in a word, in bits.
pub(crate) const SLIP: f64 = 4.0;
/// A word of an edit.
pub(super) struct EditWord {
    pub(super) id: WordId,
    pub(super) text: String,
}

/// A difference between the words of two lines.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Difference {
    /// A typo: the word of the edit, and its position among the words of the file's line.
    Slip(String, usize),
    /// A number for another number, with its bits.
    Number(f64),
    /// Another word, or one that is missing or extra, with its bits.
    Word(f64),
}

/// An alignment of the words of two lines.
pub(super) struct WordAlignment {
    /// The cost of all differences, in bits.
    pub(super) cost: f64,
    /// The information of the equal words.
    pub(super) equal: f64,
    pub(super) differences: Vec<Difference>,
}

/// Returns the cheapest alignment of the words of a line. Those that both lines begin and end with are paired in any case.
/// `is_slip` returns true if a word of the edit is a word of the file with a typo.
pub(super) fn align(
    words: &Words<'_>,
    line: &[EditWord],
    file: &[WordId],
    is_slip: impl Fn(&EditWord, WordId) -> bool,
) -> WordAlignment {
    let same = |(own, file): &(&EditWord, &WordId)| own.id == **file;
    let head = line.iter().zip(file).take_while(same).count();
    let (own, file) = (&line[head..], &file[head..]);
    let tail = own.iter().rev().zip(file.iter().rev());
    let tail = tail.take_while(same).count();
    let (own, ends) = own.split_at(own.len() - tail);
    let file = &file[..file.len() - tail];
    let paired = line[..head].iter().chain(ends);
    let columns = file.len() + 1;
    let own_bits: Vec<f64> = own.iter().map(|word| words.bits(word.id)).collect();
    let file_bits: Vec<f64> = file.iter().map(|word| words.bits(*word)).collect();
    let mut best = vec![0.0; (own.len() + 1) * columns];
    let mut steps = vec![WordStep::Pair; best.len()];
    for i in 1..=own.len() {
        best[i * columns] = best[(i - 1) * columns] + own_bits[i - 1];
        steps[i * columns] = WordStep::Own;
    }
    for j in 1..columns {
        best[j] = best[j - 1] + file_bits[j - 1];
        steps[j] = WordStep::File;
    }
    for i in 1..=own.len() {
        for j in 1..columns {
            let diagonal = best[(i - 1) * columns + j - 1];
            let (mut cost, mut step) = if own[i - 1].id == file[j - 1] {
                (diagonal, WordStep::Pair)
            } else if is_slip(&own[i - 1], file[j - 1]) {
                (diagonal + SLIP, WordStep::Slip)
            } else {
                // A pair of other words loses against a missing and an extra word of the same cost.
                (
                    diagonal + own_bits[i - 1].max(file_bits[j - 1]) + 0.01,
                    WordStep::Other,
                )
            };
            let without = best[(i - 1) * columns + j] + own_bits[i - 1];
            if without < cost {
                (cost, step) = (without, WordStep::Own);
            }
            let extra = best[i * columns + j - 1] + file_bits[j - 1];
            if extra < cost {
                (cost, step) = (extra, WordStep::File);
            }
            best[i * columns + j] = cost;
            steps[i * columns + j] = step;
        }
    }
    let mut alignment = WordAlignment {
        cost: best[best.len() - 1],
        equal: paired.map(|word| words.bits(word.id)).sum(),
        differences: Vec::new(),
    };
    let (mut i, mut j) = (own.len(), file.len());
    while i > 0 || j > 0 {
        let step = steps[i * columns + j];
        match step {
            WordStep::Pair => alignment.equal += own_bits[i - 1],
            WordStep::Slip => {
                alignment
                    .differences
                    .push(Difference::Slip(own[i - 1].text.clone(), head + j - 1));
            }
            WordStep::Other => {
                let bits = own_bits[i - 1].max(file_bits[j - 1]);
                let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
                let are_numbers = is_number(&own[i - 1].text) && is_number(words.name(file[j - 1]));
                alignment.differences.push(if are_numbers {
                    Difference::Number(bits)
                } else {
                    Difference::Word(bits)
                });
            }
            WordStep::Own => alignment
                .differences
                .push(Difference::Word(own_bits[i - 1])),
            WordStep::File => alignment
                .differences
                .push(Difference::Word(file_bits[j - 1])),
        }
        i -= usize::from(step != WordStep::File);
        j -= usize::from(step != WordStep::Own);
    }
    alignment.differences.reverse();
    alignment
}

/// A step of an alignment of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordStep {
    Pair,
    Slip,
    Other,
    Own,
    File,
}
