//! What the dialects read: a case is an input and the proposal that it makes.

mod aider;
mod classic;
mod envelope;
mod fenced;
mod mixed;
mod properties;
mod roo_xml;
mod search_replace;
mod show;
mod tool_call;
mod unified;
