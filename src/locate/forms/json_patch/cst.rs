//! JSON as a concrete syntax tree, which keeps comments and layout.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstObject, CstObjectProp, CstRootNode};

/// Parses JSON with comments and trailing commas.
pub(super) fn parse(text: &str) -> Result<CstRootNode, String> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    CstRootNode::parse(text, &options).map_err(|error| error.to_string())
}

/// Returns the member of an object; of two with the same name neither is meant.
pub(super) fn member(object: &CstObject, name: &str) -> Result<Option<CstObjectProp>, String> {
    let is_named = |prop: &CstObjectProp| prop.decoded_name().as_deref() == Some(name);
    let mut found = object.properties().into_iter().filter(is_named);
    let first = found.next();
    if found.next().is_some() {
        return Err(format!("an object has two members `{name}`"));
    }
    Ok(first)
}
