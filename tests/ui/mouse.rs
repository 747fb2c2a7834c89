//! What the mouse does.

use crate::script::Script;
use countersign::ui::action::Mouse;
use countersign::ui::state::mode::Mode;

use crate::fixture::sample;
use crate::flows::{marks, text};

#[test]
fn the_mouse_points_scrolls_and_decides() {
    let mut script = Script::new(sample(), 160, 30);
    script.press("b");
    // The mark of the added line of the first hunk is at the start of the right half.
    let screen = script.screen();
    let y = screen
        .lines()
        .position(|line| line.contains("+ backoff"))
        .unwrap();
    let column = script.app.stream.columns(&script.app.session, 0).new.mark;
    script.mouse(Mouse::Press, column, u16::try_from(y).unwrap());
    assert_eq!(marks(&script), "a....!..");
    script
        .mouse(Mouse::Wheel(3), 5, 5)
        .mouse(Mouse::Wheel(3), 5, 5);
    assert_eq!(script.app.stream.top, 6);
    script
        .mouse(Mouse::Press, 20, 10)
        .mouse(Mouse::Drag, 20, 13)
        .press("r");
    assert!(matches!(script.app.mode, Mode::Review));
}

#[test]
fn a_click_in_an_edit_puts_the_text_cursor() {
    let mut script = Script::new(sample(), 160, 30);
    script.press("i");
    let y = script
        .screen()
        .lines()
        .position(|line| line.contains("+ backoff"))
        .unwrap();
    let x = script.app.stream.columns(&script.app.session, 0).new.text;
    script
        .mouse(Mouse::Press, x + 4, u16::try_from(y).unwrap())
        .press("<X>");
    assert!(text(&script).contains("backXoff"), "{}", text(&script));
}

#[test]
fn a_drag_in_an_edit_selects() {
    let mut script = Script::new(sample(), 160, 30);
    script.press("i");
    let screen = script.screen();
    let y = screen.lines().position(|line| line.contains("+ backoff"));
    let y = u16::try_from(y.unwrap()).unwrap();
    let x = script.app.stream.columns(&script.app.session, 0).new.text;
    script
        .mouse(Mouse::Press, x, y)
        .mouse(Mouse::Drag, x + 4, y)
        .press("<X>");
    assert!(text(&script).contains("Xoff = "), "{}", text(&script));
}

#[test]
fn the_divider_is_dragged() {
    let mut script = Script::new(sample(), 160, 30);
    let list = |script: &Script| script.app.screen().unwrap().list.unwrap().body.width;
    let divider = list(&script);
    script
        .mouse(Mouse::Press, divider, 9)
        .mouse(Mouse::Drag, 55, 9)
        .mouse(Mouse::Drag, 60, 20);
    assert_eq!(list(&script), 60);
    script.mouse(Mouse::Drag, 1, 9);
    assert_eq!(list(&script), 12);
    script.mouse(Mouse::Press, 80, 9).mouse(Mouse::Drag, 80, 11);
    assert!(matches!(script.app.mode, Mode::Lines { .. }));
    assert_eq!(list(&script), 12);
}
