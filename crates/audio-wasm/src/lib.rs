//! Thin bindings of `crates/audio` for the check of a chosen demo.
//!
//! Reading a file in a browser is asynchronous, and nothing here waits: a [`Probe`] names the bytes it needs, receives them, and
//! continues. An exception means that the caller broke the types.

use deadwax_audio::Known;
use rules::checked::Problem;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use tsify::{Ts, Tsify};
use wasm_bindgen::{UnwrapThrowExt, prelude::wasm_bindgen};

// Far smaller than the default allocator.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// Current result for the file.
#[derive(Debug, Clone, PartialEq, Serialize, Tsify)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum Finding {
    /// The bytes from `start` to `end` are needed first.
    Missing {
        /// Offset of the first byte.
        start: f64,
        /// Offset after the last byte.
        end: f64,
    },
    /// The server would refuse the file.
    Refused {
        /// The problem to show beside the file.
        problem: Problem,
    },
    /// The server would accept the file.
    Right {
        /// Description, such as `WAV, 24 bit, 48 kHz, 3:12`; `null` if the file states too little.
        line: Option<String>,
    },
    /// Cannot be judged here: the server decides.
    Nothing,
}

/// Inspects a file whose bytes arrive in pieces.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Probe(deadwax_audio::Probe);

#[wasm_bindgen]
impl Probe {
    /// Starts with a file's name and size in bytes.
    #[wasm_bindgen(constructor)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size is whole and below 2^53"
    )]
    pub fn new(name: &str, bytes: f64) -> Self {
        Self(deadwax_audio::Probe::new(name, bytes as u64))
    }

    /// Adds the requested bytes.
    pub fn take(&mut self, bytes: Vec<u8>) {
        self.0.take(bytes);
    }

    /// Continues with the bytes added so far.
    #[expect(clippy::cast_precision_loss, reason = "a size is below 2^53")]
    pub fn advance(&mut self) -> Ts<Finding> {
        let finding = match self.0.advance() {
            Known::Missing(range) => Finding::Missing { start: range.start as f64, end: range.end as f64 },
            Known::Refused(refusal) => Finding::Refused { problem: Problem::new("file", refusal) },
            Known::Right(content) => Finding::Right { line: content.map(|content| content.to_string()) },
            Known::Nothing => Finding::Nothing,
        };
        Ts::new_unchecked(finding.serialize(&Serializer::json_compatible()).unwrap_throw())
    }
}
