//! Breaks every rule of the back office through the API: each request gets the stated refusal and changes nothing. Accepted
//! values are tested with each capability.

mod backups;
mod desk;
mod forms;
mod newsletter;
mod rows;
mod snapshot;
mod uploads;

use std::collections::BTreeSet;

use image::ImageFormat;
use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::{Value, json};
use snapshot::Snapshot;
use uuid::Uuid;

use crate::{
    on_both_engines,
    support::{Answer, Engine, Release, TestServer, files::picture, people::Browser},
};

/// A request and the refusal expected for it.
struct Case {
    method: Method,
    path: String,
    /// The value of `If-Match`.
    version: Option<&'static str>,
    content_type: &'static str,
    body: Vec<u8>,
    status: u16,
    code: &'static str,
    /// The refused field and its message.
    field: Option<(String, String)>,
}

impl Case {
    fn new(method: Method, path: &str, body: &Value) -> Self {
        Self {
            version: (method == Method::PUT).then_some("\"1\""),
            method,
            path: path.to_owned(),
            content_type: "application/json",
            body: body.to_string().into_bytes(),
            status: 422,
            code: "",
            field: None,
        }
    }

    fn raw(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }
    }

    fn at(self, version: Option<&'static str>) -> Self {
        Self { version, ..self }
    }

    /// Expects 422 with this message at a field.
    fn refused(self, field: &str, text: &str) -> Self {
        Self { field: Some((field.to_owned(), text.to_owned())), ..self }
    }

    fn answers(self, status: u16, code: &'static str) -> Self {
        Self { status, code, ..self }
    }
}

/// A label with one row of each kind, all at version 1, and an admin.
struct Office {
    server: TestServer,
    desk: Browser,
    artist: String,
    release: String,
    product: String,
    media: String,
    image: String,
    demo: String,
}

impl Office {
    async fn open(engine: Engine) -> Self {
        let server = TestServer::start(engine).await;
        let mut desk = server.desk().await;
        let artist = server.artist("Mira Holm", None).await;
        let release = server
            .release(Release { title: "Locked Groove", artist: Some(artist), ..Release::default() })
            .await;
        let form = json!({"title": "Tee", "price": 20, "stock_quantity": 3});
        let product = desk.post("/api/admin/products", form).await.json();
        let png = picture(ImageFormat::Png, 8, 8);
        let text = |answer: Answer| answer.json()["id"].as_str().unwrap().to_owned();
        let media = (Method::POST, "/api/admin/media");
        let media = text(server.send_file(&desk, media, ("flyer.png", &png), &[]).await);
        let image = (Method::PUT, "/api/admin/site-images/hero_background");
        let image = text(server.send_file(&desk, image, ("hero.png", &png), &[]).await);
        server.sql("INSERT INTO objects (key, content_type, size_bytes, sha256, created_at) VALUES ('demos/1_00000000_x.zip', 'application/zip', 1, '', 1)").await;
        let demo = Uuid::now_v7();
        let id = server.id_literal(demo);
        server.sql(&format!("INSERT INTO demos (id, file_key, artist_name, email, original_name, submitted_at) VALUES ({id}, 'demos/1_00000000_x.zip', 'x', 'a@b.example', 'x.zip', 1)")).await;
        server.wait_until("no job is left", async || server.count("deletions").await == 0).await;
        let product = product["id"].as_str().unwrap().to_owned();
        let [artist, release, demo] = [artist, release, demo].map(|id| id.to_string());
        Self { server, desk, artist, release, product, media, image, demo }
    }

    async fn send(&self, case: &Case) -> Answer {
        let mut request = self
            .server
            .client
            .request(case.method.clone(), format!("{}{}", self.server.base, case.path))
            .header("cookie", format!("sid={}", self.desk.cookies["sid"]));
        if let Some(version) = case.version {
            request = request.header("if-match", version);
        }
        if !case.content_type.is_empty() {
            request = request.header("content-type", case.content_type);
        }
        Answer::read(request.body(case.body.clone()).send().await.unwrap()).await
    }

    /// Sends each case and compares everything stored after each write, and at the end.
    async fn refuses(&self, cases: &[Case]) {
        let before = Snapshot::of(&self.server).await;
        for case in cases {
            let answer = self.send(case).await;
            let sent: String = String::from_utf8_lossy(&case.body).chars().take(200).collect();
            let call = format!("{} {} {:?} {sent}: {answer:?}", case.method, case.path, case.version);
            assert_eq!(answer.status.as_u16(), case.status, "{call}");
            let code = answer.problem();
            assert!(case.code.is_empty() || case.code == code, "{call}");
            if let Some((field, text)) = &case.field {
                assert_eq!(answer.json()["fields"][field], *text, "{call}");
            }
            if case.method != Method::GET {
                self.changed_nothing(&before, &call).await;
            }
        }
        self.changed_nothing(&before, "a read").await;
    }

    async fn changed_nothing(&self, before: &Snapshot, call: &str) {
        let after = Snapshot::of(&self.server).await;
        assert!(*before == after, "{call} changed {}", before.difference(&after));
    }
}

/// All writes of the contract, such as `POST /api/admin/artists/{id}`.
fn every_write() -> BTreeSet<String> {
    let document = serde_json::to_value(deadwax::routes::openapi()).unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    paths
        .filter(|(path, _)| path.starts_with("/api/admin/"))
        .flat_map(|(path, item)| item.as_object().unwrap().keys().map(move |method| (method, path)))
        .filter(|(method, _)| *method != "get")
        .map(|(method, path)| format!("{} {path}", method.to_uppercase()))
        // Takes nothing that could be wrong.
        .filter(|write| {
            write != "DELETE /api/admin/first-steps" && write != "POST /api/admin/newsletter/arrival"
        })
        .collect()
}

