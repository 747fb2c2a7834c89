//! Names of batches: 16 hexadecimal digits that grow from batch to batch.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Name of a batch: the nanoseconds since 1970 at which it began, or the next free number if the clock was set back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(in crate::store) struct BatchId(u64);

/// A text that is not the name of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the name of a batch is 16 hexadecimal digits")]
pub(in crate::store) struct NotABatchId;

impl BatchId {
    const DIGITS: usize = 16;
    /// The latest moment that is a name, in the year 2481. A later one is taken for it.
    const LATEST: u64 = 0xdfff_ffff_ffff_ffff;
    /// No name is as great, so that there is always a next one.
    const MOST: u64 = 0xefff_ffff_ffff_ffff;

    /// Returns the name of a batch that begins at a moment, where `last` is the latest name that is taken.
    pub(in crate::store) fn at(time: SystemTime, last: Option<Self>) -> Self {
        let nanos = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        let nanos = u64::try_from(nanos.as_nanos()).unwrap_or(Self::LATEST);
        let next = last.map_or(0, |last| last.0 + 1);
        Self(nanos.min(Self::LATEST).max(next))
    }

    /// Returns the moment at which the batch began.
    pub(in crate::store) fn time(self) -> SystemTime {
        UNIX_EPOCH + Duration::from_nanos(self.0)
    }

    /// Returns the name of a moment in the past, to compare others with.
    pub(in crate::store) fn before(time: SystemTime, age: Duration) -> Self {
        Self::at(time.checked_sub(age).unwrap_or(UNIX_EPOCH), None)
    }
}

impl fmt::Display for BatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for BatchId {
    type Err = NotABatchId;

    fn from_str(text: &str) -> Result<Self, NotABatchId> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != Self::DIGITS || !text.bytes().all(is_digit) {
            return Err(NotABatchId);
        }
        u64::from_str_radix(text, 16)
            .ok()
            .filter(|number| *number < Self::MOST)
            .map(Self)
            .ok_or(NotABatchId)
    }
}

impl From<BatchId> for String {
    fn from(id: BatchId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for BatchId {
    type Error = NotABatchId;

    fn try_from(text: String) -> Result<Self, NotABatchId> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sixteen_digits() {
        let check = |text: &str, expected: bool| {
            let parsed = text.parse::<BatchId>().map(|id| id.to_string());
            assert_eq!(parsed.ok(), expected.then(|| text.to_owned()), "{text}");
        };
        check("0000000000000001", true);
        check("18ea8a543ef39fd9", true);
        check("effffffffffffffe", true);
        check("efffffffffffffff", false);
        check("ffffffffffffffff", false);
        check("18EA8A543EF39FD9", false);
        check("18ea8a543ef39fd", false);
        check("18ea8a543ef39fd90", false);
        check("+8ea8a543ef39fd9", false);
        check("../../../victim/", false);
        check("", false);
    }

    #[test]
    fn a_later_batch_has_a_greater_name_whatever_the_clock_shows() {
        let now = UNIX_EPOCH + Duration::from_secs(1000);
        let first = BatchId::at(now, None);
        assert_eq!(first.to_string(), "000000e8d4a51000");
        let second = BatchId::at(now - Duration::from_secs(500), Some(first));
        assert_eq!(second.to_string(), "000000e8d4a51001");
        let third = BatchId::at(now + Duration::from_nanos(7), Some(second));
        assert_eq!(third.to_string(), "000000e8d4a51007");
        assert_eq!(
            BatchId::at(UNIX_EPOCH - Duration::from_secs(1), None),
            BatchId(0)
        );
        // A clock that shows a year that is no name.
        let late = UNIX_EPOCH + Duration::from_secs(1 << 40);
        let far = BatchId::at(late, None);
        let next = BatchId::at(late, Some(far));
        assert_eq!(
            [far, next].map(|id| id.to_string().parse()),
            [Ok(far), Ok(next)]
        );
        let last: BatchId = "effffffffffffffe".parse().unwrap();
        assert!(BatchId::at(now, Some(last)) > last);
    }
}
