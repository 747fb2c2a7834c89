//! A terminal for the tests that has left and right margins and repeats characters, as no emulator in the tests does. It knows
//! what is written here and nothing else; what both know, it must show as the emulator does.

use ratatui::layout::Rect;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Content of a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cell {
    text: String,
    style: Vec<String>,
}

/// A terminal with margins.
pub(crate) struct TestTerminal {
    cells: Vec<Vec<Cell>>,
    at: (usize, usize),
    style: Vec<String>,
    last: Option<String>,
    rows: (usize, usize),
    columns: Option<(usize, usize)>,
}

impl TestTerminal {
    pub(crate) fn new(area: Rect) -> Self {
        let blank = Cell {
            text: " ".into(),
            style: Vec::new(),
        };
        let row = vec![blank; area.width.into()];
        Self {
            cells: vec![row; area.height.into()],
            at: (0, 0),
            style: Vec::new(),
            last: None,
            rows: (0, area.height.into()),
            columns: None,
        }
    }

    /// Returns the screen row by row. Of a blank only the background and attributes that show on it count.
    pub(crate) fn seen(&self) -> Vec<Vec<(String, Vec<String>)>> {
        let cell = |cell: &Cell| {
            let mut style = cell.style.clone();
            if cell.text == " "
                && !style
                    .iter()
                    .any(|set| ["4", "7", "9"].contains(&set.as_str()))
            {
                style.retain(|set| set.starts_with('b'));
            }
            style.sort();
            (cell.text.clone(), style)
        };
        let row = |row: &Vec<Cell>| row.iter().map(cell).collect();
        self.cells.iter().map(row).collect()
    }

    pub(crate) fn process(&mut self, bytes: &[u8]) {
        let text = std::str::from_utf8(bytes).unwrap();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            match c {
                '\x1b' => {
                    let body = rest.strip_prefix("\x1b[").unwrap();
                    let end = body.find(|c: char| ('@'..='~').contains(&c)).unwrap();
                    self.control(&body[..end], body.as_bytes()[end]);
                    rest = &body[end + 1..];
                    continue;
                }
                '\r' => self.at.0 = 0,
                '\x08' => self.at.0 -= 1,
                _ => {
                    let end = rest.find(|c: char| c.is_control()).unwrap_or(rest.len());
                    rest[..end]
                        .graphemes(true)
                        .for_each(|letter| self.print(letter));
                    rest = &rest[end..];
                    continue;
                }
            }
            rest = &rest[1..];
        }
    }

    /// Prints what people count as one character, as terminals do that know of it.
    fn print(&mut self, letter: &str) {
        let (x, y) = self.at;
        let width = letter.width();
        self.last = Some(letter.to_owned());
        for covered in x..x + width {
            self.part(covered, y);
        }
        let cell = |text: &str| Cell {
            text: text.to_owned(),
            style: self.style.clone(),
        };
        self.cells[y][x] = cell(letter);
        for covered in x + 1..x + width {
            self.cells[y][covered] = cell("");
        }
        self.at.0 += width;
    }

    /// Blanks the rest of a wide character when one of its columns is overwritten.
    fn part(&mut self, x: usize, y: usize) {
        let row = &mut self.cells[y];
        if row[x].text.is_empty() {
            row[x - 1].text = " ".into();
        }
        if row.get(x + 1).is_some_and(|next| next.text.is_empty()) {
            row[x + 1].text = " ".into();
        }
    }

    fn control(&mut self, parameters: &str, end: u8) {
        let numbers: Vec<usize> = parameters
            .split(';')
            .filter_map(|n| n.parse().ok())
            .collect();
        let nth = |n: usize| numbers.get(n).copied().unwrap_or(1);
        let width = self.cells[0].len();
        match end {
            b'H' => self.at = (nth(1) - 1, nth(0) - 1),
            b'G' => self.at.0 = nth(0) - 1,
            b'A' => self.at.1 -= nth(0),
            b'B' => self.at.1 += nth(0),
            b'C' => self.at.0 += nth(0),
            b'D' => self.at.0 -= nth(0),
            b'b' => {
                let letter = self.last.clone().unwrap();
                (0..nth(0)).for_each(|_| self.print(&letter));
            }
            b'r' if numbers.is_empty() => self.rows = (0, self.cells.len()),
            b'r' => self.rows = (nth(0) - 1, nth(1)),
            b's' => {
                assert!(self.columns.is_some(), "columns without the mode");
                self.columns = Some((nth(0) - 1, nth(1)));
            }
            b'h' if parameters == "?69" => self.columns = Some((0, width)),
            b'l' if parameters == "?69" => self.columns = None,
            b'M' => self.lines(nth(0), true),
            b'L' => self.lines(nth(0), false),
            b'J' => *self = Self::new(Rect::new(0, 0, cells(width), cells(self.cells.len()))),
            b'm' => self.attributes(parameters),
            b'h' | b'l' if parameters == "?25" => (),
            _ => panic!("`{parameters}{}` is not known", char::from(end)),
        }
    }

    /// Deletes or inserts lines within the margins.
    fn lines(&mut self, count: usize, deletes: bool) {
        let (left, right) = self.columns.unwrap_or((0, self.cells[0].len()));
        let (top, bottom) = self.rows;
        assert!(
            (left..right).contains(&self.at.0) && self.at.1 == top,
            "outside of the margins"
        );
        assert!(
            self.style.is_empty(),
            "the ground of new lines depends on the terminal"
        );
        let old = self.cells.clone();
        for (y, row) in self.cells.iter_mut().enumerate().take(bottom).skip(top) {
            let from = if deletes {
                y + count
            } else {
                y.wrapping_sub(count)
            };
            let blank = Cell {
                text: " ".into(),
                style: Vec::new(),
            };
            match Some(from).filter(|from| (top..bottom).contains(from)) {
                Some(from) => row[left..right].clone_from_slice(&old[from][left..right]),
                None => row[left..right].fill(blank),
            }
        }
    }

    /// `SGR`: colours are kept as `f` or `b` and what they are, attributes as their number.
    fn attributes(&mut self, parameters: &str) {
        let mut codes = parameters.split(';');
        while let Some(code) = codes.next() {
            let unset = match code {
                "" | "0" => {
                    self.style.clear();
                    continue;
                }
                "22" => &["1", "2"][..],
                "23" => &["3"],
                "24" => &["4"],
                "27" => &["7"],
                "29" => &["9"],
                "1" | "2" | "3" | "4" | "7" | "9" => {
                    self.style.push(code.to_owned());
                    continue;
                }
                _ => {
                    let ground = code.starts_with('4') || code.starts_with("10");
                    let which = if ground { "b" } else { "f" };
                    self.style.retain(|set| !set.starts_with(which));
                    let more = match code {
                        "38" | "48" if codes.next() == Some("2") => 3,
                        "38" | "48" => 1,
                        _ => 0,
                    };
                    let value: Vec<&str> = codes.by_ref().take(more).collect();
                    if code != "39" && code != "49" {
                        self.style
                            .push(format!("{which}{code} {}", value.join(" ")));
                    }
                    continue;
                }
            };
            self.style.retain(|set| !unset.contains(&set.as_str()));
        }
    }
}

fn cells(count: usize) -> u16 {
    count.try_into().unwrap()
}
