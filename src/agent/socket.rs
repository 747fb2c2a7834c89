//! Unix socket of a reviewer: one per root, in a folder that only its user may enter.
//!
//! The folder is `countersign` in `$XDG_RUNTIME_DIR`, or `countersign-UID` in the folder for temporary files. The name is a
//! hash of the root, because the name of a socket may not be longer than a hundred bytes or so (`unix(7)`).

use std::fs::{self, DirBuilder, File, Permissions, TryLockError};
use std::io::{self, ErrorKind};
use std::net::Shutdown;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::geteuid;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::text::hex;

/// The longest name of a socket, in bytes: `sun_path` holds 104 on some systems, the last of them a zero.
const LONGEST: usize = 103;

/// A socket that a reviewer listens on, until it is dropped.
#[derive(Debug)]
pub struct Socket {
    listener: UnixListener,
    /// Readable when the socket is to be closed.
    stopped: UnixStream,
    stopper: Stopper,
    path: PathBuf,
    /// Held as long as the socket is: who has it may take a socket away that was left behind.
    _lock: Held,
}

/// Ends the waiting for clients on a socket, from another thread.
///
/// It does not connect to the socket to wake the waiting thread: the socket's file, or its folder, may be gone by then.
#[derive(Debug, Clone)]
pub struct Stopper(Arc<UnixStream>);

impl Stopper {
    /// Makes [`Socket::accept`] return [`SocketError::Stopped`] from now on.
    pub fn stop(&self) {
        // It fails only if it was done before.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

/// The lock beside a socket. Its file goes with it.
#[derive(Debug)]
struct Held {
    _file: File,
    path: PathBuf,
}

/// Why there is no socket.
#[derive(Debug, Error)]
pub enum SocketError {
    /// The socket is being closed.
    #[error("the socket is being closed")]
    Stopped,
    /// Another reviewer listens for this root.
    #[error("another reviewer serves this folder already")]
    Served,
    /// The folder for sockets belongs to somebody else, or others may enter it.
    #[error("`{}` must be a folder that you own and only you may enter", .0.display())]
    Exposed(PathBuf),
    /// There is no folder with a name short enough.
    #[error("no folder for sockets has a name that is short enough: `{}`", .0.display())]
    TooLong(PathBuf),
    /// The other end of the connection belongs to another user.
    #[error("the other end of the socket belongs to user {0}")]
    Foreign(u32),
    /// The system refuses.
    #[error("the socket `{}` cannot be used: {source}", path.display())]
    Unusable {
        /// The socket, or its folder.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

impl SocketError {
    /// Returns advice for the person.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Stopped => "start `countersign serve` again",
            Self::Served => "hand proposals to it: `countersign submit`",
            Self::Exposed(_) | Self::Foreign(_) => {
                "set `XDG_RUNTIME_DIR` to a folder of yours with mode 0700"
            }
            Self::TooLong(_) => "set `XDG_RUNTIME_DIR` to a folder with a shorter name",
            Self::Unusable { .. } => "set `XDG_RUNTIME_DIR` to a folder that you may write to",
        }
    }
}

impl Socket {
    /// Listens for a root, given by its absolute name without links. A socket that a killed reviewer left is taken over.
    ///
    /// # Errors
    ///
    /// [`SocketError`] if another reviewer listens, or there can be no socket.
    pub fn listen(root: &Path) -> Result<Self, SocketError> {
        let path = path_for(root)?;
        let unusable = SocketError::unusable(&path);
        let lock = Held::take(&path.with_extension("lock"))?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(unusable(error)),
            Ok(()) | Err(_) => (),
        }
        let listener = UnixListener::bind(&path).map_err(&unusable)?;
        fs::set_permissions(&path, Permissions::from_mode(0o600)).map_err(&unusable)?;
        listener.set_nonblocking(true).map_err(&unusable)?;
        let (stopped, other_end) = UnixStream::pair().map_err(unusable)?;
        Ok(Self {
            listener,
            stopped,
            stopper: Stopper(Arc::new(other_end)),
            path,
            _lock: lock,
        })
    }

    /// Returns the path of the socket.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what ends the waiting for clients.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Waits for the next client. One that belongs to another user is sent away.
    ///
    /// # Errors
    ///
    /// [`SocketError`] for a client that is not let in, if the system refuses, or if the socket was stopped.
    pub fn accept(&self) -> Result<UnixStream, SocketError> {
        let unusable = SocketError::unusable(&self.path);
        loop {
            let mut fds = [
                PollFd::new(&self.stopped, PollFlags::IN),
                PollFd::new(&self.listener, PollFlags::IN),
            ];
            match poll(&mut fds, None) {
                Ok(_) if !fds[0].revents().is_empty() => return Err(SocketError::Stopped),
                Ok(_) | Err(Errno::INTR) => (),
                Err(error) => return Err(unusable(error.into())),
            }
            match self.listener.accept() {
                Ok((client, _)) => {
                    client.set_nonblocking(false).map_err(&unusable)?;
                    check_peer(&client, &self.path)?;
                    return Ok(client);
                }
                // The client has gone already, or the call was interrupted.
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::WouldBlock
                            | ErrorKind::Interrupted
                            | ErrorKind::ConnectionAborted
                    ) => {}
                Err(error) => return Err(unusable(error)),
            }
        }
    }
}

