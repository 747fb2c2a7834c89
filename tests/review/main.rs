//! The review as a value: decisions, undo, edits, composing, carrying over.

mod applied;
mod by_hand;
mod by_model;
mod calls;
mod comments;
mod compare;
mod compose;
mod decisions;
mod dropped;
mod encodings;
mod fixture;
mod keeping;
mod properties;
mod rejections;
mod resends;
mod seen;
mod separate;
mod sequence;
mod split;
mod threads;
