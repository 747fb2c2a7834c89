//! The program git, which tests compare with or have a repository made by.

use std::io::Write as _;
use std::process::Command;
use std::sync::OnceLock;

/// Returns whether git can be run. Where it cannot, the tests that need it are left out with a notice; where `CI` is set, they fail.
pub(crate) fn can_run() -> bool {
    static CAN_RUN: OnceLock<bool> = OnceLock::new();
    *CAN_RUN.get_or_init(|| {
        let ran = Command::new("git").arg("--version").output();
        let can_run = ran.is_ok_and(|ran| ran.status.success());
        assert!(
            can_run || std::env::var_os("CI").is_none(),
            "git cannot be run, and `CI` is set: install git, which this test needs"
        );
        if !can_run {
            // The test harness swallows what `eprintln!` prints.
            let notice =
                "NOTICE: git cannot be run, so the tests that need it are left out: install git\n";
            let _ = std::io::stderr().write_all(notice.as_bytes());
        }
        can_run
    })
}
