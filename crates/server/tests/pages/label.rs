//! The label's own name and colour on everything that shows them.

use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{Engine, Release, TestServer},
    title,
};

#[apply(on_both_engines!)]
async fn a_label_has_its_own_name_and_colour_everywhere(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.release(Release { title: "First Cut", ..Release::default() }).await;
    let preset = json!({
        "name": "404 COLLECTIVE", "signal": "#ff4a1c", "has_imprint": false,
        "links": [], "ribbon": null, "copyright": "© 2024 404 COLLECTIVE", "mark": null, "time_zone": "UTC",
        "counts_visits": true,
    });
    assert_eq!(server.get("/api/label").await.json(), preset);
    let page = server.get("/releases").await;
    assert_eq!(title(&page), "Releases — 404 COLLECTIVE");
    assert!(!page.text().contains("<style>:root{--color-signal"));
    assert!(server.get("/favicon.svg").await.text().contains("#ff4a1c"));
    assert!(!server.get("/api/content").await.text().contains("label_"));
    assert_eq!(server.get("/api/content/label_name").await.status, 404);

    let mut desk = server.desk().await;
    for (key, value) in [("label_name", " Mira & Söhne "), ("label_signal", "#FFD400")] {
        let saved = desk.edit(&format!("/api/admin/content/{key}"), 1, json!({"value": value})).await;
        assert_eq!(saved.status, 200, "{saved:?}");
    }
    server.wait_for_changes().await;
    assert_eq!(
        server.get("/api/label").await.json(),
        json!({
            "name": "Mira & Söhne", "signal": "#ffd400", "has_imprint": false,
            "links": [], "ribbon": null, "copyright": "© 2024 Mira & Söhne", "mark": null, "time_zone": "UTC",
        "counts_visits": true,
        })
    );
    for path in ["/", "/releases", "/artists", "/terminal", "/admin/login", "/nothing", "/p/nothing"] {
        let page = server.get(path).await;
        assert!(title(&page).ends_with("Mira &#38; Söhne"), "{path}: {}", title(&page));
        assert!(page.text().contains("<style>:root{--color-signal:#ffd400}</style>"), "{path}");
        // printf ':root{--color-signal:#ffd400}' | openssl dgst -sha256 -binary | base64
        let policy = page.header("content-security-policy").to_owned();
        assert!(policy.contains("sha256-Gg9YBCARLCWWDwj8pWyraZtmyXOq6FGEyG6ZFjv5Lts="), "{path}: {policy}");
    }
    assert!(server.get("/feed.xml").await.text().contains("Mira &#38; Söhne"));
    assert_eq!(server.get("/site.webmanifest").await.json()["name"], "Mira & Söhne");
    let icon = server.get("/favicon.svg").await;
    assert_eq!(icon.header("content-type"), "image/svg+xml");
    assert!(icon.text().contains("#ffd400") && !icon.text().contains("#ff4a1c"), "{icon:?}");
    let releases = server.get("/api/releases").await.json();
    let slug = releases["items"][0]["slug"].as_str().unwrap();
    let oembed = format!("/api/oembed?url={}/releases/{slug}", server.base);
    assert_eq!(server.get(&oembed).await.json()["provider_name"], "Mira & Söhne");

    let blank = desk.edit("/api/admin/content/label_name", 2, json!({"value": ""})).await;
    assert_eq!(blank.status, 200, "{blank:?}");
    server.wait_for_changes().await;
    assert_eq!(title(&server.get("/releases").await), "Releases — 404 COLLECTIVE");
}

#[apply(on_both_engines!)]
async fn links_ribbon_and_copyright_line_are_the_labels_own(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let links = "https://mira.bandcamp.com\n\n https://x.com/mira \r\nhttps://shop.mira.example/a?b\nhttps://x.com/mira";
    for (key, value) in [
        ("label_links", links),
        ("label_ribbon", " MIRA ~ NO SIDE B "),
        ("label_copyright", "℗ 2019–2026 Mira Tonträger"),
    ] {
        let saved = desk.edit(&format!("/api/admin/content/{key}"), 1, json!({"value": value})).await;
        assert_eq!(saved.status, 200, "{saved:?}");
    }
    server.wait_for_changes().await;
    let label = server.get("/api/label").await.json();
    assert_eq!(
        label["links"],
        json!([
            {"name": "Bandcamp", "url": "https://mira.bandcamp.com"},
            {"name": "Twitter", "url": "https://x.com/mira"},
            {"name": "shop.mira.example", "url": "https://shop.mira.example/a?b"},
        ])
    );
    assert_eq!(
        (&label["ribbon"], &label["copyright"]),
        (&json!("MIRA ~ NO SIDE B"), &json!("℗ 2019–2026 Mira Tonträger"))
    );
    assert!(
        !server.get("/api/content").await.text().contains("label_"),
        "the label has an address of its own"
    );
    // Written past the rules, a line that runs something is left out.
    server.sql("UPDATE site_content SET value = 'javascript:alert(1)' WHERE key = 'label_links'").await;
    server.wait_for_changes().await;
    assert_eq!(server.get("/api/label").await.json()["links"], json!([]));
}

