//! Access rights: every route of the OpenAPI document as every persona. A route missing here fails the test.

use std::collections::BTreeMap;

use macro_rules_attribute::apply;
use reqwest::Method;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{
        Engine, TestServer,
        people::{Browser, Person},
    },
};

/// The access that a route requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// Open to everyone.
    Nothing,
    /// A session, whether or not its second factor is verified.
    Session,
    /// A session with its second factor verified, if the account has one.
    Verified,
    /// The same, of an active admin.
    Rights,
}
use Needs::{Nothing, Rights, Session, Verified};

const ROUTES: &[(&str, Needs)] = &[
    ("GET /api/artists", Nothing),
    ("GET /api/artists/{id}", Nothing),
    ("GET /api/content", Nothing),
    ("GET /api/content/{key}", Nothing),
    ("GET /api/label", Nothing),
    ("GET /api/events", Nothing),
    ("GET /api/maintenance", Nothing),
    ("GET /api/maintenance/{page_key}", Nothing),
    ("GET /api/releases", Nothing),
    ("GET /api/releases/{slug}", Nothing),
    ("GET /api/oembed", Nothing),
    ("GET /api/site-images", Nothing),
    ("GET /api/site-images/{key}", Nothing),
    ("OPTIONS /api/demos", Nothing),
    ("POST /api/demos", Nothing),
    ("HEAD /api/demos/{token}", Nothing),
    ("PATCH /api/demos/{token}", Nothing),
    ("DELETE /api/demos/{token}", Nothing),
    ("GET /api/sender/{token}", Nothing),
    ("DELETE /api/sender/{token}", Nothing),
    ("GET /livez", Nothing),
    ("GET /media/{folder}/{name}", Nothing),
    ("GET /media/letters/{letter}/{name}", Nothing),
    ("GET /api/private/{token}", Nothing),
    ("GET /p/{token}/media/{folder}/{name}", Nothing),
    ("GET /readyz", Nothing),
    ("POST /api/contact", Nothing),
    ("POST /api/csp-report", Nothing),
    ("POST /api/seen", Nothing),
    ("GET /api/admin/numbers", Rights),
    ("GET /api/admin/exports/numbers.csv", Rights),
    ("POST /api/newsletter", Nothing),
    ("GET /api/letters", Nothing),
    ("GET /api/letters/{slug}", Nothing),
    ("POST /api/terminal", Nothing),
    ("GET /api/auth/session", Nothing),
    ("GET /api/auth/sign-up", Nothing),
    ("POST /api/auth/sign-up", Nothing),
    ("POST /api/auth/link", Nothing),
    ("POST /api/auth/confirm", Nothing),
    ("POST /api/auth/not-me", Nothing),
    ("POST /api/auth/resend", Nothing),
    ("POST /api/auth/sign-in", Nothing),
    ("POST /api/auth/sign-out", Nothing),
    ("POST /api/auth/forgot", Nothing),
    ("POST /api/auth/reset", Nothing),
    ("GET /api/auth/user", Session),
    ("POST /api/auth/refresh", Session),
    ("POST /api/auth/mfa-operations", Session),
    ("POST /api/auth/mfa-recovery", Session),
    ("POST /api/auth/reauthenticate", Verified),
    ("POST /api/auth/email-change/confirm", Nothing),
    ("POST /api/auth/email-change/cancel", Nothing),
    ("POST /api/auth/email-change", Verified),
    ("DELETE /api/auth/email-change", Verified),
    ("POST /api/auth/email-change/resend", Verified),
    ("PUT /api/auth/password", Verified),
    ("GET /api/auth/sessions", Verified),
    ("DELETE /api/auth/sessions/{id}", Verified),
    ("GET /api/profile", Verified),
    ("POST /api/profile", Verified),
    ("PATCH /api/profile", Verified),
    ("POST /api/profile/username-check", Verified),
    ("POST /api/profile/avatar", Verified),
    ("DELETE /api/profile/avatar", Verified),
    ("GET /api/admin/artist-choices", Rights),
    ("GET /api/admin/artists", Rights),
    ("POST /api/admin/artists", Rights),
    ("GET /api/admin/artists/{id}", Rights),
    ("PUT /api/admin/artists/{id}", Rights),
    ("DELETE /api/admin/artists/{id}", Rights),
    ("GET /api/admin/catalog-numbers", Rights),
    ("GET /api/admin/exports/artists.csv", Rights),
    ("GET /api/admin/exports/releases.csv", Rights),
    ("GET /api/admin/first-steps", Rights),
    ("DELETE /api/admin/first-steps", Rights),
    ("GET /api/admin/imports", Rights),
    ("POST /api/admin/imports", Rights),
    ("POST /api/admin/imports/preview", Rights),
    ("POST /api/admin/imports/{id}/undo", Rights),
    ("GET /api/admin/newsletter/imports", Rights),
    ("POST /api/admin/newsletter/imports", Rights),
    ("POST /api/admin/newsletter/imports/check", Rights),
    ("POST /api/admin/newsletter/imports/{id}/undo", Rights),
    ("GET /api/admin/content", Rights),
    ("PUT /api/admin/content/{key}", Rights),
    ("PATCH /api/admin/maintenance/{page_key}", Rights),
    ("GET /api/admin/demos", Rights),
    ("DELETE /api/admin/demos/{id}", Rights),
    ("GET /api/admin/demos/{id}/file", Rights),
    ("GET /api/admin/desk/demos", Rights),
    ("PUT /api/admin/desk/demos/{id}/state", Rights),
    ("POST /api/admin/desk/decline", Rights),
    ("POST /api/admin/desk/states", Rights),
    ("POST /api/admin/desk/demos/{id}/release", Rights),
    ("GET /api/demos/promise", Nothing),
    ("GET /api/admin/desk", Rights),
    ("PATCH /api/admin/desk/settings", Rights),
    ("GET /api/admin/desk/demos/{id}", Rights),
    ("PUT /api/admin/desk/demos/{id}/score", Rights),
    ("PUT /api/admin/desk/demos/{id}/tags", Rights),
    ("POST /api/admin/desk/demos/{id}/notes", Rights),
    ("DELETE /api/admin/desk/notes/{id}", Rights),
    ("GET /api/admin/desk/listening", Rights),
    ("PUT /api/admin/desk/listening", Rights),
    ("GET /api/admin/demos/{id}/tracks/{index}/file", Rights),
    ("GET /api/admin/desk/templates", Rights),
    ("PUT /api/admin/desk/templates/{kind}", Rights),
    ("POST /api/admin/desk/demos/{id}/answers/preview", Rights),
    ("POST /api/admin/desk/demos/{id}/answers", Rights),
    ("DELETE /api/admin/desk/answers/{id}", Rights),
    ("POST /api/admin/images", Rights),
    ("GET /api/admin/letters", Rights),
    ("POST /api/admin/letters", Rights),
    ("GET /api/admin/letters/{id}", Rights),
    ("PUT /api/admin/letters/{id}", Rights),
    ("PATCH /api/admin/letters/{id}", Rights),
    ("DELETE /api/admin/letters/{id}", Rights),
    ("POST /api/admin/letters/preview", Rights),
    ("GET /api/admin/letters/{id}/preview", Rights),
    ("POST /api/admin/letters/{id}/test", Rights),
    ("GET /api/admin/media", Rights),
    ("POST /api/admin/media", Rights),
    ("DELETE /api/admin/media/{id}", Rights),
    ("GET /api/admin/newsletter", Rights),
    ("GET /api/admin/newsletter/export", Rights),
    ("GET /api/admin/newsletter/export.csv", Rights),
    ("GET /api/admin/newsletter/settings", Rights),
    ("PATCH /api/admin/newsletter/settings", Rights),
    ("POST /api/admin/newsletter/confirmations", Rights),
    ("POST /api/admin/newsletter/vouch", Rights),
    ("GET /api/admin/newsletter/arrival", Rights),
    ("POST /api/admin/newsletter/arrival", Rights),
    ("POST /api/admin/newsletter/read-back", Rights),
    ("POST /api/admin/newsletter/headers", Rights),
    ("DELETE /api/admin/newsletter/{id}", Rights),
    ("POST /api/admin/letters/{id}/send", Rights),
    ("GET /api/admin/letters/{id}/sending", Rights),
    ("POST /api/admin/letters/{id}/sending", Rights),
    ("GET /api/admin/products", Rights),
    ("POST /api/admin/products", Rights),
    ("GET /api/admin/products/{id}", Rights),
    ("PUT /api/admin/products/{id}", Rights),
    ("PATCH /api/admin/products/{id}", Rights),
    ("DELETE /api/admin/products/{id}", Rights),
    ("GET /api/admin/releases", Rights),
    ("POST /api/admin/releases", Rights),
    ("GET /api/admin/releases/{id}", Rights),
    ("PUT /api/admin/releases/{id}", Rights),
    ("DELETE /api/admin/releases/{id}", Rights),
    ("GET /api/admin/security/checklist", Rights),
    ("GET /api/admin/backups", Rights),
    ("PUT /api/admin/backups/settings", Rights),
    ("POST /api/admin/backups/run", Rights),
    ("POST /api/admin/backups/proof", Rights),
    ("POST /api/admin/releases/{id}/private-link", Rights),
    ("DELETE /api/admin/releases/{id}/private-link", Rights),
    ("GET /api/admin/site-images", Rights),
    ("PUT /api/admin/site-images/{image}", Rights),
    ("DELETE /api/admin/site-images/{image}", Rights),
    ("GET /api/admin/activity", Rights),
    ("GET /api/admin/activity/filters", Rights),
    ("GET /api/admin/trash", Rights),
    ("POST /api/admin/trash", Rights),
    ("POST /api/admin/trash/restore", Rights),
    ("GET /api/admin/trash/counts", Rights),
    ("POST /api/admin/trash/{kind}/{id}/restore", Rights),
    ("DELETE /api/admin/trash/{kind}/{id}", Rights),
    ("GET /api/admin/versions/{kind}/{key}", Rights),
    ("POST /api/admin/versions/{kind}/{key}/{version}/restore", Rights),
    // Last, because an allowed request deletes the account.
    ("DELETE /api/auth/account", Verified),
];

