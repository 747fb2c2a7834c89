//! Signatures of decisions, as `ssh-keygen -Y sign -n countersign` makes them.
//!
//! `ssh-keygen` verifies them too, as git does with those of commits: keys and agents are as people have set them up, and there is no
//! cryptography here.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use thiserror::Error;

/// Namespace of the signatures: one that was made for another purpose does not count.
const NAMESPACE: &str = "countersign";

/// Why nothing is taken from signed decisions.
#[derive(Debug, Error)]
pub(crate) enum SignatureError {
    /// There is no signature beside the decisions.
    #[error("there is no signature `{0}`")]
    Missing(PathBuf),
    /// It is not by any of the keys.
    #[error("the signature `{signature}` is not by a key of `{signers}`: {said}")]
    Stranger {
        signature: PathBuf,
        signers: PathBuf,
        said: String,
    },
    /// It is not the signature of these decisions.
    #[error("the signature `{signature}` is not one of `{decisions}`: {said}")]
    Invalid {
        signature: PathBuf,
        decisions: PathBuf,
        said: String,
    },
    /// The files or the edits are others than those that were reviewed.
    #[error("not what was reviewed: {0}")]
    Different(String),
    /// `ssh-keygen` does not run.
    #[error("cannot run `ssh-keygen`, which verifies signatures: {0}")]
    NoProgram(#[from] io::Error),
}

impl SignatureError {
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::Missing(_) => "`ssh-keygen -Y sign -n countersign -f KEY FILE` makes one",
            Self::Stranger { .. } | Self::Invalid { .. } => {
                "ask whoever approved it to sign the decisions again"
            }
            Self::Different(_) => {
                "use the files and the edits as they were reviewed, or review them here"
            }
            Self::NoProgram(_) => "install OpenSSH 8.2 or later",
        }
    }
}

/// Verifies the signature of decisions, which is beside them with `.sig` at the end of its name. Returns the identity of the key.
///
/// # Errors
///
/// [`SignatureError`] unless a key of `signers`, in the form of `allowed_signers` in `ssh-keygen(1)`, has signed these bytes.
pub(crate) fn verify(
    bytes: &[u8],
    decisions: &Path,
    signers: &Path,
) -> Result<String, SignatureError> {
    let mut signature = decisions.as_os_str().to_owned();
    signature.push(".sig");
    let signature = PathBuf::from(signature);
    if !signature.is_file() {
        return Err(SignatureError::Missing(signature));
    }
    let found = run(&mut keygen("find-principals", signers, &signature), &[])?;
    let identities = String::from_utf8_lossy(&found.stdout);
    let identity = identities.lines().next().filter(|_| found.status.success());
    let Some(identity) = identity else {
        return Err(SignatureError::Stranger {
            signers: signers.to_owned(),
            said: first_error_line(&found),
            signature,
        });
    };
    let verified = run(
        keygen("verify", signers, &signature).args(["-I", identity]),
        bytes,
    )?;
    if !verified.status.success() {
        return Err(SignatureError::Invalid {
            decisions: decisions.to_owned(),
            said: first_error_line(&verified),
            signature,
        });
    }
    Ok(identity.to_owned())
}

fn run(command: &mut Command, input: &[u8]) -> io::Result<Output> {
    let pipes = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = pipes.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that has ended says why.
        let _ = stdin.write_all(input);
    }
    child.wait_with_output()
}

/// Returns the first line that `ssh-keygen` said about a failure.
fn first_error_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    text.lines()
        .next()
        .unwrap_or("no reason is given")
        .to_owned()
}

/// Returns the command of a task of `ssh-keygen -Y` about a signature.
fn keygen(task: &str, signers: &Path, signature: &Path) -> Command {
    let mut command = Command::new("ssh-keygen");
    command
        .args(["-Y", task, "-n", NAMESPACE, "-f"])
        .arg(signers);
    command.arg("-s").arg(signature);
    command
}
