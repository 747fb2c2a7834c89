//! Tests that need git do not pass in silence where there is none.

use std::process::Command;

/// Runs a test of this program where no git is found; returns whether it passed, and what was printed.
fn run(test: &str, ci: Option<&str>) -> (bool, String) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args([test, "--exact"])
        .env("PATH", "/nowhere")
        .env_remove("CI");
    let output = command
        .envs(ci.map(|value| ("CI", value)))
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

#[test]
fn a_test_without_git_fails_in_ci_and_is_named_elsewhere() {
    for test in [
        "ancestor::what_is_merged_cleanly_is_safe_and_not_exact",
        "approved::an_approval_is_for_one_of_two_equal_changes_alone",
        "carried::two_folders_have_the_approvals_of_their_earlier_reviews",
        "earlier::the_index_of_git_says_where_an_edit_belongs",
    ] {
        let (passed, said) = run(test, Some("true"));
        assert!(said.contains("running 1 test"), "{test}: {said}");
        assert!(!passed && said.contains("install git"), "{test}: {said}");
        let (passed, said) = run(test, None);
        assert!(passed && said.contains("NOTICE: git"), "{test}: {said}");
    }
}
