use std::time::Duration;

use macro_rules_attribute::apply;
use serde_json::json;

use super::{answer, label};
use crate::{
    on_both_engines,
    support::{Engine, Release, TestServer},
};

#[apply(on_both_engines!)]
async fn questions_are_answered_from_the_catalogue(engine: Engine) {
    let server = TestServer::start(engine).await;
    let label = label(&server).await;
    let page = |name: &str, id| format!("{name} (/artists/{id})");
    let (nullpoint, exile, sable) =
        (page("Nullpoint", label.nullpoint), page("Ärzte im Exil", label.exile), page("Sable", label.sable));
    let spotify = "\nhttps://open.spotify.com/album/0000000000000000000001";
    let soundcloud = "\nhttps://soundcloud.com/label/low-sun";
    for (message, parts) in [
        (
            "releases",
            &[
                "RELEASES 1-4 OF 4",
                "404-051",
                "2027.01.15",
                "2027.01.15  Barcode Hymn / Ärzte im Exil (/releases/",
                "No Date",
                "Unknown Artist",
                "\nReleases (/releases)",
            ][..],
        ),
        (
            "artists",
            &["ARTISTS 1-3 OF 3", &format!("{nullpoint}  1 RELEASE"), &exile, "\nArtists (/artists)"],
        ),
        (
            "latest",
            &[
                "LATEST RELEASE\n\nLow Sun\n",
                "BEFORE THAT\n404-001",
                "2019.03.01  First Transmission / ",
                "No Date",
            ],
        ),
        ("What's new?", &["LATEST RELEASE\n\nLow Sun\n"]),
        ("upcoming", &["COMING UP\n\n404-051", "2027.01.15  Barcode Hymn / "]),
        (
            "artist Nullpoint",
            &[&format!("{nullpoint}\n1 RELEASE"), "Long-form techno", "404-001", "First Transmission"],
        ),
        ("artist NULLPOINT", &[&format!("{nullpoint}\n1 RELEASE")]),
        ("artist arzte im exil", &["NO BIO AVAILABLE", &exile]),
        (
            "release 404-027",
            &[
                "Low Sun\nARTIST   Sable\nCATALOG  404-027\nDATE     2023.05.19",
                "One exposure.",
                soundcloud,
                &sable,
            ],
        ),
        ("release low sun", &["Low Sun\nARTIST   Sable"]),
        ("404 027", &["Low Sun\nARTIST   Sable"]),
        (
            "Untitled Plate",
            &["ARTIST   Unknown Artist\nCATALOG  N/A\nDATE     No Date", "\nUntitled Plate (/releases/"],
        ),
        ("Who is Nullpoint?", &[&format!("{nullpoint}\n1 RELEASE")]),
        ("Nullpnt", &["NEAREST MATCH FOR: Nullpnt", &nullpoint]),
        ("who is nulpoint", &["NEAREST MATCH FOR: nulpoint", "Nullpoint"]),
        ("When did Low Sun come out?", &["Low Sun by Sable came out on 2023.05.19.", soundcloud]),
        ("when did lo sun come out", &["NEAREST MATCH", "came out on 2023.05.19."]),
        ("when was Barcode Hymn released", &["Barcode Hymn by Ärzte im Exil comes out on 2027.01.15."]),
        ("when did untitled plate come out", &["has no date so far."]),
        ("What did Sable release?", &["1 RELEASE BY Sable", "404-027", "Low Sun", &sable]),
        (
            "Where can I listen to First Transmission?",
            &["LISTEN TO First Transmission by Nullpoint", spotify, &nullpoint],
        ),
        ("where can i listen to nullpoint", &["LISTEN TO Nullpoint", "First Transmission", spotify]),
        ("where can I listen to Barcode Hymn", &["is on no streaming service so far."]),
        ("who made low sun?", &["Low Sun is by Sable."]),
        ("low", &["NO MATCH FOR: low", "\nContact (/contact)", "\nSend a demo (/artists?dialog=demo)"]),
        ("wher can i lsten to nullpnt", &["NEAREST MATCH FOR: nullpnt", &nullpoint]),
        (
            "what is a sable brush",
            &["NO MATCH FOR: what is a sable brush", "DID YOU MEAN", &format!("{sable}  ARTIST")],
        ),
        ("qwertzuiop", &["NO MATCH FOR: qwertzuiop", "help"]),
        ("who is qwertzuiop?", &["NO MATCH FOR: who is qwertzuiop?"]),
        ("🎉🎉🎉", &["NO MATCH FOR: 🎉🎉🎉"]),
        ("the", &["NO MATCH FOR: the"]),
        ("how many releases do you have", &["4 RELEASES, 3 ARTISTS."]),
    ] {
        let answer = answer(&server, message).await;
        for part in parts {
            assert!(answer.contains(part), "{message}: {part:?} is not in\n{answer}");
        }
    }
}

