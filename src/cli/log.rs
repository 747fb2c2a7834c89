//! `countersign log`: what was written and what was decided, the latest first; or one of them in full.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

use super::args::LogArgs;
use super::exit::Exit;
use super::shared_args::{ReportForm, SettingArgs};
use super::{output, settings};
use crate::app::finished_reviews::{self, Finished};
use crate::app::recovery;
use crate::store::{ContentHash, HistoryError, Root, WrittenHashes};
use crate::text::{duration, plural, sanitize};

/// The name and version of the form of the list.
const SCHEMA: &str = "countersign-log/1";
/// Most files that an entry of the list names; the entry by itself names all.
const MOST_NAMED: usize = 8;

/// A batch that was written, a review that was finished, or both.
#[derive(Debug, Serialize)]
struct LogEntry {
    id: String,
    /// The folder that was written in, if it is another one than is asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<PathBuf>,
    /// In seconds since 1970.
    time: u64,
    files: Vec<WrittenHashes>,
    /// The review, if a person decided.
    review: Option<Finished>,
}

/// All entries.
#[derive(Debug, Serialize)]
struct CombinedLog {
    schema: &'static str,
    entries: Vec<LogEntry>,
}

/// Lists the batches that were written in a folder and the reviews that were finished, or shows one of them.
pub(super) fn run(args: &LogArgs) -> anyhow::Result<Exit> {
    let named = args.root.as_deref();
    let root = Root::open(named.unwrap_or(Path::new(".")))?;
    // Without its settings the guards of a root are not complete.
    if let Ok(config) = settings::load(&SettingArgs::default(), root.path()) {
        recovery::run_before_reading(&settings::guarded(root.anew()?, &config));
    }
    let (mut entries, mut damaged) = entries(&root, None)?;
    let related = named.map_or_else(|| root.related(), |_| Vec::new());
    for other in related {
        let (others, more) = self::entries(&other, Some(other.path()))?;
        entries.extend(others);
        damaged.extend(more);
    }
    entries.sort_by(|one, other| other.id.cmp(&one.id));
    for id in damaged {
        output::say(&format!("the record of batch {id} is damaged and left out"));
    }
    let is_json = args.report == ReportForm::Json;
    let text = if let Some(id) = &args.id {
        let at = entries.iter().position(|entry| entry.id == *id);
        let at = at.ok_or_else(|| HistoryError::Unknown { id: id.clone() })?;
        let entry = entries.swap_remove(at);
        if is_json {
            serde_json::to_string_pretty(&entry)? + "\n"
        } else {
            sanitized(shown(&entry))
        }
    } else if is_json {
        let schema = SCHEMA;
        serde_json::to_string_pretty(&CombinedLog { schema, entries })? + "\n"
    } else {
        if entries.is_empty() {
            output::say("nothing was written or reviewed here yet");
        }
        sanitized(entries.iter().map(line).collect::<Vec<_>>().concat())
    };
    output::write(&text)?;
    Ok(Exit::Done)
}

/// Makes control characters visible, in a pipe as well: its end may be a terminal.
fn sanitized(text: String) -> String {
    match sanitize(&text) {
        Cow::Owned(shown) => shown,
        Cow::Borrowed(_) => text,
    }
}

/// Returns the entries of one root and the names of its damaged records. `other` is its folder if that is shown.
fn entries(
    root: &Root,
    other: Option<&Path>,
) -> Result<(Vec<LogEntry>, Vec<String>), HistoryError> {
    let mut entries: BTreeMap<String, LogEntry> = BTreeMap::new();
    let log = root.log()?;
    for commit in log.entries {
        let time = commit.time.duration_since(UNIX_EPOCH).unwrap_or_default();
        let entry = LogEntry {
            id: commit.id.clone(),
            root: other.map(Path::to_owned),
            time: time.as_secs(),
            files: commit.files,
            review: None,
        };
        entries.insert(commit.id, entry);
    }
    for id in root.finished()? {
        let Some(review) = finished_reviews::read(root, &id) else {
            continue;
        };
        let entry = entries.entry(id.clone()).or_insert_with(|| LogEntry {
            id,
            root: other.map(Path::to_owned),
            time: review.time,
            files: Vec::new(),
            review: None,
        });
        entry.review = Some(review);
    }
    Ok((entries.into_values().collect(), log.damaged))
}

fn line(entry: &LogEntry) -> String {
    let mut files: Vec<String> = (entry.files.iter())
        .take(MOST_NAMED)
        .map(|file| file.path.to_string())
        .collect();
    if let Some(more) = entry
        .files
        .len()
        .checked_sub(MOST_NAMED)
        .filter(|more| *more > 0)
    {
        files.push(format!("and {more} more"));
    }
    let mut said = vec![files.join(", ")];
    if let Some(review) = &entry.review {
        said.extend(
            (!review.agents.is_empty()).then(|| format!("by {}", review.agents.join(", "))),
        );
        said.push(format!("{}: {}", review.command, review.summary));
        said.extend(threads(review));
    }
    said.extend(
        entry
            .root
            .iter()
            .map(|root| format!("in `{}`", root.display())),
    );
    said.retain(|said| !said.is_empty());
    format!("{}  {}  {}\n", entry.id, ago(entry.time), said.join("  "))
}

/// Returns the number of threads that a review names, in words.
fn threads(review: &Finished) -> Option<String> {
    let threads = review.report.get("threads")?.as_array()?;
    Some(plural(threads.len(), "thread"))
}

/// An entry in full.
fn shown(entry: &LogEntry) -> String {
    let mut lines = vec![format!("{}  {}", entry.id, ago(entry.time))];
    lines.extend(
        entry
            .root
            .iter()
            .map(|root| format!("in `{}`", root.display())),
    );
    if let Some(review) = &entry.review {
        let by = review.agents.join(", ");
        let by = if by.is_empty() {
            by
        } else {
            format!(", asked by {by}")
        };
        lines.push(format!(
            "reviewed with `countersign {}`{by}",
            review.command
        ));
        let intent = review.intent.lines().filter(|line| !line.trim().is_empty());
        lines.extend(intent.map(|line| format!("  {line}")));
        lines.push(String::new());
        lines.extend(review.text.lines().map(str::to_owned));
    }
    for WrittenHashes {
        path,
        before,
        after,
    } in &entry.files
    {
        let hash =
            |hash: &Option<ContentHash>| hash.map_or("none".to_owned(), |hash| hash.to_string());
        lines.push(String::new());
        lines.push(path.to_string());
        lines.push(format!("  before  {}", hash(before)));
        lines.push(format!("  after   {}", hash(after)));
    }
    lines.join("\n") + "\n"
}

/// Returns the age of something that happened at a time.
fn ago(time: u64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_secs());
    format!("{} ago", duration(now.saturating_sub(time)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::RepoPath;

    #[test]
    fn the_list_names_the_first_files_of_a_large_batch() {
        let told = |count: usize| {
            let file = |n| WrittenHashes {
                path: RepoPath::parse(&format!("f{n}")).unwrap(),
                before: None,
                after: None,
            };
            let entry = LogEntry {
                id: "id".to_owned(),
                root: None,
                time: 0,
                files: (0..count).map(file).collect(),
                review: None,
            };
            let line = line(&entry);
            line.split("ago  ").nth(1).unwrap().trim_end().to_owned()
        };
        assert_eq!(told(2), "f0, f1");
        assert_eq!(told(8), "f0, f1, f2, f3, f4, f5, f6, f7");
        assert_eq!(told(200), "f0, f1, f2, f3, f4, f5, f6, f7, and 192 more");
    }
}
