//! Positions in the log of changes as clients have them. The ids are counted over all tables, and two of them would tell how much
//! lies between: so they are enciphered with the key file, which all instances share.

use crate::crypto::Keys;

/// Bits of each half; together a number that is exact in JavaScript.
const HALF: u32 = 26;
const MASK: u32 = (1 << HALF) - 1;
/// Rounds of a Feistel network: four make a permutation that looks random.
const ROUNDS: u8 = 4;

#[derive(Clone, Debug)]
pub(super) struct Positions(pub(super) Keys);

impl Positions {
    pub(super) fn of(&self, id: i64) -> u64 {
        let (mut left, mut right) = halves(id.unsigned_abs());
        for round in 0..ROUNDS {
            (left, right) = (right, left ^ self.mix(round, right));
        }
        joined(left, right)
    }

    /// The id of a position; none where no id has it. Of an invented position it is an id that no change has yet.
    pub(super) fn id(&self, position: u64) -> Option<i64> {
        let (mut left, mut right) = halves(position);
        if joined(left, right) != position {
            return None;
        }
        for round in (0..ROUNDS).rev() {
            (left, right) = (right ^ self.mix(round, left), left);
        }
        i64::try_from(joined(left, right)).ok()
    }

    fn mix(&self, round: u8, half: u32) -> u32 {
        let code = self.0.mac(&[b"live position", &[round], &half.to_be_bytes()]);
        code.iter().take(4).fold(0, |bits, byte| bits << 8 | u32::from(*byte)) & MASK
    }
}

#[expect(clippy::cast_possible_truncation, reason = "masked")]
const fn halves(number: u64) -> (u32, u32) {
    ((number >> HALF) as u32 & MASK, number as u32 & MASK)
}

fn joined(left: u32, right: u32) -> u64 {
    u64::from(left) << HALF | u64::from(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(name: &str) -> Positions {
        let folder = tempfile::tempdir().unwrap();
        Positions(Keys::load_or_create(&folder.path().join(name)).unwrap())
    }

    #[test]
    fn each_id_has_a_position_of_this_key_alone_that_tells_no_distance() {
        let (ours, others) = (positions("ours"), positions("others"));
        let mut before = ours.of(0);
        for id in (1..1000).chain([1 << 40, (1 << 52) - 1]) {
            let position = ours.of(id);
            assert_eq!(ours.id(position), Some(id));
            assert_ne!(others.of(id), position);
            assert!(
                position < 1 << 52 && position.abs_diff(before) > 1_000,
                "{id}: {position} after {before}"
            );
            before = position;
        }
    }

    #[test]
    fn what_is_no_position_is_no_id_that_a_change_has() {
        let ours = positions("ours");
        for number in [1 << 52, u64::MAX] {
            assert_eq!(ours.id(number), None);
        }
        for number in 0..1000 {
            assert!(ours.id(number).is_none_or(|id| id > 1_000_000), "{number}");
        }
    }
}