#[apply(on_both_engines!)]
async fn texts_that_were_never_edited_follow_the_name(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let title = "/api/content/hero_main_title";
    assert_eq!(server.get(title).await.json()["value"], "404 COLLECTIVE");
    desk.edit("/api/admin/content/label_name", 1, json!({"value": "Mira"})).await;
    server.wait_for_changes().await;
    assert_eq!(server.get(title).await.json()["value"], "Mira");
    assert!(server.get("/api/content").await.text().contains(r#""value":"Mira""#));
    assert!(!server.get("/").await.text().contains("404 COLLECTIVE"), "no place keeps the other name");

    desk.edit("/api/admin/content/hero_main_title", 1, json!({"value": "Dead Air"})).await;
    desk.edit("/api/admin/content/label_copyright", 1, json!({"value": "© Mira"})).await;
    desk.edit("/api/admin/content/label_name", 2, json!({"value": "Mira & Söhne"})).await;
    server.wait_for_changes().await;
    assert_eq!(server.get(title).await.json()["value"], "Dead Air");
    assert_eq!(server.get("/api/label").await.json()["copyright"], "© Mira");
}

#[apply(on_both_engines!)]
async fn a_name_or_colour_against_the_rules_changes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let before = server.get("/api/label").await.json();
    let mut desk = server.desk().await;
    for (key, value, code) in [
        ("label_name", "x".repeat(61), "label_name_too_long"),
        ("label_name", "One\nTwo".to_owned(), "label_name_lines"),
        ("label_signal", "red;}</style><script>".to_owned(), "label_signal_format"),
        ("label_signal", "#000000".to_owned(), "label_signal_contrast"),
        ("label_ribbon", "x".repeat(201), "label_line_too_long"),
        ("label_copyright", "One\nTwo".to_owned(), "label_line_lines"),
        ("label_links", "https://x.com/a\njavascript:alert(1)".to_owned(), "invalid_website_url"),
        ("label_links", "https://x.com/a\n".repeat(13), "label_links_too_many"),
        ("label_time_zone", "Berlin time".to_owned(), "label_time_zone_unknown"),
        ("label_time_zone", "Europe/Atlantis".to_owned(), "label_time_zone_unknown"),
        ("label_time_zone", "posix/Europe/Berlin".to_owned(), "label_time_zone_unknown"),
        ("label_time_zone", "Etc/Unknown".to_owned(), "label_time_zone_unknown"),
    ] {
        let refused = desk.edit(&format!("/api/admin/content/{key}"), 1, json!({"value": value})).await;
        assert_eq!(refused.status, 422, "{value}");
        assert_eq!(refused.problem(), code);
    }
    assert_eq!(server.get("/api/label").await.json(), before);
    // Written past the rules, it is not a colour and cannot end the style.
    server.sql("UPDATE site_content SET value = 'red}</style>' WHERE key = 'label_signal'").await;
    server.wait_for_changes().await;
    assert!(!server.get("/").await.text().contains("<style>:root{--color-signal"));
}

#[apply(on_both_engines!)]
async fn the_label_has_a_time_zone(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let address = "/api/admin/content/label_time_zone";
    for (version, typed, name, today) in [
        (1, "Pacific/Kiritimati", "Pacific/Kiritimati", "2026-11-21"),
        (2, " america/new_york ", "America/New_York", "2026-11-20"),
        (3, " ", "UTC", "2026-11-20"),
    ] {
        let saved = desk.edit(address, version, json!({"value": typed})).await;
        assert_eq!(saved.status, 200, "{saved:?}");
        assert_eq!(saved.json()["value"], typed);
        server.wait_for_changes().await;
        assert_eq!(server.get("/api/label").await.json()["time_zone"], name);
        assert_eq!(server.app.known_label.last().time_zone.iana_name(), Some(name));
        assert_eq!(server.app.today(), today);
    }
    // A text of another version of the program, or written past the rules.
    server.sql("UPDATE site_content SET value = 'Europe/Atlantis' WHERE key = 'label_time_zone'").await;
    server.wait_for_changes().await;
    assert_eq!(server.get("/api/label").await.json()["time_zone"], "UTC");
}

#[apply(on_both_engines!)]
async fn mail_has_the_name_the_colour_and_the_clock(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    desk.edit("/api/admin/content/label_name", 1, json!({"value": "Mira"})).await;
    desk.edit("/api/admin/content/label_signal", 1, json!({"value": "#ffd400"})).await;
    desk.edit("/api/admin/content/label_time_zone", 1, json!({"value": "Europe/Berlin"})).await;
    let body = json!({"email": "ada@label.example", "password": "long enough words", "redirect_to": "/"});
    assert_eq!(server.browser().post("/api/auth/sign-up", body).await.status, 200);
    for _ in 0..100 {
        if !server.mails().is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let mails = server.mails_to("ada@label.example");
    let mail = mails.first().unwrap();
    assert!(mail.contains("Subject: Mira") && mail.contains("From: Mira <no-reply@"), "{mail}");
    assert!(mail.contains("on 2026-11-20 at 13:00 Europe/Berlin"), "{mail}");
    assert!(mail.contains("color:#ffd400") && !mail.contains("#ff4a1c"), "{mail}");
}
