//! The head of a JPEG's frame (ITU-T T.81, B.2.2): what the file claims before anything of it is decoded.

#[derive(Debug)]
pub(super) struct Frame {
    pub(super) channels: usize,
    /// Blocks of 8 × 8 samples, of all channels.
    blocks: u64,
    /// Whether every coefficient is held until the last one is read: the file comes in passes.
    is_held: bool,
}

impl Frame {
    /// Reads the head; none where there is no complete one.
    pub(super) fn read(file: &[u8]) -> Option<Self> {
        let mut at = 2;
        let mut frame: Option<Self> = None;
        loop {
            let marker = match file.get(at..at + 2)? {
                [0xff, 0xff] => {
                    at += 1;
                    continue;
                }
                [0xff, marker] => *marker,
                _ => return None,
            };
            let length = usize::from(u16::from_be_bytes(*file.get(at + 2..at + 4)?.first_chunk()?));
            let data = file.get(at + 4..at + 2 + length)?;
            match marker {
                0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf if frame.is_none() => {
                    let is_progressive = matches!(marker, 0xc2 | 0xc6 | 0xca | 0xce);
                    frame = Some(Self::of(data, is_progressive)?);
                }
                // Also where the channels come one after the other.
                0xda => {
                    let mut frame = frame?;
                    frame.is_held |= usize::from(*data.first()?) < frame.channels;
                    return Some(frame);
                }
                _ => {}
            }
            at += 2 + length;
        }
    }

    fn of(data: &[u8], is_held: bool) -> Option<Self> {
        let edge = |at: usize| Some(u64::from(u16::from_be_bytes(*data.get(at..at + 2)?.first_chunk()?)));
        let (height, width) = (edge(1)?, edge(3)?);
        let channels = usize::from(*data.get(5)?);
        let mut samples = 0;
        let (mut most_across, mut most_down) = (1, 1);
        for channel in data.get(6..)?.chunks_exact(3).take(channels) {
            let (across, down) = (u64::from(channel[1] >> 4), u64::from(channel[1] & 0xf));
            samples += across * down;
            most_across = most_across.max(across);
            most_down = most_down.max(down);
        }
        let blocks = width.div_ceil(8 * most_across) * height.div_ceil(8 * most_down) * samples;
        Some(Self { channels, blocks, is_held })
    }

    /// The decoder's memory besides the picture: two bytes for each coefficient.
    pub(super) fn held_bytes(&self) -> u64 {
        if self.is_held { self.blocks * 128 } else { 0 }
    }

    /// Whether `length` bytes can hold the picture: each block takes a bit at least, its mean.
    pub(super) fn is_possible(&self, length: usize) -> bool {
        self.blocks / 8 <= length as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The head of 4000 × 4000 pixels in colour.
    fn head(frame: u8, samples: [u8; 3], scanned: u8) -> Vec<u8> {
        let [first, second, third] = samples;
        let mut head = vec![0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, frame, 0, 17, 8];
        head.extend([0x0f, 0xa0, 0x0f, 0xa0, 3, 1, first, 0, 2, second, 0, 3, third, 0]);
        head.extend([0xff, 0xda, 0, 3, scanned]);
        head
    }

    #[test]
    fn coefficients_are_held_where_a_picture_comes_in_passes() {
        let full = [0x11; 3];
        let held = |head: &[u8]| Frame::read(head).unwrap().held_bytes();
        assert_eq!(held(&head(0xc0, full, 3)), 0);
        assert_eq!(held(&head(0xc2, full, 3)), 96_000_000);
        assert_eq!(held(&head(0xc2, [0x22, 0x11, 0x11], 1)), 48_000_000);
        assert_eq!(held(&head(0xc0, full, 1)), 96_000_000);
        for broken in [&b""[..], b"\xff\xd8", b"\xff\xd8\xff\xe0", b"\xff\xd8\xff\xe0\xff\xff", b"\x89PNG"] {
            assert!(Frame::read(broken).is_none(), "{broken:?}");
        }
    }

    #[test]
    fn a_frame_of_more_blocks_than_bits_is_impossible() {
        let frame = Frame::read(&head(0xc2, [0x11; 3], 3)).unwrap();
        assert!(!frame.is_possible(519));
        assert!(!frame.is_possible(93_000));
        assert!(frame.is_possible(93_750));
    }
}
