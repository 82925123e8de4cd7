//! Parses `STORAGE_URL` completely at the start: an error would otherwise show when the first file is stored.

use std::borrow::Cow;

use url::Url;
use zeroize::Zeroizing;

use crate::secret_address::SecretAddress;

pub(super) struct BucketAddress {
    pub(super) bucket: String,
    pub(super) key: String,
    pub(super) secret: Zeroizing<String>,
    pub(super) endpoint: Option<String>,
    pub(super) region: Option<String>,
}

impl BucketAddress {
    /// Reads `s3://KEY:SECRET@BUCKET?endpoint=https://…&region=…`. The error is one line that repeats no part of it.
    pub(super) fn read(text: &str) -> Result<Self, &'static str> {
        let address =
            SecretAddress::read(text, &["endpoint", "region"]).ok_or("it does not begin with s3://")?;
        let url = Url::parse(&Zeroizing::new(address.escaped())).map_err(|_| "it is no address")?;
        if url.scheme() != "s3" {
            return Err("the scheme is not s3");
        }
        let bucket = url.host_str().filter(|host| !host.is_empty()).ok_or("the bucket is missing")?;
        if url.port().is_some() || !matches!(url.path(), "" | "/") || url.fragment().is_some() {
            return Err("nothing but ?endpoint=…&region=… may follow the bucket");
        }
        let (key, secret) = (decoded(url.username())?, decoded(url.password().unwrap_or_default())?);
        if key.is_empty() || secret.is_empty() {
            return Err("key and secret are missing");
        }
        let (mut endpoint, mut region) = (None, None);
        for (name, value) in url.query_pairs() {
            match name.as_ref() {
                "endpoint" => endpoint = Some(read_endpoint(&value)?),
                "region" if !value.is_empty() => region = Some(value.into_owned()),
                "region" => return Err("the region is empty"),
                _ => return Err("only endpoint and region may follow the bucket"),
            }
        }
        let secret = Zeroizing::new(secret);
        Ok(Self { bucket: bucket.to_owned(), key, secret, endpoint, region })
    }
}

fn read_endpoint(text: &str) -> Result<String, &'static str> {
    let url = Url::parse(text).map_err(|_| "the endpoint is no address")?;
    let has_more = !url.username().is_empty()
        || url.password().is_some()
        || url.query().is_some()
        || url.fragment().is_some();
    if !matches!(url.scheme(), "https" | "http") || url.host_str().is_none_or(str::is_empty) || has_more {
        return Err("the endpoint must look like https://host");
    }
    Ok(text.trim_end_matches('/').to_owned())
}

fn decoded(part: &str) -> Result<String, &'static str> {
    percent_encoding::percent_decode_str(part)
        .decode_utf8()
        .map(Cow::into_owned)
        .map_err(|_| "key and secret must be UTF-8")
}
