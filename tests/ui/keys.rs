//! Keys that are other than the table's: dispatch, hints, help and messages follow them.

use crate::script::Script;
use countersign::review::Mark;
use countersign::ui::ScreenOptions;
use countersign::ui::keymap::{Keymap, Preset, Remap};
use ratatui::layout::Size;

use crate::fixture::sample;

fn script(preset: Preset, remaps: &[Remap<'_>]) -> Script {
    let (keymap, wrong) = Keymap::new(preset, remaps);
    assert_eq!(wrong, []);
    let options = ScreenOptions {
        keymap,
        ..ScreenOptions::default()
    };
    let size = Size {
        width: 160,
        height: 40,
    };
    Script::with_options(sample(), size, &options)
}

/// Presses keys that are another preset's, and looks at the first hunk.
#[track_caller]
fn check(preset: Preset, keys: &str, expected: Option<Mark>) {
    let mut script = script(preset, &[]);
    script.press(keys);
    let marks: Vec<_> = script
        .app
        .session
        .hunks()
        .map(|(_, hunk)| hunk.mark())
        .collect();
    assert_eq!(marks[0], expected, "{keys}\n{}", script.screen());
}

#[test]
fn a_sequence_of_another_screen_takes_its_second_key() {
    for (keys, shown) in [("! z b", "zb"), ("g a g y", "gy")] {
        let mut script = script(Preset::Default, &[]);
        let counts = script.app.session.counts();
        let before = script.press(&keys[..keys.len() - 2]).screen();
        assert!(before.contains("begins with it"), "{keys}: {before}");
        let screen = script.press(&keys[keys.len() - 1..]).screen();
        let words = format!("`{shown}` does nothing here");
        assert!(screen.contains(&words), "{keys}: {screen}");
        assert_eq!(script.app.session.counts(), counts, "{keys}");
    }
}

#[test]
fn presets_decide_by_their_own_keys() {
    check(Preset::Default, "a", Some(Mark::Accepted));
    check(Preset::Vim, "d p", Some(Mark::Accepted));
    check(Preset::Vim, "d o", Some(Mark::Rejected));
    check(Preset::Vim, "] c [ c a", Some(Mark::Accepted));
    check(Preset::GitAddP, "y", Some(Mark::Accepted));
    check(Preset::GitAddP, "n", Some(Mark::Rejected));
    check(Preset::GitAddP, "j k y", Some(Mark::Accepted));
    check(Preset::GitAddP, "t y", Some(Mark::Accepted));
}

#[test]
fn hints_help_and_messages_name_the_keys_that_hold() {
    let remap = |keys, command| Remap {
        place: "review",
        keys,
        command,
    };
    let mut script = script(
        Preset::Default,
        &[
            remap("F7", "accept"),
            remap("F8", "finish"),
            remap("F9 x", "help"),
            remap("q", "none"),
        ],
    );
    let bottom = |script: &mut Script| script.screen().lines().last().unwrap().to_owned();
    assert!(
        bottom(&mut script).starts_with(" F7 accept  r reject"),
        "{}",
        bottom(&mut script)
    );
    assert!(bottom(&mut script).contains("F8 finish"));
    script.press("q");
    assert!(
        bottom(&mut script).starts_with(" `q` does nothing here; F9 x shows the keys  "),
        "{}",
        bottom(&mut script)
    );
    script.press("j F9");
    assert_eq!(bottom(&mut script).trim(), "F9 x all keys");
    script.press("x");
    assert!(script.screen().contains("F7 a  "), "{}", script.screen());
}

#[test]
fn messages_of_what_is_read_name_the_keys_that_hold() {
    let remap = |place, keys, command| Remap {
        place,
        keys,
        command,
    };
    let mut script = script(
        Preset::Default,
        &[
            remap("reader", "F3", "search-text"),
            remap("prompt", "F4", "back"),
        ],
    );
    script.press("! n");
    assert!(
        script
            .screen()
            .contains("nothing to search for: press F3 first"),
        "{}",
        script.screen()
    );
    script.press("Esc t f <no such file>");
    assert!(
        script.screen().contains("no match; F4 clears the filter"),
        "{}",
        script.screen()
    );
}

#[test]
fn of_keys_that_go_on_each_is_named_whole_or_a_sign_says_that_there_are_more() {
    let bottom = |keys: &str, width: u16, expected: &str| {
        let mut script = Script::new(sample(), width, 12);
        let shown = script.press(keys).screen();
        assert_eq!(shown.lines().last().unwrap().trim(), expected, "{shown}");
    };
    let z = "z t to top  z to middle  b to bottom  p pairs  a fold  R open all  M close all";
    bottom("z", 100, z);
    bottom("z", 80, z);
    bottom("z", 40, "z t to top  z to middle  b to bottom  …");
    bottom("z", 20, "z t to top  …");
    bottom(
        "g",
        80,
        "g a accept rest  r reject rest  g top  c comment on all  p compare  …",
    );
    // Only where it would do something.
    bottom(
        "C <what> Enter g",
        99,
        "g a accept rest  r reject rest  j next comment  k previous comment  g top  c comment on all  …",
    );
    bottom("Z", 40, "Z Z write  Q discard");
}