#[apply(on_both_engines!)]
async fn fields_that_break_a_rule_change_nothing(engine: Engine) {
    let office = Office::open(engine).await;
    office.refuses(&forms::broken_fields(&office)).await;
    office.refuses(&desk::broken_fields(&office)).await;
    office.refuses(&newsletter::broken_fields()).await;
    office.refuses(&backups::broken()).await;
}

#[apply(on_both_engines!)]
async fn bodies_that_are_no_form_change_nothing(engine: Engine) {
    let office = Office::open(engine).await;
    office.refuses(&forms::broken_bodies(&office)).await;
}

#[apply(on_both_engines!)]
async fn edits_of_another_version_or_of_nothing_change_nothing(engine: Engine) {
    let office = Office::open(engine).await;
    office.refuses(&rows::other_versions(&office)).await;
    office.refuses(&rows::unknown_rows(&office)).await;
    office.refuses(&desk::unknown_rows()).await;
    office.refuses(&newsletter::unknown_letters()).await;
}

#[apply(on_both_engines!)]
async fn files_that_break_a_rule_change_nothing(engine: Engine) {
    let office = Office::open(engine).await;
    office.refuses(&uploads::broken(&office)).await;
    // Addressed by the id of another table's row.
    let foreign = [
        Case::new(Method::DELETE, &format!("/api/admin/media/{}", office.image), &json!(null)),
        Case::new(Method::DELETE, &format!("/api/admin/site-images/{}", office.media), &json!(null)),
        Case::new(Method::DELETE, &format!("/api/admin/demos/{}", office.media), &json!(null)),
    ];
    office.refuses(&foreign.map(|case| case.raw("").answers(404, "not_found"))).await;
}

#[apply(on_both_engines!)]
async fn lists_that_cannot_be_meant_are_refused(engine: Engine) {
    let office = Office::open(engine).await;
    let lists = [
        "artists",
        "artist-choices",
        "releases",
        "products",
        "media",
        "newsletter",
        "demos",
        "desk/demos",
        "imports",
        "newsletter/imports",
    ];
    let queries = [
        ("limit=0", "invalid_limit"),
        ("limit=101", "invalid_limit"),
        ("limit=-1", "invalid_limit"),
        ("limit=x", "invalid_query"),
        ("cursor=!", "invalid_cursor"),
        ("cursor=W10", "invalid_cursor"),
        ("sort=nothing", "invalid_query"),
        ("state=nothing", "invalid_query"),
    ];
    let mut cases: Vec<Case> = Vec::new();
    for list in lists {
        for (query, code) in queries {
            let path = format!("/api/admin/{list}?{query}");
            cases.push(Case::new(Method::GET, &path, &json!(null)).raw("").answers(422, code));
        }
    }
    office.refuses(&cases).await;
}

#[apply(on_both_engines!)]
async fn fields_at_their_bounds_are_taken(engine: Engine) {
    let office = Office::open(engine).await;
    for case in forms::at_their_bounds(&office) {
        let answer = office.send(&case).await;
        assert!(answer.status.is_success(), "{} {}: {answer:?}", case.method, case.path);
    }
}

/// The writes of [`every_write`] that the cases call.
fn covered(cases: &[Case]) -> BTreeSet<String> {
    let route = |case: &Case| {
        let path = case.path.split('?').next().unwrap_or_default();
        let mut parts: Vec<&str> = path.split('/').collect();
        if let [_, _, _, kind, last] = &mut parts[..] {
            *last = match *kind {
                "imports" => "preview",
                "trash" => "restore",
                // These addresses contain no id.
                "desk" | "backups" => last,
                "letters" if *last == "preview" => last,
                "newsletter"
                    if ["settings", "confirmations", "vouch", "imports", "headers", "read-back"]
                        .contains(last) =>
                {
                    last
                }
                "content" => "{key}",
                "maintenance" => "{page_key}",
                "site-images" => "{image}",
                _ => "{id}",
            };
        }
        if let [_, _, _, "desk", "demos" | "notes", id, ..] = &mut parts[..] {
            *id = "{id}";
        }
        if let [_, _, _, "trash", kind, id, ..] = &mut parts[..] {
            (*kind, *id) = ("{kind}", "{id}");
        }
        if let [_, _, _, "versions", kind, key, version, ..] = &mut parts[..] {
            (*kind, *key, *version) = ("{kind}", "{key}", "{version}");
        }
        if let [_, _, _, "imports" | "releases", id, _] | [_, _, _, "newsletter", "imports", id, _] =
            &mut parts[..]
        {
            *id = "{id}";
        }
        match &mut parts[..] {
            [_, _, _, "letters", id, _] => *id = "{id}",
            [_, _, _, "desk", "templates", kind] => *kind = "{kind}",
            [_, _, _, "desk", "demos", id, ..] | [_, _, _, "desk", "answers", id] => *id = "{id}",
            _ => {}
        }
        format!("{} {}", case.method, parts.join("/"))
    };
    cases.iter().map(route).collect()
}

#[tokio::test]
async fn every_write_is_called_wrongly() {
    let office = Office::open(Engine::Sqlite).await;
    let cases = [
        forms::broken_fields(&office),
        forms::broken_bodies(&office),
        rows::unknown_rows(&office),
        desk::broken_fields(&office),
        newsletter::broken_fields(),
        newsletter::unknown_letters(),
        backups::broken(),
        desk::unknown_rows(),
        uploads::broken(&office),
    ];
    let called = cases.iter().flat_map(|cases| covered(cases)).collect();
    let missing: Vec<_> = every_write().difference(&called).cloned().collect();
    assert_eq!(missing, [""; 0], "no case calls these");
}
