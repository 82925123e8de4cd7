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
    let preset = json!({"name": "404 COLLECTIVE", "signal": "#ff4a1c", "has_imprint": false});
    assert_eq!(server.get("/api/label").await.json(), preset);
    let page = server.get("/releases").await;
    assert_eq!(title(&page), "Releases — 404 COLLECTIVE");
    assert!(!page.text().contains("<style>:root{--color-signal"));
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
        json!({"name": "Mira & Söhne", "signal": "#ffd400", "has_imprint": false})
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
async fn a_name_or_colour_against_the_rules_changes_nothing(engine: Engine) {
    let server = TestServer::start(engine).await;
    let before = server.get("/api/label").await.json();
    let mut desk = server.desk().await;
    for (key, value, code) in [
        ("label_name", "x".repeat(61), "label_name_too_long"),
        ("label_name", "One\nTwo".to_owned(), "label_name_lines"),
        ("label_signal", "red;}</style><script>".to_owned(), "label_signal_format"),
        ("label_signal", "#000000".to_owned(), "label_signal_contrast"),
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
async fn mail_has_the_name(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    desk.edit("/api/admin/content/label_name", 1, json!({"value": "Mira"})).await;
    let body = json!({"email": "ada@label.example", "password": "long enough words", "redirect_to": "/"});
    assert_eq!(server.browser().post("/api/auth/sign-up", body).await.status, 200);
    for _ in 0..100 {
        if !server.mails().is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let mails = server.mails_to("ada@label.example");
    assert!(mails.first().is_some_and(|mail| mail.contains("Subject: Mira")), "{mails:?}");
}
