//! The page about signs and contrast, from the signs and the themes themselves.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use countersign::ui::theme::{Signs, THEMES};

use crate::block::expect_block;

#[test]
fn signs_match_the_program() {
    let of = |signs: &Signs| {
        [
            signs.accepted,
            signs.rejected,
            signs.undecided,
            signs.mixed,
            signs.edited,
            signs.attention,
            signs.applied,
            signs.protected,
            signs.comment,
            signs.moved_away,
            signs.moved_here,
            signs.new_since,
            signs.tab,
            signs.blank,
            signs.wide_blank,
            signs.no_newline,
            signs.cut,
        ]
    };
    let meanings = [
        "accepted",
        "rejected",
        "undecided",
        "decided in part, or not all alike",
        "with an edit of yours",
        "needs attention",
        "in the file already",
        "protected",
        "a comment",
        "a line that is moved away",
        "a line that is moved here",
        "new since an earlier version was rejected",
        "a tab",
        "a space",
        "a wide space",
        "no newline at the end of the file",
        "a text that is cut",
    ];
    let mut table =
        "| meaning | Unicode | one column everywhere | ASCII |\n|---|---|---|---|".to_owned();
    let columns = [&Signs::UNICODE, &Signs::EVEN, &Signs::ASCII].map(of);
    for (nth, meaning) in meanings.iter().enumerate() {
        let [unicode, even, ascii] = columns.map(|signs| signs[nth]);
        write!(
            table,
            "\n| {meaning} | `{unicode}` | `{even}` | `{ascii}` |"
        )
        .unwrap();
    }
    expect_block("docs/src/accessibility.md", "signs", &table);
}

/// The colours of a theme by the section and the name in its file.
type Colours = BTreeMap<(String, String), [u8; 3]>;

/// Reads a theme over the usual one of its background, which has what it leaves out.
fn colours(text: &str) -> Colours {
    let background = (text.lines())
        .find_map(|line| line.strip_prefix("background = \"")?.strip_suffix('"'))
        .unwrap();
    let (_, usual) = THEMES.iter().find(|(name, _)| *name == background).unwrap();
    let mut colours = Colours::new();
    for text in [usual, text] {
        let mut section = "";
        for line in text.lines() {
            section = line.strip_prefix('[').unwrap_or(section);
            if let Some((name, value)) = line.split_once(" = \"#") {
                let value = u32::from_str_radix(&value[..6], 16).unwrap().to_be_bytes();
                let key = (section.trim_end_matches(']').to_owned(), name.to_owned());
                colours.insert(key, [value[1], value[2], value[3]]);
            }
        }
    }
    colours
}

/// Returns the contrast ratio of two colours, from 1 to 21, as WCAG 2 defines it.
fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let [a, b] = [a, b].map(|colour| {
        let [r, g, b] = colour.map(|value| match f64::from(value) / 255.0 {
            value if value <= 0.04045 => value / 12.92,
            value => ((value + 0.055) / 1.055).powf(2.4),
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    });
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn contrasts_match_the_themes() {
    let mut table = "| theme | text | quiet text | states | signs of changed lines | source code |\n|---|---|---|---|---|---|".to_owned();
    for (name, text) in THEMES {
        let all = colours(text);
        let colour = |name: &str| all[&("colours".to_owned(), name.to_owned())];
        let grounds = |names: &[&str]| names.iter().map(|name| colour(name)).collect::<Vec<_>>();
        let least = |texts: &[[u8; 3]], grounds: &[[u8; 3]]| {
            let pairs = texts
                .iter()
                .flat_map(|text| grounds.iter().map(|ground| contrast(*text, *ground)));
            pairs.fold(f64::INFINITY, f64::min)
        };
        let places = grounds(&["ground", "bar", "dialog", "file", "cursor", "selected"]);
        let lines = ["ground", "removed-line", "added-line", "moved-line"];
        let words = ["removed-words", "added-words", "found"];
        let code: Vec<[u8; 3]> = (all.iter())
            .filter(|((section, _), _)| section == "tokens")
            .map(|(_, colour)| *colour)
            .collect();
        let signs = [
            least(&[colour("removed-sign")], &[colour("removed-line")]),
            least(&[colour("added-sign")], &[colour("added-line")]),
            least(&grounds(&["moved-sign"]), &[colour("moved-line")]),
        ];
        write!(
            table,
            "\n| `{name}` | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} |",
            least(&[colour("text")], &places),
            least(&[colour("quiet")], &places),
            least(
                &grounds(&["accepted", "rejected", "edited", "attention"]),
                &places
            ),
            signs.into_iter().fold(f64::INFINITY, f64::min),
            least(&code, &grounds(&[&lines[..], &words[..]].concat())),
        )
        .unwrap();
    }
    expect_block("docs/src/accessibility.md", "contrast", &table);
}
