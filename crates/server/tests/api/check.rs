use bytes::Bytes;
use deadwax::{
    check,
    media::{Fingerprint, NewObject},
};

use crate::support::{Engine, NOON, TestServer};

crate::on_both_engines! {
    a_label_in_order_has_no_findings
    every_kind_of_damage_is_named
}

async fn findings(server: &TestServer) -> Vec<String> {
    check::findings(&server.app.db, &server.app.storage).await.unwrap()
}

async fn a_label_in_order_has_no_findings(engine: Engine) {
    let server = TestServer::start(engine).await;
    server.artist("Ärzte im Exil", None).await;
    deadwax::content::hero::install(&server.app.db, &server.app.storage, NOON).await.unwrap();
    assert_eq!(findings(&server).await, [""; 0]);
}

async fn every_kind_of_damage_is_named(engine: Engine) {
    let server = TestServer::start(engine).await;
    let artist = server.artist("Moved", None).await;
    for key in ["uploads/changed.png", "uploads/gone.png"] {
        server.app.storage.put_new(key, Bytes::from_static(b"bytes")).await.unwrap();
        let mut tx = server.app.db.begin().await.unwrap();
        deadwax::media::insert_object(
            &mut tx,
            &NewObject { key, fingerprint: Fingerprint::of(b"bytes"), dimensions: None, small_key: None },
            NOON,
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();
    }
    std::fs::write(server.data.path().join("media/uploads/changed.png"), "other").unwrap();
    server.app.storage.remove("uploads/gone.png").await.unwrap();
    server.sql("UPDATE artists SET image_url = '/media/artists/never.jpg', name = 'Renamed'").await;
    server.sql("UPDATE objects SET small_key = 'uploads/no-row.jpg' WHERE key = 'uploads/gone.png'").await;
    assert_eq!(
        findings(&server).await,
        [
            "artist Renamed: /media/artists/never.jpg is not stored",
            "uploads/no-row.jpg: a small version without its row",
            "artist Renamed: written by another program, so it is not in its alphabetical place",
            "uploads/changed.png: its bytes are not those that were stored",
            "uploads/gone.png: its bytes are gone",
        ],
        "{artist}"
    );
}
