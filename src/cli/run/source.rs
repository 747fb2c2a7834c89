//! The changes of a layer as the source of a review: they are compared, written to the tree, and reset in the layer.

use std::collections::BTreeMap;
use std::io;

use super::changes::LayerChanges;
use super::finish::{Which, finish, leave_verdict};
use super::renames::{RenameCandidate, renames};
use crate::app::apply::carry_out;
use crate::app::rejections::{self, EarlierReviews};
use crate::app::snapshots::Snapshots;
use crate::app::source::ReviewSource;
use crate::app::{threads, write_comparison};
use crate::review::{FileReview, Remark, ReviewSession, Writing, compare};
use crate::store::{ContentHash, Root};
use crate::ui::Placed;

impl ReviewSource for LayerChanges {
    fn root(&self) -> &Root {
        &self.root
    }

    fn hash(&self) -> ContentHash {
        ContentHash::of(format!("run {}", self.layer.id).as_bytes())
    }

    fn intent(&self) -> String {
        format!(
            "What `{}` changed (layer {}).",
            self.about.command.join(" "),
            self.layer.id
        )
    }

    fn records_rejections(&self) -> bool {
        true
    }

    fn placings(&self) -> &Snapshots {
        &self.placings
    }

    fn place(&mut self) -> anyhow::Result<ReviewSession> {
        let entries = self.entries()?;
        let placing = self.placings.begin();
        self.layered.begin();
        let names: Vec<&str> = entries
            .iter()
            .filter_map(|entry| entry.path.to_str())
            .collect();
        self.base.prepare(&self.about, &names)?;
        let mut candidates = Vec::new();
        for entry in &entries {
            candidates.extend(self.candidate(entry)?);
        }
        let renames = renames(&candidates);
        self.hold_removals(&mut candidates, &renames);
        let mut by_name: BTreeMap<String, RenameCandidate> = (candidates.into_iter())
            .map(|candidate| (candidate.name.clone(), candidate))
            .collect();
        let mut compared = Vec::new();
        for (from, to) in renames {
            if let (Some(mut old), Some(new)) = (by_name.remove(&from), by_name.remove(&to)) {
                old.merged = new.merged;
                compared.push(self.compared(old, Some(to)));
            }
        }
        compared.extend(
            by_name
                .into_values()
                .map(|candidate| self.compared(candidate, None)),
        );
        compared.sort_by(|one, other| one.path.cmp(&other.path));
        let mut session = compare(self.intent(), &compared);
        session.placing = placing;
        let calls = self.layer.calls();
        for file in &mut session.files {
            let made_by = self.maker(&calls, file);
            for hunk in &mut file.hunks {
                if hunk.is_decidable() && !hunk.is_sure() {
                    hunk.remarks.push(Remark::BothChanged);
                }
                hunk.remarks.extend(made_by.clone().map(Remark::MadeBy));
            }
        }
        if self.is_followed {
            rejections::carry_over(&self.root, self.hash(), &mut session);
        } else {
            EarlierReviews::read(&self.root).mark(&mut session);
        }
        threads::mark(&self.root, &mut session);
        Ok(session)
    }

    fn place_anew(&mut self) -> Option<Placed> {
        let session = self.place().ok()?;
        let mut changed = self.placings.changed();
        changed.extend(self.layered.changed());
        changed.sort();
        changed.dedup();
        (!changed.is_empty()).then_some(Placed {
            session,
            changed,
            precision: None,
            notice: None,
        })
    }

    fn conclude(
        &mut self,
        session: &ReviewSession,
        writing: &Writing,
        waits: bool,
    ) -> anyhow::Result<Option<String>> {
        let is_over = matches!(writing, Writing::Done { .. } | Writing::Rehearsed);
        let is_reviewed = session.files.iter().any(|file| file.refusal().is_none());
        if !is_over || !is_reviewed {
            return Ok(None);
        }
        let mut remark = finish(self, session, Which::Decided);
        if !waits && let Err(error) = leave_verdict(self, session, writing) {
            let kept = format!("the verdict could not be left for the agent: {error:#}");
            remark = Some(remark.map_or(kept.clone(), |remark| format!("{remark}; {kept}")));
        }
        Ok(remark)
    }

    fn write(&mut self, session: &ReviewSession) -> Writing {
        let known = |file: &FileReview| self.layered.known(file.new_path());
        let not_found = io::ErrorKind::NotFound;
        let load = |file: &FileReview| self.content.load(known(file).ok_or(not_found)?);
        write_comparison::write(&self.placings, session, &load, |writes| {
            carry_out(&self.root, &writes)
        })
    }
}
