//! The HTML and CSS of letters, against `docs/mail-programs.md`: the list of what mail programs support.

use std::collections::BTreeSet;

use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    on_both_engines,
    support::{Engine, Release, TestServer, files::picture},
};

const LIST: &str = include_str!("../../../../docs/mail-programs.md");

type Used = BTreeSet<String>;

/// The rows of the list, as `kind name`. Each names its source, and says what is seen where a program does not support it.
fn listed() -> Used {
    let rows = LIST.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|line| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [kind, name, programs @ .., source, remark] = cells.as_slice() else { panic!("{line}") };
        assert_eq!(programs.len(), 3, "{line}");
        assert!(programs.iter().all(|support| matches!(*support, "yes" | "partly" | "no")), "{line}");
        assert!(!source.is_empty(), "no source: {line}");
        assert!(programs.iter().all(|support| *support == "yes") || !remark.is_empty(), "no remark: {line}");
        format!("{kind} {}", name.trim_matches('`'))
    })
    .collect()
}

/// Elements, attributes, properties, rules and comments of a letter as HTML.
fn used(html: &str) -> Used {
    let mut used = Used::new();
    let (before, rest) = html.split_once("<style>").unwrap();
    let (style, after) = rest.split_once("</style>").unwrap();
    used.insert("element style".to_owned());
    rules(style, &mut used);
    for tag in format!("{before}{after}").split('<').skip(1) {
        if let Some(comment) = tag.strip_prefix("!--") {
            // The end of a comment is the beginning of another one.
            used.extend(comment.find("[if ").map(|at| format!("comment {}", &comment[at..=at + 7])));
            continue;
        }
        let tag = tag.split_once('>').unwrap().0;
        if tag.starts_with(['/', '!']) {
            continue;
        }
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        used.insert(format!("element {name}"));
        while let Some((name, rest)) = attributes.split_once("=\"") {
            let (value, rest) = rest.split_once('"').unwrap();
            used.insert(format!("attribute {}", name.trim()));
            if name.trim() == "style" {
                properties(value, &mut used);
            }
            attributes = rest;
        }
    }
    used
}

fn properties(declarations: &str, used: &mut Used) {
    for declaration in declarations.split(';').filter(|declaration| !declaration.is_empty()) {
        let (name, value) = declaration.split_once(':').unwrap();
        used.insert(format!("property {}", name.trim()));
        if value.contains("!important") {
            used.insert("rule !important".to_owned());
        }
    }
}

fn rules(style: &str, used: &mut Used) {
    for line in style.lines().filter(|line| !line.is_empty()) {
        let (selector, mut rest) = line.split_once('{').unwrap();
        if selector.starts_with('@') {
            used.insert(format!("rule {selector}"));
        } else {
            used.insert(format!("rule {selector}"));
            rest = line;
        }
        for rule in rest.split('}') {
            if let Some((_, declarations)) = rule.split_once('{') {
                properties(declarations, used);
            }
        }
    }
}

#[apply(on_both_engines!)]
async fn a_letter_uses_what_mail_programs_support(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let png = picture(ImageFormat::Png, 700, 350);
    let sent = server.send_file(&desk, (Method::POST, "/api/admin/media"), ("sleeve.png", &png), &[]).await;
    let url = sent.json()["url"].as_str().unwrap().to_owned();
    let release = server
        .release(Release {
            title: "Signal",
            spotify: Some("https://open.spotify.com/album/1"),
            ..Release::default()
        })
        .await;
    server.sql(&format!("UPDATE releases SET catalog = '404-001', cover_image_url = '{url}'")).await;
    let mark = br#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60"><path d="M20 20h160v20H20z"/></svg>"#;
    let path = "/api/admin/site-images/label_mark";
    assert_eq!(server.send_file(&desk, (Method::PUT, path), ("mark.svg", mark), &[]).await.status, 200);
    let saved = desk.edit("/api/admin/content/imprint", 1, json!({"value": "Berlin"})).await;
    assert_eq!(saved.status, 200, "{saved:?}");
    server.sql("INSERT INTO newsletter_settings (id, asks_to_confirm, confirmations_a_day, updated_at, postal_address) \
        VALUES (1, TRUE, 500, 1, 'Street 1')").await;
    server.wait_for_changes().await;
    let draft = json!({"subject": "All parts", "preheader": "A line before", "parts": [
        {"kind": "heading", "text": "Out now"},
        {"kind": "picture", "picture": url, "alt": "The sleeve", "link": "https://label.example/"},
        {"kind": "text", "text": "Cut **loud**,\nand [listed](https://label.example/list).\n\nTwice."},
        {"kind": "button", "text": "Hear it", "link": "https://label.example/hear"},
        {"kind": "divider"},
        {"kind": "release", "release_id": release, "text": "About it"},
    ]});
    let preview = desk.post("/api/admin/letters/preview", draft).await;
    assert_eq!(preview.status, 200, "{preview:?}");
    let html: Value = preview.json()["html"].clone();
    let html = html.as_str().unwrap();
    for part in ["/mark.png?v=", "<br>Street 1", ">Imprint</a>", ">Read it on the web</a>"] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
    let (used, listed) = (used(html), listed());
    assert_eq!(used.difference(&listed).collect::<Vec<_>>(), Vec::<&String>::new(), "used, and in no list");
    assert_eq!(listed.difference(&used).collect::<Vec<_>>(), Vec::<&String>::new(), "listed, and not used");
}
