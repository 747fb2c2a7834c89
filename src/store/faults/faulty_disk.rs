//! A disk on which something happens at one step.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::fs::{Mode, OFlags};

use crate::store::folder::folder_handle::{Folder, FoundName};
use crate::store::state::batch_id::BatchId;
use crate::store::state::journal::{Order, Phase, Record};
use crate::store::state::pack;
use crate::store::state::pack::Pack;
use crate::store::state::state_folder::StateFolder;
use crate::store::write::disk::{
    Disk, Name, StagedContent, StagedFile, exchange_by_renames, rename_by_link,
};
use crate::store::write::real_disk::RealDisk;

/// Fault at the chosen step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It fails, and the next ones work again.
    Once,
    /// It fails, and so does all that follows.
    Lasting,
    /// The program ends.
    End,
}

/// Way in which files change names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exchange {
    /// Two files in one step.
    AtOnce,
    /// Each file in one step.
    ByRenames,
    /// Each file in two steps.
    ByLinks,
}

pub(super) const EXCHANGES: [Exchange; 3] =
    [Exchange::AtOnce, Exchange::ByRenames, Exchange::ByLinks];

/// A disk on which something happens at one step.
pub(super) struct FaultyDisk {
    fault: Fault,
    exchange: Exchange,
    /// The steps that still work.
    pub(super) left: AtomicUsize,
    /// Called when all files are in place, and before the old ones are removed.
    pub(super) when_placed: Box<dyn Fn() + Sync>,
    /// Called when a step fails.
    pub(super) when_failing: Box<dyn Fn() + Sync>,
    /// The steps that work between the first failure and a second one.
    between: AtomicUsize,
}

/// Marker of a program that has ended without a result.
pub(super) struct ProgramEnded;

impl FaultyDisk {
    pub(super) fn new(fault: Fault, exchange: Exchange, step: usize) -> Self {
        Self {
            fault,
            exchange,
            left: AtomicUsize::new(step),
            when_placed: Box::new(|| ()),
            when_failing: Box::new(|| ()),
            between: AtomicUsize::new(usize::MAX),
        }
    }

    /// Creates a disk on which one step fails, and another one when so many have worked since.
    pub(super) fn failing_twice(exchange: Exchange, step: usize, between: usize) -> Self {
        Self {
            between: AtomicUsize::new(between),
            ..Self::new(Fault::Once, exchange, step)
        }
    }

    fn step(&self) -> io::Result<()> {
        let one_less = |left: usize| left.checked_sub(1);
        let left = (self.left).fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less);
        match (left, self.fault) {
            (Ok(_), _) => Ok(()),
            (Err(_), Fault::Once) => {
                (self.when_failing)();
                let next = self.between.swap(usize::MAX, Ordering::Relaxed);
                self.left.store(next, Ordering::Relaxed);
                Err(io::Error::other("a fault"))
            }
            (Err(_), Fault::Lasting) => Err(io::Error::other("a lasting fault")),
            // Without the message that a panic prints.
            (Err(_), Fault::End) => resume_unwind(Box::new(ProgramEnded)),
        }
    }
}

impl Disk for FaultyDisk {
    fn make_folder(&self, at: &Folder, name: &Path) -> io::Result<()> {
        self.step()?;
        RealDisk.make_folder(at, name)
    }

    fn remove_folder(&self, at: &Folder, name: &Path) -> io::Result<()> {
        self.step()?;
        RealDisk.remove_folder(at, name)
    }

    fn stage(
        &self,
        at: &Folder,
        name: &Path,
        content: &StagedContent<'_>,
    ) -> io::Result<StagedFile> {
        if self.left.load(Ordering::Relaxed) == 0 && self.fault != Fault::Lasting {
            let bytes = content.parts.concat();
            let half = StagedContent {
                parts: &[&bytes[..bytes.len() / 2]],
                ..*content
            };
            RealDisk.stage(at, name, &half)?;
        }
        self.step()?;
        RealDisk.stage(at, name, content)
    }

