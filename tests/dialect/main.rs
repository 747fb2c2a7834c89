//! What the dialects read: a case is an input and the proposal that it makes.

mod aider;
mod alternatives;
mod classic;
#[path = "../engine/run.rs"]
mod engine;
mod envelope;
mod fenced;
mod in_order;
mod inner_blocks;
mod mangled;
mod mixed;
mod notebook;
mod outcome;
mod properties;
mod reasons;
mod roo_xml;
mod search_replace;
mod seeds;
mod shell;
mod show;
mod tool_call;
mod traps;
mod unfinished;
mod unified;
mod written;
