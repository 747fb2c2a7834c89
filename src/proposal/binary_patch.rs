//! Patches of files by their bytes, as `git diff --binary` writes them.
//!
//! <https://git-scm.com/docs/gitformat-pack#_deltified_representation>

use std::fmt;

use thiserror::Error;

/// The longest file that a binary patch may make, in bytes. A delta of a few bytes can ask for any size.
pub const MOST_BYTES: usize = 256 << 20;

/// A patch of a file by its bytes, in both directions.
#[derive(Clone, PartialEq, Eq)]
pub struct BinaryPatch {
    /// Data for the new version.
    pub forward: BinaryData,
    /// Data for the old version: it proves that the file is the one that the patch was made from.
    pub backward: BinaryData,
}

/// One direction of a binary patch.
#[derive(Clone, PartialEq, Eq)]
pub enum BinaryData {
    /// All bytes of the result.
    Literal(Vec<u8>),
    /// Git's delta: stretches of the other version, and new bytes.
    Delta(Vec<u8>),
}

/// The result of a binary patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Patched {
    /// The new bytes of the file.
    New(Vec<u8>),
    /// The file has its new bytes already.
    AlreadyApplied,
}

/// Why a binary patch cannot be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum BinaryError {
    /// The file is neither the old nor the new version of the patch.
    #[error("the file differs from the version that the binary patch was made from")]
    Mismatch,
}

impl BinaryPatch {
    /// Applies the patch to the bytes of a file.
    ///
    /// # Errors
    ///
    /// [`BinaryError::Mismatch`] if the file is not the version that the patch was made from, to the byte.
    pub fn apply(&self, now: &[u8]) -> Result<Patched, BinaryError> {
        if let Some(old) = self.backward.apply(now)
            && self.forward.apply(&old).is_some_and(|again| again == now)
        {
            return Ok(Patched::AlreadyApplied);
        }
        if let Some(new) = self.forward.apply(now)
            && self.backward.apply(&new).is_some_and(|again| again == now)
        {
            return Ok(Patched::New(new));
        }
        Err(BinaryError::Mismatch)
    }
}

impl BinaryData {
    /// Makes the result from the other version; `None` if the delta is damaged or made for another one.
    fn apply(&self, other: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Literal(bytes) => Some(bytes.clone()),
            Self::Delta(delta) => apply_delta(delta, other),
        }
    }
}

fn apply_delta(mut delta: &[u8], source: &[u8]) -> Option<Vec<u8>> {
    if take_size(&mut delta)? != source.len() {
        return None;
    }
    let size = take_size(&mut delta).filter(|size| *size <= MOST_BYTES)?;
    let mut made = Vec::new();
    while let Some((&code, rest)) = delta.split_first() {
        delta = rest;
        let part = if code & 0x80 != 0 {
            let start = take_number(&mut delta, code, 4)?;
            let length = match take_number(&mut delta, code >> 4, 3)? {
                0 => 0x1_0000,
                length => length,
            };
            source.get(start..start.checked_add(length)?)?
        } else {
            let (new, rest) = delta
                .split_at_checked(usize::from(code))
                .filter(|_| code != 0)?;
            delta = rest;
            new
        };
        if made.len() + part.len() > size {
            return None;
        }
        made.extend_from_slice(part);
    }
    (made.len() == size).then_some(made)
}

/// Takes a number of a copy instruction: the bits of `code` tell which of its bytes follow, the lowest first.
fn take_number(delta: &mut &[u8], code: u8, bytes: u32) -> Option<usize> {
    let mut number = 0;
    for at in 0..bytes {
        if code & (1 << at) != 0 {
            let (&byte, rest) = delta.split_first()?;
            *delta = rest;
            number |= usize::from(byte) << (8 * at);
        }
    }
    Some(number)
}

/// Takes a size: seven bits a byte, the lowest first, and the eighth bit where more follow.
fn take_size(delta: &mut &[u8]) -> Option<usize> {
    let mut size = 0_usize;
    for at in 0..6 {
        let (&byte, rest) = delta.split_first()?;
        *delta = rest;
        size |= usize::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some(size);
        }
    }
    None
}

impl fmt::Debug for BinaryData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(bytes) => write!(f, "Literal({} bytes)", bytes.len()),
            Self::Delta(bytes) => write!(f, "Delta({} bytes)", bytes.len()),
        }
    }
}

impl fmt::Debug for BinaryPatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BinaryPatch({:?}, {:?})", self.forward, self.backward)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(bytes: &[u8]) -> BinaryData {
        BinaryData::Literal(bytes.to_vec())
    }

    #[test]
    fn a_patch_fits_one_version() {
        let patch = BinaryPatch {
            forward: literal(b"new"),
            backward: literal(b"old"),
        };
        assert_eq!(patch.apply(b"old"), Ok(Patched::New(b"new".to_vec())));
        assert_eq!(patch.apply(b"new"), Ok(Patched::AlreadyApplied));
        assert_eq!(patch.apply(b"odd"), Err(BinaryError::Mismatch));
        assert_eq!(patch.apply(b""), Err(BinaryError::Mismatch));
    }

    #[track_caller]
    fn check(delta: &[u8], source: &[u8], expected: Option<&[u8]>) {
        let made = BinaryData::Delta(delta.to_vec()).apply(source);
        assert_eq!(made.as_deref(), expected, "{delta:?}");
    }

    #[test]
    fn a_delta_copies_and_inserts() {
        // Copy 3 bytes from 1, insert `xy`.
        check(&[5, 5, 0x91, 1, 3, 2, b'x', b'y'], b"abcde", Some(b"bcdxy"));
        // Made for a source of another size; of another size itself; longer than it says.
        check(&[4, 5, 0x91, 1, 3, 2, b'x', b'y'], b"abcde", None);
        check(&[5, 6, 0x91, 1, 3, 2, b'x', b'y'], b"abcde", None);
        check(&[5, 4, 0x91, 1, 3, 2, b'x', b'y'], b"abcde", None);
        // Beyond the end of the source, an insertion that is cut off, the reserved instruction.
        check(&[5, 3, 0x91, 3, 3], b"abcde", None);
        check(&[5, 2, 2, b'x'], b"abcde", None);
        check(&[5, 0, 0], b"abcde", None);
        check(&[5, 0], b"abcde", Some(b""));
        // A copy without a length is one of 65,536 bytes.
        let long = vec![7; 0x1_0000];
        check(&[0x80, 0x80, 4, 0x80, 0x80, 4, 0x80], &long, Some(&long));
        // More than any file may have.
        check(&[0, 0xff, 0xff, 0xff, 0xff, 0x0f], b"", None);
    }
}
