//! Indentation: the blanks before a line's first character, and how wide they are.

/// One level of indentation: a tab, or a number of spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IndentUnit {
    /// One tab a level.
    Tab,
    /// This many spaces a level.
    Spaces(usize),
}

impl IndentUnit {
    /// Returns true if an indentation consists of whole levels.
    pub(crate) fn divides(self, indent: &str) -> bool {
        match self {
            Self::Spaces(width) => columns(indent, width).is_multiple_of(width),
            Self::Tab => !indent.contains(' '),
        }
    }
    /// The unit that most indented lines of a text agree on, judged by the steps between neighbouring lines.
    /// `None` if no line is indented.
    pub fn detect<'a>(lines: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut tabs = 0_usize;
        let mut steps = [0_usize; 9];
        let mut previous = 0;
        for line in lines {
            let (indent, rest) = split_indent(line);
            if rest.is_empty() {
                continue;
            }
            if indent.starts_with('\t') {
                tabs += 1;
                previous = 0;
                continue;
            }
            let width = indent.len();
            if let Some(count) = steps
                .get_mut(width.abs_diff(previous))
                .filter(|_| width != previous)
            {
                *count += 1;
            }
            previous = width;
        }
        // A step of one is an aligned comment (` * …`), not a level.
        let (width, spaces) = (2..=8)
            .map(|w| (w, steps[w]))
            .max_by_key(|&(w, count)| (count, 9 - w))?;
        match (tabs, spaces) {
            (0, 0) => None,
            _ if tabs >= spaces => Some(Self::Tab),
            _ => Some(Self::Spaces(width)),
        }
    }

    /// The blanks that reach `columns`, in this unit, where a tab is `tab_width` columns wide.
    pub fn blanks(self, columns: usize, tab_width: usize) -> String {
        match self {
            Self::Tab => "\t".repeat(columns / tab_width) + &" ".repeat(columns % tab_width),
            Self::Spaces(_) => " ".repeat(columns),
        }
    }
}

/// Splits a line into its indentation (spaces and tabs) and the rest.
pub fn split_indent(line: &str) -> (&str, &str) {
    let rest = line.trim_start_matches([' ', '\t']);
    line.split_at(line.len() - rest.len())
}

/// The indentation of a line.
pub fn indent_of(line: &str) -> &str {
    split_indent(line).0
}

/// The column that blanks reach, where a tab goes on to the next multiple of `tab_width`.
pub fn columns(blanks: &str, tab_width: usize) -> usize {
    blanks.chars().fold(0, |column, c| {
        if c == '\t' {
            (column / tab_width + 1) * tab_width
        } else {
            column + 1
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_what_most_steps_agree_on() {
        let check = |text: &str, expected| {
            assert_eq!(IndentUnit::detect(text.lines()), expected, "{text:?}");
        };
        check("a\nb\n", None);
        check("a\n  b\n    c\n  d\n", Some(IndentUnit::Spaces(2)));
        check(
            "a\n    b\n    c\nd\n        e\n",
            Some(IndentUnit::Spaces(4)),
        );
        check("a\n\tb\n\t\tc\n", Some(IndentUnit::Tab));
        check("/*\n * a\n */\nb\n    c\n", Some(IndentUnit::Spaces(4)));
    }

    #[test]
    fn tabs_go_to_the_next_stop() {
        assert_eq!(columns("\t", 4), 4);
        assert_eq!(columns("  \t", 4), 4);
        assert_eq!(columns("\t  ", 8), 10);
        assert_eq!(IndentUnit::Tab.blanks(10, 4), "\t\t  ");
    }
}
