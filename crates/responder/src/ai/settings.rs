//! The settings of the language model, read from [`Settings`]: where it answers, with which key, by which name.

use deadwax_config::{Settings, is_this_machine};
use http::HeaderValue;
use rules::terminal::{AI_REASONING_TOKENS_MAX, AI_TOKENS_MAX};
use secrecy::{ExposeSecret as _, SecretString};
use url::Url;

/// The model if `AI_MODEL` is not set. Servers with a single model accept any name.
const DEFAULT_MODEL: &str = "gpt-4o-mini";
/// Appended to an address that ends in a version.
const COMPLETIONS: &str = "chat/completions";

/// Why the settings cannot work, in one line that repeats neither the key nor the address, which may contain one.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum AiSettingError {
    /// Not an address that answers chats.
    #[error("AI_URL must look like https://host/v1/chat/completions ({0})")]
    Url(&'static str),
    /// Not something that fits into a header.
    #[error("AI_KEY must be one line of visible ASCII characters")]
    Key,
    /// Not a name.
    #[error("AI_MODEL must be 1 to 200 characters without control characters")]
    Model,
    /// A key or a model for no server.
    #[error("AI_KEY and AI_MODEL need AI_URL")]
    Alone,
}

/// Settings that can work.
#[derive(Clone, Debug)]
pub struct AiSettings {
    pub(super) url: Url,
    pub(super) authorization: Option<HeaderValue>,
    pub(super) model: String,
}

impl AiSettings {
    /// Reads and checks them; none without `AI_URL`. Empty values count as not set.
    pub fn read(settings: &Settings) -> Result<Option<Self>, AiSettingError> {
        let secret = |value: &Option<SecretString>| {
            let text = value.as_ref().map(|value| value.expose_secret().trim().to_owned());
            text.filter(|text| !text.is_empty()).map(SecretString::from)
        };
        let (url, key) = (secret(&settings.ai_url), secret(&settings.ai_key));
        let model = settings.ai_model.as_deref().map(str::trim).filter(|model| !model.is_empty());
        let Some(url) = url else {
            return if key.is_some() || model.is_some() { Err(AiSettingError::Alone) } else { Ok(None) };
        };
        let authorization = key.map(|key| authorization(&key)).transpose()?;
        let model = model.unwrap_or(DEFAULT_MODEL);
        if model.chars().count() > 200 || model.chars().any(char::is_control) {
            return Err(AiSettingError::Model);
        }
        Ok(Some(Self { url: completions(url.expose_secret())?, authorization, model: model.to_owned() }))
    }

    /// The field that bounds an answer, and the bound. Newer models of `OpenAI` refuse the usual field.
    pub(super) fn limit(&self) -> (&'static str, u32) {
        let host = self.url.host_str().unwrap_or_default();
        if host.ends_with(".openai.com") || host.ends_with(".openai.azure.com") {
            ("max_completion_tokens", AI_REASONING_TOKENS_MAX)
        } else {
            ("max_tokens", AI_TOKENS_MAX)
        }
    }
}

fn authorization(key: &SecretString) -> Result<HeaderValue, AiSettingError> {
    let key = key.expose_secret();
    if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(AiSettingError::Key);
    }
    let mut value = HeaderValue::try_from(format!("Bearer {key}")).map_err(|_| AiSettingError::Key)?;
    value.set_sensitive(true);
    Ok(value)
}

/// The address of the completions: given as such, as an address that ends in `/v1`, or as a bare origin.
fn completions(text: &str) -> Result<Url, AiSettingError> {
    let mut url = Url::parse(text).map_err(|_| AiSettingError::Url("it is no address"))?;
    match (url.scheme(), is_this_machine(url.host().as_ref())) {
        ("https", _) | ("http", true) => {}
        ("http", false) => {
            return Err(AiSettingError::Url("plain http is for this machine alone; use https"));
        }
        _ => return Err(AiSettingError::Url("the scheme is neither https nor http")),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AiSettingError::Url("a key belongs into AI_KEY"));
    }
    if url.fragment().is_some() {
        return Err(AiSettingError::Url("it has a fragment"));
    }
    let path = url.path().trim_end_matches('/').to_owned();
    if path.is_empty() {
        url.set_path(&format!("v1/{COMPLETIONS}"));
    } else if path.ends_with("/v1") {
        url.set_path(&format!("{path}/{COMPLETIONS}"));
    } else if path.ends_with(&format!("/{COMPLETIONS}")) {
        url.set_path(&path);
    } else {
        return Err(AiSettingError::Url("its path ends neither in /chat/completions nor in /v1"));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_may_be_given_in_three_ways() {
        for (text, url) in [
            ("https://api.example", "https://api.example/v1/chat/completions"),
            ("https://api.example/", "https://api.example/v1/chat/completions"),
            ("https://api.example/v1", "https://api.example/v1/chat/completions"),
            ("https://api.example/openai/v1/", "https://api.example/openai/v1/chat/completions"),
            (
                "https://api.example/x/chat/completions?api-version=1",
                "https://api.example/x/chat/completions?api-version=1",
            ),
            ("http://127.0.0.1:11434", "http://127.0.0.1:11434/v1/chat/completions"),
            ("http://[::1]:1/v1", "http://[::1]:1/v1/chat/completions"),
            ("http://localhost:1/chat/completions", "http://localhost:1/chat/completions"),
        ] {
            assert_eq!(completions(text).map(String::from), Ok(url.to_owned()), "{text}");
        }
    }

    #[test]
    fn the_servers_of_openai_have_another_field_for_the_limit() {
        let limit = |text: &str| {
            let (url, model) = (completions(text).unwrap(), DEFAULT_MODEL.to_owned());
            AiSettings { url, authorization: None, model }.limit()
        };
        for text in
            ["https://api.openai.com", "https://EU.api.openai.com/v1", "https://x.openai.azure.com/openai/v1"]
        {
            assert_eq!(limit(text), ("max_completion_tokens", 2048), "{text}");
        }
        for text in [
            "https://api.example",
            "http://127.0.0.1:11434",
            "https://openai.com.example",
            "https://notopenai.com",
        ] {
            assert_eq!(limit(text), ("max_tokens", 512), "{text}");
        }
    }

    #[test]
    fn what_cannot_work_or_is_not_safe_is_refused_without_repeating_it() {
        for text in [
            "api.example",
            "hunter2",
            "http://api.example/v1",
            "http://127.0.0.1.evil.example/v1",
            "ftp://api.example/v1",
            "https://user:hunter2@api.example/v1",
            "https://api.example/v1#hunter2",
            "https://api.example/models",
            "file:///etc/passwd",
        ] {
            let error = completions(text).unwrap_err().to_string();
            assert!(error.starts_with("AI_URL must look like"), "{text}: {error}");
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn a_key_fits_into_a_header_and_is_not_printed() {
        let value = authorization(&"sk-hunter2".to_owned().into()).unwrap();
        assert_eq!(value.to_str().unwrap(), "Bearer sk-hunter2");
        assert!(!format!("{value:?}").contains("hunter2"));
        for key in ["two words", "two\nlines", "schlüssel", "tab\t"] {
            assert_eq!(authorization(&key.to_owned().into()), Err(AiSettingError::Key), "{key}");
        }
    }
}
