//! The lines of a hunk, made of texts: strings that a call holds, whole files, and replacements that leave lines out.

pub(in crate::dialect) mod omitted_lines;
pub(in crate::dialect) mod string_lines;
pub(in crate::dialect) mod whole_file;
