//! The terminal's answers: the embedded responder's index of names, and the language model if one is set. Knows names and texts, neither
//! requests nor views of the catalogue.

pub mod ai;
pub mod index;
pub mod kept_index;
pub mod plain;
pub mod search;

use ai::{Ai, AiSettings, Patience};
use deadwax_store::db::Statement;
use kept_index::{KeptIndex, Source};

/// Every SQL text of the responder, with its name.
pub fn statements() -> Vec<(&'static str, Statement)> {
    kept_index::statements()
}

/// The parts that answer questions.
#[derive(Debug)]
pub struct Terminal {
    /// The names in the catalogue.
    pub index: KeptIndex,
    /// The language model, if one is set.
    pub ai: Option<Ai>,
}

impl Terminal {
    /// With the language model of `ai`, if set, and the embedded responder.
    pub fn new(source: Source, ai: Option<AiSettings>, patience: Patience) -> anyhow::Result<Self> {
        Ok(Self {
            index: KeptIndex::new(source),
            ai: ai.map(|settings| Ai::new(settings, patience)).transpose()?,
        })
    }
}
