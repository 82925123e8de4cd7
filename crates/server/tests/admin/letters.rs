//! Letters to the subscribers: writing, showing, testing and freezing them.

use deadwax::newsletter::letters::{freeze, render};
use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, Release, TestServer, change, files::picture, people::Browser},
};

const LETTERS: &str = "/api/admin/letters";

fn path(letter: &Value) -> String {
    format!("{LETTERS}/{}", letter["id"].as_str().unwrap())
}

async fn new_letter(desk: &mut Browser) -> Value {
    let made = desk.post(LETTERS, json!({})).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.json()
}

async fn uploaded(server: &TestServer, desk: &Browser) -> String {
    let png = picture(ImageFormat::Png, 700, 350);
    let answer = server.send_file(desk, (Method::POST, "/api/admin/media"), ("sleeve.png", &png), &[]).await;
    answer.json()["url"].as_str().unwrap().to_owned()
}

fn text(text: &str) -> Value {
    json!({"kind": "text", "text": text})
}

#[apply(on_both_engines!)]
async fn a_letter_is_written_saved_and_deleted(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let letter = new_letter(&mut desk).await;
    assert_eq!(
        (&letter["state"], &letter["subject"], &letter["parts"]),
        (&json!("draft"), &json!(""), &json!([]))
    );
    let draft = json!({"subject": " News ", "preheader": "", "parts": [text("Hello\r\n\r\n**you**"), {"kind": "divider"}]});
    let saved = desk.edit(&path(&letter), 1, draft.clone()).await;
    assert_eq!(saved.status, 200, "{saved:?}");
    let saved = saved.json();
    assert_eq!((&saved["subject"], &saved["version"]), (&json!("News"), &json!(2)));
    assert_eq!(saved["parts"], json!([{"kind": "text", "text": "Hello\n\n**you**"}, {"kind": "divider"}]));
    assert_eq!(desk.get(&path(&letter)).await.json(), saved);
    assert_eq!(desk.edit(&path(&letter), 1, draft).await.status, 412);
    let listed = desk.get(LETTERS).await.json();
    assert_eq!((listed["items"].as_array().unwrap().len(), &listed["items"][0]["parts"]), (1, &Value::Null));
    assert_eq!(desk.delete(&path(&letter)).await.status, 204);
    assert_eq!(desk.get(&path(&letter)).await.status, 404);
    assert_eq!(server.count("audit_log WHERE target LIKE 'letter:%'").await, 3);
}

#[apply(on_both_engines!)]
async fn letters_are_listed_by_the_page(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(desk.post_another(LETTERS, json!({})).await.json()["id"].clone());
    }
    made.reverse();
    let (mut listed, mut cursor) = (Vec::new(), String::new());
    for rows in [2, 2, 1] {
        let page = desk.get(&format!("{LETTERS}?limit=2{cursor}")).await.json();
        let items = page["items"].as_array().unwrap();
        assert_eq!((items.len(), &page["total"]), (rows, &json!(5)), "{page}");
        listed.extend(items.iter().map(|letter| letter["id"].clone()));
        cursor = page["next_cursor"].as_str().map_or_else(String::new, |next| format!("&cursor={next}"));
    }
    assert_eq!((listed, cursor.as_str()), (made, ""));
    for query in ["limit=0", "limit=101", "cursor=x"] {
        assert_eq!(desk.get(&format!("{LETTERS}?{query}")).await.status, 422, "{query}");
    }
}

