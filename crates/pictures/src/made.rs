//! Pictures for tests, as programs write them: JPEGs of flat colours with any channels, and profiles of colours.

use std::io::Write as _;

use flate2::{Compression, write::ZlibEncoder};
use image::ImageFormat;
use moxcms::{
    ColorProfile, DataColorSpace, LutDataType, LutStore, LutType, LutWarehouse, Matrix3d, ProfileClass,
};

pub(super) fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(&kind);
    crc.update(data);
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    [&length[..], &kind, data, &crc.sum().to_be_bytes()].concat()
}

/// The picture with a profile put into it as its format says.
pub(super) fn labelled(plain: &[u8], format: ImageFormat, profile: &[u8]) -> Vec<u8> {
    match format {
        ImageFormat::Jpeg => [&plain[..2], &segments(profile), &plain[2..]].concat(),
        ImageFormat::Png => {
            let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
            packed.write_all(profile).unwrap();
            let data = [b"ICC Profile\0\0".as_slice(), &packed.finish().unwrap()].concat();
            [&plain[..33], &chunk(*b"iCCP", &data), &plain[33..]].concat()
        }
        _ => {
            // A plain WebP is one chunk of a lossless picture: its edges stand in 14 bits each (RFC 9649, 3.4).
            let bits = u32::from_le_bytes(plain[21..25].try_into().unwrap());
            let edge = |bits: u32| (bits & 0x3fff).to_le_bytes()[..3].to_vec();
            let mut head = vec![0b0010_0000, 0, 0, 0];
            head.extend([edge(bits), edge(bits >> 14)].concat());
            let mut chunks = b"WEBP".to_vec();
            for (kind, data) in [(b"VP8X", head.as_slice()), (b"ICCP", profile)] {
                chunks.extend(kind);
                chunks.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
                chunks.extend(data);
                chunks.extend(vec![0; data.len() % 2]);
            }
            chunks.extend(&plain[12..]);
            let length = u32::try_from(chunks.len()).unwrap().to_le_bytes();
            [b"RIFF".as_slice(), &length, &chunks].concat()
        }
    }
}

pub(super) fn segments(profile: &[u8]) -> Vec<u8> {
    let parts: Vec<&[u8]> = profile.chunks(65_519).collect();
    let mut segments = Vec::new();
    for (number, part) in (1..).zip(&parts) {
        segments.extend([0xff, 0xe2]);
        segments.extend(u16::try_from(part.len() + 16).unwrap().to_be_bytes());
        segments.extend(b"ICC_PROFILE\0");
        segments.extend([number, u8::try_from(parts.len()).unwrap()]);
        segments.extend(*part);
    }
    segments
}

/// What Adobe's programs say of the channels: 0 for as they are, 1 for YCbCr, 2 for YCCK.
pub(super) fn adobe(transform: u8) -> Vec<u8> {
    [b"\xff\xee\0\x0eAdobe\0\x64\0\0\0\0".as_slice(), &[transform]].concat()
}

/// A baseline JPEG of one colour, `samples` as they stand in the file, with `segments` in front. Coded as simply as it can be: blocks
/// have a mean alone, in steps of one shade.
pub(super) fn jpeg((width, height): (u16, u16), samples: &[u8], segments: &[u8]) -> Vec<u8> {
    let mut file = [b"\xff\xd8", segments].concat();
    file.extend(b"\xff\xdb\0\x43\0");
    file.extend([8; 64]);
    file.extend(b"\xff\xc0\0");
    file.push(u8::try_from(8 + 3 * samples.len()).unwrap());
    file.push(8);
    file.extend([height.to_be_bytes(), width.to_be_bytes()].concat());
    file.push(u8::try_from(samples.len()).unwrap());
    for channel in 1..=samples.len() {
        file.extend([u8::try_from(channel).unwrap(), 0x11, 0]);
    }
    // Means: sizes of 0 to 8 bits, in four bits each. The rest: the end of the block alone, in one bit.
    file.extend(b"\xff\xc4\0\x1c\0");
    file.extend([0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    file.extend([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    file.extend(b"\xff\xc4\0\x14\x10");
    file.extend([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    file.push(0);
    file.extend(b"\xff\xda\0");
    file.push(u8::try_from(6 + 2 * samples.len()).unwrap());
    file.push(u8::try_from(samples.len()).unwrap());
    for channel in 1..=samples.len() {
        file.extend([u8::try_from(channel).unwrap(), 0]);
    }
    file.extend([0, 63, 0]);

    let mut bits = Vec::new();
    let blocks = usize::from(width.div_ceil(8)) * usize::from(height.div_ceil(8));
    for block in 0..blocks {
        for sample in samples {
            let step = if block == 0 { i32::from(*sample) - 128 } else { 0 };
            let size = 32 - step.unsigned_abs().leading_zeros();
            let coded = if step < 0 { step + (1 << size) - 1 } else { step };
            bits.extend((0..4).rev().map(|bit| size >> bit & 1 == 1));
            bits.extend((0..size).rev().map(|bit| coded >> bit & 1 == 1));
            bits.push(false);
        }
    }
    for byte in bits.chunks(8) {
        let filled =
            (0..8).fold(0, |byte_so_far, bit| byte_so_far << 1 | u8::from(*byte.get(bit).unwrap_or(&true)));
        file.push(filled);
        if filled == 0xff {
            file.push(0);
        }
    }
    file.extend(b"\xff\xd9");
    file
}

/// A profile of four inks in two steps each, of the shape that press profiles have (`prtr`, `CMYK` to `Lab `, tables of 16 bits): cyan is
/// a dull blue, magenta a dull red, yellow a dull yellow, and black takes all light.
pub(super) fn press_profile() -> Vec<u8> {
    let lab = |lightness: u16, a: u16, b: u16| [lightness, a, b].map(|value| value << 8);
    let mut clut = Vec::new();
    for inks in 0..16 {
        let [cyan, magenta, yellow, black] = [8, 4, 2, 1].map(|bit| inks & bit != 0);
        // L in 255 steps of 0 to 100, a and b from -128.
        clut.extend(match (cyan, magenta, yellow, black) {
            (_, _, _, true) => lab(0, 128, 128),
            (false, false, false, _) => lab(255, 128, 128),
            (true, false, false, _) => lab(140, 91, 78),
            (false, true, false, _) => lab(122, 202, 125),
            (false, false, true, _) => lab(227, 123, 221),
            _ => lab(80, 128, 128),
        });
    }
    let ramp = |channels: u16| (0..channels).flat_map(|_| [0, u16::MAX]).collect::<Vec<u16>>();
    let lut = LutDataType {
        num_input_channels: 4,
        num_output_channels: 3,
        num_clut_grid_points: 2,
        matrix: Matrix3d { v: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] },
        num_input_table_entries: 2,
        num_output_table_entries: 2,
        input_table: LutStore::Store16(ramp(4)),
        clut_table: LutStore::Store16(clut),
        output_table: LutStore::Store16(ramp(3)),
        lut_type: LutType::Lut16,
    };
    let mut profile = ColorProfile::default();
    profile.color_space = DataColorSpace::Cmyk;
    profile.pcs = DataColorSpace::Lab;
    profile.profile_class = ProfileClass::OutputDevice;
    profile.white_point = ColorProfile::new_srgb().white_point;
    profile.lut_a_to_b_perceptual = Some(LutWarehouse::Lut(lut));
    profile.encode().unwrap()
}
