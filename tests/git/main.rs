//! Reviews of what stands already, in real repositories, with the keys of a person.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

#[allow(dead_code, reason = "the tests of the terminal use the rest of it")]
#[path = "../terminal/pty.rs"]
mod pty;

mod diff;
mod racy;
mod repository;
mod staged;
mod turns;
mod worktree;
