//! The sample label's records 404-001 to 404-023.

use super::{SampleRelease, release};

pub(super) const RELEASES: &[SampleRelease] = &[
    SampleRelease {
        artist: Some("Kesto Vann"),
        release_date: Some("2019-03-01"),
        description: Some(
            "Recorded on the night the collective opened and the power failed. The second half is a \
             battery running down.\
             \nCATALOG: 404-001",
        ),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000001"),
        ..release("404-001", "First Transmission")
    },
    SampleRelease {
        artist: Some("nul.set"),
        release_date: Some("2019-05-17"),
        description: Some(
            "Eight-bit parity as a percussion score. Every wrong bit was kept.\nCATALOG: 404-002",
        ),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000002?si=404deadwax000002"),
        ..release("404-002", "Punched Tape")
    },
    SampleRelease {
        artist: Some("Torsten Quist"),
        release_date: Some("2019-09-06"),
        description: Some(
            "A lacquer cut in a storm. You can hear where the lathe was lifted, and where it was not.\
             \nCATALOG: 404-003",
        ),
        ..release("404-003", "Needle Weather")
    },
    SampleRelease {
        artist: Some("Zofia Wrona"),
        release_date: Some("2019-11-22"),
        spotify_url: Some("https://open.spotify.com/track/404deadwaxTrack0000004"),
        ..release("404-004", "Six Rows of Silence")
    },
    SampleRelease {
        artist: Some("DJ Ferrite"),
        release_date: Some("2020-02-14"),
        description: Some(
            "Three tools for the last hour, pressed on the inner third of the disc only.\
             \nCATALOG: 404-005",
        ),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000005"),
        soundcloud_url: Some("https://soundcloud.com/dj-ferrite-404/corner-booth"),
        ..release("404-005", "Corner Booth")
    },
    SampleRelease {
        artist: Some("Ohm & Ledger"),
        release_date: Some("2020-04-03"),
        description: Some(
            "Two compasses, one transformer. The needle on side B never settles.\nCATALOG: 404-006",
        ),
        soundcloud_url: Some(
            "https://soundcloud.com/ohm-and-ledger/magnetic-north?utm_source=clipboard&utm_medium=text&utm_campaign=social_sharing",
        ),
        ..release("404-006", "Magnetic North")
    },
    SampleRelease {
        artist: Some("Vantablau"),
        description: Some(
            "A test pressing that was played before it was named. No date was written down.\
             \nCATALOG: 404-007",
        ),
        soundcloud_url: Some("https://soundcloud.com/vantablau-404/eclipse-tool"),
        ..release("404-007", "Eclipse Tool")
    },
    SampleRelease {
        artist: Some("Ines Marlowe"),
        release_date: Some("2020-08-28"),
        description: Some(
            "Pressure falling over six tracks, the last one below hearing on most systems.\
             \nCATALOG: 404-008",
        ),
        spotify_url: Some("https://open.spotify.com/intl-de/album/404deadwaxAlbum0000008"),
        ..release("404-008", "Isobar")
    },
    SampleRelease {
        artist: Some("Ärzte im Exil"),
        release_date: Some("2020-10-09"),
        description: Some(
            "Forty-four patients at rest, in the order of their discharge. One of them did not stay \
             down.\
             \nCATALOG: 404-009",
        ),
        featured: true,
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000009"),
        apple_music_url: Some("https://music.apple.com/de/album/pulse-count/4040000009"),
        ..release("404-009", "Pulse Count")
    },
    SampleRelease {
        artist: Some("alva"),
        release_date: Some("2020-12-11"),
        description: Some("recorded in a drained swimming pool. the reverb is the pool.\nCatalog: 404-010"),
        soundcloud_url: Some("https://www.soundcloud.com/alva-404/whirlpool"),
        ..release("404-010", "Whirlpool")
    },
    SampleRelease {
        artist: Some("Yūki Tanabe"),
        release_date: Some("2021-01-29"),
        description: Some(
            "The tones that stations send when nothing is on. Looped until something is.\
             \nCATALOG: 404-011",
        ),
        spotify_url: Some(
            "https://open.spotify.com/intl-ja/track/404deadwaxTrack0000011?si=404deadwax000011",
        ),
        ..release("404-011", "Interval Signal")
    },
    SampleRelease {
        artist: Some("Halide"),
        release_date: Some("2021-03-19"),
        description: Some(
            "Light through two slits, developed as rhythm. Play on a dark floor.\nCATALOG: 404-012",
        ),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000012"),
        ..release("404-012", "Standing Field")
    },
    SampleRelease {
        artist: Some("Nana O'Shea & the Hum"),
        release_date: Some("2021-05-07"),
        description: Some("One note in two rooms, drifting apart for nine minutes each.\nCATALOG: 404-013"),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000013"),
        soundcloud_url: Some("https://soundcloud.com/nana-and-the-hum/two-wells"),
        ..release("404-013", "Two Wells")
    },
    SampleRelease {
        artist: Some("Mira Holm"),
        release_date: Some("2021-06-25"),
        description: Some(
            "Run-out grooves from river-side pressing plants, laid over each other until they flow.",
        ),
        soundcloud_url: Some("https://soundcloud.com/mira-holm-404/delta"),
        ..release("404-014", "Delta")
    },
    SampleRelease {
        artist: Some("Torsten Quist"),
        release_date: Some("2021-09-10"),
        description: Some(
            "The left side was cut at 45, the right at 33⅓. Choose one, or do not.\
             \nCATALOG: 404-015",
        ),
        soundcloud_url: Some("https://soundcloud.com/torsten-quist-404/sets/half-speed"),
        ..release("404-015", "Half Speed")
    },
    SampleRelease {
        artist: Some("Sable"),
        release_date: Some("2021-11-12"),
        description: Some(
            "A single chord walks through three doors. Eleven minutes, no drop.\nCATALOG: 404-016",
        ),
        spotify_url: Some(
            "https://open.spotify.com/intl-pt/album/404deadwaxAlbum0000016?si=404deadwax000016",
        ),
        ..release("404-016", "Room Within")
    },
    SampleRelease {
        artist: Some("Kesto Vann"),
        release_date: Some("2022-01-21"),
        description: Some("Kicks sent to the moon by amateur radio, and what came back.\nCATALOG: 404-017"),
        artwork: false,
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000017"),
        soundcloud_url: Some("https://soundcloud.com/kesto-vann-404/far-side"),
        ..release("404-017", "Far Side")
    },
    SampleRelease {
        artist: Some("Zofia Wrona"),
        release_date: Some("2022-03-04"),
        description: Some("Every bar is the previous one, turned by four degrees.\nCATALOG: 404-018"),
        spotify_url: Some("https://open.spotify.com/track/404deadwaxTrack0000018"),
        ..release("404-018", "Square Root")
    },
    SampleRelease {
        artist: Some("Yūki Tanabe"),
        release_date: Some("2022-04-22"),
        description: Some(
            "Eleven frequencies, lowest last. The fourth one was meant for somebody else.\
             \nCATALOG: 404-019",
        ),
        spotify_url: Some("https://open.spotify.com/intl-de/album/404deadwaxAlbum0000019"),
        ..release("404-019", "Carrier")
    },
    SampleRelease {
        artist: Some("DJ Ferrite"),
        release_date: Some("2022-06-17"),
        description: Some("Pressed off centre on purpose. The wobble is in tune."),
        soundcloud_url: Some("https://m.soundcloud.com/dj-ferrite-404/vertigo-plate"),
        ..release("404-020", "Vertigo Plate")
    },
    SampleRelease {
        artist: Some("Vantablau"),
        release_date: Some("2022-08-26"),
        description: Some("Stripes for strobes. Not for the tired.\nCATALOG: 404-021"),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000021"),
        ..release("404-021", "Vanishing Point")
    },
    SampleRelease {
        description: Some("Ventilator music. Turns until it is stopped.\nCATALOG: 404-022"),
        artwork: false,
        ..release("404-022", "Three Blades")
    },
    SampleRelease {
        artist: Some("Mira Holm"),
        release_date: Some("2022-10-14"),
        description: Some("Tape noise, arranged around nothing. The nothing is on side B.\nCATALOG: 404-023"),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000023?si=404deadwax000023"),
        ..release("404-023", "Crown of Hiss")
    },
];
