//! A believable label to look at before there is a real one: `deadwax sample`.

pub mod catalogue;
pub mod load;
mod pictures;
