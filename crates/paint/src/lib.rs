//! Painting: the web app's own program for a page, run in an engine of JavaScript inside this process, so that a page has its
//! text before a browser has run anything.
//!
//! Painting is an improvement and never a condition: whatever fails, takes too long or finds too much work is
//! [`Skipped`], with its reason, and the caller serves the page unpainted.

mod bounds;
mod credit;
mod engine;
mod painter;
mod skipped;

pub use bounds::{Bounds, Priority};
pub use engine::{Code, MODULE};
pub use painter::Painter;
pub use skipped::Skipped;
