//! Generated files of every kind that attackers or programs have produced, with the expected verdicts.

#![expect(clippy::unwrap_used, reason = "a file that cannot be made fails the run")]

#[path = "zip.rs"]
pub(crate) mod zip;

use std::io::Write as _;

use flate2::{Compression, write::DeflateEncoder};
use rules::demo::DemoError;

use self::zip::{Entry, archive, archive_64, extra, file, packed};

fn frames(count: usize) -> Vec<u8> {
    [&[0xff, 0xfb, 0x90, 0x00][..], &[0; 413]].concat().repeat(count)
}

fn tagged(rest: &[u8]) -> Vec<u8> {
    [b"ID3\x04\0\0\0\0\0\0", rest].concat()
}

fn chunk(name: &[u8], data: &[u8]) -> Vec<u8> {
    [name, &u32::try_from(data.len()).unwrap().to_le_bytes(), data].concat()
}

fn riff(outer: &[u8], kind: &[u8], chunks: &[Vec<u8>]) -> Vec<u8> {
    [outer, &[0xff; 4], kind, &chunks.concat()].concat()
}

/// A WAV file of silence.
pub(crate) fn silence(rate: u32, channels: u16, bits: u16, bytes: usize) -> Vec<u8> {
    let block = channels * bits / 8;
    let format = [
        &[1, 0],
        &channels.to_le_bytes()[..],
        &rate.to_le_bytes(),
        &(rate * u32::from(block)).to_le_bytes(),
        &block.to_le_bytes(),
        &bits.to_le_bytes(),
    ];
    riff(b"RIFF", b"WAVE", &[chunk(b"fmt ", &format.concat()), chunk(b"data", &vec![0; bytes])])
}

/// A deflated entry.
pub(crate) fn deflated(name: &str, data: &[u8]) -> Entry {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(data).unwrap();
    let unpacked = u32::try_from(data.len()).unwrap();
    Entry { method: 8, unpacked, ..file(name, &packer.finish().unwrap()) }
}

fn format() -> Vec<u8> {
    let stereo = [&[1, 0, 2, 0][..], &44_100_u32.to_le_bytes(), &176_400_u32.to_le_bytes(), &[4, 0, 16, 0]];
    chunk(b"fmt ", &stereo.concat())
}

fn flac(rate: u32) -> Vec<u8> {
    let rate = (rate << 4).to_be_bytes();
    [b"fLaC\x80\0\0\x22\x10\0\x10\0\0\0\0\0\0\0".as_slice(), &rate[1..], &[0; 100]].concat()
}

/// A WAV file with these sizes of the whole file and of its data.
fn sized(size: [u8; 4], sound: [u8; 4]) -> Vec<u8> {
    let mut bytes = silence(44_100, 2, 16, 17_640);
    bytes[4..8].copy_from_slice(&size);
    bytes[40..44].copy_from_slice(&sound);
    bytes
}

/// An extensible format chunk: bits per sample, valid bits, and sub format.
fn extensible(channels: u16, bits: u16, valid: u16, tag: u16) -> Vec<u8> {
    let block = channels * bits / 8;
    let fields = [
        0xfffe, channels, 48_000, 0, 0, 0, block, bits, 22, valid, 3, 0, tag, 0, 0, 0x10, 0x80, 0xaa00,
        0x3800, 0x719b,
    ];
    chunk(b"fmt ", &fields.iter().flat_map(|field: &u16| field.to_le_bytes()).collect::<Vec<_>>())
}

fn mp4_box(kind: &[u8], data: &[u8]) -> Vec<u8> {
    [&u32::try_from(data.len() + 8).unwrap().to_be_bytes()[..], kind, data].concat()
}

fn mp4(brand: &[u8], handlers: &[&[u8]]) -> Vec<u8> {
    let track = |handler: &&[u8]| {
        let handler = mp4_box(b"hdlr", &[&[0; 8][..], *handler, &[0; 13]].concat());
        mp4_box(b"trak", &[mp4_box(b"tkhd", &[0; 84]), mp4_box(b"mdia", &handler)].concat())
    };
    let tracks: Vec<u8> = handlers.iter().flat_map(track).collect();
    let begin = mp4_box(b"ftyp", &[brand, &[0; 4], b"isom"].concat());
    [begin, mp4_box(b"mdat", &[1; 300]), mp4_box(b"moov", &tracks)].concat()
}

