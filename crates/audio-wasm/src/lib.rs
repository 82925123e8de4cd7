//! The boundary between a chosen demo and `crates/audio`: no decision of its own.
//!
//! Reading a file in a browser takes its time, and nothing here waits. So a [`Look`] says which bytes it needs, is given them, and
//! goes on. An exception means the caller broke the types.

use deadwax_audio::Known;
use rules::checked::Problem;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use tsify::{Ts, Tsify};
use wasm_bindgen::{UnwrapThrowExt, prelude::wasm_bindgen};

// Far smaller than the default one.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// What is known of the file now.
#[derive(Debug, Clone, PartialEq, Serialize, Tsify)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum Finding {
    /// Nothing, before the bytes from `start` to `end` are here.
    Missing {
        /// The first of them.
        start: f64,
        /// The one behind the last.
        end: f64,
    },
    /// That the server would refuse it, and with which words.
    Refused {
        /// As it stands beside the file.
        problem: Problem,
    },
    /// That the server would take it.
    Right {
        /// As `WAV, 24 bit, 48 kHz, 3:12`; `null` where it says too little of itself.
        line: Option<String>,
    },
    /// Nothing, for good: the server decides.
    Nothing,
}

/// A look at a file whose bytes come piece by piece.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Look(deadwax_audio::Look);

#[wasm_bindgen]
impl Look {
    /// At a file of this name and so many bytes.
    #[wasm_bindgen(constructor)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size is whole and below 2^53"
    )]
    pub fn new(name: &str, bytes: f64) -> Self {
        Self(deadwax_audio::Look::new(name, bytes as u64))
    }

    /// Takes the bytes that were missing.
    pub fn take(&mut self, bytes: Vec<u8>) {
        self.0.take(bytes);
    }

    /// What is known with the bytes that are here.
    #[wasm_bindgen(js_name = goOn)]
    #[expect(clippy::cast_precision_loss, reason = "a size is below 2^53")]
    pub fn go_on(&mut self) -> Ts<Finding> {
        let finding = match self.0.go_on() {
            Known::Missing(range) => Finding::Missing { start: range.start as f64, end: range.end as f64 },
            Known::Refused(refusal) => Finding::Refused { problem: Problem::new("file", refusal) },
            Known::Right(content) => Finding::Right { line: content.map(|content| content.to_string()) },
            Known::Nothing => Finding::Nothing,
        };
        Ts::new_unchecked(finding.serialize(&Serializer::json_compatible()).unwrap_throw())
    }
}
