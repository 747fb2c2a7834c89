//! Calls of editing tools as models and agents write them: JSON and messages, tags, special tokens of chat templates, and the
//! forms of Roo Code and Zed.

mod calls_in_tags;
pub(in crate::dialect) mod cut_off;
pub(in crate::dialect) mod markup;
mod markup_action;
pub(in crate::dialect) mod nested_text;
mod opening_tag;
mod project_folder;
pub(in crate::dialect) mod reported;
pub(in crate::dialect) mod roo_xml;
pub(in crate::dialect) mod special_tokens;
mod tag_text;
mod text_beside_calls;
pub(in crate::dialect) mod tool_call;
mod work_folder;
mod zed;
