//! The store against real folders: what it reads, what it refuses, and that it writes all or nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(unreachable_pub, reason = "the modules of a test have no outside")]

mod commits;
mod entries;
#[path = "../git/program.rs"]
mod git_program;
mod history;
mod ignored;
mod linked_names;
mod races;
mod random;
mod resolve;
mod tree;
