//! Checks of the terminal: what can be drawn on it.

use std::io::IsTerminal;

use super::findings::{Finding, FindingState};
use crate::agent::overlay_program;

/// Checks the terminal, its colors and its characters.
pub(super) fn terminal() -> Vec<Finding> {
    let term = variable("TERM");
    let kind = if term.is_empty() {
        "of an unknown kind".to_owned()
    } else {
        format!("`{term}`")
    };
    let terminal = if term == "dumb" {
        let hint =
            "reviews are line by line; `countersign serve` needs a terminal that can be drawn on";
        Finding::new("terminal", FindingState::Bad, "it cannot be drawn on").hint(hint)
    } else if std::io::stdout().is_terminal() {
        Finding::new("terminal", FindingState::Good, kind)
    } else {
        Finding::new(
            "terminal",
            FindingState::Absent,
            format!("{kind}; this runs without one"),
        )
    };
    let colours = match (
        variable("NO_COLOR").as_str(),
        variable("COLORTERM").as_str(),
    ) {
        ("", "truecolor" | "24bit") => "all",
        ("", _) if term.contains("256color") => "256",
        ("", _) => "those of the terminal's palette",
        _ => "none, as `NO_COLOR` asks",
    };
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable);
    let locale = locale.iter().find(|name| !name.is_empty());
    let is_unicode =
        locale.is_some_and(|name| name.to_lowercase().replace('-', "").contains("utf8"));
    let signs = if is_unicode {
        Finding::new("signs", FindingState::Good, "all of Unicode")
    } else {
        let hint = "set `LANG` to a UTF-8 locale, such as `C.UTF-8`";
        Finding::new(
            "signs",
            FindingState::Absent,
            "ASCII only, because the locale is not UTF-8",
        )
        .hint(hint)
    };
    vec![
        terminal,
        Finding::new("colours", FindingState::Good, colours),
        signs,
    ]
}

/// Checks whether a reviewer can be opened over this terminal.
pub(super) fn overlay() -> Finding {
    match overlay_program() {
        Some(name) => Finding::new("overlay", FindingState::Good, format!("a reviewer can be opened over {name}")),
        None => Finding::new("overlay", FindingState::Absent, "no multiplexer here over which a reviewer can be opened")
            .hint("run `countersign serve` in a terminal of its own, or work in tmux, zellij, kitty or wezterm"),
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}