/// The library says so, before a file is deleted that a letter shows.
#[apply(on_both_engines!)]
async fn a_picture_names_the_letters_that_show_it(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let (url, other) = (uploaded(&server, &desk).await, uploaded(&server, &desk).await);
    let letter = new_letter(&mut desk).await;
    let parts = json!([{"kind": "picture", "picture": url, "alt": "The sleeve"}]);
    let saved =
        desk.edit(&path(&letter), 1, json!({"subject": "News", "preheader": "", "parts": parts})).await;
    assert_eq!(saved.status, 200, "{saved:?}");
    let uses = async |desk: &mut Browser, state: &str| {
        let page = desk.get(&format!("/api/admin/media?state={state}")).await.json();
        let found =
            page["items"].as_array().unwrap().iter().map(|file| (file["url"].clone(), file["uses"].clone()));
        found.collect::<Vec<_>>()
    };
    let shown = json!([{"kind": "letter", "id": letter["id"], "name": "News"}]);
    assert_eq!(uses(&mut desk, "used").await, [(json!(url), shown)]);
    assert_eq!(uses(&mut desk, "unused").await, [(json!(other), json!([]))]);
    // Once it goes out it has copies.
    let prepared =
        freeze::prepare(&server.app, serde_json::from_value(letter["id"].clone()).unwrap()).await.unwrap();
    let mut tx = server.app.db.begin().await.unwrap();
    prepared.freeze(&mut tx, &server.app).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(uses(&mut desk, "used").await, []);
}

#[apply(on_both_engines!)]
async fn a_bad_letter_is_refused_and_nothing_changes(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let letter = new_letter(&mut desk).await;
    let gone = json!({"kind": "picture", "picture": "/media/uploads/gone.png", "alt": "x"});
    let unknown = json!({"kind": "release", "release_id": "01936b3e-0000-7000-8000-000000000000"});
    let long = vec![text(&"x ".repeat(2400)); 16];
    for (parts, field, code) in [
        (json!([text("a"), text("[x](ftp://x)")]), "parts[1].text", "letter_link_invalid"),
        (json!([gone]), "parts[0].picture", "picture_gone"),
        (json!([unknown]), "parts[0].release_id", "letter_release_missing"),
        (json!(long), "parts", "letter_too_large"),
        (json!(vec![json!({"kind": "divider"}); 41]), "parts", "too_many_parts"),
    ] {
        let draft = json!({"subject": "s", "preheader": "", "parts": parts});
        let refused = desk.edit(&path(&letter), 1, draft).await;
        assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (422, code), "{refused:?}");
        assert!(refused.json()["fields"][field].is_string(), "{refused:?}");
    }
    for body in [json!({"subject": "s", "parts": [{"kind": "script"}]}), json!({"subject": "s", "html": "x"})]
    {
        assert_eq!(desk.edit(&path(&letter), 1, body).await.status, 422);
    }
    assert_eq!(desk.get(&path(&letter)).await.json(), letter);
}

#[apply(on_both_engines!)]
async fn only_drafts_can_be_changed_but_the_archive_always(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let letter = new_letter(&mut desk).await;
    server.sql("UPDATE letters SET state = 'sent'").await;
    let draft = json!({"subject": "s"});
    let refused = desk.edit(&path(&letter), 1, draft).await;
    assert_eq!(
        (refused.status.as_u16(), refused.problem().as_str()),
        (409, "letter_not_draft"),
        "{refused:?}"
    );
    assert_eq!(desk.delete(&path(&letter)).await.status, 409);
    for _ in 0..2 {
        let switched = desk.patch(&path(&letter), json!({"in_archive": false})).await.json();
        assert_eq!((&switched["in_archive"], &switched["version"]), (&json!(false), &json!(2)));
    }
}

#[tokio::test]
async fn a_letter_that_is_sent_while_it_is_deleted_is_no_draft() {
    let server = TestServer::start(Engine::Postgres).await;
    let mut desk = server.desk().await;
    let letter = new_letter(&mut desk).await;
    let mut sending = server.app.db.begin().await.unwrap();
    change(&mut sending, "UPDATE letters SET state = 'scheduled'").await;
    let path = path(&letter);
    let send = async {
        server.wait_for_locks(1).await;
        sending.commit().await.unwrap();
    };
    let (deleted, ()) = tokio::join!(desk.delete(&path), send);
    assert_eq!(
        (deleted.status.as_u16(), deleted.problem().as_str()),
        (409, "letter_not_draft"),
        "{deleted:?}"
    );
}

