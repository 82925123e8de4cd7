//! A server that speaks S3 over a folder, for fault rounds: `bucket ADDRESS FOLDER OUTAGE` has one bucket `label` for the key
//! `id` with the secret `secret`, and answers every request with 503 for as long as there is a file OUTAGE.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use hyper::{body::Incoming, service::service_fn};
use hyper_util::rt::TokioIo;
use s3s::{Body, HttpError, HttpResponse, auth::SimpleAuth, service::S3Service, service::S3ServiceBuilder};

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, folder, outage] = arguments.as_slice() else {
        anyhow::bail!("bucket ADDRESS FOLDER OUTAGE");
    };
    std::fs::create_dir_all(Path::new(folder).join("label"))?;
    let files = s3s_fs::FileSystem::new(folder).map_err(|error| anyhow::anyhow!("FOLDER: {error:?}"))?;
    let mut builder = S3ServiceBuilder::new(files);
    builder.set_auth(SimpleAuth::from_single("id", "secret"));
    let (service, outage) = (builder.build(), PathBuf::from(outage));
    let listener = tokio::net::TcpListener::bind(address).await.context("ADDRESS")?;
    loop {
        let (socket, _) = listener.accept().await?;
        let (service, outage) = (service.clone(), outage.clone());
        tokio::spawn(async move {
            let answered = service_fn(move |request| answer(service.clone(), outage.clone(), request));
            // A client that hangs up is no failure of the bucket's.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(socket), answered)
                .await;
        });
    }
}

async fn answer(
    service: S3Service,
    outage: PathBuf,
    request: http::Request<Incoming>,
) -> Result<HttpResponse, HttpError> {
    if outage.exists() {
        let mut refusal = HttpResponse::new(Body::empty());
        *refusal.status_mut() = http::StatusCode::SERVICE_UNAVAILABLE;
        return Ok(refusal);
    }
    hyper::service::Service::call(&service, request).await
}
