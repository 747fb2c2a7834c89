//! The table of dialects.
//!
//! A row drives detection, `--format`, completions, help and the guide; a new dialect is one file and one row.

use crate::dialect::blocks::{aider, search_replace};
use crate::dialect::call::{roo_xml, tool_call};
use crate::dialect::dialect_trait::Dialect;
use crate::dialect::diff::{context, ed, normal, rcs, unified};
use crate::dialect::envelope::apply_patch;
use crate::dialect::fenced::{sketch, suggestion, whole};
use crate::dialect::shell::file_command;
use crate::dialect::tool::tool_table::TOOLS;

/// Every dialect. Of two that can read the same line, the stricter is first.
pub static DIALECTS: [&dyn Dialect; 14] = [
    &file_command::Shell,
    &suggestion::Suggestion,
    &roo_xml::RooXml,
    &tool_call::ToolCall,
    &apply_patch::Envelope,
    &unified::Unified,
    &context::Context,
    &normal::Normal,
    &aider::Aider,
    &search_replace::SearchReplace,
    &sketch::Sketch,
    &whole::Whole,
    &ed::Ed,
    &rcs::Rcs,
];

/// A tool whose calls are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownTool {
    /// The agent or the product.
    pub agent: &'static str,
    /// The names of the tool; none for a form without a name.
    pub names: &'static [&'static str],
    /// Its fields: `role=field`, `field:value`, `?` for what may be missing.
    pub fields: &'static str,
    /// The source of the schema.
    pub source: &'static str,
}

/// Returns every tool whose calls are read, in the order in which they are tried.
pub fn known_tools() -> impl Iterator<Item = KnownTool> {
    TOOLS.iter().map(|tool| KnownTool {
        agent: tool.agent,
        names: tool.names,
        fields: tool.fields,
        source: tool.source,
    })
}

/// The dialect of this name.
pub fn named(name: &str) -> Option<&'static dyn Dialect> {
    DIALECTS.into_iter().find(|dialect| dialect.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_has_its_own_name() {
        for dialect in DIALECTS {
            let found = named(dialect.name()).map(Dialect::name);
            assert_eq!(found, Some(dialect.name()));
        }
        assert!(named("prose").is_none());
    }
}
