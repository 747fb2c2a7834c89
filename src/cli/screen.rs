//! Options of the screen by the settings.

use super::settings::{keymap, palette};
use crate::config::Config;
use crate::ui::{Answers, LongLines, Probe, ScreenOptions};

/// Returns the options that the screen is opened with.
pub(super) fn options(config: &Config) -> ScreenOptions {
    let settings = &config.settings;
    let ui = &settings.ui;
    let by_environment = ScreenOptions::from_env();
    ScreenOptions {
        probe: if ui.background.is_some() || ui.theme.0 != "auto" {
            Probe::Nothing
        } else {
            by_environment.probe
        },
        background: ui.background.unwrap_or(by_environment.background),
        // An error in it was reported when it was loaded.
        palette: palette(config).unwrap_or(None),
        signs: ui.signs.unwrap_or(by_environment.signs),
        ambiguous: ui.ambiguous_width,
        layout: ui.layout,
        list: ui.list,
        long_lines: if ui.wrap {
            LongLines::Wrap
        } else {
            LongLines::WrapChanged
        },
        files: ui.files,
        order: ui.order,
        context: ui.context.0,
        words: ui.word_diff,
        advance: ui.auto_advance,
        mouse: ui.mouse,
        editor: settings.editor.command.clone(),
        keymap: keymap(config).0,
        linear: if ui.linear {
            Some(Answers::Terminal)
        } else {
            by_environment.linear
        },
        ..by_environment
    }
}
