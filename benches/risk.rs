//! How early an order of the changes meets a mistake: plants mistakes in the changes between two versions of a program, and prints in which
//! share of the changed lines each order meets them.
//!
//! `cargo bench --bench risk -- REPOSITORY...` compares neighbouring releases of git repositories; without one, neighbouring versions of all
//! crates of which the local registry of Cargo has two. The mistakes are those of mutation testing, planted in added lines of source
//! code, with a fixed seed. Crates with names from `a` to `m` are listed apart: the weights of the score were fitted to them.

#![allow(missing_docs, clippy::print_stdout, reason = "it prints a table")]

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use countersign::review::{
    Compared, FileGroup, FileReview, Found, ReviewSession, Row, Side, Stance, compare,
};
use countersign::text::Document;
use countersign::ui::ScreenOptions;
use countersign::ui::file_list::Sort;
use countersign::ui::state::app::App;
use ratatui::layout::Size;

/// Mistakes planted in each pair of versions.
const PLANTED: usize = 10;
/// Number of changed lines of a pair that is used.
const CHANGED: std::ops::Range<usize> = 60..20_000;
/// Maximum number of lines of a file that is used.
const LONGEST: usize = 10_000;

/// Releases of a repository that are compared, the latest ones.
const RELEASES: usize = 40;

/// Texts, and what a mistake makes of them.
const MISTAKES: [(&str, &str); 27] = [
    (" == ", " != "),
    (" != ", " == "),
    (" && ", " || "),
    (" || ", " && "),
    (" < ", " <= "),
    (" > ", " >= "),
    (" <= ", " < "),
    (" >= ", " > "),
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " / "),
    ("true", "false"),
    ("false", "true"),
    ("if !", "if "),
    (")?;", ");"),
    ("..=", ".."),
    (".is_some()", ".is_none()"),
    (".is_none()", ".is_some()"),
    ("Some(", "None.or("),
    ("Ok(", "Err("),
    ("0", "1"),
    ("1", "2"),
    (" and ", " or "),
    (" or ", " and "),
    ("not ", ""),
    ("True", "False"),
    ("False", "True"),
];

type Files = BTreeMap<String, Arc<str>>;

/// Pseudo-random numbers with a fixed seed: `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap_or(0)
    }
}

/// A line in which a mistake can be planted.
struct Spot {
    path: String,
    /// Position among the lines of the new version.
    line: usize,
    mistake: (&'static str, &'static str),
}

/// Two versions of a program.
struct Versions {
    /// The name of what they are counted under.
    set: String,
    old: Files,
    new: Files,
}

const ORDERS: [(&str, Sort); 3] = [
    ("path", Sort::Path),
    ("risk", Sort::Risk),
    ("kind", Sort::Kind),
];

fn main() {
    let repositories: Vec<String> = env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    if repositories.is_empty() {
        let pairs = pairs().into_iter().map(|(old, new)| {
            let name = new.file_name().unwrap_or_default().to_string_lossy();
            let set = if name.as_ref() < "n" {
                "a to m"
            } else {
                "n to z"
            };
            Versions {
                set: set.to_owned(),
                old: files(&old),
                new: files(&new),
            }
        });
        return measure(pairs);
    }
    measure(
        repositories
            .iter()
            .flat_map(|repository| releases(Path::new(repository))),
    );
}

