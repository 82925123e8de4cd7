//! Demos by tus, from the first question to the letter to the label.

mod analysis;
mod crash;
mod flow;
mod inbox;
mod instances;
mod limits;
mod refusals;
mod resume;
mod sender;
