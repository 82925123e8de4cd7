//! What the label can look into: the log of security events, and the checklist of how safe the label is right now.

pub mod audit;
pub mod checklist;