    fn stage_link(&self, at: &Folder, name: &Path, target: &Path) -> io::Result<StagedFile> {
        self.step()?;
        RealDisk.stage_link(at, name, target)
    }

    fn flush(&self, at: &Folder, name: &Path) -> io::Result<()> {
        self.step()?;
        RealDisk.flush(at, name)
    }

    fn flush_all(&self, at: &Folder) -> io::Result<()> {
        self.step()?;
        RealDisk.flush_all(at)
    }

    fn stage_folder(&self, at: &Folder, name: &Path) -> io::Result<StagedFile> {
        self.step()?;
        RealDisk.stage_folder(at, name)
    }

    fn rename(&self, from: Name<'_>, to: Name<'_>) -> io::Result<()> {
        if self.exchange == Exchange::ByLinks {
            return rename_by_link(self, from, to);
        }
        self.step()?;
        RealDisk.rename(from, to)
    }

    fn link(&self, from: Name<'_>, to: Name<'_>) -> io::Result<()> {
        self.step()?;
        RealDisk.link(from, to)
    }

    fn move_folder(&self, from: Name<'_>, to: Name<'_>) -> io::Result<()> {
        self.step()?;
        RealDisk.move_folder(from, to)
    }

    fn exchange(&self, at: &Folder, staged: &Path, target: &Path, spare: &Path) -> io::Result<()> {
        match self.exchange {
            Exchange::AtOnce => {
                self.step()?;
                RealDisk.exchange(at, staged, target, spare)
            }
            Exchange::ByRenames | Exchange::ByLinks => {
                exchange_by_renames(self, at, staged, target, spare)
            }
        }
    }

    fn overwrite(&self, at: &Folder, target: &Path, from: &Path) -> io::Result<()> {
        if self.left.load(Ordering::Relaxed) == 0 && self.fault != Fault::Lasting {
            let flags = OFlags::WRONLY | OFlags::NOFOLLOW;
            let file = rustix::fs::openat(at, target, flags, Mode::empty())?;
            if let FoundName::File(mut source) = at.look(from)? {
                let bytes = source.read()?;
                rustix::io::write(file, &bytes[..bytes.len() / 2])?;
            }
        }
        self.step()?;
        RealDisk.overwrite(at, target, from)
    }

    fn remove(&self, at: &Folder, name: &Path) -> io::Result<()> {
        self.step()?;
        RealDisk.remove(at, name)
    }

    fn put_away(&self, at: &Folder, name: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        RealDisk.put_away(at, name, to)
    }

    fn sync(&self, at: &Folder) -> io::Result<()> {
        self.step()?;
        RealDisk.sync(at)
    }

    /// As on the disks of most users, whatever the test runs on.
    fn device_in_order(&self, state: &StateFolder) -> Option<u64> {
        state.device()
    }

    fn pack(&self, state: &StateFolder, id: BatchId) -> io::Result<Pack> {
        self.step()?;
        RealDisk.pack(state, id)
    }

    fn keep(&self, pack: &mut Pack, content: &pack::PackContent<'_>) -> io::Result<()> {
        self.step()?;
        RealDisk.keep(pack, content)
    }

    fn begin(&self, state: &StateFolder, record: &Record) -> io::Result<()> {
        self.step()?;
        RealDisk.begin(state, record)
    }

    fn mark(&self, state: &StateFolder, phase: Phase) -> io::Result<()> {
        self.step()?;
        RealDisk.mark(state, phase)?;
        if phase == Phase::Placed {
            (self.when_placed)();
        }
        Ok(())
    }

    fn discard(&self, state: &StateFolder, id: BatchId) -> io::Result<()> {
        self.step()?;
        RealDisk.discard(state, id)
    }

    fn archive(&self, state: &StateFolder, id: BatchId, order: Order) -> io::Result<()> {
        self.step()?;
        RealDisk.archive(state, id, order)
    }
}

/// Runs until the program ends; `None` if it did before the function did.
pub(super) fn run_until_end<T>(run: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => Some(result),
        Err(payload) if payload.is::<ProgramEnded>() => None,
        Err(payload) => resume_unwind(payload),
    }
}
