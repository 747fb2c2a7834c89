//! The review as a value: decisions, undo, edits, composing, carrying over.

mod calls;
mod decisions;
mod fixture;
mod keeping;
mod properties;
