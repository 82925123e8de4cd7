//! Real files made by ffmpeg: their measured length and loudness (EBU R 128) equal ffmpeg's, and so does the length predicted
//! without decoding.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::cast_precision_loss,
    reason = "a test with a table for a reader"
)]

use std::{
    fs::File,
    path::{Path, PathBuf},
    process::Command,
};

use deadwax_analysis::{Analysis, analyse};
use deadwax_audio::{Content, FileReader, Sound, Source, check, describe};

/// Eleven seconds: nearly a second of silence, then noise and a tone that swell, at this rate and number of channels.
fn source(rate: u32, channels: u32) -> Vec<String> {
    let swell = "[0][1]amix=inputs=2,volume='0.2+0.8*mod(t,5)/5':eval=frame,aformat=channel_layouts=stereo,adelay=900|900";
    let mut words: Vec<String> = ["-f", "lavfi", "-i"].map(str::to_owned).into();
    words.push("anoisesrc=d=10:c=pink:r=48000:a=0.6:s=7".to_owned());
    words.extend(
        ["-f", "lavfi", "-i", "sine=f=110:d=10.1:r=48000", "-filter_complex", swell].map(str::to_owned),
    );
    words.extend(["-ar".to_owned(), rate.to_string(), "-ac".to_owned(), channels.to_string()]);
    words
}

