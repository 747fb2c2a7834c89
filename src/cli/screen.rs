//! Options of the screen by the settings.

use super::settings::{keymap, palette};
use crate::config::{self, Config};
use crate::review::Layout;
use crate::ui::Answers;
use crate::ui::file_list::Sort;
use crate::ui::theme::{Background, Signs};
use crate::ui::{Ambiguous, FilesShown, LongLines, Options, Probe};

/// Returns the options that the screen is opened with.
pub(super) fn options(config: &Config) -> Options {
    let settings = &config.settings;
    let ui = &settings.ui;
    let by_environment = Options::from_env();
    Options {
        probe: match by_environment.probe {
            Probe::Background
                if ui.background != config::Background::Auto || ui.theme.0 != "auto" =>
            {
                Probe::Capability
            }
            Probe::Nothing | Probe::Capability | Probe::Background => by_environment.probe,
        },
        background: match ui.background {
            config::Background::Auto => by_environment.background,
            config::Background::Dark => Background::Dark,
            config::Background::Light => Background::Light,
        },
        // An error in it was reported when it was loaded.
        palette: palette(config).unwrap_or(None),
        signs: match ui.signs {
            config::Signs::Auto => by_environment.signs,
            config::Signs::Unicode => &Signs::UNICODE,
            config::Signs::Ascii => &Signs::ASCII,
        },
        ambiguous: match ui.ambiguous_width {
            config::AmbiguousWidth::Narrow => Ambiguous::Narrow,
            config::AmbiguousWidth::Wide => Ambiguous::Wide,
        },
        layout: match ui.layout {
            config::Layout::Auto => None,
            config::Layout::Split => Some(Layout::Split),
            config::Layout::Unified => Some(Layout::Unified),
        },
        list: match ui.list {
            config::List::Auto => None,
            config::List::Shown => Some(true),
            config::List::Hidden => Some(false),
        },
        long_lines: if ui.wrap {
            LongLines::Wrap
        } else {
            LongLines::WrapChanged
        },
        files: match ui.files {
            config::Files::All => FilesShown::All,
            config::Files::One => FilesShown::One,
        },
        order: match ui.order {
            config::Order::Risk => Sort::Risk,
            config::Order::Kind => Sort::Kind,
            config::Order::Path => Sort::Path,
            config::Order::Proposal => Sort::Proposal,
        },
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
