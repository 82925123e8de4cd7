//! What this process knows of the uploads that its requests work on right now.

use super::{places::Places, turns::Turns};

/// What uploads of this process share.
#[derive(Debug, Default)]
pub struct Uploads {
    /// Which request works on which upload.
    pub turns: Turns,
    /// How many requests send bytes.
    pub places: Places,
}
