//! A bucket as services of the S3 kind have it.

/// A real server that speaks S3, in this process, over a folder.
pub async fn bucket() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("label")).unwrap();
    let mut builder = s3s::service::S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder.path()).unwrap());
    builder.set_auth(s3s::auth::SimpleAuth::from_single("id", "secret"));
    let service = builder.build();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            let service = service.clone();
            tokio::spawn(async move {
                let io = hyper_util::rt::TokioIo::new(socket);
                let _ = hyper::server::conn::http1::Builder::new().serve_connection(io, service).await;
            });
        }
    });
    (folder, format!("s3://id:secret@label?endpoint=http://{address}&region=us-east-1"))
}
