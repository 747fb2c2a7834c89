//! The order by intent: hunks of one purpose are together, under a heading.

use countersign::review::{HunkId, Mark, ReviewSession, Row};
use countersign::ui::ScreenOptions;
use countersign::ui::file_list::{FileListRow, ListGroup, Sort};
use insta::assert_snapshot;
use ratatui::layout::Size;

use crate::fixture::Batch;
use crate::script::Script;

const CLIENT: &str = "\
use crate::config::Config;

impl Client {
    pub fn new(config: &Config) -> Self {
        Self {
            base: config.base.clone(),
            timeout: config.timeout,
        }
    }

    pub fn fetch(&self, path: &str) -> Result<String, Error> {
        let url = format!(\"{}/{path}\", self.base);
        get(&url, self.timeout)
    }

    pub fn close(self) {
        drop(self.base);
    }
}
";
const CONFIG: &str = "\
pub struct Config {
    pub base: String,
    pub timeout: u64,
}

impl Config {
    pub fn read(text: &str) -> Self {
        parse(text)
    }
}
";
const MAIN: &str = "\
fn main() {
    let config = Config::read(TEXT);
    let client = Client::new(&config);
    let page = client.fetch(\"index\");
    println!(\"{page:?}\");

    let other = client.fetch(\"other\");
    println!(\"{other:?}\");
}
";
const RETRIES: &str = "First, the configuration gets the number of retries:";

/// Three files: two hunks announced by one sentence, a word that three hunks replace, and a definition with a use.
fn session() -> ReviewSession {
    Batch::new("The client tries again when a request fails.")
        .modify(
            "src/client.rs",
            CLIENT,
            &[
                (
                    "            timeout: config.timeout,",
                    "            timeout: config.timeout,\n            retries: config.retries,",
                ),
                (
                    "    pub fn fetch(&self, path: &str) -> Result<String, Error> {",
                    "    pub fn load(&self, path: &str) -> Result<String, Error> {",
                ),
                ("        drop(self.base);", "        drop(self);"),
            ],
        )
        .announce(&[RETRIES])
        .modify(
            "src/config.rs",
            CONFIG,
            &[
                (
                    "    pub timeout: u64,",
                    "    pub timeout: u64,\n    pub retries: u32,",
                ),
                (
                    "    pub fn read(text: &str) -> Self {",
                    "    pub fn decode(text: &str, limit: usize) -> Self {",
                ),
            ],
        )
        .announce(&[RETRIES])
        .modify(
            "src/main.rs",
            MAIN,
            &[
                (
                    "    let config = Config::read(TEXT);",
                    "    let config = Config::decode(TEXT, 9);",
                ),
                (
                    "    let page = client.fetch(\"index\");",
                    "    let page = client.load(\"index\");",
                ),
                (
                    "    let other = client.fetch(\"other\");",
                    "    let other = client.load(\"other\");",
                ),
            ],
        )
        .session()
}

fn by_intent(session: ReviewSession, width: u16, height: u16) -> Script {
    let options = ScreenOptions {
        order: Sort::Intent,
        ..ScreenOptions::default()
    };
    Script::with_options(session, Size { width, height }, &options)
}

/// Describes the stream: each purpose with its hunks, as `file.hunk`.
fn described(script: &Script) -> Vec<String> {
    let rows = &script.app.stream.rows;
    let mut found: Vec<String> = Vec::new();
    for row in (0..rows.len()).filter_map(|idx| rows.get(idx)) {
        if let Row::Purpose { purpose, .. } = row {
            found.push(script.app.summaries.purposes[purpose].to_string());
        } else if let Row::Hunk { id } = row {
            let name = format!(" {}.{}", id.file, id.hunk);
            match found.last_mut() {
                Some(last) => last.push_str(&name),
                None => found.push(name),
            }
        }
    }
    found
}

fn marks(script: &Script) -> String {
    let hunks = script.app.session.hunks();
    let sign = |(_, hunk): (HunkId, &countersign::review::HunkReview)| match hunk.mark() {
        Some(Mark::Accepted) => 'a',
        Some(Mark::Rejected) => 'r',
        Some(_) | None => '.',
    };
    hunks.map(sign).collect()
}

#[test]
fn hunks_of_one_purpose_are_together() {
    let script = by_intent(session(), 120, 36);
    assert_eq!(
        described(&script),
        [
            format!("“{RETRIES}” 0.0 1.0"),
            "replaces `fetch` with `load` 0.1 2.1 2.2".to_owned(),
            "uses of `decode` 1.1 2.0".to_owned(),
            "other changes 0.2".to_owned(),
        ]
    );
}

#[test]
fn the_screen_by_intent() {
    let mut script = by_intent(session(), 120, 36);
    assert_snapshot!(script.screen());
}

#[test]
fn the_list_by_intent() {
    let mut script = by_intent(session(), 100, 20);
    script.press("t");
    assert_snapshot!(script.screen());
}

#[test]
fn without_a_purpose_there_is_no_heading() {
    let batch = Batch::new("Changes.")
        .modify("b.rs", "one\n", &[("one", "two")])
        .modify("a.rs", "three\n", &[("three", "four")]);
    let script = by_intent(batch.session(), 120, 36);
    assert_eq!(described(&script), [" 1.0 0.0"]);
}

#[test]
fn a_heading_decides_its_hunks() {
    // In the list, on the heading of the second group and on the first part of it.
    let mut script = by_intent(session(), 120, 36);
    script.press("t");
    script.app.file_list.cursor = 4;
    assert_eq!(
        script.app.file_list.row(),
        Some(FileListRow::Group(ListGroup::Purpose(1)))
    );
    script.press("a");
    let screen = script.screen();
    assert!(screen.contains("Accept 3 hunks in 2 files?"), "{screen}");
    script.press("y");
    assert_eq!(marks(&script), ".a....aa");
    script.press("j j r");
    assert_eq!(marks(&script), ".r....aa");
    script.press("u u");
    assert_eq!(marks(&script), "........");
    // Chosen parts, and chosen parts that are no more.
    script.press("g g j j Space Space a y");
    assert_eq!(marks(&script), "a..a....");
    script.press("u Space s");
    assert!(script.app.file_list.chosen().is_empty());
    // In the stream.
    let mut script = by_intent(session(), 120, 36);
    script.press("g g");
    assert!(matches!(
        script.app.stream.row(),
        Some(Row::Purpose { purpose: 0, .. })
    ));
    script.press("r y");
    assert_eq!(marks(&script), "r..r....");
}

#[test]
fn the_keys_go_through_the_purposes() {
    let mut script = by_intent(session(), 120, 36);
    let mut met = Vec::new();
    for _ in 0..8 {
        met.extend(script.app.stream.hunk().map(|id| (id.file, id.hunk)));
        script.press("a");
    }
    let expected = [
        (0, 0),
        (1, 0),
        (0, 1),
        (2, 1),
        (2, 2),
        (1, 1),
        (2, 0),
        (0, 2),
    ];
    assert_eq!(met, expected);
    // A row that names hunks of an earlier part goes there.
    let screen = script.screen();
    assert!(screen.contains("further up"), "{screen}");
    // The list opens at the part of the cursor, and goes back to it.
    script.press("g g } } t Enter");
    let part = script.app.stream.rows.part_of(script.app.stream.cursor);
    assert_eq!(part, Some(1));
}