#[apply(on_both_engines!)]
async fn what_is_out_and_what_comes_go_by_the_day(engine: Engine) {
    let server = TestServer::start(engine).await;
    let titles = |answer: &str| -> Vec<String> {
        answer
            .lines()
            .filter_map(|line| line.split_once(" / ")?.0.split_once("  "))
            .map(|row| row.1.to_owned())
            .collect()
    };
    for day in (10..=30).rev() {
        let (title, date) = (format!("Day {day}"), format!("2026-11-{day}"));
        server.release(Release { title: &title, date: Some(&date), ..Default::default() }).await;
    }
    server.release(Release { title: "Day 21, later", date: Some("2026-11-21"), ..Default::default() }).await;
    let latest = answer(&server, "latest").await;
    assert!(latest.starts_with("LATEST RELEASE\n\nDay 20\n"), "{latest}");
    assert_eq!(titles(&latest), ["Day 19", "Day 18", "Day 17", "Day 16", "Day 15"], "{latest}");
    let upcoming = answer(&server, "upcoming").await;
    let first = ["Day 21", "Day 21, later", "Day 22"];
    let titles = titles(&upcoming);
    assert_eq!(
        (titles.len(), &titles[..3], titles[9].as_str()),
        (10, &first.map(str::to_owned)[..], "Day 29"),
        "{upcoming}"
    );
    server.sql("DELETE FROM releases WHERE release_date <= '2026-11-20'").await;
    server.wait_for_changes().await;
    assert_eq!(answer(&server, "latest").await, upcoming);
}

#[apply(on_both_engines!)]
async fn names_from_right_to_left_stay_in_their_places(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("נועה לוי (DJ)", None).await;
    server.release(Release { title: "שידור ראשון!", artist: Some(artist), ..Default::default() }).await;
    let (title, name) = ("\u{2068}שידור ראשון!\u{2069}", "\u{2068}נועה לוי (DJ)\u{2069}");
    for (message, part) in [
        ("releases", format!("{title} / {name} (/releases/")),
        ("when did שידור ראשון come out", format!("{title} by {name} has no date so far.")),
        ("artists", format!("{name} (/artists/{artist})  1 RELEASE")),
    ] {
        let answer = answer(&server, message).await;
        assert!(answer.contains(&part), "{message}: {answer:?}");
    }
}

#[apply(on_both_engines!)]
async fn a_release_is_heard_on_every_platform_of_its_page(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sable = server.artist("Sable", None).await;
    server.release(Release { title: "Low Sun", artist: Some(sable), ..Default::default() }).await;
    let urls = [
        "https://music.apple.com/album/1",
        "https://www.youtube.com/playlist?list=1",
        "https://label.bandcamp.com/album/low-sun",
    ];
    let [apple_music, youtube, bandcamp] = urls;
    server
        .sql(&format!(
            "UPDATE releases SET apple_music_url = '{apple_music}', youtube_url = '{youtube}', bandcamp_url = '{bandcamp}'"
        ))
        .await;
    for (message, heading) in [
        ("where can I listen to low sun", "LISTEN TO Low Sun by Sable"),
        ("where can I listen to sable", "LISTEN TO Sable"),
    ] {
        let answer = answer(&server, message).await;
        let places = urls.map(|url| answer.find(url));
        assert!(answer.contains(heading) && places.iter().all(Option::is_some), "{message}: {answer}");
        assert!(places.is_sorted(), "{message}: {answer}");
    }
}

#[apply(on_both_engines!)]
async fn questions_about_the_label_lead_to_its_pages(engine: Engine) {
    let server = TestServer::start(engine).await;
    label(&server).await;
    for (message, parts) in [
        ("help", &["COMMANDS", "releases", "artist NAME", "who is NAME"][..]),
        ("relases", &["RELEASES 1-4 OF 4"]),
        ("hello", &["404 COLLECTIVE", "help"]),
        ("who are you?", &["404 COLLECTIVE", "\nReleases (/releases)", "\nArtists (/artists)"]),
        (
            "How do I send a demo?",
            &["70 MB", "(.zip, .mp3, .wav, .flac,", "\nSend a demo (/artists?dialog=demo)"],
        ),
        ("i made some demos, who wants to hear them", &["DEMOS", "\nSend a demo (/artists?dialog=demo)"]),
        ("contact", &["\nContact (/contact)"]),
        ("what is your email address", &["\nContact (/contact)"]),
        ("newsletter", &["NEWSLETTER", "Each letter has a link to leave the list.", "\nHome (/)\n"]),
        ("unsubscribe", &["Each letter has a link to leave the list.", "\nContact (/contact)"]),
        ("did you get my demo?", &["link to the demo's page", "\nContact (/contact)"]),
        ("store", &["COMING SOON", "STATUS: PENDING", "\nStore (/store)"]),
        ("privacy", &["not kept", "\nPrivacy policy (/privacy-policy)"]),
        ("where can I listen to your music", &["PLAY", "\nReleases (/releases)"]),
    ] {
        let answer = answer(&server, message).await;
        for part in parts {
            assert!(answer.contains(part), "{message}: {part:?} is not in\n{answer}");
        }
    }
}

