//! Painting: the web app renders a page in a JavaScript engine inside this process, so that the page has its text before any browser has
//! run a script.
//!
//! Painting is an improvement and never a condition: whatever fails, takes too long or finds too much work is [`Skipped`] with its reason,
//! and the caller serves the page unpainted.

mod bounds;
mod engine;
mod painter;

pub use bounds::{Bounds, Priority, Skipped};
pub use painter::Painter;
