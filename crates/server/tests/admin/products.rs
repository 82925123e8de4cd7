use macro_rules_attribute::apply;
use serde_json::json;

use crate::{
    on_both_engines,
    support::{Engine, TestServer},
};

#[apply(on_both_engines!)]
async fn a_product_is_added_changed_switched_and_removed(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    let added = desk
        .post(
            "/api/admin/products",
            json!({"title": "404-001 Vinyl", "price": 19.99, "stock_quantity": 12, "category": "Vinyl"}),
        )
        .await;
    assert_eq!(added.status, 201, "{added:?}");
    let product = added.json();
    assert_eq!(
        (product["price"].as_f64(), product["stock_quantity"].as_i64(), product["active"].as_bool()),
        (Some(19.99), Some(12), Some(true))
    );
    let path = format!("/api/admin/products/{}", product["id"].as_str().unwrap());
    for version in [2, 2] {
        let switched = desk.patch(&path, json!({"active": false})).await;
        assert_eq!(
            (switched.status.as_u16(), switched.json()["version"].as_i64()),
            (200, Some(version)),
            "{switched:?}"
        );
    }
    let changed = desk.edit(&path, 2, json!({"title": "Vinyl", "price": 0, "stock_quantity": 0})).await;
    assert_eq!(
        (changed.status.as_u16(), changed.json()["active"].as_bool()),
        (200, Some(true)),
        "{changed:?}"
    );
    assert_eq!(desk.get("/api/admin/products?q=viny").await.json()["total"], 1);
    assert_eq!(desk.delete(&path).await.status, 204);
    assert_eq!(desk.patch(&path, json!({"active": true})).await.status, 404);
}

#[apply(on_both_engines!)]
async fn prices_are_rounded(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    for (price, stored) in
        [(json!(0.005), 0.01), (json!(1.005), 1.01), (json!(999_999), 999_999.0), (json!(-0.0), 0.0)]
    {
        let body = json!({"title": "x", "price": price, "stock_quantity": 1});
        let answer = desk.post("/api/admin/products", body).await;
        assert_eq!(
            (answer.status.as_u16(), answer.json()["price"].as_f64()),
            (201, Some(stored)),
            "{price}: {answer:?}"
        );
    }
    let words =
        desk.post("/api/admin/products", json!({"title": "x", "price": "1", "stock_quantity": 1})).await;
    assert_eq!((words.status.as_u16(), words.problem()), (422, "invalid_body".to_owned()));
    assert_eq!(server.count("store_products").await, 4);
}

#[apply(on_both_engines!)]
async fn nothing_of_a_product_is_public(engine: Engine) {
    let server = TestServer::start(engine).await;
    let mut desk = server.desk().await;
    desk.post("/api/admin/products", json!({"title": "Unannounced Box", "price": 1, "stock_quantity": 1}))
        .await;
    server.wait_for_changes().await;
    for path in ["/store", "/api/releases", "/api/content", "/sitemap.xml"] {
        assert!(!server.get(path).await.text().contains("Unannounced"), "{path}");
    }
    assert_eq!(server.get("/api/products").await.status, 404);
}