#[apply(on_both_engines!)]
async fn the_labels_imprint_and_links_are_named(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let without = answer(&server, "imprint").await;
    assert!(without.contains("No imprint is given here.") && !without.contains("(/imprint)"), "{without}");
    for (key, value) in
        [("imprint", "Backyard 4, Berlin"), ("label_links", "https://www.instagram.com/404collective")]
    {
        let saved = desk.edit(&format!("/api/admin/content/{key}"), 1, json!({"value": value})).await;
        assert_eq!(saved.status, 200, "{saved:?}");
    }
    for (message, part) in [
        ("imprint", "\nImprint (/imprint)\nPrivacy policy (/privacy-policy)\nContact (/contact)"),
        ("Wo ist euer Impressum?", "\nImpressum (/imprint)\n"),
        ("who runs the label?", "\nImprint (/imprint)\n"),
        ("where are you based?", "\nImprint (/imprint)\n"),
        ("are you on instagram?", "ELSEWHERE\nThe label:\nhttps://www.instagram.com/404collective\n"),
    ] {
        let answer = answer(&server, message).await;
        assert!(answer.contains(part), "{message}: {part:?} is not in\n{answer}");
        assert!(!answer.contains("does not say") && !answer.contains("No imprint"), "{message}: {answer}");
    }
}

#[apply(on_both_engines!)]
async fn a_label_of_another_name_is_not_said_to_be_what_the_preset_one_is(engine: Engine) {
    let server = TestServer::start(engine).await;
    let questions =
        ["who are you?", "Wer seid ihr?", "who runs the label?", "Wer betreibt das Label?", "Welches Genre?"];
    let described = async |message: &str| {
        let answer = answer(&server, message).await.to_lowercase();
        ["collective of", "kollektiv", "techno"].iter().any(|word| answer.contains(word))
    };
    for message in questions {
        assert!(described(message).await, "{message}");
    }
    let named = json!({"value": "Night Pressing"});
    let mut desk = server.desk().await;
    assert_eq!(desk.edit("/api/admin/content/label_name", 1, named).await.status, 200);
    for message in questions {
        assert!(!described(message).await, "{message}");
    }
}

#[apply(on_both_engines!)]
async fn an_empty_catalogue_says_so(engine: Engine) {
    let server = TestServer::start(engine).await;
    for (message, part) in [
        ("releases", "NO RELEASES FOUND"),
        ("latest", "NO RELEASES FOUND"),
        ("artists", "NO ARTISTS FOUND"),
        ("artist Nullpoint", "The catalogue is empty so far."),
        ("low sun", "The catalogue is empty so far."),
        ("help", "COMMANDS"),
        ("who are you", "0 RELEASES, 0 ARTISTS."),
    ] {
        let answer = answer(&server, message).await;
        assert!(answer.contains(part), "{message}: {answer}");
    }
}

#[apply(on_both_engines!)]
async fn lists_are_paged(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sable = server.artist("Sable", None).await;
    server.insert_releases(25, Some(sable)).await;
    server.insert_artists(11).await;
    let first = answer(&server, "releases").await;
    assert!(first.contains("RELEASES 1-10 OF 25") && first.contains("MORE: releases 2"), "{first}");
    assert!(first.contains("Release 000000") && !first.contains("Release 000010"), "{first}");
    let last = answer(&server, "releases 3").await;
    assert!(last.contains("RELEASES 21-25 OF 25") && !last.contains("MORE"), "{last}");
    assert!(last.contains("Release 000024"), "{last}");
    for behind in ["releases 4", "releases 4294967295"] {
        assert_eq!(answer(&server, behind).await, "NO SUCH PAGE. THE RELEASES END ON PAGE 3.");
    }
    let artists = answer(&server, "artists 2").await;
    assert!(artists.contains("ARTISTS 11-12 OF 12") && artists.contains(")  25 RELEASES"), "{artists}");
    let works = answer(&server, "what did sable release").await;
    assert!(
        works.contains("25 RELEASES BY Sable") && works.contains("THE WHOLE DISCOGRAPHY\n\nSable (/artists/"),
        "{works}"
    );
}

