//! The people of the sample label.

use super::{SampleArtist, artist};

pub(super) const ARTISTS: &[SampleArtist] = &[
    SampleArtist {
        bio: Some(
            "Builds tracks from alarms, relays and the rooms they ring in. Resident of the collective since the \
             first night, when the power failed and nobody left. Plays four hours or not at all.",
        ),
        featured: true,
        spotify_url: Some("https://open.spotify.com/artist/404deadwaxArtist000001"),
        soundcloud_url: Some("https://soundcloud.com/kesto-vann-404"),
        instagram_url: Some("https://www.instagram.com/kestovann.404"),
        youtube_url: Some("https://www.youtube.com/@kestovann404"),
        apple_music_url: Some("https://music.apple.com/de/artist/kesto-vann/4040000001"),
        website: Some("https://kestovann.example/"),
        twitter: Some("https://twitter.com/kestovann404"),
        ..artist("Kesto Vann")
    },
    SampleArtist {
        bio: Some(
            "Collects the last seconds of other people's records. What others leave out, she presses again. Lives \
             in Malmö with eleven turntables, of which two work.",
        ),
        featured: true,
        spotify_url: Some("https://open.spotify.com/intl-de/artist/404deadwaxArtist000002"),
        soundcloud_url: Some("https://soundcloud.com/mira-holm-404"),
        instagram_url: Some("https://www.instagram.com/miraholm.404"),
        website: Some("https://miraholm.example/groove"),
        ..artist("Mira Holm")
    },
    SampleArtist {
        bio: Some(
            "Two rooms, one cable. Ohm patches, Ledger writes down what happened. They have never rehearsed and see \
             no reason to begin.",
        ),
        featured: true,
        soundcloud_url: Some("https://soundcloud.com/ohm-and-ledger"),
        youtube_url: Some("https://www.youtube.com/@ohmledger404"),
        twitter: Some("https://x.com/ohmledger404"),
        ..artist("Ohm & Ledger")
    },
    SampleArtist {
        bio: Some("Long-form techno for the hour after closing."),
        spotify_url: Some("https://open.spotify.com/artist/404deadwaxArtist000004"),
        instagram_url: Some("https://www.instagram.com/sable.404"),
        ..artist("Sable")
    },
    SampleArtist {
        bio: Some(
            "The Leipzig wing of the collective. Paints with one black, produces with one drum machine. The first \
             transmission was meant to be the last.",
        ),
        spotify_url: Some("https://open.spotify.com/artist/404deadwaxArtist000005?si=404deadwax"),
        soundcloud_url: Some("https://soundcloud.com/vantablau-404"),
        apple_music_url: Some("https://music.apple.com/de/artist/vantablau/4040000005"),
        website: Some("https://vantablau.example"),
        ..artist("Vantablau")
    },
    SampleArtist {
        bio: Some(
            "writes everything in lower case, including the bass. field recordings from ferries, lifts and empty \
             swimming pools.",
        ),
        soundcloud_url: Some("https://soundcloud.com/alva-404"),
        instagram_url: Some("https://www.instagram.com/alva.404"),
        website: Some("https://alva.example"),
        ..artist("alva")
    },
    SampleArtist {
        bio: Some(
            "Four doctors who stopped practising. Their machines keep the pulse: EKG, ventilator, a 909 from the \
             estate of a patient. All proceeds go where the first career went.",
        ),
        spotify_url: Some("https://open.spotify.com/artist/404deadwaxArtist000007"),
        youtube_url: Some("https://www.youtube.com/@aerzteimexil404"),
        twitter: Some("https://twitter.com/aerzteimexil404"),
        ..artist("Ärzte im Exil")
    },
    SampleArtist {
        bio: Some(
            "Nana O'Shea sings one note per record; the Hum is whoever stands near the transformer that night. Dub \
             techno with the lights on.",
        ),
        spotify_url: Some("https://open.spotify.com/artist/404deadwaxArtist000008"),
        soundcloud_url: Some("https://soundcloud.com/nana-and-the-hum"),
        instagram_url: Some("https://www.instagram.com/nanaandthehum.404"),
        apple_music_url: Some("https://music.apple.com/ie/artist/nana-oshea-the-hum/4040000008"),
        ..artist("Nana O'Shea & the Hum")
    },
    SampleArtist { website: Some("https://inesmarlowe.example"), ..artist("Ines Marlowe") },
    SampleArtist {
        bio: Some(
            "Cuts lacquers by day and leaves notes in the dead wax. At night the notes become tracks. Has mastered \
             every record on this label and disagrees with most of them.",
        ),
        soundcloud_url: Some("https://soundcloud.com/torsten-quist-404"),
        website: Some("https://quist-cutting.example"),
        ..artist("Torsten Quist")
    },
    SampleArtist {
        bio: Some("Silver, light, time. Records are developed, not produced."),
        spotify_url: Some("https://open.spotify.com/artist/404deadwaxArtist000011"),
        instagram_url: Some("https://www.instagram.com/halide.404"),
        twitter: Some("https://twitter.com/halide404"),
        ..artist("Halide")
    },
    SampleArtist {
        bio: Some(
            "Twenty years of warehouse nights between Katowice and Ghent. Plays vinyl only because the laptop was \
             stolen in 2009. Never replaced either.",
        ),
        soundcloud_url: Some("https://soundcloud.com/dj-ferrite-404"),
        youtube_url: Some("https://www.youtube.com/@djferrite404"),
        ..artist("DJ Ferrite")
    },
    SampleArtist {
        bio: Some(
            "Programs rhythm like railway timetables: every delay is announced. Works with the signal tones of \
             closed stations.",
        ),
        spotify_url: Some("https://open.spotify.com/artist/404deadwaxArtist000013"),
        soundcloud_url: Some("https://soundcloud.com/yuki-tanabe-404"),
        instagram_url: Some("https://www.instagram.com/yukitanabe.404"),
        youtube_url: Some("https://www.youtube.com/@yukitanabe404"),
        website: Some("https://yukitanabe.example"),
        twitter: Some("https://twitter.com/yukitanabe404"),
        ..artist("Yūki Tanabe")
    },
    SampleArtist {
        bio: Some(
            "Weaver and sound engineer from Łódź. Her patterns run on looms and on sequencers, unchanged.",
        ),
        instagram_url: Some("https://www.instagram.com/zofiawrona.404"),
        apple_music_url: Some("https://music.apple.com/pl/artist/zofia-wrona/4040000014"),
        ..artist("Zofia Wrona")
    },
    SampleArtist { portrait: false, ..artist("nul.set") },
    SampleArtist {
        bio: Some(
            "Announced for the spring, and for the spring before. Nothing has been released. The silence is said to \
             be very good.",
        ),
        website: Some("https://lacuna.example"),
        ..artist("Lacuna")
    },
];