fn measure(pairs: impl Iterator<Item = Versions>) {
    let mut all: BTreeMap<(&str, String), Vec<usize>> = BTreeMap::new();
    let mut used = 0_u64;
    for Versions { set, old, new } in pairs {
        let session = session(&old, &new);
        let changed = session.files.iter().map(FileReview::counts);
        let changed: usize = changed.map(|(added, removed)| added + removed).sum();
        let spots = spots(&session, &new);
        if !CHANGED.contains(&changed) || spots.is_empty() {
            continue;
        }
        let mut random = Random(used);
        for _ in 0..PLANTED {
            let spot = &spots[random.below(spots.len())];
            let mut planted = new.clone();
            planted.insert(spot.path.clone(), plant(&new[&spot.path], spot));
            let session = self::session(&old, &planted);
            for (name, order) in ORDERS {
                let met = met(session.clone(), order, spot);
                all.entry((name, set.clone())).or_default().extend(met);
                all.entry((name, String::new())).or_default().extend(met);
            }
        }
        used += 1;
    }
    println!("{used} pairs of versions, {PLANTED} mistakes in each");
    println!(
        "{:<6} {:<24} {:>6} {:>22} {:>8}",
        "order", "of", "cases", "met in the first 20 %", "median"
    );
    for ((name, set), mut shares) in all {
        let early = shares.iter().filter(|share| **share < 20).count();
        let early = early * 100 / shares.len().max(1);
        shares.sort_unstable();
        let median = shares.get(shares.len() / 2).copied().unwrap_or(100);
        let set = if set.is_empty() { "all" } else { &set };
        println!(
            "{name:<6} {set:<24} {:>6} {early:>20} % {median:>6} %",
            shares.len()
        );
    }
}

/// Returns the share of the changed lines, in percent, at which a review in an order meets a line; `None` if it is not changed.
fn met(session: ReviewSession, order: Sort, spot: &Spot) -> Option<usize> {
    let options = ScreenOptions {
        order,
        layout: Some(countersign::review::Layout::Unified),
        ..ScreenOptions::default()
    };
    let app = App::new(
        session,
        &options,
        Size {
            width: 100,
            height: 40,
        },
    );
    let (mut above, mut all) = (None, 0_usize);
    for row in (0..app.stream.rows.len()).filter_map(|row| app.stream.rows.get(row)) {
        if let Row::Change { id, side, new, .. } = row {
            all += 1 + usize::from(side == Side::Both);
            if new == Some(spot.line) && app.session.files[id.file].path == spot.path {
                above = Some(all);
            }
        }
    }
    above.map(|above| above * 100 / all)
}

fn session(old: &Files, new: &Files) -> ReviewSession {
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort();
    names.dedup();
    let found = |files: &Files, name: &String| match files.get(name) {
        Some(text) => Found::Text {
            document: Arc::new(Document::from_text(text.to_string())),
            executable: false,
        },
        None => Found::Absent,
    };
    let compared = names.into_iter().map(|name| Compared {
        path: name.clone(),
        rename: None,
        old: found(old, name),
        new: found(new, name),
        stance: Stance::Proposed,
        doubtful: Vec::new(),
        protected: None,
        origin: "bench",
    });
    let different = compared.filter(|file| old.get(&file.path) != new.get(&file.path));
    compare(String::new(), &different.collect::<Vec<_>>())
}

