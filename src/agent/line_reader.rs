//! Lines as they come over a connection: bounded in length, and none is lost when the other end pauses in the middle.

use std::io::{self, ErrorKind, Read};

/// Result of waiting for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// A line, without its newline.
    Line(Vec<u8>),
    /// Nothing within the time that the connection waits; what has come of a line is kept.
    Quiet,
    /// A line that is longer than is read. Nothing of the connection can be trusted after it.
    TooLong,
    /// The connection is closed. An unfinished line is dropped.
    End,
}

/// Takes a stream of bytes apart into lines.
#[derive(Debug)]
pub struct LineReader<R> {
    from: R,
    most: usize,
    bytes: Vec<u8>,
    /// Number of bytes that are known to hold no newline.
    searched: usize,
}

impl<R: Read> LineReader<R> {
    /// Reads lines of up to `most` bytes.
    pub fn new(from: R, most: usize) -> Self {
        Self {
            from,
            most,
            bytes: Vec::new(),
            searched: 0,
        }
    }

    /// Returns the source of the bytes.
    pub fn source(&mut self) -> &mut R {
        &mut self.from
    }

    /// Waits for the next line, as long as the connection does.
    ///
    /// # Errors
    ///
    /// Any I/O error.
    pub fn wait(&mut self) -> io::Result<Next> {
        let mut piece = [0; 1 << 14];
        loop {
            if let Some(at) = memchr::memchr(b'\n', &self.bytes[self.searched..]) {
                let rest = self.bytes.split_off(self.searched + at + 1);
                let mut line = std::mem::replace(&mut self.bytes, rest);
                line.pop();
                self.searched = 0;
                return Ok(if line.len() > self.most {
                    Next::TooLong
                } else {
                    Next::Line(line)
                });
            }
            self.searched = self.bytes.len();
            if self.bytes.len() > self.most {
                return Ok(Next::TooLong);
            }
            match self.from.read(&mut piece) {
                Ok(0) => return Ok(Next::End),
                Ok(length) => self.bytes.extend_from_slice(&piece[..length]),
                Err(error) if error.kind() == ErrorKind::Interrupted => (),
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    return Ok(Next::Quiet);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one piece a call; an empty one is a pause.
    struct Pieces(Vec<&'static str>);

    impl Read for Pieces {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            let piece = self.0.remove(0);
            if piece.is_empty() {
                return Err(ErrorKind::WouldBlock.into());
            }
            into[..piece.len()].copy_from_slice(piece.as_bytes());
            Ok(piece.len())
        }
    }

    #[track_caller]
    fn check(pieces: &[&'static str], expected: &str) {
        let mut lines = LineReader::new(Pieces(pieces.to_vec()), 6);
        let mut found = Vec::new();
        loop {
            match lines.wait().unwrap() {
                Next::Line(line) => found.push(String::from_utf8(line).unwrap()),
                Next::Quiet => found.push("(quiet)".to_owned()),
                end @ (Next::TooLong | Next::End) => {
                    found.push(format!("({end:?})"));
                    break;
                }
            }
        }
        assert_eq!(found.join(" "), expected);
    }

    #[test]
    fn lines_come_whole_or_not_at_all() {
        check(&["one\ntwo\n"], "one two (End)");
        check(&["o", "n", "e\nt", "", "wo\n"], "one (quiet) two (End)");
        check(&["one\ntw"], "one (End)");
        check(&[""], "(quiet) (End)");
        check(&["sixsix\n", "seven77\n"], "sixsix (TooLong)");
        check(&["one\nseven", "77"], "one (TooLong)");
        check(&["\n\n"], "  (End)");
    }
}
