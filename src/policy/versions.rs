//! Version numbers that rise and change nothing else of their lines.
//!
//! A version is two or three numbers with dots between them, and nothing of a word beside it. It may rise as long as the first number
//! that is not 0 stays, which is what [SemVer](https://semver.org) calls compatible.

use std::ops::Range;

use crate::review::FileReview;

/// Returns the versions that a hunk raises, as `1.2.3 to 1.3.0`.
///
/// # Errors
///
/// Why the hunk does more.
pub(super) fn raised(file: &FileReview, hunk: usize) -> Result<Vec<String>, String> {
    let mut raised = Vec::new();
    for group in file.groups.iter().filter(|group| group.hunk == hunk) {
        let lines = &file.hunks[hunk].state.lines[group.lines.clone()];
        let removed: Vec<usize> = (lines.iter())
            .filter(|line| line.removes)
            .map(|line| line.at)
            .collect();
        let added: Vec<&str> = (lines.iter())
            .filter_map(|line| line.adds.as_deref())
            .collect();
        if removed.len() != added.len() {
            return Err("it adds or removes lines".to_owned());
        }
        for (line, is) in removed.into_iter().zip(added) {
            let number = line + 1;
            let pairs = raised_in_line(file.base.line(line), is)
                .map_err(|why| format!("line {number}: {why}"))?;
            raised.extend(pairs);
        }
    }
    if raised.is_empty() {
        return Err("no version changes".to_owned());
    }
    Ok(raised)
}

/// Returns the versions that differ between two lines that are equal but for them.
fn raised_in_line(was: &str, is: &str) -> Result<Vec<String>, String> {
    let sides = [parts(was), parts(is)];
    let [(old_rest, old), (new_rest, new)] = &sides;
    if old_rest != new_rest {
        return Err("more than versions changes".to_owned());
    }
    let mut raised = Vec::new();
    for (old, new) in old.iter().zip(new).filter(|(old, new)| old != new) {
        if !is_compatible(old, new) {
            return Err(format!(
                "{old} to {new} is no later version that is compatible"
            ));
        }
        raised.push(format!("{old} to {new}"));
    }
    Ok(raised)
}

/// Splits a line into what is between its versions, and the versions.
fn parts(line: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut rest, mut versions) = (Vec::new(), Vec::new());
    let (mut done, mut from) = (0, 0);
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    while let Some(start) = line[from..].find(is_part).map(|at| from + at) {
        let end = line[start..].find(|c| !is_part(c));
        let end = end.map_or(line.len(), |length| start + length);
        if is_version(line, start..end) {
            rest.push(&line[done..start]);
            versions.push(&line[start..end]);
            done = end;
        }
        from = end;
    }
    rest.push(&line[done..]);
    (rest, versions)
}

/// Returns true if digits and dots are a version, and no part of a word. A `v` may be before it.
fn is_version(line: &str, bytes: Range<usize>) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let before = &line[..bytes.start];
    let before = before.strip_suffix(['v', 'V']).unwrap_or(before);
    let mut numbers = line[bytes.clone()].split('.');
    !before.ends_with(is_word)
        && !line[bytes.end..].starts_with(is_word)
        && matches!(numbers.clone().count(), 2 | 3)
        && numbers.all(|number| !number.is_empty())
}

/// Returns true if a version is later than another one and, by its first number that is not 0, compatible with it.
fn is_compatible(old: &str, new: &str) -> bool {
    let (Some(old), Some(new)) = (numbers(old), numbers(new)) else {
        return false;
    };
    let kept = old.iter().position(|number| *number != 0);
    old.len() == new.len() && new > old && kept.is_some_and(|kept| old[..=kept] == new[..=kept])
}

/// Parses the numbers of a version; `None` if a part is no plain number.
fn numbers(version: &str) -> Option<Vec<u64>> {
    let is_plain = |part: &str| part == "0" || !part.starts_with('0');
    let parts = version.split('.');
    let numbers = parts.map(|part| part.parse().ok().filter(|_| is_plain(part)));
    numbers.collect()
}

#[cfg(test)]
mod tests {
    use super::raised_in_line;

    #[track_caller]
    fn check(was: &str, is: &str, expected: &str) {
        let outcome = match raised_in_line(was, is) {
            Ok(raised) => raised.join(", "),
            Err(why) => format!("no: {why}"),
        };
        assert_eq!(outcome, expected, "{was} / {is}");
    }

    #[test]
    fn only_versions_that_rise_and_stay_compatible_are_raised() {
        let other = "no: more than versions changes";
        let no = |from: &str, to: &str| {
            format!("no: {from} to {to} is no later version that is compatible")
        };
        check(r#"a = "1.2.3""#, r#"a = "1.2.4""#, "1.2.3 to 1.2.4");
        check(r#"a = "1.9""#, r#"a = "1.10""#, "1.9 to 1.10");
        check("b v0.4.1 // x", "b v0.4.2 // x", "0.4.1 to 0.4.2");
        check(
            "c==1.2.3,<2.0",
            "c==1.3.0,<2.1",
            "1.2.3 to 1.3.0, 2.0 to 2.1",
        );
        check("1.2.3-rc1", "1.2.4-rc1", "1.2.3 to 1.2.4");
        check("1.2.3-rc1", "1.2.3-rc2", other);
        check(r#"a = "1.2.3""#, r#"b = "1.2.4""#, other);
        check(r#"a = "1.2.3""#, r#"a =  "1.2.4""#, other);
        check(r#"a = "1.2.3""#, r#"a = "~1.2.4""#, other);
        check(r#"a = "1.2.3""#, r#"a = "1.2""#, &no("1.2.3", "1.2"));
        check("a 1.2.3", "a 1.2.2", &no("1.2.3", "1.2.2"));
        check("a 1.2.3", "a 2.0.0", &no("1.2.3", "2.0.0"));
        check("a 0.4.3", "a 0.5.0", &no("0.4.3", "0.5.0"));
        check("a 0.0.0", "a 0.0.1", &no("0.0.0", "0.0.1"));
        check("a 1.02", "a 1.03", &no("1.02", "1.03"));
        // An address, a part of a word, and one number.
        check("10.0.0.1", "10.0.0.2", other);
        check("x1.2", "x1.3", other);
        check("1.2.x", "1.3.x", other);
        check("a = 1", "a = 2", other);
    }
}
