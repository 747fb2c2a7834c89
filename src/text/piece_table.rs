//! Piece table: a text made of stretches of another text and of new text between them.
//!
//! Nothing of the other text is copied, so a thousand files with one new line each cost a thousand lines of memory.

use std::fmt;
use std::ops::Range;

/// A text made of stretches of another one and of new text between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PieceTable<'a> {
    base: &'a str,
    /// All new text, concatenated.
    new: String,
    stretches: Vec<KeptStretch>,
    len: usize,
}

/// A stretch of the other text, and the length of the new text before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptStretch {
    /// The bytes of new text between the previous stretch and this one.
    pub new: usize,
    /// The bytes of the other text.
    pub kept: Range<usize>,
}

impl<'a> PieceTable<'a> {
    /// Nothing yet of a text.
    pub fn new(base: &'a str) -> Self {
        Self {
            base,
            new: String::new(),
            stretches: Vec::new(),
            len: 0,
        }
    }

    /// The other text.
    pub fn base(&self) -> &'a str {
        self.base
    }

    /// All new text, one after the other.
    pub fn new_text(&self) -> &str {
        &self.new
    }

    /// The stretches, in order. New text after the last one precedes an empty stretch.
    pub fn stretches(&self) -> &[KeptStretch] {
        &self.stretches
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if there is no byte.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Goes on with bytes of the other text. Bytes that it has not are left out.
    pub fn keep(&mut self, bytes: Range<usize>) {
        if self.base.get(bytes.clone()).is_none_or(str::is_empty) {
            return;
        }
        self.len += bytes.len();
        match self.stretches.last_mut() {
            Some(last) if last.kept.end == bytes.start && !last.kept.is_empty() => {
                last.kept.end = bytes.end;
            }
            // New text is recorded with the stretch that follows it.
            Some(last) if last.kept.is_empty() => last.kept = bytes,
            Some(_) | None => self.stretches.push(KeptStretch {
                new: 0,
                kept: bytes,
            }),
        }
    }

    /// Goes on with new text.
    pub fn add(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.len += text.len();
        self.new.push_str(text);
        match self.stretches.last_mut() {
            Some(last) if last.kept.is_empty() => last.new += text.len(),
            Some(_) | None => self.stretches.push(KeptStretch {
                new: text.len(),
                kept: 0..0,
            }),
        }
    }

    /// The text in parts, in order. None is empty.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        let placed = self.stretches.iter().scan(0, |at, stretch| {
            let start = *at;
            *at += stretch.new;
            Some([&self.new[start..*at], &self.base[stretch.kept.clone()]])
        });
        placed.flatten().filter(|part| !part.is_empty())
    }

    /// The bytes, the last one first.
    pub fn bytes_back(&self) -> impl Iterator<Item = u8> {
        let mut end = self.new.len();
        let stretches = self.stretches.iter().rev();
        stretches.flat_map(move |stretch| {
            let start = end - stretch.new;
            let new = &self.new[start..end];
            end = start;
            let kept = &self.base[stretch.kept.clone()];
            kept.bytes().rev().chain(new.bytes().rev())
        })
    }

    /// Returns true if the result is this text.
    pub fn is(&self, text: &str) -> bool {
        let mut rest = text;
        let taken = |part| rest.strip_prefix(part).map(|after| rest = after).is_some();
        self.len == text.len() && self.parts().all(taken)
    }

    /// Takes bytes off the end, which a character begins with.
    pub fn drop_end(&mut self, bytes: usize) {
        let len = self.len.saturating_sub(bytes);
        while let Some(last) = self.stretches.last_mut()
            && self.len > len
        {
            let most = self.len - len;
            let taken = if last.kept.is_empty() {
                let taken = most.min(last.new);
                last.new -= taken;
                self.new.truncate(self.new.len() - taken);
                taken
            } else {
                let taken = most.min(last.kept.len());
                last.kept.end -= taken;
                taken
            };
            self.len -= taken;
            if last.new == 0 && last.kept.is_empty() {
                self.stretches.pop();
            }
        }
    }
}

impl fmt::Display for PieceTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().try_for_each(|part| f.write_str(part))
    }
}

impl From<PieceTable<'_>> for String {
    fn from(table: PieceTable<'_>) -> Self {
        let mut text = Self::with_capacity(table.len);
        text.extend(table.parts());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `0-3` keeps these bytes of `abcdef`, `<2` takes as many off the end, anything else is new.
    #[track_caller]
    fn check(steps: &str, expected: &str, stretches: usize) {
        let mut table = PieceTable::new("abcdef");
        for step in steps.split_whitespace() {
            if let Some((start, end)) = step.split_once('-') {
                table.keep(start.parse().unwrap()..end.parse().unwrap());
            } else if let Some(bytes) = step.strip_prefix('<') {
                table.drop_end(bytes.parse().unwrap());
            } else {
                table.add(step);
            }
        }
        assert_eq!(String::from(table.clone()), expected, "{steps}");
        assert_eq!(table.to_string(), expected, "{steps}");
        assert_eq!(table.len(), expected.len(), "{steps}");
        assert!(table.is(expected), "{steps}");
        assert!(!table.is(&format!("{expected}.")), "{steps}");
        let back: Vec<u8> = table.bytes_back().collect();
        let expected: Vec<u8> = expected.bytes().rev().collect();
        assert_eq!(back, expected, "{steps}");
        assert_eq!(table.stretches().len(), stretches, "{steps}");
    }

    #[test]
    fn stretches_and_new_text_take_turns() {
        check("", "", 0);
        check("0-6", "abcdef", 1);
        check("0-2 2-6", "abcdef", 1);
        check("0-2 3-6", "abdef", 2);
        check("X 0-2", "Xab", 1);
        check("0-2 X Y 2-6", "abXYcdef", 2);
        check("0-2 X", "abX", 2);
        check("0-0 9-12 4-9", "", 0);
    }

    #[test]
    fn an_end_is_taken_off_whatever_it_is() {
        check("0-2 <1", "a", 1);
        check("0-2 XY <1", "abX", 2);
        check("0-2 XY <3", "a", 1);
        check("0-2 XY <3 2-4", "acd", 2);
        check("X 0-2 <2 Y", "XY", 1);
        check("X 0-2 <9 Y 3-4", "Yd", 1);
    }
}