#[test]
fn every_route_has_a_row() {
    let document = serde_json::to_value(deadwax::routes::openapi()).unwrap();
    let mut served: Vec<String> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, item)| {
            item.as_object().unwrap().keys().map(move |method| format!("{} {path}", method.to_uppercase()))
        })
        .collect();
    served.sort();
    let mut listed: Vec<String> = ROUTES.iter().map(|(route, _)| (*route).to_owned()).collect();
    listed.sort();
    assert_eq!(listed, served, "the rows here (left) are not the routes that are served (right)");
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Persona {
    Visitor,
    Member,
    MemberPending,
    AdminPending,
    Admin,
}
use Persona::{Admin, AdminPending, Member, MemberPending, Visitor};

struct Cast {
    people: BTreeMap<&'static str, Person>,
}

impl Cast {
    async fn hire(server: &TestServer) -> Self {
        let mut people = BTreeMap::new();
        for name in ["member", "member_pending"] {
            people.insert(name, server.person(&format!("{name}_x")).await);
        }
        for name in ["boss_pending", "boss"] {
            people.insert(name, server.admin(&format!("{name}_x")).await);
        }
        for name in ["member_pending", "boss_pending"] {
            let id = server.id_literal(people[name].id);
            let bytes = if matches!(server.app.db, deadwax_store::db::Db::Sqlite { .. }) {
                "x'00'"
            } else {
                "'\\x00'"
            };
            server
                .sql(&format!(
                    "INSERT INTO two_factor (user_id, secret, enabled_at) VALUES ({id}, {bytes}, 1)"
                ))
                .await;
        }
        Self { people }
    }

