//! The sample label's records 404-024 to 404-046, and one without a number.

use super::{SampleRelease, release};

pub(super) const RELEASES: &[SampleRelease] = &[
    SampleRelease {
        artist: Some("Ohm & Ledger"),
        release_date: Some("2022-12-02"),
        description: Some(
            "Thirty pens on one sheet while the freight trains passed. Unedited.\nCATALOG: 404-024",
        ),
        soundcloud_url: Some(
            "https://soundcloud.com/ohm-and-ledger/sets/seismograph?utm_source=clipboard&utm_medium=text&utm_campaign=social_sharing",
        ),
        youtube_url: Some("https://www.youtube.com/watch?v=404deadwx24"),
        ..release("404-024", "Seismograph")
    },
    SampleRelease {
        artist: Some("Ines Marlowe"),
        release_date: Some("2023-02-17"),
        description: Some(
            "Quarter turns of the same eight bars, dubbed on a mixer with two working channels.\
             \nCATALOG: 404-025",
        ),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000025"),
        ..release("404-025", "Rotary")
    },
    SampleRelease {
        artist: Some("Ärzte im Exil"),
        release_date: Some("2023-03-31"),
        description: Some("What the scanner at the pharmacy says, in unison."),
        ..release("404-026", "Barcode Hymn")
    },
    SampleRelease {
        artist: Some("Halide"),
        release_date: Some("2023-05-19"),
        description: Some(
            "An afternoon in one exposure. The red line is the horizon, the rest is grain.\
             \nCATALOG: 404-027",
        ),
        spotify_url: Some("https://open.spotify.com/intl-de/album/404deadwaxAlbum0000027"),
        ..release("404-027", "Low Sun")
    },
    SampleRelease {
        artist: Some("Sable"),
        release_date: Some("2023-07-07"),
        description: Some("The long version of an argument between a kick and a room.\nCATALOG: 404-028"),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000028"),
        soundcloud_url: Some("https://soundcloud.com/deadwax-404/squared-circle"),
        bandcamp_url: Some("https://deadwax-404.bandcamp.com/album/squared-circle"),
        ..release("404-028", "Squared Circle")
    },
    SampleRelease {
        artist: Some("Yūki Tanabe"),
        release_date: Some("2023-09-15"),
        description: Some(
            "Departure boards flipping over. One row is always wrong, and always the same one.\
             \nCATALOG: 404-029",
        ),
        spotify_url: Some("https://open.spotify.com/episode/404deadwaxEpisode00029"),
        soundcloud_url: Some("https://soundcloud.com/yuki-tanabe-404/parity-bits"),
        ..release("404-029", "Parity Bits")
    },
    SampleRelease {
        artist: Some("Kesto Vann"),
        release_date: Some("2023-11-03"),
        description: Some(
            "Loops that open like blinds. DJ tools, four of them, none finished.\nCATALOG: 404-030",
        ),
        soundcloud_url: Some("https://soundcloud.com/kesto-vann-404/shutter"),
        ..release("404-030", "Shutter")
    },
    SampleRelease {
        artist: Some("Nana O'Shea & the Hum"),
        release_date: Some("2024-01-26"),
        description: Some(
            "The bass bends everything near it. Sung from behind a closed door.\nCATALOG: 404-031",
        ),
        featured: true,
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000031"),
        apple_music_url: Some("https://music.apple.com/de/album/lens/4040000031"),
        ..release("404-031", "Lens")
    },
    SampleRelease {
        artist: Some("alva"),
        release_date: Some("2024-03-08"),
        description: Some("ferry radar, twelve turns a minute, slowed to four.\nCATALOG: 404-032"),
        soundcloud_url: Some(
            "https://soundcloud.com/alva-404/galaxy-counter?utm_source=clipboard&utm_medium=text&utm_campaign=social_sharing",
        ),
        ..release("404-032", "Galaxy Counter")
    },
    SampleRelease {
        artist: Some("Ohm & Ledger"),
        release_date: Some("2024-04-19"),
        description: Some("Seven transmitters on one frequency. Where they meet, a beat.\nCATALOG: 404-033"),
        spotify_url: Some("https://open.spotify.com/intl-fr/album/404deadwaxAlbum0000033"),
        soundcloud_url: Some("https://soundcloud.com/ohm-and-ledger/sets/seven-stations"),
        ..release("404-033", "Seven Stations")
    },
    SampleRelease {
        artist: Some("Torsten Quist"),
        release_date: Some("2024-06-28"),
        description: Some("One waveform, forty-six times, each a little more tired.\nCATALOG: 404-034"),
        spotify_url: Some("https://open.spotify.com/playlist/404deadwaxLists0000034?si=404deadwax000034"),
        ..release("404-034", "Landslide")
    },
    SampleRelease {
        artist: Some("Mira Holm"),
        release_date: Some("2024-08-16"),
        description: Some(
            "Thirteen cuts through a record nobody would miss. It is missed.\nCATALOG: 404-035",
        ),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000035?si=404deadwax000035"),
        soundcloud_url: Some(
            "https://soundcloud.com/mira-holm-404/skip?utm_source=clipboard&utm_medium=text&utm_campaign=social_sharing",
        ),
        ..release("404-035", "Skip")
    },
    SampleRelease {
        artist: Some("Zofia Wrona"),
        release_date: Some("2024-10-04"),
        description: Some("Three yarns, sixty degrees apart. A pattern nobody wove.\nCATALOG: 404-036"),
        spotify_url: Some("https://open.spotify.com/track/404deadwaxTrack0000036"),
        ..release("404-036", "Hex")
    },
    SampleRelease {
        artist: Some("Halide"),
        release_date: Some("2024-11-29"),
        description: Some("Slow light for a small dome. The square is the exit sign.\nCATALOG: 404-037"),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000037"),
        ..release("404-037", "Planetarium")
    },
    SampleRelease {
        artist: Some("DJ Ferrite"),
        release_date: Some("2025-01-24"),
        description: Some("Directions for finding a warehouse in fog, at 138 bpm."),
        artwork: false,
        soundcloud_url: Some("https://soundcloud.com/dj-ferrite-404/sets/bearing"),
        ..release("404-038", "Bearing")
    },
    SampleRelease {
        artist: Some("Kesto Vann"),
        release_date: Some("2025-03-14"),
        description: Some(
            "A string, two engines, one long evening. The knots stay where they are.\
             \nCATALOG: 404-039",
        ),
        spotify_url: Some(
            "https://open.spotify.com/intl-de/album/404deadwaxAlbum0000039?si=404deadwax000039",
        ),
        soundcloud_url: Some("https://soundcloud.com/kesto-vann-404/standing-wave"),
        bandcamp_url: Some("https://deadwax-404.bandcamp.com/album/standing-wave"),
        ..release("404-039", "Standing Wave")
    },
    SampleRelease {
        artist: Some("Sable"),
        release_date: Some("2025-05-23"),
        description: Some(
            "Made for the last track of side B, where there is least room and most hurry.\
             \nCATALOG: 404-040",
        ),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000040"),
        ..release("404-040", "Inner Ring")
    },
    SampleRelease {
        artist: Some("Vantablau"),
        description: Some(
            "The first transmission from the Leipzig wing of the collective.\nCATALOG: 404-041",
        ),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000041"),
        soundcloud_url: Some("https://soundcloud.com/vantablau-404/signal-floor"),
        ..release("404-041", "Signal Floor")
    },
    SampleRelease {
        artist: Some("Sable"),
        release_date: Some("2025-11-30"),
        description: Some("Long-form techno for the hour after closing.\nCATALOG: 404-042"),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000042"),
        soundcloud_url: Some("https://soundcloud.com/deadwax-404/parity-error"),
        ..release("404-042", "Parity Error")
    },
    SampleRelease {
        release_date: Some("2026-02-21"),
        description: Some("White label. No credits by request.\nCATALOG: 404-043"),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000043"),
        soundcloud_url: Some("https://soundcloud.com/deadwax-404/untitled-run-out"),
        ..release("404-043", "Untitled (Run-out)")
    },
    SampleRelease {
        artist: Some("Ohm & Ledger"),
        release_date: Some("2026-05-09"),
        description: Some(
            "Two rooms, one cable. Recorded in a single night without edits.\nCATALOG: 404-044",
        ),
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000044"),
        soundcloud_url: Some("https://soundcloud.com/ohm-and-ledger/return-path"),
        youtube_url: Some("https://www.youtube.com/watch?v=404deadwx44"),
        ..release("404-044", "Return Path")
    },
    SampleRelease {
        artist: Some("Mira Holm"),
        release_date: Some("2026-07-18"),
        description: Some(
            "Loops taken from the end of other people's records, pressed again as beginnings.\
             \nCATALOG: 404-045",
        ),
        featured: true,
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000045"),
        soundcloud_url: Some("https://soundcloud.com/mira-holm-404/locked-groove"),
        bandcamp_url: Some("https://deadwax-404.bandcamp.com/album/locked-groove"),
        ..release("404-045", "Locked Groove")
    },
    SampleRelease {
        artist: Some("Kesto Vann"),
        release_date: Some("2026-10-02"),
        description: Some(
            "Four tracks cut hot for a small room: broken kicks, a siren that never resolves, and \
             eleven minutes of tape left to run.\
             \nCATALOG: 404-046",
        ),
        featured: true,
        spotify_url: Some("https://open.spotify.com/album/404deadwaxAlbum0000046"),
        soundcloud_url: Some("https://soundcloud.com/kesto-vann-404/dead-air-protocol"),
        apple_music_url: Some("https://music.apple.com/de/album/dead-air-protocol/4040000046"),
        youtube_url: Some("https://www.youtube.com/watch?v=404deadwx46"),
        bandcamp_url: Some("https://deadwax-404.bandcamp.com/album/dead-air-protocol"),
        ..release("404-046", "Dead Air Protocol")
    },
    SampleRelease {
        catalog: None,
        release_date: Some("2021-12-31"),
        description: Some("Found in the bag of somebody who left early. If it is yours, write to us."),
        artwork: false,
        ..release("", "Lost Property")
    },
];
