//! The order of patches as the versions of files (`index OLD..NEW`) prove it.
//!
//! A patch that leaves a version was made before the one that begins with it. A version that a file has twice, as after a change and its
//! reversal, proves nothing.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use crate::proposal::{Blobs, FileChange};

/// Order of patches that the versions of all files prove.
#[derive(Debug, Default)]
pub(super) struct VersionChains {
    /// Pairs of patches, the earlier one first.
    proven: Vec<(usize, usize)>,
    /// Changes of files that several patches change, in an order that their versions prove.
    pub(super) chained: Vec<usize>,
    /// Those whose versions do not prove the whole order.
    pub(super) unproven: Vec<usize>,
    /// Those of files that have a version twice.
    pub(super) returning: Vec<usize>,
}

impl VersionChains {
    /// Links the changes of each file. `names` lists the names that a change needs or makes, `patches` has the patch of each change.
    pub(super) fn of<'f, N: Iterator<Item = &'f str>>(
        files: &'f [FileChange],
        patches: &[usize],
        names: impl Fn(&'f FileChange) -> N,
    ) -> Self {
        let mut of_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, file) in files.iter().enumerate() {
            if file.dialect == "unified" {
                for name in names(file) {
                    of_name.entry(name).or_default().push(at);
                }
            }
        }
        let mut chains = Self::default();
        for changes in of_name.into_values() {
            let first = patches[changes[0]];
            if changes.iter().any(|at| patches[*at] != first) {
                chains.add(files, patches, changes);
            }
        }
        chains
    }

    /// Links the changes of a file.
    fn add(&mut self, files: &[FileChange], patches: &[usize], changes: Vec<usize>) {
        let versions: Vec<(usize, &Blobs)> = (changes.iter())
            .filter_map(|at| Some((*at, files[*at].blobs.as_ref()?)))
            .collect();
        let chain = FileVersions::of(&versions).unwrap_or_else(|| {
            self.returning.extend(&changes);
            FileVersions::default()
        });
        let is_whole = chain.ends == 1 && chain.links.len() + 1 == changes.len();
        let links = chain.links.iter();
        let links = links.map(|(from, to)| (patches[*from], patches[*to]));
        self.proven.extend(links.filter(|(from, to)| from != to));
        let list = if is_whole {
            &mut self.chained
        } else {
            &mut self.unproven
        };
        list.extend(changes);
    }

    /// Returns `true` if no order is proven.
    pub(super) fn is_empty(&self) -> bool {
        self.proven.is_empty()
    }

    /// Returns `true` if patches at these places are in the order that is proven.
    pub(super) fn agree(&self, place: impl Fn(usize) -> usize) -> bool {
        self.proven
            .iter()
            .all(|(from, to)| place(*from) < place(*to))
    }

    /// Returns the place of each of so many patches in the order that is proven, and as listed where none is; `None` if the versions
    /// contradict each other.
    pub(super) fn places(&self, patches: usize) -> Option<Vec<usize>> {
        let mut later = vec![Vec::new(); patches];
        let mut waits_for = vec![0_usize; patches];
        for (from, to) in &self.proven {
            later[*from].push(*to);
            waits_for[*to] += 1;
        }
        let mut ready: BinaryHeap<Reverse<usize>> = (0..patches)
            .filter(|patch| waits_for[*patch] == 0)
            .map(Reverse)
            .collect();
        let mut places = vec![0; patches];
        let mut count = 0;
        while let Some(Reverse(patch)) = ready.pop() {
            count += 1;
            places[patch] = count;
            for next in &later[patch] {
                waits_for[*next] -= 1;
                if waits_for[*next] == 0 {
                    ready.push(Reverse(*next));
                }
            }
        }
        (count == patches).then_some(places)
    }
}

/// Changes of one file that lead from version to version.
#[derive(Debug, Default)]
struct FileVersions {
    /// Pairs of changes, of which the second begins with the version that the first leaves.
    links: Vec<(usize, usize)>,
    /// The number of versions that lead nowhere. Several are ends of chains with a gap between them.
    ends: usize,
}