impl Held {
    /// Takes a lock, if nobody has it.
    fn take(path: &Path) -> Result<Self, SocketError> {
        loop {
            let mut options = File::options();
            options.write(true).create(true).truncate(false);
            let file = options.open(path).map_err(SocketError::unusable(path))?;
            if let Some(held) = Self::of(file, path)? {
                return Ok(held);
            }
        }
    }

    /// Takes the lock of an open file; `None` if that is not the named one any more. Who had the lock may have taken the file away
    /// after it was opened here, and a lock on that keeps nobody out.
    fn of(file: File, path: &Path) -> Result<Option<Self>, SocketError> {
        let unusable = SocketError::unusable(path);
        match file.try_lock() {
            Ok(()) => (),
            Err(TryLockError::WouldBlock) => return Err(SocketError::Served),
            Err(TryLockError::Error(error)) => return Err(unusable(error)),
        }
        let named = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            named => named.map_err(&unusable)?,
        };
        let opened = file.metadata().map_err(&unusable)?;
        let same = (opened.dev(), opened.ino()) == (named.dev(), named.ino());
        Ok(same.then(|| Self {
            _file: file,
            path: path.to_owned(),
        }))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Nobody else takes it away while it is locked. What a killed reviewer leaves is locked by the next one.
        let _ = fs::remove_file(&self.path);
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // What stays behind is taken over by the next reviewer.
        let _ = fs::remove_file(&self.path);
    }
}

/// Connects to the reviewer of a root; `None` if there is none.
///
/// # Errors
///
/// [`SocketError`] if the other end is not to be trusted, or the system refuses.
pub(super) fn connect(root: &Path) -> Result<Option<UnixStream>, SocketError> {
    let path = path_for(root)?;
    match UnixStream::connect(&path) {
        Ok(stream) => {
            check_peer(&stream, &path)?;
            Ok(Some(stream))
        }
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NotFound | ErrorKind::ConnectionRefused
            ) =>
        {
            Ok(None)
        }
        Err(source) => Err(SocketError::Unusable { path, source }),
    }
}

/// Returns the path of a root's socket, in a folder that exists.
fn path_for(root: &Path) -> Result<PathBuf, SocketError> {
    let name = hex(&Sha256::digest(root.as_os_str().as_encoded_bytes()));
    runtime_path(&format!("{}.sock", &name[..16]))
}