#[apply(on_both_engines!)]
async fn a_release_is_announced_with_everything_it_has(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let artist = server.artist("Nova <b>", None).await;
    let release = server
        .release(Release {
            title: "Signal & Noise",
            description: Some("Two tracks for the night."),
            spotify: Some("https://open.spotify.com/album/1"),
            artist: Some(artist),
            ..Release::default()
        })
        .await;
    let made = desk.post(LETTERS, json!({"release": release})).await;
    assert_eq!(made.status, 201, "{made:?}");
    let letter = made.json();
    assert_eq!(letter["subject"], "Nova <b>, Signal & Noise");
    assert_eq!(letter["parts"][1]["text"], "Two tracks for the night.");
    let draft =
        json!({"subject": letter["subject"], "preheader": letter["preheader"], "parts": letter["parts"]});
    let preview = desk.post("/api/admin/letters/preview", draft.clone()).await;
    assert_eq!(preview.status, 200, "{preview:?}");
    let preview = preview.json();
    let (html, text) = (preview["html"].as_str().unwrap(), preview["text"].as_str().unwrap());
    for part in [
        "Signal &#38; Noise",
        "Nova &#60;b&#62;",
        "https://open.spotify.com/album/1",
        "Two tracks for the night.",
        "you@example.org",
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    assert!(text.contains("Nova <b>: Signal & Noise"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 78 || line.contains("http")), "{text}");
    assert!(!html.contains(['\u{1}', '\u{2}']) && !text.contains(['\u{1}', '\u{2}']));
    assert!(!html.contains("?from=") && !text.contains("?from="), "{text}");
    assert_eq!(preview["not_out"], json!([]));
    let has_page = |preview: &Value| {
        ["html", "text"].map(|form| preview[form].as_str().unwrap().contains("Read it on the web"))
    };
    let off = desk.post_another("/api/admin/letters/preview?in_archive=false", draft.clone()).await.json();
    assert_eq!((has_page(&preview), has_page(&off)), ([true, true], [false, false]), "{off}");
    assert_eq!(off["size_bytes"], preview["size_bytes"]);
    server.sql("UPDATE releases SET state = 'draft'").await;
    let preview = desk.post_another("/api/admin/letters/preview", draft).await.json();
    assert_eq!(preview["not_out"], json!(["Signal & Noise"]));
    let sending = desk.get(&format!("{}/sending", path(&letter))).await.json();
    assert_eq!(sending["not_out"], json!(["Signal & Noise"]));
    let unknown = json!({"release": uuid::Uuid::now_v7()});
    assert_eq!(desk.post_another(LETTERS, unknown).await.status, 404);
}

#[apply(on_both_engines!)]
async fn a_release_is_announced_as_out_when_its_day_has_come(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for (state, date, when) in [
        ("draft", None, "Out soon"),
        ("draft", Some("2026-11-21"), "Out 2026.11.21"),
        ("out", None, "Out now"),
        ("out", Some("2026-11-20"), "Out now"),
        ("out", Some("2026-11-21"), "Out 2026.11.21"),
    ] {
        let release = server.release(Release { title: "Signal", date, ..Release::default() }).await;
        server.sql(&format!("UPDATE releases SET state = '{state}'")).await;
        let letter = desk.post_another(LETTERS, json!({"release": release})).await.json();
        assert_eq!(letter["parts"][0]["text"], when, "{state} {date:?}");
        assert!(letter["preheader"].as_str().unwrap().starts_with(&format!("{when}: Signal")), "{letter}");
    }
}

#[apply(on_both_engines!)]
async fn nothing_typed_leaves_its_place(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let evil = "\"><script>alert(1)</script>&amp;<a href='x'>";
    let draft = json!({"subject": evil, "preheader": evil, "parts": [
        {"kind": "heading", "text": evil}, text(evil),
        {"kind": "button", "text": "x", "link": "https://a.example/?q=%22&b='"},
    ]});
    let html =
        desk.post("/api/admin/letters/preview", draft).await.json()["html"].as_str().unwrap().to_owned();
    assert!(!html.contains("<script") && !html.contains("<a href='x'"), "{html}");
    assert!(html.contains("https://a.example/?q=%22&#38;b=&#39;"), "{html}");
    server.sql("INSERT INTO newsletter_settings (id, asks_to_confirm, confirmations_a_day, updated_at, postal_address) \
        VALUES (1, TRUE, 500, 1, 'Label <i>\nStreet 1')").await;
    let html = desk.post_another("/api/admin/letters/preview", json!({"subject": "x"})).await.json();
    assert!(html["html"].as_str().unwrap().contains("Label &#60;i&#62;<br>Street 1"), "{html}");
}

#[apply(on_both_engines!)]
async fn a_test_goes_to_the_admins_alone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    server.person("member").await;
    let letter = new_letter(&mut desk).await;
    let test = format!("{}/test", path(&letter));
    let refused = desk.post(&test, json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.problem().as_str()), (422, "letter_subject_missing"));
    let url = uploaded(&server, &desk).await;
    let draft = json!({"subject": "News", "preheader": "", "parts": [
        {"kind": "picture", "picture": url, "alt": "The sleeve"}, text("Hello"),
    ]});
    assert_eq!(desk.edit(&path(&letter), 1, draft).await.status, 200);
    for tests in 1..=2 {
        let sent = desk.post_another(&test, json!({})).await;
        assert_eq!(sent.status, 200, "{sent:?}");
        let to = sent.json()["to"].as_array().unwrap().clone();
        assert_eq!(to.len(), 1);
        let mails = server.mails_to(to[0].as_str().unwrap());
        assert_eq!(mails.len(), tests);
        let mail = mails.last().unwrap();
        assert!(mail.contains("Subject: [TEST] News"), "{mail}");
        assert!(mail.contains("/media/letters/") && mail.contains("The sleeve"), "{mail}");
        // The copies of the test before are removed.
        assert_eq!((server.count("letter_pictures").await, server.mails().len()), (1, tests));
    }
    assert_eq!(server.findings().await, Vec::<String>::new());
    assert_eq!(desk.delete(&path(&letter)).await.status, 204);
    assert_eq!(server.count("objects WHERE key LIKE 'letters/%'").await, 0);
}