/// The error output of ffmpeg.
fn ffmpeg(arguments: &[String]) -> String {
    let output = Command::new("ffmpeg")
        .args(["-hide_banner", "-nostats", "-y"])
        .args(arguments)
        .output()
        .expect("ffmpeg is installed");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    said
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// A file type: name, sample rate and channels, ffmpeg's arguments, and its description.
struct Kind {
    name: String,
    rate: u32,
    channels: u32,
    how: String,
    line: String,
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn kinds() -> Vec<Kind> {
    let kind = |name: &str, rate: u32, channels: u32, how: &str, line: &str| Kind {
        name: name.to_owned(),
        rate,
        channels,
        how: how.to_owned(),
        line: line.to_owned(),
    };
    let mut kinds = Vec::new();
    for rate in [44_100_u32, 48_000, 96_000] {
        let kilohertz = f64::from(rate) / 1000.0;
        for (format, bits) in
            [("s16", "16 bit"), ("s24", "24 bit"), ("s32", "32 bit"), ("f32", "32 bit float")]
        {
            let line = format!("WAV, {bits}, {kilohertz} kHz, 0:11");
            kinds.push(kind(
                &format!("{format}-{rate}.wav"),
                rate,
                2,
                &format!("-c:a pcm_{format}le"),
                &line,
            ));
        }
        for (bits, how) in [(16, "-sample_fmt s16"), (24, "-sample_fmt s32 -bits_per_raw_sample 24")] {
            let line = format!("FLAC, {bits} bit, {kilohertz} kHz, 0:11");
            kinds.push(kind(&format!("{bits}-{rate}.flac"), rate, 2, how, &line));
        }
    }
    for bitrate in [128, 192, 256, 320] {
        let (how, line) =
            (format!("-c:a libmp3lame -b:a {bitrate}k"), format!("MP3, {bitrate} kbit/s, 44.1 kHz, 0:11"));
        kinds.push(kind(&format!("cbr-{bitrate}.mp3"), 44_100, 2, &how, &line));
    }
    for quality in [0, 2, 5] {
        kinds.push(kind(
            &format!("vbr-{quality}.mp3"),
            48_000,
            2,
            &format!("-c:a libmp3lame -q:a {quality}"),
            "MP3, … kbit/s, 48 kHz, 0:11",
        ));
    }
    for bitrate in [128, 192, 256] {
        kinds.push(kind(
            &format!("{bitrate}.m4a"),
            48_000,
            2,
            &format!("-c:a aac -b:a {bitrate}k"),
            "AAC, … kbit/s, 48 kHz, 0:11",
        ));
    }
    kinds.extend([
        kind("mono.wav", 48_000, 1, "-c:a pcm_s16le", "WAV, 16 bit, 48 kHz, mono, 0:11"),
        kind("eight.wav", 44_100, 2, "-c:a pcm_u8", "WAV, 8 bit, 44.1 kHz, 0:11"),
        kind("sixty-four.wav", 48_000, 2, "-c:a pcm_f64le", "WAV, 64 bit float, 48 kHz, 0:11"),
        kind("large.wav", 48_000, 2, "-rf64 always -c:a pcm_s24le", "WAV, 24 bit, 48 kHz, 0:11"),
        kind("five-one.wav", 48_000, 6, "-c:a pcm_s16le", "WAV, 16 bit, 48 kHz, 6 channels, 0:11"),
        kind("mono.flac", 44_100, 1, "-sample_fmt s16", "FLAC, 16 bit, 44.1 kHz, mono, 0:11"),
        kind("low.mp3", 22_050, 1, "-c:a libmp3lame -b:a 64k", "MP3, 64 kbit/s, 22.05 kHz, mono, 0:11"),
        kind(
            "bare.mp3",
            44_100,
            2,
            "-c:a libmp3lame -b:a 320k -write_xing 0",
            "MP3, 320 kbit/s, 44.1 kHz, 0:11",
        ),
        kind(
            "bare-vbr.mp3",
            48_000,
            2,
            "-c:a libmp3lame -q:a 2 -write_xing 0",
            "MP3, … kbit/s, 48 kHz, 0:1…",
        ),
        kind(
            "tagged.mp3",
            44_100,
            2,
            "-c:a libmp3lame -b:a 320k -id3v2_version 3 -metadata title=Dröhnen",
            "MP3, 320 kbit/s, 44.1 kHz, 0:11",
        ),
        kind("mono.m4a", 44_100, 1, "-c:a aac -b:a 96k", "AAC, … kbit/s, 44.1 kHz, mono, 0:11"),
        kind(
            "fast.m4a",
            44_100,
            2,
            "-c:a aac -b:a 192k -movflags +faststart",
            "AAC, … kbit/s, 44.1 kHz, 0:11",
        ),
        kind(
            "pieces.m4a",
            48_000,
            2,
            "-c:a aac -b:a 192k -movflags frag_keyframe+empty_moov",
            "AAC, … kbit/s, 48 kHz",
        ),
        kind("phone.m4a", 44_100, 1, "-c:a aac -b:a 96k -f 3gp", "AAC, … kbit/s, 44.1 kHz, mono, 0:11"),
        kind("quicktime.m4a", 48_000, 2, "-c:a aac -b:a 128k -f mov", "AAC, … kbit/s, 48 kHz, 0:11"),
        kind(
            "saved.m4a",
            48_000,
            2,
            "-c:a aac -b:a 128k -f mp4 -movflags dash+frag_keyframe+empty_moov -frag_duration 1000000",
            "AAC, … kbit/s, 48 kHz",
        ),
        kind("quick-lossless.m4a", 44_100, 2, "-c:a alac -f mov", "ALAC, 24 bit, 44.1 kHz, 0:11"),
        kind("lossless-16.m4a", 44_100, 2, "-c:a alac -sample_fmt s16p", "ALAC, 16 bit, 44.1 kHz, 0:11"),
        kind(
            "lossless-24.m4a",
            48_000,
            2,
            "-c:a alac -sample_fmt s32p -bits_per_raw_sample 24",
            "ALAC, 24 bit, 48 kHz, 0:11",
        ),
    ]);
    kinds
}

impl Kind {
    fn make(&self, folder: &Path) -> PathBuf {
        let path = folder.join(&self.name);
        let mut arguments = source(self.rate, self.channels);
        arguments.extend(words(&self.how));
        arguments.push(path.display().to_string());
        ffmpeg(&arguments);
        path
    }

    /// Permitted difference from ffmpeg's length: encoders add padding, and decoders count it differently.
    fn tolerance(&self) -> f64 {
        let is_lossy = self.how.contains("mp3") || self.how.contains("aac");
        if is_lossy { 50.0 } else { 10.0 }
    }
}

/// Milliseconds and LUFS, as decoded and measured by ffmpeg.
fn as_ffmpeg_says(path: &Path, rate: u32) -> (f64, f64) {
    let raw = path.with_extension("raw");
    let mut arguments = vec!["-i".to_owned(), path.display().to_string()];
    arguments.extend(words("-map 0:a -f s16le -ac 1"));
    arguments.push(raw.display().to_string());
    arguments.extend(words("-map 0:a -af ebur128 -f null -"));
    let said = ffmpeg(&arguments);
    let frames = std::fs::metadata(&raw).unwrap().len() / 2;
    std::fs::remove_file(&raw).unwrap();
    let loudness = said.rsplit("I:").next().and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    (frames as f64 * 1000.0 / f64::from(rate), loudness.expect("a loudness"))
}

fn described(path: &Path) -> Sound {
    let length = std::fs::metadata(path).unwrap().len();
    let file = FileReader::from(File::open(path).unwrap());
    let source = Source::new(&file, length);
    let extension = path.extension().unwrap().to_str().unwrap();
    assert_eq!(check(&source, extension).unwrap(), Ok(()), "{}", path.display());
    match describe(&source, extension).unwrap() {
        Some(Content::Sound(sound)) => sound,
        other => panic!("{}: {other:?}", path.display()),
    }
}

fn analysed(path: &Path) -> Analysis {
    let extension = path.extension().unwrap().to_str().unwrap();
    analyse(Box::new(File::open(path).unwrap()), extension, &mut || true).unwrap()
}

/// Whether a line matches a pattern with a number for each `…`.
fn is_like(line: &str, pattern: &str) -> bool {
    let mut rest = line;
    for (at, part) in pattern.split('…').enumerate() {
        if at > 0 {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        match rest.strip_prefix(part) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
    rest.is_empty()
}

/// How a file of this kind differs from what ffmpeg says.
fn differences(kind: &Kind) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = kind.make(folder.path());
    let (length, loudness) = as_ffmpeg_says(&path, kind.rate);
    let (found, said) = (analysed(&path), described(&path));
    let is = found.loudness.unwrap();
    assert!(found.true_peak.is_some());
    let mut wrong = Vec::new();
    if (found.milliseconds as f64 - length).abs() > kind.tolerance() {
        wrong.push(format!("{} lasts {length} ms, not {}", kind.name, found.milliseconds));
    }
    // ffmpeg rounds to a tenth.
    if (is - loudness).abs() > 0.1 {
        wrong.push(format!("{} has {loudness} LUFS, not {is}", kind.name));
    }
    if !is_like(&said.to_string(), &kind.line) {
        wrong.push(format!("{} is called {said}, not {}", kind.name, kind.line));
    }
    if (found.sample_rate, found.channels) != (said.sample_rate, u32::from(said.channels)) {
        wrong.push(format!("{} is decoded as {found:?}", kind.name));
    }
    wrong
}

#[test]
fn files_are_as_long_and_as_loud_as_ffmpeg_says() {
    let kinds = kinds();
    assert!(kinds.len() >= 40);
    let half = |first| kinds.iter().skip(first).step_by(2).flat_map(differences).collect::<Vec<_>>();
    let wrong = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        [half(0), other.join().unwrap()].concat()
    });
    assert_eq!(wrong, [""; 0]);
}
