//! How a text is written: its encoding, its line endings and whether its last line has one.

/// How a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) encoding: Encoding,
    pub(crate) endings: Endings,
    pub(crate) final_newline: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    /// With a byte order mark.
    Utf8Mark,
    Utf16Le,
    Utf16Be,
    /// With one line that is no UTF-8.
    Latin1,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Endings {
    Lf,
    CrLf,
    /// Every third line, as it stands before any edit, ends otherwise than the others.
    Mixed,
}

/// The first line of a text in Latin 1.
const LATIN1: &str =
    "# caf\u{e9} na\u{ef}vet\u{e9} d\u{e9}j\u{e0} vu cr\u{e8}me br\u{fb}l\u{e9}e\n";

/// A line and how it ends; `None` for a new line among endings of both kinds, where either will do.
pub(crate) type Ended = (String, Option<&'static str>);

impl Form {
    /// The plain form that a new file has.
    pub(crate) fn plain(final_newline: bool) -> Self {
        Self {
            encoding: Encoding::Utf8,
            endings: Endings::Lf,
            final_newline,
        }
    }

    /// How the line at this position of the file ends, as long as nobody has changed it.
    pub(crate) fn ending(self, line: usize) -> &'static str {
        match self.endings {
            Endings::CrLf => "\r\n",
            Endings::Mixed if line.is_multiple_of(3) => "\r\n",
            Endings::Lf | Endings::Mixed => "\n",
        }
    }

    /// How a new line ends, if there is no choice.
    pub(crate) fn new_ending(self) -> Option<&'static str> {
        (self.endings != Endings::Mixed).then(|| self.ending(0))
    }

    /// The bytes of a text, with `other` where there is a choice of endings.
    pub(crate) fn bytes(self, lines: &[Ended], other: &'static str) -> Vec<u8> {
        let mut text = String::new();
        if self.encoding == Encoding::Latin1 {
            text.push_str(LATIN1);
        }
        for (at, (line, ending)) in lines.iter().enumerate() {
            text.push_str(line);
            if at + 1 < lines.len() || self.final_newline {
                text.push_str(ending.unwrap_or(other));
            }
        }
        let utf16 = |mark: u16, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            let units = std::iter::once(mark).chain(text.encode_utf16());
            units.flat_map(bytes).collect()
        };
        match self.encoding {
            Encoding::Utf8 => text.into_bytes(),
            Encoding::Utf8Mark => format!("\u{feff}{text}").into_bytes(),
            Encoding::Utf16Le => utf16(0xfeff, u16::to_le_bytes),
            Encoding::Utf16Be => utf16(0xfeff, u16::to_be_bytes),
            Encoding::Latin1 => text.chars().map(|c| u8::try_from(c).unwrap()).collect(),
        }
    }

    /// Whether bytes are this text, whichever ending was chosen where there is a choice.
    pub(crate) fn is(self, lines: &[Ended], bytes: &[u8]) -> bool {
        if self.endings != Endings::Mixed {
            return self.bytes(lines, "\n") == bytes;
        }
        // One choice after the other: the longest text that is a beginning of the bytes decides.
        let mut settled = lines.to_vec();
        for at in 0..settled.len() {
            if settled[at].1.is_none() {
                settled[at].1 = Some("\r\n");
                let whole = Self {
                    final_newline: true,
                    ..self
                };
                let last = at + 1 == settled.len() && !self.final_newline;
                if last || !bytes.starts_with(&whole.bytes(&settled[..=at], "\n")) {
                    settled[at].1 = Some("\n");
                }
            }
        }
        self.bytes(&settled, "\n") == bytes
    }
}
