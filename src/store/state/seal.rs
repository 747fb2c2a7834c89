//! Seal of a journal: proof that this program wrote it for this root, and that nothing in it has changed since.
//!
//! It is the HMAC-SHA-256 (RFC 2104) of the record with a random key of the root's state folder. A key that others may have read or
//! written, as one that came with a copied folder, proves nothing.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

use super::state_folder::StateFolder;
use super::whole_file::{make_way, write_whole};
use crate::store::folder::bounded_read::read_at_most;
use crate::store::folder::snapshot::ContentHash;

/// Length of a key in bytes: a block of SHA-256.
const KEY: usize = 64;

/// Returns the seal of a record, and makes the key if there is none that can be trusted.
pub(in crate::store) fn seal(state: &StateFolder, record: &[u8]) -> io::Result<String> {
    let path = state.seal_file();
    let key = match read_key(&path) {
        Ok(key) => key,
        Err(_) => make_key(&path)?,
    };
    Ok(ContentHash::with_key(&key, record).to_string())
}

/// Returns true if a seal is that of a record.
pub(in crate::store) fn is_sealed(state: &StateFolder, record: &[u8], seal: &str) -> bool {
    read_key(&state.seal_file())
        .is_ok_and(|key| ContentHash::with_key(&key, record).to_string() == seal)
}

/// Reads a key that only its owner, who is the user, may read.
fn read_key(path: &Path) -> io::Result<[u8; KEY]> {
    let wrong = || io::Error::from(io::ErrorKind::InvalidData);
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file: File = rustix::fs::open(path, flags, Mode::empty())?.into();
    let meta = file.metadata()?;
    let is_own = meta.uid() == rustix::process::geteuid().as_raw();
    let of_others = meta.permissions().mode() & 0o077;
    let is_private = of_others == 0;
    if !(meta.is_file() && is_own && is_private) {
        return Err(wrong());
    }
    let bytes = read_at_most(&file, meta.len(), KEY as u64)?;
    bytes.try_into().map_err(|_| wrong())
}

/// Makes a key in the place of whatever is there.
fn make_key(path: &Path) -> io::Result<[u8; KEY]> {
    let mut key = [0; KEY];
    File::open("/dev/urandom")?.read_exact(&mut key)?;
    make_way(path)?;
    write_whole(path, &key)?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_code_is_that_of_the_standard() {
        // The code of Python's `hmac`.
        let key: [u8; KEY] = std::array::from_fn(|n| u8::try_from(n).unwrap());
        assert_eq!(
            ContentHash::with_key(&key, b"record").to_string(),
            "af2e54f8db866e2e154be7b80e4d95ad1058c7e908db66ba5a0760776587e887"
        );
    }

    #[test]
    fn only_a_private_key_proves_anything() {
        let place = tempfile::tempdir().unwrap();
        let state = StateFolder::of(place.path(), Path::new("/r"))
            .make()
            .unwrap();
        let path = state.seal_file();
        let first = seal(&state, b"record").unwrap();
        assert_eq!(seal(&state, b"record").unwrap(), first);
        assert!(is_sealed(&state, b"record", &first));
        assert!(!is_sealed(&state, b"Record", &first));
        assert!(!is_sealed(&state, b"record", ""));
        let other = StateFolder::of(place.path(), Path::new("/other"))
            .make()
            .unwrap();
        seal(&other, b"record").unwrap();
        assert!(!is_sealed(&other, b"record", &first));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(!is_sealed(&state, b"record", &first));
        let elsewhere = place.path().join("elsewhere");
        fs::rename(&path, &elsewhere).unwrap();
        fs::set_permissions(&elsewhere, fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        assert!(!is_sealed(&state, b"record", &first));
        // Another one is made in its place, and nothing is written through the link.
        let bytes = fs::read(&elsewhere).unwrap();
        let second = seal(&state, b"record").unwrap();
        assert!(is_sealed(&state, b"record", &second));
        assert_ne!(first, second);
        assert_eq!(fs::read(&elsewhere).unwrap(), bytes);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        let third = seal(&state, b"record").unwrap();
        assert!(is_sealed(&state, b"record", &third));
    }
}
