//! Options that several commands have.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

/// Sources of settings.
#[derive(Debug, Clone, Default, Args)]
pub struct SettingArgs {
    /// Read the settings from this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Set one value for this run, such as `ui.wrap=true`; `countersign config` shows all
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_assignment)]
    pub set: Vec<(String, String)>,
}

/// The form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportForm {
    /// For people.
    Text,
    /// For scripts, complete.
    Json,
    /// For models, short: outcome, changes, hunks to send again.
    Agent,
}

fn parse_assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("expected a name, `=` and a value")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// A time in seconds, which may have a fraction: at most a day.
pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "not a number of seconds".to_owned())?;
    if (0.0..=86_400.0).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("it must be from 0 to 86400".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_of_seconds() {
        let check = |text: &str, expected: Result<u64, &str>| {
            let found = parse_seconds(text).map(|time| time.as_millis());
            let expected = expected.map(u128::from).map_err(ToOwned::to_owned);
            assert_eq!(found, expected, "{text:?}");
        };
        check("0", Ok(0));
        check("0.25", Ok(250));
        check("86400", Ok(86_400_000));
        for text in ["86400.5", "-1", "inf", "NaN"] {
            check(text, Err("it must be from 0 to 86400"));
        }
        check("soon", Err("not a number of seconds"));
    }
}