    /// A new browser for each request, since some requests end their session.
    async fn browser(&self, server: &TestServer, persona: Persona) -> Browser {
        let name = match persona {
            Visitor => return server.browser(),
            Member => "member",
            MemberPending => "member_pending",
            AdminPending => "boss_pending",
            Admin => "boss",
        };
        server.signed_in(&self.people[name]).await
    }
}

fn filled(path: &str) -> String {
    path.replace("{id}", "00000000-0000-7000-8000-000000000000")
        .replace("{key}", "hero_title")
        .replace("{image}", "hero_background")
        .replace("{page_key}", "home")
        .replace("{folder}", "avatars")
        .replace("{letter}", "00000000-0000-7000-8000-000000000000")
        .replace("{name}", "x.jpg")
        .replace("{token}", "nobody-was-given-this")
        .replace("{index}", "1")
        .replace("templates/{kind}", "templates/declined")
}

#[apply(on_both_engines!)]
async fn every_route_asks_for_its_right(engine: Engine) {
    let server = TestServer::start(engine).await;
    let cast = Cast::hire(&server).await;
    for (route, needs) in ROUTES {
        let (method, path) = route.split_once(' ').unwrap();
        if path == "/api/events" {
            continue; // A stream; `events.rs` tests its rights.
        }
        for persona in [Visitor, Member, MemberPending, AdminPending, Admin] {
            let mut browser = cast.browser(&server, persona).await;
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let body = (method != Method::GET).then(|| json!({}));
            let answer = browser.send(method, &filled(path), body).await;
            let status = answer.status.as_u16();
            assert!(status < 500, "{route} as {persona:?}: {answer:?}");
            let pending = matches!(persona, MemberPending | AdminPending);
            match needs {
                Session | Verified | Rights if persona == Visitor => {
                    assert_eq!(status, 401, "{route} as {persona:?}: {answer:?}");
                }
                Verified | Rights if pending => {
                    assert_eq!(
                        (status, answer.problem().as_str()),
                        (403, "mfa_required"),
                        "{route} as {persona:?}"
                    );
                }
                Rights if persona == Member => {
                    assert_eq!(
                        (status, answer.problem().as_str()),
                        (403, "forbidden"),
                        "{route} as {persona:?}"
                    );
                }
                _ => assert!(!matches!(status, 401 | 403), "{route} as {persona:?}: {answer:?}"),
            }
        }
    }
}

