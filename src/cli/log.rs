//! `countersign log`: what was written, the latest first.

use std::time::SystemTime;

use super::args::LogArgs;
use super::exit::Exit;
use super::{output, recovery};
use crate::store::{Entry, Root};

/// Lists the batches that were written in a folder.
pub(super) fn run(args: &LogArgs) -> anyhow::Result<Exit> {
    let root = Root::open(&args.root)?;
    recovery::run(&root)?;
    let entries = root.log()?;
    let line = |entry: &Entry| {
        let files: Vec<String> = entry
            .files
            .iter()
            .map(|file| file.path.to_string())
            .collect();
        format!("{}  {}  {}\n", entry.id, ago(entry.time), files.join(", "))
    };
    let text: String = entries.iter().map(line).collect();
    output::write(&text)?;
    Ok(Exit::Done)
}

/// How long ago a time was, in the largest unit that fits.
fn ago(time: SystemTime) -> String {
    let seconds = SystemTime::now()
        .duration_since(time)
        .map_or(0, |age| age.as_secs());
    let (count, unit) = match seconds {
        0..60 => (seconds, "second"),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural} ago")
}
