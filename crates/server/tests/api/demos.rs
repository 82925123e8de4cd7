//! Demos by tus, from the first question to the letter to the label.

mod analysis;
mod confirmation;
mod crash;
mod erase;
pub mod flow;
mod inbox;
mod instances;
mod limits;
mod links;
mod refusals;
mod replace;
mod resume;
pub mod sender;
mod tags;
mod withdrawn;
