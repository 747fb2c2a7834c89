//! The syntax of JSON that is read.

use jsonc_parser::ParseOptions;

/// JSON as RFC 8259 has it, without the extensions that the parser takes by default.
pub(crate) const PLAIN_JSON: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_trailing_commas: false,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};