#[apply(on_both_engines!)]
async fn what_changes_is_answered_anew(engine: Engine) {
    let server = TestServer::start(engine).await;
    label(&server).await;
    assert!(answer(&server, "nullpoint").await.contains("1 RELEASE"));
    server.sql("UPDATE artists SET name = 'Zeropoint' WHERE name = 'Nullpoint'").await;
    server.wait_for_changes().await;
    assert!(answer(&server, "zeropoint").await.starts_with("Zeropoint (/artists/"));
    server.sql("DELETE FROM artists").await;
    // A deleted artist is hidden even before the cache learns of it.
    let gone = answer(&server, "zeropoint").await;
    assert!(gone.contains("NO MATCH FOR: zeropoint"), "{gone}");
}

#[apply(on_both_engines!)]
async fn an_unused_index_is_dropped(engine: Engine) {
    let server = TestServer::start(engine).await;
    label(&server).await;
    answer(&server, "help").await;
    assert!(!server.app.terminal.index.is_kept(), "help needs no names");
    answer(&server, "sable").await;
    assert!(server.app.terminal.index.is_kept());
    tokio::time::pause();
    for _ in 0..3 {
        tokio::time::advance(Duration::from_secs(121)).await;
    }
    tokio::time::resume();
    server.wait_until("forgetting the index", async || !server.app.terminal.index.is_kept()).await;
    assert!(answer(&server, "sable").await.starts_with("Sable"));
}

#[apply(on_both_engines!)]
async fn several_of_one_name_are_listed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let sable = server.artist("Sable", None).await;
    for description in ["CATALOG: 404-001", "CATALOG: 404-002"] {
        server
            .release(Release {
                title: "Sable",
                description: Some(description),
                artist: Some(sable),
                ..Default::default()
            })
            .await;
    }
    let all = answer(&server, "sable").await;
    assert!(all.contains("3 MATCHES FOR: sable") && all.contains(")  ARTIST\n"), "{all}");
    let releases = answer(&server, "release sable").await;
    assert!(releases.contains("2 MATCHES FOR: sable"), "{releases}");
    let links = releases.lines().filter(|line| line.starts_with("Sable by Sable (/releases/"));
    assert_eq!(links.filter(|line| line.contains(")  RELEASE  404-00")).count(), 2, "{releases}");
    assert!(answer(&server, "who is sable").await.contains(")\n2 RELEASES"));
    assert!(answer(&server, "404-002").await.contains("CATALOG  404-002"));
}

#[apply(on_both_engines!)]
async fn long_texts_are_cut_and_help_fits_a_phone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let name = "Karlheinz ".repeat(10);
    let artist = server.artist(name.trim(), Some(&"A long sentence about very little. ".repeat(60))).await;
    let title = "The Unabridged ".repeat(12);
    let spotify = format!("https://open.spotify.com/album/{}", "a".repeat(120));
    let description = "word ".repeat(900);
    server
        .release(Release {
            title: title.trim(),
            date: Some("2020-01-01"),
            description: Some(&description),
            spotify: Some(&spotify),
            artist: Some(artist),
            ..Default::default()
        })
        .await;
    let long = "x".repeat(1000);
    for message in [
        "help",
        "releases",
        "artists",
        "latest",
        "the unabridged",
        "karlheinz",
        "demo",
        "privacy",
        "newsletter",
        &long,
    ] {
        let answer = answer(&server, message).await;
        assert!(answer.len() <= 8 * 1024);
        if message == "help" {
            // 320 pixels.
            assert!(answer.lines().all(|line| line.chars().count() <= 36), "{answer}");
        }
    }
}

#[apply(on_both_engines!)]
async fn the_catalogue_cannot_send_control_characters(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.artist("Sable", Some("before\u{1b}]0;owned\u{7}\u{1b}[2Jafter \u{202e}tfel")).await;
    let answer = answer(&server, "sable").await;
    assert!(answer.contains("beforeafter tfel"), "{answer:?}");
    assert!(!answer.contains(['\u{1b}', '\u{7}', '\u{202e}']));
}

#[apply(on_both_engines!)]
async fn a_large_catalogue_is_answered(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.insert_artists(2_500).await;
    server.insert_releases(5_000, None).await;
    assert!(answer(&server, "release 004999").await.contains("004999"));
    assert!(
        answer(&server, "Artist 000007").await.starts_with("Artist 000007"),
        "the first that was entered"
    );
    assert!(answer(&server, "releases 500").await.contains("RELEASES 4991-5000 OF 5000"));
}
