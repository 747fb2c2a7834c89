//! The review as a value: decisions, undo, edits, composing, carrying over.

mod calls;
mod compare;
mod decisions;
mod fixture;
mod keeping;
mod properties;
