//! Explains a bucket's refusal in one line, for the operator.

use object_store::Error;

use super::StorageError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Write,
    Read,
    Remove,
    /// A look for an object that is not there: without the right to list, the answer is a refusal.
    Look,
}

/// Explains the error of a step; `bucket` is its name and where it is.
pub(super) fn explain(bucket: &str, step: Step, error: &Error) -> StorageError {
    let text = error.to_string();
    let code = match word(&text, "<Code>", '<') {
        "" => word(&text, "(code: ", ')'),
        code => code,
    };
    let region = word(&text, "<Region>", '<');
    let is_missing = matches!(error, Error::NotFound { .. }) && step == Step::Write;
    let unusable = StorageError::Unusable;
    match code {
        _ if is_missing || code == "NoSuchBucket" => {
            unusable(format!("there is no bucket {bucket}; make it, or correct its name"))
        }
        "PermanentRedirect" | "TemporaryRedirect" | "IllegalLocationConstraintException" => {
            unusable(elsewhere(bucket, region))
        }
        "AuthorizationHeaderMalformed" if text.contains("egion") => unusable(elsewhere(bucket, region)),
        _ if text.contains("redirect without LOCATION") => unusable(elsewhere(bucket, region)),
        "InvalidAccessKeyId" | "SignatureDoesNotMatch" | "AuthorizationHeaderMalformed" => {
            unusable(format!("the bucket {bucket} does not accept this key and secret"))
        }
        _ if matches!(error, Error::Unauthenticated { .. }) => {
            unusable(format!("the bucket {bucket} does not accept this key and secret"))
        }
        _ if matches!(error, Error::PermissionDenied { .. }) || code == "AccessDenied" => unusable(format!(
            "the key may not {} the bucket {bucket}; give it the rights to put, get, delete and list objects",
            match step {
                Step::Write => "write into",
                Step::Read => "read from",
                Step::Remove => "remove from",
                Step::Look => "list",
            }
        )),
        "NotImplemented" if step == Step::Write => unusable(no_conditional_writes(bucket)),
        "" => StorageError::Unreachable(format!("the bucket {bucket} does not answer: {}", cause(error))),
        code => StorageError::Unreachable(format!("the bucket {bucket} answers {code}")),
    }
}

/// Files are never overwritten, whichever instance writes: the bucket itself must see to that.
pub(super) fn no_conditional_writes(bucket: &str) -> String {
    format!(
        "the bucket {bucket} does not know conditional writes (If-None-Match: *); choose a server that does"
    )
}

fn elsewhere(bucket: &str, region: &str) -> String {
    match region {
        "" => format!("the bucket {bucket} is in another region; write it as &region=…"),
        region => format!("the bucket {bucket} is in another region; write &region={region}"),
    }
}

/// The text between two marks of the answer, if it is a plain word.
fn word<'a>(text: &'a str, begin: &str, end: char) -> &'a str {
    let inside = text.split_once(begin).and_then(|(_, rest)| rest.split_once(end));
    let is_word = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    inside.map(|(word, _)| word).filter(is_word).unwrap_or_default()
}

fn cause(error: &Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    let text = innermost.to_string();
    text.lines().next().unwrap_or_default().trim_end_matches([':', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_within_an_answer_is_understood() {
        let source =
            "DeleteObjects request failed for key probe-1: Access Denied (code: AccessDenied)".into();
        let error = explain("label at Amazon S3", Step::Remove, &Error::Generic { store: "S3", source });
        assert!(
            error.to_string().starts_with("STORAGE_URL: the key may not remove from the bucket label"),
            "{error}"
        );
    }
}
