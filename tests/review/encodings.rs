//! New files in other encodings than UTF-8: the bytes of their edits are kept, whatever the name was before.

use std::sync::Arc;

use countersign::dialect::{self, Options};
use countersign::locate::Tolerance;
use countersign::proposal::{HunkOrder, Operation};
use countersign::review::{Found, Intake, NewTextEncoding, OtherFile, Refusal, intake};
use countersign::text::raw_bytes;
use encoding_rs::Encoding;

/// Texts of two lines, with the encodings that they are written in.
const TEXTS: &[(&str, &str)] = &[
    ("windows-1252", "Größe: 10 µm\nüber das Maß hinaus\n"),
    ("windows-1251", "привет мир\nкак твои дела\n"),
    ("shift_jis", "日本語の文書です。\n会議は明日です。\n"),
    ("euc-jp", "日本語の文書です。\n会議は明日です。\n"),
    ("euc-kr", "한국어 문장\n내일 회의\n"),
    ("gb18030", "中文句子\n明天开会\n"),
    ("utf-8", "日本語\nGröße\n"),
];

/// Returns the bytes that a file `f` gets from an input, or the reason why it gets none.
fn made(input: &[u8], found: &Found) -> Result<Vec<u8>, String> {
    let text = raw_bytes::from_bytes(input.to_vec());
    let parsed = dialect::parse(&text, &Options::default());
    assert_eq!(parsed.problems, [], "{text}");
    let files = parsed.proposal.files.into_iter().map(|change| Intake {
        order: dialect::named(change.dialect).map_or(HunkOrder::Any, dialect::Dialect::hunk_order),
        change: Arc::new(change),
        path: "f".to_owned(),
        other: OtherFile::None,
        found: found.clone(),
        protected: None,
        bytes: None,
        reading: NewTextEncoding::default(),
    });
    let files: Vec<Intake> = files.collect();
    let is_link = |part: &Intake| matches!(part.change.operation, Operation::Link { .. });
    assert_eq!(
        files.iter().any(is_link),
        matches!(found, Found::Link(_)),
        "{text}"
    );
    let session = intake(String::new(), Vec::new(), files, Tolerance::default());
    let file = &session.files[0];
    if let Some(refusal) = file.refusal() {
        let Refusal::Undecodable(why) = refusal else {
            panic!("{refusal:?} for {text}");
        };
        return Err(why.clone());
    }
    assert_eq!(file.unplaced(), 0, "{text}");
    assert!(!raw_bytes::is_raw(file.yours().text()), "{text}");
    Ok(file
        .base
        .encode(file.yours().text())
        .expect("its encoding has all characters"))
}

/// Puts `+` before each line.
fn added(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    lines.flat_map(|line| [b"+", line].concat()).collect()
}

#[test]
fn all_parts_of_a_new_file_have_one_encoding() {
    for (label, text) in TEXTS {
        let (text, ..) = Encoding::for_label(label.as_bytes()).unwrap().encode(text);
        let first = text.split_inclusive(|byte| *byte == b'\n').next().unwrap();
        let check = |edits: &[&[u8]], found: &Found, expected: &[u8]| {
            let input = [
                b"*** Begin Patch\n",
                &edits.concat()[..],
                b"*** End Patch\n",
            ]
            .concat();
            let shown = String::from_utf8_lossy(&input).into_owned();
            assert_eq!(
                made(&input, found).as_deref(),
                Ok(expected),
                "{label}: {shown}"
            );
        };
        let all = added(&text);
        let create: &[u8] = b"*** Add File: f\n";
        let edit: &[u8] = b"*** Update File: f\n@@\n";
        let delete: &[u8] = b"*** Delete File: f\n";
        check(&[create, &all], &Found::Absent, &text);
        check(&[delete, create, &all], &Found::Absent, &text);
        // ASCII first, and ASCII afterwards.
        check(
            &[create, b"+a\n+b\n", edit, b" a\n-b\n", &all],
            &Found::Absent,
            &[b"a\n", &text[..]].concat(),
        );
        check(
            &[create, b"+a\n+", first, edit, b" a\n-", first, b"+b\n"],
            &Found::Absent,
            b"a\nb\n",
        );
        check(
            &[create, &all, edit, b" ", first, b"+new\n"],
            &Found::Absent,
            &[first, b"new\n", &text[first.len()..]].concat(),
        );
    }
}

#[test]
fn a_file_in_the_place_of_a_link_keeps_its_bytes() {
    let utf16 = |text: &str| {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xFF, 0xFE].into_iter().chain(units).collect::<Vec<u8>>()
    };
    let legacy = TEXTS.iter().map(|(label, text)| {
        let encoding = Encoding::for_label(label.as_bytes()).unwrap();
        encoding.encode(text).0.into_owned()
    });
    let link = "diff --git a/f b/f\ndeleted file mode 120000\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
        \\ No newline at end of file\ndiff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n";
    for text in legacy.chain([utf16("café")]) {
        let lines = added(&text);
        let (count, end) = if text.ends_with(b"\n") {
            (2, "")
        } else {
            (1, "\n\\ No newline at end of file\n")
        };
        let head = format!("{link}@@ -0,0 +1,{count} @@\n");
        let input = [head.as_bytes(), &lines, end.as_bytes()].concat();
        assert_eq!(made(&input, &Found::Link("x".to_owned())), Ok(text));
    }
}

#[test]
fn parts_without_one_encoding_are_refused() {
    let none = Err("its bytes are not text in any encoding".to_owned());
    let check = |edits: &[u8]| {
        let input = [b"*** Begin Patch\n", edits, b"*** End Patch\n"].concat();
        assert_eq!(made(&input, &Found::Absent), none);
    };
    check(b"*** Add File: f\n+\xe4\0b\n");
    // A later part is refused with the first one.
    check(b"*** Add File: f\n+a\n+b\n*** Update File: f\n@@\n a\n-b\n+\xe4\0b\n");
    // An edit of a text in UTF-16 is not.
    let utf16: &[u8] = b"\xff\xfea\0\xe9\0\n";
    check(
        &[
            b"*** Add File: f\n+",
            utf16,
            b"*** Update File: f\n@@\n-",
            utf16,
            b"+a\n",
        ]
        .concat(),
    );
}
