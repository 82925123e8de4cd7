//! What answers in the terminal: the index of names that the embedded responder searches, and the language model where one is set.

use super::{
    ai::{Ai, AiSettings, Patience},
    kept_index::{KeptIndex, Source},
};
use crate::db::Db;

/// What answers.
#[derive(Debug)]
pub struct Terminal {
    pub(super) db: Db,
    pub(super) index: KeptIndex,
    pub(super) ai: Option<Ai>,
}

impl Terminal {
    /// The embedded responder over the catalogue of `source`, and the language model of the settings if they name one.
    pub fn new(source: Source, ai: Option<AiSettings>, patience: Patience) -> anyhow::Result<Self> {
        Ok(Self {
            db: source.db.clone(),
            index: KeptIndex::new(source),
            ai: ai.map(|settings| Ai::new(settings, patience)).transpose()?,
        })
    }

    /// Whether an index of names is in memory.
    pub fn keeps_an_index(&self) -> bool {
        self.index.is_kept()
    }

    /// Whether questions leave this website.
    pub(super) fn asks_others(&self) -> bool {
        self.ai.is_some()
    }
}