#[apply(on_both_engines!)]
async fn no_other_spelling_of_a_path_goes_around_a_right(engine: Engine) {
    let server = TestServer::start(engine).await;
    let cast = Cast::hire(&server).await;
    for (route, needs) in ROUTES.iter().filter(|(_, needs)| *needs != Nothing) {
        let (method, path) = route.split_once(' ').unwrap();
        let path = filled(path);
        let (folder, name) = path.rsplit_once('/').unwrap();
        let upper = format!("{folder}/{}", name.to_uppercase());
        for spelling in [
            format!("{path}/"),
            format!("/{path}"),
            upper,
            format!("{folder}%2f{name}"),
            format!("{folder}/./{name}"),
            format!("{path};a"),
            format!("{path}?admin=true"),
        ] {
            for persona in [Visitor, Member, MemberPending] {
                if persona == MemberPending && *needs == Session || persona == Member && *needs != Rights {
                    continue;
                }
                let mut browser = cast.browser(&server, persona).await;
                browser.headers = vec![("x-http-method-override".to_owned(), "GET".to_owned())];
                let method = Method::from_bytes(method.as_bytes()).unwrap();
                let answer = browser.send(method, &spelling, Some(json!({}))).await;
                assert!(
                    answer.status.is_client_error() || answer.status.is_redirection(),
                    "{spelling} as {persona:?}: {answer:?}"
                );
            }
        }
    }
}
