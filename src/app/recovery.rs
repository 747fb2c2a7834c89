//! Recovery at the start from a commit that an earlier run could not finish.

use crate::app::notice::say;
use crate::proposal::RepoPath;
use crate::store::{RecoverError, Recovery, Root, recover};

/// Finishes or takes back an interrupted commit, and reports it. Without a place for the journal, or while
/// another commit is at work, it does nothing: reading needs neither, and writing reports it.
pub(crate) fn run(root: &Root) -> anyhow::Result<()> {
    let told = match recover(root) {
        Ok(Recovery::Nothing) | Err(RecoverError::Lock(_)) => return Ok(()),
        Ok(Recovery::Finished { paths }) => {
            format!("an interrupted write was finished: {}", listed(&paths))
        }
        Ok(Recovery::TakenBack { paths, changed }) if changed.is_empty() => {
            format!("an interrupted write was taken back: {}", listed(&paths))
        }
        Ok(Recovery::TakenBack { paths, changed }) => format!(
            "an interrupted write was taken back: {}; changed since by another program and left alone: {}",
            listed(&paths),
            listed(&changed)
        ),
        Ok(Recovery::SetAside { journal, why }) => format!(
            "the journal of an interrupted write cannot be used: {why}\nno file was changed; the journal is now `{}`; compare the files with your version control",
            journal.display()
        ),
        Err(error) => return Err(error.into()),
    };
    say(&told);
    Ok(())
}

/// Does the same for a command that only shows records: it goes on if nothing can be done, and reports that.
pub(crate) fn run_before_reading(root: &Root) {
    if let Err(error) = run(root) {
        let hint = error.downcast_ref().map_or("", RecoverError::hint);
        say(&format!(
            "an interrupted write can be neither finished nor taken back now, and nothing is written before that: {error}\nhint: {hint}"
        ));
    }
}

fn listed(paths: &[RepoPath]) -> String {
    let names: Vec<String> = paths.iter().map(ToString::to_string).collect();
    names.join(", ")
}