impl FileVersions {
    /// Links changes by their versions; `None` if a version is left or made twice, or if all of them lead in a circle.
    fn of(versions: &[(usize, &Blobs)]) -> Option<Self> {
        // The same version may be cut off after another number of digits.
        let names = versions
            .iter()
            .flat_map(|(_, blobs)| [&blobs.before, &blobs.after]);
        let digits = names.map(String::len).min()?;
        let known = |name: &'_ str| name.bytes().any(|digit| digit != b'0');
        let mut begins = HashMap::with_capacity(versions.len());
        let mut left = HashSet::with_capacity(versions.len());
        for (at, blobs) in versions {
            let (before, after) = (&blobs.before[..digits], &blobs.after[..digits]);
            let is_again = known(before) && begins.insert(before, *at).is_some();
            if is_again || known(after) && !left.insert(after) {
                return None;
            }
        }
        let mut chain = Self::default();
        for (at, blobs) in versions {
            match begins.get(&blobs.after[..digits]) {
                Some(next) => chain.links.push((*at, *next)),
                None => chain.ends += 1,
            }
        }
        // A circle has no end, beside chains that have one.
        let starts = (versions.iter()).filter(|(_, blobs)| !left.contains(&blobs.before[..digits]));
        let mut next: HashMap<usize, usize> = chain.links.iter().copied().collect();
        for (start, _) in starts {
            let mut at = *start;
            while let Some(to) = next.remove(&at) {
                at = to;
            }
        }
        next.is_empty().then_some(chain)
    }
}

#[cfg(test)]
mod tests {
    use crate::dialect::options::Options;
    use crate::dialect::parse::parse;

    /// A subject, and files with their versions.
    type Commit<'a> = (&'a str, &'a [(&'a str, &'a str)]);

    fn commit((at, (subject, files)): (usize, &Commit)) -> String {
        let diff = |(name, versions): &(&str, &str)| {
            format!(
                "diff --git a/{name} b/{name}\nindex {versions} 100644\n--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-x\n+{subject}\n"
            )
        };
        let diffs: String = files.iter().map(diff).collect();
        format!("{at}234567 {subject}\n{diffs}")
    }

    /// The subjects of commits in their order; `?` for a refusal.
    fn sorted(log: &[Commit]) -> String {
        let text: String = log.iter().enumerate().map(commit).collect();
        let parsed = parse(&text, &Options::default());
        let hunks = parsed.proposal.files.iter().flat_map(|file| &file.hunks);
        let mut subjects: Vec<&str> = hunks
            .map(|hunk| hunk.body.postimage[0].as_str())
            .chain(parsed.problems.iter().map(|_| "?"))
            .collect();
        subjects.dedup();
        subjects.join(" ")
    }

    #[test]
    fn versions_prove_an_order_that_is_no_direction() {
        let (a, b, c) = (
            ("f", "aaaaaaa..bbbbbbb"),
            ("f", "bbbbbbb..ccccccc"),
            ("f", "ccccccc..ddddddd"),
        );
        let (one, two, three) = (("1", &[a][..]), ("2", &[b][..]), ("3", &[c][..]));
        assert_eq!(sorted(&[one, two, three]), "1 2 3");
        assert_eq!(sorted(&[three, two, one]), "1 2 3");
        assert_eq!(sorted(&[two, one, three]), "1 2 3");
        assert_eq!(sorted(&[one, three, two]), "1 2 3");
        // A patch between them of another file needs no order, and one of both files has its place by each.
        let (other, both) = (
            ("4", &[("g", "1111111..2222222")][..]),
            ("2", &[b, ("g", "2222222..3333333")][..]),
        );
        assert_eq!(sorted(&[both, other, one, three]), "4 1 2 3");
        // Created and deleted files have no version on one side.
        let (made, gone) = (("f", "0000000..aaaaaaa"), ("f", "ddddddd..0000000"));
        assert_eq!(sorted(&[two, ("0", &[made]), three, one]), "0 1 2 3");
        assert_eq!(sorted(&[two, ("5", &[gone]), one, three]), "1 2 3 5");
        // The same version, cut off after another number of digits.
        assert_eq!(
            sorted(&[two, ("1", &[("f", "aaaaaaaa..bbbbbbbb")]), three]),
            "1 2 3"
        );
    }

    #[test]
    fn what_versions_do_not_prove_is_refused() {
        let (one, three) = (
            ("1", &[("f", "aaaaaaa..bbbbbbb")][..]),
            ("3", &[("f", "ccccccc..ddddddd")][..]),
        );
        // A gap in the versions of another file, and one without versions that return.
        let gap = ("4", &[("g", "1111111..2222222")][..]);
        let far = (
            "2",
            &[("f", "bbbbbbb..ccccccc"), ("g", "5555555..6666666")][..],
        );
        assert_eq!(sorted(&[far, one, gap, three]), "1 2 3 ?");
        assert_eq!(sorted(&[three, gap, far, one]), "1 2 4 3");
        let back = ("4", &[("f", "ddddddd..ccccccc")][..]);
        let again = ("5", &[("f", "ccccccc..ddddddd")][..]);
        assert_eq!(sorted(&[again, back, three]), "?");
        // Patches that contradict each other.
        let left = (
            "1",
            &[("f", "aaaaaaa..bbbbbbb"), ("g", "2222222..3333333")][..],
        );
        let right = (
            "2",
            &[("f", "bbbbbbb..ccccccc"), ("g", "1111111..2222222")][..],
        );
        assert_eq!(sorted(&[left, right]), "?");
    }
}
