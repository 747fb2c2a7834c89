//! Where hunks are placed: a table of cases, and what holds for every file.

mod drift;
mod evidence;
mod merge;
mod numbered;
mod resent;
mod table;
