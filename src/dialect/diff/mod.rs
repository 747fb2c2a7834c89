//! Diffs: unified diffs of git, of `diff -u` and of models; context, normal, ed and RCS diffs; binary patches; and series of patches.

pub(in crate::dialect) mod binary_patch;
pub(in crate::dialect) mod change_order;
pub(in crate::dialect) mod context;
pub(in crate::dialect) mod diff_command;
pub(in crate::dialect) mod diffstat;
pub(in crate::dialect) mod ed;
pub(in crate::dialect) mod file_existence;
pub(in crate::dialect) mod file_title;
pub(in crate::dialect) mod git_header;
pub(in crate::dialect) mod header_path;
pub(in crate::dialect) mod hunk;
pub(in crate::dialect) mod hunk_body;
pub(in crate::dialect) mod hunk_header;
pub(in crate::dialect) mod line_ending;
pub(in crate::dialect) mod line_range;
pub(in crate::dialect) mod merged_files;
pub(in crate::dialect) mod normal;
pub(in crate::dialect) mod patch_date;
pub(in crate::dialect) mod patch_series;
pub(in crate::dialect) mod rcs;
pub(in crate::dialect) mod recreated_file;
pub(in crate::dialect) mod series_order;
pub(in crate::dialect) mod submodule;
pub(in crate::dialect) mod unified;
pub(in crate::dialect) mod version_chain;