#[apply(on_both_engines!)]
async fn a_frozen_letter_keeps_its_pictures_and_its_address(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let (url, base) = (uploaded(&server, &desk).await, &server.base);
    let draft = json!({"subject": "News of 404", "preheader": "", "parts": [
        {"kind": "picture", "picture": url, "alt": "The sleeve", "link": format!("{base}/releases")},
        text(&format!("[Who]({base}/artists), {base}/store?q=x")),
        {"kind": "button", "text": "Write", "link": format!("{base}/contact")},
    ]});
    let mut slugs = Vec::new();
    for _ in 0..2 {
        let letter = desk.post_another(LETTERS, json!({})).await.json();
        assert_eq!(desk.edit(&path(&letter), 1, draft.clone()).await.status, 200);
        let id = serde_json::from_value(letter["id"].clone()).unwrap();
        let prepared = freeze::prepare(&server.app, id).await.unwrap();
        let mut tx = server.app.db.begin().await.unwrap();
        let frozen = prepared.freeze(&mut tx, &server.app).await.unwrap();
        tx.commit().await.unwrap();
        slugs.push(frozen.slug.clone());
        let holes = [
            (render::ADDRESS_HOLE, "o'hara@x.example"),
            (render::LEAVE_HOLE, "https://l.example/leave?a=1&b=2"),
        ];
        let (html, text) = render::filled(&frozen.html, &frozen.text, &holes);
        assert!(
            html.contains("o&#39;hara@x.example") && html.contains("https://l.example/leave?a=1&#38;b=2")
        );
        assert!(html.contains(&format!("/letters/{}\"", frozen.slug)) && !html.contains(&url), "{html}");
        assert!(!html.contains('\u{1}'));
        for page in ["/", "/releases", "/artists", "/contact"] {
            let marked = format!("\"{base}{page}?from={}\"", frozen.slug);
            assert!(html.contains(&marked) && !html.contains("?from=-"), "{marked}: {html}");
        }
        assert!(html.contains("/store?q=x\""), "{html}");
        assert!(
            text.contains("[The sleeve]")
                && text.contains("https://l.example/leave")
                && !text.contains('\u{1}'),
            "{text}"
        );
        for page in ["/", "/releases", "/contact"] {
            assert!(text.contains(&format!("\n{base}{page}?from={}\n", frozen.slug)), "{page}: {text}");
        }
        let again = freeze::prepare(&server.app, id).await;
        assert_eq!(again.unwrap_err().status(), 404);
        let (_, rest) = html.split_once("/media/letters/").unwrap();
        let (key, _) = rest.split_once('"').unwrap();
        let picture = server.get(&format!("/media/letters/{key}")).await;
        assert_eq!((picture.status.as_u16(), picture.header("content-type")), (200, "image/jpeg"));
        assert_eq!(server.get("/media/letters/00000000-0000-7000-8000-000000000000/1.jpg").await.status, 404);
    }
    assert_eq!(slugs, ["news-of-404", "news-of-404-2"]);
    assert_eq!(server.findings().await, Vec::<String>::new());
}

