//! Rules for names, which need no file system: names that an edit may never touch, ignore patterns, and protected files.

pub(in crate::store) mod git_settings;
pub(in crate::store) mod guard;
pub(in crate::store) mod ignore_rules;
pub(in crate::store) mod name_folding;
pub(in crate::store) mod ordinary_names;
pub(in crate::store) mod own_files;
pub(in crate::store) mod protected_names;
pub(in crate::store) mod protection;