/// Returns the path of a file in the folder for sockets, which is created where it does not exist.
pub(super) fn runtime_path(name: &str) -> Result<PathBuf, SocketError> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let runtime = runtime.filter(|folder| folder.is_absolute());
    let own = format!("countersign-{}", geteuid().as_raw());
    let folders = [
        runtime.map(|folder| folder.join("countersign")),
        Some(std::env::temp_dir().join(&own)),
        Some(Path::new("/tmp").join(&own)),
    ];
    let mut failed = None;
    for folder in folders.into_iter().flatten() {
        let path = folder.join(name);
        let fits = path.as_os_str().len() <= LONGEST;
        match fits.then(|| own_folder(&folder)) {
            Some(Ok(())) => return Ok(path),
            Some(Err(error)) => failed = failed.or(Some(error)),
            None => failed = failed.or(Some(SocketError::TooLong(folder))),
        }
    }
    Err(failed.unwrap_or(SocketError::TooLong(PathBuf::from(name))))
}

/// Creates the folder, and checks that only its user may enter it.
fn own_folder(folder: &Path) -> Result<(), SocketError> {
    let unusable = SocketError::unusable(folder);
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(unusable(error)),
        Ok(()) | Err(_) => (),
    }
    let found = fs::symlink_metadata(folder).map_err(&unusable)?;
    // Nothing for the group and for others: the last six bits.
    let own =
        found.is_dir() && found.uid() == geteuid().as_raw() && found.mode().trailing_zeros() >= 6;
    if own {
        Ok(())
    } else {
        Err(SocketError::Exposed(folder.to_owned()))
    }
}

/// Checks that the other end belongs to the same user. Where the system does not report it, the folder is the only
/// guard.
fn check_peer(stream: &UnixStream, path: &Path) -> Result<(), SocketError> {
    #[cfg(target_os = "linux")]
    {
        let peer = rustix::net::sockopt::socket_peercred(stream).map_err(|error| {
            SocketError::Unusable {
                path: path.to_owned(),
                source: error.into(),
            }
        })?;
        if peer.uid != geteuid() {
            return Err(SocketError::Foreign(peer.uid.as_raw()));
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (stream, path);
    Ok(())
}

impl SocketError {
    /// Returns a function that names the socket, for the errors of the system about it.
    fn unusable(path: &Path) -> impl Fn(io::Error) -> Self {
        |source| Self::Unusable {
            path: path.to_owned(),
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_others_may_enter_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let own = place.path().join("own");
        own_folder(&own).unwrap();
        own_folder(&own).unwrap();
        fs::set_permissions(&own, Permissions::from_mode(0o750)).unwrap();
        assert!(matches!(own_folder(&own), Err(SocketError::Exposed(_))));
        let link = place.path().join("link");
        std::os::unix::fs::symlink(place.path(), &link).unwrap();
        assert!(matches!(own_folder(&link), Err(SocketError::Exposed(_))));
    }

    #[test]
    fn one_reviewer_listens_and_the_next_takes_over_what_a_killed_one_left() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        assert!(connect(root).unwrap().is_none());
        let socket = Socket::listen(root).unwrap();
        let mode = fs::metadata(socket.path()).unwrap().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert!(matches!(Socket::listen(root), Err(SocketError::Served)));
        assert!(connect(root).unwrap().is_some());
        socket.accept().unwrap();
        // A killed reviewer removes nothing.
        let path = socket.path().to_owned();
        drop(socket);
        drop(UnixListener::bind(&path).unwrap());
        assert!(path.exists());
        assert!(connect(root).unwrap().is_none());
        let again = Socket::listen(root).unwrap();
        assert!(connect(root).unwrap().is_some());
        drop(again);
        assert!(!path.exists() && !path.with_extension("lock").exists());
    }

    #[test]
    fn a_lock_that_was_taken_away_keeps_nobody_out() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("lock");
        let open = || File::options().write(true).open(&path).unwrap();
        let first = Held::take(&path).unwrap();
        assert!(matches!(Held::of(open(), &path), Err(SocketError::Served)));
        // They have opened it, and it goes before they can lock it.
        let (late, later) = (open(), open());
        drop(first);
        assert!(Held::of(late, &path).unwrap().is_none());
        let second = Held::take(&path).unwrap();
        assert!(Held::of(later, &path).unwrap().is_none());
        assert!(matches!(Held::take(&path), Err(SocketError::Served)));
        drop(second);
        assert!(!path.exists());
    }
}