/// Returns the added lines of source code in which a mistake can be planted.
fn spots(session: &ReviewSession, new: &Files) -> Vec<Spot> {
    let mut spots = Vec::new();
    for file in &session.files {
        let end = Path::new(&file.path).extension().unwrap_or_default();
        let is_program = ["rs", "py", "go", "js", "ts", "c", "h"]
            .iter()
            .any(|of| end == *of);
        let Some(text) = new.get(&file.path).filter(|_| is_program) else {
            continue;
        };
        let group = FileGroup::of(&file.path, &Document::from_text(text.to_string()));
        if group != FileGroup::Source {
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        let tests = lines
            .iter()
            .position(|line| line.trim() == "#[cfg(test)]")
            .unwrap_or(lines.len());
        let mut shift = 0_isize;
        for group in &file.groups {
            let first = group.base.start.saturating_add_signed(shift);
            let own = lines.iter().enumerate().take(tests);
            for (line, text) in own.skip(first).take(group.adds) {
                let text = text.trim();
                let is_code = !["//", "#", "*", "use ", "import ", "from ", "\"\"\""]
                    .iter()
                    .any(|start| text.starts_with(start));
                let fitting = MISTAKES
                    .iter()
                    .filter(|(from, _)| is_code && text.contains(from));
                spots.extend(fitting.map(|&mistake| Spot {
                    path: file.path.clone(),
                    line,
                    mistake,
                }));
            }
            shift += group.adds.cast_signed() - group.base.len().cast_signed();
        }
    }
    spots
}

fn plant(text: &str, spot: &Spot) -> Arc<str> {
    let (from, to) = spot.mistake;
    let lines = text.lines().enumerate().map(|(at, line)| {
        let line = if at == spot.line {
            line.replacen(from, to, 1)
        } else {
            line.to_owned()
        };
        line + "\n"
    });
    lines.collect::<String>().into()
}

/// Returns the latest neighbouring releases of a repository.
fn releases(repository: &Path) -> Vec<Versions> {
    let git = |args: &[&str]| {
        let output = Command::new("git")
            .arg("-C")
            .arg(repository)
            .args(args)
            .output();
        let text = output.map(|output| output.stdout).unwrap_or_default();
        String::from_utf8(text).unwrap_or_default()
    };
    let is_release = |tag: &&str| {
        let number = tag.rsplit(['v', '-']).next().unwrap_or_default();
        number.contains('.') && number.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    let tags = git(&["tag", "--sort=creatordate"]);
    let tags: Vec<&str> = tags.lines().filter(is_release).collect();
    let tags = &tags[tags.len().saturating_sub(RELEASES + 1)..];
    let pairs = tags.iter().zip(tags.iter().skip(1));
    let versions = pairs.map(|(old, new)| {
        let changed = git(&["diff", "--name-only", "--no-renames", old, new]);
        let files = |tag: &str| {
            let shown = changed
                .lines()
                .map(|path| (path, git(&["show", &format!("{tag}:{path}")])));
            let texts =
                shown.filter(|(_, text)| !text.is_empty() && text.lines().count() <= LONGEST);
            texts
                .map(|(path, text)| (path.to_owned(), text.into()))
                .collect()
        };
        Versions {
            set: repository
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            old: files(old),
            new: files(new),
        }
    });
    versions.collect()
}

/// Returns the folders of two versions of each crate in the registry, neighbours by version.
fn pairs() -> Vec<(PathBuf, PathBuf)> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")));
    let sources = fs::read_dir(home.unwrap_or_default().join("registry/src"));
    let registries = sources.into_iter().flatten().flatten();
    let mut versions: BTreeMap<String, Vec<([u64; 3], PathBuf)>> = BTreeMap::new();
    for folder in registries.flat_map(|registry| {
        fs::read_dir(registry.path())
            .into_iter()
            .flatten()
            .flatten()
    }) {
        let name = folder.file_name().to_string_lossy().into_owned();
        let Some((name, version)) = name.rsplit_once('-') else {
            continue;
        };
        let numbers: Vec<u64> = version
            .split('.')
            .filter_map(|number| number.parse().ok())
            .collect();
        if let Ok(numbers) = <[u64; 3]>::try_from(numbers) {
            versions
                .entry(name.to_owned())
                .or_default()
                .push((numbers, folder.path()));
        }
    }
    let mut pairs = Vec::new();
    for mut versions in versions.into_values() {
        versions.sort();
        let next = versions.iter().zip(versions.iter().skip(1));
        pairs.extend(next.map(|((_, old), (_, new))| (old.clone(), new.clone())));
    }
    pairs
}

/// Reads the text files of a folder.
fn files(root: &Path) -> Files {
    let mut files = Files::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path
                .strip_prefix(root)
                .unwrap_or(&path)
                .to_string_lossy()
                .into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = fs::read_to_string(&path)
                && text.lines().count() <= LONGEST
            {
                files.insert(name, text.into());
            }
        }
    }
    files
}