/// Admins read what the subscribers got.
#[apply(on_both_engines!)]
async fn a_letter_that_went_out_is_shown_as_it_went_out(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let release = server.release(Release { title: "Signal", ..Release::default() }).await;
    let letter = desk.post(LETTERS, json!({"release": release})).await.json();
    let preview = format!("{}/preview", path(&letter));
    assert_eq!(desk.get(&preview).await.status, 404, "a draft");
    assert_eq!(desk.patch(&path(&letter), json!({"in_archive": false})).await.status, 200);
    let id = serde_json::from_value(letter["id"].clone()).unwrap();
    let prepared = freeze::prepare(&server.app, id).await.unwrap();
    let mut tx = server.app.db.begin().await.unwrap();
    prepared.freeze(&mut tx, &server.app).await.unwrap();
    tx.commit().await.unwrap();
    server.sql("UPDATE releases SET title = 'Noise'").await;
    let shown = desk.get(&preview).await;
    assert_eq!(shown.status, 200, "{shown:?}");
    let shown = shown.json();
    for form in ["html", "text"] {
        let form = shown[form].as_str().unwrap();
        assert!(form.contains("Signal") && form.contains("you@example.org"), "{form}");
        assert!(!form.contains("Noise") && !form.contains('\u{1}'), "{form}");
        assert!(!form.contains("Read it on the web"), "{form}");
    }
}

#[apply(on_both_engines!)]
async fn a_letter_edited_since_it_was_prepared_is_not_frozen(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let letter = new_letter(&mut desk).await;
    assert_eq!(desk.edit(&path(&letter), 1, json!({"subject": "a", "parts": [text("x")]})).await.status, 200);
    let prepared =
        freeze::prepare(&server.app, serde_json::from_value(letter["id"].clone()).unwrap()).await.unwrap();
    assert_eq!(desk.edit(&path(&letter), 2, json!({"subject": "b", "parts": [text("x")]})).await.status, 200);
    let mut tx = server.app.db.begin().await.unwrap();
    assert_eq!(prepared.freeze(&mut tx, &server.app).await.unwrap_err().status(), 412);
}
