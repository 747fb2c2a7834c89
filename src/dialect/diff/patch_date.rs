//! The date of a patch, in the header of a commit, a mail or a changeset.
//!
//! `Thu Nov 26 12:02:05 2026 +0000` (git), `Thu, 26 Nov 2026 12:02:05 +0000` (mails, RFC 5322), `2026-11-26 12:02:05 +0000` (`--date=iso`),
//! and `# Date 1764158525 0` (Mercurial: seconds and the zone).

const KEYS: [&str; 5] = ["Date:", "AuthorDate:", "CommitDate:", "date:", "# Date "];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Returns the date that a line of a header states, in seconds of UTC.
pub(super) fn in_line(line: &str) -> Option<i64> {
    let text = KEYS.iter().find_map(|key| line.strip_prefix(key))?;
    let mut words = text
        .split([' ', '\t', ',', 'T'])
        .filter(|word| !word.is_empty());
    if let (Some(seconds), Some(_), None) = (words.next(), words.next(), words.next())
        && seconds.len() >= 9
    {
        return seconds.parse().ok();
    }
    seconds(text)
}

fn seconds(text: &str) -> Option<i64> {
    let (mut year, mut month, mut day, mut time, mut zone) = (None, None, None, None, None);
    for word in text.split([' ', '\t', ',', 'T']) {
        let number = || word.parse::<i64>().ok();
        if let Some(at) = MONTHS.iter().position(|name| *name == word) {
            month = i64::try_from(at + 1).ok();
        } else if word.starts_with(['+', '-']) {
            zone = zone.or(offset(word));
        } else if word.contains(':') {
            time = time.or(clock(word));
        } else if let [years, months, days] = word.split('-').collect::<Vec<_>>()[..] {
            (year, month, day) = (years.parse().ok(), months.parse().ok(), days.parse().ok());
        } else if word.len() == 4 {
            year = year.or_else(number);
        } else if word.len() <= 2 {
            day = day.or_else(number);
        }
    }
    let (year, month, day) = (year?, month?, day?);
    let is_date =
        (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    // Without a zone, dates of one day cannot be compared with others.
    is_date.then(|| Some(days(year, month, day) * 86_400 + time? - zone?))?
}

/// Reads `12:02:05`, in seconds.
fn clock(word: &str) -> Option<i64> {
    let mut parts = word.split(':').map(|part| part.parse::<i64>().ok());
    let (hours, minutes) = (parts.next()??, parts.next()??);
    let seconds = parts.next().unwrap_or(Some(0))?;
    let is_time = [hours, minutes, seconds]
        .iter()
        .all(|part| (0..=60).contains(part));
    is_time.then_some(hours * 3600 + minutes * 60 + seconds)
}

/// Reads `+0200` or `+02:00`, in seconds.
fn offset(word: &str) -> Option<i64> {
    let sign = if word.starts_with('-') { -1 } else { 1 };
    let digits = word.get(1..)?.replace(':', "");
    let number = digits.parse::<i64>().ok().filter(|_| digits.len() == 4)?;
    Some(sign * (number / 100 * 3600 + number % 100 * 60))
}

/// Returns the days from the epoch to a day of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // The year begins in March, so that a leap day is its last one.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year / 4 - year / 100 + year / 400;
    year * 365 + leap_days + (month * 153 + 2) / 5 + day - 719_469
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_the_forms_of_logs_and_mails() {
        let check =
            |line: &str, expected: Option<i64>| assert_eq!(in_line(line), expected, "{line}");
        check("Date:   Thu Jan 1 00:00:01 1970 +0000", Some(1));
        check(
            "Date:   Thu Nov 26 12:02:05 2026 +0000",
            Some(1_795_694_525),
        );
        check("Date: Thu, 26 Nov 2026 14:02:05 +0200", Some(1_795_694_525));
        check("AuthorDate: 2026-11-26 07:02:05 -0500", Some(1_795_694_525));
        check("# Date 1795694525 0", Some(1_795_694_525));
        check(
            "date:        Sun Mar 01 00:00:00 2020 +0000",
            Some(1_583_020_800),
        );
        check(
            "Date:   Sat Feb 29 23:59:59 2020 +0000",
            Some(1_583_020_799),
        );
        check("Date:   2 hours ago", None);
        check("Date:   2026-11-26", None);
        check("Date:   Thu Nov 26 12:02:05 2026", None);
        check("Update: 2026-11-26 07:02:05 -0500", None);
        check("Date: Thu, 26 Nov 2026 99:99 +0000", None);
    }
}
