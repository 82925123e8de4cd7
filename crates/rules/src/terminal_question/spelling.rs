//! Typing mistakes.

/// Whether `typed` may be a misspelling of `meant`. Short words must match exactly: too many of them are similar.
pub(super) fn is_slip(typed: &str, meant: &str) -> bool {
    // A different first letter usually makes another word.
    if typed.chars().next() != meant.chars().next() {
        return false;
    }
    let (typed, meant): (Vec<char>, Vec<char>) = (typed.chars().collect(), meant.chars().collect());
    if meant.len() < 4 || typed.len() < 4 || typed.len().abs_diff(meant.len()) > 2 || typed == meant {
        return false;
    }
    if is_swap(&typed, &meant) || is_doubled(&typed, &meant) || is_doubled(&meant, &typed) {
        return true;
    }
    let allowed = match meant.len() {
        ..=5 => 0,
        6..=9 => 1,
        _ => 2,
    };
    // A replaced letter makes another word more often than a missing one.
    if typed.len() == meant.len() && meant.len() < 9 {
        return false;
    }
    allowed > 0 && distance(&typed, &meant) <= allowed
}

/// Whether two neighbouring letters are swapped.
fn is_swap(one: &[char], other: &[char]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let differs: Vec<usize> = (0..one.len()).filter(|at| one[*at] != other[*at]).collect();
    matches!(differs[..], [first, second] if second == first + 1 && one[first] == other[second] && one[second] == other[first])
}

/// Whether `long` is `short` with one letter doubled.
fn is_doubled(long: &[char], short: &[char]) -> bool {
    long.len() == short.len() + 1
        && (1..long.len())
            .any(|at| long[at] == long[at - 1] && long[..at] == short[..at] && long[at + 1..] == short[at..])
}

/// Edit distance with swaps (optimal string alignment).
pub(super) fn distance(one: &[char], other: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, a) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, b) in other.iter().enumerate() {
            let mut cost =
                (last[column] + usize::from(a != b)).min(last[column + 1] + 1).min(next[column] + 1);
            if row > 0 && column > 0 && *a == other[column - 1] && one[row - 1] == *b {
                cost = cost.min(before[column - 1] + 1);
            }
            next.push(cost);
        }
        before = std::mem::replace(&mut last, next);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_known_from_other_words() {
        for (typed, meant) in [
            ("hepl", "help"),
            ("helpp", "help"),
            ("relases", "releases"),
            ("artsts", "artists"),
            ("lsten", "listen"),
            ("newletter", "newsletter"),
            ("datenschuzt", "datenschutz"),
            ("lates", "latest"),
        ] {
            assert!(is_slip(typed, meant), "{typed} {meant}");
        }
        for (typed, other) in [
            ("table", "label"),
            ("prince", "price"),
            ("skip", "ship"),
            ("skipping", "shipping"),
            ("stone", "store"),
            ("sable", "label"),
            ("memo", "demo"),
            ("the", "them"),
            ("help", "help"),
            ("nullpoint", "releases"),
        ] {
            assert!(!is_slip(typed, other), "{typed} {other}");
        }
    }
}
