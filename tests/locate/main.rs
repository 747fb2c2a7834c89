//! Where hunks are placed: a table of cases, and what holds for every file.

mod drift;
mod merge;
mod resent;
mod rules;
mod table;
