//! Lines of an edit and lines of the file that match (exactly, but for blanks and punctuation, or word by word), and what the two
//! have around them: enclosing scopes, anchors, shifts of indentation.

pub(super) mod anchor;
pub(super) mod candidates;
pub(super) mod edit_script;
pub(super) mod indent_shift;
pub(super) mod index;
pub(super) mod kmp;
pub(super) mod ladder;
pub(super) mod line_cost;
pub(super) mod line_match;
pub(super) mod normalize;
pub(super) mod scope;
pub(super) mod tolerance;
pub(super) mod word_alignment;
pub(super) mod words;
