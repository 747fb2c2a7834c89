//! The languages whose source is parsed, and the meaning of blanks and line breaks in each.

use tree_sitter::Language;

/// A language, with what its grammar leaves open.
pub(super) struct Grammar {
    pub(super) name: &'static str,
    /// The extensions of its files.
    pub(super) extensions: &'static [&'static str],
    pub(super) parser: fn() -> Language,
    /// The kinds of nodes whose text is compared as it is, blanks included.
    pub(super) verbatim: &'static [&'static str],
    /// The kinds of nodes that are comments.
    pub(super) comments: &'static [&'static str],
    /// The meaning of line breaks between tokens.
    pub(super) breaks: Breaks,
    /// The rights of the rule for comments.
    pub(super) prose: IgnoredComments,
    /// The items whose order has no meaning.
    pub(super) items: Option<Items>,
    /// The form of a test; `None` if tests look like other code.
    pub(super) tests: Option<TestForm>,
    /// The kinds of nodes in which a comma before the closing bracket has no meaning.
    pub(super) trailing_commas: &'static [&'static str],
    /// The kinds of nodes in which it has none if there is another comma.
    pub(super) tuples: &'static [&'static str],
    /// The kind of a text that may be in either quotes.
    pub(super) quoted: Option<&'static str>,
}

/// Items whose order has no meaning.
pub(super) struct Items {
    /// The kinds of their nodes.
    pub(super) kinds: &'static [&'static str],
    /// Names that make the order of an item matter.
    pub(super) ordered_names: &'static [&'static str],
    /// Beginnings of such names.
    pub(super) ordered_prefixes: &'static [&'static str],
}

/// The form of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TestForm {
    /// A function with the attribute `test`.
    Attribute,
    /// A function with a name that begins with `Test`, in a file of tests.
    Prefix,
}

/// The meaning of line breaks between tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Breaks {
    /// None: a line break is a blank.
    Blank,
    /// A line break may end a statement, but not after an opening bracket or a comma.
    EndStatements,
    /// Outside of brackets, line breaks end statements and indentation makes blocks.
    MakeBlocks,
}

/// The comments of a language that the compiler and its own tools ignore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IgnoredComments {
    /// All, and documentation that only people read.
    Documented,
    /// Those below the first two lines, which may name the encoding.
    BelowTheHead,
    /// Those that begin with a blank but no `+`, where no C code and no example with its output is in the file.
    Spaced,
}

/// The languages.
///
/// Macros of Rust get the tokens with their spacing, so their input is compared as it is. Go has build constraints, C code and expected
/// output of examples in comments. JavaScript and TypeScript are not here: they end statements at line breaks by rules that need the
/// whole grammar, text between JSX tags keeps some blanks, and the two grammars of TypeScript are 17 MB of C.
pub(super) static GRAMMARS: [Grammar; 3] = [
    Grammar {
        name: "Rust",
        extensions: &["rs"],
        parser: || tree_sitter_rust::LANGUAGE.into(),
        verbatim: &[
            "attribute_item",
            "block_comment",
            "char_literal",
            "inner_attribute_item",
            "line_comment",
            "macro_definition",
            "raw_string_literal",
            "shebang",
            "string_literal",
            "token_tree",
            "token_tree_pattern",
        ],
        comments: &["block_comment", "line_comment"],
        breaks: Breaks::Blank,
        prose: IgnoredComments::Documented,
        items: Some(Items {
            kinds: &[
                "associated_type",
                "const_item",
                "enum_item",
                "function_item",
                "function_signature_item",
                "impl_item",
                "struct_item",
                "trait_item",
                "type_item",
                "union_item",
            ],
            ordered_names: &[],
            ordered_prefixes: &[],
        }),
        tests: Some(TestForm::Attribute),
        trailing_commas: &[
            "arguments",
            "array_expression",
            "enum_variant_list",
            "field_declaration_list",
            "field_initializer_list",
            "ordered_field_declaration_list",
            "parameters",
            "struct_pattern",
            "tuple_struct_pattern",
            "type_arguments",
            "type_parameters",
            "use_list",
        ],
        tuples: &["tuple_expression", "tuple_type", "tuple_pattern"],
        quoted: None,
    },
    Grammar {
        name: "Go",
        extensions: &["go"],
        parser: || tree_sitter_go::LANGUAGE.into(),
        verbatim: &[
            "comment",
            "interpreted_string_literal",
            "raw_string_literal",
            "rune_literal",
        ],
        comments: &["comment"],
        breaks: Breaks::EndStatements,
        prose: IgnoredComments::Spaced,
        // Variables are initialized in their order, and so are the functions `init`. Tests run in their order.
        items: Some(Items {
            kinds: &[
                "function_declaration",
                "method_declaration",
                "type_declaration",
            ],
            ordered_names: &["init", "_"],
            ordered_prefixes: &["Benchmark", "Example", "Fuzz", "Test"],
        }),
        tests: Some(TestForm::Prefix),
        // A line break is a token there without one.
        trailing_commas: &[],
        tuples: &[],
        quoted: None,
    },
    Grammar {
        name: "Python",
        extensions: &["py", "pyi"],
        parser: || tree_sitter_python::LANGUAGE.into(),
        verbatim: &["comment", "line_continuation", "string"],
        comments: &["comment"],
        breaks: Breaks::MakeBlocks,
        prose: IgnoredComments::BelowTheHead,
        // Definitions are statements.
        items: None,
        tests: None,
        trailing_commas: &[
            "argument_list",
            "dictionary",
            "import_from_statement",
            "list",
            "parameters",
            "set",
        ],
        tuples: &["tuple"],
        quoted: Some("string"),
    },
];

/// Returns the language of a file, by its name.
pub(super) fn language(path: &str) -> Option<&'static Grammar> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let (_, extension) = name.rsplit_once('.')?;
    (GRAMMARS.iter()).find(|grammar| grammar.extensions.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_literal_and_comment_is_compared_as_it_is() {
        // Parts of other nodes, numbers and names, in which there are no blanks.
        let plain = [
            "boolean_literal",
            "float_literal",
            "imaginary_literal",
            "int_literal",
            "integer_literal",
            "negative_literal",
            "composite_literal",
            "func_literal",
            "literal_element",
            "literal_value",
            "concatenated_string",
            "string_content",
            "string_start",
            "string_end",
            "raw_string_literal_content",
            "interpreted_string_literal_content",
            "doc_comment",
            "inner_doc_comment_marker",
            "outer_doc_comment_marker",
        ];
        for grammar in &GRAMMARS {
            let language = (grammar.parser)();
            let kinds = (0..language.node_kind_count()).filter_map(|id| {
                let id = u16::try_from(id).ok()?;
                let is_shown = language.node_kind_is_named(id) && language.node_kind_is_visible(id);
                language.node_kind_for_id(id).filter(|_| is_shown)
            });
            let kinds: Vec<&str> = kinds.collect();
            for kind in grammar.verbatim.iter().chain(grammar.comments) {
                assert!(kinds.contains(kind), "{}: {kind}", grammar.name);
            }
            let is_text = |kind: &&&str| {
                ["literal", "string", "comment", "text", "template"]
                    .iter()
                    .any(|word| kind.contains(word))
            };
            for kind in kinds.iter().filter(is_text) {
                let is_known = grammar.verbatim.contains(kind) || plain.contains(kind);
                assert!(is_known, "{}: {kind}", grammar.name);
            }
        }
    }
}
