//! What the screen looks like.

use crate::script::Script;
use countersign::review::Layout;
use countersign::ui::Ambiguous;
use countersign::ui::ScreenOptions;
use countersign::ui::glyphs::width;
use countersign::ui::theme::{Depth, Signs};
use insta::assert_snapshot;
use ratatui::layout::Size;
use ratatui::style::Color;

use crate::fixture::{Batch, sample};
use crate::looks::look;

#[test]
fn wide() {
    let mut script = Script::new(sample(), 160, 50);
    script.press("a r j j j");
    assert_snapshot!(script.screen());
}

#[test]
fn middle() {
    let mut script = Script::new(sample(), 100, 30);
    script.press("} v j j j j j j j");
    assert_snapshot!(script.screen());
}

#[test]
fn narrow() {
    let mut script = Script::new(sample(), 60, 20);
    script.press("} ] ] w");
    assert_snapshot!(script.screen());
}

#[test]
fn one_file_at_a_time() {
    let mut script = Script::new(sample(), 100, 24);
    script.press("o } ] a");
    assert_snapshot!(script.screen());
}

#[test]
fn moved_lines() {
    let body = "    let total = price * count;\n    let rebate = total / 10;\n";
    let (old, new) = (
        format!("// head\nfn pay() {{\n{body}}}\n"),
        format!("fn sum() {{\n{body}    total - rebate\n}}"),
    );
    let session = Batch::new("Take the sum out")
        .modify("pay.rs", &old, &[(body.trim_end(), "    sum()")])
        .create("sum.rs", &new)
        .session();
    let mut script = Script::new(session, 110, 18);
    script.press("j");
    let split = script.screen();
    script.press("| j j");
    assert_snapshot!(split + "\n" + &script.screen());
}

#[test]
fn a_terminal_that_shows_what_is_ambiguous_wide() {
    let session = Batch::new("± 1 °C … “warm”")
        .modify(
            "αβγ.txt",
            "one\n× 2 → “αβγ” │ é\nthree\n",
            &[(
                "× 2 → “αβγ” │ é",
                "× 3 → “αβγ” │ é and a tail that is cut off",
            )],
        )
        .session();
    let options = ScreenOptions {
        ambiguous: Ambiguous::Wide,
        layout: Some(Layout::Split),
        ..ScreenOptions::default()
    };
    let size = Size {
        width: 100,
        height: 14,
    };
    let mut script = Script::with_options(session, size, &options);
    script.press("] c <… done> Enter");
    assert_snapshot!(script.screen());
    // On such a terminal every row ends where the screen does, and the line between the sides is one line.
    let buffer = script.buffer();
    let mut dividers = Vec::new();
    for y in 0..size.height {
        let mut x = 0;
        while x < size.width {
            let symbol = buffer[(x, y)].symbol();
            if symbol == "|" && (5..9).contains(&y) {
                dividers.push(x);
            }
            x += u16::try_from(width(symbol)).unwrap();
        }
        assert_eq!(x, size.width, "row {y}");
    }
    dividers.dedup();
    assert_eq!(dividers.len(), 1, "{dividers:?}");
}

#[test]
fn tiny() {
    let mut script = Script::new(sample(), 20, 5);
    assert_snapshot!(script.screen());
    script.resize(19, 5);
    assert_eq!(script.screen().lines().next(), Some("too small: 20 by 5"));
}

#[test]
fn editing() {
    let mut script = Script::new(sample(), 140, 30);
    script.press("} ] ] j j j j i End < // 日本> Enter <let new = 1;>");
    assert_snapshot!(script.screen());
}

#[test]
fn searching_in_what_is_edited() {
    let mut script = Script::new(sample(), 100, 20);
    script.press("} ] ] j j j j i C-s <self>");
    let asking = script.screen();
    script.press("Enter M-n");
    assert_snapshot!(asking + "\n" + &script.screen());
}

#[test]
fn a_hunk_in_three_texts() {
    let mut script = Script::new(sample(), 160, 14);
    script.press("} ] ] i <very > Esc g p");
    let side_by_side = script.screen();
    script.resize(100, 14);
    assert_snapshot!(side_by_side + "\n" + &script.screen());
}

