//! The imprint, which a label may have.

use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    first_view, on_both_engines,
    support::{Engine, TestServer},
    title,
};

#[apply(on_both_engines!)]
async fn an_imprint_is_a_page_while_it_is_not_blank(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let link = format!("{}/imprint", server.base);
    let written = "404 COLLECTIVE\n<Backyard> 4, Berlin";
    for (version, value) in [(1, " \n"), (2, written), (3, "")] {
        let saved = desk.edit("/api/admin/content/imprint", version, json!({"value": value})).await;
        assert_eq!(saved.status, 200, "{saved:?}");
        server.wait_for_changes().await;
        let is_there = value == written;
        let page = server.get("/imprint").await;
        assert_eq!(page.status, if is_there { 200 } else { 404 }, "{value:?}");
        let name = if is_there { "Imprint" } else { "Page not found" };
        assert_eq!(title(&page), format!("{name} — 404 COLLECTIVE"));
        assert_eq!(page.text().contains("noindex"), !is_there);
        let view = first_view(&page);
        let read = view["queries"].as_array().unwrap().last().unwrap();
        assert_eq!(read["url"], "/api/content/imprint");
        assert_eq!(read["is_absent"], if is_there { json!(null) } else { json!(true) });
        let text = server.get("/api/content/imprint").await;
        assert_eq!(text.status, page.status);
        if is_there {
            assert_eq!(read["body"], text.json());
            assert_eq!(text.json()["value"], written);
        }
        assert_eq!(server.get("/sitemap.xml").await.text().contains(&link), is_there);
        assert!(!server.get("/api/content").await.text().contains("imprint"));
        // Every page tells its foot whether to link there.
        for path in ["/", "/contact", "/imprint", "/nothing", "/p/nothing"] {
            let label = first_view(&server.get(path).await)["queries"][0].clone();
            assert_eq!(
                (&label["url"], &label["body"]["has_imprint"]),
                (&json!("/api/label"), &json!(is_there))
            );
        }
    }
}

#[apply(on_both_engines!)]
async fn every_letter_links_to_an_imprint(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let link = format!("{}/imprint", server.base);
    for (version, value) in [(1, "Berlin"), (2, "")] {
        desk.edit("/api/admin/content/imprint", version, json!({"value": value})).await;
        let letter = server.app.label().letter("s", "h", &[]);
        assert_eq!(letter.text.contains(&link), !value.is_empty(), "{}", letter.text);
        assert_eq!(letter.html.contains(&format!("href=\"{link}\"")), !value.is_empty(), "{}", letter.html);
    }
}
