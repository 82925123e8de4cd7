//! What the label can look into afterwards: the log of security events.

pub mod audit;
