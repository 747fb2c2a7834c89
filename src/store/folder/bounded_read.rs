//! Reading files that anybody may have put there: regular files only, no more than a limit, and without waiting.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

/// The largest file that is ever read as a whole, in bytes, and the largest value of `guard.max_file_mib`.
pub(in crate::store) const MOST_BYTES: u64 = 4096 << 20;

/// Reads a regular file of at most `most` bytes. A named pipe is not waited for, and memory is used for what is there, not
/// for the size that the file claims.
///
/// # Errors
///
/// [`io::ErrorKind::InvalidInput`] if it is no regular file, [`io::ErrorKind::FileTooLarge`] if it is larger, else the
/// system's error.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let size = file.metadata()?.len();
    read_at_most(&file, size, most)
}

/// Reads a regular file of UTF-8 text in the same way.
///
/// # Errors
///
/// Those of [`read_regular`], and [`io::ErrorKind::InvalidData`] if it is not UTF-8.
pub fn read_regular_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read_regular(path, most)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Opens a regular file to be read; a named pipe is not waited for.
pub(in crate::store) fn open_regular(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file: File = rustix::fs::open(path, flags, Mode::empty())?.into();
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        let text = "it is not a regular file";
        Err(io::Error::new(io::ErrorKind::InvalidInput, text))
    }
}

/// Reads what is left of an open file that claims a size.
pub(in crate::store) fn read_at_most(file: &File, size: u64, most: u64) -> io::Result<Vec<u8>> {
    /// Memory that is reserved on the word of the file system.
    const TRUSTED: u64 = 64 << 20;
    if size > most {
        return Err(too_large(size, most));
    }
    // One byte more lets the first read show that nothing follows.
    let expected = usize::try_from(size.min(TRUSTED)).unwrap_or(0) + 1;
    let mut bytes = vec![0; expected];
    let mut filled = 0;
    while filled < expected {
        match (&*file).read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => (),
            Err(error) => return Err(error),
        }
        if filled as u64 == size {
            break;
        }
    }
    bytes.truncate(filled);
    if filled == expected {
        file.take(most.saturating_add(1).saturating_sub(filled as u64))
            .read_to_end(&mut bytes)?;
    }
    let read = bytes.len() as u64;
    if read > most {
        return Err(too_large(read, most));
    }
    Ok(bytes)
}

fn too_large(size: u64, most: u64) -> io::Error {
    let text = format!("it has {} and the limit is {}", shown(size), shown(most));
    io::Error::new(io::ErrorKind::FileTooLarge, text)
}

/// Returns a size in the largest unit that fits.
fn shown(bytes: u64) -> String {
    const UNITS: [(u32, &str); 4] = [(40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = UNITS.iter().find(|(shift, _)| bytes >> shift > 0);
    unit.map_or_else(
        || format!("{bytes} bytes"),
        |(shift, unit)| format!("{} {unit}", bytes >> shift),
    )
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use super::*;

    #[test]
    fn only_regular_files_up_to_the_limit_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        let check = |expected: Result<&str, &str>| {
            let read = read_regular_text(&path, 4).map_err(|error| error.to_string());
            assert_eq!(read, expected.map(str::to_owned).map_err(str::to_owned));
        };
        std::fs::write(&path, "four").unwrap();
        check(Ok("four"));
        std::fs::write(&path, "five5").unwrap();
        check(Err("it has 5 bytes and the limit is 4 bytes"));
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(1 << 40)
            .unwrap();
        check(Err("it has 1 TiB and the limit is 4 bytes"));
        std::fs::remove_file(&path).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, Mode::RUSR).unwrap();
        check(Err("it is not a regular file"));
        assert!(read_regular(folder.path(), 4).is_err());
    }

    #[test]
    fn a_file_that_is_longer_than_it_claims_is_read_up_to_the_limit() {
        let file = tempfile::tempfile().unwrap();
        (&file).write_all(b"12345").unwrap();
        let read = |size, most| {
            (&file).rewind().unwrap();
            read_at_most(&file, size, most).map_err(|error| error.kind())
        };
        assert_eq!(read(0, 5), Ok(b"12345".to_vec()));
        assert_eq!(read(0, 4), Err(io::ErrorKind::FileTooLarge));
    }
}