/// A file whose lines have changed since the edits were written.
fn drifted() -> Batch {
    let text = "\
fn connect(address: &str) -> Result<Socket, Error> {
    let socket = Socket::open(address)?;
    socket.set_timeout(Duration::from_secs(30));
    socket.handshake(PROTOCOL)?;
    Ok(socket)
}

fn close(socket: Socket) {
    socket.flush();
    drop(socket);
}
";
    Batch::new("Wait longer for the server.").modify(
        "connect.rs",
        text,
        &[
            (
                "    let socket = Socket::open(host)?;\n    socket.set_timeout(Duration::from_secs(10));\n    socket.handshake(PROTOCOL)?;",
                "    let socket = Socket::open(host)?;\n    socket.set_timeout(Duration::from_secs(60));\n    socket.handshake(PROTOCOL)?;",
            ),
            ("    socket.flush();", "    socket.flush()?;"),
            (
                "fn reconnect(pool: &Pool) {\n    pool.drain();\n}",
                "fn reconnect(pool: &Pool) {\n    pool.drain_all();\n}",
            ),
        ],
    )
}

#[test]
fn a_doubtful_hunk_below_one_without_a_place() {
    let mut script = Script::new(drifted().session(), 100, 30);
    assert_snapshot!(script.screen());
}

#[test]
fn a_doubtful_hunk_is_accepted_and_one_without_a_place_rejected() {
    let mut script = Script::new(drifted().session(), 100, 30);
    script.press("Tab a g g ] r g g");
    assert_snapshot!(script.screen());
}

#[test]
fn two_hunks_change_the_same_lines() {
    let session = Batch::new("Two changes of one line.")
        .modify(
            "limits.toml",
            "[limits]\nretries = 3\ntimeout = 30\nidle = 300\n",
            &[
                ("retries = 3\ntimeout = 30", "retries = 5\ntimeout = 60"),
                ("timeout = 30\nidle = 300", "timeout = 45\nidle = 300"),
            ],
        )
        .session();
    let mut script = Script::new(session, 100, 30);
    assert_snapshot!(script.screen());
}

#[test]
fn the_list_of_all_files() {
    let mut script = Script::new(sample(), 100, 14);
    script.press("t j j a j r");
    assert_snapshot!(script.screen());
}

#[test]
fn any_command_by_its_name() {
    let mut script = Script::new(sample(), 100, 24);
    script.press(": <next> Down");
    assert_snapshot!(script.screen());
}

#[test]
fn keys_with_some_letters() {
    let mut script = Script::new(sample(), 100, 24);
    script.press("? / <comment>");
    assert_snapshot!(script.screen());
}

#[test]
fn a_plain_terminal_gets_plain_signs() {
    let options = ScreenOptions {
        depth: Depth::None,
        signs: &Signs::ASCII,
        ..ScreenOptions::default()
    };
    let session = Batch::new("plain")
        .modify("a.txt", "one\ntwo\n", &[("two", "2")])
        .session();
    let mut script = Script::with_options(
        session,
        Size {
            width: 130,
            height: 12,
        },
        &options,
    );
    script.press("a g a y").press("q");
    let buffer = script.buffer();
    for (at, cell) in buffer.content().iter().enumerate() {
        assert!(
            cell.symbol().is_ascii(),
            "{:?}: {}",
            buffer.pos_of(at),
            cell.symbol()
        );
        assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
    }
}

#[test]
fn what_was_not_understood() {
    let session = Batch::new("Two wishes:\n* more\n* less")
        .modify("a.txt", "one\n", &[("one", "two")])
        .problem("b.txt", 12)
        .problem("c.txt", 40)
        .session();
    let mut script = Script::new(session, 80, 20);
    script.press("t");
    assert_snapshot!(script.screen());
}

#[test]
fn the_end() {
    let mut script = Script::new(sample(), 100, 24);
    script.press("a r q");
    assert_snapshot!(script.screen());
}

#[test]
fn a_question_before_the_rest() {
    let mut script = Script::new(sample(), 80, 16);
    script.press("g a");
    assert_snapshot!(script.screen());
}

#[test]
fn the_keys() {
    let mut script = Script::new(sample(), 120, 80);
    script.press("?");
    assert_snapshot!(script.screen());
}

#[test]
fn colours() {
    let mut script = Script::new(sample(), 100, 30);
    script.press("} ] ]").wait_for_colours();
    assert_snapshot!(look(&mut script));
}