/// Extension, description, content and verdict.
pub(crate) type Row = (&'static str, &'static str, Vec<u8>, Result<(), DemoError>);

/// All files, each with the extension it is sent under; valid ones first.
#[rustfmt::skip]
#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn files() -> Vec<Row> {
    let wave = riff(b"RIFF", b"WAVE", &[format(), chunk(b"data", &[0; 64])]);
    let song = file("set/01 Dröhnen.wav", &wave);
    let mut many = vec![file("a.wav", b""); 500];
    many.extend([file("b.wav", b"")]);
    let with = |change: fn(&mut Entry)| { let mut entry = song.clone(); change(&mut entry); archive(&[entry]) };
    let named = |name: &[u8]| archive(&[song.clone(), file(name, b"x")]);
    let plain = archive(std::slice::from_ref(&song));
    let exe = [b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff".as_slice(), &[0; 400]].concat();
    let html = b"<!doctype html><script>alert(1)</script>".to_vec();
    let sound = |length: usize| chunk(b"data", &vec![0; length]);
    let whole = silence(44_100, 2, 16, 17_640);
    let over = |bytes: &[u8], at: usize, new: &[u8]| [&bytes[..at], new, &bytes[at + new.len()..]].concat();
    let folder = |name: &[u8]| Entry { mode: 0o040_755, ..file(name, b"") };
    let streamed = |entry: Entry| Entry { flags: entry.flags | 8, unpacked_there: Some(0), ..entry };
    let short_of = |bytes: &[u8], by: usize| bytes[..bytes.len() - by].to_vec();
    let behind = |before: &[u8], bytes: &[u8]| [before, bytes].concat();
    vec![
        // Valid files.
        ("zip", "an archive", plain.clone(), Ok(())),
        ("ZIP", "an archive by an upper-case name", plain.clone(), Ok(())),
        ("zip", "500 files", archive(&many[..500]), Ok(())),
        ("zip", "sounds that nothing here decodes", archive(&[file("set/01.aiff", b"x"), file("set/02.OGG", b"x")]), Ok(())),
        ("zip", "a folder, and a file as a stream", archive(&[Entry { mode: 0o040_755, ..file("set/", b"") }, Entry { flags: 8, unpacked_there: Some(0), ..packed("set/b.wav", 300, 3000) }]), Ok(())),
        ("zip", "folders by backslash, as Windows wrote them", named(b"set\\b.wav"), Ok(())),
        ("zip", "bytes after the end", behind(&plain, &[0; 70_000]), Ok(())),
        ("zip", "a ratio of 200", archive(&[packed("silence.wav", 10, 2000)]), Ok(())),
        ("zip", "a silent track among others", archive(&[packed("silence.wav", 10, 9000), packed("b.wav", 300, 3000)]), Ok(())),
        ("zip", "honest sizes of 64 bits", archive_64("a.wav", &[1; 50], 50, 50, 0), Ok(())),
        ("zip", "a name with dots", named(b"set/...and more..wav"), Ok(())),
        ("zip", "four tracks, one of them packed", archive(&[file("1.wav", &silence(8000, 1, 8, 20_000)), file("2.wav", &silence(8000, 1, 8, 20_000)), file("3.wav", &silence(8000, 1, 8, 20_000)), deflated("4.wav", &silence(8000, 1, 8, 19_000)), file("cover.txt", b"by me")]), Ok(())),
        ("zip", "Finder: a folder with a picture of its own, resource forks, names in UTF-8 without a flag", archive(&[folder(b"EP/"), file(b"EP/Icon\r", b""), file("EP/Dro\u{308}hnen.wav", &whole), file(b"__MACOSX/EP/._Icon\r", b"x"), file(b"EP/.DS_Store", b"x")]), Ok(())),
        ("zip", "Windows Explorer: names of code page 437", archive(&[deflated("M\u{fc}ller.wav", &whole).named(b"M\x81ller.wav"), file(b"Thumbs.db", b"x"), file(b"desktop.ini", b"x")]), Ok(())),
        ("zip", "Dropbox: the folder itself first, all written as a stream", archive(&[streamed(file(b"/", b"")), streamed(Entry { flags: 0x800, ..deflated("01.wav", &whole) })]), Ok(())),
        ("zip", "7-Zip: a track by LZMA beside one that is deflated", archive(&[deflated("01.wav", &whole), Entry { method: 14, ..deflated("02.wav", &whole) }]), Ok(())),
        ("zip", "7-Zip: tracks by Deflate64, BZip2, Zstandard and PPMd alone", archive(&[9, 12, 93, 98].map(|method| Entry { method, ..deflated("a.wav", &whole) })), Ok(())),
        ("zip", "Info-ZIP: the name once more in Unicode", archive(&[Entry { extra: extra(0x7075, &[&[1][..], &rawzip::crc32(b"M?ller.wav").to_le_bytes(), "M\u{fc}ller.wav".as_bytes()].concat()), ..file(b"M?ller.wav", &whole) }]), Ok(())),
        ("zip", "Info-ZIP: the name of a file that was renamed since", archive(&[Entry { extra: extra(0x7075, b"\x01\0\0\0\0old.wav"), ..file(b"new.wav", &whole) }]), Ok(())),
        ("zip", "Python: sizes of 64 bits beside the bytes, for a small file", { let long = 17_684_u64.to_le_bytes(); let entry = Entry { extra: extra(1, &[long, long].concat()), ..file(b"a.wav", &whole) }; over(&archive(&[entry]), 18, &[0xff; 8]) }, Ok(())),
        ("zip", "Ableton Live: a project with its samples", archive(&[folder(b"Set Project/"), file(b"Set Project/Set.als", b"\x1f\x8b"), file(b"Set Project/Samples/Imported/kick.aif", b"FORM"), file(b"Set Project/Samples/Imported/kick.aif.asd", b"x"), file(b"Set Project/Set.wav", &whole)]), Ok(())),
        ("zip", "Logic Pro: a bundle and its bounce", archive(&[folder(b"Set.logicx/"), file(b"Set.logicx/Alternatives/000/ProjectData", b"x"), file(b"Bounces/Set.wav", &whole)]), Ok(())),
        ("zip", "REAPER and FL Studio: projects, peaks, renders", archive(&[file(b"Set.RPP", b"<REAPER_PROJECT"), file(b"Set.wav.reapeaks", b"x"), file(b"Set.flp", b"FLhd"), file(b"Set.wav", &whole)]), Ok(())),
        ("zip", "two tracks of one name", archive(&[song.clone(), song.clone()]), Ok(())),
        ("zip", "a track by the number of its side", named(b"1: intro.wav"), Ok(())),
        ("zip", "a name of two lines", named(b"a\r\nb"), Ok(())),
        ("zip", "no name", named(b""), Ok(())),
        ("zip", "names from the folder itself on", archive(&[folder(b"./"), file(b"./a.wav", &whole)]), Ok(())),
        ("mp3", "two frames", frames(2), Ok(())),
        ("mp3", "frames of two rates without a header of their encoder", [frames(40), [&[0xff, 0xfb, 0xe0, 0x00][..], &[0; 1040]].concat().repeat(20)].concat(), Ok(())),
        ("mp3", "400 frames", frames(400), Ok(())),
        ("mp3", "a tag and frames", tagged(&frames(3)), Ok(())),
        ("mp3", "a gap before the frames", behind(&[0; 1105], &frames(2)), Ok(())),
        ("mp3", "the longest gap before the frames", behind(&[0; 65_536], &frames(2)), Ok(())),
        ("mp3", "two tags", tagged(&tagged(&frames(2))), Ok(())),
        ("wav", "a wave", wave.clone(), Ok(())),
        ("wav", "a second of 24 bits", silence(48_000, 2, 24, 288_000), Ok(())),
        ("wav", "a wave with notes before its format", riff(b"RIFF", b"WAVE", &[chunk(b"bext", &[0; 603]), vec![0], format()]), Ok(())),
        ("wav", "a long wave", riff(b"RF64", b"WAVE", &[chunk(b"ds64", &[0; 28]), format()]), Ok(())),
        ("wav", "a size of the file that is eight bytes short", sized(17_668_u32.to_le_bytes(), 17_640_u32.to_le_bytes()), Ok(())),
        ("wav", "a size of the file of zero, as a recorder leaves it", sized([0; 4], [0; 4]), Ok(())),
        ("wav", "sizes that are unknown, as ffmpeg writes to a pipe", sized([0xff; 4], [0xff; 4]), Ok(())),
        ("wav", "a size of the file that is too long", sized(1_000_000_u32.to_le_bytes(), 17_640_u32.to_le_bytes()), Ok(())),
        ("wav", "a size of the sound that is too long", sized(1_000_000_u32.to_le_bytes(), 1_000_000_u32.to_le_bytes()), Ok(())),
        ("wav", "a chunk of odd length without padding", riff(b"RIFF", b"WAVE", &[chunk(b"junk", b"odd"), format(), sound(17_640)]), Ok(())),
        ("wav", "a chunk of odd length with padding", riff(b"RIFF", b"WAVE", &[chunk(b"junk", b"odd"), vec![0], format(), sound(17_640)]), Ok(())),
        ("wav", "a list before the sound and one behind it", riff(b"RIFF", b"WAVE", &[chunk(b"LIST", b"INFOINAM\x02\0\0\0a\0"), format(), sound(17_640), chunk(b"LIST", b"adtl")]), Ok(())),
        ("wav", "a long wave whose size is in another chunk", riff(b"RF64", b"WAVE", &[chunk(b"ds64", &[[0; 8], 17_640_u64.to_le_bytes(), [0; 8]].concat()), format(), b"data\xff\xff\xff\xff".to_vec(), vec![0; 17_640], chunk(b"LIST", b"adtl")]), Ok(())),
        ("wav", "a broadcast wave (BW64)", riff(b"BW64", b"WAVE", &[chunk(b"ds64", &[[0; 8], 17_640_u64.to_le_bytes(), [0; 8]].concat()), format(), b"data\xff\xff\xff\xff".to_vec(), vec![0; 17_640]]), Ok(())),
        ("wav", "an extensible format of 24 bits", riff(b"RIFF", b"WAVE", &[extensible(2, 24, 24, 1), sound(28_800)]), Ok(())),
        ("wav", "an extensible format of 20 bits in 24", riff(b"RIFF", b"WAVE", &[extensible(2, 24, 20, 1), sound(28_800)]), Ok(())),
        ("wav", "an extensible format in floating point", riff(b"RIFF", b"WAVE", &[extensible(2, 32, 32, 3), sound(38_400)]), Ok(())),
        ("wav", "a format in floating point with an empty extension", riff(b"RIFF", b"WAVE", &[chunk(b"fmt ", b"\x03\0\x01\0\x80\xbb\0\0\0\xee\x02\0\x04\0\x20\0\0\0"), sound(19_200)]), Ok(())),
        ("wav", "a format with more than it says", riff(b"RIFF", b"WAVE", &[chunk(b"fmt ", b"\x01\0\x01\0\x80\xbb\0\0\0\x77\x01\0\x02\0\x10\0\0\0\0\0\0\0"), sound(9_600)]), Ok(())),
        ("wav", "mono", silence(48_000, 1, 24, 14_400), Ok(())),
        ("flac", "a FLAC", flac(44_100), Ok(())),
        ("flac", "a tag before a FLAC", tagged(&flac(44_100)), Ok(())),
        ("flac", "two tags before a FLAC", tagged(&tagged(&flac(44_100))), Ok(())),
        ("flac", "a tag of 200 bytes before a FLAC", [b"ID3\x04\0\0\0\0\x01\x48".as_slice(), &[7; 200], &flac(44_100)].concat(), Ok(())),
        ("flac", "a tag with an end of its own before a FLAC", [b"ID3\x04\0\x10\0\0\0\0".as_slice(), b"3DI\x04\0\x10\0\0\0\0", &flac(44_100)].concat(), Ok(())),
        ("m4a", "a song", mp4(b"M4A ", &[b"soun"]), Ok(())),
        ("m4a", "a book with chapters", mp4(b"M4B ", &[b"soun", b"text"]), Ok(())),
        ("m4a", "a song of a general brand", mp4(b"mp42", &[b"soun"]), Ok(())),
        ("m4a", "a song by another encoder", mp4(b"isom", &[b"soun"]), Ok(())),
        ("m4a", "a recording of an Android phone", mp4(b"3gp4", &[b"soun"]), Ok(())),
        ("m4a", "a recording of a newer Android phone", mp4(b"3gp5", &[b"soun"]), Ok(())),
        ("m4a", "a stream that was saved", mp4(b"iso5", &[b"soun"]), Ok(())),
        ("m4a", "a stream in fragments that was saved", mp4(b"dash", &[b"soun"]), Ok(())),
        ("m4a", "a voice memo of an iPhone with a track of data", mp4(b"M4A ", &[b"soun", b"meta"]), Ok(())),
        ("m4a", "QuickTime with sound alone", mp4(b"qt  ", &[b"soun"]), Ok(())),
        ("m4a", "a song of no brand", mp4(b"\0\0\0\0", &[b"soun"]), Ok(())),
        ("m4a", "a recording that was cut off before its list of tracks", short_of(&mp4(b"M4A ", &[]), 8), Ok(())),

        // Another type under a valid extension.
        ("mp3", "a program for Windows", exe.clone(), Err(DemoError::Content)),
        ("wav", "a page", html.clone(), Err(DemoError::Content)),
        ("mp3", "a page", html.clone(), Err(DemoError::Content)),
        ("flac", "a program for Linux", behind(b"\x7fELF\x02\x01\x01", &[0; 100]), Err(DemoError::Content)),
        ("wav", "a JPEG", behind(b"\xff\xd8\xff\xe0\0\x10JFIF", &[0; 100]), Err(DemoError::Content)),
        ("mp3", "a JPEG", behind(b"\xff\xd8\xff\xe0\0\x10JFIF", &[0; 100]), Err(DemoError::Content)),
        ("m4a", "an SVG", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec(), Err(DemoError::Content)),
        ("zip", "gzip", behind(b"\x1f\x8b\x08", &[0; 60]), Err(DemoError::Content)),
        ("zip", "7z", behind(b"7z\xbc\xaf\x27\x1c", &[0; 60]), Err(DemoError::Content)),
        ("zip", "RAR", behind(b"Rar!\x1a\x07\x01\0", &[0; 60]), Err(DemoError::Content)),
        ("zip", "a PDF", behind(b"%PDF-1.7", &[0; 60]), Err(DemoError::Content)),
        ("zip", "a shell script", b"#!/bin/sh\nrm -rf /\n".to_vec(), Err(DemoError::Content)),
        ("flac", "Ogg", behind(b"OggS\0\x02", &[0; 100]), Err(DemoError::Content)),
        ("mp3", "Ogg", behind(b"OggS\0\x02", &[0; 100]), Err(DemoError::Content)),
        ("mp3", "AAC", [0xff, 0xf1, 0x50, 0x80].repeat(200), Err(DemoError::Content)),
        ("wav", "AVI", riff(b"RIFF", b"AVI ", &[format()]), Err(DemoError::Content)),
        ("wav", "WebP", riff(b"RIFF", b"WEBP", &[format()]), Err(DemoError::Content)),
        ("wav", "AIFF", behind(b"FORM\0\0\0\x20AIFFCOMM", &[0; 60]), Err(DemoError::Content)),
        ("wav", "a wave of the other byte order", riff(b"RIFX", b"WAVE", &[format()]), Err(DemoError::Content)),
        ("m4a", "a film of a film's brand", mp4(b"avc1", &[b"vide", b"soun"]), Err(DemoError::Content)),
        ("m4a", "a film of a general brand", mp4(b"isom", &[b"vide", b"soun"]), Err(DemoError::Content)),
        ("m4a", "subtitles alone", mp4(b"isom", &[b"text"]), Err(DemoError::Content)),
        ("m4a", "a film of QuickTime", mp4(b"qt  ", &[b"vide", b"soun"]), Err(DemoError::Content)),
        ("m4a", "a film of a phone", mp4(b"3gp4", &[b"soun", b"vide"]), Err(DemoError::Content)),
        ("m4a", "AVIF without tracks", mp4(b"avif", &[]), Err(DemoError::Content)),
        ("m4a", "AVIF", mp4(b"avif", &[b"pict"]), Err(DemoError::Content)),
        ("zip", "a song", frames(3), Err(DemoError::Content)),
        ("mp3", "an archive", plain.clone(), Err(DemoError::Content)),
        ("wav", "a song", frames(3), Err(DemoError::Content)),
        ("flac", "a wave", wave.clone(), Err(DemoError::Content)),
        ("ogg", "a type nobody asked for", behind(b"OggS\0\x02", &[0; 100]), Err(DemoError::Content)),
        ("exe", "an archive by another name", plain.clone(), Err(DemoError::Content)),
        ("", "no extension", wave.clone(), Err(DemoError::Content)),

        // Valid only further inside, or incomplete.
        ("zip", "an archive that unpacks itself", behind(&exe, &plain), Err(DemoError::Content)),
        ("zip", "an archive behind the beginning of another", behind(b"PK\x03\x04<html>", &plain), Err(DemoError::ArchiveBroken)),
        ("wav", "a byte order mark before a wave", behind(b"\xef\xbb\xbf", &wave), Err(DemoError::Content)),
        ("mp3", "a page before the frames", behind(&html, &frames(9)), Err(DemoError::Content)),
        ("mp3", "too long a gap before the frames", behind(&vec![0; 65_537], &frames(2)), Err(DemoError::Content)),
        ("mp3", "a gap and one stray frame", behind(&[0; 100], &frames(1)), Err(DemoError::Content)),
        ("mp3", "zeros alone", vec![0; 70_000], Err(DemoError::Content)),
        ("flac", "a tag before a page", tagged(&html), Err(DemoError::Content)),
        ("flac", "a tag past the end", [b"ID3\x04\0\0\x7f\x7f\x7f\x7f".as_slice(), &flac(44_100)].concat(), Err(DemoError::Content)),
        ("flac", "a tag of an impossible size", [b"ID3\x04\0\0\xff\0\0\0".as_slice(), &flac(44_100)].concat(), Err(DemoError::Content)),
        ("mp3", "one stray frame", frames(1), Err(DemoError::Content)),
        ("mp3", "frames of two kinds", behind(&frames(1), &[0xff, 0xf3, 0x80, 0, 0]), Err(DemoError::Content)),
        ("flac", "half a FLAC's name", b"fLa".to_vec(), Err(DemoError::Content)),
        ("wav", "a wave cut off in its name", wave[..11].to_vec(), Err(DemoError::Content)),
        ("m4a", "a song's first bytes", b"\0\0\0\x18ftyp".to_vec(), Err(DemoError::Content)),
        ("zip", "an archive cut off", short_of(&plain, 30), Err(DemoError::ArchiveBroken)),
        ("zip", "an archive without its last byte", short_of(&plain, 1), Err(DemoError::ArchiveBroken)),
        ("zip", "nothing", Vec::new(), Err(DemoError::Content)),
        ("mp3", "nothing", Vec::new(), Err(DemoError::Content)),
        ("wav", "nothing", Vec::new(), Err(DemoError::Content)),
        ("flac", "nothing", Vec::new(), Err(DemoError::Content)),
        ("m4a", "nothing", Vec::new(), Err(DemoError::Content)),

        // Harmful archives.
        ("zip", "an empty archive", archive(&[]), Err(DemoError::ArchiveEmpty)),
        ("zip", "notes alone", archive(&[file("read me.txt", b"soon")]), Err(DemoError::ArchiveNoTrack)),
        ("zip", "a folder by the name of a track, and a resource fork", archive(&[Entry { mode: 0o040_755, ..file("set.wav/", b"") }, file("__MACOSX/1.wav", b"x")]), Err(DemoError::ArchiveNoTrack)),
        ("zip", "501 files", archive(&many), Err(DemoError::ArchiveTooLarge)),
        ("zip", "a ratio of 201", archive(&[packed("silence.wav", 10, 2010)]), Err(DemoError::ArchiveTooLarge)),
        ("zip", "4 GiB of one file", archive(&[packed("a.wav", 64, u32::MAX - 1)]), Err(DemoError::ArchiveTooLarge)),
        ("zip", "more than 2 GiB in all", archive(&vec![packed("a.wav", 30_000_000 / 10, 599_000_000); 4]), Err(DemoError::ArchiveTooLarge)),
        ("zip", "a bomb of shared bytes", archive(&[song.clone(), Entry { shares_place: true, ..song.clone() }]), Err(DemoError::ArchiveBroken)),
        ("zip", "something from nothing", archive(&[packed("a.wav", 0, 1)]), Err(DemoError::ArchiveBroken)),
        ("zip", "archives inside an archive", named(b"lib 0.zip"), Err(DemoError::ArchiveNested)),
        ("zip", "archives inside, by upper case", named(b"set/A.TAR.GZ"), Err(DemoError::ArchiveNested)),
        ("zip", "a way up", named(b"../../.ssh/authorized_keys"), Err(DemoError::ArchiveUnsafe)),
        ("zip", "a way up in the middle", named(b"a/../../b"), Err(DemoError::ArchiveUnsafe)),
        ("zip", "a way up by backslashes", named(b"a\\..\\..\\b"), Err(DemoError::ArchiveUnsafe)),
        ("zip", "a way up that only Windows sees", named(b"a/.. /b"), Err(DemoError::ArchiveUnsafe)),
        ("zip", "an absolute name", named(b"/etc/cron.d/x"), Err(DemoError::ArchiveUnsafe)),
        ("zip", "an absolute name by backslash", named(b"\\\\host\\share"), Err(DemoError::ArchiveUnsafe)),
        ("zip", "an absolute name of nothing but a folder", named(b"/etc/"), Err(DemoError::ArchiveUnsafe)),
        ("zip", "a drive and its folder", named(b"D:\\x.wav"), Err(DemoError::ArchiveUnsafe)),
        ("zip", "a drive", named(b"C:x.wav"), Err(DemoError::ArchiveUnsafe)),
        ("zip", "a name that ends early", named(b"a.exe\0.wav"), Err(DemoError::ArchiveUnsafe)),
        ("zip", "another name for some programs", with(|entry| entry.extra = extra(0x7075, b"\x01\0\0\0\0../../x")), Err(DemoError::ArchiveUnsafe)),
        ("zip", "another name beside the bytes", with(|entry| entry.name_there = Some(b"../x".to_vec())), Err(DemoError::ArchiveUnsafe)),
        ("zip", "another size beside the bytes", with(|entry| entry.unpacked_there = Some(7)), Err(DemoError::ArchiveBroken)),
        ("zip", "a stored file of another size", with(|entry| entry.unpacked += 1), Err(DemoError::ArchiveBroken)),
        ("zip", "a link", with(|entry| entry.mode = 0o120_777), Err(DemoError::ArchiveUnsafe)),
        ("zip", "a device", with(|entry| entry.mode = 0o020_666), Err(DemoError::ArchiveUnsafe)),
        ("zip", "a locked file", with(|entry| entry.flags = 1), Err(DemoError::ArchiveLocked)),
        ("zip", "a locked directory", with(|entry| entry.flags = 1 << 13), Err(DemoError::ArchiveLocked)),
        ("zip", "sizes of 64 bits that are too large", archive_64("a.wav", &[1; 50], 1 << 40, 50, 0), Err(DemoError::ArchiveTooLarge)),
        ("zip", "sizes of 64 bits past the end of everything", archive_64("a.wav", &[1; 50], 50, u64::MAX, 0), Err(DemoError::ArchiveBroken)),
        ("zip", "a place past the end of everything", archive_64("a.wav", &[1; 50], 50, 50, u64::MAX), Err(DemoError::ArchiveBroken)),
        ("zip", "a place past what a disk can be asked", archive_64("a.wav", &[1; 50], 50, 50, 1 << 63), Err(DemoError::ArchiveBroken)),
        ("zip", "fewer files than counted", { let mut bytes = plain.clone(); let at = bytes.len() - 14; bytes[at..at + 4].copy_from_slice(&[2, 0, 2, 0]); bytes }, Err(DemoError::ArchiveBroken)),
        ("zip", "more files than counted", { let mut bytes = archive(&many[..3]); let at = bytes.len() - 14; bytes[at..at + 4].copy_from_slice(&[2, 0, 2, 0]); bytes }, Err(DemoError::ArchiveBroken)),
        ("zip", "a directory somewhere else", { let mut bytes = plain; let at = bytes.len() - 6; bytes[at..at + 4].fill(0xfe); bytes }, Err(DemoError::ArchiveBroken)),
    ]
}
