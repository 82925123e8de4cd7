//! An S3 bucket.

use std::sync::Arc;

use http::{Method, Request, Response};
use hyper::body::Incoming;

/// A real S3 server in this process, over a folder.
pub async fn bucket() -> (tempfile::TempDir, String) {
    faulty_bucket(|_, _| None).await
}

/// The same, where `fault` may answer a request, by method and path, with a status and a code.
pub async fn faulty_bucket(
    fault: impl Fn(&Method, &str) -> Option<(u16, &'static str)> + Send + Sync + 'static,
) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("label")).unwrap();
    let mut builder = s3s::service::S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder.path()).unwrap());
    builder.set_auth(s3s::auth::SimpleAuth::from_single("id", "secret"));
    let (service, fault) = (builder.build(), Arc::new(fault));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            let (service, fault) = (service.clone(), Arc::clone(&fault));
            let answer = hyper::service::service_fn(move |request: Request<Incoming>| {
                let fault = fault(request.method(), request.uri().path());
                let answer = fault.is_none().then(|| hyper::service::Service::call(&service, request));
                async move {
                    match (fault, answer) {
                        (Some((status, code)), _) => {
                            let body =
                                format!("<Error><Code>{code}</Code><Region>eu-central-1</Region></Error>");
                            let answer = Response::builder().status(status).header("etag", "\"fault\"");
                            Ok(answer.body(s3s::Body::from(body)).unwrap())
                        }
                        (None, Some(answer)) => answer.await,
                        (None, None) => unreachable!(),
                    }
                }
            });
            tokio::spawn(async move {
                let io = hyper_util::rt::TokioIo::new(socket);
                let _ = hyper::server::conn::http1::Builder::new().serve_connection(io, answer).await;
            });
        }
    });
    (folder, format!("s3://id:secret@label?endpoint=http://{address}&region=us-east-1"))
}
