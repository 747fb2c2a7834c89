//! Moving the cursor: along rows, and to the next thing of a kind.

pub(crate) mod jump;
pub(crate) mod motion;
